"""RunRecords: the records of a run, and the state that they make."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TypeVar

from okso_jupyter.journal.events import Recorded
from okso_jupyter.journal.run_view import RunView
from okso_jupyter.journal.store import Record, events_of, last_of

_E = TypeVar("_E", bound=Recorded)


class RunRecords:
    """Base of `Run` and its mixins.

    Attributes:
        id: The run's id in the journal.
        records: All journal records of the run, in order.
    """

    id: str
    records: tuple[Record, ...]

    @cached_property
    def view(self) -> RunView:
        """The state of the run, made of its records."""
        return RunView(self.id, self.records)

    def _read_on(self, records: Sequence[Record]) -> None:
        """Take in the records that were written since.

        Args:
            records: All records of the run as the journal has them now.
        """
        view = self.view  # made of the records so far, before newer ones are among them
        newer = tuple(record for record in records if record.seq > self.records[-1].seq)
        self.records += newer
        for record in newer:
            view.apply(record)

    def _events(self, kind: type[_E]) -> list[_E]:
        """Return every event of a kind: the rows of a table."""
        return events_of(self.records, kind)

    def _last(self, kind: type[_E]) -> _E | None:
        """Return the last event of a kind, which alone says what is asked for."""
        return last_of(self.records, kind)
