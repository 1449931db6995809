"""A run in progress as text: a line per step, or one line for outputs of a single line."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from okso_jupyter.amounts import counted, duration
from okso_jupyter.legible import visible
from okso_jupyter.plan.live import Live, LiveStep
from okso_jupyter.plan.states import RunState, StepState
from okso_jupyter.views.call_sentence import call_sentence

ICONS: Final[Mapping[StepState, str]] = {
    StepState.PENDING: "○",
    StepState.RUNNING: "◐",
    StepState.COMPLETED: "✓",
    StepState.FAILED: "✗",
    StepState.SKIPPED: "⊘",
    StepState.UNCERTAIN: "?",
    StepState.CANCELLED: "⊗",
}
WORDS: Final[Mapping[StepState, str]] = {
    StepState.PENDING: "pending",
    StepState.RUNNING: "running",
    StepState.COMPLETED: "done",
    StepState.FAILED: "failed",
    StepState.SKIPPED: "skipped",
    StepState.UNCERTAIN: "how it ended is not known",
    StepState.CANCELLED: "stopped",
}
_LOST_WORDS: Final = {
    StepState.FAILED: "failed",
    StepState.UNCERTAIN: "with an unknown end",
}
_CUT_OFF: Final = "begun, and not ended"


def standing(step: LiveStep, now: datetime) -> str:
    """Return a step's state in words, such as `running, attempt 2, for 3 s`."""
    if step.is_asked:
        return "waits for your decision"
    if step.is_cut_off:
        return _CUT_OFF
    words = WORDS[step.state]
    if step.attempt > 1:
        words += f", attempt {step.attempt}"
    elapsed_s = step.elapsed_s(now)
    if elapsed_s is not None and step.state is not StepState.SKIPPED:
        runs = step.state is StepState.RUNNING
        words += f", for {duration(int(elapsed_s))}" if runs else f", after {duration(elapsed_s)}"
    return words


def elapsed(live: Live, now: datetime) -> str:
    """Return how long a run has taken, in whole seconds while it continues."""
    taken_s = live.elapsed_s(now)
    return duration(taken_s if live.ended_at else int(taken_s))


def headline(live: Live) -> str:
    """Return the progress of a run in words: steps done, steps failed, and its state."""
    words = f"{live.done} of {counted(len(live.steps), 'step')} done"
    for state, what in _LOST_WORDS.items():
        count = sum(step.state is state for step in live.steps)
        words += f", {count} {what}" if count else ""
    if live.state is RunState.EXECUTING:
        return words
    return f"{live.state.replace('_', ' ').capitalize()}: {words}"


def step_line(step: LiveStep, now: datetime) -> str:
    """Return a step on one line, including its reason."""
    reason = f" ({step.reason})" if step.reason else ""
    title = call_sentence(step.step)
    return visible(f"{ICONS[step.state]} Step {step.id}: {title} - {standing(step, now)}{reason}")


def as_text(live: Live, now: datetime) -> str:
    """Return a run as text: its steps, each with its last output."""
    lines = [f"{headline(live)}, {elapsed(live, now)}"]
    for step in live.steps:
        lines.append(step_line(step, now))
        lines += [f"    | {line}" for line in visible(step.tail).splitlines()]
    return "\n".join(lines)


def one_line(live: Live, now: datetime) -> str:
    """Return the current activity on one line: the longest running step and its last output."""
    if not live.running:
        return headline(live)
    step = min(live.running, key=lambda one: one.started_at or now)
    others = f" and {len(live.running) - 1} more" if len(live.running) > 1 else ""
    said = step.tail.splitlines()
    last = f": {said[-1].strip()}" if said else ""
    line = f"{headline(live)}; step {step.id} {standing(step, now)}{others}{last}"
    return visible(" ".join(line.split()))
