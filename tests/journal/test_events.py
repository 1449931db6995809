"""Events: what is written is read back, from this version and earlier ones."""

from __future__ import annotations

import inspect
import json
import re
import sqlite3
from collections.abc import Mapping
from dataclasses import MISSING, fields
from enum import Enum
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from okso_jupyter.errors import JournalError
from okso_jupyter.journal.events import (
    EVENTS,
    DecisionMade,
    PlanMade,
    ProposalShown,
    Recorded,
    RunStarted,
    UnknownEvent,
    read_event,
)
from okso_jupyter.journal.run_view.fold import is_own
from okso_jupyter.journal.store import Journal, Record
from tests.each_row import each_row
from tests.frozen.reading import JOURNAL

KINDS = sorted(EVENTS)
SEARCHED = {"terms": ["rain"], "destination": "d", "given": False, "by": "user", "words": ""}
SHOWN = {"about": "plan", "fingerprint": "f", "steps": {}, "terms": [], "policy": "auto"}
DECIDED = {
    "decision": "reject",
    "shown": "f",
    "by": "user",
    "reason": "",
    "feedback": "",
    "steps": {},
}
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=4,
)
#: Numbers of spans, as texts.
SPANS = st.integers(0, 9_999).map(lambda number: f"{number:04d}")


def frozen_bodies() -> list[tuple[str, str]]:
    """Return kind and body of all records that an earlier version wrote."""
    with sqlite3.connect(":memory:") as database:
        database.executescript(JOURNAL.read_text("utf-8"))
        rows = database.execute("SELECT kind, body FROM record").fetchall()
    database.close()
    return rows


def values(of: Any) -> st.SearchStrategy[Any]:
    """Return a strategy for values of the annotated type."""
    origin, inner = get_origin(of), get_args(of)
    if origin is None:
        return plain_values(of)
    if origin is Literal:
        return st.sampled_from(inner)
    if origin in {Union, UnionType}:
        return st.one_of(*(values(one) for one in inner))
    if origin is Mapping:
        return st.dictionaries(values(inner[0]), values(inner[1]), max_size=2)
    return st.lists(values(inner[0]), max_size=2).map(origin)


def plain_values(of: Any) -> st.SearchStrategy[Any]:
    """Return a strategy for values of a type without parameters."""
    known = {
        str: st.text(),
        int: st.integers(),
        float: st.floats(allow_nan=False),
        bool: st.booleans(),
        type(None): st.none(),
        Any: JSON,
    }
    if of in known:
        return known[of]
    if issubclass(of, Enum):
        return st.sampled_from(of)
    hints = get_type_hints(of)
    parts = {
        spec.name: SPANS if spec.name in {"span_id", "parent_id"} else values(hints[spec.name])
        for spec in fields(of)
    }
    return st.fixed_dictionaries(parts).map(lambda drawn: made(of, drawn))


@cache
def events_of(kind: str) -> st.SearchStrategy[Any]:
    """Return a strategy for events of a kind; made once, not for each example."""
    return values(EVENTS[kind])


def made(of: Any, parts: Mapping[str, Any]) -> Any:
    """Return an instance of a class; reject the example if its parts are inconsistent."""
    try:
        return of(**parts)
    except ValueError:
        reject()


def needed_keys(event: Any) -> set[str]:
    """Return the keys that the body of an event is required to have."""
    needed = {
        spec.name
        for spec in fields(event)
        if spec.default is MISSING and spec.default_factory is MISSING
    }
    flat = {spec.name for spec in fields(event) if "flat" in spec.metadata}
    hints = get_type_hints(event)
    return (needed - flat).union(*(needed_keys(hints[name]) for name in flat))


def test_every_old_record_is_written_unchanged() -> None:
    """Records of an earlier version are written back with the same keys, order and values."""
    rows = frozen_bodies()

    again = [json.dumps(read_event(kind, json.loads(body)).to_json()) for kind, body in rows]

    assert again == [json.dumps(json.loads(body)) for _, body in rows]
    assert len(rows) > 700


def test_the_union_contains_every_event() -> None:
    """All event classes are in the union; one left out would be read as unknown."""
    assert set(EVENTS) == {event.kind for event in Recorded.__subclasses__()}


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_written_events_are_read_back(kind: str, data: st.DataObject) -> None:
    """An event that is written as JSON text is read back as an equal event.

    Without a key that every version wrote it is refused; no value is substituted.
    """
    event = data.draw(events_of(kind))
    body = json.loads(json.dumps(event.to_json()))

    assert read_event(kind, body) == event
    for key in needed_keys(EVENTS[kind]):
        with pytest.raises(ValueError, match=f"it has no '{key}'"):
            read_event(kind, {name: body[name] for name in body if name != key})


@each_row("kind", KINDS)
def test_every_field_is_documented(kind: str) -> None:
    """The class docstring describes every field; docs/journal.md is generated from it."""
    said = re.findall(r"^    (\w+): \S", inspect.cleandoc(EVENTS[kind].__doc__ or ""), re.MULTILINE)

    assert said == [spec.name for spec in fields(EVENTS[kind])]


def test_missing_new_fields_get_their_defaults() -> None:
    """A record of an earlier version is read with defaults for fields added since."""
    body = {
        "request": "count",
        "root": "/r",
        "settings": {},
        "tools": [],
        "versions": {},
        "python": "3.11",
        "machine": "x86_64",
        "process_id": 1,
    }
    started = read_event("run_started", body)

    assert isinstance(started, RunStarted)
    assert (started.request, started.model, started.meaning) == ("count", "", 0)
    assert (started.data, started.places, started.occurrence) == ({}, {}, 1)
    assert started.data is not started.places


def test_keys_of_decisions_and_calls_are_required() -> None:
    """These required keys are listed by name, so that none of them gets a default later."""
    deciding = {
        "call_started": {"step_id", "plan_version", "attempt", "tool", "args", "effects"},
        "shown": {"about", "fingerprint", "steps", "terms", "policy"},
        "decision": {"decision", "shown", "by", "reason", "feedback", "steps"},
        "run_state": {"before", "event", "after"},
        "step_state": {"step_id", "before", "after", "reason"},
        "plan": {"plan"},
        "proposed": {"plan"},
        "search_consent": {"terms", "destination", "given", "by", "words"},
    }

    assert {kind: needed_keys(EVENTS[kind]) for kind in deciding} == deciding


def test_an_unknown_kind_is_kept_unchanged() -> None:
    """A record of a later version is skipped by readers and exported in full."""
    event = read_event("dreamt", {"of": ["sheep"]})

    assert event == UnknownEvent(kind="dreamt", body={"of": ["sheep"]})
    assert event.to_json() == {"of": ["sheep"]}


@each_row(
    ("kind", "body"),
    [
        ("run_state", {"before": "draft", "event": "dream", "after": "draft"}),
        ("call_started", {"step_id": 1, "effects": ["dreams"]}),
        ("step_state", {"step_id": 1}),
        ("observation", {"changes": None}),
        ("decision", {"steps": ["1"]}),
        ("answer", {"text": 1}),
        ("pause_requested", {"process_id": True}),
        ("reversal_started", {"direction": "sideways", "changes": 1}),
        ("reversal_ended", {"direction": "undo", "outcome": "done", "changes": 1.5}),
        ("search_consent", SEARCHED | {"given": "no"}),
        ("search_consent", SEARCHED | {"terms": "weather"}),
        ("search_consent", SEARCHED | {"terms": [1]}),
        ("shown", SHOWN | {"about": "everything"}),
        ("shown", SHOWN | {"steps": {"1": None}}),
        ("decision", DECIDED | {"decision": "perhaps"}),
        ("decision", DECIDED | {"steps": {"first": "f"}}),
        ("output", {"name": "x", "error": ""}),
    ],
)
def test_a_damaged_record_is_reported(kind: str, body: dict[str, Any]) -> None:
    """The error contains the record's number and run; its hint, the command to forget it."""
    record = Record(seq=7, run_id="r", kind=kind, at="", body=body)

    with pytest.raises(JournalError, match="record 7 of run r is damaged") as caught:
        _ = record.event

    assert "%okso forget r" in caught.value.hint


@pytest.mark.parametrize(
    ("kind", "body"), [("search_consent", SEARCHED), ("shown", SHOWN), ("decision", DECIDED)]
)
def test_the_bodies_used_above_are_valid(kind: str, body: dict[str, Any]) -> None:
    """Each damaged body above is damaged only by its one wrong key."""
    assert read_event(kind, body).kind == kind


@pytest.mark.parametrize(
    ("kind", "said", "expected"),
    [
        ("shown", {}, True),
        ("shown", {"run": "r"}, True),
        ("decision", {"run": "other"}, False),
        ("decision", {"run": ""}, False),
    ],
)
def test_an_event_belongs_to_the_run_that_it_names(
    kind: str, said: dict[str, Any], *, expected: bool
) -> None:
    """An event without a run is the run's own; one with an empty name is another run's.

    Events of earlier versions name no run.
    """
    event = read_event(kind, {**(SHOWN if kind == "shown" else DECIDED), **said})
    assert isinstance(event, ProposalShown | DecisionMade)
    assert is_own(event, "r") is expected


def test_a_damaged_record_does_not_prevent_listing(tmp_path: Path) -> None:
    """A damaged record is an error when its event is read, not when the run is."""
    journal = Journal(tmp_path / "home")
    with sqlite3.connect(journal.path) as database:
        row = ("r", "step_state", "", 1, '{"step_id": 1}')
        database.execute(
            "INSERT INTO record (run_id, kind, at, schema_version, body) VALUES (?,?,?,?,?)", row
        )
    database.close()

    assert [record.kind for record in journal.records("r")] == ["step_state"]
    journal.close()


def test_a_changed_plan_leaves_other_keys_unchanged() -> None:
    """Unknown keys of later versions are kept; a plan that is not an object is unchanged."""
    body = {"plan": {"title": "old"}, "of a later version": [1, {"a": None}]}
    record = Record(seq=7, run_id="r", kind=PlanMade.kind, at="", body=body)

    changed = record.with_plan(lambda plan: {**plan, "title": "new"})

    assert changed.body == {**body, "plan": {"title": "new"}}
    assert record.body["plan"] == {"title": "old"}
    damaged = Record(seq=7, run_id="r", kind=PlanMade.kind, at="", body={"plan": "none"})
    assert damaged.with_plan(dict) is damaged
