"""Value tables: encoded values of the notebook as encoded frames, where they are tables.

A Series, an array or a list is a table of one column, which is called as the variable is if it has
no name of its own; a dict of numbers or texts is one of its keys and values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

#: What the columns of a dict are called, unless the variable is called so.
_KEY, _VALUE = "key", "value"
_NUMBERS: Final = frozenset({int, float})
_SCALARS: Final = frozenset({bool, int, float, str, type(None)})


def table_of(name: str, body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return an encoded value as an encoded frame; None where it is no table.

    Beside what a frame has, the result says "renamed" where pandas would call its columns
    otherwise, and "pairs" where it is a dict.

    Args:
        name: The variable.
        body: The value, as `value_codec.encode` returns it.
    """
    kind = body["kind"]
    if kind == "frame":
        return body
    if kind == "series":
        label = body["name"]
        column = _frame({_called(label, name): body["column"]}, body["index"])
        return {**column, "renamed": not (isinstance(label, str) and label)}
    if kind == "array" and len(body["shape"]) == 1 and "U" not in body["dtype"]:
        values = {part: body[part] for part in ("as", "dtype", "data")}
        return {**_frame({name: values}, _range(body["shape"][0])), "renamed": True}
    return _of_json(name, body["value"]) if kind == "json" else None


def columns_of(table: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the columns of a frame that was made here."""
    return tuple(table["columns"]["levels"][0]["values"])


def _called(label: object, name: str) -> str:
    """Return what the column of a Series is called: by its name, else by its variable."""
    return name if label is None or label == "" else str(label)


def _of_json(name: str, value: object) -> Mapping[str, Any] | None:
    """Return a list or a dict as an encoded frame; None where it is no table."""
    if isinstance(value, list) and _is_of_one_kind(value):
        return {**_of_lists({name: value}), "renamed": True}
    if isinstance(value, list) and value and all(map(_is_record, value)):
        labels = dict.fromkeys(label for record in value for label in record)
        return _of_lists({label: [record.get(label) for record in value] for label in labels})
    if isinstance(value, dict) and _is_of_one_kind([*value.values()]):
        values = _VALUE if name == _KEY else name
        pairs = _of_lists({_KEY: [*value], values: [*value.values()]})
        return {**pairs, "renamed": True, "pairs": True}
    if isinstance(value, dict) and _are_columns([*value.values()]):
        return _of_lists(value)
    return None


def _is_of_one_kind(values: Sequence[object]) -> bool:
    """Return whether values are all numbers, all texts or all flags; some may be missing."""
    kinds = set(map(type, values)) - {type(None)}
    return bool(kinds) and (kinds <= _NUMBERS or kinds in ({str}, {bool}))


def _is_record(value: object) -> bool:
    """Return whether a value is a dict of single values."""
    return (
        isinstance(value, dict) and bool(value) and _SCALARS.issuperset(map(type, value.values()))
    )


def _are_columns(values: Sequence[object]) -> bool:
    """Return whether values are lists of single values, of one length, which is not 0."""
    lists = [value for value in values if isinstance(value, list) and value]
    has_one_length = len({len(value) for value in lists}) == 1
    is_flat = all(_SCALARS.issuperset(map(type, value)) for value in lists)
    return len(lists) == len(values) and has_one_length and is_flat


def _of_lists(columns: Mapping[str, Sequence[object]]) -> Mapping[str, Any]:
    """Return lists of one length as an encoded frame."""
    count = len(next(iter(columns.values())))
    return _frame({label: _list(values) for label, values in columns.items()}, _range(count))


def _frame(columns: Mapping[str, Mapping[str, Any]], index: Mapping[str, Any]) -> dict[str, Any]:
    header = {"names": [None], "levels": [_list([*columns])], "several": False}
    return {"kind": "frame", "columns": header, "index": index, "data": [*columns.values()]}


def _list(values: Sequence[object]) -> dict[str, Any]:
    return {"as": "list", "dtype": "object", "values": [*values]}


def _range(count: int) -> dict[str, Any]:
    return {"names": [None], "range": [0, count, 1]}
