"""A run as a trajectory keeps to the format: its fields, numbering and references."""

from __future__ import annotations

from typing import Any, Final

import jsonschema

from okso_jupyter.results import Run
from tests.bench import END, Bench

READ: Final = {"tool": "file_read", "args": {"path": "notes.txt"}}
LOST: Final = {"tool": "file_read", "args": {"path": "nowhere.bin"}}
COUNT: Final = {"type": "integer", "minimum": 0}
TEXT: Final = {"type": "string"}


def exactly(required: str, **properties: Any) -> dict[str, Any]:
    """Return the schema of an object with these properties and no others."""
    return {
        "type": "object",
        "required": required.split(),
        "properties": properties,
        "additionalProperties": False,
    }


METRICS: Final = exactly(
    "", prompt_tokens=COUNT, completion_tokens=COUNT, cached_tokens=COUNT, extra={"type": "object"}
)
CALL: Final = exactly(
    "tool_call_id function_name arguments",
    tool_call_id=TEXT,
    function_name=TEXT,
    arguments={"type": "object"},
)
STEP: Final = exactly(
    "step_id source message",
    step_id={"type": "integer", "minimum": 1},
    timestamp=TEXT,
    source={"enum": ["system", "user", "agent"]},
    message=TEXT,
    tool_calls={"type": "array", "items": CALL},
    observation=exactly(
        "results",
        results={"type": "array", "items": exactly("", source_call_id=TEXT, content=TEXT)},
    ),
    metrics=METRICS,
    llm_call_count=COUNT,
    extra={"type": "object"},
)
SCHEMA: Final = exactly(
    "schema_version session_id agent steps",
    schema_version={"const": "ATIF-v1.7"},
    session_id=TEXT,
    agent=exactly("name version", name=TEXT, version=TEXT, model_name=TEXT),
    steps={"type": "array", "items": STEP, "minItems": 1},
    final_metrics=exactly(
        "",
        total_prompt_tokens=COUNT,
        total_completion_tokens=COUNT,
        total_cached_tokens=COUNT,
        total_steps=COUNT,
    ),
)


def trajectory(run: Run) -> dict[str, Any]:
    """Return the trajectory of a run, checked against the rules of the format."""
    found = run.to_atif()
    jsonschema.validate(found, SCHEMA)
    steps = found["steps"]
    assert [step["step_id"] for step in steps] == list(range(1, len(steps) + 1))
    assert found["final_metrics"]["total_steps"] == len(steps)
    for step in steps:
        calls = {call["tool_call_id"] for call in step.get("tool_calls", ())}
        answers = step.get("observation", {"results": []})["results"]
        assert {answer["source_call_id"] for answer in answers} == calls
        if step["source"] != "agent":  # only the agent calls, and asks models
            assert not {"tool_calls", "metrics", "model_name"} & set(step)
        if step.get("llm_call_count") == 0:
            assert "metrics" not in step
    return found


def test_a_run_is_request_plan_decision_call_and_answer(bench: Bench) -> None:
    """The turns in their order, with what the models spent."""
    with bench.session([READ, END], PLANNER_SAMPLE_COUNT=1) as session:
        run = session.run("read notes.txt", approve=lambda _plan: "approve")
    found = trajectory(run)
    steps = found["steps"]
    assert [step["source"] for step in steps] == ["user", "agent", "user", "agent", "agent"]
    assert steps[0]["message"] == "read notes.txt"
    assert steps[1]["metrics"]["completion_tokens"] > 0
    assert steps[2]["message"].startswith("approve")
    assert steps[3]["tool_calls"][0]["function_name"] == "file_read"
    assert steps[3]["observation"]["results"][0]["content"]
    assert steps[-1]["message"] == run.answer


def test_calls_that_failed_are_in_it(bench: Bench) -> None:
    """Each attempt is a call of its own, with its error."""
    run = bench.run([LOST, END])
    calls = [step for step in trajectory(run)["steps"] if "tool_calls" in step]
    assert calls
    assert all(call["extra"]["status"] == "failed" for call in calls)
    assert calls[0]["observation"]["results"][0]["content"]
