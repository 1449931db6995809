"""Retries, timeouts, and failures of every class."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
import tenacity

from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.errors import ToolInputError, ToolUnavailableError
from okso_jupyter.execution.pool import still_running
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.tool import ToolOutput
from tests.bench import END, Bench, statuses


class Flaky:
    """Fails a given number of times, then succeeds."""

    def __init__(self, error: Exception, times: int) -> None:
        self.error, self.left, self.calls = error, times, 0

    def __call__(self) -> str:
        """Raise while failures are left."""
        self.calls += 1
        if self.left:
            self.left -= 1
            raise self.error
        return "it worked"


def test_a_transient_failure_is_retried_once(bench: Bench) -> None:
    """A call that only reads gets one retry; both attempts are observed."""
    flaky = Flaky(ToolUnavailableError("busy"), times=1)
    bench.offer("flaky", flaky, effect="reads")
    run = bench.run([{"tool": "flaky"}, END])
    assert (run.state, run.answer, flaky.calls) == ("completed", "it worked", 2)
    attempts = [(o.call.attempt, o.status, o.error_class) for o in run.steps_seen[:2]]
    assert attempts == [(1, "failed", "transient"), (2, "completed", None)]


def test_the_wait_before_another_attempt_is_doubled(
    whole_waits: Mapping[str, Callable[[Any], float]],
) -> None:
    """A second before the second attempt of a step, a quarter before that of a model's server."""
    for name, first_s, last_s, jitter_s in [
        ("execution.attempts", 1, 30, 0.5),
        ("llm.exchange", 0.25, 8, 0.25),
    ]:
        for failures in range(1, 9):
            state = tenacity.RetryCallState(tenacity.Retrying(), None, (), {})
            state.attempt_number = failures
            wait_s = whole_waits[f"okso_jupyter.{name}._BACKOFF"](state)
            assert 0 <= wait_s - min(first_s * 2 ** (failures - 1), last_s) <= jitter_s


@pytest.mark.parametrize("effect", ["writes", "irreversible", "runs_code", None, "network writes"])
def test_an_attempt_with_possible_effects_is_not_retried(bench: Bench, effect: str | None) -> None:
    """A call that may have had an effect is not repeated, whatever the number of retries."""
    flaky = Flaky(TimeoutError("busy"), times=1)
    bench.offer("flaky", flaky, effect=effect.split() if effect else None)
    run = bench.run([{"tool": "flaky", "max_retries": 3}, END], approve=lambda _plan: "approve")
    assert (run.state, flaky.calls) == ("failed", 1)
    why = "busy (not tried again: it may have had its effect)"
    assert run.steps_seen[0].error.endswith(why)
    assert why in run.report()


@pytest.mark.parametrize(
    ("error", "step"),
    [(TimeoutError("busy"), {"max_retries": 0}), (PermissionError("no"), {"max_retries": 3})],
)
def test_without_a_retry_no_reason_against_it_is_reported(
    bench: Bench, error: Exception, step: dict[str, Any]
) -> None:
    """A failure that would not be retried anyway does not report why it was not retried."""
    bench.offer("flaky", Flaky(error, times=1), effect="writes")
    run = bench.run([{"tool": "flaky", **step}, END])
    assert "not tried again" not in run.report()


@pytest.mark.parametrize(
    ("error", "step", "settings", "calls"),
    [
        (ToolInputError("wrong"), {}, {}, 1),
        (ValueError("wrong shape"), {"max_retries": 2}, {}, 3),
        (PermissionError("no"), {"max_retries": 2}, {}, 1),
        (ConnectionError("gone"), {"max_retries": 0}, {}, 1),
        (ConnectionError("gone"), {}, {"PLAN_MAX_RETRIES": 0}, 1),
        (ConnectionError("gone"), {"max_retries": 1}, {"PLAN_MAX_RETRIES": 0}, 2),
    ],
)
def test_retries_depend_on_class_step_and_setting(
    bench: Bench,
    error: Exception,
    step: dict[str, Any],
    settings: dict[str, Any],
    calls: int,
) -> None:
    """A given number applies to all but fatal failures; the step's own takes precedence."""
    flaky = Flaky(error, times=9)
    bench.offer("flaky", flaky, effect="reads")
    run = bench.run([{"tool": "flaky", **step}, END], **settings)
    assert (run.state, flaky.calls) == ("failed", calls)


@pytest.fixture(name="gate")
def _gate() -> Iterator[threading.Event]:
    """Blocks handlers until the test is over."""
    gate = threading.Event()
    yield gate
    gate.set()


@pytest.mark.parametrize("effect", ["reads", "none", "writes"])
def test_a_call_that_times_out_is_abandoned(
    bench: Bench, gate: threading.Event, effect: str
) -> None:
    """A call that cannot be interrupted has an uncertain outcome and is not retried."""

    def wait() -> str:
        gate.wait(30)
        return "too late"

    bench.offer("wait", wait, effect=effect)
    run = bench.run([{"tool": "wait", "timeout_s": 0.05, "max_retries": 3}, END])
    seen = run.steps_seen[0]
    assert (run.state, seen.status, seen.error_class) == ("failed", "uncertain", "transient")
    assert [o.call.tool for o in run.steps_seen].count("wait") == 1
    assert "no result within 0.05 s" in seen.error
    assert seen.duration_s < 10


@pytest.mark.slow
def test_a_timeout_sets_the_cancel_event(bench: Bench) -> None:
    """A handler that takes the context sees its cancel event set at the timeout."""
    stopped = threading.Event()

    def wait(context: ToolContext) -> str:
        context.cancelled.wait(30)
        stopped.set()
        return "stopped"

    bench.offer("wait", wait, effect="reads", timeout_s=0.05)
    run = bench.run([{"tool": "wait", "max_retries": 0}, END])
    assert run.state == "failed"
    assert stopped.wait(5)


@pytest.mark.parametrize(
    ("tool_s", "step_s", "default_s", "expected_s"),
    [(None, None, 7.0, 7.0), (3.0, None, 7.0, 3.0), (9.0, None, 7.0, 7.0), (3.0, 5.0, 7.0, 5.0)],
)
def test_the_timeout_of_a_step(
    bench: Bench,
    tool_s: float | None,
    step_s: float | None,
    default_s: float,
    expected_s: float,
) -> None:
    """A step's own timeout applies, else the shorter one of the tool's and the default."""
    given: list[float] = []

    def ask(context: ToolContext) -> str:
        given.append(context.timeout_s)
        return "asked"

    bench.offer("ask", ask, effect="none", timeout_s=tool_s)
    bench.run([{"tool": "ask", "timeout_s": step_s}, END], PLAN_DEFAULT_STEP_TIMEOUT_S=default_s)
    assert given == [expected_s]


@pytest.mark.parametrize("error", [RuntimeError("boom"), SystemExit(3), RecursionError()])
def test_any_exception_of_a_handler_fails_the_step(bench: Bench, error: BaseException) -> None:
    """A handler cannot end the run, not even with SystemExit; the error is one line."""

    def fail() -> str:
        raise error

    bench.offer("fail", fail, effect="none")
    run = bench.run([{"tool": "fail"}, END])
    seen = run.steps_seen[0]
    assert (run.state, seen.status) == ("failed", "failed")
    assert type(error).__name__ in seen.error
    assert "\n" not in seen.error


# --- other arguments -----------------------------------------------------------------------

NAME: dict[str, Any] = {
    "type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"],
}  # fmt: skip


@pytest.fixture(name="greeted")
def _greeted(bench: Bench) -> list[str]:
    """Offer `names`, which lists two names, and `greet`; return the names greeted.

    `greet` accepts the second name only.
    """
    came: list[str] = []

    def greet(name: str) -> str:
        came.append(name)
        if name != "Ben":
            msg = f"{name} is not at home"
            raise ToolInputError(msg)
        return f"hello {name}"

    bench.offer("names", lambda: "Ann\nBen", effect="none")
    bench.offer("greet", greet, effect="none", parameters=NAME)
    return came


@pytest.mark.parametrize(
    ("step", "settings"), [({"max_retries": 1}, {}), ({}, {"PLAN_MAX_RETRIES": 1})]
)
def test_wrong_arguments_are_filled_again(
    bench: Bench, greeted: list[str], step: dict[str, Any], settings: dict[str, Any]
) -> None:
    """A logic failure of an open argument is retried with a new value.

    The prompt for the new value contains the error.
    """
    run = bench.run(
        [{"tool": "names"}, {"tool": "greet", "args": {"name": ""}, **step}, END],
        {"name": "Ann"},
        {"name": "Ben"},
        approve=lambda _plan: "approve",
        **settings,
    )
    assert greeted == ["Ann", "Ben"]
    assert run.state == "completed"
    prompts = [request.messages[0].content for request in bench.model.requests]
    assert ["Ann is not at home" in prompt for prompt in prompts] == [False, True]


def test_the_same_arguments_are_not_retried(bench: Bench, greeted: list[str]) -> None:
    """If no other value is found, the failed call is not repeated."""
    run = bench.run(
        [{"tool": "names"}, {"tool": "greet", "args": {"name": ""}, "max_retries": 5}, END],
        {"name": "Ann"},
        {"name": "Ann"},
        approve=lambda _plan: "approve",
    )
    assert greeted == ["Ann"]
    assert (run.state, run.steps_seen[1].error) == ("failed", "Ann is not at home")


def test_closed_arguments_are_not_changed(bench: Bench, greeted: list[str]) -> None:
    """An approved call without open arguments is retried unchanged, up to its retries."""
    bench.run([{"tool": "greet", "args": {"name": "Ann"}, "max_retries": 2}, END])
    assert greeted == ["Ann"] * 3


def test_wrong_arguments_are_not_retried_by_default(bench: Bench, greeted: list[str]) -> None:
    """Without a number of retries, only a transient failure is retried."""
    bench.run(
        [{"tool": "names"}, {"tool": "greet", "args": {"name": ""}}, END],
        {"name": "Ann"},
        approve=lambda _plan: "approve",
    )
    assert greeted == ["Ann"]


# --- time-outs -----------------------------------------------------------------------------


@pytest.mark.slow
def test_a_tool_that_stops_on_cancel_has_failed(bench: Bench) -> None:
    """A call that ended at its timeout is failed, not uncertain, and may be retried."""
    calls: list[bool] = []

    def wait(context: ToolContext) -> str:
        calls.append(context.cancelled.wait(30))
        return "stopped"

    bench.offer("wait", wait, effect="reads")
    run = bench.run([{"tool": "wait", "timeout_s": 0.05, "max_retries": 1}, END])
    assert calls == [True, True]
    ends = [(o.call.attempt, o.status, o.error_class) for o in run.steps_seen[:2]]
    assert ends == [(1, "failed", "transient"), (2, "failed", "transient")]


@pytest.mark.slow
def test_changes_of_a_stopped_tool_are_recorded(bench: Bench) -> None:
    """The files changed by a call that timed out are in the ledger."""

    def wait(context: ToolContext) -> ToolOutput:
        context.cancelled.wait(30)
        return ToolOutput(value=None, changes=Changes(created=("half.txt",)))

    bench.offer("wait", wait, effect="writes")
    run = bench.run([{"tool": "wait", "timeout_s": 0.05}, END])
    assert run.steps_seen[0].status == "failed"
    assert run.ledger.loc[0, "created"] == ["half.txt"]


def test_each_attempt_has_its_own_timeout(bench: Bench) -> None:
    """The second attempt has the same time as the first."""
    times: list[float] = []

    def busy(context: ToolContext) -> str:
        times.append(context.timeout_s)
        msg = "busy"
        raise TimeoutError(msg)

    bench.offer("busy", busy, effect="reads")
    bench.run([{"tool": "busy", "timeout_s": 3, "max_retries": 1}, END])
    assert times == [3.0, 3.0]


def test_an_abandoned_call_is_known_until_it_returns(bench: Bench, gate: threading.Event) -> None:
    """The steps that still run in this process can be queried until their calls return."""
    returned = threading.Event()

    def wait() -> str:
        gate.wait(30)
        returned.set()
        return "too late"

    bench.offer("wait", wait, effect="writes")
    run = bench.run([{"tool": "wait", "timeout_s": 0.05}, END])
    assert still_running(run.id) == {1}
    gate.set()
    assert returned.wait(30)
    while still_running(run.id):
        threading.Event().wait(0.01)
    assert still_running(run.id) == frozenset()


def test_a_resource_of_an_abandoned_call_stays_held(bench: Bench, gate: threading.Event) -> None:
    """A step that needs the same resource is skipped with the reason; others run."""
    bench.offer("wait", lambda: str(gate.wait(30)), effect="reads", exclusive="press")
    bench.offer("print", lambda: "printed", effect="reads", exclusive="press")
    bench.offer("talk", lambda: "talked", effect="none")
    run = bench.run(
        [{"tool": "wait", "timeout_s": 0.05}, {"tool": "print"}, {"tool": "talk"}, END],
        ON_FAILURE="skip",
    )
    assert statuses(run) == {1: "uncertain", 2: "skipped", 3: "completed", 4: "completed"}
    reasons = {seen.call.step_id: seen.error for seen in run.steps_seen}
    assert reasons[2] == "press is still held by a call that did not return"


def test_a_step_after_an_abandoned_call_keeps_its_position(
    bench: Bench, gate: threading.Event
) -> None:
    """Later steps, such as the answer, do not overtake a step that awaits the resource."""
    bench.offer("wait", lambda: str(gate.wait(30)), effect="reads", exclusive="press")
    bench.offer("print", lambda: "printed", effect="reads", exclusive="press")
    steps = [{"tool": "wait", "timeout_s": 0.05}, {"tool": "print"}, END]
    run = bench.run(steps, ON_FAILURE="skip")
    assert list(statuses(run)) == [1, 2, 3]


def test_a_resource_is_released_when_the_call_returns(bench: Bench, gate: threading.Event) -> None:
    """When an abandoned call returns, the next step that needs its resource runs."""
    returned = threading.Event()

    def wait() -> str:
        gate.wait(30)
        returned.set()
        return "too late"

    def let_go() -> str:
        gate.set()
        returned.wait(30)
        while still_running("held"):
            threading.Event().wait(0.01)
        return "let go"

    bench.offer("wait", wait, effect="reads", exclusive="press")
    bench.offer("let_go", let_go, effect="none")
    bench.offer("print", lambda: "printed", effect="reads", exclusive="press")
    steps = [{"tool": "wait", "timeout_s": 0.05}, {"tool": "let_go"}, {"tool": "print"}, END]
    run = bench.run(steps, ON_FAILURE="skip", OKSO_RUN_ID="held")
    assert statuses(run) == {1: "uncertain", 2: "completed", 3: "completed", 4: "completed"}


@pytest.mark.parametrize("given", ["step", "setting"])
@pytest.mark.parametrize("error", [RuntimeError("odd"), ValueError("wrong")])
def test_given_retries_apply_to_all_but_fatal_failures(
    bench: Bench, error: Exception, given: str
) -> None:
    """A given number applies to unknown and logic failures, but never to fatal ones.

    Without a number only a transient failure is retried.
    """
    flaky = Flaky(error, times=2)
    bench.offer("flaky", flaky, effect="reads")
    step = {"tool": "flaky", "args": {}, **({"max_retries": 2} if given == "step" else {})}
    settings: dict[str, Any] = {"PLAN_MAX_RETRIES": 2} if given == "setting" else {}
    run = bench.run([step, END], **settings)
    assert (run.state, flaky.calls) == ("completed", 3)

    never = Flaky(FileNotFoundError("gone"), times=2)
    bench.offer("never", never, effect="reads")
    bench.run([{"tool": "never", "args": {}, "max_retries": 2}, END], ON_FAILURE="stop")
    assert never.calls == 1
