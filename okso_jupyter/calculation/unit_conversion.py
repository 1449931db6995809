"""Quantities: numbers with units, and the same in another unit."""

from __future__ import annotations

import difflib
import functools
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from okso_jupyter.calculation.exact import Calculated, equals, plain, rendered
from okso_jupyter.calculation.unit_words import UNIT_WORDS, unit_named

if TYPE_CHECKING:
    from pint import UnitRegistry

_NUMBER: Final = r"-?\d{1,30}(?:\.\d{1,30})?(?:/\d{1,30})?"
_PART: Final = re.compile(rf"({_NUMBER}) ?([^\d\s][^\d\s/]*(?:/[a-z]+)?[23]?(?: [^\d\s]+)*)")
_QUANTITY: Final = re.compile(rf"{_PART.pattern}(?: {_PART.pattern})*")
#: Units with a zero of their own, which cannot be added up.
_WITH_ZERO: Final = frozenset({"degC", "degF"})


def convert(quantity: str, unit: str) -> Calculated:
    """Return a quantity, such as "2 hours 45 minutes", in another unit."""
    said = problem_of_conversion(quantity, unit)
    if said:
        return Calculated(f"{quantity} in {unit} has no value: {said}.")
    value = _converted(quantity, unit)
    return Calculated(f"{quantity} {equals(value)} {rendered(value)} {unit}", plain(value))


def problem_of_conversion(quantity: str, unit: str) -> str:
    """Return why a quantity cannot be told in a unit, as the end of a sentence; "" if it can."""
    parts = _parts(quantity)
    if not parts:
        return f"{quantity!r} is no number with a unit"
    for word in (*(word for _, word in parts), unit):
        if not unit_named(word):
            near = difflib.get_close_matches(word.lower(), UNIT_WORDS, n=1)
            return f"{word!r} is no known unit" + (f" (the nearest is {near[0]!r})" if near else "")
    if len(parts) > 1 and any(unit_named(word) in _WITH_ZERO for _, word in parts):
        return "temperatures cannot be added up"
    kinds = {word: _registry().Unit(unit_named(word)).dimensionality for _, word in parts}
    wanted = _registry().Unit(unit_named(unit)).dimensionality
    strange = [word for word, kind in kinds.items() if kind != wanted]
    return f"{strange[0]} and {unit} measure different things" if strange else ""


def _parts(quantity: str) -> list[tuple[Fraction, str]]:
    """Return numbers and unit words of a quantity; empty if it is none."""
    text = " ".join(quantity.split())
    if not _QUANTITY.fullmatch(text):
        return []
    try:
        return [(Fraction(match[1]), match[2]) for match in _PART.finditer(text)]
    except ZeroDivisionError:
        return []


def _converted(quantity: str, unit: str) -> Fraction:
    make, wanted = _registry().Quantity, unit_named(unit)
    parts = [
        make(number, unit_named(word)).to(wanted).magnitude for number, word in _parts(quantity)
    ]
    return sum((Fraction(part) for part in parts), Fraction())


@functools.cache
def _registry() -> UnitRegistry[Fraction]:
    """Return pint's units, with exact factors; loaded once, when the first is needed."""
    from pint import UnitRegistry  # noqa: PLC0415  it takes half a second

    return UnitRegistry(non_int_type=Fraction)
