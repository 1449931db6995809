"""Limits of the journal: deletes the oldest ended runs when there are too many.

A run that can still be resumed is never deleted.
"""

from __future__ import annotations

from typing import Final

from okso_jupyter.journal.dropping import drop, ended
from okso_jupyter.journal.store import Journal
from okso_jupyter.log import LOGGER

#: Maximum number of runs in one journal, and its maximum size in bytes.
MAX_RUNS: Final = 5000
MAX_JOURNAL_BYTES: Final = 4 * 1024**3
#: Free a tenth of the limit at once, so that not every new run has to delete one.
_AT_ONCE: Final = 10


def make_room(
    journal: Journal, *, max_runs: int = MAX_RUNS, max_bytes: int = MAX_JOURNAL_BYTES
) -> tuple[str, ...]:
    """Delete the oldest ended runs and their folders if there are too many; return their ids.

    Raises:
        JournalError: The journal cannot be written.
    """
    if journal.count_runs() < max_runs and journal.size_bytes() < max_bytes:
        return ()
    over = ended(journal, journal.run_ids())
    room, batch_runs = max(1, max_runs // _AT_ONCE), max(1, len(over) // _AT_ONCE)
    dropped: list[str] = []
    while over and (journal.count_runs() > max_runs - room or journal.size_bytes() >= max_bytes):
        batch, over = over[:batch_runs], over[batch_runs:]
        dropped += drop(journal, batch).runs
    if dropped:
        detail = {"runs": len(dropped), "journal": str(journal.path)}
        LOGGER.warning("the oldest runs were dropped from the journal", extra={"detail": detail})
    return tuple(dropped)
