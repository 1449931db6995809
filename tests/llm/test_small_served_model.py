"""A small model behind a server writes no more than in this process does."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from okso_jupyter import Tool
from okso_jupyter.planning.outcome import Planning
from okso_jupyter.session.session import Session
from tests.bench import Bench
from tests.llm.openai_server import Answer, OpenAIServer, says

_AREA = Tool.from_schema(
    "triangle_area",
    "Compute the area of a triangle from its base and height.",
    {
        "type": "object",
        "properties": {
            "base": {"type": "integer"},
            "height": {"type": "integer"},
            "unit": {"enum": ["cm", "mm"]},
        },
        "required": ["base", "height", "unit"],
    },
    lambda **args: str(args),
)
_REQUEST = "Compute the area of a triangle with a base of 10 and a height of 5"
_ARGS = '{"base":10,"height":5,"unit":"mm"}'
_WHOLE = f'[{{"tool":"triangle_area","args":{_ARGS}}},{{"tool":"final_answer","args":{{}}}}]'


def _planned(
    bench: Bench, *answers: Answer, tools: Sequence[Tool] = (_AREA,)
) -> tuple[Planning, OpenAIServer]:
    """Return the plan of a model of 135 million parameters, and its server."""
    with OpenAIServer([*answers]) as server:
        chosen = {"OKSO_HOME": str(bench.home), "PLANNER_SAMPLE_COUNT": 8}
        spec = f"{server.spec}-135M"
        with Session(chosen, tools=tools, model=spec, root=bench.root) as session:
            return session.plan(_REQUEST), server


def test_one_text_is_asked_for_where_only_one_is_possible(bench: Bench) -> None:
    """Eight candidates would be the same: their tool is certain, and only tools are drawn."""
    planning, server = _planned(bench, says(_ARGS))

    (seen,) = server.seen
    assert seen.body["temperature"] == 0
    assert [step.tool for step in planning.plan.steps] == ["triangle_area", "final_answer"]


def test_nothing_is_asked_where_the_plan_is_certain(bench: Bench) -> None:
    """Tool and arguments leave no choice: the server is not even asked for its models."""
    parameters = {
        "type": "object",
        "properties": {"base": {"type": "integer"}, "height": {"type": "integer"}},
        "required": ["base", "height"],
    }
    planning, server = _planned(bench, tools=[replace(_AREA, parameters=parameters)])

    assert server.seen == []
    assert dict(planning.plan.steps[0].args) == {"base": 10, "height": 5}
    assert planning.stopped == "1 of 8 drawn: only one plan can be drawn"


def test_texts_are_asked_for_one_by_one_until_they_settle(bench: Bench) -> None:
    """Where two tools fit, the first text is the likeliest, and the same one again is enough."""
    other = replace(_AREA, name="area_triangle")
    planning, server = _planned(bench, says(_WHOLE), tools=[_AREA, other])

    assert [one.body["temperature"] for one in server.seen] == [0, 0.7]
    assert planning.plan.steps[0].tool == "triangle_area"


def test_only_the_arguments_are_asked_for(bench: Bench) -> None:
    """The plan around them is known, and the model is not made to write it."""
    planning, server = _planned(bench, says(_ARGS))

    (seen,) = server.seen
    schema = seen.body["response_format"]["json_schema"]["schema"]
    assert schema["properties"].keys() == {"base", "height", "unit"}
    assert dict(planning.plan.steps[0].args) == {"base": 10, "height": 5, "unit": "mm"}
    assert planning.chosen.response == _WHOLE
    assert not planning.chosen.mended


@pytest.mark.parametrize(
    "text", [_WHOLE, f"```json\n{_WHOLE}\n```", json.dumps(json.loads(_ARGS), indent=2)]
)
def test_a_whole_plan_is_read_as_well(bench: Bench, text: str) -> None:
    """A server that holds its model to nothing may get more than the arguments."""
    planning, _ = _planned(bench, says(text))

    assert dict(planning.plan.steps[0].args) == {"base": 10, "height": 5, "unit": "mm"}
