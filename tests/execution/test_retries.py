"""Second attempts, time-outs, and failures of every class."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from okso_jupyter.errors import ToolInputError, ToolUnavailableError
from okso_jupyter.toolkit.context import ToolContext
from tests.bench import END, Bench


class Flaky:
    """Fails a number of times, then works."""

    def __init__(self, error: Exception, times: int) -> None:
        self.error, self.left, self.calls = error, times, 0

    def __call__(self) -> str:
        """Raise while failures are left."""
        self.calls += 1
        if self.left:
            self.left -= 1
            raise self.error
        return "it worked"


def test_a_transient_failure_is_tried_once_more(bench: Bench) -> None:
    """A call that only reads gets one retry; both attempts are observed."""
    flaky = Flaky(ToolUnavailableError("busy"), times=1)
    bench.offer("flaky", flaky, effect="reads")
    run = bench.run([{"tool": "flaky"}, END])
    assert (run.state, run.answer, flaky.calls) == ("completed", "it worked", 2)
    attempts = [(o.call.attempt, o.status, o.error_class) for o in run.steps_seen[:2]]
    assert attempts == [(1, "failed", "transient"), (2, "completed", None)]


@pytest.mark.parametrize("effect", ["writes", "irreversible", "runs_code", None, "network writes"])
def test_an_attempt_that_may_have_had_an_effect_is_not_repeated(
    bench: Bench, effect: str | None
) -> None:
    """Whoever may have changed something is not called again, however often it is allowed."""
    flaky = Flaky(TimeoutError("busy"), times=1)
    bench.offer("flaky", flaky, effect=effect.split() if effect else None)
    run = bench.run([{"tool": "flaky", "max_retries": 3}, END], approve=lambda _plan: "approve")
    assert (run.state, flaky.calls) == ("failed", 1)


@pytest.mark.parametrize(
    ("error", "step", "settings", "calls"),
    [
        (ToolInputError("wrong"), {}, {}, 1),
        (ValueError("wrong shape"), {"max_retries": 2}, {}, 1),
        (PermissionError("no"), {"max_retries": 2}, {}, 1),
        (ConnectionError("gone"), {"max_retries": 0}, {}, 1),
        (ConnectionError("gone"), {}, {"PLAN_MAX_RETRIES": 0}, 1),
        (ConnectionError("gone"), {"max_retries": 1}, {"PLAN_MAX_RETRIES": 0}, 2),
    ],
)
def test_retries_follow_class_step_and_setting(
    bench: Bench,
    error: Exception,
    step: dict[str, Any],
    settings: dict[str, Any],
    calls: int,
) -> None:
    """Only transient failures are tried again; the step's own number beats PLAN_MAX_RETRIES."""
    flaky = Flaky(error, times=9)
    bench.offer("flaky", flaky, effect="reads")
    run = bench.run([{"tool": "flaky", **step}, END], **settings)
    assert (run.state, flaky.calls) == ("failed", calls)


@pytest.fixture(name="gate")
def _gate() -> Iterator[threading.Event]:
    """Holds handlers up until the test is over."""
    gate = threading.Event()
    yield gate
    gate.set()


@pytest.mark.parametrize("effect", ["reads", "none", "writes"])
def test_a_call_that_takes_too_long_is_given_up(
    bench: Bench, gate: threading.Event, effect: str
) -> None:
    """It cannot be ended, so its outcome is uncertain, and it is not started a second time."""

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


def test_the_tool_is_told_to_stop(bench: Bench) -> None:
    """A handler that takes the context sees its cancel event at the time-out."""
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
def test_the_time_of_a_step(
    bench: Bench,
    tool_s: float | None,
    step_s: float | None,
    default_s: float,
    expected_s: float,
) -> None:
    """The step's own time, else the shorter one of the tool's and the default."""
    given: list[float] = []

    def ask(context: ToolContext) -> str:
        given.append(context.timeout_s)
        return "asked"

    bench.offer("ask", ask, effect="none", timeout_s=tool_s)
    bench.run([{"tool": "ask", "timeout_s": step_s}, END], PLAN_DEFAULT_STEP_TIMEOUT_S=default_s)
    assert given == [expected_s]


@pytest.mark.parametrize("error", [RuntimeError("boom"), SystemExit(3), RecursionError()])
def test_whatever_a_handler_raises_is_a_failed_step(bench: Bench, error: BaseException) -> None:
    """A handler cannot end the run, not even by SystemExit; the error is one line."""

    def fail() -> str:
        raise error

    bench.offer("fail", fail, effect="none")
    run = bench.run([{"tool": "fail"}, END])
    seen = run.steps_seen[0]
    assert (run.state, seen.status) == ("failed", "failed")
    assert type(error).__name__ in seen.error
    assert "\n" not in seen.error
