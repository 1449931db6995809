"""The size of what a server is sent for a plan, measured at a real server on loopback."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from okso_jupyter.session.session import Session
from tests.bench import END, Bench
from tests.llm.openai_server import OpenAIServer, refuses, says

_READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}, "thought": "Read it"}
_PLAN = json.dumps({"steps": [_READ, END]})


def asked(bench: Bench, request: str, **settings: Any) -> Mapping[str, Any]:
    """Return the body of the planner's request to a server."""
    with OpenAIServer([says(_PLAN)]) as server:
        chosen = {"OKSO_HOME": str(bench.home), "PLANNER_SAMPLE_COUNT": 1, **settings}
        with Session(chosen, model=server.spec, root=bench.root) as session:
            session.plan(request)
        (seen,) = server.seen
    assert int(seen.headers["content-length"]) == _size(seen.body)
    return seen.body


def _size(body: object) -> int:
    return len(json.dumps(body, separators=(",", ":")))


def _schema(body: Mapping[str, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = body["response_format"]["json_schema"]["schema"]
    return schema


def test_the_whole_catalogue_takes_less_than_12000_characters(bench: Bench) -> None:
    """A request that no tool surely fits is sent with every tool, each defined once."""
    body = asked(bench, "what happened?")
    schema = _schema(body)

    assert _size(body) < 12_000
    offered = {"file_read", "terminal", "python_repl", "web_fetch", "final_answer"}
    assert offered < set(schema["$defs"])
    assert json.dumps(schema).count('"const": "file_read"') == 1


@pytest.mark.parametrize(
    ("request_", "tools"),
    [
        ("Read 'notes.txt'", {"file_read"}),
        ("Copy notes.txt to old.txt and then count the lines of old.txt", {"terminal"}),
    ],
)
def test_a_clear_request_takes_less_than_3000_characters(
    bench: Bench, request_: str, tools: set[str]
) -> None:
    """A request that some tools surely fit is sent with those alone."""
    body = asked(bench, request_)

    assert _size(body) < 3000
    assert tools < set(_schema(body)["$defs"])
    assert "web_fetch" not in json.dumps(body)


def test_the_schema_is_one_bounded_list_of_steps(bench: Bench) -> None:
    """It takes plans of one to twice the budget of steps, of known tools with known arguments."""
    schema = _schema(asked(bench, "Read 'notes.txt'", PLANNER_MAX_PLAN_STEPS=2))
    steps = schema["properties"]["steps"]
    checker = Draft202012Validator(schema)

    assert (steps["minItems"], steps["maxItems"]) == (1, 4)
    assert checker.is_valid({"steps": [_READ, {**_READ, "condition": "step_1_failed"}, END]})
    wrong: list[list[dict[str, Any]]] = [
        [],
        [END] * 5,
        [{**_READ, "tool": "unheard_of"}, END],
        [{**_READ, "args": {"way": "notes.txt"}}, END],
        [{**_READ, "condition": "on Sundays"}, END],
    ]
    assert not any(checker.is_valid({"steps": steps}) for steps in wrong)


def test_a_step_of_a_tree_is_asked_for_with_the_definitions_it_needs(bench: Bench) -> None:
    """A tree of plans is grown with schemas that hold no definition of another position."""
    with OpenAIServer([says(json.dumps([END]))]) as server:
        chosen = {"OKSO_HOME": str(bench.home), "PLAN_ALGORITHM": "beam"}
        with Session(chosen, model=server.spec, root=bench.root) as session:
            session.plan("what happened?")
        bodies = [seen.body for seen in server.seen]

    assert bodies
    assert all(_size(body) < 16_000 for body in bodies)


def test_a_server_without_schemas_gets_the_small_one_in_words(bench: Bench) -> None:
    """A server that refuses formats gets the same schema in the message, without blanks."""
    answers = [refuses(400, "no response_format"), says(f"Here it is:\n{_PLAN}")]
    with OpenAIServer(answers) as server:
        chosen = {"OKSO_HOME": str(bench.home), "PLANNER_SAMPLE_COUNT": 1}
        with Session(chosen, model=server.spec, root=bench.root) as session:
            plan = session.plan("Read 'notes.txt'").plan
        refused, told = (seen.body for seen in server.seen)

    words = json.dumps(_schema(refused), separators=(",", ":"))
    assert words in told["messages"][-1]["content"]
    assert _size(told) < 3500
    assert [step.tool for step in plan.steps] == ["file_read", "final_answer"]


def test_the_journal_holds_what_was_sent(bench: Bench) -> None:
    """Prompt and schema of the record are those of the server's request."""
    with OpenAIServer([says(_PLAN)]) as server:
        chosen = {"OKSO_HOME": str(bench.home), "PLANNER_SAMPLE_COUNT": 1}
        with Session(chosen, model=server.spec, root=bench.root) as session:
            run = session.run("Read 'notes.txt'", approve="deny")
            sent = server.seen[0].body
    (record,) = [one.body for one in run.records if one.kind == "completion"][:1]

    assert record["schema"] == _schema(sent)
    assert sent["messages"][0]["content"] in record["prompt"]
