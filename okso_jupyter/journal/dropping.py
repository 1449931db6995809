"""Deletion of runs: their records, their folders, and the undo images that no other run needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from okso_jupyter import removal
from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.journal.codec import from_json
from okso_jupyter.journal.events import AnswerGiven, ObservationMade, RunMoved
from okso_jupyter.journal.lease import is_leased
from okso_jupyter.journal.store import Journal
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
