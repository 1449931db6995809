"""Clock times: the times of day that a question names, such as "after 6 pm"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from okso_jupyter.planning.table_questions.words import QuestionWords
from okso_jupyter.tables.cells import in_order, is_missing
from okso_jupyter.tables.query import Comparison, Filter

#: Cells that are in the order of their times: of one length, and with two digits for the hour.
_CELL: Final = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d(?P<seconds>:[0-5]\d)?")
_HOUR: Final = re.compile(r"\d\d?")
_MINUTE: Final = re.compile(r"[0-5]\d")
_POINTED: Final = re.compile(r"(?P<hour>\d\d?)\.(?P<minute>[0-5]\d)")
_NAMED: Final = {"noon": 12, "midday": 12, "mittag": 12, "midnight": 0, "mitternacht": 0}
_HALVES: Final = {"am": 0, "pm": 12}
_BEHIND: Final = frozenset({*_HALVES, "uhr", "clock"})
#: How times compare with one -> words before it.
_LED: Final[dict[Comparison, frozenset[str]]] = {
    ">": frozenset("after later past nach than".split()),
    ">=": frozenset("since from starting seit ab".split()),
    "<": frozenset("before earlier vor".split()),
    "<=": frozenset("until till by through bis".split()),
}
_SPANNED: Final = frozenset("between zwischen from von".split())
_JOINED: Final = frozenset("and to und bis until till".split())
_HOURS_OF_DAY: Final = 24
_NOON: Final = 12
_SHORT, _LONG = len("06:30"), len("06:30:00")


@dataclass(frozen=True, slots=True)
class ClockTime:
    """A time of day that a question names.

    Attributes:
        places: The places of the question's words for it.
        text: It as "18:00".
    """

    places: range
    text: str


def clock_length(cells: Sequence[str]) -> int:
    """Return the length of each cell of a column of times, "06:30" or "06:30:00"; 0 for another."""
    lengths = {
        len(cell) if _CELL.fullmatch(cell) else 0
        for cell in map(str.strip, cells)
        if not is_missing(cell)
    }
    return lengths.pop() if len(lengths) == 1 else 0


def is_time_of_day(text: str) -> bool:
    """Return whether a text is a time such as "6:30" or "06:30:00"."""
    return _CELL.fullmatch(in_order(text.strip())) is not None


def seconds_of_day(text: str) -> float:
    """Return the seconds since midnight of a time such as "06:30" or "06:30:00"."""
    hours, minutes, *seconds = map(int, text.strip().split(":"))
    return float(hours * 3600 + minutes * 60 + sum(seconds))


def clock_times(question: QuestionWords) -> list[ClockTime]:
    """Return the times of day that a question names, in their order."""
    found: list[ClockTime] = []
    for place in range(len(question.raw)):
        if not (found and place in found[-1].places) and (time := _time_at(question, place)):
            found.append(time)
    return found


def clock_filters(
    question: QuestionWords, column: str, length: int
) -> Iterator[tuple[Filter, frozenset[int]]]:
    """Yield what a question says of the times in a column, with the places of its words.

    Args:
        question: The question.
        column: Name of the column.
        length: The length of its cells.
    """
    found = clock_times(question)
    for a, b in pairwise(found):
        between = set(question.raw[a.places.stop : b.places.start])
        led = set(question.raw[max(0, a.places.start - 1) : a.places.start])
        if not between.isdisjoint(_JOINED) and not led.isdisjoint(_SPANNED):
            ends = (_padded(a.text, length), _padded(b.text, length))
            yield Filter(column, "between", ends), frozenset(range(a.places.start, b.places.stop))
            return
    for time in found:
        first = max(0, time.places.start - 1)
        led_by = question.raw[first]
        comparison = next((sign for sign, words in _LED.items() if led_by in words), None)
        places = range(first if comparison else time.places.start, time.places.stop)
        yield Filter(column, comparison or "=", _padded(time.text, length)), frozenset(places)


def _padded(text: str, length: int) -> str:
    return f"{text}:00" if length == _LONG else text


def _time_at(question: QuestionWords, place: int) -> ClockTime | None:
    """Return the time that is written from a place on; None if there is none."""
    words = [*question.raw[place : place + 3], "", ""]
    if words[0] in _NAMED:
        return ClockTime(range(place, place + 1), f"{_NAMED[words[0]]:02}:00")
    pointed = _POINTED.fullmatch(words[0])
    hour, minute, count = words[0], "00", 1
    if pointed:
        hour, minute = pointed["hour"], pointed["minute"]
    elif _MINUTE.fullmatch(words[1]) and f"{hour}:{words[1]}" in question.text:
        minute, count = words[1], 2
    behind = words[count]
    is_told = behind in _BEHIND
    if not _HOUR.fullmatch(hour) or not (is_told or count > 1):
        return None
    is_half = behind in _HALVES
    own = int(hour) % _NOON + _HALVES[behind] if is_half else int(hour)
    if own >= _HOURS_OF_DAY or (is_half and int(hour) > _NOON):
        return None
    return ClockTime(range(place, place + count + is_told), f"{own:02}:{minute}")
