"""Notices of a session: misspelt settings, and what has another meaning since an upgrade."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from okso_jupyter import private_files
from okso_jupyter.errors import JournalError, SettingError
from okso_jupyter.journal.events import RunMoved, RunStarted
from okso_jupyter.journal.older_records import is_older
from okso_jupyter.journal.store import Journal
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.states import RunState
from okso_jupyter.redaction.redactor import remembered
from okso_jupyter.resume.waiting_runs import OPEN
from okso_jupyter.settings import config_path, misspelt
from okso_jupyter.workflow.library import WorkflowEntry

#: File in OKSO_HOME with the keys of the notices that were shown.
_FILE: Final = "older-told.json"
_MAX_BYTES: Final = 1 << 20
_HOME: Final = "home"
_CHANGED: Final = (
    "an earlier version made this OKSO_HOME: file_write without a mode replaced a file then, and "
    "makes new files only now; CHANGELOG.md lists what else is different"
)


def notify_of_upgrade(home: Path, root: Path, workflows: Iterable[WorkflowEntry]) -> None:
    """Log one warning that names older runs and workflows which expect to replace files.

    Each notice is logged once for a home. Without a journal nothing is logged or created.

    Args:
        home: OKSO_HOME.
        root: Folder that the tools work in.
        workflows: The workflow files of the session.
    """
    if not Journal.is_at(home):
        return
    shown = _already_shown(home)
    try:
        news = dict(_news(home, root, workflows, shown))
    except JournalError:
        return  # code that needs the journal reports the error
    if not news:
        return
    sentences = [sentence for sentence in news.values() if sentence]
    if sentences:
        LOGGER.warning("made for an earlier version", extra={"detail": sentences})
    try:
        private_files.replace(home / _FILE, json.dumps(sorted({*shown, *news})).encode())
    except OSError:
        return  # the notice will be logged again


def _news(
    home: Path, root: Path, workflows: Iterable[WorkflowEntry], shown: set[str]
) -> Iterator[tuple[str, str]]:
    """Yield the key and the sentence of each new notice; an empty sentence is not logged."""
    if _HOME not in shown:
        yield _HOME, " ".join(_of_home(home))
    for entry in workflows:
        name = f"workflow {entry.sha256}"
        if name not in shown and (sentence := _of_workflow(entry, root)):
            yield name, sentence


def _of_home(home: Path) -> Iterator[str]:
    """Yield that an earlier version made this home, and its runs that can still be resumed."""
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
    """Return which step of a workflow relies on the older meaning; empty where none does."""
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


def _already_shown(home: Path) -> set[str]:
    """Return the keys of the notices that were shown; none if the file cannot be read."""
    try:
        read = json.loads(private_files.read(home / _FILE, max_bytes=_MAX_BYTES))
    except (OSError, ValueError):
        return set()
    return {name for name in read if isinstance(name, str)} if isinstance(read, list) else set()


_said: Final[set[tuple[str, str]]] = set()


def warn_misspelt() -> None:
    """Log a warning for each misspelt name in the user's `config.env`, once per process."""
    file = str(config_path())
    with suppress(SettingError):  # loading the settings reports it
        for name, near in misspelt().items():
            if (file, name) not in _said:
                _said.add((file, name))
                detail = {"file": file, "name": name}
                LOGGER.warning(
                    "%s is not a setting; did you mean %s?", name, near, extra={"detail": detail}
                )
