"""`await arun(...)`: the event loop keeps running; cancelling the task stops the run."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter import Feedback, Plan, Session, arun
from okso_jupyter.errors import ApprovalError, UsageError
from okso_jupyter.journal.events import RunStarted
from tests.bench import END, Bench

READ = {"tool": "file_read", "args": {"path": "notes.txt"}}
ONE = {"PLANNER_SAMPLE_COUNT": 1}


def test_the_event_loop_runs_while_a_run_waits(bench: Bench) -> None:
    """Model and tools run on another thread, so the loop can let the tool finish."""
    started, release = threading.Event(), threading.Event()

    def hold() -> str:
        started.set()
        assert release.wait(30)
        return "held"

    async def main(session: Session) -> Any:
        running = asyncio.ensure_future(arun("hold", session=session, approve="auto"))
        assert await asyncio.to_thread(started.wait, 30)
        release.set()
        return await running

    bench.offer("hold", hold, effect="none", parameters={"type": "object", "properties": {}})
    with bench.session([{"tool": "hold", "args": {}}, END], **ONE) as session:
        run = asyncio.run(main(session))
    assert (run.state, run.answer) == ("completed", "held")


def test_several_runs_may_be_awaited_together(bench: Bench) -> None:
    """Each run has its own plan and records, and the results are in order."""

    async def main(session: Session) -> list[Any]:
        requests = ("Read notes.txt", "Read it again", "Read it a third time")
        return await asyncio.gather(
            *(arun(request, session=session, approve="auto") for request in requests)
        )

    with bench.session([READ, END], [READ, END], [READ, END], **ONE) as session:
        runs = asyncio.run(main(session))
    assert [run.state for run in runs] == ["completed"] * 3
    assert [run.request for run in runs] == [
        "Read notes.txt", "Read it again", "Read it a third time"
    ]  # fmt: skip
    assert len({run.id for run in runs}) == 3


def test_threads_of_a_session_share_one_journal_and_one_pool(bench: Bench) -> None:
    """Threads that ask at the same time get the same journal and pool.

    Two journals of one session would each hold back records that the other one reads.
    """
    with bench.session(**ONE) as session:
        gate = threading.Barrier(8)

        def ask(_number: int) -> tuple[int, int]:
            gate.wait(30)
            return id(session.journal), id(session.pool)

        with ThreadPoolExecutor(8) as threads:
            assert len(set(threads.map(ask, range(8)))) == 1


def test_cancelling_the_task_stops_the_run(bench: Bench) -> None:
    """The running step is notified, no later step begins, and the run is paused."""
    started = threading.Event()

    async def main(session: Session) -> None:
        running = asyncio.ensure_future(arun("wait", session=session, approve="auto"))
        assert await asyncio.to_thread(started.wait, 30)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    def wait(context: Any) -> str:
        started.set()
        assert context.cancelled.wait(30)
        return "told"

    _offer_with_context(bench, "wait", wait)
    write = {"tool": "file_write", "args": {"path": "never.txt", "content": "x"}}
    with bench.session([{"tool": "wait", "args": {}}, write, END], **ONE) as session:
        asyncio.run(main(session))
        ((record, _),) = session.journal.first_of_each(RunStarted)
        assert session.load_run(record.run_id).state == "paused"
    assert not (bench.root / "never.txt").exists()


def _offer_with_context(bench: Bench, name: str, handler: Any) -> None:
    """Add a tool whose handler receives its context."""
    from okso_jupyter.toolkit.context import ToolContext  # noqa: PLC0415  for the annotation below

    def handle(context: ToolContext) -> str:
        return str(handler(context))

    bench.offer(name, handle, effect="none", parameters={"type": "object", "properties": {}})


def test_a_coroutine_function_decides_on_the_loop(bench: Bench) -> None:
    """A coroutine approver may await, sees the plan, and its feedback leads to a new plan."""
    loops: list[asyncio.AbstractEventLoop] = []

    async def decide(plan: Plan) -> str | Feedback:
        await asyncio.sleep(0)
        loops.append(asyncio.get_running_loop())
        return "approve" if plan.version == 2 else Feedback("read it twice")

    async def main(session: Session) -> Any:
        run = await arun("Read notes.txt", session=session, approve=decide)
        assert loops == [asyncio.get_running_loop()] * 2
        return run

    with bench.session([READ, END], [READ, READ, END], **ONE) as session:
        run = asyncio.run(main(session))
    assert run.state == "completed"
    assert len(run.plan.steps) == 3


def test_a_decision_that_is_cancelled_runs_nothing(bench: Bench) -> None:
    """A pending decision is not awaited when the task is cancelled."""

    async def main(session: Session) -> None:
        asked = asyncio.Event()

        async def decide(_plan: Plan) -> str:
            asked.set()
            await asyncio.Event().wait()
            return "approve"

        running = asyncio.ensure_future(arun("Read notes.txt", session=session, approve=decide))
        await asked.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    with bench.session([READ, END], **ONE) as session:
        asyncio.run(main(session))
        ((record, _),) = session.journal.first_of_each(RunStarted)
        run = session.load_run(record.run_id)
    assert (run.state, len(run.observations)) == ("cancelled", 0)


def test_errors_are_raised_from_the_await(bench: Bench) -> None:
    """Bad requests, a session with settings, and a missing approver: each has its error."""

    async def main(session: Session) -> None:
        with pytest.raises(UsageError, match="the request is empty"):
            await arun(" ", session=session, approve="auto")
        with pytest.raises(UsageError, match="a session and settings"):
            await arun("x", session=session, settings={})
        with pytest.raises(ApprovalError, match="no person can approve"):
            await arun("x", session=session)
        with pytest.raises(UsageError, match="there is no variable x"):
            await arun("{{x}}", session=session, approve="auto", variables={})

    with bench.session() as session:
        asyncio.run(main(session))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that contains the home named by the environment."""
    monkeypatch.setenv("OKSO_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_a_session_arun_opens_one(home: Path) -> None:
    """Settings are sufficient, and the session is closed at the end."""
    (home / "notes.txt").write_text("one\ntwo\n")
    settings = {"TESTING_PASSTHROUGH": True}
    run = asyncio.run(arun("Read notes.txt", settings=settings, approve="auto"))
    assert run.state == "completed"
    assert "two" in str(run.answer)
