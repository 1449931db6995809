"""Everything that is read from a run's journal, as JSON."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

import pandas as pd

from okso_jupyter.errors import OksoError
from okso_jupyter.journal.store import Journal
from okso_jupyter.results import Run, read_run
from okso_jupyter.resume.listing import resumable_runs
from okso_jupyter.resume.rebuild import rebuilt
from okso_jupyter.resume.waiting_runs import waiting_runs
from okso_jupyter.undo.change_history import read_change_history

HERE: Final = Path(__file__).parent
JOURNAL: Final = HERE / "journal.sql"
SNAPSHOTS: Final = HERE / "snapshots"
#: The folder that the runs worked in, and that of their journal, as the journal names them.
ROOT: Final = Path("/frozen/notebook")


def opened(home: Path) -> Journal:
    """Return the journal of `journal.sql`, opened in a new folder."""
    home.mkdir(parents=True)
    with sqlite3.connect(home / "journal.sqlite3") as database:
        database.executescript(JOURNAL.read_text("utf-8"))
    database.close()
    return Journal(home)


def everything_of(journal: Journal, run_id: str) -> dict[str, Any]:
    """Return everything read from the records of a run; a failed reading is an error."""
    run = read_run(journal, run_id)
    return {name: plain(_tried(read, run)) for name, read in _READERS.items()}


def everything_of_all(journal: Journal) -> dict[str, Any]:
    """Return everything read from the journal about all runs together."""
    return {
        "runs": journal.run_ids(),
        "resumable": [plain(one) for one in resumable_runs(journal, ROOT)],
        "pending": [one.words for one in waiting_runs(journal, ROOT)],
    }


def _tried(read: Callable[[Run], object], run: Run) -> object:
    try:
        return read(run)
    except OksoError as error:
        return {"error": type(error).__name__, "message": error.message, "hint": error.hint}


def _recovered(run: Run) -> object:
    """Return the state from which a resumed run would start."""
    found = rebuilt(run)
    parts = ("state", "plan", "progress", "interrupted", "folder", "used_python", "decided")
    return {**{part: getattr(found, part) for part in parts}, "turned_down": found.turned_down}


def _grants(run: Run) -> object:
    """Return which approvals are still valid, and how much of each is used up."""
    return {
        step_id: (grant.terms.fingerprint, grant.attempts, grant.is_spent)
        for step_id, grant in run.view.approvals.left.of_step.items()
    }


def _live(run: Run) -> object:
    """Return the final state of the live view."""
    live = run.view.live
    return {"live": live, "elapsed_s": live.elapsed_s(datetime.fromisoformat(run.records[-1].at))}


_ATTRIBUTES: Final = (
    "request", "state", "answer", "failure", "way_on", "plan", "data", "revisions", "decisions",
    "validation", "missing_outputs", "candidates", "ranking", "tree", "tree_stats", "observations",
    "trace", "ledger", "tokens", "is_undoable", "is_undone",
)  # fmt: skip
_READERS: Final[Mapping[str, Callable[[Run], object]]] = {
    **{name: attrgetter(name) for name in _ATTRIBUTES},
    "plan_history": Run.plan_history,
    "report": Run.report,
    "history": Run.history,
    "history_pretty": lambda run: run.history("pretty"),
    "changes": lambda run: run.changes.words,
    "undo": lambda run: read_change_history(run.view),
    "why_not": lambda run: [run.why_not(one.index) for one in run.sampled],
    "graph": lambda run: run.graph(),
    "timeline": lambda run: run.timeline(),
    "shown": lambda run: run._repr_mimebundle_(),
    "recovered": _recovered,
    "grants": _grants,
    "live": _live,
    "kinds": lambda run: [record.kind for record in run.records],
}


def plain(value: object) -> Any:
    """Return a value as JSON types; other values as their repr."""
    if isinstance(value, pd.DataFrame):
        value = json.loads(value.to_json(orient="records", date_format="iso", default_handler=repr))
    elif isinstance(value, set | frozenset):
        value = sorted(map(str, value))
    elif is_dataclass(value):
        value = {one.name: getattr(value, one.name) for one in fields(value) if one.compare}
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, str):
        return str(value)  # an enumeration's, too
    return value if value is None or isinstance(value, int | float) else repr(value)
