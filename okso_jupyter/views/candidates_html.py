"""The candidates as a small table: equal ones merged, the best first, only points that differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from okso_jupyter.amounts import counted
from okso_jupyter.plan.plan import calls_of
from okso_jupyter.plan.records import Candidate
from okso_jupyter.views.short_call import short_call
from okso_jupyter.views.text import escape


@dataclass(frozen=True, slots=True)
class CandidateGroup:
    """Candidates that make the same calls.

    Attributes:
        best: The one with the highest score.
        numbers: The numbers of all, in ascending order.
    """

    best: Candidate
    numbers: tuple[int, ...]


def groups_of(candidates: Sequence[Candidate]) -> list[CandidateGroup]:
    """Return the candidates, equal ones together, the best first."""
    groups: dict[str, list[Candidate]] = {}
    for one in sorted(candidates, key=lambda one: one.standing, reverse=True):
        groups.setdefault(calls_of(one.plan), []).append(one)
    return [
        CandidateGroup(same[0], tuple(sorted(one.index for one in same)))
        for same in groups.values()
    ]


def candidates_words(candidates: Sequence[Candidate]) -> str:
    """Return how many candidates there are, such as "3 candidates, 2 different"."""
    count, different = len(candidates), len(groups_of(candidates))
    if count == 1:
        return "1 candidate"
    alike = "all alike" if different == 1 else f"{different} different"
    return counted(count, "candidate") + (f", {alike}" if different < count else "")


def candidates_html(candidates: Sequence[Candidate], chosen: int | None) -> str:
    """Return the candidates as a table.

    Args:
        candidates: The candidates; at least one.
        chosen: Number of the one that is shown.
    """
    groups = groups_of(candidates)
    rules = list(_differing(groups))
    names = ("candidate", "points", "plan", *(rule.replace("_", " ") for rule in rules))
    head = "".join(f"<th scope='col'>{escape(name)}</th>" for name in names)
    rows = "".join(f"<tr>{''.join(_cells(group, chosen, rules))}</tr>" for group in groups)
    return (
        "<div class='okso-scroll' role='group' aria-label='Candidates' tabindex='0'>"
        f"<table class='okso-candidates'><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )


def _differing(groups: Sequence[CandidateGroup]) -> Iterator[str]:
    """Yield the rules that gave the candidates different points."""
    rules = dict.fromkeys(f.rule for group in groups for f in group.best.scorecard.findings)
    for rule in rules:
        if len({_points(group.best, rule) for group in groups}) > 1:
            yield rule


def _points(candidate: Candidate, rule: str) -> float:
    found = (f.points for f in candidate.scorecard.findings if f.rule == rule)
    return next(found, 0.0)


def _cells(group: CandidateGroup, chosen: int | None, rules: Sequence[str]) -> Iterator[str]:
    """Yield the cells of a row: numbers, points, calls, and the points of the rules."""
    copies = f" x{len(group.numbers)}" if len(group.numbers) > 1 else ""
    mark = " (shown)" if chosen in group.numbers else ""
    number = chosen if chosen in group.numbers else group.best.index
    yield f"<td>{number}{copies}{mark}</td>"
    yield f"<td class='okso-figure'>{round(group.best.scorecard.score, 2):g}</td>"
    yield f"<td>{_plan(group.best)}</td>"
    for rule in rules:
        yield f"<td class='okso-figure'>{round(_points(group.best, rule), 2):g}</td>"


def _plan(candidate: Candidate) -> str:
    """Return the calls, one per line, and why the plan cannot run or may be incomplete."""
    calls = "<br>".join(
        f"<code>{escape(short_call(step.tool, step.args))}</code>"
        for step in candidate.plan.steps
        if not step.is_final or step.args
    )
    flaw = f"cannot run: {candidate.flaw}" if candidate.flaw else ""
    notes = "".join(f"<br>{escape(note)}" for note in (flaw, candidate.doubt) if note)
    return f"{calls or 'no calls'}{notes}"
