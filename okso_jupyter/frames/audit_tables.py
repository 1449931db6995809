"""Tables of an audit: points of two candidates side by side, candidates under other weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from okso_jupyter.frames.columns import Column, frame
from okso_jupyter.plan.records import Candidate, Finding


@dataclass(frozen=True, slots=True)
class _Parted:
    """The findings of one rule for two candidates."""

    own: Finding
    winners: Finding

    @property
    def difference(self) -> float:
        return self.own.points - self.winners.points


_POINTS: tuple[Column[_Parted], ...] = (
    Column("rule", "object", "", lambda r: r.own.rule),
    Column("count", "int64", "found", lambda r: r.own.count),
    Column("count_winner", "int64", "found", lambda r: r.winners.count),
    Column("weight", "float64", "", lambda r: r.own.weight),
    Column("points", "float64", "points", lambda r: r.own.points),
    Column("points_winner", "float64", "points", lambda r: r.winners.points),
    Column("difference", "float64", "points", lambda r: r.difference),
    Column("reason", "object", "", lambda r: r.own.reason),
    Column("reason_winner", "object", "", lambda r: r.winners.reason),
)


def points_frame(candidate: Candidate, winner: Candidate) -> pd.DataFrame:
    """Return one row per rule with the points of both candidates, largest loss first."""
    pairs = zip(candidate.scorecard.findings, winner.scorecard.findings, strict=True)
    rows = sorted((_Parted(own, other) for own, other in pairs), key=lambda row: row.difference)
    return frame(rows, _POINTS)


_RANGES: tuple[Column[Mapping[str, Any]], ...] = (
    Column("rule", "object", "", lambda r: r["rule"]),
    Column("weight", "float64", "", lambda r: r["weight"]),
    Column("holds", "object", "", lambda r: r["holds"]),
    Column("low", "float64", "", lambda r: r["low"]),
    Column("high", "float64", "", lambda r: r["high"]),
    Column("below", "Int64", "candidate", lambda r: r["below"]),
    Column("above", "Int64", "candidate", lambda r: r["above"]),
)


def ranges_frame(ranges: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return one row per rule: the weights under which the winner still wins.

    Args:
        ranges: Rule, weight, the range in words and as low and high ends, and the numbers of the
            candidates that win below and above it; None for an end that does not exist.
    """
    return frame(ranges, _RANGES)


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A candidate under other weights, with its rank and score before."""

    candidate: Candidate
    rank: int
    rank_before: int
    score_before: float

    def points(self, rule: str) -> float:
        found = (f.points for f in self.candidate.scorecard.findings if f.rule == rule)
        return next(found, 0.0)


_RANKED: tuple[Column[_Ranked], ...] = (
    Column("rank", "int64", "from 1", lambda r: r.rank),
    Column("rank_before", "int64", "from 1", lambda r: r.rank_before),
    Column("candidate", "int64", "from 1", lambda r: r.candidate.index),
    Column("score", "float64", "points", lambda r: r.candidate.scorecard.score),
    Column("score_before", "float64", "points", lambda r: r.score_before),
    Column("tie_breaker", "float64", "points", lambda r: r.candidate.scorecard.tie_breaker),
    Column("n_steps", "int64", "steps", lambda r: len(r.candidate.plan.steps)),
    Column("tools", "object", "", lambda r: list(r.candidate.plan.tools)),
)


def rescored_frame(
    after: Sequence[Candidate], before: Sequence[Candidate], weights: Mapping[str, float]
) -> pd.DataFrame:
    """Return one row per candidate as ranked by other weights, with points per rule.

    Args:
        after: The candidates with their new points, best first.
        before: The same candidates with their old points, best first.
        weights: The new weights, stored in `attrs["weights"]`.
    """
    old = {c.index: (rank, c.scorecard.score) for rank, c in enumerate(before, start=1)}
    rows = [_Ranked(c, rank, *old[c.index]) for rank, c in enumerate(after, start=1)]
    table = frame(rows, [*_RANKED, *(_rule_column(rule) for rule in weights)])
    table.attrs["weights"] = dict(weights)
    return table


def _rule_column(rule: str) -> Column[_Ranked]:
    return Column(f"rule_{rule}", "float64", "points", lambda row: row.points(rule))
