"""Marks of what is not known yet, as a value and anywhere inside of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

#: The one internal mark of an argument that is filled from observations when its step is due.
FILL: Final[Mapping[str, bool]] = {"__fill__": True}
MISSING: Final = "__MISSING__"


def is_mark(value: object) -> bool:
    """Say whether a whole argument means "fill me": all four spellings that the seeds use."""
    return value in ("", None) or is_hole(value)


def is_hole(value: object) -> bool:
    """Say whether a value is a mark at any depth, where null and an empty text mean themselves."""
    return value in (MISSING, FILL)


def is_open(value: object) -> bool:
    """Say whether an argument is to be filled: it is a mark, or has one inside."""
    return is_mark(value) or has_hole(value)


def has_hole(value: object) -> bool:
    """Say whether a value is a hole, or has one inside."""
    if is_hole(value):
        return True
    if isinstance(value, Mapping):
        return any(map(has_hole, value.values()))
    return isinstance(value, list | tuple) and any(map(has_hole, value))


def fits(planned: object, filled: object) -> bool:
    """Say whether a value differs from a planned one in its holes alone."""
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
