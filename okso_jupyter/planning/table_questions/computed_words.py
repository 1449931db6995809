"""Computed words: columns that a question names by what they mean, or by how they are computed.

Revenue is price * quantity where a table has both, and hours are computed of minutes; see
`spoken_formulas` for what a question says outright.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from okso_jupyter.planning.table_questions.spoken_formulas import ComputedQuestion, by_formula
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import header_words, stem
from okso_jupyter.tables.query import ComputedColumn

#: What is paid for what was bought. The first word is what the column is called.
_REVENUE: Final = re.compile(
    r"(?i)\b(?:revenues?|turnover|sales\s+(?:value|volume|amount)s?|total\s+sales|order\s+values?|"
    r"takings|spend(?:s|ing)?|spent|ums(?:a|ä)tze?|ausgegeben|einnahmen)\b"
)
_SPENDS: Final = re.compile(r"(?i)\b(?:spend(?:s|ing)?|spent|ausgegeben)\b")
#: Units of one kind, each by the size of the smallest.
_UNITS: Final[Sequence[Mapping[str, float]]] = (
    {"second": 1, "sec": 1, "minute": 60, "min": 60, "hour": 3600, "hr": 3600, "day": 86_400},
    {"cm": 1, "m": 100, "metre": 100, "meter": 100, "km": 100_000, "kilometre": 100_000,
     "kilometer": 100_000, "mile": 160_934.4},
    {"g": 1, "gram": 1, "kg": 1000, "kilo": 1000, "kilogram": 1000, "ton": 1e6, "tonne": 1e6},
)  # fmt: skip
_HOW_MANY: Final = re.compile(r"(?i)\bhow\s+many\s+(?P<unit>[a-z]+)\b")
_STATISTIC: Final = re.compile(
    r"(?i)\b(?:total|sum|average|avg|mean|median|most|least|best|worst|\w{3,}est|top|bottom|maximum|"
    r"minimum|max|min|deviation|variance|correlat\w*|share|percent\w*|gesamt\w*|durchschnitt\w*|"
    r"meisten|höchste\w*|summe|mittel\w*)\b"
)
_PIECES: Final = re.compile(r"(?i)\b(?:units|pieces|copies|stück)\b")
_PRICES: Final = frozenset(map(stem, "price cost fee rate fare preis stückpreis tarif".split()))
QUANTITIES: Final = frozenset(
    map(stem, "quantity qty units pieces copies sold menge anzahl stück".split())
)
#: Columns that are what is paid already.
_AMOUNTS: Final = frozenset(
    map(stem, "revenue turnover sales total sum subtotal paid spent umsatz summe betrag".split())
)


def computed_asked(question: str, table: TableSample) -> ComputedQuestion | None:
    """Return a question with the columns that it wants computed; None if it wants none."""
    numbers = [column for column in table.columns.values() if column.has_numbers]
    return (
        by_formula(question, numbers, table)
        or _revenue(question, numbers, table)
        or _in_unit(question, numbers, table)
    )


def with_quantity(question: str, table: TableSample) -> str:
    """Return a question with the name of the only column of amounts for "units" or "pieces"."""
    if any("unit" in column.stems for column in table.columns.values()):
        return question
    quantities = [column.name for column in table.columns.values() if column.is_quantity]
    return _PIECES.sub(quantities[0], question) if len(quantities) == 1 else question


def _revenue(
    question: str, numbers: Sequence[ColumnSample], table: TableSample
) -> ComputedQuestion | None:
    """Return a question about what was paid; None where a column holds it, or nothing tells it."""
    if not _REVENUE.search(question) or any(
        not _AMOUNTS.isdisjoint(column.meanings) for column in table.columns.values()
    ):
        return None
    prices = [c for c in numbers if not _PRICES.isdisjoint(c.meanings)]
    quantities = [c for c in numbers if not QUANTITIES.isdisjoint(c.meanings) and c not in prices]
    if len(prices) != 1 or len(quantities) != 1:
        return None
    column = ComputedColumn("revenue", prices[0].name, "*", quantities[0].name)
    if _SPENDS.search(question):
        # "Which customer spent the most?" asks who has the largest sum
        asked = re.sub(r"(?i)\b(the\s+)?(most|least)\b", r"\2", question)
        return ComputedQuestion((column,), _SPENDS.sub("has total revenue", asked, count=1))
    # what is paid is summed up if nothing else is said
    name = "revenue" if _STATISTIC.search(question) else "total revenue"
    return ComputedQuestion((column,), _REVENUE.sub(name, question, count=1))


def _in_unit(
    question: str, numbers: Sequence[ColumnSample], table: TableSample
) -> ComputedQuestion | None:
    """Return a question for hours where a column holds minutes; None for any other."""
    found = _HOW_MANY.search(question)
    unit = _unit_of(found["unit"].lower()) if found else None
    # days are counted more often than they are computed
    if (
        found is None
        or unit in {None, "day"}
        or any(unit in header_words(n) for n in table.columns)
    ):
        return None
    sizes = [own for own in _UNITS if unit in own]
    has_ends = any("max" in header_words(name) for name in table.columns)
    held = [
        (c, _size(c.name, sizes[0]))
        for c in numbers
        if not (has_ends and "min" in header_words(c.name))  # a minimum, and no minutes
    ]
    known = [(column, size) for column, size in held if size]
    name = found["unit"].lower()
    if len(known) != 1 or known[0][1] == sizes[0][unit] or name in table.columns:
        return None
    [(column, size)] = known
    ratio = sizes[0][unit] / size
    made = (
        ComputedColumn(name, column.name, "/", ratio)
        if ratio > 1
        else ComputedColumn(name, column.name, "*", 1 / ratio)
    )
    return ComputedQuestion((made,), question.replace(found[0], f"total {name}", 1))


def _unit_of(word: str) -> str | None:
    """Return a unit as the table of units has it; None if a word is none."""
    forms = (word, word.removesuffix("s"))
    return next((form for own in _UNITS for form in forms if form in own), None)


def _size(name: str, units: Mapping[str, float]) -> float:
    """Return the size of the unit in a column's name; 0 where there is none of this kind."""
    words = header_words(name)
    return next(
        (units[u] for word in words if (u := _unit_of(word)) is not None and u in units), 0.0
    )
