"""Base of all events: from the fields of a frozen dataclass to the body of a record, and back."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from enum import Enum
from typing import Any, ClassVar, Final, Literal, Self, Union, get_args, get_origin, get_type_hints

#: Metadata of a field that is left out of the body while it has its default.
OPTIONAL: Final[Mapping[str, bool]] = {"optional": True}
#: What a field without a default has where an older version did not write it, by its type.
_BLANK: Final[Mapping[object, Any]] = {
    str: "", Literal: "", int: 0, float: 0.0, bool: False,
    Mapping: {}, tuple: (), frozenset: frozenset(),
}  # fmt: skip

_Convert = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class _Part:
    """One key of a body: how a field is read from it and written to it."""

    key: str
    read: _Convert | None
    write: _Convert | None
    blank: Any
    is_optional: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One event of a run, as the journal keeps it.

    The body of its record has the fields as keys, in their order. A body of an earlier version may
    lack some: a text is empty then, a number 0, a value that may be None is None.

    Attributes:
        kind: The kind of its record.
    """

    kind: ClassVar[str]

    def to_json(self) -> dict[str, Any]:
        """Return the body of the record as JSON data."""
        body = {}
        for part in _parts(type(self)):
            value = getattr(self, part.key)
            if not (part.is_optional and value == part.blank):
                body[part.key] = value if part.write is None else part.write(value)
        return body

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        """Read the body of a record; keys that are not known are ignored.

        Raises:
            KeyError: A key is missing that every version wrote.
            TypeError: A value is of another type, so that it cannot be read.
            ValueError: A value is not one of those that are possible.
        """
        return cls(**{part.key: _read(part, body) for part in _parts(cls)})


#: The parts of each class that was read or written.
_PARTS: Final[dict[type[Recorded], tuple[_Part, ...]]] = {}


def _read(part: _Part, body: Mapping[str, Any]) -> Any:  # noqa: ANN401  any JSON value
    if part.key not in body:
        if part.blank is MISSING:
            raise KeyError(part.key)
        return part.blank
    value = body[part.key]
    return value if part.read is None else part.read(value)


def _parts(event: type[Recorded]) -> tuple[_Part, ...]:
    """Return the parts of the bodies of one kind of event, worked out once."""
    if event not in _PARTS:
        _PARTS[event] = _worked_out(event)
    return _PARTS[event]


def _worked_out(event: type[Recorded]) -> tuple[_Part, ...]:
    types_of = get_type_hints(event)
    return tuple(
        _Part(
            key=spec.name,
            read=_reader(types_of[spec.name]),
            write=_writer(types_of[spec.name]),
            blank=_blank(spec, types_of[spec.name]),
            is_optional=bool(spec.metadata.get("optional")),
        )
        for spec in fields(event)
    )


def _blank(spec: Field[Any], type_of: Any) -> Any:  # noqa: ANN401  types are values here
    if spec.default is not MISSING:
        return spec.default
    if type_of is Any or type(None) in get_args(type_of):
        return None
    return _BLANK.get(get_origin(type_of) or type_of, MISSING)


def _reader(type_of: Any) -> _Convert | None:  # noqa: ANN401  see _blank
    """Return what makes a value of a type from JSON data; None where that is the value itself."""
    origin, inner = get_origin(type_of), get_args(type_of)
    if isinstance(type_of, type) and issubclass(type_of, Enum):
        return type_of
    if origin in {Union, types.UnionType} and type(None) in inner:
        convert = _reader(next(one for one in inner if one is not type(None)))
        return convert and (lambda value: None if value is None else convert(value))
    if origin in {tuple, frozenset}:
        item = _reader(inner[0])
        return origin if item is None else lambda value: origin(map(item, value))
    if origin is Mapping:
        return _numbered if inner[0] is int else _mapping
    return None


def _mapping(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        msg = f"a JSON object is expected, not {type(value).__name__}"
        raise TypeError(msg)
    return value


def _numbered(value: object) -> Mapping[int, Any]:
    """Return a JSON object whose keys are numbers."""
    return {int(key): one for key, one in _mapping(value).items()}


def _writer(type_of: Any) -> _Convert | None:  # noqa: ANN401  see _blank
    """Return what makes JSON data from a value of a type; None where that is the value itself."""
    origin, inner = get_origin(type_of), get_args(type_of)
    if origin is tuple:
        return list
    if origin is frozenset:
        return sorted
    if inner[:1] == (int,) and origin is Mapping:
        return lambda value: {str(key): one for key, one in value.items()}
    return None
