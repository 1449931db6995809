"""Dropping runs: their records, their folders, and the undo images that no other run needs."""

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
    """What is gone.

    Attributes:
        runs: Ids of the runs.
        records: How many records they had.
        images: How many undo images no run needed any more.
        images_bytes: The size of these.
    """

    runs: tuple[str, ...]
    records: int = 0
    images: int = 0
    images_bytes: int = 0


def ended(journal: Journal, run_ids: Iterable[str]) -> list[str]:
    """Return those of some runs that are over and run nowhere, whatever their last records say.

    One that cannot be read is none of them: a person may forget it by its name.
    """
    kept = open_runs(journal).keys() | journal.unreadable_runs(RunMoved)
    return [
        run_id
        for run_id in run_ids
        if run_id not in kept and not is_leased(journal.folder_of(run_id))
    ]


def open_runs(journal: Journal) -> dict[str, RunState]:
    """Return where every run stands that did not end by its records, and can be gone on with.

    One that was only planned or rehearsed was left at that, and one that cannot be read is stuck.
    """
    answered = set(journal.runs_with(AnswerGiven))
    return {
        record.run_id: move.after
        for record, move in journal.last_of_each(RunMoved)
        if move.after not in _ENDED
        and not (move.after is RunState.APPROVED and record.run_id in answered)
    }


def drop(journal: Journal, run_ids: Iterable[str]) -> Dropped:
    """Drop runs, and every undo image that none of those that are left could need.

    Raises:
        JournalError: The journal cannot be written; nothing was dropped.
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
    """Remove the images that no record names; return how many there were, and their bytes.

    A run that has not ended may have kept one that no record names yet: what is as new as such a
    run stays. Where a record cannot be read, all of them stay.
    """
    images = Images.beneath(journal.path.parent)
    kept = images.kept()  # looked up first: what is kept from now on is not among them
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
    """Return when the first run began that may yet change files; None where there is none."""
    waiting = open_runs(journal).keys() | journal.unreadable_runs(RunMoved)
    begun = (
        datetime.fromisoformat(at).timestamp()
        for run_id, at in journal.first_times().items()
        if run_id in waiting or is_leased(journal.folder_of(run_id))
    )
    return min(begun, default=None)


def _named(journal: Journal) -> Iterator[str]:
    """Yield the hash of every content that a record of a change names.

    Raises:
        TypeError: A record is damaged.
        ValueError: So it is.
    """
    for _, changes in journal.part_of_each(ObservationMade, "changes"):
        for change in from_json(Changes, changes or {}).details:
            yield from (state.sha256 for state in (change.before, change.after) if state)
