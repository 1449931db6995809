"""Largest rows: "the biggest order" is the row with the largest amount, and no largest number.

What rows are called by may be a word of other columns as well (`order_id`, `ordered`). So the words
for them are cut out of the question, the rest is read as one for rows, and their order is added.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from okso_jupyter.planning.table_questions.adjectives import ADJECTIVES
from okso_jupyter.planning.table_questions.computed_words import revenue_of
from okso_jupyter.planning.table_questions.confidence import UNANSWERED, all_less_sure
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.stated_subject import NEVER_SUMMED, PERSONS
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import NUMBERINGS, number_word, stem, tokens
from okso_jupyter.tables.query import ComputedColumn, Measure, Query

_GERMAN: Final = {"zwei": "2", "drei": "3", "vier": "4", "fünf": "5", "sechs": "6", "zehn": "10"}
_COUNTS: Final = rf"(?:\d{{1,3}}|two|three|four|five|six|seven|eight|nine|ten|{'|'.join(_GERMAN)})"
_SIZE: Final = (
    r"(?P<size>biggest|largest|greatest|highest|smallest|lowest|newest|latest|"
    r"(?:größt|höchst|kleinst|niedrigst|neuest)e[nrsm]?)"
)
#: "The three biggest orders", "unsere größte offene Rechnung".
_PHRASES: Final = tuple(
    re.compile(
        rf"(?i)\b(?:(?:the|our|my|their|his|her|unsere?[nrsm]?|meine?[nrsm]?|d(?:ie|er|as|en))\s+)?"
        rf"(?:top\s+)?(?:(?P<count>{_COUNTS})\s+)?{_SIZE}\s+"
        rf"(?P<between>{between})(?P<noun>[^\W\d_]+)(?![^\W_])"
    )
    for between in ("", r"[^\W\d_]+\s+")
)
#: "Which order was the smallest".
_WHICH: Final = re.compile(
    rf"(?i)^\W*(?:which|what|welche[rs]?)\s+(?P<between>)(?P<noun>[^\W\d_]+)\s+(?:is|was|ist|war)\s+"
    rf"(?P<count>)(?:the\s+|die\s+|der\s+|das\s+|am\s+)?{_SIZE}(?!\s+(?!in\b|of\b|for\b|from\b)\w)"
)
_SUBJECT: Final = re.compile(
    r"(?i)^\W*(?:(?P<who>who|wer|whose)|(?:which|what|welche[rsmn]?)\s+(?P<noun>[^\W\d_]+))\s+"
    r"(?:\w+\s+){1,2}$"
)
_SHOWS: Final = re.compile(
    r"(?i)^\W*(?:(?:please\s+)?(?:show|list|display|find|give|zeige?|nenne?)(?:\s+(?:me|us|mir|uns))?|"
    r"(?:what|which|was)(?:['’]s|\s+(?:is|was|are|were|ist|war|sind|waren)))?\s*$"
)
#: What asks for more than rows.
_MORE: Final = re.compile(
    r"(?i)\b(?:and|und|or|oder|per|each|every|by|pro|je|nach|average|mean|median|total|number|how|when|"
    r"wann|wie|than|als|compar\w*|share|percent\w*|anteil|prozent)\b"
)
_SMALL: Final = frozenset({"smallest", "lowest"})
_LATE: Final = frozenset({"newest", "latest"})
_ENDS: Final = frozenset({"maximum", "minimum"})
#: The only column of amounts is rather the one that is meant.
_LIKELY: Final = 0.9


@dataclass(frozen=True, slots=True)
class LargestAsked:
    """Rows at one end of an amount that a question asks for by what rows are called.

    Attributes:
        question: The question without them; "" where it says nothing else.
        query: The rows of all the table.
    """

    question: str
    query: Query

    def of(self, query: Query) -> Query:
        """Return the same of the rows that pass the conditions of a query."""
        return replace(self.query, filters=query.filters)


def largest_asked(question: str, table: TableSample) -> LargestAsked | None:
    """Return the largest or smallest rows that a question asks for; None if it asks for others."""
    found = _found(question, table)
    if found is None:
        return None
    before, behind = question[: found.start()], question[found.end() :]
    (size,) = in_english(tokens(found["size"]))
    if _is_number(behind):
        return _numbered(found["noun"], table, is_largest=size not in _SMALL)
    if _MORE.search(f"{before} {behind}"):
        return None
    column = _amount(size, table)
    shown = () if _SHOWS.search(before) else _asked_of(before, table)
    if column is None or shown is None:
        return None
    rest = " ".join(f"{found['between']} {behind}".split()).strip("?.!, ")
    count = number_word((found["count"] or "1").lower())
    query = Query(
        table.source,
        order=column.name,
        descending=size not in _SMALL,
        limit=int(_GERMAN.get(count, count)),
        columns=shown,
    )
    return LargestAsked(f"show rows {rest}" if rest else "", query)


def _found(question: str, table: TableSample) -> re.Match[str] | None:
    """Return the words for the largest rows in a question."""
    matches = (each.search(question) for each in (_WHICH, *_PHRASES))
    return next((each for each in matches if each and _names_rows(each["noun"], table)), None)


def amount_computed(question: str, table: TableSample) -> ComputedColumn | None:
    """Return the amount that the largest rows have most of, where no column holds one.

    It is what the quantity in a row costs.
    """
    found = _found(question, table)
    said = f"{question[: found.start()]} {question[found.end() :]}" if found else ""
    if found is None or _is_number(question[found.end() :]) or _MORE.search(said):
        return None
    (size,) = in_english(tokens(found["size"]))
    numbers = [column for column in table.columns.values() if column.has_numbers]
    if size in _LATE or _meant(size, numbers):
        return None
    return revenue_of(numbers)


def unsure_of_largest(
    question: str, readings: Sequence[QueryReading], table: TableSample
) -> tuple[QueryReading, ...]:
    """Return readings that are unsure where the number or a date of rows stands for their size.

    "The biggest flat" is not the one with the largest number, nor the largest number.
    """
    found = _found(question, table)
    if found is None or not readings or _is_number(question[found.end() :]):
        return tuple(readings)
    (size,) = in_english(tokens(found["size"]))
    no_size = {column.name for column in table.columns.values() if column.is_key}
    if size not in _LATE:
        no_size |= {column.name for column in table.columns.values() if column.kind == "date"}
    first = readings[0].query
    ranked = {first.order, *(m.column for m in first.measures if m.function in _ENDS)}
    is_wrong = not no_size.isdisjoint(ranked - {first.by})
    return all_less_sure(readings, UNANSWERED) if is_wrong else tuple(readings)


def with_largest(asked: LargestAsked, readings: Sequence[QueryReading]) -> tuple[QueryReading, ...]:
    """Return readings for rows with the order and number of rows that a question asks for.

    Args:
        asked: What the question asks for.
        readings: The readings of the rest of it.
    """
    if not asked.question:
        return (replace(QueryReading.of_statement(asked.query), confidence=_LIKELY),)
    changed: dict[Query, QueryReading] = {}
    for reading in readings:
        if not reading.query.by and not reading.query.measures:
            query = asked.of(reading.query)
            changed.setdefault(query, replace(reading, query=query))
    return tuple(changed.values())


def _names_rows(noun: str, table: TableSample) -> bool:
    """Return whether rows are called by a noun: by their file, or by the column of their number."""
    said = stem(noun.lower())
    columns = table.columns.values()
    if any(said in column.stems and column.has_numbers and not column.is_key for column in columns):
        return False  # it is an amount itself
    return said in table.stems or any(column.is_key and said in column.stems for column in columns)


def _is_number(behind: str) -> bool:
    """Return whether the number of a row is asked for: "the largest invoice number"."""
    return next(iter(tokens(behind)), "") in NUMBERINGS | {"numbers", "nummer"}


def _numbered(noun: str, table: TableSample, *, is_largest: bool) -> LargestAsked | None:
    """Return the largest of the numbers of rows, which a question asks for by that word."""
    said = stem(noun.lower())
    keys = [column.name for column in table.columns.values() if column.is_key]
    named = [name for name in keys if said in table[name].stems]
    if len(named) != 1:
        return None
    end = Measure("maximum" if is_largest else "minimum", named[0])
    return LargestAsked("", Query(table.source, measures=(end,)))


def _amount(size: str, table: TableSample) -> ColumnSample | None:
    """Return the only column of amounts that a size is of; None if none or several may be.

    The newest row has the latest of the only dates.
    """
    dates = [column for column in table.columns.values() if column.kind == "date"]
    if size in _LATE:
        return dates[0] if len(dates) == 1 else None
    meant = _meant(size, [column for column in table.columns.values() if column.has_numbers])
    return meant[0] if len(meant) == 1 else None


def _meant(size: str, numbers: Sequence[ColumnSample]) -> list[ColumnSample]:
    """Return the columns of amounts that a size may be of."""
    summed = [c for c in numbers if not (c.is_key or NEVER_SUMMED.search(c.name))]
    word = {"highest": "largest", "greatest": "largest", "lowest": "smallest"}.get(size, size)
    found = (
        [column for column in summed if not stems.isdisjoint(column.stems)]
        for _, stems in ADJECTIVES.get(word, ())
    )
    return next((meant for meant in found if meant), [])


def _asked_of(before: str, table: TableSample) -> tuple[str, ...] | None:
    """Return the column that is asked for of the row; None where the words before tell none."""
    subject = _SUBJECT.search(before)
    if subject is None:
        return None
    texts = [column for column in table.columns.values() if column.kind == "text"]
    if subject["who"]:
        named = [column.name for column in texts if not PERSONS.isdisjoint(column.meanings)]
    else:
        said = stem(subject["noun"].lower())
        named = [column.name for column in texts if said in column.stems]
    return (named[0],) if len(named) == 1 else None
