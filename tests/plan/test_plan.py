"""Plans are equal after a JSON round trip; an invalid one is refused by step and rule."""

from __future__ import annotations

import json
import math
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter.errors import PlanError
from okso_jupyter.plan.holes import FILL, MISSING, is_open
from okso_jupyter.plan.plan import Condition, Plan, Step, check_rules, outline, predecessors
from tests.each_row import each_row

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def _plans(draw: st.DrawFn) -> Plan:
    """Draw a plan that keeps the rules: references go to earlier steps only."""
    ids = draw(st.lists(st.integers(1, 99), min_size=1, max_size=5, unique=True))
    steps = []
    for place, step_id in enumerate(ids):
        earlier = ids[:place]
        after = st.lists(st.sampled_from(earlier), unique=True) if earlier else st.just([])
        conditions = [f"step_{other}_{how}" for other in earlier for how in ("failed", "succeeded")]
        steps.append(
            Step(
                id=step_id,
                tool=draw(st.text(min_size=1)),
                args=draw(st.dictionaries(st.text(), _JSON, max_size=3)),
                thought=draw(st.text(max_size=9)),
                title=draw(st.text(max_size=9)),
                description=draw(st.text(max_size=9)),
                parallel=draw(st.booleans()),
                depends_on=tuple(draw(after)),
                condition=draw(st.sampled_from(["", *conditions])),
                timeout_s=draw(st.none() | st.floats(0.01, 86400)),
                max_retries=draw(st.none() | st.integers(0, 10)),
                replaces=draw(st.sampled_from([None, *earlier])),
            )
        )
    return Plan(
        steps=tuple(steps),
        title=draw(st.text(max_size=9)),
        request=draw(st.text(max_size=9)),
        version=draw(st.integers(1, 9)),
    )


@given(_plans())
def test_a_plan_survives_a_json_round_trip(plan: Plan) -> None:
    """Writing a plan as JSON text and reading it back gives an equal plan."""
    assert Plan.from_dict(json.loads(json.dumps(plan.to_dict()))) == plan


@given(_plans())
def test_default_values_are_not_written(plan: Plan) -> None:
    """A step's JSON contains id, tool, args and only the fields that are not the default."""
    for step in plan.steps:
        plain, written = Step(id=step.id, tool=step.tool), set(step.to_dict())
        differing = {
            f.name for f in fields(Step) if getattr(step, f.name) != getattr(plain, f.name)
        }

        assert written == differing | {"id", "tool", "args"}


def test_a_bare_array_is_a_plan() -> None:
    """Steps without a surrounding plan object get their ids by position, from 1."""
    plan = Plan.from_dict([{"tool": "a"}, {"tool": "b", "args": None}])

    assert [(step.id, step.tool, dict(step.args)) for step in plan.steps] == [
        (1, "a", {}),
        (2, "b", {}),
    ]
    assert plan.version == 1


def _nested(levels: int) -> dict[str, Any]:
    """Return an object with the given number of nested levels."""
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"a": value}
    return value


def _circular() -> dict[str, Any]:
    """Return an object that contains itself twice."""
    value: dict[str, Any] = {}
    value["a"], value["b"] = value, [value]
    return value


REFUSED: list[tuple[str, Any, int | None, str]] = [
    ("no_steps", {"steps": []}, None, "schema"),
    ("steps_missing", {}, None, "schema"),
    ("no_document", "a plan", None, "schema"),
    ("nothing", None, None, "schema"),
    ("unknown_field", [{"tool": "a"}, {"tool": "b", "colour": 1}], 2, "schema"),
    ("no_tool", [{"tool": "a"}, {"args": {}}], 2, "schema"),
    ("empty_tool", [{"tool": ""}], 1, "schema"),
    ("args_of_another_kind", [{"tool": "a", "args": [1]}], 1, "schema"),
    ("id_from_0", [{"id": 0, "tool": "a"}], 1, "schema"),
    ("id_beyond_a_table", [{"id": 2**63, "tool": "a"}], 1, "schema"),
    ("no_time", [{"tool": "a", "timeout_s": 0}], 1, "schema"),
    ("too_long", [{"tool": "a", "timeout_s": 86401}], 1, "schema"),
    ("too_many_retries", [{"tool": "a", "max_retries": 11}], 1, "schema"),
    ("twice_the_same", [{"tool": "a"}, {"tool": "b", "depends_on": [1, 1]}], 2, "schema"),
    ("version_0", {"version": 0, "steps": [{"tool": "a"}]}, None, "schema"),
    ("time_that_is_no_number", [{"tool": "a", "timeout_s": math.nan}], 1, "timeout"),
    ("duplicate_id", [{"id": 4, "tool": "a"}, {"id": 4, "tool": "b"}], 4, "duplicate_id"),
    ("itself", [{"tool": "a", "depends_on": [1]}], 1, "self_dependency"),
    ("itself_by_condition", [{"tool": "a", "condition": "step_1_failed"}], 1, "self_dependency"),
    ("unknown", [{"tool": "a", "depends_on": [7]}], 1, "unknown_dependency"),
    ("unknown_by_condition", [{"tool": "a", "condition": "step_7_failed"}], 1,
     "unknown_dependency"),
    ("cycle", [{"tool": "a", "depends_on": [2]}, {"tool": "b", "depends_on": [1]}], 1, "cycle"),
    ("condition", [{"tool": "a"}, {"tool": "b", "condition": "if step 1 fails"}], 2, "condition"),
    ("replaces_itself", [{"tool": "a", "replaces": 1}], 1, "self_replacement"),
    ("replaces_unknown", [{"tool": "a"}, {"tool": "b", "replaces": 7}], 2, "unknown_replacement"),
    ("replaces_in_a_circle", [{"tool": "a", "replaces": 2}, {"tool": "b", "replaces": 1}], 1,
     "replacement_cycle"),
    ("replaces_what_it_waits_for_to_fail",
     [{"tool": "a", "condition": "step_2_failed"}, {"tool": "b", "replaces": 1}], 1,
     "replacement_cycle"),
    ("condition_of_a_step_that_no_plan_has",
     [{"tool": "a", "condition": f"step_{'9' * 5000}_failed"}], 1, "condition"),
    ("condition_in_other_digits", [{"tool": "a", "condition": "step_1\u0662_failed"}], 1,
     "condition"),
    ("too_deep_to_be_copied", [{"tool": "a"}, {"tool": "b", "args": _nested(400)}], 2, "depth"),
    ("holds_itself", [{"tool": "a", "args": _circular()}], 1, "depth"),
    ("condition_of_step_0", [{"tool": "a", "condition": "step_0_failed"}], 1, "condition"),
]  # fmt: skip


@each_row(("document", "step", "rule"), [row[1:] for row in REFUSED])
def test_a_broken_plan_is_refused_by_step_and_rule(
    document: Any, step: int | None, rule: str
) -> None:
    """Every refusal has the step and the rule, and its message begins with the place."""
    with pytest.raises(PlanError) as caught:
        Plan.from_dict(document)

    assert (caught.value.step, caught.value.rule) == (step, rule)
    assert caught.value.message.startswith(f"step {step}: " if step else "plan: ")


def test_whole_numbers_may_be_written_as_floats() -> None:
    """A plan's ids, references and retries accept 2.0 for 2, as JSON does."""
    first = {"id": 1.0, "tool": "a", "max_retries": 2.0}
    second = {"tool": "b", "depends_on": [1.0], "replaces": 1.0}
    plan = Plan.from_dict({"version": 3.0, "steps": [first, second]})

    assert ".0" not in json.dumps(plan.to_dict())


def test_arguments_may_be_deeply_nested() -> None:
    """Twenty levels of objects are read, copied and returned."""
    plan = Plan.from_dict([{"tool": "a", "args": _nested(20)}])

    assert plan.copy().steps[0].args == _nested(20)


def test_the_invalid_field_is_named() -> None:
    """The message names the field of the step that breaks the schema."""
    with pytest.raises(PlanError, match=r"step 2: timeout_s: 'soon' is not of type"):
        Plan.from_dict([{"tool": "a"}, {"tool": "b", "timeout_s": "soon"}])


def test_rules_hold_for_plans_made_in_python_too() -> None:
    """`check_rules` refuses an invalid Plan that was not read from JSON."""
    plan = Plan(steps=(Step(id=1, tool="a", depends_on=(2,)),))

    with pytest.raises(PlanError, match="waits for step 2, which is not in the plan"):
        check_rules(plan)


@pytest.mark.parametrize("value", ["", None, MISSING, FILL, {"__fill__": True}])
def test_four_spellings_mean_an_open_argument(value: object) -> None:
    """An empty text, null and both marks are open."""
    assert is_open(value)


@pytest.mark.parametrize("value", [0, False, [], {}, " ", {"__fill__": False}, "__missing__"])
def test_values_that_only_look_empty_are_closed(value: object) -> None:
    """Zero, false, an empty list and the like are values."""
    assert not is_open(value)


@pytest.mark.parametrize(
    "value", [["a", MISSING], [[dict(FILL)]], {"a": {"b": MISSING}}, ("a", [MISSING])]
)
def test_a_nested_mark_makes_a_value_open(value: object) -> None:
    """A mark at any depth makes the value open."""
    assert is_open(value)


@pytest.mark.parametrize("value", [["a", ""], [None], {"a": None}, {"a": ""}, ["a __MISSING__ b"]])
def test_nested_null_and_empty_texts_are_values(value: object) -> None:
    """Null and an empty text mean open only as a whole argument."""
    assert not is_open(value)


def test_open_arguments_are_named_in_order() -> None:
    """`open_args` returns the open arguments in the order they were written."""
    step = Step(id=1, tool="a", args={"b": "", "c": 1, "a": dict(FILL)})

    assert step.open_args == ("b", "a")


def test_a_condition_counts_as_predecessor() -> None:
    """A step's predecessors are the steps it depends on and the one in its condition."""
    step = Step(id=3, tool="a", depends_on=(1,), condition=" step_2_succeeded ")

    assert predecessors(step) == {1, 2}
    assert Condition.parse(step.condition, step=3) == Condition(step_id=2, outcome="succeeded")


def test_a_label_is_title_then_thought_then_tool() -> None:
    """The label is the title; without one the thought, and without both the tool."""
    assert Step(id=1, tool="a", title="T", thought="t").label == "T"
    assert Step(id=1, tool="a", thought="t").label == "t"
    assert Step(id=1, tool="a").label == "Use a"


def test_the_outline_has_a_line_per_step() -> None:
    """The outline numbers the steps by their ids."""
    plan = Plan.from_dict([{"id": 3, "tool": "a", "thought": "look"}, {"id": 5, "tool": "b"}])

    assert outline(plan) == "3. look\n5. Use b"


def test_an_unknown_step_is_a_key_error() -> None:
    """`step` finds a step by its id, not by its position."""
    plan = Plan.from_dict([{"id": 3, "tool": "a"}])

    assert plan.step(3).tool == "a"
    with pytest.raises(KeyError):
        plan.step(1)


def test_each_tool_is_listed_once() -> None:
    """`tools` lists each tool once, in plan order."""
    plan = Plan.from_dict([{"tool": "b"}, {"tool": "a"}, {"tool": "b"}])

    assert plan.tools == ("b", "a")
