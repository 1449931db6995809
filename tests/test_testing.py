"""ScriptedModel is strict: no completion too few, none too many."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from okso_jupyter.errors import UsageError
from tests.bench import END, Bench

REQUEST = "How many lines has notes.txt?"
WC: dict[str, Any] = {
    "tool": "terminal",
    "args": {"command": "wc", "args": ["-l", "notes.txt"]},
    "thought": "count the lines",
}


def test_a_script_that_runs_out_is_an_error(bench: Bench) -> None:
    """Three samples need three completions; the run has failed."""
    with bench.session([WC, END], OKSO_RUN_ID="short") as session:
        with pytest.raises(UsageError, match="1 completions are left, and planner asks for 3"):
            session.plan(REQUEST)
        bench.model.complete(replace(bench.model.requests[0], seeds=(1,)))
        assert session.load_run("short").state == "failed"


def test_left_over_completions_are_an_error_at_close(bench: Bench) -> None:
    """What nobody asked for is named when the session closes, once."""
    session = bench.session([WC, END])
    with pytest.raises(UsageError, match="1 scripted completion"):
        session.close()
    session.close()


def test_completions_come_in_order_whatever_the_role(bench: Bench) -> None:
    """Text is given as it is, data as JSON; planner and executor draw from one script."""
    read = {"tool": "file_read", "args": {"path": "notes.txt"}}
    write = {"tool": "file_write", "args": {"path": "out.txt", "content": ""}}
    script = [[read, write, END], '{"content": "call Ann"}']
    with bench.session(*script, PLANNER_SAMPLE_COUNT=1) as session:
        run = session.run("Copy the second line of notes.txt to out.txt", approve="auto")
    assert run.state == "completed"
    assert (bench.root / "out.txt").read_text() == "call Ann"
    assert [request.role for request in bench.model.requests] == ["planner", "executor"]
