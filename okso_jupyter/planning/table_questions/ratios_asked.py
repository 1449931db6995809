"""Ratios asked: "rent per square metre", "Preis pro Nacht": an amount by the units beside it.

The ratio is a column that is computed of each row, and its average is asked for where nothing else
is said. "Sales per month" has no column of a number of months, and is of groups.
"""

from __future__ import annotations

import re
from typing import Final

from okso_jupyter.planning.table_questions.column_words import in_words_of
from okso_jupyter.planning.table_questions.spoken_formulas import ComputedQuestion
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import stem, tokens
from okso_jupyter.tables.query import ComputedColumn

#: What a number of each is called, in headers and questions; the first names the ratio.
_UNITS: Final = (
    "m2 m² sqm qm quadratmeter squaremetre squaremetres squaremeter squaremeters",
    "km kilometre kilometres kilometer kilometers kilometern",
    "kg kilo kilos kilogram kilograms kilogramm",
    "litre litres liter liters litern l",
    "hour hours hrs hr h stunde stunden std",
    "minute minutes minuten min",
    "night nights nacht nächte nächten",
    "day days tag tage tagen",
    "week weeks woche wochen",
    "person persons people person personen",
    "page pages seite seiten",
    "word words wort wörter",
    "piece pieces stück stücke",
    "hectare hectares hektar ha",
)
#: What stands for the computed column in a question.
_RATIO: Final = "rate"
_SQUARE: Final = re.compile(r"(?i)\b(square)\s+(met(?:re|er)s?)\b")
_RATE: Final = re.compile(
    r"(?i)\b(?P<what>[^\W\d_]\w*(?:\s+[^\W\d_]\w*)?)\s+(?:per|pro|je|for\s+each)\s+"
    r"(?:single\s+)?(?P<of>[^\W\d_]+2?)"
)
_SUMMED: Final = re.compile(r"(?i)\b(?:total|sum|altogether|in\s+all|gesamt\w*|insgesamt|summe)\b")
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
    if found is None or _SUMMED.search(said):
        return None
    unit = _unit(found["of"].lower())
    counts = [column for column in table.columns.values() if _counts(column, unit)]
    what, before = _amount(found["what"], table, counts)
    if len(counts) != 1 or what is None or _is_held(unit, table):
        return None
    name = f"{_RATIO}_per_{unit.split()[0]}"
    rest = f"{said[: found.start()]}{before} {{}} {said[found.end() :]}"
    wanted = _RATIO if _SAID.search(rest) else f"average {_RATIO}"
    column = ComputedColumn(name, what.name, "/", counts[0].name)
    return ComputedQuestion((column,), " ".join(rest.format(wanted).split()))


def _unit(word: str) -> str:
    """Return what a unit is called; of a word that is none its forms."""
    known = next((words for words in _UNITS if word in words.split()), "")
    return known or f"{word} {word}s"


def _counts(column: ColumnSample, unit: str) -> bool:
    """Return whether a column has numbers of a unit; "floor" is no number of floors."""
    if not column.has_numbers or column.is_year or column.is_key:
        return False
    words = _words(column.name)
    if unit in _UNITS:
        return not set(unit.split()).isdisjoint(words)
    return unit.rsplit(maxsplit=1)[-1] in words


def _amount(
    said: str, table: TableSample, counts: list[ColumnSample]
) -> tuple[ColumnSample | None, str]:
    """Return the column of an amount that the last of some words name, and those before it."""
    words = said.split()
    for first in range(len(words)):
        called = {stem(word) for word in tokens(in_words_of(" ".join(words[first:]), table))}
        found = [
            column
            for column in table.columns.values()
            if column.has_numbers and column not in counts and called <= set(column.stems)
        ]
        found = [column for column in found if called == set(column.stems)] or found
        if called and len(found) == 1:
            return found[0], " ".join(words[:first])
    return None, ""


def _is_held(unit: str, table: TableSample) -> bool:
    """Return whether a column holds a ratio already: "price per night", "EUR/m2"."""
    return any(
        not {"per", "pro", "je"}.isdisjoint(_words(name)) or "/" in name
        for name in table.columns
        if not set(unit.split()).isdisjoint(_words(name))
    )


def _words(name: str) -> list[str]:
    """Return the words of a header; "m2" is one."""
    return re.findall(r"[^\W\d_]+2?", name.lower())
