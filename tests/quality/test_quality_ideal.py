"""What an ideal model would write, and how a planner fares that asks one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from benchmarks.quality.checker import Call, judge
from benchmarks.quality.contestants import Planner
from benchmarks.quality.ideal import ForbiddenError, Ideal
from benchmarks.quality.ideal_server import AskingIdeal, IdealServer
from okso_jupyter import Session, Settings
from okso_jupyter.testing import ScriptedModel
from tests.quality.made_cases import AREA_IS, case_of


def _list_of(*steps: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of a plan of these steps and a final one."""
    final = _step("final_answer", {"type": "object"})
    return {"anyOf": [{"type": "array", "prefixItems": [*steps, final], "items": False,
                       "minItems": len(steps) + 1, "maxItems": len(steps) + 1}]}  # fmt: skip


def _step(tool: str, args: Mapping[str, Any]) -> dict[str, Any]:
    thought = {"type": "string", "pattern": "^[a-z ]{5,}$"}
    return {
        "type": "object",
        "properties": {"tool": {"const": tool}, "args": args, "thought": thought},
        "required": ["tool", "args"],
    }


def _args(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def test_an_ideal_answer_keeps_within_the_schema() -> None:
    """It chooses the accepted values that are offered, in the order of the steps that take them."""
    case = case_of(AREA_IS, {"root": {"of": [9, 3]}}, category="parallel_multiple")
    schema = _list_of(
        _step("root", _args(of={"enum": [1, 3]})),
        _step("geometry.area", _args(base={"type": "number"}, height={"enum": [5]})),
    )

    assert Ideal(schema).answer(case) == [
        {"tool": "root", "args": {"of": 3}},
        {"tool": "geometry.area", "args": {"base": 10, "height": 5}},
        {"tool": "final_answer", "args": {}},
    ]


def test_what_a_schema_forbids_is_named() -> None:
    """A missing tool, a missing value and a missing step are told apart."""
    case = case_of({"root": {"of": [9]}})

    with pytest.raises(ForbiddenError, match=r"argument: root\.of cannot be \[9\]"):
        Ideal(_list_of(_step("root", _args(of={"enum": [1]})))).answer(case)
    with pytest.raises(ForbiddenError, match=r"argument: root\.of is left out, not \[9\]"):
        Ideal(_list_of(_step("root", _args()))).answer(case)
    with pytest.raises(ForbiddenError, match="tool: root is not offered"):
        Ideal(_list_of(_step("geometry.area", _args()))).answer(case)
    with pytest.raises(ForbiddenError, match="steps: 2 of them"):
        Ideal(_list_of()).answer(case)


def test_an_ideal_answer_may_call_nothing_or_anything() -> None:
    """Where no tool fits it only answers; where any fits it calls one with what is allowed."""
    some = _list_of(_step("root", _args(of={"type": "integer"})))

    assert Ideal(_list_of()).answer(case_of(category="irrelevance")) == [
        {"tool": "final_answer", "args": {}}
    ]
    assert Ideal(some).answer(case_of(category="live_relevance"))[0]["tool"] == "root"
    with pytest.raises(ForbiddenError, match="steps"):
        Ideal(some).answer(case_of(category="irrelevance"))


def test_what_else_is_asked_gets_some_answer() -> None:
    """An object, its enumerations and bounds are filled with what they allow."""
    kind = {"type": "object", "properties": {"kind": {"enum": ["files", "web"]},
            "sure": {"type": "number", "minimum": 2}, "why": {"type": "string"}},
            "required": ["kind", "sure"]}  # fmt: skip

    assert Ideal(kind).anything() == {"kind": "files", "sure": 2}


def test_a_planner_that_asks_an_ideal_model_is_right(tmp_path: Path) -> None:
    """The prompt and schema of a real session leave room for the accepted call, over HTTP."""
    with IdealServer() as server:
        settings = Settings.of({"OKSO_HOME": str(tmp_path), "PLANNER_MODEL_SPEC": server.spec})
        with Session(settings, tools=(), root=tmp_path) as session:
            model = session.model("planner")
        planner = Planner(model=model, settings=settings, said="", samples=1, root=tmp_path)
        asking = AskingIdeal(planner, server)
        right = asking.answer(case_of(AREA_IS))
        wrong = asking.answer(case_of({"geometry.area": {"base": ["ten"], "height": [5]}}))

    assert judge(case_of(AREA_IS), right.calls).right
    assert wrong.calls == ()
    assert wrong.error == "the schema forbids it: argument: geometry.area.base cannot be ['ten']"


def test_a_planner_counts_what_its_model_wrote(tmp_path: Path) -> None:
    """Calls come without the final answer, tokens from every completion; no failure is hidden."""
    plan = [
        {"tool": "root", "args": {"of": 9}},
        {"tool": "final_answer", "args": {}},
    ]
    model = ScriptedModel([plan, plan, "no plan", "no plan"])
    settings = Settings.of({"OKSO_HOME": str(tmp_path)})
    planner = Planner(model=model, settings=settings, said="", samples=2, root=tmp_path)

    good, bad = planner.answer(case_of()), planner.answer(case_of())

    assert good.calls == (Call("root", {"of": 9}),)
    assert good.output_tokens == 2 * len(json.dumps(plan).split())
    assert bad.error.startswith("none of 2 samples is a plan")
