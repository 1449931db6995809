"""The report of a run as text, one line per step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from okso_jupyter import amounts
from okso_jupyter.legible import visible
from okso_jupyter.plan.plan import Plan, Step
from okso_jupyter.plan.records import Observation
from okso_jupyter.views.call_sentence import call_sentence

_ICONS: Final = {
    "completed": "✓",
    "failed": "✗",
    "skipped": "⊘",
    "uncertain": "?",
    "cancelled": "⊗",
}
_BEGUN: Final = "◐"


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
    """Return plan and outcome, such as `✓ Step 1: Count the lines (100 ms, 12 tokens)`.

    A step that replaces another one is listed below it, with that one's number and a dash.

    Args:
        plan: The newest plan, or None if there was none.
        state: State of the run.
        observations: Every attempt.
        tokens: Tokens written for each step, by step id.
        begun: Ids of the steps that were started and have not ended.
        older: Earlier approved versions of the plan, the oldest first.
        notes: Sentences for the end.
    """
    if plan is None:
        return f"No plan [{state}]"
    title = _one_line(plan.title or plan.request)
    lines = [f'Plan v{plan.version}: "{title}" [{state.replace("_", " ").capitalize()}]']
    attempts = _by_step(observations)
    newest = {step.id for step in plan.steps}
    for name, step in _numbered([*older, plan]):
        seen, dropped = attempts.get(step.id, []), step.id not in newest
        line = _line(name, step, seen, tokens.get(step.id, 0), dropped=dropped)
        runs = f"{_BEGUN} Step {name}: {_one_line(call_sentence(step))} (begun, and not ended)"
        lines.append(f"  {runs if step.id in begun else line}")
    last = {step_id: seen[-1] for step_id, seen in attempts.items()}
    lines.append(_totals(newest, last, sum(tokens.values())))
    return "\n".join([*lines, *map(_one_line, notes)])


def _by_step(observations: Sequence[Observation]) -> dict[int, list[Observation]]:
    """Return the attempts of every step, by its id."""
    attempts: dict[int, list[Observation]] = {}
    for seen in observations:
        attempts.setdefault(seen.call.step_id, []).append(seen)
    return attempts


def _numbered(versions: Sequence[Plan]) -> Iterator[tuple[str, Step]]:
    """Yield every step of every version with its label number, each replacement below its step."""
    steps = {step.id: step for version in versions for step in version.steps}
    below: dict[int | None, list[Step]] = {}
    known: set[int | None] = set()
    for step in steps.values():
        below.setdefault(step.replaces if step.replaces in known else None, []).append(step)
        known.add(step.id)
    left = [(str(step.id), step) for step in reversed(below.get(None, []))]
    while left:
        name, step = left.pop()
        yield name, step
        left += [(f"{name}'", other) for other in reversed(below.get(step.id, []))]


def _line(
    name: str, step: Step, attempts: Sequence[Observation], tokens: int, *, dropped: bool
) -> str:
    done = attempts[-1].done(step) if attempts else step
    label = _one_line(call_sentence(done)) + (" (replan)" if step.replaces is not None else "")
    if not attempts:
        head, why = f"Step {name}: {label}", " (skipped: replaced by replan)"
        return f"{_ICONS['skipped']} {head}{why}" if dropped else f"○ {head}"
    last = attempts[-1]
    head = f"{_ICONS[last.status]} Step {name}: {label}"
    if last.status != "completed":
        return f"{head} ({last.status}: {_one_line(last.error)})"
    notes = [amounts.duration(sum(attempt.duration_s for attempt in attempts))]
    if tokens:
        notes.append(amounts.tokens(tokens))
    return f"{head} ({', '.join(notes)})"


def _totals(newest: set[int], last: Mapping[int, Observation], tokens: int) -> str:
    """Return the counts of outcomes, for the steps of the newest plan and all that ran."""
    ids = newest | set(last)
    statuses = Counter[str](last[step_id].status for step_id in ids if step_id in last)
    words = [f"{statuses['completed']} completed"]
    words += [
        f"{statuses[name]} {name}" for name in _ICONS if name != "completed" and statuses[name]
    ]
    line = f"Results: {', '.join(words)} / {len(ids)} total"
    return f"{line}, {amounts.tokens(tokens)}" if tokens else line


def _one_line(text: str) -> str:
    """Return legible text on one line, so that it cannot look like further lines of the report."""
    return visible(" ".join(text.split()))
