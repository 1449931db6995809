"""Which requests are answered without a plan; all others are planned."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.honesty.cases import FILES, load
from okso_jupyter import Session, Tool
from okso_jupyter.planning.calculations.calculation_asked import calculation_asked
from okso_jupyter.planning.replies.here import Here
from okso_jupyter.planning.replies.reply import (
    Reply,
    reply_of_all,
    reply_of_small,
    reply_to_no_calls,
)
from okso_jupyter.planning.request.facts import gather
from okso_jupyter.toolkit.tool import Example
from okso_jupyter.workspace import Workspace

pytestmark = pytest.mark.slow

TOOLS = Session().tools
NO_SEARCH = {"web_search": "no search engine is set"}
EXAMPLES = [
    example.request
    for tool in TOOLS.values()
    for example in tool.examples
    if tool.name not in NO_SEARCH
]
WEB = [example.request for example in TOOLS["web_search"].examples]
CASES = [case for case in load("tuned") if case.kind != "missing"]
WITHOUT_PLAN = {"capabilities", "small_talk", "refused"}
#: Requests that a session can do, or may try: many have a word that stands for what it cannot.
WITHIN_REACH = (
    "List the files please",
    "whats the biggest file here",
    "how many csv files are there",
    "which folder is this",
    "find the word budget",
    "Is there anything about rent in my notes?",
    "Which files mention Piet?",
    "Order sales.csv by price",
    "Welche Bestellungen in sales.csv sind noch offen?",
    "Wie viele Bestellungen stehen in letter.txt?",
    "errors in server.log",
    "errors server.log",
    "units per region in sales.csv",
    "cheapest product in sales.csv",
    "Top 3 products in sales.csv by units",
    "Add 'call Anna' to todo.txt",
    "Write 'email the landlord' into todo.txt",
    "Write 'translate this' into new.txt",
    "Write 'a poem about love' into new.txt",
    "Find the word email in letter.txt",
    "Which rows of sales.csv have the country French Guiana?",
    "Print the last 5 lines of server.log",
    "Print todo.txt",
    "Delete the line 'buy stamps' from todo.txt",
    "Create a folder called archive",
    "Who signed letter.txt?",
    "Is letter.txt polite?",
    "When does the committee meet next according to meeting.md?",
    "What will happen next according to meeting.md?",
    "What are the next steps in meeting.md?",
    "Explain sort_names.py",
    "check todo.txt",
    "cat todo.txt",
    "head server.log",
    "What's in this folder?",
    "What is 17 plus 25?",
    "2+2",
    "square root of 2",
    "Calculate 15% tip on 48.50",
    "What day is it today?",
    "what time is it",
    "Summarise https://example.org/news in three lines",
    "How often does WARN occur in server.log?",
    "Show the git log in server.log",
    "book titles in sales.csv",
    "Call log analysis of server.log",
    "Post-process sales.csv",
    "Hi, which files are here?",
    "Could you please show me the first 3 lines of sales.csv?",
    "I want to know how many rows sales.csv has",
    "Zeig mir todo.txt",
    "Suche 'Balkon' in brief.txt",
    "Welche Dateien gibt es hier?",
    "Erwähnt brief.txt einen Hund?",
    "Wie viele Wörter hat letter.txt?",
)


def here(request: str, tools: Mapping[str, Tool] = TOOLS, **more: Any) -> Here:
    """Return what a request can draw on in the folder of the honest answers."""
    workspace = Workspace(FILES)
    try:
        return Here(tools=tools, facts=gather(request, workspace), **more)
    finally:
        workspace.close()


def replied(request: str, tools: Mapping[str, Tool] = TOOLS, **more: Any) -> Reply | None:
    """Return the reply of a small model's session; it is skipped for calculations."""
    there = here(request, tools, **{"lacking": NO_SEARCH, **more})
    reply = reply_of_all(request, there)
    return reply if reply or calculation_asked(request) else reply_of_small(request, there)


def own(name: str, description: str, *examples: Example) -> dict[str, Tool]:
    """Return the catalogue with one more tool."""
    schema = {"type": "object", "properties": {"what": {"type": "string"}}}
    tool = Tool.from_schema(name, description, schema, dict, effect="none", examples=examples)
    return {**TOOLS, name: tool}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.request)
def test_a_request_gets_its_kind_of_answer(case: Any) -> None:
    """A request that needs no plan gets a reply of its kind; every other one is planned."""
    reply = replied(case.request)
    kind = reply.kind.replace(" ", "_") if reply else "planned"
    assert kind == (case.kind if case.kind in WITHOUT_PLAN else "planned")
    if reply is not None:
        assert all(text.lower() in reply.text.lower() for text in case.says)


@pytest.mark.parametrize("request_text", WITHIN_REACH)
def test_what_only_sounds_impossible_is_planned(request_text: str) -> None:
    """Requests with a word that stands for something impossible are planned."""
    assert replied(request_text) is None


@pytest.mark.parametrize("request_text", EXAMPLES)
def test_the_tools_examples_are_planned(request_text: str) -> None:
    """No example of a tool is refused where the files that it names exist."""
    there = here(request_text, lacking=NO_SEARCH)
    facts = replace(there.facts, files=(*there.facts.files, *there.facts.new_paths), new_paths=())
    there = replace(there, facts=facts)
    assert reply_of_all(request_text, there) is None
    assert calculation_asked(request_text) or reply_of_small(request_text, there) is None


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.kind == "refused"], ids=lambda case: case.request
)
def test_a_refusal_is_one_sentence_with_a_feasible_example(case: Any) -> None:
    """A refusal is one sentence; the example that it offers instead is itself feasible."""
    reply = replied(case.request)
    assert reply is not None
    assert re.fullmatch(r"I cannot [^:]+: .+; I can .+\.", reply.text)
    example = re.search(r"for example “([^”]+)”", reply.text)
    assert example
    assert replied(example[1]) is None


def test_the_list_of_abilities_comes_from_the_catalogue() -> None:
    """The reply lists tools with descriptions, missing setup with reasons, and examples."""
    reply = replied("What can you do?")
    assert reply is not None
    for name in ("file_read", "terminal", "python_repl"):
        assert f"- {name}: {TOOLS[name].description}" in reply.text
    assert "Not set up: web_search, because no search engine is set." in reply.text
    assert "- web_search" not in reply.text
    examples = re.findall(r"“([^”]+)”", reply.text)
    assert len(examples) == 3
    assert all(replied(example) is None for example in examples)
    assert all(any(path.name in example for path in FILES.iterdir()) for example in examples)


def test_the_list_of_abilities_covers_custom_tools() -> None:
    """In a session with a single tool, the reply lists that tool only."""
    tools = {"lamp": own("lamp", "Turn a lamp on or off.")["lamp"]}
    reply = replied("What can you do?", tools)
    assert reply is not None
    assert "- lamp: Turn a lamp on or off." in reply.text
    assert "file_read" not in reply.text


@pytest.mark.parametrize(
    ("request_text", "name", "description"),
    [
        ("Email this to my boss", "send_email", "Send an email to somebody."),
        ("Translate letter.txt into German", "translate", "Translate a text into a language."),
        ("Remind me to water the plants at 6pm", "reminders_create", "Set a reminder."),
        ("Will it rain tomorrow?", "rain_forecast", "Forecast whether it will rain."),
        ("Turn off the lights in the kitchen", "lights", "Turn the lights of a room on or off."),
    ],
)
def test_a_matching_tool_makes_a_request_feasible(
    request_text: str, name: str, description: str
) -> None:
    """Whether a request is feasible depends on the catalogue alone."""
    assert replied(request_text) is not None
    assert replied(request_text, own(name, description)) is None


def test_an_example_makes_its_verb_known() -> None:
    """The first verb of a tool's example counts as something that the tool can do."""
    tools = own("shrink", "Make files small", Example("Compress big.txt", {"what": "big.txt"}))
    refused = replied("Compress the file letter.txt")
    assert refused is not None
    assert "“compress”" in refused.text
    assert replied("Compress the file letter.txt", tools) is None


def test_a_web_search_is_suggested_if_configured() -> None:
    """A world-knowledge question is refused; a search is suggested if an engine is set."""
    without, with_search = (
        replied("Who was Ada Lovelace?"),
        replied("Who was Ada Lovelace?", lacking={}),
    )
    assert without is not None
    assert "SEARCH_PROVIDER" in without.text
    assert with_search is not None
    assert "“Search the web for 'Ada Lovelace'”" in with_search.text


@pytest.mark.parametrize("request_text", WEB)
def test_a_web_search_without_an_engine_is_refused(request_text: str) -> None:
    """The refusal of a web search names what is missing; with an engine it is planned."""
    reply = replied(request_text)
    assert reply is not None
    assert reply.text.startswith("I cannot search the web: no search engine is set; I can ")
    assert replied(request_text, lacking={}) is None


def test_notebook_variables_can_be_asked_about() -> None:
    """A question about a variable of the notebook is planned, like one about a file."""
    asked = "What is the largest of readings?"
    assert replied(asked) is not None
    assert replied(asked, variables=frozenset({"readings"})) is None


@pytest.mark.parametrize(
    ("request_text", "is_small", "says"),
    [
        ("Book me a flight to Lisbon", False, "book, order"),
        ("What will the sales be in 2026?", False, "future"),
        ("What is the mean of units in sales.csv?", False, "about sales.csv"),
        ("Is the moon made of cheese?", True, "answer that"),
        ("Is the moon made of cheese?", False, ""),
        ("Tell me about yourself", False, ""),
    ],
)
def test_a_plan_without_calls_is_refused_where_a_tool_is_needed(
    request_text: str,
    is_small: bool,  # noqa: FBT001  pytest names it
    says: str,
) -> None:
    """A larger model may answer from its knowledge, but no model what only a tool can."""
    reply = reply_to_no_calls(request_text, here(request_text), is_small=is_small)
    assert (reply is not None) == bool(says)
    assert reply is None or says in reply.text


def test_an_empty_folder_has_examples_too(tmp_path: Path) -> None:
    """In a folder without files, the tools' own examples are suggested."""
    workspace = Workspace(tmp_path)
    there = Here(tools=TOOLS, facts=gather("What can you do?", workspace))
    workspace.close()
    reply = reply_of_all("What can you do?", there)
    assert reply is not None
    assert len(re.findall(r"“[^”]+”", reply.text)) >= 2


@pytest.mark.parametrize(
    "request_text",
    [
        "What can you do about the errors in server.log?",
        "Help me count the lines of letter.txt",
        "Thanks, now read todo.txt",
        "What can you tell me about letter.txt?",
    ],
)
def test_more_than_a_greeting_is_planned(request_text: str) -> None:
    """A request that contains a greeting or asks about abilities is planned all the same."""
    assert replied(request_text) is None


@pytest.mark.parametrize(
    ("request_text", "near"),
    [
        ("How many sales are from region North in sale.csv?", "sales.csv"),
        ("whats the total amount in 2023/prices.csv", ""),
        ("Show me the first 3 lines of sevrer.log", "server.log"),
        ("Read my_diary.txt", ""),
        ("Wie viele Zeilen hat umsatz.csv?", ""),
    ],
)
def test_a_request_about_a_missing_file_names_it(request_text: str, near: str) -> None:
    """No plan reads another file in place of the one that is named and missing."""
    reply = replied(request_text)
    assert reply is not None
    assert "there is no file" in reply.text
    assert (f"did you mean '{near}'" in reply.text) if near else ("did you mean" not in reply.text)


@pytest.mark.parametrize(
    "request_text",
    [
        "Write 'hi' to new.txt",
        "Count the lines of server.log and save the number to count.txt",
        "Where is plan_b.txt?",
        "Is there a file called missing.csv?",
        "Make a table of the prices in prices_2025.csv",
        "Rename draft.txt to final.txt",
    ],
)
def test_a_missing_file_that_is_to_be_made_or_found_is_planned(request_text: str) -> None:
    """The name of a file that a request makes or looks for may be new."""
    reply = replied(request_text)
    assert reply is None or "there is no file" not in reply.text


@pytest.mark.parametrize(
    ("request_text", "is_result"),
    [
        ("Summarise the CSV files of archive in archive/summary.md", True),
        ("Count the words of the files of archive, into counts.txt", True),
        ("How many words are in archive/summary.md?", False),
    ],
)
def test_what_comes_of_a_folder_may_go_into_a_new_file(
    tmp_path: Path, request_text: str, *, is_result: bool
) -> None:
    """A folder is the source; a missing file alone is no place for anything."""
    (tmp_path / "archive").mkdir()
    (tmp_path / "archive" / "prices.csv").write_text("day,price\n1,2\n", "utf-8")
    workspace = Workspace(tmp_path)
    there = Here(tools=TOOLS, facts=gather(request_text, workspace), lacking=NO_SEARCH)
    workspace.close()
    reply = reply_of_all(request_text, there) or reply_of_small(request_text, there)
    assert ("there is no file" in (reply.text if reply else "")) != is_result


@pytest.mark.parametrize(
    ("request_text", "is_asked"),
    [
        ("What is the sum of v in t.csv?", True),
        ("Read t.csv", True),
        ("Delete t.csv", True),
        ("Copy t.csv to u.csv", True),
        ("Write 'hi' to t.csv", True),
        ("Read x/t.csv", False),
        ("Read t.csv in the folder y", False),
        ("Read all t.csv files", False),
        ("Where is t.csv?", False),
        ("Create t.csv with 'a,b'", False),
    ],
)
def test_a_request_that_leaves_open_which_file_it_means_is_refused(
    tmp_path: Path, request_text: str, *, is_asked: bool
) -> None:
    """The refusal names the files of that name; none of them is taken."""
    for name in ("x", "y"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "t.csv").write_text("k,v\na,2\n", "utf-8")
    workspace = Workspace(tmp_path)
    there = Here(tools=TOOLS, facts=gather(request_text, workspace), lacking=NO_SEARCH)
    workspace.close()
    reply = reply_of_all(request_text, there)
    assert ("which one: x/t.csv or y/t.csv?" in (reply.text if reply else "")) == is_asked
