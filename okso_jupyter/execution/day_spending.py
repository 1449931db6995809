"""DaySpending: what the other runs of a day have spent, also those that run at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final

from filelock import FileLock, Timeout

from okso_jupyter.errors import JournalError, ToolTimeoutError
from okso_jupyter.journal.run_view import RunView
from okso_jupyter.journal.run_view.spending_fold import SpendingFold
from okso_jupyter.journal.store import Journal
from okso_jupyter.plan.spending import Spent

_LOCK: Final = "day-budget.lock"
_LOCK_TIMEOUT_S: Final = 60.0


def _today() -> date:
    return datetime.now().astimezone().date()


@dataclass(slots=True, kw_only=True)
class DaySpending:
    """What all runs have spent that began on a day, local time, besides one.

    Attributes:
        journal: The journal of all runs.
        besides: The run that is left out.
        day: The day.
    """

    journal: Journal
    besides: str
    day: date = field(default_factory=_today)
    #: What each run had spent at its last record.
    _known: dict[str, tuple[int, Spent]] = field(default_factory=dict)

    def now(self) -> Spent:
        """Return what is spent up to now; only runs that went on are read again."""
        places = self.journal.last_places()
        spent = Spent()
        for run_id, at in self.journal.first_times().items():
            is_of_day = datetime.fromisoformat(at).astimezone().date() == self.day
            if is_of_day and run_id != self.besides:
                spent += self._spent_by(run_id, places.get(run_id, 0))
        return spent

    def _spent_by(self, run_id: str, place: int) -> Spent:
        """Return what a run has spent; one whose records cannot be read must not stop others."""
        known = self._known.get(run_id)
        if known is None or known[0] != place:
            spent = Spent()
            with suppress(JournalError):
                records = self.journal.records(run_id, *SpendingFold.takes)
                spent = RunView(run_id, records, parts=(SpendingFold,)).spending.spent
            known = self._known[run_id] = (place, spent)
        return known[1]

    @contextmanager
    def reserving(self) -> Iterator[None]:
        """Let no other run look at what is spent until this one has recorded what it begins.

        Raises:
            ToolTimeoutError: Others have been doing so for too long; nothing ran.
        """
        lock = FileLock(self.journal.path.with_name(_LOCK), timeout=_LOCK_TIMEOUT_S, mode=0o600)
        try:
            lock.acquire()
        except Timeout as error:
            msg = f"another run has been beginning a call for {_LOCK_TIMEOUT_S:g} s"
            raise ToolTimeoutError(msg) from error
        try:
            yield
        finally:
            lock.release()
