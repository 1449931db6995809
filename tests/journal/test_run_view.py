"""RunView: one fold of a run's events, whose parts fail separately on damaged records."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, get_args

import pytest

from okso_jupyter.errors import JournalError
from okso_jupyter.journal.events import EVENTS, UnknownEvent
from okso_jupyter.journal.run_view import NotFolded, RunView
from okso_jupyter.journal.run_view.fold import Fold
from okso_jupyter.journal.run_view.live_fold import LiveFold
from okso_jupyter.journal.run_view.step_folds import CallFold
from okso_jupyter.journal.store import Journal, Record
from okso_jupyter.results import Run
from tests.frozen.reading import SNAPSHOTS, opened, plain

RUNS = sorted(file.stem for file in SNAPSHOTS.glob("*.json") if file.stem != "all")
#: A kind of record for each part, and the parts that need it.
NEEDED = {
    "run_started": {"started", "spending"},
    "run_state": {"passed", "live", "spending"},
    "candidate": {"planning"},
    "plan": {"versions", "decisions", "steps", "live", "spending"},
    "shown": {"decisions", "approvals", "live", "spending"},
    "call_started": {"approvals", "calls", "steps", "live", "spending"},
    "step_state": {"steps", "live", "spending"},
    "validation": {"verdict"},
    "error": {"ending"},
    "reversal_ended": {"reversals"},
    "completion": {"spending"},
    "span": {"spending"},
}
PARTS = sorted(name for name, one in vars(RunView).items() if isinstance(one, property))


@pytest.fixture(name="journal", scope="module")
def _journal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Journal]:
    """The journal of an older version, in a folder of this test."""
    journal = opened(tmp_path_factory.mktemp("view") / "home")
    yield journal
    journal.close()


def everything(view: RunView) -> dict[str, Any]:
    """Return every part of a view as JSON."""
    return {part: plain(getattr(view, part)) for part in PARTS}


def parts() -> list[Fold[Any]]:
    """Return the folds of a view."""
    return list(vars(RunView("r"))["_folds"].values())


@pytest.mark.parametrize("run_id", RUNS)
def test_a_view_of_some_parts_keeps_no_event_of_the_others(journal: Journal, run_id: str) -> None:
    """Its part is the same as in a whole view; reading another part is a caller's mistake."""
    records = journal.records(run_id)
    view = RunView(run_id, parts=(LiveFold,))
    for record in records:
        view.apply_event(record.event, record.at)

    assert view.live == RunView(run_id, records).live
    assert [fold.waiting for fold in vars(view)["_folds"].values()] == [deque()]
    with pytest.raises(KeyError):
        _ = view.calls


def test_every_kind_is_either_folded_or_listed_as_not_folded() -> None:
    """No kind is both: events that are not folded change no part."""
    folded = {event for part in parts() for event in part.takes}
    known = set(get_args(NotFolded)) - {UnknownEvent}

    assert folded | known == set(EVENTS.values())
    assert folded & known == set()


@pytest.mark.parametrize("run_id", RUNS)
def test_reading_incrementally_equals_reading_at_once(journal: Journal, run_id: str) -> None:
    """A view read after each record and one fed with events reach the same state."""
    records = journal.records(run_id)
    read, heard = RunView(run_id), RunView(run_id)
    for record in records:
        read.apply(record)
        for part in PARTS:
            getattr(read, part)
        heard.apply_event(record.event, record.at)

    assert everything(read) == everything(heard) == everything(RunView(run_id, records))


@pytest.mark.parametrize("kind", NEEDED)
def test_a_damaged_record_affects_the_parts_that_use_it(journal: Journal, kind: str) -> None:
    """These parts fail each time they are read, even if valid records follow.

    No other part is affected.
    """
    damaged = Record(seq=0, run_id="undone", kind=kind, at="", body={"plan": 0})
    view = RunView("undone", [damaged, *journal.records("undone")])

    assert {part for part in PARTS if _is_refused(view, part)} == NEEDED[kind]
    assert {part for part in PARTS if _is_refused(view, part)} == NEEDED[kind]


@pytest.mark.parametrize(("place", "is_told"), [(0, True), (1, True), (-1, False)])
def test_only_the_last_transition_determines_the_state(
    journal: Journal, place: int, *, is_told: bool
) -> None:
    """Only the last transition is read for the state, as in the list of runs."""
    records = journal.records("undone")
    moves = [number for number, record in enumerate(records) if record.kind == "run_state"]
    records[moves[place]] = replace(records[moves[place]], body={})
    run = Run(id="undone", records=tuple(records), home=journal.folder_of("undone"))

    assert run.state == ("completed" if is_told else "damaged")
    assert (run.answer is not None) is is_told


def test_an_invalid_plan_is_a_damaged_record(journal: Journal) -> None:
    """Each read of the plan reports the damaged record and its number."""
    plan = next(r for r in journal.records("undone") if r.kind == "plan")
    body = {**plan.body, "plan": {**plan.body["plan"], "version": "x"}}
    view = RunView("undone", [replace(plan, body=body)])

    for _ in range(2):
        with pytest.raises(JournalError, match=f"record {plan.seq} of run undone is damaged"):
            _ = view.versions


def test_an_invalid_shown_step_is_a_damaged_record(journal: Journal) -> None:
    """An invalid step in the shown terms is a damaged record, whatever error it raises."""
    shown = next(r for r in journal.records("undone") if r.kind == "shown")
    body = {**shown.body, "terms": [{"effects": [], "step": "x"}]}
    view = RunView("undone", [replace(shown, body=body)])

    with pytest.raises(JournalError, match="damaged"):
        _ = view.approvals


def test_the_plan_is_read_without_the_shown_proposal(journal: Journal) -> None:
    """The last plan suffices to read the plan and whether the run can be resumed."""
    run = Run(id="paused", records=tuple(journal.records("paused")), home=journal.path.parent)
    damaged = Record(seq=0, run_id="paused", kind="shown", at="", body={})
    other = Run(id="paused", records=(damaged, *run.records), home=run.home)

    assert other.is_open
    assert (other.plan, other.doubt, other.revisions) == (run.plan, run.doubt, run.revisions)


def test_an_interrupted_event_is_applied_once(journal: Journal) -> None:
    """An event whose application is interrupted by Stop is not applied again."""
    view = RunView("undone", journal.records("undone"))
    part = vars(view)["_folds"][CallFold]
    whole = len([r for r in journal.records("undone") if r.kind == "observation"])
    apply, stops = part.apply, iter([KeyboardInterrupt()])

    def stopped_once(event: Any, at: str) -> None:
        apply(event, at)
        for stop in stops:
            raise stop

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(part, "apply", stopped_once)
        with pytest.raises(KeyboardInterrupt):
            _ = view.calls
    assert len(view.calls.observed) == whole


def test_later_records_are_applied_once(journal: Journal) -> None:
    """Records added later are applied once, even if the run's state was never read."""
    records = journal.records("undone")
    run = Run(id="undone", records=tuple(records[:5]), home=journal.folder_of("undone"))
    run._read_on(records)

    assert plain(run.view.calls) == plain(RunView("undone", records).calls)
    assert len(run.records) == len(records)


def _is_refused(view: RunView, part: str) -> bool:
    try:
        getattr(view, part)
    except JournalError:
        return True
    return False
