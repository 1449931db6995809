"""Codec for values that enter or leave the sandbox: JSON, never pickle.

Also loaded by file from the worker, so it imports nothing of okso_jupyter. Values from the sandbox
are untrusted; one plain format for both directions keeps native parsers away from their bytes,
and preserves dtypes whatever else is installed.

    {"kind": "json", "value": ...}                  text, numbers, booleans, None, lists, dicts
    {"kind": "array", "dtype", "shape", "data"}     numpy; data is base64 of the little-endian bytes
    {"kind": "scalar", ...}                         the same for a single numpy number
    {"kind": "series", "name", "index", "column"}   pandas
    {"kind": "frame", "columns", "index", "data"}   pandas; data is one column after another

A column is raw numbers, times or booleans; or a list of JSON values with its dtype; or decimals as
texts; or codes and categories; or UTC times with their zone. In JSON values tuples become lists and
numpy numbers Python ones; the frequency of an index is lost.
"""

from __future__ import annotations

import base64
import re
import sys
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any, Final
from zoneinfo import available_timezones

#: Maximum size of one value as JSON, in either direction.
MAX_VALUE_BYTES: Final = 32 << 20
_RAW_KINDS: Final = frozenset("biufcmM")
#: dtype kinds of numpy's booleans, numbers and texts, which become Python's in JSON values.
_NUMBER_KINDS: Final = frozenset("biufU")
_LISTED: Final = re.compile(r"object|str|string|boolean|U?Int(?:8|16|32|64)|Float(?:32|64)")
_ZONED: Final = re.compile(r"datetime64\[(s|ms|us|ns), (.+)\]")
_OTHER_ZONE: Final = re.compile(r"UTC([+-]\d\d:\d\d(:\d\d)?)?|tzlocal\(\)")
#: A decimal of at most about as many digits as those of Arrow and DuckDB have.
_DECIMAL: Final = re.compile(r"-?\d{1,80}(\.\d{1,80})?")
_MAX_DEPTH: Final = 100
#: Maximum items of a list or dict, columns of a table, levels of an index: each costs time.
_MAX_ITEMS: Final = 2_000_000
_MAX_COLUMNS: Final = 20_000
_MAX_LEVELS: Final = 50
#: Python types that are JSON values already.
_SCALARS: Final = frozenset({bool, int, float, str, type(None)})
#: Exceptions that decoding a forged body can raise.
MALFORMED: Final = (
    ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError,
    ValueError,
)  # fmt: skip


class ValueCodecError(ValueError):
    """A value cannot be encoded; the message says which part of it and why."""


def encode(value: object) -> dict[str, Any]:
    """Return a value as JSON data.

    Raises:
        ValueCodecError: It, or a part of it, has no encoding.
    """
    pandas, numpy = sys.modules.get("pandas"), sys.modules.get("numpy")
    if pandas is not None and isinstance(value, pandas.DataFrame):
        _check_count(value.shape[1], _MAX_COLUMNS, "it", "columns")
        columns = [
            _column(value.iloc[:, place], f"column {label!r}")
            for place, label in enumerate(value.columns)
        ]
        index, header = _index(value.index, "the index"), _index(value.columns, "the header")
        return {"kind": "frame", "columns": header, "index": index, "data": columns}
    if pandas is not None and isinstance(value, pandas.Series):
        column, index = _column(value, "the Series"), _index(value.index, "the index")
        return {"kind": "series", "name": _label(value.name), "index": index, "column": column}
    if numpy is not None and isinstance(value, numpy.ndarray | numpy.generic):
        kind = "array" if isinstance(value, numpy.ndarray) else "scalar"
        return {"kind": kind, "shape": list(value.shape), **_raw(value, "U", "it")}
    return {"kind": "json", "value": _plain(value, "it", 0)}


def check(body: Any) -> None:  # noqa: ANN401  whatever foreign code made up
    """Raise if a body would take too long to decode, although it is short.

    Raises:
        Exception: One of MALFORMED.
    """
    if body["kind"] not in {"frame", "series"}:
        return
    _check_count(len(body.get("data", ())), _MAX_COLUMNS, "it", "columns")
    for name in ("index", "columns"):
        _check_count(
            len(body.get(name, {}).get("levels", ())), _MAX_LEVELS, f"its {name}", "levels"
        )


def _check_count(count: int, most: int, where: str, unit: str) -> None:
    if count > most:
        msg = f"{where} has {count:,} {unit}; the maximum is {most:,}"
        raise ValueCodecError(msg)


def decode(body: Mapping[str, Any]) -> object:
    """Return the value encoded as JSON data; the inverse of `encode`.

    Raises:
        Exception: One of MALFORMED, if the data is not a result of `encode`.
    """
    kind = body["kind"]
    if kind == "json":
        return body["value"]
    if kind in {"array", "scalar"}:
        array = _from_raw(body, "U").reshape([int(size) for size in body["shape"]])
        return array if kind == "array" else array[()]
    import pandas as pd  # noqa: PLC0415  slow, and only tables need it

    index = _from_index(body["index"])
    if kind == "series":
        return pd.Series(_from_column(body["column"]), index=index, name=_from_label(body["name"]))
    if kind != "frame":
        raise ValueCodecError(kind)
    columns = {place: _from_column(column) for place, column in enumerate(body["data"])}
    frame = pd.DataFrame(columns, index=index)
    frame.columns = _from_index(body["columns"])
    return frame


def described(value: object) -> tuple[str, str, list[tuple[str, str]]]:
    """Return kind and shape of a value in words, and name and dtype of each of its columns."""
    kind = type(value).__name__
    pandas, numpy = sys.modules.get("pandas"), sys.modules.get("numpy")
    if pandas is not None and isinstance(value, pandas.DataFrame):
        rows, columns = value.shape
        dtypes = zip(value.columns, value.dtypes, strict=True)
        words = f"{_count(rows, 'row')}, {_count(columns, 'column')}"
        return kind, words, [(str(label), str(dtype)) for label, dtype in dtypes]
    if pandas is not None and isinstance(value, pandas.Series):
        return kind, f"{_count(len(value), 'value')}, {value.dtype}", []
    if numpy is not None and isinstance(value, numpy.ndarray):
        return kind, f"{' by '.join(map(str, value.shape)) or '1 value'}, {value.dtype}", []
    unit = {"str": "character", "list": "item", "tuple": "item", "dict": "key"}.get(kind)
    return kind, _count(len(value), unit) if unit else "", []  # type: ignore[arg-type]  # the units' kinds have a length


def least_bytes(value: object) -> int:
    """Return a cheap lower bound of a value's encoded size, to refuse it before copying."""
    numpy, pandas = sys.modules.get("numpy"), sys.modules.get("pandas")
    if pandas is not None and isinstance(value, pandas.DataFrame):
        return int(value.memory_usage(index=False).sum()) // 8
    if pandas is not None and isinstance(value, pandas.Series):
        return int(value.memory_usage(index=False)) // 8
    if numpy is not None and isinstance(value, numpy.ndarray):
        return int(value.nbytes)
    return len(value) if isinstance(value, str | list | tuple | dict) else 0


def _count(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}"


def _plain(value: object, where: str, depth: int) -> Any:  # noqa: ANN401  any JSON value
    """Return a JSON value, tuples as lists; ValueCodecError names a part that is not JSON."""
    if type(value) in _SCALARS:
        return value
    if getattr(getattr(value, "dtype", None), "kind", "") in _NUMBER_KINDS and value.shape == ():  # type: ignore[attr-defined]  # what has a dtype has a shape
        return value.item()  # type: ignore[attr-defined]  # see above
    if depth > _MAX_DEPTH:
        msg = f"{where} is nested more than {_MAX_DEPTH} deep"
        raise ValueCodecError(msg)
    if isinstance(value, list | tuple | dict):
        _check_count(len(value), _MAX_ITEMS, where, "items")
    if isinstance(value, list | tuple):
        if _SCALARS.issuperset(map(type, value)):
            return list(value)
        return [_plain(item, f"{where}[{i}]", depth + 1) for i, item in enumerate(value)]
    if type(value) is dict:
        odd = next((key for key in value if type(key) is not str), None)
        if odd is not None:
            msg = f"{where} has the key {odd!r}, and keys must be text"
            raise ValueCodecError(msg)
        if _SCALARS.issuperset(map(type, value.values())):
            return dict(value)
        return {key: _plain(part, f"{where}[{key!r}]", depth + 1) for key, part in value.items()}
    msg = f"{where} is a {type(value).__name__}, which is not a JSON value"
    raise ValueCodecError(msg)


def _raw(array: Any, more_kinds: str, where: str) -> dict[str, Any]:  # noqa: ANN401  numpy or pandas
    """Return the bytes of a numpy array in base64."""
    import numpy as np  # noqa: PLC0415  only arrays need it

    plain = np.ascontiguousarray(array)
    if plain.dtype.kind not in _RAW_KINDS | set(more_kinds):
        msg = f"{where} has the dtype {plain.dtype}"
        raise ValueCodecError(msg)
    plain = plain.astype(plain.dtype.newbyteorder("<"), copy=False)
    data = base64.b64encode(plain.tobytes()).decode("ascii")
    return {"as": "raw", "dtype": plain.dtype.str, "data": data}


def _from_raw(body: Mapping[str, Any], more_kinds: str = "") -> Any:  # noqa: ANN401  a numpy array
    import numpy as np  # noqa: PLC0415  see above

    dtype = np.dtype(str(body["dtype"]))
    if dtype.kind not in _RAW_KINDS | set(more_kinds):
        raise ValueCodecError(str(dtype))
    return np.frombuffer(base64.b64decode(body["data"], validate=True), dtype).copy()


def _column(values: Any, where: str) -> dict[str, Any]:  # noqa: ANN401  a Series or Index
    """Return the values of a Series or an Index with their dtype."""
    dtype = str(values.dtype)
    if dtype == "category":
        codes = _raw(values.array.codes, "", where)
        categories = _column(values.array.categories, f"the categories of {where}")
        ordered = bool(values.array.ordered)
        return {"as": "category", "codes": codes, "categories": categories, "ordered": ordered}
    if zoned := _ZONED.fullmatch(dtype):
        if not _is_zone(zoned[2]):
            msg = f"{where} has the time zone {zoned[2]}, which the zone database does not name"
            raise ValueCodecError(msg)
        naive = values.array.tz_convert("UTC").tz_localize(None)
        return {**_raw(naive, "", where), "as": "zoned", "zone": dtype}
    if _LISTED.fullmatch(dtype):
        missing = values.isna().tolist()
        keeps_nan = dtype == "object"
        if keeps_nan and (decimals := _decimals(values.tolist(), missing)):
            return {"as": "decimal", "values": decimals}
        parts = (
            None if gone and not (keeps_nan and isinstance(part, float)) else part
            for part, gone in zip(values.tolist(), missing, strict=True)
        )
        plain = [_plain(part, f"{where}, row {row}", 0) for row, part in enumerate(parts)]
        return {"as": "list", "dtype": dtype, "values": plain}
    if getattr(values.dtype, "kind", "") in _RAW_KINDS and not hasattr(values.dtype, "na_value"):
        return _raw(values.to_numpy(), "", where)
    msg = f"{where} has the dtype {dtype}"
    raise ValueCodecError(msg)


def _decimals(values: Sequence[object], missing: Sequence[bool]) -> list[str | None]:
    """Return a column of decimals as texts; [] where some are something else."""
    there = [value for value, gone in zip(values, missing, strict=True) if not gone]
    if not there or any(type(value) is not Decimal for value in there):
        return []
    texts = [None if gone else f"{value:f}" for value, gone in zip(values, missing, strict=True)]
    is_plain = all(text is None or _DECIMAL.fullmatch(text) for text in texts)
    return texts if is_plain else []


def _from_column(body: Mapping[str, Any]) -> Any:  # noqa: ANN401  an array of pandas or numpy
    import pandas as pd  # noqa: PLC0415  slow, and only tables need it

    kind = body["as"]
    if kind == "raw":
        return _from_raw(body)
    if kind == "list":
        if not _LISTED.fullmatch(body["dtype"]):
            raise ValueCodecError(body["dtype"])
        return pd.Series(body["values"], dtype=body["dtype"]).array
    if kind == "decimal":
        texts = body["values"]
        if not all(text is None or _DECIMAL.fullmatch(text) for text in texts):
            raise ValueCodecError(kind)
        decimals = [None if text is None else Decimal(text) for text in texts]
        return pd.Series(decimals, dtype="object").array
    if kind == "category":
        categories = pd.Index(_from_column(body["categories"]))
        codes = _from_raw(body["codes"])
        return pd.Categorical.from_codes(codes, categories, ordered=bool(body["ordered"]))
    zone = _ZONED.fullmatch(body["zone"])
    if kind != "zoned" or zone is None or not _is_zone(zone[2]):
        raise ValueCodecError(kind)
    return pd.Series(_from_raw(body)).dt.tz_localize("UTC").dt.tz_convert(zone[2]).array


def _is_zone(name: str) -> bool:
    """Return whether a time zone is a standard one: pandas would open others as files."""
    return bool(_OTHER_ZONE.fullmatch(name)) or name in _zones()


@cache
def _zones() -> set[str]:
    return available_timezones()


def _index(index: Any, where: str) -> dict[str, Any]:  # noqa: ANN401  a pandas index
    """Return an index: a range as such, any other level by level."""
    names = [_label(name) for name in index.names]
    if type(index).__name__ == "RangeIndex":
        return {"names": names, "range": [index.start, index.stop, index.step]}
    _check_count(index.nlevels, _MAX_LEVELS, where, "levels")
    levels = [index.get_level_values(level) for level in range(index.nlevels)]
    several = type(index).__name__ == "MultiIndex"
    columns = [_column(level, where) for level in levels]
    return {"names": names, "levels": columns, "several": several}


def _from_index(body: Mapping[str, Any]) -> Any:  # noqa: ANN401  a pandas index
    import pandas as pd  # noqa: PLC0415  slow, and only tables need it

    names = [_from_label(name) for name in body["names"]]
    if "range" in body:
        start, stop, step = body["range"]
        return pd.RangeIndex(start, stop, step, name=names[0])
    levels = [_from_column(level) for level in body["levels"]]
    if body["several"]:
        return pd.MultiIndex.from_arrays(levels, names=names)
    return pd.Index(levels[0], name=names[0])


def _label(label: object) -> Any:  # noqa: ANN401  a JSON value
    """Return a pandas label as a JSON value: text, a number, None, or a list of those."""
    return _plain(label, "a name", _MAX_DEPTH - 1)


def _from_label(label: object) -> Any:  # noqa: ANN401  whatever pandas takes as a name
    return tuple(label) if isinstance(label, list) else label
