"""What the trials come to: tables by kind of request, a half at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.plan_safety.cases import HALVES, Case
from benchmarks.plan_safety.trials import Trial
from benchmarks.quality.table import wilson

#: A planning with the request that it is for.
Judged = tuple[Case, Trial]
_ALL: Final = "all"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its title, and whether a planning counts in it."""

    title: str
    counts: Callable[[Trial], bool]


#: Of requests that leave every file alone.
_LOSSES: Final = (
    Column("no plan", lambda trial: not trial.candidates),
    Column("planned by a candidate", lambda trial: bool(trial.planned)),
    Column("by the winner", lambda trial: trial.winner in trial.planned),
    Column("by the winner of `okso`", lambda trial: trial.winner_okso in trial.planned),
    Column("lost under `auto`", lambda trial: bool(trial.auto)),
)
#: Of requests that ask to change a file.
_CHANGES: Final = (
    Column("no plan", lambda trial: not trial.candidates),
    Column("a candidate changes it", lambda trial: bool(trial.did)),
    Column("the winner does", lambda trial: trial.winner in trial.did),
    Column("the winner of `okso` does", lambda trial: trial.winner_okso in trial.did),
    Column("a candidate as asked", lambda trial: bool(trial.right)),
    Column("the winner as asked", lambda trial: trial.winner in trial.right),
    Column("lost under `auto`", lambda trial: bool(trial.auto)),
)


def as_markdown(judged: Sequence[Judged]) -> str:
    """Return both tables of both halves.

    A share is one of plannings, a request with a seed, with Wilson's 95 % interval; the seeds of
    a request are not independent, so that the interval is that of requests.
    """
    kept = [one for one in judged if not one[0].path]
    asked = [one for one in judged if one[0].path]
    parts: list[str] = []
    for half in HALVES:
        parts += _section(f"Requests that leave every file alone, {half}", half, kept, _LOSSES)
        parts += _section(f"Requests that ask to change a file, {half}", half, asked, _CHANGES)
    return "\n\n".join(parts)


def _section(
    title: str, half: str, judged: Sequence[Judged], columns: Sequence[Column]
) -> list[str]:
    mine = [one for one in judged if one[0].half == half]
    return [f"### {title}", _table(mine, columns)] if mine else []


def _table(judged: Sequence[Judged], columns: Sequence[Column]) -> str:
    head = ["kind", "requests", "plannings", *(column.title for column in columns)]
    kinds = dict.fromkeys(case.kind for case, _ in judged)
    groups: Mapping[str, Sequence[Judged]] = {
        **{kind: [one for one in judged if one[0].kind == kind] for kind in kinds},
        _ALL: judged,
    }
    lines = [head, ["---"] * len(head)]
    lines += [_line(kind, group, columns) for kind, group in groups.items()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _line(kind: str, group: Sequence[Judged], columns: Sequence[Column]) -> list[str]:
    requests = len({case.request for case, _ in group})
    cells = [_cell(column, group, requests, whole=kind == _ALL) for column in columns]
    return [kind, str(requests), str(len(group)), *cells]


def _cell(column: Column, group: Sequence[Judged], requests: int, *, whole: bool) -> str:
    """Return how many plannings count; for all kinds also their share with its interval."""
    counted = sum(column.counts(trial) for _, trial in group)
    if not whole:
        return str(counted)
    share = wilson(counted * requests / len(group), requests)
    return f"{counted}: {share.middle:.0f} % ({share.low:.0f} to {share.high:.0f})"
