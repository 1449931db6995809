"""RunView: the state of a run, made out of its events by one fold.

In: the records of a run, all at once or one after the other. Out: the run's state in parts. The
live view, `Run`, resuming, approvals and undo are views of it. A new kind of event is taken by a
part, or it is named in `NotFolded`; otherwise mypy fails here.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from okso_jupyter.errors import JournalError
from okso_jupyter.journal.events import (
    AnswerChecked,
    AnswerGiven,
    BackgroundFound,
    Event,
    OutputTaken,
    OutsideAsked,
    PromptCut,
    PromptsSent,
    RuleMatched,
    RunMoved,
    RunStarted,
    ToolsRanked,
    TreeGrown,
    UnknownEvent,
)
from okso_jupyter.journal.run_view.approval_folds import (
    ApprovalEvent,
    ApprovalFold,
    DecisionEvent,
    DecisionFold,
)
from okso_jupyter.journal.run_view.fold import Fold, FoldInput
from okso_jupyter.journal.run_view.live_fold import LiveEvent, LiveFold
from okso_jupyter.journal.run_view.plan_folds import (
    PlanningEvent,
    PlanningFold,
    VersionEvent,
    VersionFold,
)
from okso_jupyter.journal.run_view.run_folds import (
    EndingEvent,
    EndingFold,
    PassedFold,
    StartFold,
    StateFold,
)
from okso_jupyter.journal.run_view.spending_fold import SpendingEvent, SpendingFold
from okso_jupyter.journal.run_view.step_folds import (
    CallEvent,
    CallFold,
    ProgressEvent,
    ProgressFold,
    ReversalEvent,
    ReversalFold,
    VerdictEvent,
    VerdictFold,
)
from okso_jupyter.plan.live import Live
from okso_jupyter.plan.states import RunState

_F = TypeVar("_F", bound=Fold[Any])

#: What changes no state: each event stands for itself, as a row of a table or one entry.
NotFolded = (
    BackgroundFound
    | PromptCut
    | PromptsSent
    | TreeGrown
    | ToolsRanked
    | OutsideAsked
    | RuleMatched
    | AnswerGiven
    | OutputTaken
    | UnknownEvent
)
#: What a part takes.
Folded = (
    RunStarted
    | RunMoved
    | PlanningEvent
    | VersionEvent
    | DecisionEvent
    | ApprovalEvent
    | CallEvent
    | ProgressEvent
    | LiveEvent
    | EndingEvent
    | VerdictEvent
    | ReversalEvent
    | SpendingEvent
)


@dataclass(frozen=True, slots=True)
class _Heard:
    """An event of a run that is executing, and when it was recorded."""

    event: Folded
    at: str

    @property
    def kind(self) -> str:
        return self.event.kind

    def damaged(self, error: Exception) -> JournalError:
        return JournalError(f"an event of kind {self.kind} cannot be used: {error}")


class RunView:
    """State of one run, in parts.

    A part applies its events when it is read. A damaged record harms the parts that take its kind,
    and no other: reading one of those raises `JournalError`.

    Args:
        run_id: The run.
        records: Its records so far, in order.
        parts: The parts that will be read; reading another one is a KeyError. None for all.
    """

    def __init__(
        self,
        run_id: str,
        records: Iterable[FoldInput] = (),
        parts: Container[type[Fold[Any]]] | None = None,
    ) -> None:
        self._folds = {
            type(fold): fold
            for fold in _new_folds(run_id)
            # A part that is never read would keep its waiting events.
            if parts is None or type(fold) in parts
        }
        self._folds_by_kind = _by_kind(self._folds.values())
        for record in records:
            self.apply(record)

    def apply(self, record: FoldInput) -> None:
        """Take in the next record of the run."""
        for part in self._folds_by_kind.get(record.kind, ()):
            part.waiting.append(record)

    def apply_event(self, event: Event, at: str) -> None:
        """Take in an event that is being recorded.

        Args:
            event: The event.
            at: The time, ISO 8601 in UTC.
        """
        if not isinstance(event, NotFolded):
            self.apply(_Heard(event, at))

    @property
    def started(self) -> RunStarted | None:
        """What it began with; None if the journal lacks the record."""
        return self._read(StartFold).started

    @property
    def state(self) -> RunState:
        """The state of the run."""
        return self._read(StateFold).state

    @property
    def passed(self) -> AbstractSet[RunState]:
        """Every state that the run moved to."""
        return self._read(PassedFold).passed

    @property
    def planning(self) -> PlanningFold:
        """The latest planning call."""
        return self._read(PlanningFold)

    @property
    def versions(self) -> VersionFold:
        """The versions of its plan."""
        return self._read(VersionFold)

    @property
    def decisions(self) -> DecisionFold:
        """What was shown of its plan, and what was decided about that."""
        return self._read(DecisionFold)

    @property
    def approvals(self) -> ApprovalFold:
        """What was approved, and how much of it is left."""
        return self._read(ApprovalFold)

    @property
    def calls(self) -> CallFold:
        """Its calls, with and without a result."""
        return self._read(CallFold)

    @property
    def steps(self) -> ProgressFold:
        """The progress through the plan: step states and results."""
        return self._read(ProgressFold)

    @property
    def live(self) -> Live:
        """What a cell shows while it executes."""
        return self._read(LiveFold).live

    @property
    def ending(self) -> EndingFold:
        """How it came to its end or to a pause."""
        return self._read(EndingFold)

    @property
    def verdict(self) -> AnswerChecked | None:
        """The check of its answer; None if the answer was not checked."""
        return self._read(VerdictFold).verdict

    @property
    def reversals(self) -> ReversalFold:
        """Undo and redo of its file changes."""
        return self._read(ReversalFold)

    @property
    def spending(self) -> SpendingFold:
        """What was spent, and which budgets were used up."""
        return self._read(SpendingFold)

    def _read(self, part: type[_F]) -> _F:
        """Return a part with all its events applied."""
        return cast("_F", self._folds[part]).caught_up()


def _new_folds(run_id: str) -> list[Fold[Any]]:
    """Return every part of the state of a run, without events."""
    return [
        StartFold(),
        StateFold(),
        PassedFold(),
        PlanningFold(),
        VersionFold(),
        DecisionFold(run_id=run_id),
        ApprovalFold(run_id=run_id),
        CallFold(),
        ProgressFold(),
        LiveFold(live=Live(run_id=run_id)),
        EndingFold(),
        VerdictFold(),
        ReversalFold(),
        SpendingFold(),
    ]


def _by_kind(parts: Iterable[Fold[Any]]) -> dict[str, list[Fold[Any]]]:
    """Return the parts that take each kind of event."""
    takers: dict[str, list[Fold[Any]]] = {}
    for part in parts:
        for event in part.takes:
            takers.setdefault(event.kind, []).append(part)
    return takers
