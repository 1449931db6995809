"""The report of a run has one line per step, whatever the steps are called."""

from __future__ import annotations

import pytest

from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import Observation, StepStatus, ToolCall
from okso_jupyter.views.report import report


def _seen(
    step_id: int, status: StepStatus = "completed", *, error: str = "", duration_s: float = 0.25
) -> Observation:
    return Observation(
        call=ToolCall(step_id=step_id, tool="a", args={}),
        status=status, exit_code=0, raw="", text="", summary="", error=error, error_class=None,
        started_at="", duration_s=duration_s,
    )  # fmt: skip


def test_every_outcome_has_its_line() -> None:
    """Done, failed, skipped, uncertain and not reached look different."""
    plan = Plan.from_dict(
        {"title": "T", "steps": [{"tool": "a", "title": f"s{n}"} for n in "12345"]}
    )
    seen = [
        _seen(1),
        _seen(2, "failed", error="no such file"),
        _seen(3, "skipped", error="dependency failed: step 2"),
        _seen(4, "uncertain", error="no result"),
    ]

    assert report(plan, "failed", seen, {1: 1234}).splitlines() == [
        'Plan v1: "T" [Failed]',
        "  ✓ Step 1: s1 (250ms, 1.2K tokens)",
        "  ✗ Step 2: s2 (failed: no such file)",
        "  ⊘ Step 3: s3 (skipped: dependency failed: step 2)",
        "  ? Step 4: s4 (uncertain: no result)",
        "  ○ Step 5: s5",
    ]


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.0, "0ms"), (0.25, "250ms"), (1.5, "1.5s"), (65, "1m5s")]
)
def test_durations_are_said_in_fitting_units(seconds: float, words: str) -> None:
    """Milliseconds below a second, then seconds, then minutes."""
    plan = Plan.from_dict([{"tool": "a"}])

    assert f"({words})" in report(plan, "completed", [_seen(1, duration_s=seconds)], {})


def test_attempts_add_up() -> None:
    """The time of a step is that of all its attempts, the outcome that of the last one."""
    plan = Plan.from_dict([{"tool": "a"}])
    seen = [_seen(1, "failed", error="x", duration_s=1), _seen(1, duration_s=2)]

    assert "✓ Step 1: Use a (3.0s)" in report(plan, "completed", seen, {})


def test_a_label_cannot_forge_a_line() -> None:
    """Line ends in titles, requests and errors do not make lines of the report."""
    plan = Plan.from_dict({
        "request": "do\n  ✓ Step 9: forged",
        "steps": [{"tool": "a", "title": "x\n  ✓ Step 8: forged\r\u2028y"}, {"tool": "b"}],
    })  # fmt: skip

    lines = report(
        plan, "failed", [_seen(2, "failed", error="bad\n  ✓ Step 7: z")], {}
    ).splitlines()

    assert len(lines) == 3


def test_no_plan_is_said() -> None:
    """A run that never had a plan says so, with its state."""
    assert report(None, "draft", [], {}) == "No plan [draft]"
