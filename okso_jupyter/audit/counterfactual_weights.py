"""Counterfactual weights: the nearest weights with which another candidate wins, or a proof."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final

from okso_jupyter.audit.intervals import End, dot, plain, shown, winning_weights
from okso_jupyter.audit.linear import cheapest
from okso_jupyter.audit.scoreboard import Scoreboard, Vector, is_ahead_everywhere, wins_ties
from okso_jupyter.plan.records import Candidate

#: Lead in points that a candidate needs where a tie would not make it win.
_MARGIN: Final = Fraction(1, 100)
_MOST_DECIMALS: Final = 15
_SHORT_DECIMALS: Final = 4
#: Largest bound up to which a float represents every whole number.
_MOST_WHOLE: Final = 2**53


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightChange:
    """Another weight for one rule, with all other weights unchanged.

    Attributes:
        rule: The rule.
        before: Its weight before.
        threshold: The exact weight at which the candidate ties.
        is_enough: Whether it wins at the threshold; if not, it wins at any weight beyond it.
        weight: A short number at or just beyond the threshold, verified with the scorer.
    """

    rule: str
    before: float
    threshold: Fraction
    is_enough: bool
    weight: float

    @property
    def words(self) -> str:
        """The change in words, with a weight that wins: "... to below 0.62, such as 0.61"."""
        head = f"the weight of {self.rule} from {shown(self.before)} to"
        end, tried = shown(self.threshold), plain(self.weight)
        if end == tried:
            return f"{head} {tried}"
        if Fraction(end) != self.threshold:  # rounding to four figures may cross to the losing side
            return f"{head} about {end}, such as {tried}"
        return f"{head} {'below' if self.weight < self.before else 'above'} {end}, such as {tried}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterfactualWeights:
    """Whether any weights make a candidate win.

    Attributes:
        smallest: The smallest change of one weight; None if no single change is enough.
        weights: The nearest weights of all rules; empty if none make it win.
        beaten_by: If no weights make it win, the rivals that prevent it, with their shares in the
            proof; their points, weighted by these shares, are at least as many in every rule.
            Empty otherwise.
    """

    smallest: WeightChange | None = None
    weights: Mapping[str, float]
    beaten_by: Mapping[int, Fraction]


def reweighing(scoreboard: Scoreboard, candidate: Candidate) -> CounterfactualWeights:
    """Return weights that make a candidate win; a weight of 0 or more never becomes negative.

    The arithmetic is exact: if no weights work, that is proved. Returned weights were verified
    with the scorer.
    """
    smallest = _smallest(scoreboard, candidate)
    if smallest is not None:
        weights = scoreboard.weights | {smallest.rule: smallest.weight}
        return CounterfactualWeights(smallest=smallest, weights=weights, beaten_by={})
    for rival in scoreboard.rivals(candidate):
        if not any(scoreboard.floors) and is_ahead_everywhere(rival, candidate):
            return CounterfactualWeights(weights={}, beaten_by={rival.index: Fraction(1)})
    return _of_several(scoreboard, candidate)


def _smallest(scoreboard: Scoreboard, candidate: Candidate) -> WeightChange | None:
    """Return the smallest change of one weight."""
    found = [
        change
        for place in range(len(scoreboard.rules))
        if (change := _of_one(scoreboard, candidate, place)) is not None
    ]
    return min(
        found, key=lambda change: abs(change.threshold - _exact_before(scoreboard, change)),
        default=None,
    )  # fmt: skip


def _exact_before(scoreboard: Scoreboard, change: WeightChange) -> Fraction:
    return scoreboard.exact_weights[scoreboard.rules.index(change.rule)]


def _of_one(scoreboard: Scoreboard, candidate: Candidate, place: int) -> WeightChange | None:
    """Return the smallest change of one rule's weight that makes a candidate win, or None."""
    interval = winning_weights(scoreboard, candidate, place)
    if interval is None:
        return None
    rule, before = scoreboard.rules[place], scoreboard.exact_weights[place]
    up = before <= interval.low.at
    end = interval.low if up else interval.high
    if end is None:  # it wins already, except for the rounding of floats
        return None
    for weight in _beyond(end, up=up):
        tried = scoreboard.weights | {rule: weight}
        if scoreboard.wins(candidate, tried):
            return WeightChange(
                rule=rule,
                before=float(before),
                threshold=end.at,
                is_enough=end.is_inside,
                weight=weight,
            )
    return None


def _beyond(end: End, *, up: bool) -> Iterator[float]:
    """Yield an end and short decimals ever closer to it, on the side where the candidate wins."""
    if end.is_inside and end.at == round(end.at, _SHORT_DECIMALS):
        yield float(end.at)
    for decimals in range(2, _MOST_DECIMALS):
        unit = Fraction(1, 10**decimals)
        steps = end.at / unit
        yield float(((steps.__floor__() + 1) if up else (steps.__ceil__() - 1)) * unit)
    if end.is_inside:
        yield float(end.at)


def _of_several(scoreboard: Scoreboard, candidate: Candidate) -> CounterfactualWeights:
    """Return the nearest weights of several rules, or the proof that there are none."""
    rivals = scoreboard.rivals(candidate)
    needed = tuple(Fraction(0) if wins_ties(candidate, r) else _MARGIN for r in rivals)
    margins = [
        _MARGIN if any(scoreboard.lead(candidate, r)) else n
        for r, n in zip(rivals, needed, strict=True)
    ]
    while True:
        moved, proof = _moved(scoreboard, candidate, margins)
        for weights in _rounded(moved):
            named = dict(zip(scoreboard.rules, weights, strict=True))
            if scoreboard.wins(candidate, named):
                return CounterfactualWeights(weights=named, beaten_by={})
        # ties are sought only where no lead is possible: floats may miss them
        level = [at for at, share in enumerate(proof) if share and margins[at] > needed[at]]
        if not level or (not any(scoreboard.floors) and dot(needed, proof)):
            break  # nor would ties help: one of these rivals wins them
        for at in level:
            margins[at] = needed[at]
    whole = sum(proof, Fraction(0)) or Fraction(1)
    shares = {r.index: y / whole for r, y in zip(rivals, proof, strict=False) if y}
    return CounterfactualWeights(weights={}, beaten_by=shares)


def _moved(
    scoreboard: Scoreboard, candidate: Candidate, margins: Sequence[Fraction]
) -> tuple[Vector, tuple[Fraction, ...]]:
    """Return the weights with the smallest total change that win by these margins, or the proof.

    Each change is the difference of two variables, an increase and a decrease, of cost 1 each.
    """
    weights, size = scoreboard.exact_weights, len(scoreboard.rules)
    leads = [scoreboard.lead(candidate, rival) for rival in scoreboard.rivals(candidate)]
    rows = [[*lead, *(-part for part in lead)] for lead in leads]
    least = [margin - dot(weights, lead) for margin, lead in zip(margins, leads, strict=True)]
    for place, (weight, floor) in enumerate(zip(weights, scoreboard.floors, strict=True)):
        rows.append([Fraction(-int(column == size + place)) for column in range(2 * size)])
        least.append(floor - weight)
    outcome = cheapest([Fraction(1)] * (2 * size), rows, least)
    if outcome.solution is None:
        return (), tuple(outcome.proof or ())[: len(leads)]
    more, less = outcome.solution[:size], outcome.solution[size:]
    return tuple(w + up - down for w, up, down in zip(weights, more, less, strict=True)), ()


def _rounded(weights: Vector) -> Iterator[list[float]]:
    """Yield weights as ever longer decimals, then unrounded, then as whole numbers; none for none.

    Only proportions matter, and sums of whole numbers tie exactly where those of thirds do not.
    """
    if weights:
        for decimals in range(2, _MOST_DECIMALS):
            yield [float(round(weight, decimals)) for weight in weights]
        yield [float(weight) for weight in weights]
    whole = [weight * lcm(*(w.denominator for w in weights)) for weight in weights]
    if whole and min(whole) >= 0 and max(whole) <= _MOST_WHOLE:
        yield [float(weight) for weight in whole]
