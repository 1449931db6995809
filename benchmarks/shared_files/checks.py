"""What is left of changes that were made at once: in the file, in the runs, and after undoing."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.shared_files.work import NAME, Work
from okso_jupyter import OksoError, Run
from okso_jupyter.effects.file_changes import FileChange
from okso_jupyter.journal.store import Journal
from okso_jupyter.redaction.redactor import remembered
from okso_jupyter.results import read_run


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """What is left of one trial.

    Attributes:
        lost: Changes that are not in the file.
        open: Runs that are not completed.
        ledger: Whether the ledgers tell of every change of the file, from the first content to
            the last without a gap.
        undo: Whether undoing the runs, the last one first, takes back what is theirs and nothing
            else.
    """

    lost: int
    open: int
    ledger: bool
    undo: bool


def read_runs(ids: Sequence[str], homes: Sequence[Path]) -> list[Run]:
    """Return runs from the journals that they are in."""
    return [_read(run_id, homes[place % len(homes)]) for place, run_id in enumerate(ids) if run_id]


def _read(run_id: str, home: Path) -> Run:
    with closing(Journal(home, remembered())) as journal:
        return read_run(journal, run_id)


def look(work: Work, file: Path, runs: Sequence[Run], wanted: int) -> Left:
    """Return what is left of a trial; the runs are undone for it.

    Args:
        work: The changes.
        file: The file.
        runs: The runs that made them.
        wanted: How many runs there should be.
    """
    text = file.read_text("utf-8")
    lost = sum(text.count(work.line(number)) != 1 for number in range(work.count))
    return Left(
        lost=lost,
        open=wanted - sum(run.state == "completed" for run in runs),
        ledger=_told(work, file, runs),
        undo=_undone(work, file, runs),
    )


def _told(work: Work, file: Path, runs: Sequence[Run]) -> bool:
    """Say whether each step that completed tells of the file, and their changes form a chain."""
    rows = [touched for run in runs for touched in run.ledger["files_touched"]]
    telling = sum(NAME in touched for touched in rows)
    now = file.read_bytes()
    return (
        telling == work.count
        and len(_chain(work, runs)) == work.count
        and (_chain(work, runs)[-1] == _hash(now))
    )


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _chain(work: Work, runs: Sequence[Run]) -> list[str]:
    """Return the contents that the file had one after the other, by hash, as the runs tell it."""
    next_of = {_before(change): _after(change) for change in _changes(runs)}
    found: list[str] = []
    at = _hash(work.original.encode())
    while at in next_of and len(found) <= work.count:
        at = next_of[at]
        found.append(at)
    return found


def _changes(runs: Sequence[Run]) -> list[FileChange]:
    details = [change for run in runs for seen in run.steps_seen for change in seen.changes.details]
    return [change for change in details if change.path == NAME]


def _before(change: FileChange) -> str:
    return change.before.sha256 if change.before else ""


def _after(change: FileChange) -> str:
    return change.after.sha256 if change.after else ""


def _undone(work: Work, file: Path, runs: Sequence[Run]) -> bool:
    """Undo the runs, the one that wrote last first, and say whether each did as it should.

    A run whose changes lie between those of another one is refused, and changes nothing then.
    """
    order = {content: place for place, content in enumerate(_chain(work, runs))}
    last = {
        run.id: max((order.get(_after(c), -1) for c in _changes([run])), default=-1) for run in runs
    }
    return all(
        _undo(work, file, run, runs)
        for run in sorted(runs, key=lambda run: last[run.id], reverse=True)
    )


def _undo(work: Work, file: Path, run: Run, runs: Sequence[Run]) -> bool:
    """Undo one run, and say whether that is right."""
    if not _changes([run]):
        return True
    before = file.read_text("utf-8")
    try:
        run.undo()
    except OksoError:
        return file.read_text("utf-8") == before and _is_between(work, run, runs)
    mine = {number for number in range(work.count) if _is_of(work, number, run)}
    after = file.read_text("utf-8")
    return all(
        (work.line(number) in after) == (work.line(number) in before and number not in mine)
        for number in range(work.count)
    )


def _is_of(work: Work, number: int, run: Run) -> bool:
    """Say whether a change was made by a run."""
    text = work.line(number)
    return any(
        text in str(value)
        for seen in run.steps_seen
        if seen.status == "completed"
        for value in seen.call.args.values()
    )


def _is_between(work: Work, run: Run, runs: Sequence[Run]) -> bool:
    """Say whether somebody else wrote after the first change of a run."""
    chain = _chain(work, runs)
    mine = {_after(change) for change in _changes([run])}
    first = next((place for place, content in enumerate(chain) if content in mine), len(chain))
    return any(content not in mine for content in chain[first:])
