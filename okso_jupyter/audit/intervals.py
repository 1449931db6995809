"""Intervals of one rule's weight in which a candidate wins, with the other weights unchanged."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context
from fractions import Fraction
from typing import Final

from okso_jupyter.audit.scoreboard import Scoreboard, points_of, wins_ties
from okso_jupyter.plan.records import Candidate

#: Rounds as the what-if panel does in the browser.
_FOUR_FIGURES: Final = Context(prec=4, rounding=ROUND_HALF_UP)


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """One end of an interval.

    Attributes:
        at: The weight, exactly.
        is_inside: Whether the candidate wins at this weight too.
    """

    at: Fraction
    is_inside: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An interval of weights.

    Attributes:
        low: The lower end; never below the rule's floor.
        high: The upper end; None if unbounded.
    """

    low: End
    high: End | None

    def __contains__(self, weight: Fraction) -> bool:
        above = weight > self.low.at or (weight == self.low.at and self.low.is_inside)
        if self.high is None:
            return above
        return above and (weight < self.high.at or (weight == self.high.at and self.high.is_inside))

    @property
    def words(self) -> str:
        """The interval in words, such as "from 0.5 to below 2"."""
        low, high = self.low, self.high
        if high is not None and low.at == high.at:
            return f"exactly {shown(low.at)}"
        if not low.at and low.is_inside:
            if high is None:
                return "any weight"
            return f"{'up to' if high.is_inside else 'below'} {shown(high.at)}"
        start = f"{shown(low.at)} or more" if low.is_inside else f"above {shown(low.at)}"
        if high is None:
            return start
        start = f"{'from' if low.is_inside else 'above'} {shown(low.at)}"
        return f"{start} {'to' if high.is_inside else 'to below'} {shown(high.at)}"


def winning_weights(scoreboard: Scoreboard, candidate: Candidate, place: int) -> Interval | None:
    """Return the weights of one rule under which a candidate wins; None if there are none.

    Args:
        scoreboard: All candidates.
        candidate: The candidate that is to win.
        place: Index of the rule in `Scoreboard.rules`.
    """
    low, high = End(at=scoreboard.floors[place], is_inside=True), None
    for rival in scoreboard.rivals(candidate):
        lead = scoreboard.lead(candidate, rival)
        slope, may_tie = lead[place], wins_ties(candidate, rival)
        others = dot(scoreboard.exact_weights, lead) - scoreboard.exact_weights[place] * slope
        if not slope:
            if others < 0 or (others == 0 and not may_tie):
                return None
            continue
        end = End(at=-others / slope, is_inside=may_tie)
        if slope > 0:
            low = max(low, end, key=lambda one: (one.at, not one.is_inside))
        else:
            high = min(filter(None, (high, end)), key=lambda one: (one.at, one.is_inside))
    if high is not None and not _meet(low, high):
        return None
    return Interval(low=low, high=high)


def next_winner(scoreboard: Scoreboard, place: int, end: End, *, above: bool) -> Candidate:
    """Return the candidate that wins just beyond an end of the winner's interval.

    Args:
        scoreboard: All candidates.
        place: Index of the rule.
        end: The end.
        above: Whether to look above the end instead of below it.
    """
    weights = list(scoreboard.exact_weights)
    weights[place] = end.at

    def standing(candidate: Candidate) -> tuple[Fraction, Fraction, float, int]:
        points = points_of(candidate)
        slope = points[place] if above else -points[place]
        return dot(weights, points), slope, *candidate.standing[1:]

    def standing_there(candidate: Candidate) -> tuple[Fraction, float, int]:
        return dot(weights, points_of(candidate)), *candidate.standing[1:]

    if not end.is_inside:
        return max(scoreboard.contenders, key=standing_there)
    return max(scoreboard.contenders, key=standing)


def dot(one: tuple[Fraction, ...] | list[Fraction], other: tuple[Fraction, ...]) -> Fraction:
    """Return the dot product of two vectors."""
    return sum((a * b for a, b in zip(one, other, strict=True)), Fraction(0))


def shown(number: Fraction | float) -> str:
    """Return a number rounded to four figures, without an exponent."""
    return f"{_FOUR_FIGURES.create_decimal_from_float(float(number)).normalize() + 0:f}"


def plain(number: float) -> str:
    """Return a number with all its figures, so that typing it gives the same number."""
    return repr(float(number)).removesuffix(".0")


def _meet(low: End, high: End) -> bool:
    return low.at < high.at or (low.at == high.at and low.is_inside and high.is_inside)
