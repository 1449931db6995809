"""The state tables are complete, and only their transitions are possible."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import pytest

from okso_jupyter.errors import IllegalTransitionError
from okso_jupyter.plan.states import (
    RUN_TRANSITIONS,
    STEP_TRANSITIONS,
    RunEvent,
    RunState,
    StepEvent,
    StepState,
    advance,
    as_mermaid,
)

Table = Mapping[tuple[Any, Any], Any]

RUN_ENDS = {RunState.COMPLETED, RunState.CANCELLED}
STEP_ENDS: set[StepState] = set()  # whatever became of it, it may be looked at again
TABLES = [
    pytest.param(RUN_TRANSITIONS, RunState, RunEvent, RUN_ENDS, id="run"),
    pytest.param(STEP_TRANSITIONS, StepState, StepEvent, STEP_ENDS, id="step"),
]


@pytest.mark.parametrize(("table", "states", "events", "ends"), TABLES)
def test_every_state_is_reachable(
    table: Table, states: type[StrEnum], events: type[StrEnum], ends: set[StrEnum]
) -> None:
    """Every state is reachable from the first one, and every event has a row."""
    reached, news = set(), {next(iter(states))}
    while news:
        reached |= news
        news = {after for (before, _), after in table.items() if before in reached} - reached

    assert reached == set(states)
    assert {event for _, event in table} == set(events)
    assert ends <= reached


@pytest.mark.parametrize(("table", "states", "events", "ends"), TABLES)
def test_only_final_states_have_no_rows(
    table: Table, states: type[StrEnum], events: type[StrEnum], ends: set[StrEnum]
) -> None:
    """A final state is never left; every other state is left by some event."""
    del events

    assert set(states) - {before for before, _ in table} == ends


def test_a_run_can_be_cancelled_in_every_open_state() -> None:
    """Each state of a run that is not final has a row for CANCEL, except FAILED."""
    cancelled = {s for s, e in RUN_TRANSITIONS if e is RunEvent.CANCEL}

    assert cancelled == set(RunState) - RUN_ENDS - {RunState.FAILED}


@pytest.mark.parametrize(("table", "states", "events", "ends"), TABLES)
def test_a_transition_outside_the_table_is_refused(
    table: Table, states: type[StrEnum], events: type[StrEnum], ends: set[StrEnum]
) -> None:
    """Each pair is a row or an IllegalTransitionError that lists the allowed events."""
    for state in states:
        allowed = [event for before, event in table if before == state]
        for event in events:
            if event in allowed:
                assert advance(table, state, event) == table[state, event]
                continue
            with pytest.raises(IllegalTransitionError) as caught:
                advance(table, state, event)
            said = caught.value.message.rpartition("allowed: ")[2]
            assert said == (", ".join(allowed) or "none: it is a final state")
            assert bool(allowed) == (state not in ends)


@pytest.mark.parametrize(("table", "states", "events", "ends"), TABLES)
def test_the_tables_cannot_be_changed(
    table: Any, states: type[StrEnum], events: type[StrEnum], ends: set[StrEnum]
) -> None:
    """Rows can be neither added nor replaced."""
    del ends
    with pytest.raises(TypeError, match="does not support item assignment"):
        table[next(iter(states)), next(iter(events))] = next(iter(states))


@pytest.mark.parametrize(("table", "states", "events", "ends"), TABLES)
def test_the_diagram_has_a_row_per_transition(
    table: Table, states: type[StrEnum], events: type[StrEnum], ends: set[StrEnum]
) -> None:
    """The Mermaid diagram starts at the first state and draws each row once."""
    del events, ends
    head, start, *rows = as_mermaid(table).splitlines()

    assert (head, start.strip()) == ("stateDiagram-v2", f"[*] --> {next(iter(states))}")
    assert sorted(row.strip() for row in rows) == sorted(
        f"{before} --> {after}: {event}" for (before, event), after in table.items()
    )
