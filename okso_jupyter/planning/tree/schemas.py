"""Plan schemas constrained to begin with given steps."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from okso_jupyter.planning.tree.node import Path

Schema = Mapping[str, Any]


def next_step_schemas(schema: Schema, path: Path) -> tuple[Schema, ...]:
    """Return one schema per kind of next step, mostly per tool, for a path with that step added.

    Args:
        schema: The schema of whole plans: an array of steps, or "anyOf" several.
        path: The steps so far.
    """
    ways = [item for way in _ways(schema) if (item := _item(way, len(path))) is not None]
    kinds = [kind for item in ways for kind in _kinds(item, schema)]
    different = {json.dumps(kind, sort_keys=True): kind for kind in kinds}
    return tuple(_longer(path, kind, schema) for kind in different.values())


def any_of(schemas: Sequence[Schema]) -> Schema:
    """Return the union of several schemas that `next_step_schemas` returned for one path."""
    steps = [schema["prefixItems"] for schema in schemas]
    items = [*steps[0][:-1], {"anyOf": [step[-1] for step in steps]}]
    return {**schemas[0], "prefixItems": items}


def whole_schema(schema: Schema, path: Path) -> Schema | None:
    """Return the schema of whole plans that begin with a path; None if there are none.

    Args:
        schema: The schema of whole plans, as in `next_step_schemas`.
        path: The steps so far.
    """
    constants = _constants(path)
    ways = [_with_beginning(way, constants) for way in _ways(schema) if _item(way, len(path))]
    return _with_definitions({"anyOf": ways}, schema) if ways else None


def head_schema(schema: Schema) -> Schema:
    """Return the schema of any number of first steps of whole plans.

    Args:
        schema: The schema of whole plans, as in `next_step_schemas`.
    """
    ways = [
        {"type": "array", "prefixItems": list(way.get("prefixItems", ())), "items": False}
        for way in _ways(schema)
    ]
    return _with_definitions({"anyOf": ways}, schema)


def steps_needed(schema: Schema, path: Path) -> int:
    """Return the fewest steps that a path still lacks to be a whole plan."""
    lengths = [int(way.get("minItems", 1)) for way in _ways(schema) if _item(way, len(path))]
    return max(min(lengths, default=0) - len(path), 0)


def _ways(schema: Schema) -> Sequence[Schema]:
    """Return the alternative array schemas of a plan."""
    ways: Sequence[Schema] = schema.get("anyOf", [schema])
    return ways


def _item(way: Schema, place: int) -> Schema | None:
    """Return the schema of an array's item at a position; None if the array is shorter."""
    if place >= way.get("maxItems", place + 1):
        return None
    items = way.get("prefixItems", ())
    item: Schema | bool | None = items[place] if place < len(items) else way.get("items")
    return item if isinstance(item, Mapping) else None


def _kinds(item: Schema, schema: Schema) -> Iterator[Schema]:
    """Yield the alternative schemas of an item, with references resolved."""
    name = str(item.get("$ref", "")).removeprefix("#/$defs/")
    if name in schema.get("$defs", {}):
        yield from _kinds(schema["$defs"][name], schema)
    elif "anyOf" in item:
        for kind in item["anyOf"]:
            yield from _kinds(kind, schema)
    else:
        yield item


def _longer(path: Path, item: Schema, schema: Schema) -> Schema:
    """Return the schema of a path followed by one item."""
    array = {
        "type": "array",
        "prefixItems": [*_constants(path), item],
        "items": False,
        "minItems": len(path) + 1,
        "maxItems": len(path) + 1,
    }
    return _with_definitions(array, schema)


def _with_beginning(way: Schema, constants: Sequence[Schema]) -> dict[str, Any]:
    """Return an array schema with its first items fixed."""
    rest = list(way.get("prefixItems", ()))[len(constants) :]
    return {**way, "prefixItems": [*constants, *rest]}


def _constants(path: Path) -> list[Schema]:
    return [{"const": dict(step)} for step in path]


def _with_definitions(array: dict[str, Any], schema: Schema) -> Schema:
    return {**array, "$defs": schema["$defs"]} if "$defs" in schema else array
