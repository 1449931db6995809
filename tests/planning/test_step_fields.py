"""Step fields: offered where the request mentions them, and always for a server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from okso_jupyter import Plan
from okso_jupyter.session.session import Session
from tests.bench import END, Bench
from tests.llm.openai_server import OpenAIServer, says

FIELDS = ("parallel", "condition", "depends_on", "timeout_s", "max_retries")


def asked(bench: Bench, request: str) -> tuple[dict[str, Any], str]:
    """Return the schema and the last message that a model gets for a request."""
    with bench.session([END], PLANNER_SAMPLE_COUNT=1) as session:
        session.plan(request)
    question = bench.model.requests[-1]
    return dict(question.schema or {}), question.messages[-1].content


def named(schema: object) -> Iterator[str]:
    """Yield the step fields that occur anywhere in a schema."""
    text = json.dumps(schema)
    return (field for field in FIELDS if f'"{field}"' in text)


@pytest.mark.parametrize(
    ("request_", "fields"),
    [
        ("Read notes.txt", []),
        ("Read notes.txt, then read sales.csv", []),
        ("How many times does milk occur in notes.txt?", []),
        ("Read notes.txt and read sales.csv at the same time", ["parallel"]),
        ("Read notes.txt and sales.csv in parallel", ["parallel"]),
        ("Read todo.txt. If that fails, read notes.txt", ["condition"]),
        ("Read todo.txt, otherwise read notes.txt", ["condition"]),
        ("If todo.txt does not exist read notes.txt", ["condition"]),
        ("Read notes.txt with a timeout of 5 seconds", ["timeout_s"]),
        ("Read notes.txt, retry when it fails", ["max_retries"]),
    ],
)
def test_mentioned_step_fields_are_offered(bench: Bench, request_: str, fields: list[str]) -> None:
    """A field is offered and explained only where the request mentions it."""
    schema, said = asked(bench, request_)
    assert list(named(schema)) == fields
    assert all(field in said for field in fields)


def test_a_step_refers_to_earlier_steps_only(bench: Bench) -> None:
    """The schema accepts a condition on step 1, and none on a step that is not earlier."""
    schema, _ = asked(bench, "Read notes.txt. If that fails, read sales.csv")
    checker = Draft202012Validator(schema)
    read = {"tool": "file_read", "args": {"path": "notes.txt"}}

    def plan(condition: str) -> list[Any]:
        return [read, {**read, "args": {"path": "sales.csv"}, "condition": condition}, END]

    assert checker.is_valid(plan("step_1_failed"))
    assert checker.is_valid(plan(""))
    assert not checker.is_valid(plan("step_2_failed"))
    assert not checker.is_valid([read, END])


def test_a_models_step_fields_are_in_the_plan(bench: Bench) -> None:
    """Fields that a model writes are validated and kept in the plan."""
    steps = [
        {"tool": "file_read", "args": {"path": "notes.txt"}, "parallel": True, "timeout_s": 5},
        {"tool": "file_read", "args": {"path": "sales.csv"}, "condition": "step_1_failed",
         "depends_on": [1], "max_retries": 2},
        END,
    ]  # fmt: skip
    with bench.session(steps, PLANNER_SAMPLE_COUNT=1) as session:
        plan = session.plan("Read notes.txt").plan
    assert plan.steps[:2] == Plan.from_dict(steps).steps[:2]


def test_a_served_model_may_use_every_field(bench: Bench) -> None:
    """Over HTTP the schema offers all fields, and requires none that was not requested."""
    settings = {"OKSO_HOME": str(bench.home), "PLANNER_SAMPLE_COUNT": 1}
    first = {"tool": "file_read", "args": {"path": "notes.txt"}}
    second = {**first, "args": {"path": "sales.csv"}, "depends_on": [1], "timeout_s": 7}
    with (
        OpenAIServer([says(json.dumps([first, second, END]))]) as server,
        Session(settings, model=server.spec, root=bench.root) as session,
    ):
        plan = session.plan("Read notes.txt, then read sales.csv").plan
        sent = json.dumps(server.seen[0].body)
    assert all(field in sent for field in FIELDS)
    assert (plan.steps[1].depends_on, plan.steps[1].timeout_s) == ((1,), 7)
