"""JSON Schemas for filling open arguments: only the holes may vary, the rest is fixed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from okso_jupyter.plan.holes import has_hole, is_hole, is_mark

#: Narrows the schema of a hole to the values that were observed.
Narrow = Callable[[Mapping[str, Any]], dict[str, Any]]


def offer_for(planned: object, schema: Mapping[str, Any], narrow: Narrow) -> dict[str, Any]:
    """Return the schema of the values that an open argument may be filled with.

    Args:
        planned: The argument as planned: a mark, or a value with marks inside.
        schema: The tool's schema of the argument.
        narrow: Returns the schema of a hole.
    """
    if is_mark(planned) or is_hole(planned):
        return narrow(schema)
    if not has_hole(planned):
        return {"const": planned}
    if isinstance(planned, Mapping):
        known = schema.get("properties", {})
        return {
            "type": "object",
            "properties": {
                name: _inside(part, known.get(name, {}), schema, narrow)
                for name, part in planned.items()
            },
            "required": list(planned),
            "additionalProperties": False,
        }
    assert isinstance(planned, list | tuple)  # noqa: S101  nothing else has a hole inside
    items = [_inside(part, schema.get("items", {}), schema, narrow) for part in planned]
    size = len(items)
    return {
        "type": "array", "prefixItems": items, "items": False, "minItems": size, "maxItems": size
    }  # fmt: skip


def _inside(planned: object, part: object, whole: Mapping[str, Any], narrow: Narrow) -> Any:  # noqa: ANN401  a JSON Schema
    """Return the schema of a part, which inherits `x-ground` from the whole."""
    ground = {name: whole[name] for name in ("x-ground",) if name in whole}
    own = {**ground, **part} if isinstance(part, Mapping) else ground
    if not has_hole(planned):
        return {"const": planned}
    return offer_for(planned, own, narrow)


def is_empty(offer: Mapping[str, Any]) -> bool:
    """Return whether a schema has a hole without any observed value."""
    parts = [*offer.get("prefixItems", ()), *offer.get("properties", {}).values()]
    return offer.get("enum") == [] or any(map(is_empty, parts))


def longest(offer: Mapping[str, Any]) -> int:
    """Return the length in characters of the longest value that a schema lists."""
    parts = [*offer.get("prefixItems", ()), *offer.get("properties", {}).values()]
    own = [len(str(value)) for value in (*offer.get("enum", ()), offer.get("const", ""))]
    return max(own) + sum(map(longest, parts))


def restored(given: Any, raw: Mapping[str, str]) -> Any:  # noqa: ANN401  any JSON value
    """Return a value with the original texts in place of those shown to the model."""
    if isinstance(given, Mapping):
        return {name: restored(part, raw) for name, part in given.items()}
    if isinstance(given, list):
        return [restored(part, raw) for part in given]
    return raw.get(str(given), given)
