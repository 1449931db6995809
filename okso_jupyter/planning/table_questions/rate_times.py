"""Rate times: what some hours or nights cost of somebody or something whose rate a table gives.

"What would 6 hours of Gwen Hart cost" is 6 times the hourly rate of the only row of that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from okso_jupyter.planning.table_questions.query_tool import CALCULATOR
from okso_jupyter.planning.table_questions.related_tables import heads_of
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.cells import is_missing, is_number, number_of, with_point

#: Words in the name of a column of rates for a unit of time, by the words for several of them.
_UNITS: Final = {
    word: unit
    for unit, words in {
        r"hour|\bhrs?\b|stunde|\bstd\b|/ ?h$": "hours hour stunden stunde",
        r"\bday|daily|\btag(?:es|\b)|/ ?d$": "days day tage tag tagen",
        r"night|nacht": "nights night nächte nacht nächten",
        r"week|woche": "weeks week wochen woche",
        r"month|monat": "months month monate monat monaten",
        r"km|kilomet": "km kilometers kilometres kilometer",
    }.items()
    for word in words.split()
}
_RATE: Final = re.compile(
    r"(?i)rate|price|cost|fee|wage|pay|charge|rent|per\b|[€$£]|eur|satz|lohn|preis|kosten|gebühr|"
    r"miete|pro\b|(?:hour|dai|night|week|month)ly"
)
#: Three digits behind a mark may be thousands.
_AMOUNT: Final = r"(?P<amount>\d+(?:[.,]\d{1,2})?)(?![\d.,])"
_UNIT: Final = rf"(?P<unit>{'|'.join(sorted(_UNITS, key=len, reverse=True))})"
_ASKS: Final = (
    r"(?:(?:how much|what) (?:would|will|do|does|is|are|for)|how much|"
    r"(?:was|wie ?viel) (?:kosten|kostet|würden|würde|macht|machen))"
)
_ENDS: Final = r"(?: (?:cost(?: me| us)?|be|kosten|come to))?"
_LINK: Final = r"(?:of|with|by|from|for|at|in|on|von|vom|mit|bei|beim|für|auf|im|in)"
_WHAT_IS: Final = r"(?:what is|what['’]s|how much is|wie (?:hoch|viel) ist|was ist)"
_CHARGE: Final = r"(?:rent|price|cost|fee|charge|miete|pacht|preis|gebühr)"
_PHRASES: Final = tuple(
    re.compile(rf"(?i)^{words}\W*$")
    for words in (
        rf"{_ASKS} {_AMOUNT} {_UNIT} (?:{_LINK} )?(?P<name>[^,;?]+?){_ENDS}",
        rf"{_ASKS} (?P<name>[^,;?\d]+?)(?: cost| charge)? (?:for|für) {_AMOUNT} {_UNIT}{_ENDS}",
        (
            rf"{_WHAT_IS} (?:the |die |der )?{_CHARGE} (?:of|for|von|vom|für) (?P<name>[^,;?]+?) "
            rf"(?:for|über|für) {_AMOUNT} {_UNIT}"
        ),
    )
)
_ARTICLE: Final = re.compile(r"(?i)^(?:the|our|der|die|das|dem|den) ")
#: A price that is said itself: "9 nights for 28 euros".
_PLAIN_NUMBER: Final = re.compile(r"(?<!\S)[€$£]?\d[\d.,]*(?!\S)")
_WORD: Final = re.compile(r"[^\W_]+")


def rate_times(request: str, sources: TableSources) -> Mapping[str, Any] | None:
    """Return the step that multiplies a rate of a table; None for other requests.

    None, too, where the name is in several tables or rows, or there are several rates.

    Args:
        request: The request.
        sources: The tables of the folder; files are read only where the words ask for it.
    """
    asked = next(filter(None, (words.match(request) for words in _PHRASES)), None)
    if asked is None or _PLAIN_NUMBER.search(asked["name"]):
        return None
    unit = re.compile(f"(?i){_UNITS[asked['unit'].lower()]}")
    name = _ARTICLE.sub("", asked["name"].strip())
    found = [(table, *rate) for table in heads_of(sources) for rate in _rates(name, unit, table)]
    if len(found) != 1:
        return None
    ((table, called, column, rate),) = found
    amount = asked["amount"].replace(",", ".")
    title = f"{amount} {asked['unit']} of {called} at {rate} ({column} in {table.source})"
    return {"tool": CALCULATOR, "args": {"expression": f"{amount} * {rate}"}, "title": title}


def _rates(name: str, unit: re.Pattern[str], table: TableSample) -> Iterator[tuple[str, str, str]]:
    """Yield the name, the column and the number of each rate that a table gives for a name."""
    columns = [
        column
        for column in table.columns.values()
        if unit.search(column.name) and _RATE.search(column.name) and _has_numbers(column)
    ]
    for at, called in _rows_of(name, table):
        for column in columns:
            cell = with_point(column.cells[at]) if column.decimal_comma else column.cells[at]
            rate = number_of(cell)
            if rate is not None:
                yield called, column.name, f"{rate:.10g}"


def _has_numbers(column: ColumnSample) -> bool:
    cells = [cell for cell in column.cells if not is_missing(cell)]
    plain = map(with_point, cells) if column.decimal_comma else cells
    return bool(cells) and all(map(is_number, plain))


def _rows_of(name: str, table: TableSample) -> Iterator[tuple[int, str]]:
    """Yield the places of the rows that have a name, and the name as it is written there.

    Words of the column's name may stand with it: "pitch B2"; a part of a name may stand for it.
    """
    for column in table.columns.values():
        own = {word.lower() for word in _WORD.findall(column.name)}
        words = [word.lower() for word in _WORD.findall(name)]
        wanted = [word for word in words if word not in own] or words
        for at, cell in enumerate(column.cells):
            held = [word.lower() for word in _WORD.findall(cell)]
            if held and wanted and set(wanted) <= set(held) and not is_number(cell):
                yield at, cell
