"""Parts of months: "in the second week of June" is of the days 8 to 14.

The ranking knows a month; what says which of its days are meant is cut out of the question, and is
a condition on the day of the month beside it. A bound ("before the second week of June") is not
understood: it is left out, and told.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from okso_jupyter.planning.table_questions.confidence import UNANSWERED, less_sure
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.words import MONTHS, tokens
from okso_jupyter.tables.query import Filter

_WHICH: Final = {
    1: "first 1st erste ersten", 2: "second 2nd zweite zweiten", 3: "third 3rd dritte dritten",
    4: "fourth 4th vierte vierten", 5: "fifth 5th fünfte fünften", 0: "last letzte letzten",
}  # fmt: skip
_NUMBER: Final = {word: number for number, words in _WHICH.items() for word in words.split()}
_ORDINAL: Final = rf"(?:{'|'.join(_NUMBER)})"
_PHRASE: Final = re.compile(
    rf"(?i)\b(?:the\s+|de[rnm]\s+)?(?P<which>{_ORDINAL})\s+(?P<part>week|half|woche|hälfte)\s+"
    r"(?:of\s+|in\s+|im\s+|des\s+|vo[nm]\s+)?(?P<month>[^\W\d_]{3,})"
)
#: Before the phrase: it is a bound, or is denied, or one of two.
_OTHERWISE: Final = re.compile(
    r"(?i)\b(?:since|before|after|until|till|from|by|not|except|outside|without|and|or|to|than|"
    r"seit|vor|nach|bis|ab|nicht|außer|ohne|und|oder|als)\s+(?:(?:in|during|of|for|the|im)\s+)*$"
)
#: Behind it: another one.
_AND_ANOTHER: Final = re.compile(
    rf"(?i)^\s*(?:and|or|to|bis|und|oder|-)\s+(?:in\s+)?(?:the\s+|de[rnm]\s+)?{_ORDINAL}\b"
)
_WEEK_DAYS: Final = 7
_HALF, _LONGEST = 15, 31
#: In a leap year the last week of February has eight days.
_NO_LEAP_YEAR: Final = 2023


def in_part_of_month(
    question: str, read: Callable[[str], Sequence[QueryReading]]
) -> tuple[QueryReading, ...]:
    """Return the readings of a question about a week or half of a month; () if it is about none.

    Args:
        question: The question.
        read: Returns the readings of a question.
    """
    phrases = [*_PHRASE.finditer(question)]
    months = [MONTHS.get(in_english(tokens(each["month"]))[0]) for each in phrases]
    if not phrases or months[0] is None:
        return ()
    found, month = phrases[0], months[0]
    is_week = found["part"].lower() in {"week", "woche"}
    days = _days(_NUMBER[found["which"].lower()], month, is_week=is_week)
    before, behind = question[: found.start()], question[found.end() :]
    is_alone = len(phrases) == 1 and not _AND_ANOTHER.search(behind)
    is_within = is_alone and not _OTHERWISE.search(before)
    readings = read(f"{before}{question[found.start('month') :]}")
    return tuple(_within(each, month, days if is_within else None, found[0]) for each in readings)


def _days(number: int, month: int, *, is_week: bool) -> tuple[int, int]:
    """Return the first and the last day of a week or half of a month; of number 0 the last one."""
    end = calendar.monthrange(_NO_LEAP_YEAR, month)[1]
    if not is_week:
        return (1, _HALF) if number == 1 else (_HALF + 1, _LONGEST)
    if number == 0:
        return end - _WEEK_DAYS + 1, _LONGEST
    return (number - 1) * _WEEK_DAYS + 1, number * _WEEK_DAYS


def _within(
    reading: QueryReading, month: int, days: tuple[int, int] | None, said: str
) -> QueryReading:
    """Return a reading with a condition on the days; without days, or the month, it is left out."""
    of_month = [each for each in reading.query.filters if _is_of(each, month)]
    if days is None or len(of_month) != 1:
        return replace(less_sure(reading, UNANSWERED), left_out=said)
    day = Filter(of_month[0].column, "between", days, part="day")
    return replace(reading, query=replace(reading.query, filters=(*reading.query.filters, day)))


def _is_of(each: Filter, month: int) -> bool:
    """Return whether a condition is that dates are of one month, of any year or of one."""
    if each.part:
        return (each.part, each.comparison, each.value) == ("month", "=", month)
    if each.comparison != "between" or not isinstance(each.value, tuple):
        return False
    try:
        first, last = (date.fromisoformat(str(value)) for value in each.value)
    except ValueError:
        return False
    end = calendar.monthrange(first.year, month)[1]
    return (first.month, first.day, last) == (month, 1, first.replace(day=end))
