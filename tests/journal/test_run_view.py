"""RunView: one fold of a run's events, in parts that a damaged record harms one by one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, get_args

import pytest

from okso_jupyter.errors import JournalError
from okso_jupyter.journal.events import EVENTS, UnknownEvent
from okso_jupyter.journal.run_view import NotFolded, RunView
from okso_jupyter.journal.run_view.call_fold import CallFold
from okso_jupyter.journal.run_view.fold import Fold
from okso_jupyter.journal.run_view.live_fold import LiveFold
from okso_jupyter.journal.store import Journal, Record
from okso_jupyter.results import Run
from tests.frozen.reading import SNAPSHOTS, opened, plain

RUNS = sorted(file.stem for file in SNAPSHOTS.glob("*.json") if file.stem != "all")
#: A kind of record for each part, and the parts that need it.
NEEDED = {
    "run_started": {"started"},
    "run_state": {"passed", "live"},
    "candidate": {"planning"},
    "plan": {"versions", "decisions", "steps", "live"},
    "shown": {"decisions", "approvals", "live"},
    "call_started": {"approvals", "calls", "steps", "live"},
    "step_state": {"steps", "live"},
    "validation": {"verdict"},
    "error": {"ending"},
    "reversal_ended": {"reversals"},
    "completion": set[str](),
    "span": set[str](),
}
PARTS = sorted(name for name, one in vars(RunView).items() if isinstance(one, property))


@pytest.fixture(name="journal", scope="module")
def _journal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Journal]:
    """The journal of before, in a folder of this test."""
    journal = opened(tmp_path_factory.mktemp("view") / "home")
    yield journal
    journal.close()


def everything(view: RunView) -> dict[str, Any]:
    """Return every part of a state as JSON."""
    return {part: plain(getattr(view, part)) for part in PARTS}


def parts() -> list[Fold[Any]]:
    """Return the parts of a state."""
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


def test_every_kind_is_folded_or_said_not_to_be() -> None:
    """And none is both: what is not folded changes no state."""
    folded = {event for part in parts() for event in part.takes}
    known = set(get_args(NotFolded)) - {UnknownEvent}

    assert folded | known == set(EVENTS.values())
    assert folded & known == set()


@pytest.mark.parametrize("run_id", RUNS)
def test_one_by_one_is_all_at_once(journal: Journal, run_id: str) -> None:
    """A view that is read after each record, and one that heard events, come to the same state."""
    records = journal.records(run_id)
    read, heard = RunView(run_id), RunView(run_id)
    for record in records:
        read.apply(record)
        for part in PARTS:
            getattr(read, part)
        heard.apply_event(record.event, record.at)

    assert everything(read) == everything(heard) == everything(RunView(run_id, records))


@pytest.mark.parametrize("kind", NEEDED)
def test_a_damaged_record_harms_the_parts_that_take_it(journal: Journal, kind: str) -> None:
    """Each time they are read, and also where whole records follow; no other part notices."""
    damaged = Record(seq=0, run_id="undone", kind=kind, at="", body={"plan": 0})
    view = RunView("undone", [damaged, *journal.records("undone")])

    assert {part for part in PARTS if _is_refused(view, part)} == NEEDED[kind]
    assert {part for part in PARTS if _is_refused(view, part)} == NEEDED[kind]


@pytest.mark.parametrize(("place", "is_told"), [(0, True), (1, True), (-1, False)])
def test_the_last_move_alone_says_the_state(journal: Journal, place: int, *, is_told: bool) -> None:
    """As in the list of runs, which reads no other one."""
    records = journal.records("undone")
    moves = [number for number, record in enumerate(records) if record.kind == "run_state"]
    records[moves[place]] = replace(records[moves[place]], body={})
    run = Run(id="undone", records=tuple(records), home=journal.folder_of("undone"))

    assert run.state == ("completed" if is_told else "damaged")
    assert (run.answer is not None) is is_told


def test_a_plan_that_cannot_be_used_is_a_damaged_record(journal: Journal) -> None:
    """Told as such each time, and where it is."""
    plan = next(r for r in journal.records("undone") if r.kind == "plan")
    body = {**plan.body, "plan": {**plan.body["plan"], "version": "x"}}
    view = RunView("undone", [replace(plan, body=body)])

    for _ in range(2):
        with pytest.raises(JournalError, match=f"record {plan.seq} of run undone is damaged"):
            _ = view.versions


def test_what_was_shown_may_be_anything(journal: Journal) -> None:
    """A step that is none is a damaged record, whatever reading it raises."""
    shown = next(r for r in journal.records("undone") if r.kind == "shown")
    body = {**shown.body, "terms": [{"effects": [], "step": "x"}]}
    view = RunView("undone", [replace(shown, body=body)])

    with pytest.raises(JournalError, match="damaged"):
        _ = view.approvals


def test_the_plan_of_a_run_is_read_without_what_was_shown(journal: Journal) -> None:
    """The last plan is enough for what it is, and whether the run can be resumed."""
    run = Run(id="paused", records=tuple(journal.records("paused")), home=journal.path.parent)
    damaged = Record(seq=0, run_id="paused", kind="shown", at="", body={})
    other = Run(id="paused", records=(damaged, *run.records), home=run.home)

    assert other.is_open
    assert (other.plan, other.doubt, other.revisions) == (run.plan, run.doubt, run.revisions)


def test_an_event_is_applied_once_whatever_stops_it(journal: Journal) -> None:
    """A Stop while an event is applied does not have it applied again."""
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


def test_records_that_come_later_are_taken_in_once(journal: Journal) -> None:
    """Also by a run whose state nobody has read before."""
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
