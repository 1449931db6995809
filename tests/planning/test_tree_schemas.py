"""Splitting a plan's schema into steps neither adds nor loses a plan."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from okso_jupyter.planning.prompt.builder import make_prompts
from okso_jupyter.planning.tree.schemas import any_of, next_step_schemas, steps_needed, whole_schema
from okso_jupyter.session.session import Session
from tests.planning.tree_lab import write

TOOLS = {tool.name: tool for tool in Session().tools.values()}
REQUESTS = (
    "How many lines has notes.txt, and what is in sales.csv?",
    "Read notes.txt and then write 'done' into log.txt",
)
SCHEMAS = {
    request: dict(next(make_prompts(request, tools=TOOLS, workspace=None, budget=6)).schema)
    for request in REQUESTS
}
#: What another planner may ask for: one open array.
OPEN = {
    "type": "array", "maxItems": 3, "prefixItems": [{"const": {"tool": "a"}}],
    "items": {"anyOf": [{"const": {"tool": "b"}}, {"const": {"tool": "c"}}]}, "minItems": 2,
}  # fmt: skip
schemas = st.sampled_from([*SCHEMAS.values(), OPEN])
few = settings(max_examples=20)  # each is many validations


def _plan(schema: dict[str, Any], seed: int) -> list[Any]:
    if "items" in schema:
        return [{"tool": "a"}, {"tool": "b"}, {"tool": "c"}][: 2 + seed % 2]
    plan: list[Any] = write(schema, schema, random.Random(seed))  # noqa: S311  a test's luck
    return plan


def _accepts(schema: Any, value: object) -> bool:
    return Draft202012Validator(schema).is_valid(value)


@few
@given(schemas, st.integers(0, 999))
def test_every_step_of_a_plan_is_a_valid_next_step(schema: dict[str, Any], seed: int) -> None:
    """Cut anywhere, a plan is a path, an offered next step and an allowed rest."""
    plan = _plan(schema, seed)

    for length in range(len(plan)):
        kinds = next_step_schemas(schema, tuple(plan[:length]))
        assert _accepts(any_of(kinds), plan[: length + 1])
        assert _accepts(whole_schema(schema, tuple(plan[:length])), plan)
        assert steps_needed(schema, tuple(plan[:length])) <= len(plan) - length


@few
@given(schemas, st.integers(0, 999), st.integers(0, 999))
def test_a_schema_for_a_path_requires_that_path(
    schema: dict[str, Any], one: int, other: int
) -> None:
    """The schema of the plans that continue a path rejects plans that begin otherwise."""
    plan, another = _plan(schema, one), _plan(schema, other)

    assert _accepts(whole_schema(schema, tuple(plan[:1])), another) == (another[:1] == plan[:1])


@pytest.mark.parametrize("schema", [*SCHEMAS.values(), OPEN])
def test_nothing_follows_the_longest_plan(schema: dict[str, Any]) -> None:
    """After the longest plan there is no next step, no continuation and nothing required."""
    longest = max((_plan(schema, seed) for seed in range(200)), key=len)

    assert next_step_schemas(schema, tuple(longest)) == ()
    assert whole_schema(schema, tuple(longest)) is None
    assert steps_needed(schema, tuple(longest)) == 0


def test_each_tool_is_one_alternative() -> None:
    """The alternatives of a step are distinct tools, and the answer where a plan may end."""
    schema = SCHEMAS["Read notes.txt and then write 'done' into log.txt"]
    first = next_step_schemas(schema, ())

    tools = [kind["prefixItems"][-1]["properties"]["tool"]["const"] for kind in first]
    assert "file_read" in tools
    assert len(set(tools)) == len(tools)
