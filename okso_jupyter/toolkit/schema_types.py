"""Schema types: the JSON types that a schema allows, however it says so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

NUMBERS: Final = frozenset({"integer", "number"})


def types_of(schema: Mapping[str, Any]) -> set[str]:
    """Return the types that a schema allows; empty if it does not state all of them.

    It may state one, a list of them, or each in a way of its own (`anyOf`, `oneOf`).
    """
    declared = schema.get("type", ())
    if declared:
        return {declared} if isinstance(declared, str) else set(declared)
    ways = [way for name in ("anyOf", "oneOf") for way in schema.get(name, ())]
    each = [types_of(way) if isinstance(way, Mapping) else set[str]() for way in ways]
    return set[str]().union(*each) if all(each) else set()


def valued_types(schema: Mapping[str, Any]) -> set[str]:
    """Return the types of the values that a schema allows beside null."""
    return types_of(schema) - {"null"}
