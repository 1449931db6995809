"""Codec: converts frozen dataclasses to JSON data and back, driven by their field annotations.

A field without a default is required; a field that older data may lack has a default. Every value
is checked when it is read: damaged data raises an error and never yields a value of another type.
"""

from __future__ import annotations

import hashlib
import json
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass, replace
from enum import Enum
from functools import partial
from typing import Any, Final, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from okso_jupyter.plan.records import Finding, Scorecard

#: Metadata of a field that is omitted from the data while it equals its default.
OMIT_DEFAULT: Final[Mapping[str, bool]] = {"omit_default": True}
#: Metadata of a field whose value is a dataclass whose fields become keys of the outer data.
FLAT: Final[Mapping[str, bool]] = {"flat": True}
#: JSON types accepted for a field of each scalar type; a bool is not accepted as a number.
_SCALARS: Final[Mapping[object, tuple[type, ...]]] = {
    str: (str,), int: (int,), float: (float, int), bool: (bool,),
}  # fmt: skip

_T = TypeVar("_T")
_Convert = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class _Key:
    """How one field is read from and written to JSON data.

    Attributes:
        name: Name of the field and of its key.
        read: Converts JSON data to the field's value; raises if it cannot.
        write: Converts the value to JSON data; None if the value is JSON data already.
        default: Makes the value for data that lacks the key; None if the key is required.
        omits_default: Whether the key is omitted while the value equals the default.
        is_flat: Whether the fields of the value are keys of the outer data.
    """

    name: str
    read: _Convert
    write: _Convert | None
    default: Callable[[], Any] | None
    omits_default: bool
    is_flat: bool


def to_json(value: Any) -> dict[str, Any]:  # noqa: ANN401  any dataclass
    """Return a dataclass as JSON data, with its fields as keys in their order."""
    data: dict[str, Any] = {}
    for key in _keys(type(value)):
        part = getattr(value, key.name)
        if key.omits_default and key.default is not None and part == key.default():
            continue
        written = part if key.write is None else key.write(part)
        data |= written if key.is_flat else {key.name: written}
    return data


def from_json(of: type[_T], data: Mapping[str, Any]) -> _T:
    """Return a dataclass built from its JSON data; unknown keys are ignored.

    Raises:
        TypeError: A value has the wrong type.
        ValueError: A key is missing, or a value is not one of the allowed ones.
    """
    _checked(data, (dict,))
    return of(**{key.name: _value(key, data) for key in _keys(of)})


def _value(key: _Key, data: Mapping[str, Any]) -> Any:  # noqa: ANN401  any JSON value
    if key.is_flat:
        return key.read(data)
    if key.name in data:
        try:
            return key.read(data[key.name])
        except (TypeError, ValueError) as error:
            msg = f"{key.name}: {error}"
            raise type(error)(msg) from error
    if key.default is None:
        msg = f"it has no {key.name!r}"
        raise ValueError(msg)
    return key.default()


#: Cache of the keys of each class that was read or written.
_KEYS: Final[dict[type, tuple[_Key, ...]]] = {}


def _keys(of: type[Any]) -> tuple[_Key, ...]:
    """Return how each field of a dataclass is read and written; computed once per class."""
    if of not in _KEYS:
        hints = get_type_hints(of)
        _KEYS[of] = tuple(_key(spec, hints[spec.name]) for spec in fields(of))
    return _KEYS[of]


def _key(spec: Field[Any], of: Any) -> _Key:  # noqa: ANN401  types are values here
    return _Key(
        name=spec.name,
        read=_reader(of),
        write=_writer(of),
        default=_default(spec),
        omits_default="omit_default" in spec.metadata,
        is_flat="flat" in spec.metadata,
    )


def _default(spec: Field[Any]) -> Callable[[], Any] | None:
    if spec.default_factory is not MISSING:
        return spec.default_factory
    return None if spec.default is MISSING else lambda: spec.default


def _reader(of: Any) -> _Convert:  # noqa: ANN401  see _key
    """Return a function that converts JSON data to a value of a type."""
    origin = get_origin(of)
    if origin is not None:
        return _READERS[origin](origin, get_args(of))
    if of is Any:
        return _as_it_is
    if of in _SCALARS:
        return partial(_checked, expected=_SCALARS[of])
    if is_dataclass(of):
        return partial(from_json, cast("type[Any]", of))
    return cast("type[Enum]", of)


def _literal_reader(_: object, possible: tuple[Any, ...]) -> _Convert:
    return partial(_one_of, possible=possible)


def _optional_reader(_: object, inner: tuple[Any, ...]) -> _Convert:
    convert = _reader(_not_none(inner))
    return lambda value: None if value is None else convert(value)


def _array_reader(make: Any, inner: tuple[Any, ...]) -> _Convert:  # noqa: ANN401  see _key
    item = _reader(inner[0])
    return lambda value: make(map(item, _checked(value, (list,))))


def _object_reader(_: object, inner: tuple[Any, ...]) -> _Convert:
    """Return a function that reads a JSON object whose keys are strings, or numbers as strings."""
    key_type, value_type = inner
    if value_type is Any:
        return partial(_checked, expected=(dict,))
    item = _reader(value_type)
    return lambda value: {key_type(key): item(one) for key, one in _checked(value, (dict,)).items()}


#: Maps each generic type to the function that makes its reader.
_READERS: Final[Mapping[object, Callable[[Any, tuple[Any, ...]], _Convert]]] = {
    Literal: _literal_reader,
    Union: _optional_reader,
    types.UnionType: _optional_reader,
    tuple: _array_reader,
    frozenset: _array_reader,
    Mapping: _object_reader,
}


def _as_it_is(value: Any) -> Any:  # noqa: ANN401  any JSON value
    return value


def _checked(value: Any, expected: tuple[type, ...]) -> Any:  # noqa: ANN401  any JSON value
    if type(value) not in expected:
        msg = f"{expected[0].__name__} is expected, not {type(value).__name__}"
        raise TypeError(msg)
    return value


def _one_of(value: object, possible: tuple[object, ...]) -> object:
    if value not in possible:
        msg = f"{value!r} is not one of {', '.join(map(str, possible))}"
        raise ValueError(msg)
    return value


def _writer(of: Any) -> _Convert | None:  # noqa: ANN401  see _key
    """Return a function that converts a value to JSON data; None if it is JSON data already."""
    origin, inner = get_origin(of), get_args(of)
    if origin in {Union, types.UnionType}:
        convert = _writer(_not_none(inner))
        return convert and (lambda value: None if value is None else convert(value))
    if origin is tuple:
        item = _writer(inner[0])
        return list if item is None else lambda value: list(map(item, value))
    if origin is frozenset:
        return sorted
    if origin is Mapping and inner[0] is int:
        return lambda value: {str(key): one for key, one in value.items()}
    return to_json if is_dataclass(of) else None


def _not_none(types_of: tuple[Any, ...]) -> Any:  # noqa: ANN401  see _key
    """Return the type in an `X | None` union that is not None."""
    return next(one for one in types_of if one is not type(None))


def sha256_of(value: Any) -> str:  # noqa: ANN401  any JSON value
    """Return the SHA-256 hash of a JSON value; the order of keys does not change it."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def scorecard_from_json(data: Mapping[str, Any]) -> Scorecard:
    """Read a scorecard from the output of `dataclasses.asdict`; unknown keys are ignored."""
    return Scorecard(
        score=data["score"],
        tie_breaker=data["tie_breaker"],
        findings=tuple(_finding(finding) for finding in data["findings"]),
    )


def _finding(data: Mapping[str, Any]) -> Finding:
    """Read a finding; older journals store only weighted points, so raw points are computed."""
    found = Finding(**data)
    if found.raw_points is None and found.weight:
        return replace(found, raw_points=found.points / found.weight)
    return found
