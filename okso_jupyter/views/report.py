"""The report of a run as text, one line per step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from okso_jupyter.legible import visible
from okso_jupyter.plan.plan import Plan, Step
from okso_jupyter.plan.records import Observation

_ICONS: Final = {
    "completed": "✓",
    "failed": "✗",
    "skipped": "⊘",
    "uncertain": "?",
    "cancelled": "⊗",
}
_BEGUN: Final = "◐"
_MANY_TOKENS: Final = 100


def report(  # noqa: PLR0913  all but the first four have a default
    plan: Plan | None,
    state: str,
    observations: Sequence[Observation],
    tokens: Mapping[int, int],
    *,
    older: Sequence[Plan] = (),
    begun: Collection[int] = (),
    notes: Sequence[str] = (),
) -> str:
    """Return plan and outcome, such as `✓ Step 1: Count the lines (0.1s, 12 tokens)`.

    A step that stands in for another one has that one's number with a dash, and stands below it.

    Args:
        plan: The newest plan, or None if there was none.
        state: State of the run.
        observations: Every attempt.
        tokens: Tokens written for each step, by step id.
        begun: Ids of the steps that were begun and have not ended.
        older: Earlier versions of the plan that were approved, the oldest first.
        notes: Sentences for the end.
    """
    if plan is None:
        return f"No plan [{state}]"
    title = _one_line(plan.title or plan.request)
    lines = [f'Plan v{plan.version}: "{title}" [{state.replace("_", " ").capitalize()}]']
    last = {o.call.step_id: o for o in observations}
    for name, step in _numbered([*older, plan]):
        attempts = [o for o in observations if o.call.step_id == step.id]
        dropped = all(step.id != other.id for other in plan.steps)
        line = _line(name, step, attempts, tokens.get(step.id, 0), dropped=dropped)
        runs = f"{_BEGUN} Step {name}: {_one_line(step.label)} (begun, and not ended)"
        lines.append(f"  {runs if step.id in begun else line}")
    lines.append(_totals(plan, last, sum(tokens.values())))
    return "\n".join([*lines, *map(_one_line, notes)])


def _numbered(versions: Sequence[Plan]) -> list[tuple[str, Step]]:
    """Return every step of every version with what it is called, each stand-in below its step."""
    steps = {step.id: step for version in versions for step in version.steps}
    places: list[tuple[str, Step]] = []
    for step in steps.values():
        names = {other.id: (place, name) for place, (name, other) in enumerate(places)}
        if step.replaces in names:
            place, name = names[step.replaces]
            places.insert(place + 1, (f"{name}'", step))
        else:
            places.append((str(step.id), step))
    return places


def _line(
    name: str, step: Step, attempts: Sequence[Observation], tokens: int, *, dropped: bool
) -> str:
    label = _one_line(step.label) + (" (replan)" if step.replaces is not None else "")
    if not attempts:
        head, why = f"Step {name}: {label}", " (skipped: replaced by replan)"
        return f"{_ICONS['skipped']} {head}{why}" if dropped else f"○ {head}"
    last = attempts[-1]
    head = f"{_ICONS[last.status]} Step {name}: {label}"
    if last.status != "completed":
        return f"{head} ({last.status}: {_one_line(last.error)})"
    notes = [_duration(sum(attempt.duration_s for attempt in attempts))]
    if tokens:
        notes.append(_token_words(tokens))
    return f"{head} ({', '.join(notes)})"


def _totals(plan: Plan, last: Mapping[int, Observation], tokens: int) -> str:
    """Return how the steps came out, in numbers: those of the newest plan and all that ran."""
    ids = {step.id for step in plan.steps} | set(last)
    statuses = Counter[str](last[step_id].status for step_id in ids if step_id in last)
    words = [f"{statuses['completed']} completed"]
    words += [
        f"{statuses[name]} {name}" for name in _ICONS if name != "completed" and statuses[name]
    ]
    line = f"Results: {', '.join(words)} / {len(ids)} total"
    return f"{line}, {_token_words(tokens)}" if tokens else line


def _token_words(tokens: int) -> str:
    """Return a number of tokens in words: 12 tokens, 1.2K tokens."""
    return f"{tokens / 1000:.1f}K tokens" if tokens >= _MANY_TOKENS else f"{tokens} tokens"


def _duration(seconds: float) -> str:
    """Return seconds in words: 250ms, 1.5s, 1m5s."""
    if seconds < 1:
        return f"{round(seconds * 1000)}ms"
    if seconds < 60:  # noqa: PLR2004  a minute
        return f"{seconds:.1f}s"
    return f"{int(seconds // 60)}m{int(seconds % 60)}s"


def _one_line(text: str) -> str:
    """Return text, legible, that cannot pass for further lines of the report."""
    return visible(" ".join(text.split()))
