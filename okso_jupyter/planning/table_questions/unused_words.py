"""What a question about a table names and its query does not use: columns, values, dates, numbers.

Only what is sure is told: a false alarm teaches people not to read the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from okso_jupyter.planning.slot_filling.provenance import scalars
from okso_jupyter.planning.table_questions.table_sample import FLAGS, TableSample
from okso_jupyter.planning.table_questions.words import MONTHS, STOP, header_words, tokens
from okso_jupyter.tables.file_kinds import parts_of
from okso_jupyter.tables.query import Filter, Query

_WORD: Final = re.compile(r"[^\W_]+(?:[.,]\d+)*")
_NUMBER: Final = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_SPAN: Final = re.compile(r"(?i)\b\d+ (?:minutes?|hours?|days?|weeks?|months?|quarters?|years?)\b")
#: Most words of a value that is looked for.
_MOST_WORDS: Final = 4
_FEWEST_LETTERS: Final = 3
#: Single words of columns that a question may use in another sense.
_COMMON: Final = frozenset(
    "name count number total amount value values id key date time year month day week quarter hour "
    "type kind sum mean average max min rate share order rank status level index row rows note "
    "notes title text place first last code size unit units group score sales".split()
)
_WEEKDAYS: Final = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag "
    "freitag samstag sonntag".split()
)
_MONTH_NAMES: Final = frozenset(MONTHS) | frozenset(
    "januar februar marz mai juni juli oktober dezember".split()
)
#: Months and weekdays that are a name or another word too; they count behind one of `_OF_A_DATE`.
_AMBIGUOUS: Final = frozenset("may mai april june march marz mar sat sun dec".split())
_OF_A_DATE: Final = frozenset(
    "in for of during since until before after im seit bis vor nach fur".split()
)
_NO_VALUES: Final = STOP | _WEEKDAYS | frozenset(MONTHS) | {word for pair in FLAGS for word in pair}


def unused_words(question: str, query: Query, table: TableSample) -> tuple[str, ...]:
    """Return the columns, values and numbers that a question names and a query does not use.

    Args:
        question: The question.
        query: The query that would answer it.
        table: The beginning of the table.
    """
    file = parts_of(query.source)[0]
    text = re.sub(re.escape(file), " ", question, flags=re.IGNORECASE)
    used = _used(query)
    found = (
        *_columns(text, query, table, used),
        *_values(text, table, used),
        *_dates(text, query, table, used),
    )
    # "the last 30 days" may have become a date
    numbers = _SPAN.sub(" ", text) if query.filters else text
    return tuple(dict.fromkeys((*found, *_numbers(numbers, table, used))))


def _used(query: Query) -> frozenset[str]:
    """Return the words and numbers of a query."""
    body = query.to_json()
    return frozenset(part for text in _texts(body) for part in (*tokens(text), *header_words(text)))


def _texts(value: object) -> Iterator[str]:
    for part in scalars(value):
        yield f"{part:g}" if isinstance(part, float) else str(part)


def _columns(text: str, query: Query, table: TableSample, used: frozenset[str]) -> Iterator[str]:
    """Yield columns whose whole name is in a question; a query that shows rows uses all."""
    if not query.measures and not query.columns:
        return
    said = tokens(text)
    for name in table.columns:
        words = header_words(name)
        is_common = len(words) < 2 and not _COMMON.isdisjoint(words)  # noqa: PLR2004  one word
        if not words or is_common or not used.isdisjoint(words):
            continue
        places = range(len(said) - len(words) + 1)
        if any(said[at : at + len(words)] == words for at in places):
            yield name


def _values(text: str, table: TableSample, used: frozenset[str]) -> Iterator[str]:
    """Yield values of cells that a question writes as they are, with a capital or a digit."""
    cells = {
        cell.strip()
        for column in table.columns.values()
        if not column.has_numbers
        for cell in column.cells
    }
    words = list(_WORD.finditer(text))
    names = table.header_words | set(tokens(table.source))
    for at in range(len(words)):
        for behind in range(at + 1, min(at + _MOST_WORDS, len(words)) + 1):
            said = text[words[at].start() : words[behind - 1].end()]
            parts = tokens(said)
            # part of it may be what the query uses
            if said in cells and _is_telling(said, parts) and (names | used).isdisjoint(parts):
                yield said


def _dates(text: str, query: Query, table: TableSample, used: frozenset[str]) -> Iterator[str]:
    """Yield the months and weekdays that a question names, if its query asks for no date."""
    if query.part or any(each.part or _holds_date(each, table) for each in query.filters):
        return
    before = ""
    for word in _WORD.finditer(text):
        (name, *_) = tokens(word[0]) or ("",)
        singular = name.removesuffix("s")
        is_named = name in _MONTH_NAMES or not _WEEKDAYS.isdisjoint({name, singular})
        is_sure = word[0][0].isupper() and (name not in _AMBIGUOUS or before in _OF_A_DATE)
        if is_named and is_sure and used.isdisjoint({name, singular}):
            yield word[0]
        before = name


def _holds_date(condition: Filter, table: TableSample) -> bool:
    """Return whether a condition is on a column of dates."""
    column = table.columns.get(condition.column)
    return column is not None and column.kind == "date"


def _is_telling(said: str, parts: tuple[str, ...]) -> bool:
    is_name = said[0].isupper() or said[-1].isdigit()
    is_long = sum(map(str.isalpha, said)) >= _FEWEST_LETTERS
    return is_name and is_long and _NO_VALUES.isdisjoint(parts)


def _numbers(text: str, table: TableSample, used: frozenset[str]) -> Iterator[str]:
    """Yield the numbers that stand alone and are part of nothing that the query uses."""
    known = {float(word) for word in used if _NUMBER.fullmatch(word)}
    named = {word for word in (*table.header_words, *tokens(table.source)) if word.isdigit()}
    for word in _WORD.finditer(text):
        if not _NUMBER.fullmatch(word[0]):
            continue
        plain = word[0].replace(",", "")
        if float(plain) not in known and plain not in named:
            yield word[0]
