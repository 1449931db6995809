"""Overview: what each run was asked, answered and changed, told from parts of its records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from okso_jupyter.amounts import cut
from okso_jupyter.journal.events import (
    AnswerGiven,
    ObservationMade,
    ReversalEnded,
    RunMoved,
    RunStarted,
)
from okso_jupyter.journal.store import Journal
from okso_jupyter.plan.net import NetChanges
from okso_jupyter.plan.records import Changes
from okso_jupyter.plan.states import RunState

_MAX_ANSWER_CHARS: Final = 120
#: What is written down as the answer is one there; of a dry run it is what would run.
ANSWERED: Final = frozenset({RunState.COMPLETED, RunState.APPROVED})


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOverview:
    """One run on one line.

    Attributes:
        id: The run.
        started_at: When it began, ISO 8601 in UTC.
        state: Where it stands.
        request: What was asked for.
        answer: The beginning of its answer on one line; None where there is none.
        changes: What it changed in its folder, also where that was undone.
        is_undone: Whether its changes are taken back at this moment.
    """

    id: str
    started_at: str
    state: str
    request: str
    answer: str | None
    changes: NetChanges
    is_undone: bool


def overview(journal: Journal) -> list[RunOverview]:
    """Return one entry per run, the newest first."""
    states = {record.run_id: move.after for record, move in journal.last_of_each(RunMoved)}
    answers = dict(journal.part_of_each(AnswerGiven, "text"))
    changes = _changes_of_each(journal)
    undone = _undone(journal)
    return [
        RunOverview(
            id=record.run_id,
            started_at=record.at,
            state=states.get(record.run_id, RunState.DRAFT),
            request=started.request,
            answer=_short(answers.get(record.run_id))
            if states.get(record.run_id) in ANSWERED
            else None,
            changes=NetChanges.of(() if started.is_replay else changes.get(record.run_id, ())),
            is_undone=undone.get(record.run_id) == "undo",
        )
        for record, started in journal.first_of_each(RunStarted)
    ]


def _changes_of_each(journal: Journal) -> dict[str, list[Changes]]:
    """Return the names of what every call changed, by run."""
    found: dict[str, list[Changes]] = {}
    for run_id, body in journal.part_of_each(ObservationMade, "changes"):
        found.setdefault(run_id, []).append(_names(body or {}))
    return found


def _names(body: Mapping[str, Any]) -> Changes:
    created, updated, deleted = (
        tuple(map(str, body.get(kind, ()))) for kind in ("created", "updated", "deleted")
    )
    return Changes(created=created, updated=updated, deleted=deleted)


def _undone(journal: Journal) -> dict[str, str]:
    """Return what was last done as a whole with the changes of each run: "undo" or "redo"."""
    directions = journal.part_of_each(ReversalEnded, "direction")
    outcomes = journal.part_of_each(ReversalEnded, "outcome")
    return {
        run_id: direction
        for (run_id, direction), (_, outcome) in zip(directions, outcomes, strict=True)
        if outcome == "done"
    }


def _short(answer: object) -> str | None:
    return None if answer is None else cut(" ".join(str(answer).split()), _MAX_ANSWER_CHARS)
