"""Stated order: the column that rows are to be sorted by, and which end of it comes first.

"Sorted by price" names the column, and "fastest first" the end of a column that the word means:
of a time the smallest.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from okso_jupyter.planning.request.wording import columns_named
from okso_jupyter.planning.table_questions.adjectives import end_of, meaning_of, means, measured
from okso_jupyter.planning.table_questions.beside_asked import naming_column
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.stated_ends import COUNTED
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import (
    header_stems,
    number_word,
    stem,
    tokens,
    without_rates,
)
from okso_jupyter.tables.query import Filter, Query

#: "Was ordered by Ada" says who did it, and "which were ordered by" asks so.
_SORTED_BY: Final = re.compile(
    r"\b(?:sort(?:ed)?|order|(?<!was )(?<!were )(?<!been )ordered)\b.*?\b(?:by|of) "
    r"(?:the |their |its )?(?P<named>.*)"
)
#: "In alphabetical order" is by what the rows are called.
_ALPHABETICAL: Final = re.compile(r"\balphabet(?:ic(?:al)?(?:ly)?|isch\w*)\b")
#: Not asked of the order, but of what stands beside a name in it.
_BESIDE: Final = re.compile(rf"{_ALPHABETICAL.pattern} (?:before|after|between)\b")
_ASKS: Final = re.compile(r"^(?:how|who|what|which)\b.*\border(?:ed)?\b")
_END: Final = r"(?:\w{2,}est|most|least|best|worst)"
#: Which rows come first: "longest first", "from newest to oldest", "starting with the cheapest".
_LEADING: Final = re.compile(
    rf"\b(?P<end>{_END})(?: (?P<noun>\w+))? (?:first|(?:at the |on )top)\b|"
    rf"\bfrom (?:the )?(?P<upper>{_END}) to (?:the )?{_END}\b|"
    rf"\bstart\w* with (?:the )?(?P<start>{_END})\b"
)
_DESCENDING: Final = re.compile(
    r"\b(?:desc\w*|decreas\w*|revers\w*|backwards|absteigend\w*|ruckwarts|umgekehrt\w*)\b"
)
#: What is fewer than all rows, or computed of them: "sort the three largest by name".
_FEWER: Final = re.compile(rf"\b(?:{_END}|\d+|two|three|four|five|six|ten|numbers?|top)\b")
#: "Sort the customers by": of what is computed "by" says something else.
_SORTING: Final = re.compile(r"^(?:please )?(?:sort|order)\b(?P<rows>.*?)\bby\b")
_SORTED_LAST: Final = re.compile(
    r"\b(?P<rows>\w+)(?: (?:from|in|of) \w+)?(?P<by> by (?:the )?\w+(?: \w+end)?) sorted\b"
)
_SORTS_ROWS: Final = re.compile(
    r"^(?:sort|order)\b.*?\bby\b(?!.*\b(?:number|count|frequency|total|sum|average|mean|median|"
    r"most)\b)"
)
#: What asks for numbers or groups, whose order is another matter.
_COMPUTES: Final = re.compile(
    r"\b(?:numbers? of|count|many|much|per|each|every|mean|average|median|totals?|sum|most common|"
    r"frequent|frequency|top|bottom|(?<!sorted )(?<!sort )(?<!ordered )(?<!order )by)\b"
)
#: Of these the groups are in that order, and no rows: "orders per country, most first".
_OF_GROUPS: Final = re.compile(r"\b(?:per|each|every)\b")
_LIMIT: Final = re.compile(
    r"^(?:show|list|give me) (?:me )?(?:the )?(\d\d?|two|three|four|five|six|ten) [a-z]+s\b"
)
_TIMES: Final = frozenset("newest latest oldest earliest soonest".split())
_OF_ANYTHING: Final = frozenset(
    "most least highest lowest largest smallest biggest greatest best worst".split()
)
_UP: Final = frozenset("least lowest fewest smallest worst oldest earliest soonest".split())


def in_order(
    question: str, readings: Sequence[QueryReading], table: TableSample
) -> list[QueryReading]:
    """Return the readings that sort as a question says; all of them where it does not say it.

    The enumeration sorts by numbers and dates alone; rows to show are sorted by any column.

    Args:
        question: The question.
        readings: Its readings, best first.
        table: The table.
    """
    asked = _sorted_first(" ".join(in_english(tokens(question))), table)
    if _ALPHABETICAL.search(asked) and not _SORTED_BY.search(asked):
        return _alphabetical(asked, readings, table)
    order = _order(question, asked, table)
    if order is None or not readings:
        # by something that no column is called
        return [] if _SORTS_ROWS.match(asked) else list(readings)
    if _OF_GROUPS.search(" ".join(in_english(tokens(without_rates(question, table.columns))))):
        return list(readings)
    counted = COUNTED.search(asked) is not None
    kept = [
        reading
        for reading in readings
        if (reading.query.order, reading.query.descending, reading.query.measures) == (*order, ())
        and (counted or not (reading.query.limit or reading.query.columns))
    ]
    rest = asked if _FEWER.search(asked) else _SORTING.sub(r"\g<rows>", asked)
    if (kept and not _LIMIT.search(asked)) or _COMPUTES.search(rest):
        return kept or list(readings)
    column, descending = order
    stated = _LIMIT.search(asked)
    limit = int(number_word(stated[1])) if stated else 0
    # a number of rows is no value
    filters = tuple(each for each in likeliest_filters(readings) if each.value != (limit or None))
    query = Query(table.source, filters=filters, order=column, descending=descending, limit=limit)
    return [replace(readings[0], query=query)]


def _alphabetical(
    asked: str, readings: Sequence[QueryReading], table: TableSample
) -> list[QueryReading]:
    """Return the readings that show rows of one table in alphabetical order of what they show."""
    if _BESIDE.search(asked):
        return []
    name, descending = naming_column(table), _DESCENDING.search(asked) is not None
    found = []
    for reading in readings:
        query = reading.query
        # those at one end of a column have another order
        is_of_rows = not (query.measures or query.joins or (query.order and query.limit))
        if is_of_rows and not table.made_of.joins:
            query = _rows_listed(asked, query, table, name)
            by = query.columns[0] if query.columns else name
            query = replace(query, order=by, descending=descending)
        found.append(replace(reading, query=query))
    return found


def _rows_listed(asked: str, query: Query, table: TableSample, name: str) -> Query:
    """Return a query for what a question lists: the rows, or the values of a column that it names.

    "List the customers" is of the rows of customers.csv, and "list the cities" of their column.
    """
    said = {*map(stem, tokens(asked))}
    is_named = any(
        column == name or not said.isdisjoint(header_stems(column)) for column in query.columns
    )
    if not said.isdisjoint(table.stems) and not is_named:
        query = replace(query, columns=(), distinct=False)
    return query if _FEWER.search(asked) else replace(query, limit=0)


def _sorted_first(asked: str, table: TableSample) -> str:
    """Return a question that ends in "by city sorted", as a German one does, with "sorted" first.

    Only of the rows themselves: "Umsatz nach Stadt sortiert" is of each city.
    """
    found = _SORTED_LAST.search(asked)
    if found is None or _FEWER.search(asked) or stem(found["rows"]) not in table.stems:
        return asked
    return f"{asked[: found.start('by')]} sorted{found['by']}{asked[found.end() :]}"


def says_order(asked: str) -> bool:
    """Return whether a question says which rows come first, as "longest first" does."""
    return _LEADING.search(asked) is not None


def likeliest_filters(readings: Sequence[QueryReading]) -> tuple[Filter, ...]:
    """Return the filters of which the readings are most probable together."""
    shares: defaultdict[tuple[Filter, ...], float] = defaultdict(float)
    for reading in readings:
        shares[reading.query.filters] += reading.probability
    return max(shares, key=lambda filters: shares[filters])


def _order(question: str, asked: str, table: TableSample) -> tuple[str, bool] | None:
    """Return the column that is sorted by, and whether its largest value comes first."""
    leading, named = _LEADING.search(asked), _named(asked, table)
    if leading is None:
        return (named.name, _DESCENDING.search(asked) is not None) if named else None
    word = leading["end"] or leading["upper"] or leading["start"]
    column = named or meant(word, leading["noun"] or "", question, table)
    return (column.name, is_down(word, column)) if column else None


def _named(asked: str, table: TableSample) -> ColumnSample | None:
    """Return the column that a question says to sort by: its name, or what it measures."""
    found = _SORTED_BY.search(asked)
    if found is None or _ASKS.search(asked):
        return None
    columns = [*table.columns.values()]
    # the word itself comes first: the first word of a text is never a column
    whole = columns_named(f"by {found['named']}", [*table.columns])
    if whole:
        return table[whole[0]]
    word = next(iter(found["named"].split()), "")
    begun = [column for column in columns if stem(word) in column.stems]
    measuring = measured([word]).get(0, frozenset())
    return next(iter((*begun, *(column for column in columns if means(measuring, column)))), None)


def meant(word: str, noun: str, question: str, table: TableSample) -> ColumnSample | None:
    """Return the column that an end is of: that of its noun, that it means, or that is named."""
    columns = [*table.columns.values()]
    ordered = [column for column in columns if column.has_numbers or column.kind == "date"]
    called = [column for column in ordered if noun and stem(noun) in column.stems]
    meaning = meaning_of(word, columns)
    meant_by = [column for column in columns if meaning and means(meaning[1], column)]
    # the fastest race is of no race_day, but the largest amount of the amount
    found = [*called, *meant_by] if word in _OF_ANYTHING else [*meant_by, *called]
    if word in _TIMES:
        found += [column for column in ordered if column.kind == "date" or column.is_year]
    said = {stem(own) for own in tokens(question)}
    found += [c for c in ordered if not (c.is_key or said.isdisjoint(header_stems(c.name)))]
    return next(iter(found), None)


def is_down(word: str, column: ColumnSample) -> bool:
    """Return whether the largest value of a column comes first."""
    is_time = column.kind == "date" or column.is_year
    end = end_of(word, column.meanings, is_time=is_time)
    return word not in _UP if end is None else end
