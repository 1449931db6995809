"""The only text that a JSON Schema allows, where it leaves no choice: no model is needed for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

_COMMENTS: Final = frozenset({"$defs", "title", "description"})
#: Keywords of objects and arrays that are read here; with any other the schema counts as open.
_OF_OBJECTS: Final = frozenset({"type", "properties", "required", "additionalProperties"})
_OF_ARRAYS: Final = frozenset({"type", "prefixItems", "items", "minItems", "maxItems"})


class _ChoiceError(Exception):
    """A part of a schema leaves a choice, or is not read here."""


def only_text(schema: Mapping[str, Any] | None) -> str | None:
    """Return the compact JSON of the only value that a schema allows; None if there may be others.

    Args:
        schema: A valid JSON Schema; None allows any text.
    """
    if schema is None:
        return None
    try:
        value = _only(schema, schema.get("$defs", {}))
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (_ChoiceError, LookupError, TypeError, ValueError, RecursionError):
        return None  # the others: what is no JSON, refers to nothing, or to itself


def _only(part: Any, named: Mapping[str, Any]) -> Any:  # noqa: ANN401  any part of a JSON Schema
    """Return the only value of a part; raise _ChoiceError if there may be others."""
    if not isinstance(part, Mapping):
        raise _ChoiceError
    used = part.keys() - _COMMENTS
    if used - {"type"} == {"const"}:
        return part["const"]
    for key in {"enum", "anyOf"} & used:
        (one,) = part[key]  # raises ValueError for several
        if used - {"type"} == {"enum"}:
            return one
        if used == {"anyOf"}:
            return _only(one, named)
    if used == {"$ref"}:
        return _only(named[part["$ref"].removeprefix("#/$defs/")], named)
    if part.get("type") == "object" and used <= _OF_OBJECTS:
        return _object(part, named)
    if part.get("type") == "array" and used <= _OF_ARRAYS:
        return _array(part, named)
    raise _ChoiceError


def _object(part: Mapping[str, Any], named: Mapping[str, Any]) -> dict[str, Any]:
    properties = part.get("properties", {})
    is_closed = part.get("additionalProperties") is False
    if not is_closed or properties.keys() != set(part.get("required", ())):
        raise _ChoiceError
    return {name: _only(one, named) for name, one in properties.items()}


def _array(part: Mapping[str, Any], named: Mapping[str, Any]) -> list[Any]:
    places = part.get("prefixItems", ())
    least, most = part.get("minItems", 0), part.get("maxItems")
    is_closed = most == len(places) or (most is None and part.get("items") is False)
    if not is_closed or least != len(places):
        raise _ChoiceError
    return [_only(one, named) for one in places]
