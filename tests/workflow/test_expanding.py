"""Workflows are expanded in any plan to calls whose placeholders are filled as data."""

from __future__ import annotations

import ast
import json
import shlex
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter import Plan, score_plan
from okso_jupyter.effects.effect import Effect
from okso_jupyter.errors import ApprovalError, PlanError, ToolRefusedError
from okso_jupyter.plan.plan import Step
from okso_jupyter.session.session import Session
from okso_jupyter.terminal.command import words_of
from okso_jupyter.testing import ScriptedModel
from okso_jupyter.toolkit.step_expansion import expanded
from okso_jupyter.tools.terminal import terminal
from okso_jupyter.workflow.interpolate import interpolate_args
from tests.bench import END, Bench, statuses
from tests.each_row import each_row
from tests.workflow.conftest import WEEKLY_STATUS, Write, echo, session_of, takes

CODE = {"input": {"type": "string", "x-ground": "code"}}
LINE = {"command": {"type": "string", "x-line": True}}
READ = {"tool": "file_read", "args": {"path": "notes.txt"}}


def _call(name: str, /, **args: Any) -> dict[str, Any]:
    return {"tool": f"workflow_{name}", "args": args}


def _expand(bench: Bench, *steps: dict[str, Any]) -> tuple[Step, ...]:
    with session_of(bench) as session:
        return expanded(Plan.from_dict(list(steps)), session.tools).steps


# --- okso's own example ------------------------------------------------------------------------


def test_the_documented_example_runs_unchanged(bench: Bench, write: Write) -> None:
    """The example of okso's documentation, verbatim, becomes one echo call."""
    write("weekly_status.json", WEEKLY_STATUS)

    with session_of(bench) as session:
        assert session.tools["workflow_weekly_status"].groups == ("notes",)
        run = session.execute([_call("weekly_status", project="Apollo"), END], approve="auto")

    first = run.observations.iloc[0]
    assert (first["tool"], first["status"]) == ("terminal", "completed")
    assert first["observation_raw"]["stdout"] == "Status for \n"
    assert run.plan is not None
    assert run.plan.steps[0].thought == "Collect update data for ."


def test_the_example_with_placeholders_runs(bench: Bench, write: Write) -> None:
    """The example with its lost placeholders restored takes any text as one word."""
    text = WEEKLY_STATUS.replace('for \\"', 'for {{project}}\\"').replace(
        "for .", "for {{project}}."
    )
    write("weekly_status.json", text)

    with session_of(bench) as session:
        plan = [_call("weekly_status", project='A"; rm -rf * > x'), END]
        run = session.execute(plan, approve="auto")

    assert run.observations.iloc[0]["observation_raw"]["stdout"] == 'Status for A"; rm -rf * > x\n'
    assert run.plan is not None
    assert run.plan.steps[0].thought == 'Collect update data for A"; rm -rf * > x.'


# --- values as data ----------------------------------------------------------------------------


@each_row(
    ("template", "values", "filled"),
    [
        ("{{x}}", {"x": 3}, 3),
        ("{{ x }}", {"x": ["a", "b"]}, ["a", "b"]),
        ("{{x}}", {"x": {"k": None}}, {"k": None}),
        ("n={{x}}", {"x": 3}, "n=3"),
        ("{{x}}/{{y}}", {"x": "a", "y": True}, "a/true"),
        ("{{x}}", {"x": "{{y}}", "y": "no"}, "{{y}}"),
        ("a {{x}}", {"x": "{{y}}", "y": "no"}, "a {{y}}"),
        (["-n", "{{x}}", {"k": "<{{x}}>"}], {"x": "5"}, ["-n", "5", {"k": "<5>"}]),
        ("{{x}}", {"x": ""}, ""),
        ("plain", {"x": "1"}, "plain"),
        ("{x} }} {{", {"x": "1"}, "{x} }} {{"),
    ],
)  # fmt: skip
def test_placeholders_are_filled_once(template: Any, values: dict[str, Any], filled: Any) -> None:
    """A lone placeholder keeps the value's type; placeholders inside values stay."""
    assert interpolate_args({"arg": template}, values, {}) == {"arg": filled}


def test_a_lone_placeholder_without_a_value_is_omitted() -> None:
    """An argument that is a lone placeholder without a value is omitted.

    The tool's own default then applies.
    """
    assert interpolate_args({"a": "{{x}}", "b": "{{y}}"}, {"y": 1}, {}) == {"b": 1}


@pytest.mark.parametrize("value", [None, "", "__MISSING__", {"__fill__": True}])
def test_an_open_value_stays_open_or_is_refused(value: object) -> None:
    """An open value is kept as a whole argument, but refused inside a text.

    A whole argument is filled later, just before its step runs; a part of a text cannot be.
    """
    assert interpolate_args({"arg": "{{x}}"}, {"x": value}, {}) == {"arg": value}
    cases: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"arg": "a {{x}}"}, {}),
        ({"arg": ["{{x}}"]}, {}),
        ({"input": "f({{x}})"}, CODE),
        ({"input": "{{x}}"}, CODE),
        ({"command": "echo {{x}}"}, LINE),
        ({"command": "{{x}}"}, LINE),
    ]
    for args, schema in cases:
        with pytest.raises(PlanError, match="x has no value yet"):
            interpolate_args(args, {"x": value}, schema)


def test_values_inside_an_address_are_escaped() -> None:
    """A value inside an address cannot add a host, a path or a parameter."""
    schema = {"url": {"type": "string", "x-ground": "url"}}

    args = {"url": "https://example.org/find?q={{x}}&n=1"}
    filled = interpolate_args(args, {"x": "a&b=/../ü@evil.org#"}, schema)

    assert filled == {"url": "https://example.org/find?q=a%26b%3D%2F..%2F%C3%BC%40evil.org%23&n=1"}
    assert interpolate_args({"url": "{{x}}"}, {"x": "https://a.org/?b=c"}, schema) == {
        "url": "https://a.org/?b=c"
    }


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)  # fmt: skip


@given(value=st.lists(JSON, min_size=1))
def test_code_gets_any_value_as_data(value: list[Any]) -> None:
    """Code that uses a placeholder gets exactly its value, whatever that is."""
    args = interpolate_args({"input": "found = {{x}}"}, {"x": value}, CODE)
    names: dict[str, Any] = {}
    exec(args["input"], names)  # noqa: S102  what is tested is that this runs nothing of the value

    assert names["found"] == value


@given(value=st.text(min_size=1).filter(lambda text: text != "__MISSING__"))
def test_texts_in_code_contain_values_unchanged(value: str) -> None:
    """Inside quotes of any kind a value is part of the text and cannot end it."""
    template = "a = '{{x}}'; b = \"<{{x}}>\"; c = f'{1}{{x}}'; d = '''{{x}}\n'''; e = {{x}}"
    args = interpolate_args({"input": template}, {"x": value}, CODE)
    names: dict[str, Any] = {}
    exec(args["input"], names)  # noqa: S102  see above

    expected = (value, f"<{value}>", f"1{value}", f"{value}\n", value)
    assert tuple(names[name] for name in "abcde") == expected


@given(value=st.text(min_size=1).filter(lambda text: text != "__MISSING__"))
def test_fields_of_f_strings_contain_values_as_literals(value: str) -> None:
    """In a field of an f-string a value is a literal at any depth; the rest is unchanged."""
    template = (
        "w = 3; a = f'<{ {{x}} }{{x}}{w:>{w}}>'; b = f\"{'{{x}}'!r}{w!s:{'>'}{w}}\"; "
        "c = f'{f\"{ {{x}} !a}|\"}'"
    )
    args = interpolate_args({"input": template}, {"x": value}, CODE)
    names: dict[str, Any] = {}
    exec(args["input"], names)  # noqa: S102  see above

    expected = (f"<{value}{value}  3>", f"{value!r}  3", f"{value!a}|")
    assert tuple(names[name] for name in "abc") == expected


HOSTILE = st.text(max_size=12) | st.sampled_from(
    [
        "{ran()}",
        "}{ran()}{",
        "{w.__class__}",
        "' + ran() + '",
        '"""',
        "'''",
        "'''\"\"\"",
        "\\",
        ">{ran()}",
    ]
)


@given(value=HOSTILE.filter(lambda text: text not in {"", "__MISSING__"}))
def test_a_value_in_a_format_spec_is_data(value: str) -> None:
    """In a format spec of an f-string a value is only text and never runs as code."""
    template = "def show(w): return f'{w:{{x}}}', f'{w:{w}{{x}}}', f'{w:{{x}}{ {{x}} }}'"
    code = interpolate_args({"input": template}, {"x": value}, CODE)["input"]
    ran: list[int] = []
    names: dict[str, Any] = {"ran": lambda: ran.append(1)}
    exec(code, names)  # noqa: S102  see above

    class Word(str):
        __slots__ = ()

        def __format__(self, form: str) -> str:
            return form or "w"

    assert names["show"](Word("w")) == (value, f"w{value}", f"{value}{value}")
    assert ran == []


@each_row(
    "template",
    [
        "'''{{x}}'''",
        'def f():\n    """{{x}}"""\n    return f.__doc__\nx = f()',
        "x = f'''{ [{{x}}][0] }'''",
        "x = f'{(lambda: \"{{x}}\")()}'",
        "x = {'{{x}}': f'{{x}}{{x}}'}",
    ],
)
@each_row("value", ["'''\"\"\"", "\"\"\"'''\\", "a\\b\n'\"", "\udc80", "{", "ö\x00"])
def test_any_quotes_in_a_value_leave_valid_python(template: str, value: str) -> None:
    """Whatever quotes a value contains, the code stays valid and contains the value."""
    code = interpolate_args({"input": template}, {"x": value}, CODE)["input"]

    constants = [node.value for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Constant)]
    assert value in constants


def test_code_without_placeholders_is_unchanged() -> None:
    """Code without placeholders keeps its comments and spacing."""
    code = "x = 1  # one\n\n\ny=2"

    assert interpolate_args({"input": code}, {"x": 1}, CODE) == {"input": code}


def test_code_that_is_only_a_placeholder_is_a_literal() -> None:
    """Code that is only a placeholder becomes a literal, so no parameter can add code."""
    args = interpolate_args({"input": "{{x}}"}, {"x": "import os"}, CODE)

    assert ast.literal_eval(args["input"]) == "import os"


@given(value=st.text(min_size=1).filter(lambda text: text != "__MISSING__"))
def test_a_command_line_keeps_its_words(value: str) -> None:
    """A placeholder in a command line is one word or part of one, whatever its value."""
    args = {"command": "grep -c {{x}} 'a {{x}}.txt' \"{{x}}\""}
    filled = interpolate_args(args, {"x": value}, LINE)

    assert shlex.split(filled["command"]) == ["grep", "-c", value, f"a {value}.txt", value]


@given(value=st.text(min_size=1).filter(lambda text: text != "__MISSING__"))
def test_the_terminal_splits_the_same_words(value: str) -> None:
    """The terminal tool splits a filled command line into the same words as a shell."""
    args = {"command": "echo -n '<{{x}}>'"}
    filled = interpolate_args(args, {"x": value}, terminal.properties)

    assert words_of(filled["command"], ()) == ["echo", "-n", f"<{value}>"]
    assert terminal.effect_of(filled) == frozenset()


# --- in a plan ---------------------------------------------------------------------------------


def test_a_workflow_in_the_middle_of_a_plan(bench: Bench, write: Write) -> None:
    """Steps are renumbered; a step that depends on a workflow depends on its last steps."""
    write("two", steps=[echo("a"), {**echo("b"), "depends_on": [1]}])
    write("pair", steps=[echo("c"), echo("d")])
    plan = [
        {**READ, "id": 7},
        {**_call("two"), "id": 3, "depends_on": [7]},
        {**_call("pair"), "id": 4, "depends_on": [3]},
        {**READ, "id": 9, "depends_on": [4, 7]},
        {**END, "id": 10},
    ]

    steps = _expand(bench, *plan)

    assert [(s.id, s.tool, s.depends_on) for s in steps] == [
        (1, "file_read", ()),
        (2, "terminal", (1,)),
        (3, "terminal", (2,)),
        (4, "terminal", (3,)),
        (5, "terminal", (3,)),
        (6, "file_read", (4, 5, 1)),
        (7, "final_answer", ()),
    ]


def test_replaces_refers_to_the_new_step_numbers(bench: Bench, write: Write) -> None:
    """Renumbering updates `replaces`.

    If a replacement becomes several calls, its last one has the `replaces`. A replaced workflow
    is referred to by its last call.
    """
    write("two", steps=[echo("a"), echo("b")])
    write("one", steps=[echo("c")])
    plan = [
        {**_call("two"), "id": 1},
        {**READ, "id": 2},
        {**_call("one"), "id": 3, "replaces": 2},
        {**_call("two"), "id": 4, "replaces": 3},
        {**END, "id": 5},
    ]

    assert [step.replaces for step in _expand(bench, *plan)] == [None, None, None, 3, None, 4, None]


def test_a_plan_without_workflows_keeps_its_ids(bench: Bench) -> None:
    """A plan without workflows is not renumbered."""
    plan = Plan.from_dict([{**READ, "id": 7}, {**END, "id": 9}])
    with session_of(bench) as session:
        assert expanded(plan, session.tools) == plan


def test_steps_describe_the_workflow_that_they_come_from(bench: Bench, write: Write) -> None:
    """A step's description names its workflow and its position there, nested ones too.

    The form, the report and the journal show it.
    """
    write(
        "inner",
        steps=[echo("{{x}}"), {**echo("b"), "description": "Say b."}],
        parameters=takes("x"),
    )
    write("outer", steps=[echo("a"), _call("inner", x="{{y}}!")], parameters=takes("y"))

    steps = _expand(bench, _call("outer", y="hi"), END)

    assert [step.description for step in steps] == [
        "Step 1 of 2 of workflow_outer",
        "Step 1 of 2 of workflow_inner; Step 2 of 2 of workflow_outer",
        "Say b.; Step 2 of 2 of workflow_inner; Step 2 of 2 of workflow_outer",
        "",
    ]
    assert steps[1].args["args"] == ["hi!"]


def test_options_of_a_workflow_call_apply_to_its_steps(bench: Bench, write: Write) -> None:
    """Time-out, retries and thought apply to the steps that do not set their own."""
    write(
        "flow", steps=[echo("a"), {**echo("b"), "timeout_s": 3, "max_retries": 0, "thought": "b"}]
    )
    call = {**_call("flow"), "timeout_s": 9, "max_retries": 2, "thought": "why", "parallel": True}

    steps = _expand(bench, call, END)

    assert [(s.timeout_s, s.max_retries, s.thought, s.parallel) for s in steps[:2]] == [
        (9, 2, "why", False), (3, 0, "b", False),
    ]  # fmt: skip


def test_a_condition_on_a_workflow_applies_to_each_step(bench: Bench, write: Write) -> None:
    """If the condition on a workflow is not met, none of its steps runs."""
    write("flow", steps=[echo("a"), {**echo("b"), "condition": "step_1_succeeded"}])
    missing = {"tool": "file_read", "args": {"path": "missing.txt"}}
    plan = [missing, {**_call("flow"), "condition": "step_1_succeeded"}, END]

    with session_of(bench, ON_FAILURE="stop") as session:
        run = session.execute(plan, approve="auto")

    assert run.plan is not None
    assert [s.condition for s in run.plan.steps] == ["", "step_1_succeeded", "step_2_succeeded", ""]
    assert statuses(run) == {1: "failed", 2: "skipped", 3: "skipped", 4: "skipped"}


def test_a_condition_about_a_workflow(bench: Bench, write: Write) -> None:
    """A condition about a workflow becomes one about its steps.

    Several steps have succeeded if all have. Only for a single step may it be about a failure.
    """
    write("two", steps=[echo("a"), echo("b")])
    write("one", steps=[echo("a")])

    after_two = _expand(bench, _call("two"), {**READ, "condition": "step_1_succeeded"}, END)[2]
    after_one = _expand(bench, _call("one"), {**READ, "condition": "step_1_failed"}, END)[1]

    assert (after_two.condition, after_two.depends_on) == ("step_2_succeeded", (1, 2))
    assert (after_one.condition, after_one.depends_on) == ("step_1_failed", ())


@pytest.mark.parametrize("name", ["two", "branch"])
def test_an_ambiguous_condition_is_refused(bench: Bench, write: Write, name: str) -> None:
    """A condition that no single step can decide is refused.

    Such are a failure of a workflow with several steps, and a success of conditional steps.
    """
    write("two", steps=[echo("a"), echo("b")])
    write("branch", steps=[echo("a"), {**echo("b"), "condition": "step_1_failed"}])
    outcome = "failed" if name == "two" else "succeeded"

    with pytest.raises(PlanError, match="which becomes 2 steps") as caught:
        _expand(bench, _call(name), {**READ, "condition": f"step_1_{outcome}"}, END)

    assert caught.value.step == 2


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ({"n": "x"}, r"step 1 \(workflow_flow\): n: 'x' is not of type 'integer'"),
        ({"n": 1, "m": 2}, r"step 1 \(workflow_flow\): .*'m' was unexpected"),
        ({}, r"step 1: workflow_flow, step 1 \(terminal\): n has no value yet"),
        ({"n": ""}, "n has no value yet"),
        ({"n": 7}, r"step 1 \(workflow_flow\): its step 2 \(file_read\): page: .*7"),
    ],
)
def test_invalid_arguments_are_reported(
    bench: Bench, write: Write, args: dict[str, Any], said: str
) -> None:
    """The workflow's own schema is checked first, then that of each tool with the values."""
    page = {"path": "notes.txt", "page": ["{{n}}"]}
    write(
        "flow",
        parameters=takes(n={"type": "integer"}) | {"required": ["n"]},
        steps=[echo("{{n}} lines"), {"tool": "file_read", "args": page}],
    )

    with pytest.raises(PlanError, match=said):
        _expand(bench, _call("flow", **args), END)


def test_a_default_fills_an_omitted_argument(bench: Bench, write: Write) -> None:
    """An omitted argument has its default value; a given one overrides it."""
    write("flow", parameters=takes(n={"type": "integer", "default": 3}), steps=[echo("n={{n}}")])

    plan = [_call("flow"), _call("flow", n=4), END]

    assert [step.args.get("args") for step in _expand(bench, *plan)[:2]] == [["n=3"], ["n=4"]]


# --- as a tool ---------------------------------------------------------------------------------


def test_the_effect_is_the_union_of_all_steps(bench: Bench, write: Write) -> None:
    """The effect of a workflow is that of its steps for the given values."""
    remove = {"tool": "terminal", "args": {"command": "rm", "args": ["{{x}}"]}}
    write("flow", parameters=takes("x"), steps=[READ, remove])
    write("safe", steps=[READ])

    with session_of(bench) as session:
        tools = session.tools
        assert tools["workflow_safe"].effect_of({}) == {Effect.READS}
        assert Effect.IRREVERSIBLE in tools["workflow_flow"].effect_of({"x": "a.txt"})
        assert tools["workflow_flow"].effect_of({"x": ""}) == {Effect.UNDECLARED}
        with pytest.raises(ToolRefusedError, match="is not called itself"):
            tools["workflow_safe"].handler()


def test_an_irreversible_step_in_a_workflow_needs_approval(bench: Bench, write: Write) -> None:
    """A policy refuses an irreversible step inside a workflow as it does elsewhere."""
    write("flow", steps=[{"tool": "terminal", "args": {"command": "rm notes.txt"}}])

    with session_of(bench) as session, pytest.raises(ApprovalError, match="cannot be undone"):
        session.execute([_call("flow"), END], approve="auto")

    assert (bench.root / "notes.txt").exists()


def test_a_planned_workflow_is_scored_and_run_as_its_steps(bench: Bench, write: Write) -> None:
    """The planner may use a workflow; it is scored, stored and run as its steps."""
    write(
        "greet",
        parameters=takes("who"),
        steps=[echo("hello"), echo("{{who}}")],
        examples=[{"request": "Greet 'Ann' kindly", "args": {"who": "Ann"}}],
    )
    good = [_call("greet", who="Bob") | {"thought": "greet"}, END]
    bad = [_call("greet", who=3), END]
    chosen = {"WORKFLOWS_DIR": "workflows", "PLANNER_SAMPLE_COUNT": 2}
    model = ScriptedModel([bad, good])

    with Session({"OKSO_HOME": str(bench.home), **chosen}, model=model, root=bench.root) as session:
        planning = session.plan("Greet 'Bob' kindly")
        run = session.execute(planning, approve="auto")

    assert [step.tool for step in planning.plan.steps] == ["terminal", "terminal", "final_answer"]
    assert "workflow_greet" in planning.unusable[0].reason
    ranking = planning.ranking.set_index("tool")
    assert ranking.index[0] == "workflow_greet"
    assert bool(ranking.loc["workflow_greet", "offered"])
    assert "workflow_greet(who)" in model.requests[0].messages[0].content
    assert "workflow_greet" in json.dumps(model.requests[0].schema)
    assert run.answer == "hello\nBob"
    card = planning.scorecards[0]
    assert next(f for f in card.findings if f.rule == "coverage").points == 20


def test_score_plan_scores_the_steps(bench: Bench, write: Write) -> None:
    """A workflow of three calls has the same score as the three calls."""
    write("flow", steps=[echo("a"), echo("b"), echo("c")])
    with session_of(bench) as session:
        tools = list(session.tools.values())

    short = score_plan(Plan.from_dict([_call("flow"), END]), tools)
    long = score_plan(Plan.from_dict([echo("a"), echo("b"), echo("c"), END]), tools)

    assert short == long
