"""Scoreboard: candidates with their points, exact for proofs and as the scorer adds them."""

from __future__ import annotations

import json
import math
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import Protocol

from okso_jupyter.errors import JournalError, UsageError
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import Candidate, Scorecard

Vector = tuple[Fraction, ...]


class ScorePlan(Protocol):
    """Scores plans in the same way as the candidates were scored."""

    def __call__(
        self, plans: Sequence[Plan], *, peers: Sequence[Plan] | None = None
    ) -> Sequence[Scorecard]:
        """Return one scorecard per plan, each compared with `peers`, or else with the others."""


@dataclass(frozen=True, kw_only=True)
class Scoreboard:
    """The candidates of one planning call.

    Attributes:
        sampled: The usable candidates, in the order of sampling.
        unusable: Why each other sample is not a candidate, by its number.
        judge: Scores edited plans; None if they cannot be scored.
        silent: Why there is no judge, in words.
    """

    sampled: tuple[Candidate, ...]
    unusable: Mapping[int, str] = field(default_factory=dict)
    judge: ScorePlan | None = None
    silent: str = ""

    def __post_init__(self) -> None:
        """Reject candidates that cannot be audited.

        Raises:
            UsageError: There are no candidates.
            JournalError: An older version recorded too little about them.
        """
        if not self.sampled:
            msg = "there are no candidates: no plan was sampled for this run"
            raise UsageError(msg, hint="plan a request with %%okso or Session.plan")
        for candidate in self.sampled:
            for finding in candidate.scorecard.findings:
                if finding.raw_points is None:
                    msg = (
                        f"an older version wrote this run and kept no points of {finding.rule},"
                        " whose weight was 0"
                    )
                    raise JournalError(msg, hint="plan the request again")

    @cached_property
    def rules(self) -> tuple[str, ...]:
        """Names of the scoring rules, in their order."""
        return tuple(finding.rule for finding in self.sampled[0].scorecard.findings)

    @cached_property
    def weights(self) -> dict[str, float]:
        """The weights with which the candidates were scored, by rule."""
        findings = self.sampled[0].scorecard.findings
        return {finding.rule: finding.weight for finding in findings}

    @cached_property
    def winner(self) -> Candidate:
        """The candidate that the scorer ranks first."""
        return self.ranked(self.weights)[0]

    def ranked(self, weights: Mapping[str, float]) -> list[Candidate]:
        """Return the candidates as scored with other weights, best first.

        Args:
            weights: Factor by rule; a missing one is 1, as in SCORE_WEIGHTS.
        """
        scored = [
            replace(candidate, scorecard=candidate.scorecard.weighed(weights))
            for candidate in self.sampled
        ]
        return sorted(scored, key=lambda one: (not one.flaw, one.standing), reverse=True)

    @cached_property
    def contenders(self) -> tuple[Candidate, ...]:
        """The candidates that could win: those that can run, or all if none can."""
        return tuple(one for one in self.sampled if not one.flaw) or self.sampled

    def wins(self, candidate: Candidate, weights: Mapping[str, float]) -> bool:
        """Return whether the scorer itself would choose a candidate under other weights."""
        return self.ranked(weights)[0].index == candidate.index

    def checked(self, weights: object) -> dict[str, float]:
        """Return a weight for every rule; a missing one is 1, as in SCORE_WEIGHTS.

        Raises:
            UsageError: They are not numbers by rule, or so large that points overflow.
        """
        if not isinstance(weights, Mapping):
            msg = f"weights are a {type(weights).__name__}, not a mapping of rules to numbers"
            raise UsageError(msg, hint='such as {"length": 2}')
        for name, weight in weights.items():
            self._check_weight(name, weight)
        full = {rule: float(weights.get(rule, 1)) for rule in self.rules}
        if not all(math.isfinite(c.scorecard.score) for c in self.ranked(full)):
            msg = "the weights are so large that the points are no longer numbers"
            raise UsageError(msg, hint="only their proportions matter: make all of them smaller")
        return full

    def _check_weight(self, name: object, weight: object) -> None:
        if name not in self.rules:
            near = get_close_matches(str(name), self.rules, n=1)
            msg = f"there is no scoring rule {name!r}"
            hint = f"did you mean {near[0]}?" if near else f"they are {', '.join(self.rules)}"
            raise UsageError(msg, hint=hint)
        # Real includes numpy's integers, such as those of a sweep over np.arange.
        is_number = isinstance(weight, Real) and not isinstance(weight, bool)
        if not (is_number and _is_finite(weight)):
            msg = f"the weight of {name} is {weight!r}, and not a finite number"
            raise UsageError(msg, hint="0 leaves a rule out, 2 counts it twice")

    def named(self, number: object) -> Candidate:
        """Return the candidate with a number.

        Raises:
            UsageError: The candidate does not exist.
        """
        if isinstance(number, bool) or not hasattr(number, "__index__"):
            msg = f"{number!r} is not the number of a candidate"
            raise UsageError(msg, hint=self._which())
        place = operator.index(number)
        for candidate in self.sampled:
            if candidate.index == place:
                return candidate
        if place in self.unusable:
            msg = f"sample {place} is neither a plan nor a candidate: {self.unusable[place]}"
        else:
            msg = f"there is no candidate {place}"
        raise UsageError(msg, hint=self._which())

    def _which(self) -> str:
        numbers = [str(candidate.index) for candidate in self.sampled]
        return f"there is candidate {numbers[0]}" if len(numbers) == 1 else (
            f"there are candidates {', '.join(numbers[:-1])} and {numbers[-1]}"
        )  # fmt: skip

    # What follows is exact: it uses the decimals of points and weights, without float rounding.

    @cached_property
    def exact_weights(self) -> Vector:
        """The weights as exact fractions, in the order of the rules."""
        return tuple(exact(self.weights[rule]) for rule in self.rules)

    @cached_property
    def floors(self) -> Vector:
        """The lowest weights to consider: 0, or the weight itself if it is negative."""
        return tuple(min(Fraction(0), weight) for weight in self.exact_weights)

    def lead(self, candidate: Candidate, rival: Candidate) -> Vector:
        """Return a candidate's lead over a rival in unweighted points, rule by rule."""
        return tuple(
            own - other for own, other in zip(points_of(candidate), points_of(rival), strict=True)
        )

    def rivals(self, candidate: Candidate) -> list[Candidate]:
        """Return all candidates that could win, except one."""
        return [other for other in self.contenders if other.index != candidate.index]


def wins_ties(candidate: Candidate, rival: Candidate) -> bool:
    """Return whether a candidate ranks before another one with the same score."""
    return candidate.standing[1:] > rival.standing[1:]


def is_ahead_everywhere(candidate: Candidate, rival: Candidate) -> bool:
    """Return whether a rival cannot win at any weights >= 0: it leads in no rule and loses ties."""
    pairs = zip(points_of(candidate), points_of(rival), strict=True)
    return wins_ties(candidate, rival) and all(own >= other for own, other in pairs)


def is_same_plan(one: Plan, other: Plan) -> bool:
    """Return whether two plans make the same calls, regardless of their thoughts."""
    return _calls(one) == _calls(other)


def exact(number: float) -> Fraction:
    """Return the fraction of a float's shortest decimal, so that 0.1 is exactly a tenth."""
    return Fraction(repr(float(number)))


def _calls(plan: Plan) -> str:
    calls = [[step.tool, dict(step.args)] for step in plan.steps]
    return json.dumps(calls, sort_keys=True, default=str)


def _is_finite(number: object) -> bool:
    """Return whether a number is finite and fits into a float."""
    try:
        return math.isfinite(float(number))  # type: ignore[arg-type]  # the caller has looked
    except OverflowError:
        return False


def points_of(candidate: Candidate) -> Vector:
    """Return a candidate's points before weighting, in the order of the rules."""
    return tuple(exact(f.raw_points or 0.0) for f in candidate.scorecard.findings)
