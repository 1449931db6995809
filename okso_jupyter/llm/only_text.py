"""What a JSON Schema leaves no choice of, so that no model is needed: a whole text, or its end."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from okso_jupyter.llm.answer_text import without_fence

_COMMENTS: Final = frozenset({"$defs", "title", "description"})
#: Keywords of objects and arrays that are read here; with any other the schema counts as open.
_OF_OBJECTS: Final = frozenset({"type", "properties", "required", "additionalProperties"})
_OF_ARRAYS: Final = frozenset({"type", "prefixItems", "items", "minItems", "maxItems"})

#: Of a schema that is no JSON, or refers to nothing or to itself.
_UNREAD: Final = (LookupError, TypeError, ValueError, RecursionError)


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
        return _compact(_only(schema, schema.get("$defs", {})))
    except (_ChoiceError, *_UNREAD):
        return None


def without_end(schema: Any) -> tuple[Any, dict[str, Any]]:  # noqa: ANN401  a JSON Schema
    """Return a schema without the last properties of its object that have one value, and these.

    What a model writes in front of them does not depend on them. Of another schema, or where
    nothing would be left, they are empty.
    """
    if not isinstance(schema, Mapping) or not _is_closed_object(schema):
        return schema, {}
    properties, required = schema["properties"], schema["required"]
    end: dict[str, Any] = {}
    with suppress(_ChoiceError, *_UNREAD):
        for name in reversed(properties):
            if name in required:
                end = {name: _only(properties[name], schema.get("$defs", {})), **end}
            else:
                break
    if not end or len(end) == len(properties):
        return schema, {}
    left = {name: part for name, part in properties.items() if name not in end}
    still = [name for name in required if name not in end]
    return {**schema, "properties": left, "required": still}, end


def with_end(text: str, schema: Any, end: Mapping[str, Any]) -> str:  # noqa: ANN401  a JSON Schema
    """Return a text with the properties that `without_end` took from its schema.

    Args:
        text: The text of a model.
        schema: The schema that the model was given.
        end: The properties; the text may have them already.
    """
    if not end:
        return text
    try:
        value = json.loads(without_fence(text))
    except (ValueError, RecursionError):  # the latter: too deeply nested
        return text
    if not isinstance(value, dict) or not value.keys() <= schema["properties"].keys() | end.keys():
        return text
    return _compact({**value, **{name: one for name, one in end.items() if name not in value}})


def _is_closed_object(schema: Mapping[str, Any]) -> bool:
    used = schema.keys() - _COMMENTS
    return used == _OF_OBJECTS and schema["type"] == "object" and not schema["additionalProperties"]


def _compact(value: Any) -> str:  # noqa: ANN401  any JSON
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


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
