"""PlanningOutcome: one planning call, which rule decided it, and what became of its plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from okso_jupyter.errors import JournalError, SettingError
from okso_jupyter.journal.events import (
    CandidateChosen,
    CandidateScored,
    DecisionMade,
    ModelUsed,
    PlanMade,
    PlanProposed,
    ProposalShown,
    Recorded,
    RunMoved,
    RunStarted,
)
from okso_jupyter.journal.store import Journal, Record, with_events
from okso_jupyter.plan.plan import calls_of
from okso_jupyter.plan.records import Candidate
from okso_jupyter.plan.states import RunState

#: What is read of each run.
_KINDS: Final[tuple[type[Recorded], ...]] = (
    RunStarted, ModelUsed, CandidateScored, CandidateChosen, PlanMade, PlanProposed,
    ProposalShown, DecisionMade, RunMoved,
)  # fmt: skip
#: Causes of a version that a person made in the form.
_BY_HAND: Final = frozenset({"edit", "candidate"})
#: Causes of a new plan for the rest of a run: the plan before it did not do what it should.
_AFTER_FAILURE: Final = frozenset({"failure", "in_a_row", "divergence", "validation"})
#: Deciders who are no one: the time was up, or the cell was run again.
_NO_ONE: Final = frozenset({"timeout", "superseded"})
#: The start of the names of the rules for questions about tables, whose points are another scale.
_OF_TABLES: Final = "query_"
_TABLES: Final = "table question"

BestScore = Callable[[Mapping[str, Any]], float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanningOutcome:
    """One planning call of a run that chose a plan.

    Attributes:
        run_id: The run.
        at: When the plan was chosen, ISO 8601 in UTC.
        request: The request.
        scale: The set of rules that scored it: "default", "okso" or "table question".
        score: Points of the chosen plan.
        best: Points of the best plan that a request can have; None if they are not known.
        candidates: Number of candidates.
        lead: Points ahead of the best different plan; None if there is no different one.
        leads_by: Points of this lead by rule; empty if there is no different plan.
        decisive: The rules without which a different plan would have been chosen.
        decision: "approved", "edited", "rejected" or "sent back"; empty if no one decided.
        by: Who decided.
        is_failed: Whether the run failed with the plan, or another plan had to replace it.
    """

    run_id: str
    at: str
    request: str
    scale: str
    score: float
    best: float | None
    candidates: int
    lead: float | None = None
    leads_by: Mapping[str, float] = field(default_factory=dict)
    decisive: tuple[str, ...] = ()
    decision: str = ""
    by: str = ""
    is_failed: bool = False

    @property
    def rule(self) -> str:
        """The rule that gave the largest part of the lead; empty if there is no lead."""
        most = max(self.leads_by.values(), default=0.0)
        return next((rule for rule, points in self.leads_by.items() if points == most > 0), "")

    @property
    def is_run(self) -> bool:
        """Whether the plan was approved, as it was or edited."""
        return self.decision in {"approved", "edited"}


def planning_outcomes(
    journal: Journal, best_score: BestScore
) -> tuple[list[PlanningOutcome], list[str]]:
    """Return every planning call of a journal, oldest first, and why runs cannot be read.

    Args:
        journal: The journal.
        best_score: Returns the points of the best plan that a request can have under settings.
    """
    found: list[PlanningOutcome] = []
    unread: list[str] = []
    for run_id in journal.run_ids():
        try:
            found += _of_run(run_id, journal.records(run_id, *_KINDS), best_score)
        except JournalError as error:
            unread.append(error.message)
    return found, unread


def _of_run(run_id: str, records: Sequence[Record], best_score: BestScore) -> list[PlanningOutcome]:
    """Return the planning calls of a run.

    Raises:
        JournalError: A record is damaged.
    """
    reader = _Reader(run_id, best_score)
    for record, event in with_events(records, *_KINDS):
        reader.take(event, record.at)
    return reader.found


@dataclass(slots=True)
class _Reader:
    """Reads the records of one run in order."""

    run_id: str
    best_score: BestScore
    found: list[PlanningOutcome] = field(default_factory=list)
    _started: RunStarted | None = None
    _scored: list[CandidateScored] = field(default_factory=list)
    _is_edited: bool = False
    #: Whether what was shown last is the plan as a whole.
    _is_plan_shown: bool = False

    def take(self, event: Recorded, at: str) -> None:
        """Take the next record."""
        match event:
            case RunStarted():
                self._started = event
            case ModelUsed(role="planner"):
                self._scored = []
            case CandidateScored():
                self._scored.append(event)
            case CandidateChosen():
                self._choose(event, at)
            case PlanMade(cause=cause) | PlanProposed(cause=cause):
                self._plan(cause or "")
            case ProposalShown(about=about):
                self._is_plan_shown = about == "plan"
            case DecisionMade():
                self._decide(event)
            case RunMoved(after=RunState.FAILED):
                self._fail(self.found[-1:])
            case _:
                pass

    def _choose(self, chosen: CandidateChosen, at: str) -> None:
        scored, self._scored, self._is_edited = self._scored, [], False
        candidates = [one.candidate for one in scored]
        winner = next((one for one in candidates if one.index == chosen.index), None)
        if chosen.reply or winner is None:
            return  # the request was answered without a plan
        is_of_tables = any(one.rule.startswith(_OF_TABLES) for one in winner.scorecard.findings)
        started = self._started
        outcome = PlanningOutcome(
            run_id=self.run_id,
            at=at,
            request=started.request if started is not None else "",
            scale=_TABLES if is_of_tables else chosen.preset,
            score=winner.scorecard.score,
            best=None if is_of_tables else self._best(),
            candidates=len(candidates),
        )
        self.found.append(_with_lead(outcome, winner, candidates))

    def _best(self) -> float | None:
        """Return the points of the best plan that a request can have; None if unknown."""
        try:
            return self.best_score(self._started.settings if self._started is not None else {})
        except SettingError:
            return None  # a setting of another version

    def _plan(self, cause: str) -> None:
        self._is_edited |= cause in _BY_HAND
        if cause in _AFTER_FAILURE:  # the newest planning call is that of the new plan
            self._fail(self.found[-2:-1])

    def _decide(self, made: DecisionMade) -> None:
        """Note the first decision about the newest plan."""
        if not self.found or self.found[-1].decision or not self._is_plan_shown:
            return
        words = {"reject": "rejected", "feedback": "sent back"}
        word = words.get(made.decision, "edited" if self._is_edited else "approved")
        decision = "" if made.by in _NO_ONE else word
        self.found[-1] = replace(self.found[-1], decision=decision, by=made.by)

    def _fail(self, which: Sequence[PlanningOutcome]) -> None:
        for outcome in which:
            if outcome.is_run:
                place = self.found.index(outcome)
                self.found[place] = replace(outcome, is_failed=True)


def _with_lead(
    outcome: PlanningOutcome, winner: Candidate, candidates: Sequence[Candidate]
) -> PlanningOutcome:
    """Return an outcome with the lead over the best different plan, rule by rule."""
    mine = calls_of(winner.plan)
    others = [one for one in candidates if calls_of(one.plan) != mine]
    if not others:
        return outcome
    second = max(others, key=lambda one: (not one.flaw, one.standing))
    theirs = {found.rule: found.points for found in second.scorecard.findings}
    leads_by = {
        found.rule: found.points - theirs.get(found.rule, 0.0)
        for found in winner.scorecard.findings
    }
    decisive = [
        rule for rule in leads_by if calls_of(_first_without(rule, candidates).plan) != mine
    ]
    return replace(
        outcome,
        lead=winner.scorecard.score - second.scorecard.score,
        leads_by=leads_by,
        decisive=tuple(decisive),
    )


def _first_without(rule: str, candidates: Sequence[Candidate]) -> Candidate:
    """Return the candidate that would be chosen if a rule gave no points."""

    def standing(one: Candidate) -> tuple[bool, float, float, int]:
        points = sum(f.points for f in one.scorecard.findings if f.rule == rule)
        score, tie_breaker, place = one.standing
        return not one.flaw, score - points, tie_breaker, place

    return max(candidates, key=standing)
