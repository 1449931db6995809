"""Resuming: what is done stays done, what was approved is not asked, what nobody knows is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from okso_jupyter import Run
from okso_jupyter.plan.plan import Plan
from tests.bench import END, Bench, bodies, statuses


def add(line: str, **more: Any) -> dict[str, Any]:
    """Return a step that adds a line to done.txt."""
    return {"tool": "add", "args": {"line": line}, **more}


@pytest.fixture(name="bench")
def _bench(bench: Bench) -> Bench:
    """A bench with a tool that has a real effect."""
    done = bench.root / "done.txt"

    def add(line: str) -> str:
        with done.open("a") as file:
            file.write(f"{line}\n")
        return f"added {line}"

    bench.offer("add", add, effect="writes")
    return bench


def lines(bench: Bench) -> list[str]:
    """Return what was added."""
    done = bench.root / "done.txt"
    return done.read_text().split() if done.exists() else []


def paused(bench: Bench, plan: list[Any], *, after: int = 1, **settings: Any) -> Run:
    """Return a run that was paused while a step ran."""
    with bench.session(**settings) as session:

        def on_event(event: Mapping[str, Any]) -> None:
            if (event["step"], event["status"]) == (after, "in_progress"):
                session.pause()

        run = session.execute(plan, approve="auto", on_event=on_event)
    assert run.state == "paused"
    return run


def never(plan: Plan) -> str:
    """Fail where anybody is asked."""
    raise AssertionError(plan)


def test_a_paused_run_goes_on_where_it_was(bench: Bench) -> None:
    """Nothing is done twice, nobody is asked again, and the answer tells of all of it."""
    before = paused(bench, [add("a"), add("b"), END])
    with bench.session() as session:
        run = session.resume(before.id, approve=never)
    assert lines(bench) == ["a", "b"]
    assert (run.id, run.state) == (before.id, "completed")
    assert run.answer == "added a\nadded b"
    assert statuses(run) == {1: "completed", 2: "completed", 3: "completed"}
    assert [body["after"] for body in bodies(run, "run_state")] == [
        "awaiting_approval", "approved", "executing", "paused", "executing", "completed"
    ]  # fmt: skip
    assert len(list(bodies(run, "decision"))) == 1
