"""Calendar periods: "per month" is each month of each year where dates are of several years.

Where the dates are months themselves, it is each of these, and they are compared with months.

The ranking knows the month of a date, of whatever year; its readings are made to group by the
months of the calendar here. Days are those of the calendar, and so are weeks, which the ranking
does not know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Final

from okso_jupyter.planning.table_questions.answers import Answers
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.tables.query import Filter, Measure, Part, Query

_PER_WEEK: Final = re.compile(
    r"(?i)\b(?:per|by|(?:for\s+|in\s+)?(?:each|every)|pro|je|nach)\s+(?:calendar\s+)?"
    r"(?:week|kalenderwoche|woche)\b"
)
#: In the name of a column whose cells are weeks.
_WEEK: Final = re.compile(r"(?i)week|woche")
_ADJECTIVE: Final = re.compile(
    r"(?i)\b(?P<word>daily|weekly|monthly|quarterly|yearly|annual|tägliche\w*|wöchentliche\w*|"
    r"monatliche\w*|jährliche\w*)\s+(?=\w)"
)
_UNITS: Final = {
    "dai": "day", "wee": "week", "mon": "month", "qua": "quarter", "yea": "year", "ann": "year",
    "täg": "day", "wöc": "week", "jäh": "year",
}  # fmt: skip
#: "How much in yearly fees" is of what the fees are called, and asks for no sum of each year.
_OF_KIND: Final = re.compile(r"(?i)^\s*how\s+much\s+in\b")
#: What asks for the same months of all years together.
_OF_ALL_YEARS: Final = re.compile(
    r"(?i)\b(?:of\s+(?:the|a|any)\s+(?:year|month)|of\s+(?:the\s+)?month|all\s+years|season\w*|"
    r"typical\w*|regardless|des\s+(?:jahres|monats))\b"
)
_PERIODS: Final[dict[Part, Part]] = {
    "quarter": "calendar quarter", "month": "calendar month", "day": "calendar day",
}  # fmt: skip
#: Parts of a month that are that month.
_OF_MONTHS: Final[frozenset[Part]] = frozenset({"month", "day"})
#: Functions that give one value itself.
_OF_ONE: Final = frozenset({"sum", "mean", "median", "minimum", "maximum"})
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")


def with_known_periods(question: str, columns: Callable[[], Collection[str]]) -> str:
    """Return a question with periods as the ranking knows them: "monthly rain" is rain per month.

    A week is a day here; `of_calendar` makes it a week again.

    Args:
        question: The question.
        columns: Returns the columns of the tables, whose names may hold such words; read only where
            a period is said.
    """
    found = None if _OF_KIND.search(question) else _ADJECTIVE.search(question)
    word = found["word"].lower() if found else ""
    if found and not any(word in name.lower() for name in columns()):
        end = question.rstrip(" ?.!")
        rest = f"{end[: found.start()]}{end[found.end() :]}"
        question = f"{rest} per {_UNITS[word[:3]]}"
    if not _PER_WEEK.search(question) or any(_WEEK.search(name) for name in columns()):
        return question
    return _PER_WEEK.sub("per day", question)


def of_calendar(
    question: str, readings: Sequence[QueryReading], table: TableSample
) -> tuple[QueryReading, ...]:
    """Return readings that group dates by the periods of the calendar, where these are meant.

    Of those that are the same then, the first one is left.

    Args:
        question: The question as it was asked.
        readings: Its readings.
        table: The table.
    """
    readings = [replace(each, query=_of_months(each.query, table)) for each in readings]
    if _OF_ALL_YEARS.search(question):
        return tuple(readings)
    is_weekly = bool(_PER_WEEK.search(question)) or _adjective_unit(question) == "week"
    answers = Answers(table)

    def grouped(query: Query) -> Query:
        if query.part in _OF_MONTHS and table[query.by].is_of_months:
            return _of_rows(replace(query, part=""), table)
        if query.part == "day":
            return replace(query, part="calendar week" if is_weekly else "calendar day")
        # the wettest month of all years is asked for more often than one of them
        is_listed = query.part in _PERIODS and query.limit != 1
        if not is_listed or not _spans_years(query, table, answers):
            return query
        return replace(query, part=_PERIODS[query.part])

    found: dict[Query, QueryReading] = {}
    for each in readings:
        query = grouped(each.query)
        found.setdefault(query, replace(each, query=query))
    counted = [each for query, each in found.items() if not _counts_single_rows(query, table)]
    return tuple(counted or found.values())


def _of_rows(query: Query, table: TableSample) -> Query:
    """Return the query for the row with the most where each group of a query is one row."""
    [measure, *others] = query.measures
    is_row = table[query.by].names_rows and not others and measure.function in _OF_ONE
    if is_row and query.limit == 1 and query.columns == (query.by,):
        return replace(query, by="", measures=(), order=measure.column)
    return query


def _counts_single_rows(query: Query, table: TableSample) -> bool:
    """Return whether a query counts the rows of months that have one each."""
    is_count = bool(query.by) and not query.part and query.measures == (Measure("count"),)
    return is_count and table[query.by].is_of_months and table[query.by].names_rows


def _of_months(query: Query, table: TableSample) -> Query:
    """Return a query that compares columns of months with months, and not with their days."""
    return replace(query, filters=tuple(_with_months(each, table) for each in query.filters))


def _with_months(each: Filter, table: TableSample) -> Filter:
    days = each.value if isinstance(each.value, tuple) else (each.value,)
    is_day = all(isinstance(day, str) and _DAY.fullmatch(day) for day in days)
    if each.part or not is_day or not table[each.column].is_of_months:
        return each
    months = tuple(str(day)[: len("2026-03")] for day in days)
    if each.comparison != "between":
        return replace(each, value=months[0])
    is_one = len(set(months)) == 1
    return replace(each, comparison="=", value=months[0]) if is_one else replace(each, value=months)


def _spans_years(query: Query, table: TableSample, answers: Answers) -> bool:
    """Return whether the rows of a query have dates of several years."""
    dates = table[query.by].dates
    return len({date.year for row in answers.rows(query.filters) if (date := dates[row])}) > 1


def _adjective_unit(question: str) -> str:
    found = _ADJECTIVE.search(question)
    return _UNITS[found["word"].lower()[:3]] if found else ""
