"""The report of a run as text, one line per step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from okso_jupyter.plan.plan import Plan, Step
from okso_jupyter.plan.records import Observation

_ICONS: Final = {
    "completed": "✓",
    "failed": "✗",
    "skipped": "⊘",
    "uncertain": "?",
    "cancelled": "⊗",
}


def report(
    plan: Plan | None,
    state: str,
    observations: Sequence[Observation],
    tokens: Mapping[int, int],
) -> str:
    """Return plan and outcome, such as `✓ Step 1: Count the lines (0.1s, 12 tokens)`.

    Args:
        plan: The plan, or None if there was none.
        state: State of the run.
        observations: Every attempt.
        tokens: Tokens written for each step, by step id.
    """
    if plan is None:
        return f"No plan [{state}]"
    title = _one_line(plan.title or plan.request)
    lines = [f'Plan v{plan.version}: "{title}" [{state.replace("_", " ").capitalize()}]']
    for step in plan.steps:
        attempts = [o for o in observations if o.call.step_id == step.id]
        lines.append(f"  {_line(step, attempts, tokens.get(step.id, 0))}")
    return "\n".join(lines)


def _line(step: Step, attempts: Sequence[Observation], tokens: int) -> str:
    label = _one_line(step.label)
    if not attempts:
        return f"○ Step {step.id}: {label}"
    last = attempts[-1]
    head = f"{_ICONS[last.status]} Step {step.id}: {label}"
    if last.status != "completed":
        return f"{head} ({last.status}: {_one_line(last.error)})"
    notes = [_duration(sum(attempt.duration_s for attempt in attempts))]
    if tokens:
        notes.append(f"{tokens / 1000:.1f}K tokens")
    return f"{head} ({', '.join(notes)})"


def _duration(seconds: float) -> str:
    """Return seconds in words: 250ms, 1.5s, 1m5s."""
    if seconds < 1:
        return f"{round(seconds * 1000)}ms"
    if seconds < 60:  # noqa: PLR2004  a minute
        return f"{seconds:.1f}s"
    return f"{int(seconds // 60)}m{int(seconds % 60)}s"


def _one_line(text: str) -> str:
    """Return text that cannot pass for further lines of the report."""
    return " ".join(text.split())
