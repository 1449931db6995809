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


def units_said(question: QuestionWords) -> dict[int, frozenset[str]]:
    """Return what may be meant by the units behind the numbers of a question, by their places."""
    places = (place for place in question.numbers if place + 1 < len(question.raw))
    found = {place: _units(question.raw[place + 1]) for place in places}
    return {place: units for place, units in found.items() if units}


def is_in(column: ColumnSample, units: Collection[str]) -> bool:
    """Return whether a column of numbers is in one of some units.

    The end of its name says it, or the sign of its amounts: `min_pulse` is in no minutes.
    """
    if not column.has_numbers:
        return False
    signs = [*_SIGN.findall(column.name), *_SIGN.findall(next(iter(column.cells), ""))]
    own = (_units(word) for word in (*header_words(column.name)[-1:], *signs))
    return not frozenset[str]().union(*own).isdisjoint(units)


def places_of_units(question: QuestionWords, column: ColumnSample) -> set[int]:
    """Return the places of the units behind numbers that a column is in."""
    said = units_said(question)
    return {place + 1 for place, units in said.items() if is_in(column, units)}


def columns_of_units(
    question: QuestionWords, columns: Collection[ColumnSample]
) -> dict[int, frozenset[str]]:
    """Return the columns in the unit that is said behind a number, by the number's place.

    A number with a unit that no column is in may be of any of them.
    """
    named = {
        place: frozenset(column.name for column in columns if is_in(column, units))
        for place, units in units_said(question).items()
    }
    return {place: names for place, names in named.items() if names}


def _units(word: str) -> frozenset[str]:
    """Return the names of the unit and the currency that a word may mean: "pounds" are both."""
    return frozenset({code_of(word), _OF_HEADERS.get(word, ""), unit_named(word)} - {""})
