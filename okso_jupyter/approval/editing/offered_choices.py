"""Choices that the form offers: the columns of the table that a call reads, and parts of lists.

A schema with "x-column" names the argument that holds the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from okso_jupyter.approval.form.model import FieldPart

#: Returns the columns of the tables that a call reads; nothing where they are not known.
ColumnsOf = Callable[[Mapping[str, object]], tuple[str, ...]]
_COLUMN: Final = "x-column"


def offering_columns(
    properties: Mapping[str, Any], args: Mapping[str, object], columns_of: ColumnsOf
) -> dict[str, Any]:
    """Return the schemas of arguments, with the columns of the table where a column is named.

    Args:
        properties: The schemas by argument.
        args: The arguments, which hold the source of the table.
        columns_of: Returns the columns of the tables that the call reads.
    """
    return {name: _offering(schema, args, columns_of) for name, schema in properties.items()}


def _offering(schema: Any, args: Mapping[str, object], columns_of: ColumnsOf) -> Any:  # noqa: ANN401  any part of a JSON Schema
    if not isinstance(schema, Mapping):
        return schema
    found = dict(schema)
    if "items" in schema:
        found["items"] = _offering(schema["items"], args, columns_of)
    if "properties" in schema:
        found["properties"] = offering_columns(schema["properties"], args, columns_of)
    columns = columns_of(args) if schema.get(_COLUMN) in args else ()
    return {**found, "enum": list(columns)} if columns else found


def parts_of(schema: Mapping[str, Any]) -> tuple[FieldPart, ...]:
    """Return what each item of a list consists of; empty where a form has no fields for it."""
    items = schema.get("items")
    if not isinstance(items, Mapping):
        return ()
    if "enum" in items:
        return (FieldPart(name="", choices=_texts(items), is_required=True),)
    required = items.get("required", ())
    return tuple(
        FieldPart(name=name, choices=_texts(part), is_required=name in required)
        for name, part in items.get("properties", {}).items()
    )


def _texts(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the values of a schema that can be chosen from: texts alone."""
    values = schema.get("enum", ())
    return tuple(values) if all(isinstance(value, str) for value in values) else ()


def fits(value: object, parts: tuple[FieldPart, ...]) -> bool:
    """Return whether the form's fields can show a list in full."""
    if not isinstance(value, list | tuple):
        return False
    names = {part.name for part in parts}
    return all(
        isinstance(item, str) if names == {""} else isinstance(item, Mapping) and set(item) <= names
        for item in value
    )
