"""The form of a JSON Schema in few words, for a model that is told it."""

from __future__ import annotations

from typing import Any

from okso_jupyter.llm.type_outline import outline
from tests.each_row import each_row


@each_row(
    ("schema", "said"),
    [
        ({"type": "string", "minLength": 1}, "string(1..)"),
        ({"type": "integer", "minimum": 1, "maximum": 5}, "integer(1..5)"),
        ({"type": ["string", "null"]}, "string | null"),
        ({"enum": ["a", 2, None]}, '"a" | 2 | null'),
        ({"type": "string", "pattern": "^a$"}, "string(/^a$/)"),
        ({"type": "array", "items": {"type": "number"}, "maxItems": 3}, "number[](..3)"),
        ({"type": "array", "items": {"anyOf": [{"const": 1}, {"const": 2}]}}, "(1 | 2)[]"),
        ({"type": "array", "prefixItems": [{"const": 1}, {}], "minItems": 2}, "[1, any]"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "{...: string}"),
        ({"type": "object", "properties": {}, "additionalProperties": False}, "{}"),
        ({"type": "string", "description": "a city"}, "string /* a city */"),
        ({}, "any"),
    ],
)
def test_a_part_has_the_notation_of_a_type(schema: dict[str, Any], said: str) -> None:
    """Bounds stand in brackets, a description as a comment."""
    assert outline(schema) == f"answer = {said}"


def test_definitions_are_named_once() -> None:
    """A reference is the name of a definition, and ? is behind what may be missing."""
    schema = {
        "type": "object",
        "properties": {"one": {"$ref": "#/$defs/city"}, "two": {"$ref": "#/$defs/city"}},
        "required": ["one"],
        "$defs": {"city": {"type": "string"}},
    }
    assert outline(schema) == "city = string\nanswer = {one: city, two?: city}"
