"""Retention: deletes a run that the user names, and runs older than the retention period."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from okso_jupyter.errors import JournalError, UsageError
from okso_jupyter.journal.dropping import Dropped, drop, ended, open_runs
from okso_jupyter.journal.events import RunStarted
from okso_jupyter.journal.lease import lease
from okso_jupyter.journal.store import Journal
from okso_jupyter.log import LOGGER

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
