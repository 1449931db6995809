"""What a handler may give back: text and JSON values, of a size that can be kept and shown."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, Final

from okso_jupyter.amounts import cut
from okso_jupyter.errors import ToolFailedError

#: A text that is longer is cut: nobody reads it, and every record would hold it.
MAX_TEXT_CHARS: Final = 2_000_000
_MAX_VALUES: Final = 200_000
_MAX_LEVELS: Final = 60
#: Python writes no whole number with more digits than about this many bits.
_MAX_BITS: Final = 10_000


def json_value(value: object) -> Any:  # noqa: ANN401  a JSON value
    """Return what a handler gave as a JSON value that shares nothing with it.

    Numbers that JSON lacks become their names ("NaN", "Infinity"), a text that is too long is
    cut and says so.

    Raises:
        ToolFailedError: It is no JSON value, too large, or holds itself; the place is named.
    """
    return _Reader().read(value, "")


def bounded(text: str) -> str:
    """Return a text, cut with its full length said if it is too long to keep."""
    return cut(text, MAX_TEXT_CHARS)


class _Reader:
    """Reads one value and counts what it holds."""

    def __init__(self) -> None:
        self._left = _MAX_VALUES

    def read(self, value: object, place: str, level: int = 0) -> Any:  # noqa: ANN401  see above
        self._left -= 1
        if self._left < 0 or level > _MAX_LEVELS:
            msg = (
                f"the handler gave more than {_MAX_VALUES:,} values, more than {_MAX_LEVELS} "
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
    """Return a number of any kind (NumPy's too) as JSON knows it."""
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
    msg = f"the handler gave a {type(value).__name__}{where}: text or a JSON value is wanted"
    return ToolFailedError(msg)
