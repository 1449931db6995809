"""Other units: questions for an answer in a unit that no column of a table is in.

"How big is the living room in square feet" asks nothing of a table of expenses, and "the weight in
pounds" nothing that a column of kilograms gives.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from okso_jupyter.calculation.unit_words import UNIT_WORDS, unit_named

_LENGTHS: Final = frozenset(
    "millimeter centimeter meter kilometer inch foot yard mile nautical_mile".split()
)
_MASSES: Final = frozenset("gram kilogram tonne ounce pound stone".split())
_VOLUMES: Final = frozenset(
    "milliliter centiliter liter pint quart gallon imperial_gallon imperial_pint fluid_ounce cup "
    "meter**3 foot**3".split()
)
_AREAS: Final = frozenset(
    "meter**2 kilometer**2 foot**2 inch**2 yard**2 mile**2 hectare acre centimeter**2".split()
)
_HEATS: Final = frozenset("degC degF kelvin".split())
_SORTS: Final = (_LENGTHS, _MASSES, _VOLUMES, _AREAS, _HEATS)
_WORDS: Final = "|".join(
    re.escape(word) for word in sorted(UNIT_WORDS, key=len, reverse=True) if len(word) > 1
)
_IN_UNIT: Final = re.compile(rf"(?i)\bin (?P<unit>{_WORDS})\W*$")
_NAMED: Final = re.compile(rf"(?i)(?<![^\W_])(?:{_WORDS}|[gmlcf])(?![^\W_²³\d])")
#: Words of columns of sizes, which may be areas.
_SIZES: Final = re.compile(r"(?i)area|size|fläche|größe|groesse|square|surface|acre|m²|sqm|sqft")


def asks_in_unit(request: str) -> bool:
    """Return whether a question ends in the unit that its answer is to be in."""
    return _IN_UNIT.search(request) is not None


def is_in_other_unit(request: str, columns: Iterable[str]) -> bool:
    """Return whether a question is for a unit that a table's columns cannot give.

    A column that names no unit may be in any, apart from areas, which amounts are not.

    Args:
        request: The question.
        columns: The names of the table's columns.
    """
    found = _IN_UNIT.search(request)
    unit = unit_named(found["unit"]) if found else ""
    sort = next((units for units in _SORTS if unit in units), None)
    if sort is None:
        return False
    names = [*columns]
    own = {unit_named(word[0]) for name in names for word in _NAMED.finditer(name)}
    if unit in own:
        return False
    is_size = any(map(_SIZES.search, names))
    return not own.isdisjoint(sort) or (sort is _AREAS and not is_size)
