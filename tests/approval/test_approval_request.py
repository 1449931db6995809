"""Fingerprints of what is shown and the calls that an approval covers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter.effects.effect import NO_EFFECTS, as_effects
from okso_jupyter.errors import ApprovalError
from okso_jupyter.plan.approval_request import ApprovalRequest, ShownStep
from okso_jupyter.plan.approval_scope import covers
from okso_jupyter.plan.holes import FILL, MISSING, is_open
from okso_jupyter.plan.plan import Plan, Step

OPEN = ("", None, MISSING, dict(FILL))

json_values = st.recursive(
    st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(min_size=1),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
).filter(lambda value: not is_open(value))
closed_args = st.dictionaries(st.text(max_size=8), json_values, max_size=4)


def _shown(**fields: Any) -> ShownStep:
    step = Step(**{"id": 1, "tool": "file_read", "args": {"path": "a"}, **fields})
    return ShownStep(step=step, effects=NO_EFFECTS)


def step_fingerprint(shown: ShownStep, folder: str) -> str:
    """Return the fingerprint of a step that is shown alone."""
    proposal = ApprovalRequest(plan=Plan(steps=(shown.step,)), steps=(shown,), folder=folder)
    return proposal.step_fingerprints[shown.step.id]


@pytest.mark.slow
@given(closed_args)
def test_the_order_of_arguments_does_not_matter(args: dict[str, Any]) -> None:
    """The same arguments in a different order have the same fingerprint."""
    turned = dict(reversed(args.items()))
    assert step_fingerprint(_shown(args=args), ".") == step_fingerprint(_shown(args=turned), ".")


@given(closed_args, st.text(max_size=8), json_values)
def test_a_changed_argument_is_not_covered(args: dict[str, Any], name: str, value: Any) -> None:
    """A changed or added argument changes the fingerprint and is not covered."""
    other = {**args, name: [value]} if args.get(name) != [value] else {**args, name: 0.5}
    step = Step(id=1, tool="t", args=args)
    assert step_fingerprint(_shown(args=args), ".") != step_fingerprint(_shown(args=other), ".")
    assert not covers(step, "t", other)
    assert covers(step, "t", dict(args))


@given(closed_args, st.sampled_from(OPEN), json_values)
def test_an_open_argument_may_have_any_value(args: dict[str, Any], mark: Any, value: Any) -> None:
    """A call that fills or omits an open argument is covered; another tool is not."""
    step = Step(id=1, tool="t", args={**args, "hole": mark})
    assert covers(step, "t", {**step.args, "hole": value})
    assert covers(step, "t", {name: v for name, v in step.args.items() if name != "hole"})
    assert not covers(step, "u", {**step.args, "hole": value})


def test_all_open_argument_marks_are_equivalent() -> None:
    """The four marks of an open argument share one fingerprint; closed ones differ.

    A step without the argument differs as well.
    """
    prints = {step_fingerprint(_shown(args={"path": mark}), ".") for mark in OPEN}
    assert len(prints) == 1
    assert step_fingerprint(_shown(args={"path": "a"}), ".") not in prints
    assert step_fingerprint(_shown(args={}), ".") not in prints


@pytest.mark.parametrize(
    ("shown", "filled"),
    [
        ({"n": 1}, {"n": True}),
        ({"n": 1}, {"n": 1.0}),
        ({"n": 1}, {"n": "1"}),
        ({"n": [1]}, {"n": 1}),
    ],
)
def test_values_of_different_json_types_are_different(
    shown: dict[str, Any], filled: dict[str, Any]
) -> None:
    """Values of different JSON types are different: 1, true, 1.0 and "1"."""
    assert not covers(Step(id=1, tool="t", args=shown), "t", filled)


@pytest.mark.parametrize(
    "changed",
    [
        {"tool": "file_write"},
        {"condition": "step_2_failed"},
        {"depends_on": (2,)},
        {"timeout_s": 5.0},
        {"max_retries": 0},
        {"parallel": True},
        {"replaces": 2},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_execution_fields_are_in_the_fingerprint(changed: dict[str, Any]) -> None:
    """Every field that changes how a step runs changes its fingerprint."""
    assert step_fingerprint(_shown(**changed), ".") != step_fingerprint(_shown(), ".")


def test_descriptive_fields_are_not_in_the_fingerprint() -> None:
    """Title, thought and description do not affect a step's fingerprint."""
    said = _shown(title="t", thought="x", description="d")
    assert step_fingerprint(said, ".") == step_fingerprint(_shown(), ".")


def test_execution_conditions_are_in_the_fingerprint() -> None:
    """The fingerprint covers effects, preview, folder, attempts, timeout and needs_person."""
    plain = _shown()
    others = [
        step_fingerprint(replace(plain, effects=as_effects("writes")), "."),
        step_fingerprint(replace(plain, preview="+line"), "."),
        step_fingerprint(replace(plain, needs_person=True), "."),
        step_fingerprint(replace(plain, attempts=2), "."),
        step_fingerprint(replace(plain, timeout_s=5.0), "."),
        step_fingerprint(plain, "elsewhere"),
    ]
    assert len({step_fingerprint(plain, "."), *others}) == 7


def test_step_order_is_in_the_plan_fingerprint() -> None:
    """The same steps in a different order are a different plan."""
    first, second = _shown(id=1), _shown(id=2, args={"path": "b"})
    prints = {
        ApprovalRequest(plan=Plan(steps=tuple(s.step for s in order)), steps=order).fingerprint
        for order in ((first, second), (second, first))
    }
    assert len(prints) == 2


@pytest.mark.parametrize("value", [{1, 2}, b"raw", {1: "number as key"}, object()])
def test_values_that_are_not_json_cannot_be_approved(value: Any) -> None:
    """An argument that is not a JSON value is refused; the error names step and argument."""
    with pytest.raises(ApprovalError, match=r"step 1: argument 'path'"):
        step_fingerprint(_shown(args={"path": value}), ".")


def test_a_call_with_a_value_that_is_not_json_is_not_covered() -> None:
    """A call with an argument value that is not JSON is not covered."""
    assert not covers(Step(id=1, tool="t", args={"n": 1}), "t", {"n": {1}})


def test_shown_steps_must_match_the_plan() -> None:
    """A request whose shown steps differ from the plan's steps is refused."""
    with pytest.raises(ApprovalError, match="not the steps of the plan"):
        ApprovalRequest(plan=Plan(steps=(_shown(tool="rm").step,)), steps=(_shown(),))
