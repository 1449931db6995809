"""What an ideal model would write, and the results of a planner that uses one."""

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
    """Return the schema of a plan of these steps and a final answer."""
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


def test_an_ideal_answer_obeys_the_schema() -> None:
    """It has the accepted values that are offered, in the order of the schema's steps."""
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


def test_what_a_schema_forbids_is_reported() -> None:
    """A missing tool, a missing value and a missing step are reported differently."""
    case = case_of({"root": {"of": [9]}})

    with pytest.raises(ForbiddenError, match=r"argument: root\.of cannot be \[9\]"):
        Ideal(_list_of(_step("root", _args(of={"enum": [1]})))).answer(case)
    with pytest.raises(ForbiddenError, match=r"argument: root\.of is left out, not \[9\]"):
        Ideal(_list_of(_step("root", _args()))).answer(case)
    with pytest.raises(ForbiddenError, match="tool: root is not offered"):
        Ideal(_list_of(_step("geometry.area", _args()))).answer(case)
    with pytest.raises(ForbiddenError, match="steps: 2 of them"):
        Ideal(_list_of()).answer(case)


def test_an_ideal_answer_may_have_no_call_or_any_call() -> None:
    """It only answers if no tool fits; if any tool fits, it calls one with allowed values."""
    some = _list_of(_step("root", _args(of={"type": "integer"})))

    assert Ideal(_list_of()).answer(case_of(category="irrelevance")) == [
        {"tool": "final_answer", "args": {}}
    ]
    assert Ideal(some).answer(case_of(category="live_relevance"))[0]["tool"] == "root"
    with pytest.raises(ForbiddenError, match="steps"):
        Ideal(some).answer(case_of(category="irrelevance"))


def test_other_requests_get_an_arbitrary_valid_answer() -> None:
    """An object is filled with values that its enumerations and bounds allow."""
    kind = {"type": "object", "properties": {"kind": {"enum": ["files", "web"]},
            "sure": {"type": "number", "minimum": 2}, "why": {"type": "string"}},
            "required": ["kind", "sure"]}  # fmt: skip

    assert Ideal(kind).anything() == {"kind": "files", "sure": 2}


def test_a_planner_with_an_ideal_model_is_right(tmp_path: Path) -> None:
    """A real session's prompt and schema allow the accepted call, over HTTP."""
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


def test_a_planner_counts_the_output_of_its_model(tmp_path: Path) -> None:
    """Calls exclude the final answer, tokens include every completion; failures are shown."""
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
