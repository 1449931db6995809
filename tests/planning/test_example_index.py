"""Finding the examples that resemble a request, and adapting them to the request."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from okso_jupyter.planning.examples.adaptation import adapt_example
from okso_jupyter.planning.examples.index import ExampleIndex, clauses, index_of
from okso_jupyter.planning.request.facts import gather
from okso_jupyter.session.session import Session
from okso_jupyter.toolkit.tool import Example, Tool
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row
from tests.planning.okso_tools import declared

INDEX: Final[ExampleIndex] = index_of(Session().tools)
EXAMPLES: Final = [
    (tool.name, example) for tool in INDEX.tools.values() for example in tool.examples
]


@each_row(("name", "example"), EXAMPLES)
def test_an_example_finds_its_own_tool(name: str, example: Example) -> None:
    """A request identical to an example ranks the example's tool first."""
    ranked = INDEX.rank(gather(example.request, None))
    assert ranked[name] == pytest.approx(max(ranked.values()))


@pytest.mark.parametrize(
    ("request_text", "tool"),
    [
        ("How many lines does budget_2024.csv have?", "terminal"),
        ("How many words are in thesis.txt?", "terminal"),
        ("What does ideas.md say about solar panels?", "file_search"),
        ("What is the running total of height in trees.csv?", "python_repl"),
        ("Show me what is in poem.txt", "file_read"),
        ("Write 'done' to state.txt", "file_write"),
        ("Replace 'cat' with 'dog' in pets.txt", "file_edit"),
    ],
)
def test_names_and_numbers_do_not_change_the_ranking(request_text: str, tool: str) -> None:
    """The fitting tool ranks first whatever the names, columns and numbers are."""
    ranked = INDEX.rank(gather(request_text, None))
    assert next(iter(ranked)) == tool
    assert list(ranked.values()) == sorted(ranked.values(), reverse=True)
    assert set(ranked) == set(INDEX.tools)


def test_similarity_is_between_0_and_1() -> None:
    """The bounds hold for every request, even one that resembles no example."""
    for text in ("How many lines has a.csv?", "zxqv", "", "the the the"):
        assert all(0 <= match.similarity <= 1 + 1e-9 for match in INDEX.nearest(gather(text, None)))


def test_a_tool_without_examples_is_found_by_its_description() -> None:
    """A tool without examples is ranked by its name and description."""
    tools = [declared("weather_report", "network"), declared("notes_create", "writes")]
    index = index_of({tool.name: tool for tool in tools})
    assert next(iter(index.rank(gather("Give me the weather report", None)))) == "weather_report"
    assert index.nearest(gather("Give me the weather report", None)) == ()


def test_an_empty_catalogue_is_not_an_error() -> None:
    """The ranking of an empty catalogue is empty."""
    assert index_of({}).rank(gather("anything", None)) == {}


# --- examples in other words -------------------------------------------------------------

COUNT = Tool.from_schema(
    "count",
    "Count lines",
    {"type": "object", "properties": {"path": {"type": "string"}, "n": {"type": "integer"}}},
    lambda path, n: f"{path} {n}",
    effect="reads",
    examples=[
        ("Count the first 5 lines of a.txt", {"path": "a.txt", "n": "5"}),
        ("Copy a.txt to b.txt", {"path": "a.txt", "to": "b.txt"}),
        ("Find 'x' in main.py", {"path": "main.py", "code": "open('main.py').find('x')"}),
    ],
)


@pytest.mark.parametrize(
    ("place", "request_text", "args"),
    [
        (0, "Count the first 12 lines of data/z.csv", {"path": "data/z.csv", "n": "12"}),
        (1, "Copy b.txt to a.txt", {"path": "b.txt", "to": "a.txt"}),
        (
            2,
            "Find 'say \"hi\"' in lib.py",
            {"path": "lib.py", "code": "open('lib.py').find('say \"hi\"')"},
        ),
        (1, "Copy only.txt", {"path": "a.txt", "to": "b.txt"}),
    ],
)
def test_an_example_takes_the_names_of_the_request(
    place: int, request_text: str, args: dict[str, str]
) -> None:
    """Values of a kind are replaced if their counts match; else the example is unchanged."""
    index = index_of({"count": COUNT})
    facts = gather(request_text, None)
    wanted = COUNT.examples[place]
    match = next(match for match in index.nearest(facts) if match.example == wanted)
    assert adapt_example(match, facts, index).example.args == args


# --- parts of a request ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_text", "parts"),
    [
        ("Read a.txt", ["Read a.txt"]),
        (
            "Read a.txt and then count words in b.txt",
            ["Read a.txt", "count words in b.txt"],
        ),
        ("Read a.txt, then read b.txt", ["Read a.txt", "read b.txt"]),
        ("Read a.txt. Count the lines in b.txt", ["Read a.txt.", "Count the lines in b.txt"]),
        ("What is the mean and the sum of price in a.csv?", None),
        ("Replace 'this and then that' with 'x' in a.txt", None),
        ("", []),
    ],
)
def test_a_request_is_split_where_another_task_begins(
    request_text: str, parts: list[str] | None
) -> None:
    """A request is split only before a verb of some example, and never inside quotes."""
    examples = [example for tool in INDEX.tools.values() for example in tool.examples]
    assert clauses(request_text, examples) == ([request_text] if parts is None else parts)


# --- folders -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_text", "args"),
    [
        ("List the files in data", {"command": "ls", "args": ["-la", "data"]}),
        ("How many files are in data?", {"command": "ls", "args": ["-la", "data"]}),
        ("What is in the folder data", {"command": "ls", "args": ["-la", "data"]}),
        ("Search for rain in data", {"query": "rain", "paths": ["data"]}),
        ("Which files in data contain rain?", {"query": "rain", "paths": ["data"]}),
        ("Move notes.txt into data", {"command": "mv", "args": ["notes.txt", "data"]}),
        ("List the files", {"command": "ls", "args": ["-la"]}),
    ],
)
def test_the_folder_that_a_request_names_replaces_the_one_of_an_example(
    tmp_path: Path, request_text: str, args: dict[str, Any]
) -> None:
    """A folder is a value of its own kind, also where a word of an example is called the same."""
    (tmp_path / "data").mkdir()
    (tmp_path / "notes.txt").write_text("rain\n")
    workspace = Workspace(tmp_path)
    facts = gather(request_text, workspace)
    workspace.close()
    whole = (adapt_example(match, facts, INDEX) for match in INDEX.nearest(facts))
    assert next(match for match in whole if match.whole).example.args == args


def test_numbers_of_an_example_stay_numbers() -> None:
    """The 07 of a date takes the place of a number as 7, and no text does."""
    example = Example("Rate step 1 with 4 of 5", {"step": 1, "why": "4 of 5", "all": [True, 2.5]})
    tool = Tool.from_schema("rate", "Rate a step.", {"type": "object"}, str, examples=[example])
    index = ExampleIndex({"rate": tool})
    facts = gather("Rate step 2025 with 07 of 02", None)
    [match] = index.nearest(facts)
    args = adapt_example(match, facts, index).example.args
    assert args == {"step": 2025, "why": "07 of 02", "all": [True, 2.5]}
