"""Fold: base of the parts of a run's state; each takes some kinds of events, in their order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Generic, Protocol, Self, TypeVar

from okso_jupyter.errors import JournalError, PlanError
from okso_jupyter.journal.events import DecisionMade, ProposalShown, Recorded

_E = TypeVar("_E")


class FoldInput(Protocol):
    """An event and when it was recorded, such as a record of the journal."""

    @property
    def kind(self) -> str:
        """The kind of its record."""

    @property
    def at(self) -> str:
        """When it was recorded, ISO 8601 in UTC."""

    @property
    def event(self) -> Any:  # noqa: ANN401  its kind is one that the fold takes
        """The event.

        Raises:
            JournalError: Its record is damaged.
        """

    def damaged(self, error: Exception) -> JournalError:
        """Return the error that says that the event could not be applied, and where it is."""


#: What a damaged event raises when it is applied: what is in a field of it may be anything.
_DAMAGE: Final = (
    PlanError,
    AttributeError,
    LookupError,
    OverflowError,
    TypeError,
    ValueError,
)


@dataclass(kw_only=True)
class Fold(ABC, Generic[_E]):
    """One part of a run's state.

    Events wait until the part is read. So a damaged record harms only the parts that take its
    kind: reading one of those raises the error every time, since a part without one of its events
    would be a wrong state.

    Attributes:
        takes: The kinds of events that it is made of.
        waiting: Events that are not yet applied.
        broken: Why it can no longer be read: an event could not be applied; None if all were.
    """

    takes: ClassVar[tuple[type[Recorded], ...]]
    waiting: deque[FoldInput] = field(default_factory=deque, repr=False, compare=False)
    broken: JournalError | None = field(default=None, repr=False, compare=False)

    def caught_up(self) -> Self:
        """Apply the waiting events and return the part.

        Raises:
            JournalError: A record of one of its kinds is damaged.
        """
        if self.broken is not None:
            raise self.broken
        while self.waiting:
            event, at = self.waiting[0].event, self.waiting[0].at  # raises if damaged, every time
            record = self.waiting.popleft()  # first: whatever stops `apply`, it is not done twice
            try:
                self.apply(event, at)
            except _DAMAGE as error:
                self.broken = record.damaged(error)
                raise self.broken from error
        return self

    @abstractmethod
    def apply(self, event: _E, at: str) -> None:
        """Change the state as an event says.

        Args:
            event: The event.
            at: When it was recorded, ISO 8601 in UTC.
        """


def is_own(event: ProposalShown | DecisionMade, run_id: str) -> bool:
    """Return whether an event was written for the run that it is recorded under.

    What was shown or decided in another run grants nothing. Older records name no run.
    """
    return event.run in {None, run_id}
