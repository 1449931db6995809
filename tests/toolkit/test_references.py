"""What a tool's schema refers to within itself stands in the schemas of its arguments."""

from __future__ import annotations

from typing import Any

import pytest

from okso_jupyter import Tool


def tool_with(part: dict[str, Any], **defs: Any) -> Tool:
    """Return a tool of one argument, `it`, with this schema."""
    parameters = {"type": "object", "$defs": defs, "properties": {"it": part}, "required": ["it"]}
    return Tool.from_schema("probe", "Probe it.", parameters, str, effect="none")


UNIT = {"enum": ["celsius", "fahrenheit"]}


@pytest.mark.parametrize(
    ("part", "seen"),
    [
        ({"$ref": "#/$defs/Unit"}, UNIT),
        ({"$ref": "#/$defs/Unit", "description": "Of it."}, {**UNIT, "description": "Of it."}),
        ({"type": "array", "items": {"$ref": "#/$defs/Unit"}}, {"type": "array", "items": UNIT}),
        ({"$ref": "#/$defs/Other"}, UNIT),
        ({"const": {"$ref": "#/$defs/Unit"}}, {"const": {"$ref": "#/$defs/Unit"}}),
        ({"$ref": "#/$defs/Any"}, {}),
    ],
)
def test_a_reference_gives_way_to_what_it_names(part: dict[str, Any], seen: dict[str, Any]) -> None:
    """Also through another one; data that looks like one stays."""
    tool = tool_with(part, Unit=UNIT, Other={"$ref": "#/$defs/Unit"}, Any=True)
    assert tool.properties["it"] == seen


def test_a_schema_within_itself_ends() -> None:
    """A tree's branches are trees; the second time any value is allowed."""
    tree = {"type": "object", "properties": {"branch": {"$ref": "#/$defs/Tree"}}}
    tool = tool_with({"$ref": "#/$defs/Tree"}, Tree=tree)

    assert tool.properties["it"] == {"type": "object", "properties": {"branch": {}}}


def test_calls_are_checked_by_the_whole_schema() -> None:
    """What a reference names is as binding as before."""
    tool = tool_with({"$ref": "#/$defs/Unit"}, Unit=UNIT)

    assert tool.violations({"it": "celsius"}, lenient=False) == []
    assert len(tool.violations({"it": "kelvin"}, lenient=False)) == 1
