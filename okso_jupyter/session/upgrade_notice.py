"""Notice of what an earlier version left and now means something else; once per home."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from okso_jupyter import private_files
from okso_jupyter.errors import JournalError
from okso_jupyter.journal.events import RunMoved, RunStarted
from okso_jupyter.journal.older_records import is_older
from okso_jupyter.journal.store import Journal
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.states import RunState
from okso_jupyter.redaction.redactor import remembered
from okso_jupyter.resume.waiting_runs import OPEN
from okso_jupyter.workflow.library import WorkflowEntry

#: Names what was told; in OKSO_HOME.
_FILE: Final = "older-told.json"
_MAX_BYTES: Final = 1 << 20
_HOME: Final = "home"
_CHANGED: Final = (
    "an earlier version made this OKSO_HOME: file_write without a mode replaced a file then, and "
    "makes new files only now; CHANGELOG.md lists what else is different"
)


def tell_of_older(home: Path, root: Path, workflows: Iterable[WorkflowEntry]) -> None:
    """Log one warning that names runs and workflows that replace files without saying so.

    Nothing is told twice for a home, and nothing is made in one that has no journal.

    Args:
        home: OKSO_HOME.
        root: Folder that the tools work in.
        workflows: The workflow files of the session.
    """
    if not Journal.is_at(home):
        return
    told = _told(home)
    try:
        news = dict(_news(home, root, workflows, told))
    except JournalError:
        return  # whoever needs the journal says what is wrong with it
    if not news:
        return
    sentences = [sentence for sentence in news.values() if sentence]
    if sentences:
        LOGGER.warning("made for an earlier version", extra={"detail": sentences})
    try:
        private_files.replace(home / _FILE, json.dumps(sorted({*told, *news})).encode())
    except OSError:
        return  # it is told once more


def _news(
    home: Path, root: Path, workflows: Iterable[WorkflowEntry], told: set[str]
) -> Iterator[tuple[str, str]]:
    """Yield what was not told yet: a name for it, and a sentence; an empty one says nothing."""
    if _HOME not in told:
        yield _HOME, " ".join(_of_home(home))
    for entry in workflows:
        name = f"workflow {entry.sha256}"
        if name not in told and (sentence := _of_workflow(entry, root)):
            yield name, sentence


def _of_home(home: Path) -> Iterator[str]:
    """Yield that an earlier version made a home, and its runs that can still be gone on with."""
    with closing(Journal(home, remembered())) as journal:
        meanings = dict(journal.part_of_each(RunStarted, "meaning"))
        older = {run_id for run_id, said in meanings.items() if is_older(said)}
        if not older:
            return
        yield f"{_CHANGED}."
        waiting = OPEN | {RunState.FAILED}
        for record, move in journal.last_of_each(RunMoved):
            if record.run_id in older and move.after in waiting:
                yield (
                    f"Run {record.run_id} is {move.after.replace('_', ' ')}: "
                    f"%okso resume {record.run_id} shows what it would replace, and asks."
                )


def _of_workflow(entry: WorkflowEntry, root: Path) -> str:
    """Return what a workflow relies on that is no more; empty where that is nothing."""
    steps = entry.workflow.steps if entry.workflow is not None else ()
    for number, step in enumerate(steps, start=1):
        path = step.args.get("path") or step.args.get("input")
        is_bare = step.tool == "file_write" and "mode" not in step.args and isinstance(path, str)
        if is_bare and (root / str(path)).is_file():
            return (
                f"Workflow {entry.file}: step {number} writes {path}, which is there, and fails; "
                "say mode: replace, or mode: append, in it."
            )
    return ""


def _told(home: Path) -> set[str]:
    """Return the names of what was told; none where the file is damaged."""
    try:
        read = json.loads(private_files.read(home / _FILE, max_bytes=_MAX_BYTES))
    except (OSError, ValueError):
        return set()
    return {name for name in read if isinstance(name, str)} if isinstance(read, list) else set()
