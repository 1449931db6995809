"""Bounds on a handler's result: text and JSON values small enough to record and show."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, Final

from okso_jupyter.amounts import cut
from okso_jupyter.errors import ToolFailedError

#: Longer texts are cut: every record would hold them in full.
MAX_TEXT_CHARS: Final = 2_000_000
_MAX_VALUES: Final = 200_000
_MAX_LEVELS: Final = 60
#: Python converts no integer of more than about this many bits to decimal.
_MAX_BITS: Final = 10_000


def json_value(value: object) -> Any:  # noqa: ANN401  a JSON value
    """Return a handler's result as a JSON value that shares no object with it.

    Numbers that JSON lacks become their names ("NaN", "Infinity"); a text that is too long is
    cut and ends in a note.

    Raises:
        ToolFailedError: It is not a JSON value, is too large, or contains itself; the message
            names the place.
    """
    return _Reader().read(value, "")


def bounded(text: str) -> str:
    """Return a text; one too long to record is cut, with its full length noted."""
    return cut(text, MAX_TEXT_CHARS)


class _Reader:
    """Converts one value and counts its parts."""

    def __init__(self) -> None:
        self._left = _MAX_VALUES

    def read(self, value: object, place: str, level: int = 0) -> Any:  # noqa: ANN401  see above
        self._left -= 1
        if self._left < 0 or level > _MAX_LEVELS:
            msg = (
                f"the handler returned more than {_MAX_VALUES:,} values, more than {_MAX_LEVELS} "
                "levels deep, or a value that holds itself"
            )
            raise ToolFailedError(msg)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return bounded(str(value))
        if isinstance(value, Real):
            return _number(value, place)
        if isinstance(value, Mapping):
            return {
                _key(key, place): self.read(item, f"{place}.{key}", level + 1)
                for key, item in value.items()
            }
        if isinstance(value, list | tuple):
            return [
                self.read(item, f"{place}[{number}]", level + 1)
                for number, item in enumerate(value)
            ]
        raise _no_json(value, place)


def _number(value: Real, place: str) -> int | float | str:
    """Return a number of any type (including NumPy's) as a JSON number or its name."""
    if isinstance(value, Integral):
        whole = int(value)
        if whole.bit_length() > _MAX_BITS:
            raise _no_json(value, place)
        return whole
    number = float(value)
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    return number


def _key(key: object, place: str) -> str:
    if isinstance(key, str):
        return str(key)
    if isinstance(key, int | float) or key is None:
        return str(key)
    raise _no_json(key, f"{place} (a key)")


def _no_json(value: object, place: str) -> ToolFailedError:
    where = f" at {place.lstrip('.')}" if place else ""
    msg = f"the handler returned a {type(value).__name__}{where}: text or a JSON value is wanted"
    return ToolFailedError(msg)
