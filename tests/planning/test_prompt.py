"""The messages that the planner sends to the model."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from okso_jupyter.llm.protocol import Message
from okso_jupyter.plan.plan import Plan
from okso_jupyter.planning.examples.index import Match
from okso_jupyter.planning.prompt.messages import catalogue, example_plan, messages
from okso_jupyter.planning.table_questions.query_tool import sampled_tools
from okso_jupyter.session.session import Session
from okso_jupyter.toolkit.tool import Example, Tool

TOOLS = sampled_tools(Session().tools)
NOW = datetime(2026, 3, 4, 17, 5, tzinfo=UTC)
COUNT = Match("terminal", Example("Count a.txt", {"command": "wc", "args": ["a.txt"]}), 0.9)
READ = Match("file_read", Example("Read b.md?", {"path": "b.md"}), 0.8)


def talk(request: str, *shown: list[Match], feedback: str = "") -> tuple[Message, ...]:
    """Return the conversation for a request."""
    return messages(TOOLS, shown, request, feedback=feedback, now=NOW)


def test_every_tool_is_one_line_with_its_arguments() -> None:
    """Each line has the name, the arguments a plan may give, description and safety note."""
    lines = catalogue(TOOLS).splitlines()
    assert [line.split("(")[0] for line in lines] == [f"- {name}" for name in TOOLS]
    reading = next(line for line in lines if line.startswith("- file_read("))
    assert reading.startswith("- file_read(path): Read a ")
    assert next(line for line in lines if line.startswith("- terminal(")).endswith(
        TOOLS["terminal"].safety
    )


def test_a_tool_with_special_characters_in_texts_is_harmless() -> None:
    """Dollar signs and braces in a third party's description are plain text."""
    odd = Tool.from_schema("odd", "Costs $5 ${request} {x}", {"type": "object"}, dict)
    told = messages({"odd": odd}, [], "${tools} $x", feedback="${request}", now=NOW)
    assert "Costs $5 ${request} {x}" in told[0].content
    assert told[-1].content.startswith("${tools} $x")
    assert "${request}" in told[-1].content


def test_the_constant_part_of_a_prompt_comes_first() -> None:
    """The catalogue is the first message for every request, so its state can be reused."""
    assert talk("Read a.txt")[0] == talk("Count b.txt", [COUNT])[0]


def test_examples_are_turns_with_the_nearest_last() -> None:
    """Each example is a user turn and an assistant turn; the request is the last turn."""
    told = talk("How many?", [READ], [COUNT])
    assert [m.role for m in told] == ["system", *["user", "assistant"] * 2, "user"]
    assert told[-3].content == "Count a.txt"
    assert json.loads(told[-2].content)[0]["tool"] == "terminal"
    assert told[-1].content.startswith("How many?")


def test_an_example_of_two_parts_is_one_plan() -> None:
    """Two matches become one question with a plan of two steps."""
    told = talk("?", [READ, COUNT])
    assert told[1].content == "Read b.md? Then Count a.txt"
    assert [step["tool"] for step in json.loads(told[2].content)] == [
        "file_read", "terminal", "final_answer"
    ]  # fmt: skip


def test_an_example_plan_is_a_plan() -> None:
    """An example plan satisfies the rules of plans and ends with the answer."""
    plan = Plan.from_dict(json.loads(example_plan([READ, COUNT])))
    assert plan.tools == ("file_read", "terminal", "final_answer")
    assert plan.steps[0].thought == ""
    plan = Plan.from_dict(json.loads(example_plan([READ, COUNT], has_thoughts=True)))
    assert plan.steps[0].thought == "Read b.md"


@pytest.mark.parametrize(
    ("request_text", "told"),
    [("What is due today?", True), ("Which DATE is it", True), ("How many lines?", False),
     ("Read update.txt", False)],
)  # fmt: skip
def test_the_date_is_included_if_it_matters(request_text: str, *, told: bool) -> None:
    """Only a request that mentions time gets weekday, date and time; others are constant."""
    assert ("Wednesday, 2026-03-04 17:05" in talk(request_text)[-1].content) is told


def test_feedback_follows_the_request() -> None:
    """The user's feedback is placed after the request in the last message."""
    content = talk("Read a.txt", feedback="use the other file")[-1].content
    assert content.index("Read a.txt") < content.index("use the other file")
