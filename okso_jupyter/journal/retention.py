"""Retention: deletes runs that the user names, that are too old, or that are too many.

With a run go its records, its folder, and the undo images that no other run needs. A run that can
be resumed is never deleted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from okso_jupyter import removal
from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.errors import JournalError, UsageError
from okso_jupyter.journal.codec import from_json
from okso_jupyter.journal.events import AnswerGiven, ObservationMade, RunMoved, RunStarted
from okso_jupyter.journal.lease import is_leased, lease
from okso_jupyter.journal.store import Journal
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.states import RunState
from okso_jupyter.workspace import Images

_ENDED: Final = frozenset({RunState.COMPLETED, RunState.FAILED, RunState.CANCELLED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """What was deleted.

    Attributes:
        runs: Ids of the runs.
        records: How many records these runs had.
        images: How many undo images were deleted because no run needs them any more.
        images_bytes: Total size of these images, in bytes.
    """

    runs: tuple[str, ...]
    records: int = 0
    images: int = 0
    images_bytes: int = 0


def ended(journal: Journal, run_ids: Iterable[str]) -> list[str]:
    """Return the ids of the runs that have ended and hold no lease, in the given order.

    A run that cannot be read is left out; a person may forget it by its id.
    """
    kept = open_runs(journal).keys() | journal.unreadable_runs(RunMoved)
    return [
        run_id
        for run_id in run_ids
        if run_id not in kept and not is_leased(journal.folder_of(run_id))
    ]


def open_runs(journal: Journal) -> dict[str, RunState]:
    """Return the state of each run that has not ended by its records and can be resumed.

    Runs that were only planned or dry-run count as ended. Runs that cannot be read are left out.
    """
    answered = set(journal.runs_with(AnswerGiven))
    return {
        record.run_id: move.after
        for record, move in journal.last_of_each(RunMoved)
        if move.after not in _ENDED
        and not (move.after is RunState.APPROVED and record.run_id in answered)
    }


def drop(journal: Journal, run_ids: Iterable[str]) -> Dropped:
    """Delete runs, and every undo image that no remaining run could need.

    Raises:
        JournalError: The journal cannot be written; nothing was deleted.
    """
    ids = tuple(run_ids)
    if not ids:
        return Dropped(runs=())
    records = journal.drop(ids)
    for run_id in ids:
        removal.remove(journal.folder_of(run_id))
    images, images_bytes = _remove_images(journal)
    return Dropped(runs=ids, records=records, images=images, images_bytes=images_bytes)


def _remove_images(journal: Journal) -> tuple[int, int]:
    """Delete the images that no record names; return their count and total bytes.

    A run that has not ended may have stored an image that no record names yet, so images newer than
    the start of the oldest such run are kept. If any record cannot be read, all images are kept.
    """
    images = Images.beneath(journal.path.parent)
    kept = images.kept()  # listed first, so that images stored from now on are not considered
    if not kept or journal.is_damaged(ObservationMade):
        return 0, 0
    since_s = _oldest_open_s(journal)
    try:
        needed = set(_named(journal))
    except (TypeError, ValueError):
        return 0, 0
    unneeded = [
        (name, info)
        for name, info in kept.items()
        if name not in needed and (since_s is None or info.st_mtime < since_s)
    ]
    gone_bytes = [info.st_size for name, info in unneeded if images.remove(name, info)]
    return len(gone_bytes), sum(gone_bytes)


def _oldest_open_s(journal: Journal) -> float | None:
    """Return when the oldest run that may still change files began; None if there is none."""
    waiting = open_runs(journal).keys() | journal.unreadable_runs(RunMoved)
    begun = (
        datetime.fromisoformat(at).timestamp()
        for run_id, at in journal.first_times().items()
        if run_id in waiting or is_leased(journal.folder_of(run_id))
    )
    return min(begun, default=None)


def _named(journal: Journal) -> Iterator[str]:
    """Yield the hash of every file content that a recorded change refers to.

    Raises:
        TypeError: A record is damaged.
        ValueError: A record is damaged.
    """
    for _, changes in journal.part_of_each(ObservationMade, "changes"):
        for change in from_json(Changes, changes or {}).details:
            yield from (state.sha256 for state in (change.before, change.after) if state)


#: Settings that name files a run wrote outside the journal; in a folder, each run has its part.
_FILES: Final = ("OKSO_TRACE_DIR", "OKSO_PLAN_OUTPUT", "OKSO_RECORD")


def forget(journal: Journal, run_id: str) -> Dropped:
    """Delete an ended or damaged run from the journal, with its folder and its undo images.

    Raises:
        JournalError: The run does not exist, is of a newer version, or the journal cannot be
            written.
        UsageError: The run is running, or can be resumed.
    """
    if run_id not in journal.run_ids():
        msg = f"there is no run {run_id!r} in the journal"
        raise JournalError(msg, hint="%okso runs lists them")
    journal.check_version(run_id)
    with lease(journal.folder_of(run_id)):
        state = open_runs(journal).get(run_id)
        if state is not None:
            msg = f"run {run_id} has not ended: it is {state.replace('_', ' ')}"
            hint = f"%okso resume {run_id} finishes it; to reject its plan ends it too"
            raise UsageError(msg, hint=hint)
        return drop(journal, [run_id])


def expire(journal: Journal, days: int) -> Dropped:
    """Delete the runs that ended more than this many days ago; 0 keeps all runs.

    Raises:
        JournalError: The journal cannot be read or written.
    """
    if not days:
        return Dropped(runs=())
    limit = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="microseconds")
    old = [run_id for run_id, at in journal.last_times().items() if at < limit]
    dropped = drop(journal, ended(journal, old))
    if dropped.runs:
        detail = {"runs": len(dropped.runs), "days": days, "images": dropped.images}
        LOGGER.info("old runs left the journal", extra={"detail": detail})
    return dropped


def left_behind(run_id: str, started: RunStarted) -> list[Path]:
    """Return the existing files and folders that a run wrote outside the journal.

    Args:
        run_id: The run.
        started: Its `run_started` event.
    """
    root, settings = Path(started.root), started.settings
    named = {name: Path(settings[name]).expanduser() for name in _FILES if settings.get(name)}
    if "OKSO_TRACE_DIR" in named:
        named["OKSO_TRACE_DIR"] /= run_id
    return [path for path in (root / one for one in named.values()) if path.exists()]


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
