"""Parts of months: "in the second week of June" is of the days 8 to 14.

The ranking knows a month; what says which of its days are meant is cut out of the question, and is
a condition on the day of the month beside it.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from okso_jupyter.planning.table_questions.confidence import UNANSWERED, less_sure
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.readings import QueryReading
from okso_jupyter.planning.table_questions.words import MONTHS, tokens
from okso_jupyter.tables.query import Filter

_WHICH: Final = {
    1: "first 1st erste ersten", 2: "second 2nd zweite zweiten",
    3: "third 3rd dritte dritten", 4: "fourth 4th vierte vierten", 0: "last letzte letzten",
}  # fmt: skip
_NUMBER: Final = {word: number for number, words in _WHICH.items() for word in words.split()}
_PHRASE: Final = re.compile(
    rf"(?i)\b(?:the\s+|de[rnm]\s+)?(?P<which>{'|'.join(_NUMBER)})\s+"
    r"(?P<part>week|half|woche|hälfte)\s+"
    r"(?:of\s+|in\s+|im\s+|des\s+|vo[nm]\s+)?(?P<month>[^\W\d_]{3,})"
)
_WEEK_DAYS: Final = 7
_HALF, _LONGEST = 15, 31
#: In a leap year the last week of February has eight days.
_NO_LEAP_YEAR: Final = 2023
#: Where a date has its month: 2026-06-01.
_MONTH: Final = slice(4, 7)


def in_part_of_month(
    question: str, read: Callable[[str], Sequence[QueryReading]]
) -> tuple[QueryReading, ...]:
    """Return the readings of a question about a week or half of a month; () if it is about none.

    Args:
        question: The question.
        read: Returns the readings of a question.
    """
    found = _PHRASE.search(question)
    month = MONTHS.get(in_english(tokens(found["month"]))[0]) if found else None
    if found is None or month is None:
        return ()
    part = found["part"].lower()
    days = _days(_NUMBER[found["which"].lower()], month, is_week=part in {"week", "woche"})
    rest = f"{question[: found.start()]}{question[found.start('month') :]}"
    return tuple(_within(reading, month, days, found[0]) for reading in read(rest))


def _days(number: int, month: int, *, is_week: bool) -> tuple[int, int]:
    """Return the first and the last day of a week or half of a month; of number 0 the last one."""
    end = calendar.monthrange(_NO_LEAP_YEAR, month)[1]
    if not is_week:
        return (1, _HALF) if number == 1 else (_HALF + 1, _LONGEST)
    if number == 0:
        return end - _WEEK_DAYS + 1, _LONGEST
    return (number - 1) * _WEEK_DAYS + 1, number * _WEEK_DAYS


def _within(reading: QueryReading, month: int, days: tuple[int, int], said: str) -> QueryReading:
    """Return a reading with a condition on the day; less sure where the month is none of it."""
    of_month = [each for each in reading.query.filters if _is_in(each, month)]
    if not of_month:
        return replace(less_sure(reading, UNANSWERED), left_out=said)
    day = Filter(of_month[0].column, "between", days, part="day")
    return replace(reading, query=replace(reading.query, filters=(*reading.query.filters, day)))


def _is_in(each: Filter, month: int) -> bool:
    """Return whether a condition is on dates of one month, of any year or of one."""
    if each.part == "month":
        return (each.comparison, each.value) == ("=", month)
    values = each.value if isinstance(each.value, tuple) else (each.value,)
    return all(f"-{month:02}" == str(value)[_MONTH] for value in values) and not each.part
