"""The size of what a server is sent for a plan, measured at a real server on loopback."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from okso_jupyter.llm.protocol import ModelIdentity
from okso_jupyter.session.session import Session
from tests.bench import END, Bench
from tests.each_row import each_row
from tests.llm.openai_server import (
    Answer,
    OpenAIServer,
    Reply,
    calls,
    is_probe,
    refuses,
    says,
)

_READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}
_PLAN = json.dumps({"steps": [_READ, END]}, separators=(",", ":"))


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


#: How a server answers that holds texts to a form in one way alone, and its refusals.
_WAYS: Mapping[str, Callable[[Mapping[str, Any]], bool]] = {
    "json_object": lambda body: "schema" in body.get("response_format", {}),
    "tools": lambda body: "tools" in body,
    "json_mode": lambda body: body.get("response_format") == {"type": "json_object"},
    "words": lambda body: "response_format" not in body and "tools" not in body,
}


def _only(way: str, plan: str) -> Answer:
    """Return the answers of a server that has one way to hold a text to a form."""

    def answer(reply: Reply) -> None:
        text = '{"word":"okso-7f3a"}' if is_probe(reply.body) else plan
        if not _WAYS[way](reply.body):
            refuses(400, "response_format or tool_choice is not supported")(reply)
        elif way == "tools":
            calls(text)(reply)
        else:
            says(text if way != "words" else f"Here it is:\n{text}")(reply)

    return answer


@pytest.mark.parametrize(
    ("way", "request_", "most"),
    [
        ("json_object", "what happened?", 12_000),
        ("tools", "what happened?", 12_000),
        ("json_mode", "what happened?", 7_000),
        ("words", "what happened?", 7_000),
        ("json_object", "Read 'notes.txt'", 3_000),
        ("tools", "Read 'notes.txt'", 3_000),
        ("json_mode", "Read 'notes.txt'", 2_200),
        ("words", "Read 'notes.txt'", 2_200),
    ],
)
def test_each_kind_of_server_has_its_own_small_question(
    bench: Bench, way: str, request_: str, most: int
) -> None:
    """The plan is the same whatever the server can do, and its question is small."""
    with OpenAIServer([_only(way, _PLAN)]) as server:
        chosen = {"OKSO_HOME": str(bench.home), "PLANNER_SAMPLE_COUNT": 1}
        with Session(chosen, model=server.spec, root=bench.root) as session:
            plan = session.plan(request_).plan
        told = server.seen[-1].body

    assert _WAYS[way](told)
    assert _size(told) < most
    assert [step.tool for step in plan.steps] == ["file_read", "final_answer"]


def test_a_small_model_without_schemas_is_told_the_form_of_a_list(bench: Bench) -> None:
    """Functions and JSON mode take objects alone, so the list is wrapped in one, and read again."""
    answer = {"answer": [{"tool": "file_read", "args": {"path": "notes.txt"}}, END]}
    steps = json.dumps(answer, separators=(",", ":"))
    for way in ("tools", "json_mode"):
        with OpenAIServer([_only(way, steps)]) as server:
            chosen = {"OKSO_HOME": str(bench.home), "PLANNER_SAMPLE_COUNT": 1}
            spec = f"{server.spec}-135M"
            with Session(chosen, model=spec, root=bench.root) as session:
                plan = session.plan("Read 'notes.txt'").plan
            assert _WAYS[way](server.seen[-1].body)
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


@pytest.mark.parametrize("request_", ["what happened?", "Read 'notes.txt'"])
def test_a_small_model_is_asked_as_one_in_this_process(bench: Bench, request_: str) -> None:
    """Its name tells its size: values that exist, the end at its place, no thoughts, not larger."""
    with OpenAIServer([says(_PLAN)]) as server:
        chosen = {"OKSO_HOME": str(bench.home), "PLANNER_SAMPLE_COUNT": 1}
        spec = f"{server.spec.partition('#')[0]}#SmolLM2-135M"
        with Session(chosen, model=spec, root=bench.root) as session:
            session.plan(request_)
    body = server.seen[0].body

    assert _size(body) < 12_000
    said = json.dumps(_schema(body))
    assert '"thought"' not in said
    assert '"parallel"' not in said
    assert "prefixItems" in said


@each_row(
    ("name", "weights_bytes", "is_small"),
    [
        ("SmolLM2-135M-Instruct", 0, True),
        ("qwen2.5:0.5b", 0, True),
        ("llama3.1:8b-instruct-q4_0", 0, False),
        ("Mixtral-8x7B", 0, False),
        ("gpt-4o-mini", 0, False),
        ("", 0, False),
        ("model-1B", 9_000_000_000, False),  # the file tells, where there is one
        ("model-70B", 90_000_000, True),
    ],
)
def test_a_model_is_small_by_its_file_or_its_name(
    name: str,
    weights_bytes: int,
    is_small: bool,  # noqa: FBT001  pytest names it
) -> None:
    """About two billion parameters are the most."""
    identity = ModelIdentity(spec="x", name=name, weights_bytes=weights_bytes)
    assert identity.is_small == is_small


@pytest.mark.parametrize(
    ("name", "chosen", "has_thoughts"),
    [
        ("tiny", "auto", False),
        ("tiny-70B", "auto", True),
        ("tiny-0.5B", "auto", False),
        ("tiny", "always", True),
        ("tiny-0.5B", "always", True),
        ("tiny-70B", "never", False),
    ],
)
def test_only_a_model_known_to_be_large_writes_thoughts(
    bench: Bench,
    name: str,
    chosen: str,
    has_thoughts: bool,  # noqa: FBT001  pytest names it
) -> None:
    """One of unknown size writes none, unless PLANNER_THOUGHTS asks for them."""
    with OpenAIServer([says(_PLAN)]) as server:
        settings = {
            "OKSO_HOME": str(bench.home), "PLANNER_SAMPLE_COUNT": 1, "PLANNER_THOUGHTS": chosen
        }  # fmt: skip
        spec = f"{server.spec.partition('#')[0]}#{name}"
        with Session(settings, model=spec, root=bench.root) as session:
            session.plan("Read 'notes.txt'")

    assert ('"thought"' in json.dumps(server.seen[0].body)) == has_thoughts
