"""Converting a model's output to a plan: every tolerated form, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter.errors import PlanError
from okso_jupyter.plan.plan import Plan
from okso_jupyter.planning.sampling.read_plans import mended_in, normalize
from okso_jupyter.session.tool_set import catalog
from tests.each_row import each_row

LS: dict[str, Any] = {"tool": "terminal", "args": {"command": "ls"}, "thought": "see what is here"}
END: dict[str, Any] = {"tool": "final_answer", "args": {}, "thought": "answer"}
ARRAY = json.dumps([LS, END])


def read(completion: object, *inputs: str) -> Plan:
    """Normalize a completion; anything but text is converted to JSON first."""
    text = completion if isinstance(completion, str) else json.dumps(completion)
    return normalize(text, request="What is here?", inputs=frozenset(inputs))


@each_row(
    "completion",
    [
        ARRAY,
        f"  \n{ARRAY}\n",
        f"Here is the plan: {ARRAY} I hope it helps.",
        f"```json\n{ARRAY}\n```",
        json.dumps({"mode": "plan", "plan": [LS, END]}),
        json.dumps({"plan": [LS, END]}),
        json.dumps({"steps": [LS, END], "title": "x"}),
        f"Sure! {json.dumps({'plan': [LS, END]})}",
        json.dumps([LS]),
        json.dumps([{**LS, "confidence": 0.9, "args_control": {"command": "locked"}}, END]),
        json.dumps([{**LS, "tool": " terminal "}, END]),
    ],
)
def test_every_form_of_a_plan_is_read(completion: str) -> None:
    """An array or object, alone or inside prose, gives the same plan, with a final answer."""
    plan = read(completion)
    assert plan.request == "What is here?"
    assert plan.tools == ("terminal", "final_answer")
    assert plan.steps[0].args == {"command": "ls"}
    assert [step.id for step in plan.steps] == [1, 2]


@pytest.mark.parametrize("args", [None, "ls", 5, [], ["ls"], {"__fill__": True}])
def test_arguments_that_are_not_an_object_are_dropped(args: object) -> None:
    """Like okso, arguments of any other type are read as no arguments."""
    assert read([{**LS, "args": args}, END]).steps[0].args == {}


def test_arguments_may_be_left_out() -> None:
    """A step without an `args` key has no arguments."""
    assert read([{"tool": "terminal"}, END]).steps[0].args == {}


@pytest.mark.parametrize("mark", ["", None, {"__fill__": True}, "__MISSING__"])
def test_every_placeholder_is_kept_as_an_open_argument(mark: object) -> None:
    """All four notations of "fill me" are kept as open arguments."""
    step = read([{**LS, "args": {"command": "cat", "args": mark}}, END]).steps[0]
    assert step.open_args == ("args",)


@pytest.mark.parametrize("key", ["code", "snippet", "text"])
def test_older_names_of_a_single_text_become_input(key: str) -> None:
    """`code` and its synonyms become `input`, only for tools whose only text is `input`."""
    step = {"tool": "python_repl", "args": {key: "1+1"}, "thought": "compute"}
    assert read([step, END], "python_repl").steps[0].args == {"input": "1+1"}
    assert read([step, END]).steps[0].args == {key: "1+1"}


def test_an_existing_input_is_kept() -> None:
    """`code` beside `input` is left unchanged; the schema check will report it."""
    args = {"input": "1", "code": "2"}
    step = {"tool": "python_repl", "args": args, "thought": "compute"}
    assert read([step, END], "python_repl").steps[0].args == args


def test_an_answer_that_is_not_last_is_not_added_again() -> None:
    """A plan with final_answer first and a tool last is left to the scorer."""
    assert read([END, LS]).tools == ("final_answer", "terminal")


@pytest.mark.parametrize("number", [1, 2, 7])
def test_the_added_answer_gets_a_unique_number(number: int) -> None:
    """If the model numbers its steps, the added answer's number is a different one."""
    plan = read([{**LS, "id": number}])
    assert plan.steps[0].id == number
    assert plan.steps[-1].tool == "final_answer"
    assert len({step.id for step in plan.steps}) == 2


def test_fields_of_a_plan_are_kept() -> None:
    """Planned dependencies, conditions, time-outs and retries are kept in the plan."""
    more = {"depends_on": [1], "condition": "step_1_succeeded", "timeout_s": 5, "max_retries": 2}
    step = read([LS, {**LS, **more}, END]).steps[1]
    assert (step.depends_on, step.condition) == ((1,), "step_1_succeeded")
    assert (step.timeout_s, step.max_retries) == (5, 2)


@each_row(
    ("completion", "rule"),
    [
        ("", "no_json"),
        ("I would list the files.", "no_json"),
        ("[" * 5000, "no_json"),
        ('{"a":' * 5000, "no_json"),
        (ARRAY[:-5], "no_plan"),
        ("[]", "no_plan"),
        ("{}", "no_plan"),
        ('"terminal"', "no_plan"),
        ("null", "no_plan"),
        ('{"plan": []}', "no_plan"),
        ('{"plan": "ls"}', "no_plan"),
        ('{"mode": "quickdraw", "answer": "42"}', "no_plan"),
        ('["List the files", "Answer"]', "no_tool"),
        ('[{"thought": "no tool at all"}]', "no_tool"),
        ('[{"tool": ""}]', "no_tool"),
        ('[{"tool": "  "}]', "no_tool"),
        ('[{"tool": null}]', "no_tool"),
        ('[{"tool": "__MISSING__"}]', "no_tool"),
        ('[{"tool": "terminal", "depends_on": [9]}]', "unknown_dependency"),
        ('[{"tool": "terminal", "depends_on": [1]}]', "self_dependency"),
        ('[{"tool": "terminal", "condition": "when it rains"}]', "condition"),
        ('[{"tool": "terminal", "thought": 5}]', "schema"),
        ('[{"tool": "terminal", "id": 1}, {"tool": "terminal", "id": 1}]', "duplicate_id"),
    ],
)
def test_an_invalid_plan_is_refused_with_its_rule(completion: str, rule: str) -> None:
    """A completion without a plan, or a plan that breaks a rule, raises a PlanError."""
    with pytest.raises(PlanError) as caught:
        read(completion)
    assert caught.value.rule == rule


def test_the_faulty_step_is_named() -> None:
    """An error inside a step has the step's number."""
    with pytest.raises(PlanError, match="step 2") as caught:
        read([LS, {"tool": ""}])
    assert caught.value.step == 2


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["tool", "args", "steps", "id", "x"]), inner, max_size=4)
    ),
)


@given(json_values.map(json.dumps) | st.text(alphabet='[]{}",:tol a1', max_size=40))
def test_any_completion_is_a_plan_or_a_plan_error(completion: str) -> None:
    """No other error is raised for any completion, and every plan has an answer."""
    try:
        plan = read(completion)
    except PlanError:
        return
    assert "final_answer" in plan.tools


CODE: dict[str, Any] = {"tool": "python_repl", "args": {"input": "1+1"}, "thought": "compute"}


@each_row(
    ("completion", "mended"),
    [
        ([CODE, END], ""),
        ({"steps": [CODE, END]}, ""),
        ({"mode": "plan", "plan": {"steps": [CODE, END]}}, ""),
        ([CODE], "no final step"),
        (CODE, "a step outside a list; no final step"),
        (f"```json\n{json.dumps([CODE, END])}\n```", "a code fence around the plan"),
        (f"As in [1], {{so}}: {json.dumps([CODE, END])} Good?", "words around the plan"),
        (f'{{"a": 1}} and then {json.dumps({"plan": [CODE, END]})}', "words around the plan"),
        ([{**CODE, "args": {"code": "1+1"}}, END], "step 1: 'code' for 'input'"),
        (
            [{"name": "python_repl", "arguments": CODE["args"], "thought": "compute"}, END],
            "step 1: 'name' for 'tool'; step 1: 'arguments' for 'args'",
        ),
        ([{**CODE, "args": json.dumps(CODE["args"])}, END], "step 1: arguments as a text"),
    ],
)
def test_what_was_mended_is_said(completion: object, mended: str) -> None:
    """Every form gives the same plan, and what had to be mended is told in words."""
    text = completion if isinstance(completion, str) else json.dumps(completion)
    tools = catalog(None)

    plan = read(text, "python_repl")
    assert [(step.tool, dict(step.args)) for step in plan.steps] == [
        ("python_repl", {"input": "1+1"}), ("final_answer", {}),
    ]  # fmt: skip
    assert mended_in(text, tools) == mended
