"""Holes: marks of values that are not known yet, as an argument or anywhere inside of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

#: The only internal mark of an argument that is filled from observations before its step runs.
FILL: Final[Mapping[str, bool]] = {"__fill__": True}
MISSING: Final = "__MISSING__"


def is_mark(value: object) -> bool:
    """Return whether a whole argument means "fill me", in any of the seeds' four spellings."""
    return value in ("", None) or is_hole(value)


def is_hole(value: object) -> bool:
    """Return whether a value is a mark at any depth, where null and "" are ordinary values."""
    return value in (MISSING, FILL)


def is_open(value: object) -> bool:
    """Return whether an argument is to be filled: it is a mark, or contains a hole."""
    return is_mark(value) or has_hole(value)


def has_hole(value: object) -> bool:
    """Return whether a value is a hole, or contains one."""
    if is_hole(value):
        return True
    if isinstance(value, Mapping):
        return any(map(has_hole, value.values()))
    return isinstance(value, list | tuple) and any(map(has_hole, value))


def fits(planned: object, filled: object) -> bool:
    """Return whether a value differs from a planned one only in its holes."""
    if is_hole(planned):
        return True
    if isinstance(planned, Mapping) and isinstance(filled, Mapping):
        return planned.keys() == filled.keys() and all(fits(planned[k], filled[k]) for k in planned)
    if isinstance(planned, list | tuple) and isinstance(filled, list | tuple):
        return len(planned) == len(filled) and all(map(fits, planned, filled))
    return type(planned) is type(filled) and planned == filled


def surfaced(value: object) -> object:
    """Return an open argument with its holes written as MISSING."""
    if is_mark(value):
        return MISSING
    if isinstance(value, Mapping):
        return {k: surfaced(part) if has_hole(part) else part for k, part in value.items()}
    if isinstance(value, list | tuple):
        return [surfaced(part) if has_hole(part) else part for part in value]
    return value
