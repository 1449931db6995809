"""A replan replaces the pending steps; completed steps keep their ids and results."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter.errors import PlanError
from okso_jupyter.plan.merge import merged
from okso_jupyter.plan.plan import Plan, check_rules
from okso_jupyter.plan.states import StepState

DONE, FAILED, SKIPPED = StepState.COMPLETED, StepState.FAILED, StepState.SKIPPED


def call(name: str, **more: Any) -> dict[str, Any]:
    """Return a step that calls a tool with its own name as argument."""
    return {"tool": name, "args": {"about": name}, **more}


def plan(*steps: dict[str, Any]) -> Plan:
    """Return a plan of these steps."""
    return Plan.from_dict([*steps])


OLDER = plan(call("a"), call("b"), call("c", depends_on=[2]), call("d"))
STATES = {1: DONE, 2: FAILED}


def test_kept_steps_keep_ids_and_new_ids_follow() -> None:
    """Steps that have begun are unchanged; new ids are above every id used so far."""
    newer = merged(OLDER, plan(call("x"), call("y", depends_on=[1])), STATES, failed=[2], above=9)

    assert newer.steps[:2] == OLDER.steps[:2]
    assert [(s.id, s.tool, s.depends_on) for s in newer.steps[2:]] == [
        (10, "x", ()), (11, "y", (10,)),
    ]  # fmt: skip


def test_conditions_are_renumbered_with_their_steps() -> None:
    """A condition in the proposal refers to the proposal's own step."""
    newer = merged(
        OLDER, plan(call("x"), call("y", condition="step_1_failed")), STATES, failed=[2], above=4
    )

    assert newer.step(6).condition == "step_5_failed"


@pytest.mark.parametrize(
    ("failed", "proposed", "replaced"),
    [
        ([2], ["x", "b"], {"b": 2}),
        ([2], ["x", "y"], {"x": 2}),
        ([1, 2], ["b", "a"], {"b": 2, "a": 1}),
        ([1, 2], ["x"], {"x": 1}),
        ([], ["x"], {}),
    ],
)
def test_a_failed_step_is_replaced_by_one_of_the_same_tool(
    failed: list[int], proposed: list[str], replaced: dict[str, int]
) -> None:
    """Each failed step gets one replacement, with the same tool if there is one."""
    states = {step_id: FAILED if step_id in failed else DONE for step_id in (1, 2)}
    steps = [{**call(name), "args": {"other": 1}} for name in proposed]
    newer = merged(OLDER, plan(*steps), states, failed=failed, above=4)

    assert {s.tool: s.replaces for s in newer.steps if s.replaces is not None} == replaced


def test_completed_steps_are_not_repeated() -> None:
    """A proposal that begins with a completed call refers to that call."""
    newer = merged(OLDER, plan(call("a"), call("x", depends_on=[1])), STATES, failed=[2], above=4)

    assert [(s.id, s.tool) for s in newer.steps] == [(1, "a"), (2, "b"), (5, "x")]
    assert newer.step(5).depends_on == (1,)


def test_a_repetition_after_a_new_step_is_kept() -> None:
    """A completed call after a new step is another call, e.g. reading after a change."""
    newer = merged(OLDER, plan(call("x"), call("a")), STATES, failed=[2], above=4)

    assert [s.tool for s in newer.steps] == ["a", "b", "x", "a"]


@pytest.mark.parametrize(
    ("proposed", "rule"),
    [
        ([{"tool": "final_answer"}], "empty_replan"),
        ([call("a")], "empty_replan"),
        ([call("a"), {"tool": "final_answer"}], "empty_replan"),
        ([call("b"), call("c"), call("d")], "same_replan"),
        ([call("a"), call("b"), call("c"), call("d"), {"tool": "final_answer"}], "same_replan"),
    ],
)
def test_a_proposal_without_a_new_plan_is_refused(
    proposed: list[dict[str, Any]], rule: str
) -> None:
    """A proposal is refused if it has nothing new or equals the existing plan."""
    with pytest.raises(PlanError) as caught:
        merged(OLDER, plan(*proposed), STATES, failed=[2], above=4)
    assert caught.value.rule == rule


@given(
    st.lists(st.sampled_from([DONE, FAILED, SKIPPED, None]), min_size=1, max_size=6),
    st.lists(st.tuples(st.sampled_from("pqr"), st.integers(0, 5)), min_size=1, max_size=6),
    st.integers(0, 50),
)
def test_a_merged_plan_keeps_every_rule(
    ended: list[StepState | None], news: list[tuple[str, int]], gap: int
) -> None:
    """However the steps ended: ids are unique, kept steps unchanged, references known."""
    older = plan(*(call(f"old{place}") for place in range(len(ended))))
    states = {place: state for place, state in enumerate(ended, start=1) if state is not None}
    steps = [
        {**call(tool), "args": {"number": place}, "depends_on": sorted({min(after, place)} - {0})}
        for place, (tool, after) in enumerate(news)
    ]
    failed = [place for place, state in states.items() if state is FAILED]
    newer = merged(older, plan(*steps), states, failed=failed, above=len(ended) + gap)

    check_rules(newer)
    assert Plan.from_dict(newer.to_dict()) == newer
    assert [s for s in newer.steps if s.id in states] == [older.step(i) for i in states]
    assert [s.id for s in newer.steps if s.id not in states] == list(
        range(len(ended) + gap + 1, len(ended) + gap + len(news) + 1)
    )
    assert {s.replaces for s in newer.steps} - {None} <= set(failed)
