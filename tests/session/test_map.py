"""A list of requests: ordered runs, in parallel when no person is asked, and Stop."""

from __future__ import annotations

import os
import signal
import threading
from typing import Any

import pytest

from okso_jupyter.errors import UsageError
from okso_jupyter.journal.events import RunStarted
from okso_jupyter.journal.store import Journal
from okso_jupyter.results import read_run
from okso_jupyter.toolkit.context import ToolContext
from tests.bench import END, Bench

_PATIENCE_S = 20
ONE = {"PLANNER_SAMPLE_COUNT": 1}


def test_runs_are_in_the_order_of_the_requests(bench: Bench) -> None:
    """Each request has its own run, at its position in the list."""
    bench.offer("nothing", lambda: "", effect="none")
    requests = [f"do nothing {n} times" for n in range(5)]
    plans = [[{"tool": "nothing"}, END]] * 5
    with bench.session(*plans, **ONE, FINAL_ANSWER="digest") as session:
        runs = session.map(requests, approve="auto")
    assert [run.request for run in runs] == requests
    assert {run.state for run in runs} == {"completed"}
    assert len({run.id for run in runs}) == 5


def test_runs_that_need_no_person_run_in_parallel(bench: Bench) -> None:
    """Calls of three runs that wait for each other all return."""
    barrier = threading.Barrier(3, timeout=_PATIENCE_S)
    bench.offer("meet", lambda: str(barrier.wait() >= 0), effect="none")
    with bench.session(*[[{"tool": "meet"}, END]] * 3, **ONE) as session:
        runs = session.map(["meet a", "meet b", "meet c"], approve="auto")
    assert [run.answer for run in runs] == ["True"] * 3


def test_an_approver_is_called_on_the_callers_thread(bench: Bench) -> None:
    """With a function as approver, runs are sequential and it is called on `map`'s thread."""
    asked: list[int] = []

    def approve(_plan: object) -> str:
        asked.append(threading.get_ident())
        return "reject" if len(asked) == 2 else "approve"

    bench.offer("nothing", lambda: "", effect="none")
    plans = [[{"tool": "nothing"}, END]] * 3
    with bench.session(*plans, **ONE, FINAL_ANSWER="digest") as session:
        runs = session.map(["a", "b", "c"], approve=approve)
    assert asked == [threading.get_ident()] * 3
    assert [run.state for run in runs] == ["completed", "cancelled", "completed"]


def test_what_auto_does_not_cover_is_refused(bench: Bench) -> None:
    """A run that needs a person ends with the reason, and the other runs continue."""
    (bench.root / "notes.txt").write_text("buy milk\n")
    (bench.root / "old.txt").write_text("old\n")
    remove = {"tool": "terminal", "args": {"command": "rm", "args": ["old.txt"]}}
    read = {"tool": "file_read", "args": {"path": "notes.txt"}}
    with bench.session([remove, END], [read, END], **ONE, PLAN_MAX_PARALLEL=2) as session:
        runs = session.map(["delete old.txt, read notes.txt"] * 2, approve="auto")
    assert sorted(run.state for run in runs) == ["cancelled", "completed"]
    assert (bench.root / "old.txt").exists()
    refused = next(run for run in runs if run.state == "cancelled")
    errors = [record.body["message"] for record in refused.records if record.kind == "error"]
    assert "it cannot be undone" in errors[0]


@pytest.mark.parametrize(
    ("requests", "said"),
    [
        ("read notes.txt", "the requests are a str, not a list"),
        (["read notes.txt", " "], "request 2 of 2: the request is empty"),
        ([3], "request 1 of 1: the request is empty"),
    ],
)
def test_a_bad_list_is_refused_before_anything_is_planned(
    bench: Bench, requests: Any, said: str
) -> None:
    """No model is asked, and the error names the position of the bad request."""
    with bench.session() as session, pytest.raises(UsageError) as caught:
        session.map(requests, approve="auto")
    assert caught.value.message == said
    assert bench.model.requests == []


def test_an_empty_list_gives_no_runs(bench: Bench) -> None:
    """An empty list gives an empty list."""
    with bench.session() as session:
        assert session.map([], approve="auto") == []


def test_a_given_id_is_numbered(bench: Bench) -> None:
    """The runs of a list are named by OKSO_RUN_ID and their number."""
    with bench.session([END], [END], **ONE, OKSO_RUN_ID="grid", FINAL_ANSWER="digest") as session:
        runs = session.map(["a", "b"], approve="auto")
    assert [run.id for run in runs] == ["grid-1", "grid-2"]


def test_stop_pauses_every_run(bench: Bench) -> None:
    """All calls are cancelled, every running run is paused, and no other run begins."""
    both = threading.Barrier(2, timeout=_PATIENCE_S)
    told: list[bool] = []

    def wait(context: ToolContext) -> str:
        if both.wait() == 0:
            os.kill(os.getpid(), signal.SIGINT)
        told.append(context.cancelled.wait(_PATIENCE_S))
        return "ended"

    bench.offer("wait", wait, effect="reads")
    with bench.session(
        *[[{"tool": "wait"}, END]] * 2, **ONE, OKSO_RUN_ID="grid", PLAN_MAX_PARALLEL=2
    ) as session:
        with pytest.raises(KeyboardInterrupt):
            session.map(["a", "b", "c"], approve="auto")
        states = [read_run(session.journal, name).state for name in ("grid-1", "grid-2")]
        assert _begun(session.journal) == 2
    assert told == [True, True]
    assert states == ["paused", "paused"]


def _begun(journal: Journal) -> int:
    return len(journal.first_of_each(RunStarted))
