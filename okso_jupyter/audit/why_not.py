"""WhyNot: why a candidate did not win, and the smallest changes that would make it win."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from okso_jupyter.audit.counterfactual_plans import CounterfactualStep, smallest_edit
from okso_jupyter.audit.counterfactual_weights import (
    CounterfactualWeights,
    WeightChange,
    reweighing,
)
from okso_jupyter.audit.intervals import plain, shown
from okso_jupyter.audit.scoreboard import Scoreboard, is_same_plan
from okso_jupyter.plan.records import Candidate
from okso_jupyter.views.table_html import table_page
from okso_jupyter.views.text import NO_MATH, escape, visible

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WhyNot:
    """Why a candidate did not win.

    Attributes:
        candidate: The candidate.
        winner: The candidate that won.
        sentence: The whole explanation in words.
        can_win: Whether weights exist, none newly negative, under which it wins.
        smallest_weight_change: The smallest change of one weight that makes it win, or None.
        weights: The weights nearest to those of the run that make it win; empty if there are none.
        beaten_by: If no weights make it win, candidates with shares: their points, weighted by
            these shares, are at least as many in every rule, which is the proof.
        smallest_step_change: The smallest edit of its plan that makes it win, or None.
    """

    candidate: Candidate
    winner: Candidate
    sentence: str
    can_win: bool
    smallest_weight_change: WeightChange | None = None
    weights: Mapping[str, float]
    beaten_by: Mapping[int, Fraction]
    smallest_step_change: CounterfactualStep | None = None

    @property
    def points(self) -> pd.DataFrame:
        """One row per rule with counts and points of both candidates, largest loss first."""
        from okso_jupyter.frames.audit_tables import points_frame  # noqa: PLC0415  pandas is slow

        return points_frame(self.candidate, self.winner)

    def __repr__(self) -> str:
        return visible(self.sentence)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        """Return the sentence and the differing points as HTML and text."""
        del include, exclude
        points = self.points
        parted = points[points["difference"] != 0]
        head = f"<p class='{NO_MATH}'>{escape(self.sentence)}</p>"
        if not len(parted):
            return {"text/html": head, "text/plain": repr(self)}
        return {
            "text/html": f"{head}{table_page(parted)}",
            "text/plain": f"{self!r}\n\n{parted!r}",
        }


def why_not(scoreboard: Scoreboard, number: object) -> WhyNot:
    """Return why a candidate did not win, and what would make it win.

    Args:
        scoreboard: All candidates.
        number: Number of the candidate.

    Raises:
        UsageError: The candidate does not exist.
    """
    candidate, winner = scoreboard.named(number), scoreboard.winner
    if candidate.index == winner.index:
        only = len(scoreboard.sampled) == 1
        sentence = f"Candidate {candidate.index} is the {'only one' if only else 'winner'}."
        return WhyNot(
            candidate=candidate, winner=winner, sentence=sentence, can_win=True,
            weights=scoreboard.weights, beaten_by={},
        )  # fmt: skip
    if candidate not in scoreboard.contenders:
        return _out_of_question(scoreboard, candidate)
    found = reweighing(scoreboard, candidate)
    edit, is_sure = None, True
    if is_same_plan(candidate.plan, winner.plan):
        parts = [f"Candidate {candidate.index} has the same plan as candidate {winner.index}."]
    else:
        if scoreboard.judge is not None:
            edit, is_sure = smallest_edit(scoreboard, candidate)
        by_step = _by_step(scoreboard, edit, is_sure=is_sure)
        parts = [_parted(candidate, winner), _by_weights(scoreboard, found), by_step]
    return WhyNot(
        candidate=candidate,
        winner=winner,
        sentence=" ".join(parts),
        can_win=bool(found.weights),
        smallest_weight_change=found.smallest,
        weights=found.weights,
        beaten_by=found.beaten_by,
        smallest_step_change=edit,
    )


def _out_of_question(scoreboard: Scoreboard, candidate: Candidate) -> WhyNot:
    """Return the result for a candidate that cannot run while others can: points cannot help it."""
    head = f"Candidate {candidate.index} cannot run, and comes after all that can"
    return WhyNot(
        candidate=candidate,
        winner=scoreboard.winner,
        sentence=f"{head}: {candidate.flaw}.",
        can_win=False,
        weights={},
        beaten_by={},
    )


def _parted(candidate: Candidate, winner: Candidate) -> str:
    """Return the points of both candidates and the rules in which they differ, in words."""
    pairs = zip(candidate.scorecard.findings, winner.scorecard.findings, strict=True)
    gaps = {own.rule: own.points - other.points for own, other in pairs}
    reasons = ", ".join(
        f"{rule} {gap:+.4g}" for rule, gap in sorted(gaps.items(), key=lambda item: item[1]) if gap
    )
    own, other = candidate.scorecard.score, winner.scorecard.score
    head = f"Candidate {candidate.index} has {own:.4g} points, candidate {winner.index} {other:.4g}"
    if own == other:
        later = candidate.scorecard.tie_breaker == winner.scorecard.tie_breaker
        reason = "was sampled later" if later else "has more steps"
        return f"{head}, and it {reason}{f' ({reasons})' if reasons else ''}."
    return f"{head}: {reasons}."


def _by_weights(scoreboard: Scoreboard, found: CounterfactualWeights) -> str:
    """Return which weights would make the candidate win, in words."""
    if found.smallest is not None:
        return f"It would win with {found.smallest.words}."
    if found.weights:
        moved = {r: w for r, w in found.weights.items() if w != scoreboard.weights[r]}
        listed = ", ".join(f"{rule} {plain(weight)}" for rule, weight in moved.items())
        return f"No change of one weight makes it win; the nearest weights that do are {listed}."
    if len(found.beaten_by) == 1:
        (rival,) = found.beaten_by
        return f"No weights can make it win: candidate {rival} has no fewer points in any rule."
    if not found.beaten_by:
        return "No weights were found: at best it ties, and the rounding of sums decides then."
    mix = " and ".join(
        f"candidate {index} ({shown(100 * share)} %)" for index, share in found.beaten_by.items()
    )
    return f"No weights can make it win: {mix} together have no fewer points in any rule."


def _by_step(scoreboard: Scoreboard, edit: CounterfactualStep | None, *, is_sure: bool) -> str:
    """Return in words which edit would make the candidate win, and if not all were tried."""
    if scoreboard.judge is None:
        return scoreboard.silent
    limit = "" if is_sure else "Its plan is too long to try every edit. "
    if edit is None:
        return f"{limit}No single other step{'' if is_sure else ' that was tried'} makes it win."
    if edit.is_winners_plan:
        return f"{limit}With {edit.words} it would be the winner's plan."
    return f"{limit}With {edit.words} it would win with {edit.score:.4g} points."
