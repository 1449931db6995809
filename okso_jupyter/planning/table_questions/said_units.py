"""Said units: the unit behind a number, and the columns that are in it: "under 10 euros"."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

from okso_jupyter.calculation.unit_words import unit_named
from okso_jupyter.planning.calculations.currencies import code_of
from okso_jupyter.planning.table_questions.table_sample import ColumnSample
from okso_jupyter.planning.table_questions.words import QuestionWords, header_words

_SIGN: Final = re.compile(r"[$€£¥₹]")
#: What a header may call a unit beside its names: "gross_wt_t".
_OF_HEADERS: Final[Mapping[str, str]] = {"t": "tonne", "std": "hour"}


def units_said(question: QuestionWords) -> dict[int, str]:
    """Return the units right behind the numbers of a question, by the place of the number."""
    places = (place for place in question.numbers if place + 1 < len(question.raw))
    found = {place: _unit(question.raw[place + 1]) for place in places}
    return {place: unit for place, unit in found.items() if unit}


def is_in(column: ColumnSample, unit: str) -> bool:
    """Return whether a column of numbers is in a unit, by its name or the sign of its amounts."""
    if not column.has_numbers:
        return False
    signs = [*_SIGN.findall(column.name), *_SIGN.findall(next(iter(column.cells), ""))]
    return unit in map(_unit, (*header_words(column.name), *signs))


def places_of_units(question: QuestionWords, column: ColumnSample) -> set[int]:
    """Return the places of the units behind numbers that a column is in."""
    said = units_said(question)
    return {place + 1 for place, unit in said.items() if is_in(column, unit)}


def columns_of_units(
    question: QuestionWords, columns: Collection[ColumnSample]
) -> dict[int, frozenset[str]]:
    """Return the columns in the unit that is said behind a number, by the number's place.

    A number with a unit that no column is in may be of any of them.
    """
    named = {
        place: frozenset(column.name for column in columns if is_in(column, unit))
        for place, unit in units_said(question).items()
    }
    return {place: names for place, names in named.items() if names}


def _unit(word: str) -> str:
    """Return the name of a unit or currency, whatever the word for it; "" if it is none."""
    return code_of(word) or _OF_HEADERS.get(word) or unit_named(word)
