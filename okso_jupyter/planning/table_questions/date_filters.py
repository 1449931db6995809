"""Date filters: comparisons of the dates of a column, of their parts, and of times of day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from okso_jupyter.planning.table_questions.clock_times import clock_filters
from okso_jupyter.planning.table_questions.found_filters import FoundFilter
from okso_jupyter.planning.table_questions.number_filters import ORDERED
from okso_jupyter.planning.table_questions.periods import period_filters
from okso_jupyter.planning.table_questions.spoken_parts import SpokenPart, spoken_parts
from okso_jupyter.planning.table_questions.table_sample import ColumnSample
from okso_jupyter.planning.table_questions.words import QuestionWords
from okso_jupyter.tables.query import Comparison, Filter, Part

#: What stands before a year that is meant itself, and before one that others are compared with.
_OF_YEAR: Final = frozenset("in of during for month quarter".split())
_BESIDE_YEAR: Final = frozenset(
    "before after since until till from through than vor nach seit ab bis later earlier".split()
)
#: Words before a year that may compare it: "before the end of 2023".
_COMPARED_WITHIN: Final = 5
_FIRST_YEAR, _LAST_YEAR = 1000, 2200
#: Years before or after all of a column that may be asked for.
_FAR_YEARS: Final = 100
_PAIR: Final = 2
#: What compares two times, or joins them.
_COMPARING: Final = frozenset("than vs versus compare compared or difference against".split())
_BETWEEN: Final = frozenset("between zwischen".split())


def date_filters(question: QuestionWords, column: ColumnSample) -> Iterator[FoundFilter]:
    """Yield comparisons of the dates of a column, or of their year or month."""
    if column.kind != "date":
        return
    taken: set[int] = set()
    latest = max((date for date in column.dates if date is not None), default=None)
    known = _years_of_months(column)
    for found, own in period_filters(
        question, column.name, known, latest, with_times=column.has_times
    ):
        yield FoundFilter(found, own, "date")
        taken |= own
    spoken = [*spoken_parts(question)]
    yield from _of_two_parts(question, column, spoken, taken)
    yield from _of_years(question, column, taken)
    for each in spoken:
        if taken.isdisjoint(each.places):
            part = Filter(column.name, "=", each.value, each.part)
            yield FoundFilter(part, each.places, "date")


def _of_years(
    question: QuestionWords, column: ColumnSample, taken: set[int]
) -> Iterator[FoundFilter]:
    """Yield comparisons of the years of a column with those in the question."""
    years = {date.year for date in column.dates if date is not None}
    for place, number in question.numbers.items():
        if place in taken or number != int(number) or not _FIRST_YEAR <= number <= _LAST_YEAR:
            continue
        year, places = int(number), frozenset({place})
        if not years or not min(years) - _FAR_YEARS <= year <= max(years) + _FAR_YEARS:
            continue  # "over 1,000" of an amount is no year
        is_that_year = _is_that_year(question, place)
        if year in years or is_that_year:
            yield FoundFilter(Filter(column.name, "=", year, "year"), places, "date")
        if is_that_year:
            continue
        for comparison in ORDERED:
            yield FoundFilter(Filter(column.name, comparison, year, "year"), places, "number")


def _is_that_year(question: QuestionWords, place: int) -> bool:
    """Return whether a year is no end of several: "in 2023", "which month of 2023"."""
    before = [word for word in question.english[:place] if word not in {"the", "year"}]
    is_led = bool(before) and before[-1] in _OF_YEAR
    return is_led and _BESIDE_YEAR.isdisjoint(before[-_COMPARED_WITHIN:])


def _of_two_parts(
    question: QuestionWords, column: ColumnSample, spoken: Sequence[SpokenPart], taken: set[int]
) -> Iterator[FoundFilter]:
    """Yield the filter of two years, quarters, months or weekdays that are compared.

    "In 2024 than in 2023", "March or April", "Q1 vs Q2"; "between March and June" is a range.

    Args:
        question: The question.
        column: A column of dates.
        spoken: The quarters, months and weekdays that the question names.
        taken: The places of words that name days: "between 1 March and 3 June" is of no months.
    """
    is_range = not _BETWEEN.isdisjoint(question.raw) and _COMPARING.isdisjoint(question.english)
    if _COMPARING.isdisjoint(question.english) and not is_range:
        return
    years = {date.year for date in column.dates if date is not None}
    said = [
        SpokenPart("year", int(number), frozenset({place}))
        for place, number in question.numbers.items()
        if number in years
    ]
    for part, found in groupby((*said, *spoken), key=lambda each: each.part):
        two = [*found]
        places = frozenset().union(*(each.places for each in two))
        if len({each.value for each in two}) == _PAIR and not (is_range and places & taken):
            values = tuple(dict.fromkeys(each.value for each in two))
            kind: Comparison = "between" if is_range else "in"
            yield FoundFilter(Filter(column.name, kind, values, part), places, "date")


def _years_of_months(column: ColumnSample) -> dict[int, int]:
    """Return the year of each month, if a column has dates of that month in only one year."""
    found = {(date.month, date.year) for date in column.dates if date is not None}
    months = Counter(month for month, _ in found)
    return {month: year for month, year in found if months[month] == 1}


def time_filters(question: QuestionWords, column: ColumnSample) -> Iterator[FoundFilter]:
    """Yield comparisons of a column of times of day, or of dates that have some."""
    if column.clock_length or column.has_times:
        part: Part = "" if column.clock_length else "time"
        for found, own in clock_filters(question, column.name, column.clock_length, part):
            yield FoundFilter(found, own, "date")
