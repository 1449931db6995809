"""What a tool says about a call before it runs: whatever that does, somebody reads why."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import pytest

from okso_jupyter import score_plan
from okso_jupyter.effects.effect import UNDECLARED
from okso_jupyter.errors import ToolDefinitionError
from okso_jupyter.plan.plan import Plan
from okso_jupyter.toolkit.tool import Tool
from tests.approval.person import Person, approve, does
from tests.bench import END, Bench

STEPS: list[dict[str, Any]] = [{"tool": "foreign", "args": {"n": 1}}, END]
NUMBER: dict[str, Any] = {"type": "object", "properties": {"n": {"type": "integer"}}}


class _MuteError(Exception):
    def __str__(self) -> NoReturn:
        raise RuntimeError


def _mute(_args: object) -> NoReturn:
    raise _MuteError


def _clearing(args: Any) -> str:
    args.clear()
    return ""


LINTS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "an exception": (lambda args: args["nope"], "its lint failed with KeyError: 'nope'"),
    "an exception without words": (_mute, "its lint failed with _MuteError: it does not say why"),
    "sys.exit": (lambda _args: sys.exit(3), "its lint failed with SystemExit: 3"),
    "words": (lambda _args: "no such ship\n<b>", "no such ship⟨U+000A⟩<b>"),
    "no text": (lambda _args: 5, "5"),
    "nothing": (lambda _args: None, ""),
    "a change of what it is given": (_clearing, ""),
}


@pytest.mark.parametrize("case", LINTS)
def test_what_a_lint_does_is_a_finding(case: str) -> None:
    """One that fails counts as one that found something, with the reason in words."""
    lint, said = LINTS[case]
    tool = Tool.from_schema("foreign", "d", NUMBER, lambda n: n, effect="none", lint=lint)
    plan = Plan.from_dict({"steps": STEPS})
    (finding,) = [one for one in score_plan(plan, [tool]).findings if one.rule == "arguments"]
    reason = f"arguments fail for step 1 ({said})" if said else "arguments satisfy their schemas"
    assert (finding.points, finding.reason) == (-10 if said else 0, reason)
    assert plan.steps[0].args == {"n": 1}


def test_the_form_answers_where_a_lint_fails(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was typed is shown with its points and why they are fewer, and can be approved."""

    def lint(args: Mapping[str, Any]) -> str:
        return "" if args["n"] < 2 else str(1 / 0)

    bench.offer("foreign", lambda n: f"got {n}", effect="none", parameters=NUMBER, lint=lint)
    person = Person(monkeypatch, [does("check", args={1: {"n": "2"}}), approve])
    run = bench.run(STEPS, approve="ask")
    assert "ZeroDivisionError: division by zero" in " ".join(person.states[1]["score_notes"])
    assert run.steps_seen[0].raw == "got 2"


def test_an_effect_that_exits_counts_as_the_worst() -> None:
    """No tool ends the process that asks what it would do."""
    tool = Tool.from_schema("foreign", "d", NUMBER, lambda n: n, effect=lambda _args: sys.exit(1))
    assert tool.effect_of({}) == UNDECLARED


@pytest.mark.parametrize(
    ("apart", "said"),
    [
        (lambda args: args["nope"], "its apart failed with KeyError: 'nope'"),
        (lambda _args: None, "its apart failed with TypeError: "),
        (lambda _args: [1, 2], "its apart returned something other than arguments"),
    ],
)
def test_what_nobody_could_decide_about_does_not_run(
    bench: Bench, apart: Callable[[Any], Any], said: str
) -> None:
    """The run ends with a sentence that names the tool, and the handler was not called."""
    calls: list[int] = []
    bench.offer("foreign", calls.append, effect="none", parameters=NUMBER, apart=apart)
    with pytest.raises(ToolDefinitionError, match=f"tool foreign: {said}"):
        bench.run(STEPS)
    assert calls == []


@pytest.mark.parametrize(
    ("schema", "value", "said"),
    [
        ({"multipleOf": 0.1}, 10**350, "OverflowError"),
        ({"$ref": "#/$defs/nowhere"}, 1, "PointerToNowhere"),
        ({"$ref": "#/properties/n"}, 1, "RecursionError"),
    ],
)
def test_a_schema_that_cannot_be_applied_is_a_violation(
    schema: dict[str, Any], value: object, said: str
) -> None:
    """No call passes unchecked, and who checks one gets words."""
    parameters = {"type": "object", "properties": {"n": schema}}
    tool = Tool.from_schema("foreign", "d", parameters, lambda n: n, effect="none")
    (violation,) = tool.violations({"n": value})
    assert violation.startswith("the schema cannot be applied to it: ")
    assert said in violation


MODES: dict[str, Any] = {
    "type": "string",
    "x-choices": ["new", "more"],
    "x-file-effects": {"new": "create", "more": "add"},
}


@pytest.mark.parametrize(
    ("properties", "said"),
    [
        ({"mode": MODES}, "x-file-effects of mode needs an argument with x-ground path"),
        (
            {"mode": {**MODES, "x-file-effects": {"new": "create"}}, "to": {"x-ground": "path"}},
            "x-file-effects of mode does not say what 'more' does",
        ),
        (
            {"mode": {**MODES, "x-file-effects": {"new": "burn"}}, "to": {"x-ground": "path"}},
            "x-file-effects of mode does not map its values to create, add or replace",
        ),
        (
            {"mode": {**MODES, "x-file-effects": ["new"]}, "to": {"x-ground": "path"}},
            "x-file-effects of mode does not map its values to create, add or replace",
        ),
    ],
)
def test_an_argument_that_chooses_what_becomes_of_a_file_names_the_file(
    properties: dict[str, Any], said: str
) -> None:
    """What planning could not use is refused when the tool is declared."""
    schema = {"type": "object", "properties": properties}
    with pytest.raises(ToolDefinitionError, match=f"tool store: {said}"):
        Tool.from_schema("store", "stores", schema, print, effect="writes")


def test_a_tool_need_not_know_every_way_to_write(bench: Bench) -> None:
    """One that cannot replace a file is planned with like any other."""
    (bench.root / "kept.txt").write_text("old")
    properties = {"to": {"type": "string", "x-ground": "path"}, "mode": MODES,
                  "by": {"type": "string", "x-choices": ["hand"]}}  # fmt: skip
    examples = [
        ("Store it in new.txt", {"to": "new.txt", "mode": "new"}),
        ("Overwrite old.txt", {"to": "old.txt", "mode": "new", "by": "hand"}),
    ]
    bench.offer("store", lambda **_: "stored", effect="writes", examples=examples,
                parameters={"type": "object", "properties": properties})  # fmt: skip
    plan = [{"tool": "store", "args": {"to": "kept.txt", "mode": "more"}}, END]
    with bench.session(plan, PLANNER_SAMPLE_COUNT=1) as session:
        assert session.plan("Overwrite kept.txt with it").plan.steps[0].tool == "store"
