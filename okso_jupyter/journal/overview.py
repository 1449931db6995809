"""Overview: request, answer and changes of each run, read from parts of its records."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from okso_jupyter.amounts import cut
from okso_jupyter.effects.file_changes import Changes, NetChanges
from okso_jupyter.journal.endings import DAMAGED
from okso_jupyter.journal.events import (
    AnswerGiven,
    ObservationMade,
    ReversalEnded,
    RunMoved,
    RunStarted,
)
from okso_jupyter.journal.store import Journal
from okso_jupyter.plan.states import RunState

_MAX_ANSWER_CHARS: Final = 120
#: States in which the recorded answer is the answer; a dry run records what would run.
ANSWERED: Final = frozenset({RunState.COMPLETED, RunState.APPROVED})


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOverview:
    """One row of the list of runs.

    Attributes:
        id: The run.
        started_at: When it began, ISO 8601 in UTC.
        state: State of the run; "damaged" if it cannot be read.
        request: The request.
        answer: The beginning of its answer on one line; None if there is no answer.
        changes: Its file changes, including undone ones.
        is_undone: Whether its file changes are currently undone.
    """

    id: str
    started_at: str
    state: str
    request: str
    answer: str | None
    changes: NetChanges
    is_undone: bool


def overview(journal: Journal) -> list[RunOverview]:
    """Return one entry per run, newest first; runs of a newer version are left out."""
    begun = {record.run_id: started for record, started in journal.first_of_each(RunStarted)}
    states = _states(journal, begun)
    answers = dict(journal.part_of_each(AnswerGiven, "text"))
    changes = _changes_of_each(journal)
    undone = _undone(journal)
    replays = {run_id for run_id, started in begun.items() if started.is_replay}
    return [
        RunOverview(
            id=run_id,
            started_at=at,
            state=states[run_id],
            request=begun[run_id].request if run_id in begun else "",
            answer=_short(answers.get(run_id)) if states[run_id] in ANSWERED else None,
            changes=NetChanges.of(() if run_id in replays else changes.get(run_id, ())),
            is_undone=undone.get(run_id) == "undo",
        )
        for run_id, at in reversed(journal.first_times().items())
        if run_id in states
    ]


def _states(journal: Journal, begun: Collection[str]) -> dict[str, str]:
    """Return the state of each run that has started.

    Args:
        journal: The journal.
        begun: The runs whose `run_started` record is readable.
    """
    states = {record.run_id: str(move.after) for record, move in journal.last_of_each(RunMoved)}
    known = set(journal.runs_with(RunStarted)) - journal.newer_runs().keys()
    damaged = known - set(begun) | journal.unreadable_runs(RunMoved)
    return {
        run_id: DAMAGED if run_id in damaged else states.get(run_id, str(RunState.DRAFT))
        for run_id in known
    }


def _changes_of_each(journal: Journal) -> dict[str, list[Changes]]:
    """Return the names of the files that each call changed, by run."""
    found: dict[str, list[Changes]] = {}
    for run_id, body in journal.part_of_each(ObservationMade, "changes"):
        found.setdefault(run_id, []).append(_names(body if isinstance(body, dict) else {}))
    return found


def _names(body: Mapping[str, Any]) -> Changes:
    """Return the file names of a change; damaged parts are reported when the run itself is read."""
    listed = (body.get(kind) for kind in ("created", "updated", "deleted"))
    created, updated, deleted = (
        tuple(map(str, names)) if isinstance(names, list) else () for names in listed
    )
    return Changes(created=created, updated=updated, deleted=deleted)


def _undone(journal: Journal) -> dict[str, str]:
    """Return the last completed reversal of each run: "undo" or "redo"."""
    directions = journal.part_of_each(ReversalEnded, "direction")
    outcomes = journal.part_of_each(ReversalEnded, "outcome")
    return {
        run_id: direction
        for (run_id, direction), (_, outcome) in zip(directions, outcomes, strict=True)
        if outcome == "done"
    }


def _short(answer: object) -> str | None:
    """Return an answer on one line: its lines are separated by semicolons, but for a heading."""
    if answer is None:
        return None
    lines = (" ".join(line.split()) for line in str(answer).splitlines())
    return cut("; ".join(filter(None, lines)).replace(":; ", ": "), _MAX_ANSWER_CHARS)
