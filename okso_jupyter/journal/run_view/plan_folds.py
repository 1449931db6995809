"""Plans of a run: the latest planning call, and the versions made, proposed and turned down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, assert_never, get_args

from okso_jupyter.journal.events import (
    CandidateChosen,
    CandidateScored,
    DecisionMade,
    ModelUsed,
    PlanMade,
    PlanProposed,
    SampleUnusable,
)
from okso_jupyter.journal.run_view.fold import Fold
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.revision import Revision

PlanningEvent = ModelUsed | CandidateScored | SampleUnusable | CandidateChosen


@dataclass(kw_only=True)
class PlanningFold(Fold[PlanningEvent]):
    """The latest planning call; one without candidates leaves those of the call before it.

    Attributes:
        scored: The candidates.
        unusable: The samples since the call began that are no plan.
        chosen: The choice that a planning call made last.
    """

    takes = get_args(PlanningEvent)
    scored: list[CandidateScored] = field(default_factory=list)
    unusable: list[SampleUnusable] = field(default_factory=list)
    chosen: CandidateChosen | None = None
    #: Unusable samples of a call that has no candidate yet; None if no such call has begun.
    _begun: list[SampleUnusable] | None = None

    def apply(self, event: PlanningEvent, at: str) -> None:
        """Change what is known of the planning as an event says."""
        del at
        match event:
            case ModelUsed(role=role):
                self._begun = [] if role == "planner" else self._begun
            case SampleUnusable():
                self._reject(event)
            case CandidateScored():
                self._score(event)
            case CandidateChosen():
                self.chosen = event
            case _:
                assert_never(event)

    def _reject(self, sample: SampleUnusable) -> None:
        self.unusable.append(sample)
        if self._begun is not None:
            self._begun.append(sample)

    def _score(self, candidate: CandidateScored) -> None:
        if self._begun is not None:
            self.scored, self.unusable, self._begun = [], self._begun, None
        self.scored.append(candidate)


VersionEvent = PlanMade | PlanProposed | DecisionMade


@dataclass(slots=True)
class _Version:
    """A version of the plan, the version that it was to replace, and the decision about it."""

    older: PlanMade | None
    newer: PlanMade | PlanProposed
    decision: str = ""

    @property
    def revision(self) -> Revision:
        return Revision(
            older=None if self.older is None else Plan.from_dict(self.older.plan),
            newer=Plan.from_dict(self.newer.plan),
            cause=self.newer.cause or "planned",
            reason=self.newer.reason or "",
            decision=self.decision,
        )


@dataclass(kw_only=True)
class VersionFold(Fold[VersionEvent]):
    """Versions of a run's plan; plans stay JSON data until they are asked for.

    Attributes:
        made: The version that was made last.
        latest: The version that was made or proposed last.
        highest: The highest number of a version that was made; 0 before the first.
        turned_down: Plans with the feedback about them.
        doubts: Why no policy may decide about a version, by its number.
    """

    takes = get_args(VersionEvent)
    made: PlanMade | None = None
    latest: PlanMade | PlanProposed | None = None
    highest: int = 0
    turned_down: list[tuple[Mapping[str, Any], str]] = field(default_factory=list)
    doubts: dict[int, str] = field(default_factory=dict)
    _versions: list[_Version] = field(default_factory=list)
    #: The version that a newer one replaces.
    _standing: PlanMade | None = None
    #: Each made version that was approved, once.
    _adopted: list[PlanMade] = field(default_factory=list)

    @property
    def revisions(self) -> tuple[Revision, ...]:
        """Every version that was shown, paired with the version that it was to replace.

        While a run executes, a proposal replaces the latest approved version; before that, it
        replaces the version shown last.
        """
        return tuple(version.revision for version in self._versions)

    @property
    def superseded(self) -> list[Plan]:
        """The versions of the plan that were approved before the latest one."""
        newest = 0 if self.made is None else _number(self.made)
        plans = (Plan.from_dict(made.plan) for made in self._adopted)
        return [plan for plan in plans if plan.version < newest]

    def apply(self, event: VersionEvent, at: str) -> None:
        """Change the versions as an event says."""
        del at
        match event:
            case PlanMade():
                self._make(event)
            case PlanProposed():
                self._propose(event)
            case DecisionMade():
                self._decide(event)
            case _:
                assert_never(event)

    def _make(self, made: PlanMade) -> None:
        number = _number(made)
        self._propose(made)
        self.made = made
        self.highest = max(self.highest, number)
        if self._standing is None or number > _number(self._standing):
            self._standing = made

    def _propose(self, newer: PlanMade | PlanProposed) -> None:
        number = _number(newer)
        self.latest = newer
        self.doubts[number] = newer.doubt
        is_newer = self._standing is None or number > _number(self._standing)
        if is_newer and all(number != _number(version.newer) for version in self._versions):
            self._versions.append(_Version(self._standing, newer))

    def _decide(self, decided: DecisionMade) -> None:
        if self._versions and not self._versions[-1].decision:
            self._versions[-1].decision = decided.decision
        if decided.decision == "feedback":
            self.turned_down.append((self.made.plan if self.made else {}, decided.feedback))
        if decided.is_approval:
            self._adopt()

    def _adopt(self) -> None:
        if self.made is not None and (not self._adopted or self._adopted[-1] is not self.made):
            self._adopted.append(self.made)


def _number(made: PlanMade | PlanProposed) -> int:
    return int(made.plan.get("version", 1))
