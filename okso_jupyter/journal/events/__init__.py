"""Events: everything recorded about a run, one frozen class for each kind of record.

`to_json` of an event writes the body of its record, and `from_json` reads it. `Event` is the union
of all classes; readers name the kinds they want and get only those.

In: what happens in a run. Out: JSON data for the journal, and typed events for its readers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, get_args

from okso_jupyter.journal.events.base import Recorded
from okso_jupyter.journal.events.plan_events import (
    BackgroundFound,
    CandidateChosen,
    CandidateScored,
    CompletionMade,
    DecisionMade,
    ModelUsed,
    PlanMade,
    PlanProposed,
    PromptCut,
    PromptsSent,
    ProposalShown,
    RuleMatched,
    SampleUnusable,
    SearchDecided,
    ToolsRanked,
    TreeGrown,
)
from okso_jupyter.journal.events.run_events import (
    AnswerChecked,
    AnswerGiven,
    BudgetRaised,
    BudgetReached,
    ErrorRaised,
    OutputTaken,
    OutsideAsked,
    PauseRequested,
    ReversalAdvanced,
    ReversalEnded,
    ReversalStarted,
    RunDeclined,
    RunMoved,
    RunStarted,
    SpanEnded,
)
from okso_jupyter.journal.events.step_events import (
    ArgumentsFilled,
    CallStarted,
    ObservationMade,
    ReplanFailed,
    ReplanRequested,
    StepMoved,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownEvent:
    """A record of a kind that this version does not know; readers skip it.

    Attributes:
        kind: The kind of its record.
        body: Its body.
    """

    kind: str
    body: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Return the body of the record as JSON data."""
        return dict(self.body)


#: Every kind of event that is recorded, in the order in which they occur in a run.
KnownEvent = (
    RunStarted
    | BackgroundFound
    | SearchDecided
    | ModelUsed
    | PromptCut
    | PromptsSent
    | CompletionMade
    | TreeGrown
    | CandidateScored
    | SampleUnusable
    | ToolsRanked
    | CandidateChosen
    | PlanMade
    | RunMoved
    | ProposalShown
    | RuleMatched
    | DecisionMade
    | RunDeclined
    | StepMoved
    | ArgumentsFilled
    | CallStarted
    | ObservationMade
    | OutsideAsked
    | ReplanRequested
    | PlanProposed
    | ReplanFailed
    | PauseRequested
    | BudgetReached
    | BudgetRaised
    | AnswerGiven
    | AnswerChecked
    | OutputTaken
    | ErrorRaised
    | SpanEnded
    | ReversalStarted
    | ReversalAdvanced
    | ReversalEnded
)
Event = KnownEvent | UnknownEvent

#: The class of each kind of record.
EVENTS: Final[Mapping[str, type[KnownEvent]]] = {
    event.kind: event for event in get_args(KnownEvent)
}


def read_event(kind: str, body: Mapping[str, Any]) -> Event:
    """Return the event that a record holds; an `UnknownEvent` if its kind is unknown.

    Args:
        kind: The kind of the record.
        body: Its body.

    Raises:
        TypeError: A value has the wrong type.
        ValueError: A key is missing, or a value is not one of the allowed ones.
    """
    event = EVENTS.get(kind)
    return UnknownEvent(kind=kind, body=body) if event is None else event.from_json(body)


__all__ = [
    "EVENTS",
    "AnswerChecked",
    "AnswerGiven",
    "ArgumentsFilled",
    "BackgroundFound",
    "BudgetRaised",
    "BudgetReached",
    "CallStarted",
    "CandidateChosen",
    "CandidateScored",
    "CompletionMade",
    "DecisionMade",
    "ErrorRaised",
    "Event",
    "KnownEvent",
    "ModelUsed",
    "ObservationMade",
    "OutputTaken",
    "OutsideAsked",
    "PauseRequested",
    "PlanMade",
    "PlanProposed",
    "PromptCut",
    "PromptsSent",
    "ProposalShown",
    "Recorded",
    "ReplanFailed",
    "ReplanRequested",
    "ReversalAdvanced",
    "ReversalEnded",
    "ReversalStarted",
    "RuleMatched",
    "RunDeclined",
    "RunMoved",
    "RunStarted",
    "SampleUnusable",
    "SearchDecided",
    "SpanEnded",
    "StepMoved",
    "ToolsRanked",
    "TreeGrown",
    "UnknownEvent",
    "read_event",
]
