"""Ratios asked: "rent per square metre", "Preis pro Nacht": an amount by the units beside it.

The ratio is a column that is computed of each row, and its average is asked for where nothing else
is said. "Sales per month" has no column of a number of months, and is of groups.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from okso_jupyter.planning.table_questions.column_words import in_words_of
from okso_jupyter.planning.table_questions.spoken_formulas import ComputedQuestion
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import stem, tokens
from okso_jupyter.tables.query import ComputedColumn

#: What a unit is called in a question, the first of which names the ratio, and in the header of a
#: column that counts it: a column "day" tells which day it was.
_UNITS: Final = tuple(
    (tuple(said.split()), frozenset(counted.split()))
    for said, counted in (
        (
            "m2 m² sqm qm quadratmeter squaremetre squaremetres squaremeter squaremeters",
            "m2 m² sqm qm quadratmeter",
        ),
        (
            "km kilometre kilometres kilometer kilometers kilometern",
            "km kilometre kilometres kilometer kilometers",
        ),
        (
            "kg kilo kilos kilogram kilograms kilogramm",
            "kg kilo kilos kilogram kilograms kilogramm",
        ),
        ("litre litres liter liters litern l", "litre litres liter liters l"),
        ("hectare hectares hektar ha", "hectare hectares hektar ha"),
        ("hour hours hr hrs h stunde stunden std", "hours hrs h stunden std"),
        ("minute minutes minuten", "minutes minuten"),
        ("night nights nacht nächte nächten", "nights nächte"),
        ("day days tag tage tagen", "days tage"),
        ("week weeks woche wochen", "weeks wochen"),
        ("person persons people personen", "persons people personen"),
        ("page pages seite seiten", "pages seiten"),
        ("word words wort wörter", "words wörter"),
        ("piece pieces stück stücke", "pieces stück stücke"),
    )
)
#: What stands for the computed column in a question.
_RATIO: Final = "rate"
_SQUARE: Final = re.compile(r"(?i)\b(square)\s+(met(?:re|er)s?)\b")
_RATE: Final = re.compile(
    r"(?i)\b(?P<what>[^\W\d_]\w*(?:\s+[^\W\d_]\w*)?)\s+(?:per|pro|je|for\s+each)\s+"
    r"(?:single\s+)?(?P<of>[^\W\d_]+2?)"
)
_SUMMED: Final = re.compile(r"(?i)\b(?:total|sum|altogether|in\s+all|gesamt\w*|insgesamt|summe)\b")
#: "How many flats per room" are numbers of rows.
_COUNTED: Final = re.compile(r"(?i)\b(?:how\s+many|number\s+of|count|wie\s*viele|anzahl)\b")
#: Says what is wanted of the ratios; without it their average is.
_SAID: Final = re.compile(
    r"(?i)\b(?:average|avg|mean|median|most|least|best|worst|\w{3,}est|top|bottom|max\w*|min\w*|"
    r"deviation|more|less|over|under|above|below|durchschnitt\w*|meisten|\w{3,}sten?|mittler\w*|"
    r"list|show|each|every|all|jede\w*|alle|zeige?|liste)\b"
)


def ratio_asked(question: str, table: TableSample) -> ComputedQuestion | None:
    """Return a question about an amount per unit; None where no two columns tell it."""
    said = _SQUARE.sub(r"\1\2", question)
    found = _RATE.search(said)
    if found is None or _SUMMED.search(said) or _COUNTED.search(said[: found.end("what")]):
        return None
    unit, counted = _unit(found["of"].lower())
    named = [column for column in table.columns.values() if not counted.isdisjoint(_words(column))]
    if _is_held({found["of"].lower(), unit, *counted}, table):
        return None
    what, before = _amount(found["what"], table, named)
    if len(named) != 1 or not _is_amount(named[0]) or what is None:
        return None
    rest = (said[: found.start()], before), said[found.end() :]
    wanted = _RATIO if _SAID.search(f"{' '.join(rest[0])} {rest[1]}") else f"average {_RATIO}"
    column = ComputedColumn(f"{_RATIO}_per_{unit}", what.name, "/", named[0].name)
    return ComputedQuestion((column,), " ".join(f"{' '.join(rest[0])} {wanted} {rest[1]}".split()))


def _unit(word: str) -> tuple[str, frozenset[str]]:
    """Return what a unit is called, and what columns that count it are called by.

    Of a word that is no unit this is its plural: "floor" is no number of floors.
    """
    known = next(((said[0], counted) for said, counted in _UNITS if word in said), None)
    return known or (word, frozenset({f"{word}s"}))


def _is_amount(column: ColumnSample) -> bool:
    return column.has_numbers and not (column.is_year or column.is_key)


def _amount(
    said: str, table: TableSample, named: Sequence[ColumnSample]
) -> tuple[ColumnSample | None, str]:
    """Return the column of an amount that the last of some words name, and those before it."""
    words = said.split()
    for first in range(len(words)):
        called = {stem(word) for word in tokens(in_words_of(" ".join(words[first:]), table))}
        found = [
            column
            for column in table.columns.values()
            if _is_amount(column) and column not in named and called <= set(column.stems)
        ]
        found = [column for column in found if called == set(column.stems)] or found
        if called and len(found) == 1:
            return found[0], " ".join(words[:first])
    return None, ""


def _is_held(forms: set[str], table: TableSample) -> bool:
    """Return whether a column holds the ratio already: "price per night", "EUR/m2"."""
    return any(
        "/" in column.name or not {"per", "pro", "je"}.isdisjoint(_words(column))
        for column in table.columns.values()
        if not forms.isdisjoint(_words(column))
    )


def _words(column: ColumnSample) -> list[str]:
    """Return the words of a header; "m2" is one."""
    return re.findall(r"[^\W\d_]+2?", column.name.lower())
