"""Checks which argument values of a call come from the request or the tool's schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from okso_jupyter.planning.slot_filling.mentions import Reading, read


def unsaid(args: Mapping[str, Any], parameters: Mapping[str, Any], request: str) -> list[str]:
    """Return the names of arguments with a value found in neither request nor schema.

    Args:
        args: The arguments of a call.
        parameters: The tool's parameters, an object schema.
        request: The request in plain words.
    """
    reading = read(request)
    properties: Mapping[str, Any] = parameters.get("properties") or {}
    # true is a schema too: it allows any value, and names none
    schemas = {name: part for name, part in properties.items() if isinstance(part, Mapping)}
    return [
        name
        for name, value in args.items()
        if not all(_is_said(leaf, reading, schemas.get(name, {})) for leaf in scalars(value))
    ]


def scalars(value: object) -> Iterator[object]:
    """Yield the scalars in a JSON value."""
    if isinstance(value, Mapping):
        for part in value.values():
            yield from scalars(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from scalars(part)
    else:
        yield value


def _is_said(value: object, reading: Reading, schema: Mapping[str, Any]) -> bool:
    if value is None or value == "" or isinstance(value, bool):
        return True
    if value in _own(schema):
        return True
    if isinstance(value, int | float):
        numbers = [number.value for number in reading.numbers]
        return any(
            value in (number, -number, number / 100)
            for number in numbers
            if not isinstance(number, str)
        )
    text = str(value).lower()
    dates = {str(date.value) for date in reading.dates}
    return (
        text in reading.text.lower() or text.split(",")[0] in reading.text.lower() or text in dates
    )


def _own(schema: Mapping[str, Any]) -> list[object]:
    """Return the values in "enum", "default" and "const" of a schema, at any depth."""
    found: list[object] = [*(schema.get("enum") or ()), schema.get("default"), schema.get("const")]
    for part in ("items", *(schema.get("properties") or {})):
        inner = schema.get(part) if part == "items" else schema["properties"][part]
        if isinstance(inner, Mapping):
            found += _own(inner)
    return found
