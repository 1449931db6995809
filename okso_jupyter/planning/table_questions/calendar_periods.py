"""Calendar periods: "per month" is each month of each year where dates are of several years.

The ranking knows the month of a date, of whatever year; its readings are made to group by the
months of the calendar here. Days are those of the calendar, and so are weeks, which the ranking
does not know.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from okso_jupyter.planning.table_questions.answers import Answers
from okso_jupyter.planning.table_questions.readings import QueryReading
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.tables.query import Part, Query

_PER_WEEK: Final = re.compile(
    r"(?i)\b(?:per|by|(?:for\s+|in\s+)?(?:each|every)|pro|je|nach)\s+(?:calendar\s+)?"
    r"(?:week|kalenderwoche|woche)\b"
)
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


def with_known_periods(question: str, columns: Collection[str]) -> str:
    """Return a question with periods as the ranking knows them: "monthly rain" is rain per month.

    A week is a day here; `of_calendar` makes it a week again.

    Args:
        question: The question.
        columns: The columns of the tables, whose names may hold such words.
    """
    found = None if _OF_KIND.search(question) else _ADJECTIVE.search(question)
    word = found["word"].lower() if found else ""
    if found and not any(word in name.lower() for name in columns):
        end = question.rstrip(" ?.!")
        rest = f"{end[: found.start()]}{end[found.end() :]}"
        question = f"{rest} per {_UNITS[word[:3]]}"
    return _PER_WEEK.sub("per day", question)


def of_calendar(
    question: str, readings: Sequence[QueryReading], table: TableSample
) -> tuple[QueryReading, ...]:
    """Return readings that group dates by the periods of the calendar, where these are meant.

    Args:
        question: The question as it was asked.
        readings: Its readings.
        table: The table.
    """
    if _OF_ALL_YEARS.search(question):
        return tuple(readings)
    is_weekly = bool(_PER_WEEK.search(question)) or _adjective_unit(question) == "week"
    answers = Answers(table)

    def grouped(query: Query) -> Query:
        if query.part == "day":
            return replace(query, part="calendar week" if is_weekly else "calendar day")
        # the wettest month of all years is asked for more often than one of them
        is_listed = query.part in _PERIODS and query.limit != 1
        if not is_listed or not _spans_years(query, table, answers):
            return query
        return replace(query, part=_PERIODS[query.part])

    return tuple(replace(each, query=grouped(each.query)) for each in readings)


def _spans_years(query: Query, table: TableSample, answers: Answers) -> bool:
    """Return whether the rows of a query have dates of several years."""
    dates = table[query.by].dates
    return len({date.year for row in answers.rows(query.filters) if (date := dates[row])}) > 1


def _adjective_unit(question: str) -> str:
    found = _ADJECTIVE.search(question)
    return _UNITS[found["word"].lower()[:3]] if found else ""
