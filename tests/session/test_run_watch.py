"""on_live: a listener gets the live state of a run, with the output of running steps."""

from __future__ import annotations

import logging
import threading
from typing import Any

import pytest

from okso_jupyter.errors import JournalError
from okso_jupyter.journal.events import PlanMade
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.plan.live import Live
from okso_jupyter.runs.listeners import RunWatch
from okso_jupyter.toolkit.context import ToolContext
from tests.bench import END, Bench
from tests.journal.test_damage import damage

READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}


def run(bench: Bench, steps: list[Any], on_live: Any, **settings: Any) -> Any:
    """Run a plan with an `on_live` listener."""
    with bench.session(**settings) as session:
        return session.execute(steps, approve="auto", on_live=on_live)


def test_every_change_reaches_the_listener_in_order(bench: Bench) -> None:
    """The listener gets each changed state of the run and its steps, up to the last one."""
    told: list[Live] = []
    done = run(bench, [READ, END], told.append)
    states = [(str(live.state), *(str(step.state) for step in live.steps)) for live in told]

    assert list(dict.fromkeys(states)) == [
        ("draft", "pending", "pending"),
        ("awaiting_approval", "pending", "pending"),
        ("approved", "pending", "pending"),
        ("executing", "pending", "pending"),
        ("executing", "in_progress", "pending"),
        ("executing", "completed", "pending"),
        ("executing", "completed", "in_progress"),
        ("executing", "completed", "completed"),
        ("completed", "completed", "completed"),
    ]
    assert {live.run_id for live in told} == {done.id}


def test_the_journal_gives_the_same_state_afterwards(bench: Bench) -> None:
    """The last state the listener got equals what another kernel reads from the journal.

    Only the timestamps of the records are not compared.
    """
    told: list[Live] = []
    done = run(bench, [READ, {**READ, "args": {"path": "gone.txt"}}, END], told.append)
    read = done.view.live

    assert (read.state, read.decisions) == (told[-1].state, told[-1].decisions)
    assert [(s.id, s.state, s.reason, s.attempt) for s in read.steps] == [
        (s.id, s.state, s.reason, s.attempt) for s in told[-1].steps
    ]


PRINTS = """
import os, sys, time
print("half way")
print("and a doubt", file=sys.stderr)
while not os.path.exists({path!r}):
    time.sleep(0.05)
print("all the way")
"""


@pytest.mark.process
def test_output_of_python_arrives_while_it_is_printed(bench: Bench) -> None:
    """The listener sees printed lines while the process that printed them still runs."""
    go_on = bench.root / "go_on"
    tails: set[str] = set()

    def on_live(live: Live) -> None:
        tails.update(step.tail for step in live.running)
        if any("half way" in tail and "and a doubt" in tail for tail in tails):
            go_on.touch()

    code = PRINTS.format(path=str(go_on))
    done = run(bench, [{"tool": "python_repl", "args": {"input": code}}, END], on_live)
    assert go_on.exists()
    assert done.steps_seen[0].text == "half way\nall the way"


def test_a_tool_may_report_its_progress(bench: Bench) -> None:
    """Text of `context.say` is shown in one line during the call and is not in its result."""
    seen = threading.Event()

    def slow(context: ToolContext) -> str:
        context.say("50 of\n100 pages")
        return str(seen.wait(50))

    bench.offer("slow", slow, effect="none")
    tails: set[str] = set()

    def on_live(live: Live) -> None:
        tails.update(step.tail for step in live.running)
        if "50 of 100 pages" in tails:
            seen.set()

    done = run(bench, [{"tool": "slow", "args": {}}, END], on_live)
    assert done.steps_seen[0].text == "True"
    assert tails == {"", "50 of 100 pages"}


def test_a_listener_may_stop_the_run(bench: Bench) -> None:
    """KeyboardInterrupt from a listener is Stop, not a failure: the run is paused.

    No step is left running.
    """
    told: list[Live] = []

    def on_live(live: Live) -> None:
        told.append(live)
        if live.running:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(bench, [READ, READ, END], on_live, OKSO_RUN_ID="mine")
    with bench.session() as session:
        assert session.load_run("mine").state == "paused"
    assert told[-1].state == "paused"
    assert not told[-1].running


def test_a_failing_listener_does_not_affect_the_run(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    """Its error is logged in one line; it gets later states, and the run continues."""
    told: list[Live] = []

    def on_live(live: Live) -> None:
        told.append(live)
        raise ValueError("the page broke")

    logger = logging.getLogger("okso_jupyter")
    logger.addHandler(caplog.handler)
    try:
        done = run(bench, [READ, END], on_live)
    finally:
        logger.removeHandler(caplog.handler)
    assert done.state == "completed"
    assert told[-1].state == "completed"
    assert [(one.message, one.detail) for one in caplog.records] == [  # type: ignore[attr-defined]  # of our logger
        ("on_live failed; the run continues", "ValueError: the page broke"),
    ]


def test_a_run_with_a_damaged_state_is_not_watched(bench: Bench) -> None:
    """Watching a run whose state record is damaged is an error, and nothing is recorded."""
    done = run(bench, [READ, END], None)
    with bench.session() as session:
        journal = session.journal
        damage(journal, done.id, "step_state")
        before = len(journal.records(done.id))
        with pytest.raises(JournalError):
            RunWatch.open(RunRecorder(journal, done.id), print)
        assert len(journal.records(done.id)) == before


def test_an_unreadable_event_does_not_end_the_run(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    """The recorded event causes one log line, and the last valid live state is reported."""
    told: list[Live] = []
    done = run(bench, [READ, END], None)
    logger = logging.getLogger("okso_jupyter")
    logger.addHandler(caplog.handler)
    try:
        with bench.session() as session:
            recorder = RunRecorder(session.journal, done.id)
            watch = RunWatch.open(recorder, told.append)
            for _ in range(2):
                recorder.record(PlanMade(plan={"steps": "none"}))
            watch.wait({})
    finally:
        logger.removeHandler(caplog.handler)
    assert [live.state for live in told] == ["completed"]
    assert [one.message for one in caplog.records] == ["the live state is not updated any more"]
