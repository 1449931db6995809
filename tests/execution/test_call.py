"""EXECUTOR_MODE=call: the model writes the call of each step, once."""

from __future__ import annotations

from typing import Any

import pytest

from okso_jupyter.plan.plan import Plan
from tests.bench import END, Bench, bodies

READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}
WRITE: dict[str, Any] = {"tool": "file_write", "args": {"path": "out.txt", "content": ""}}
CALL: dict[str, Any] = {"EXECUTOR_MODE": "call", "ON_FAILURE": "stop"}


def test_each_step_is_written_once(bench: Bench) -> None:
    """The model is called once per step; the prompt has the planned call and no results."""
    run = bench.run([READ, READ, END], READ, READ, **CALL)
    assert run.state == "completed"
    prompts = [request.messages[-1].content for request in bench.model.requests]
    assert len(prompts) == 2
    assert '{"tool":"file_read","args":{"path":"notes.txt"}}' in prompts[1]
    assert "buy milk" not in prompts[1]


def test_an_argument_marked_as_missing_is_filled(bench: Bench) -> None:
    """The model can only mark an open argument, which is filled from observations later."""
    marked = {"tool": "file_write", "args": {"path": "out.txt", "content": "__MISSING__"}}
    run = bench.run([READ, WRITE, END], READ, marked, {"content": "call Ann"}, **CALL)
    assert (bench.root / "out.txt").read_text() == "call Ann"
    assert run.state == "completed"
    schema = bench.model.requests[1].schema
    assert schema is not None
    assert schema["properties"]["args"]["properties"]["content"] == {"const": "__MISSING__"}


@pytest.mark.parametrize("args", [{"path": "__MISSING__"}, {"path": ""}, {}, "__MISSING__"])
def test_an_approved_value_is_kept(bench: Bench, args: object) -> None:
    """If the model gives no value, the approved value is used."""
    run = bench.run([READ, END], {"tool": "file_read", "args": args}, **CALL)
    assert run.steps_seen[0].call.args == READ["args"]
    assert run.state == "completed"


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ({"tool": "__MISSING__", "args": {}}, "could not choose a tool"),
        ({"tool": "terminal", "args": {"command": "ls"}}, "proposed terminal"),
        ("no JSON", "not JSON"),
    ],
)
def test_an_invalid_call_fails_the_step(bench: Bench, said: object, error: str) -> None:
    """A reply that is not a call of the step's tool fails the step; nothing runs."""
    run = bench.run([READ, END], said, **CALL)
    assert (run.state, list(bodies(run, "call_started"))) == ("failed", [])
    assert error in run.steps_seen[0].error


def test_a_changed_value_needs_an_approval(bench: Bench) -> None:
    """A value that the model changed must be approved before the call runs."""
    shown: list[Plan] = []

    def approve(plan: Plan) -> str:
        shown.append(plan)
        return "approve"

    other = {"tool": "file_read", "args": {"path": "sales.csv"}}
    run = bench.run([READ, END], other, approve=approve, **CALL)
    assert [len(plan.steps) for plan in shown] == [2, 1]
    assert run.steps_seen[0].call.args == other["args"]
