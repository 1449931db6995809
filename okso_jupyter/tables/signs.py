"""Signs: what those of comparisons and computed columns do, to numbers and ibis expressions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

Of = Callable[[Any, Any], Any]

COMPARE: Final[Mapping[str, Of]] = {
    "=": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
#: Nothing is divided by zero: the caller sees to it.
COMPUTE: Final[Mapping[str, Of]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv
}  # fmt: skip
#: The first whole number with more than 64 bits, which no literal of ibis holds.
_TOO_LARGE: Final = 1 << 63
#: Beyond all that a column can hold.
_LARGEST: Final = 10**300


def as_number(value: float) -> float:
    """Return a number that a query compares with; a whole one of too many digits as a float."""
    if abs(value) < _TOO_LARGE:
        return value
    return float(max(-_LARGEST, min(value, _LARGEST)))
