"""Parallel steps: which run together, which step records what, and how Stop ends them."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Mapping
from typing import Any

import pytest

from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.errors import ToolFailedError
from okso_jupyter.results import Run, read_run
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.tool import ToolOutput
from tests.bench import END, Bench, bodies, statuses

#: Seconds after which a test that waits for another thread gives up.
_PATIENCE_S = 20


def order(run: Run) -> list[str]:
    """Return the recorded starts and ends of calls, such as "+1" and "-1"."""
    return [
        f"+{record.body['step_id']}"
        if record.kind == "call_started"
        else f"-{record.body['call']['step_id']}"
        for record in run.records
        if record.kind in {"call_started", "observation"}
    ]


def together(name: str, **more: Any) -> dict[str, Any]:
    """Return a parallel step."""
    return {"tool": name, "parallel": True, **more}


@pytest.fixture(name="meeting")
def _meeting(bench: Bench) -> None:
    """Offer `meet`, which returns once three of its calls run at the same time."""
    barrier = threading.Barrier(3, timeout=_PATIENCE_S)

    def meet() -> str:
        return f"met {barrier.wait() >= 0}"

    bench.offer("meet", meet, effect="none")


@pytest.fixture(name="nothing")
def _nothing(bench: Bench) -> None:
    """Offer `nothing`, which returns at once."""
    bench.offer("nothing", lambda: "", effect="none")


@pytest.mark.usefixtures("meeting")
def test_parallel_steps_run_at_the_same_time(bench: Bench) -> None:
    """Three calls that wait for each other all return."""
    run = bench.run([together("meet"), together("meet"), together("meet"), END])
    assert run.state == "completed"
    assert set(statuses(run).values()) == {"completed"}


@pytest.mark.usefixtures("nothing")
@pytest.mark.parametrize(("most", "first"), [(None, 4), (1, 1), (2, 2), (6, 6)])
def test_the_setting_limits_steps_that_run_at_once(
    bench: Bench, most: int | None, first: int
) -> None:
    """By default four steps run at once; the others start as places become free."""
    settings: dict[str, Any] = {} if most is None else {"PLAN_MAX_PARALLEL": most}
    run = bench.run([*[together("nothing")] * 6, END], **settings)
    calls = order(run)
    assert [call[0] for call in calls].index("-") == first
    assert most_at_once(calls) == first


def most_at_once(calls: list[str]) -> int:
    """Return the highest number of calls that ran at the same time."""
    running = deepest = 0
    for call in calls:
        running += 1 if call[0] == "+" else -1
        deepest = max(deepest, running)
    return deepest


@pytest.mark.usefixtures("nothing")
def test_only_neighbours_in_the_plan_run_together(bench: Bench) -> None:
    """A step that is not parallel runs alone; later parallel steps do not overtake it."""
    plan = [
        together("nothing"), together("nothing"), {"tool": "nothing"}, together("nothing"),
        together("nothing"), END,
    ]  # fmt: skip
    calls = order(bench.run(plan))
    assert set(calls[:2]) == {"+1", "+2"}
    assert calls[4:6] == ["+3", "-3"]
    assert set(calls[6:8]) == {"+4", "+5"}


@pytest.mark.usefixtures("nothing")
def test_a_parallel_step_waits_for_its_dependency(bench: Bench) -> None:
    """A parallel step starts after the neighbour that it depends on has ended."""
    calls = order(bench.run([together("nothing"), together("nothing", depends_on=[1]), END]))
    assert calls.index("-1") < calls.index("+2")


def test_steps_that_share_a_resource_take_turns(bench: Bench) -> None:
    """Two calls of an exclusive tool never overlap; another tool runs beside them."""
    inside = threading.Lock()
    third = threading.Event()

    def alone() -> str:
        if not inside.acquire(blocking=False):
            msg = "somebody else is inside"
            raise ToolFailedError(msg)
        third.wait(_PATIENCE_S)
        inside.release()
        return "done"

    bench.offer("alone", alone, effect="none", exclusive="press")
    bench.offer("other", third.set, effect="none")
    run = bench.run([together("alone"), together("alone"), together("other"), END])
    assert set(statuses(run).values()) == {"completed"}
    assert most_at_once(order(run)) == 2


def test_a_failure_does_not_stop_its_neighbours(bench: Bench) -> None:
    """The step that fails is recorded as failed; the one beside it completes."""
    failed = threading.Event()

    def fail() -> str:
        failed.set()
        msg = "no"
        raise ToolFailedError(msg)

    bench.offer("fail", fail, effect="none")
    bench.offer("wait", lambda: str(failed.wait(_PATIENCE_S)), effect="none")
    plan = [together("fail"), together("wait"), {"tool": "wait"}, END]
    run = bench.run(plan, ON_FAILURE="stop")
    assert statuses(run) == {1: "failed", 2: "completed", 3: "skipped", 4: "skipped"}


def test_effects_are_recorded_for_their_own_step(bench: Bench) -> None:
    """Files, commands, arguments and spans belong to the step that caused them."""
    barrier = threading.Barrier(4, timeout=_PATIENCE_S)

    def work(name: str) -> ToolOutput:
        barrier.wait()
        return ToolOutput(value=name, changes=Changes(created=(name,), commands=(f"make {name}",)))

    bench.offer("work", work, effect="writes", parameters={
        "type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"],
    })  # fmt: skip
    names = ["a", "b", "c", "d"]
    run = bench.run([*[together("work", args={"name": name}) for name in names], END])
    ledger = run.ledger.set_index("step_id")
    for step_id, name in enumerate(names, start=1):
        assert ledger.loc[step_id, "created"] == [name]
        assert ledger.loc[step_id, "commands"] == [f"make {name}"]
    spans = {body["span_id"]: body for body in bodies(run, "span")}
    calls = [span for span in spans.values() if span["name"] == "execute_tool"]
    assert {span["attributes"]["step_id"] for span in calls} == {1, 2, 3, 4}
    assert {spans[span["parent_id"]]["name"] for span in calls} == {"run"}


def test_the_journal_keeps_each_steps_order(bench: Bench) -> None:
    """For each step the order is: in progress, call, observation, end.

    This holds whatever the other steps do.
    """
    bench.offer("nothing", lambda: "", effect="none")
    run = bench.run([*[together("nothing")] * 12, END])
    for step_id in range(1, 13):
        told = [
            record.body.get("after", record.kind)
            for record in run.records
            if record.kind in {"step_state", "call_started", "observation"}
            and record.body.get("step_id", record.body.get("call", {}).get("step_id")) == step_id
        ]
        assert told == ["in_progress", "call_started", "observation", "completed"]


@pytest.mark.usefixtures("nothing")
def test_callbacks_run_on_the_callers_thread(bench: Bench) -> None:
    """Events and approvals are handled on the calling thread, though steps run elsewhere."""
    heard: set[int] = set()

    def hear(_event: Mapping[str, Any]) -> None:
        heard.add(threading.get_ident())

    def approve(_proposal: object) -> str:
        heard.add(threading.get_ident())
        return "approve"

    bench.run([*[together("nothing")] * 3, END], approve=approve, on_event=hear)
    assert heard == {threading.get_ident()}


# --- stop ----------------------------------------------------------------------------------


def stopped_run(bench: Bench, plan: list[Any], **settings: Any) -> Run:
    """Run a plan that is stopped midway; return the recorded run."""
    with bench.session(**settings, OKSO_RUN_ID="stopped") as session:
        with pytest.raises(KeyboardInterrupt):
            session.execute(plan, approve="auto")
        return read_run(session.journal, "stopped")


def stop() -> None:
    """Send the signal that the kernel sends when Stop is pressed."""
    os.kill(os.getpid(), signal.SIGINT)


def test_stop_reaches_every_running_step(bench: Bench) -> None:
    """All running steps are signalled, recorded as cancelled, and no further step starts."""
    running = threading.Barrier(3, action=stop, timeout=_PATIENCE_S)
    told: list[bool] = []

    def wait(context: ToolContext) -> str:
        running.wait()
        told.append(context.cancelled.wait(_PATIENCE_S))
        return "ended"

    bench.offer("wait", wait, effect="reads")
    run = stopped_run(bench, [*[together("wait")] * 3, {"tool": "wait"}, END])
    assert told == [True, True, True]
    assert statuses(run) == {1: "cancelled", 2: "cancelled", 3: "cancelled"}
    assert {seen.error_class for seen in run.steps_seen} == {"cancelled"}
    assert run.state == "paused"
    states = {body["step_id"]: body["after"] for body in bodies(run, "step_state")}
    assert states == {1: "cancelled", 2: "cancelled", 3: "cancelled"}


def test_stop_does_not_wait_for_an_uncancellable_call(bench: Bench) -> None:
    """A handler without the context continues in the background; its step is uncertain."""
    gate = threading.Event()

    def hang() -> str:
        stop()
        gate.wait(_PATIENCE_S)
        return "too late"

    bench.offer("hang", hang, effect="writes")
    run = stopped_run(bench, [{"tool": "hang"}, END])
    gate.set()
    assert statuses(run) == {1: "uncertain"}
    assert run.steps_seen[0].error_class == "cancelled"
    assert run.state == "paused"


def test_a_result_before_stop_counts(bench: Bench) -> None:
    """Of two parallel steps, the one that had ended before Stop is completed."""
    done = threading.Event()

    def quick() -> str:
        return "done"

    def wait(context: ToolContext) -> str:
        done.wait(_PATIENCE_S)
        stop()
        context.cancelled.wait(_PATIENCE_S)
        return "ended"

    bench.offer("quick", quick, effect="writes")
    bench.offer("wait", wait, effect="reads")

    def hear(event: Mapping[str, Any]) -> None:
        if (event["step"], event["status"]) == (1, "completed"):
            done.set()

    with bench.session(OKSO_RUN_ID="stopped") as session:
        with pytest.raises(KeyboardInterrupt):
            session.execute(
                [together("quick"), together("wait"), END], approve="auto", on_event=hear
            )
        run = read_run(session.journal, "stopped")
    assert statuses(run) == {1: "completed", 2: "cancelled"}


@pytest.mark.usefixtures("whole_waits")
def test_stop_ends_the_wait_before_a_retry(bench: Bench) -> None:
    """A run that is stopped does not wait for the second attempt."""
    calls: list[int] = []

    def busy() -> str:
        calls.append(1)
        msg = "busy"
        raise TimeoutError(msg)

    def hear(event: Mapping[str, Any]) -> None:
        if event["status"] == "in_progress" and event["reason"]:
            threading.Timer(0.05, stop).start()

    bench.offer("busy", busy, effect="reads")
    with bench.session(OKSO_RUN_ID="stopped") as session:
        with pytest.raises(KeyboardInterrupt):
            session.execute(
                [{"tool": "busy", "max_retries": 9}, END], approve="auto", on_event=hear
            )
        run = read_run(session.journal, "stopped")
    assert len(calls) == 1
    states = [body["after"] for body in bodies(run, "step_state")]
    assert states == ["in_progress", "in_progress", "cancelled"]


def test_a_rejected_approval_lets_running_steps_end(bench: Bench) -> None:
    """If the renewed approval is rejected, running steps end first and are recorded."""
    changed = threading.Event()

    def wait() -> str:
        return str(changed.wait(_PATIENCE_S))

    def preview() -> str:
        return "one thing" if not changed.is_set() else "another"

    bench.offer("wait", wait, effect="reads")
    bench.offer("change", lambda: "", effect="writes", preview=preview)
    answers = iter(["approve", "reject"])

    def approve(_proposal: object) -> str:
        return next(answers)

    def hear(event: Mapping[str, Any]) -> None:
        if (event["step"], event["status"]) == (1, "in_progress"):
            changed.set()

    with bench.session(OKSO_RUN_ID="void") as session:
        run = session.execute(
            [together("wait"), together("change"), END], approve=approve, on_event=hear
        )
    assert statuses(run) == {1: "completed"}
    states = {body["step_id"]: body["after"] for body in bodies(run, "step_state")}
    assert states == {1: "completed", 2: "cancelled"}
    assert run.state == "cancelled"


def test_spans_of_threads_have_distinct_ids(bench: Bench) -> None:
    """Every span has a unique id, however many steps run at once."""
    bench.offer("nothing", lambda: "", effect="none")
    run = bench.run([*[together("nothing")] * 8, END], PLAN_MAX_PARALLEL=8)
    ids = [body["span_id"] for body in bodies(run, "span")]
    assert len(ids) == len(set(ids))
