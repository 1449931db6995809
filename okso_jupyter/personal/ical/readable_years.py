"""The years whose dates are read: a date far beyond has no next day, or no time in another zone."""

from __future__ import annotations

from datetime import date
from typing import Final

_FIRST_YEAR: Final = 1900
_LAST_YEAR: Final = 2999
#: The years, in words.
YEARS: Final = f"{_FIRST_YEAR} to {_LAST_YEAR}"


def is_in_range(moment: date) -> bool:
    """Return whether a day or time lies in the years that are read."""
    return _FIRST_YEAR <= moment.year <= _LAST_YEAR
