"""Clock times: the times of day that a question names, such as "after 6 pm"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from okso_jupyter.planning.table_questions.words import QuestionWords
from okso_jupyter.tables.cells import is_missing
from okso_jupyter.tables.query import OPPOSITES, Comparison, Filter, Part

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
_AT: Final = frozenset("at um gegen".split())
#: What stands behind a time: "18:00 or later".
_BEHIND_TIME: Final[dict[tuple[str, ...], Comparison]] = {
    **dict.fromkeys((("or", "later"), ("or", "after"), ("oder", "spater")), ">="),
    **dict.fromkeys((("or", "earlier"), ("or", "before"), ("oder", "fruher")), "<="),
}
_EARLIER: Final = {("earlier",), ("sooner",), ("before",)}
_DENIED: Final = frozenset("not no didn didnt wasn wasnt weren werent don dont".split())
#: A "not" is so far from what it denies: "not placed after".
_NEAR: Final = 3
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
        is_told: Whether a word says that it is a time: "6 pm", "18 Uhr", "noon", and no score.
    """

    places: range
    text: str
    is_told: bool = True


def clock_length(cells: Sequence[str]) -> int:
    """Return the length of each cell of a column of times, "06:30" or "06:30:00"; 0 for another."""
    lengths = {
        len(cell) if _CELL.fullmatch(cell) else 0
        for cell in map(str.strip, cells)
        if not is_missing(cell)
    }
    return lengths.pop() if len(lengths) == 1 else 0


def seconds_of_day(text: str) -> float:
    """Return the seconds since midnight of a time such as "06:30" or "06:30:00"."""
    hours, minutes, *seconds = map(int, text.strip().split(":"))
    return float(hours * 3600 + minutes * 60 + sum(seconds))


def clock_times(question: QuestionWords) -> list[ClockTime]:
    """Return the times of day that a question names, in their order."""
    found: list[ClockTime] = []
    for place in range(len(question.raw)):
        if found and place in found[-1].places:
            continue
        time = time_at(question, place)
        if time:
            found += [*_first_of_span(question, time), time]
    return found


def _first_of_span(question: QuestionWords, last: ClockTime) -> Iterator[ClockTime]:
    """Yield the time that a span begins with and whose hour alone is said: "between 6 and 8 pm"."""
    place = last.places.start - 2
    words = question.raw[max(0, place - 1) : last.places.start]
    if place < 1 or words[0] not in _SPANNED or words[2] not in _JOINED:
        return
    if not _HOUR.fullmatch(words[1]) or int(words[1]) >= _HOURS_OF_DAY or not last.is_told:
        return
    hour, end = int(words[1]), int(last.text[:2])
    # "from 11 to 2 pm" begins before noon
    is_afternoon = end > _NOON and hour < _NOON and hour + _NOON < end
    yield ClockTime(range(place, place + 1), f"{hour + _NOON * is_afternoon:02}:00")


def clock_filters(
    question: QuestionWords, column: str, length: int, part: Part = ""
) -> Iterator[tuple[Filter, frozenset[int]]]:
    """Yield what a question says of the times in a column, with the places of its words.

    Args:
        question: The question.
        column: Name of the column.
        length: The length of its cells.
        part: "time" for a column of dates with times, where a bare "21:18" may be something else.
    """
    found = clock_times(question)
    for a, b in _spans(question, found):
        if a.text <= b.text and not _denied_at(question, a.places.start - 1):
            ends = (_padded(a.text, length), _padded(b.text, length))
            places = range(a.places.start, b.places.stop)
            yield Filter(column, "between", ends, part), frozenset(places)
        return
    for time in found:
        comparison, places = _comparison(question, time)
        if part and comparison in {"=", "!="} and not (time.is_told or places != time.places):
            continue
        yield Filter(column, comparison, _padded(time.text, length), part), frozenset(places)


def no_span(question: QuestionWords) -> str:
    """Return the words for times that are no span of a day; "" if there are none.

    "Between 22:00 and 6:00" is over midnight, and "not between 9 am and 5 pm" before and after.
    """
    for a, b in _spans(question, clock_times(question)):
        denied = _denied_at(question, a.places.start - 1)
        if a.text > b.text or denied:
            led = question.raw[denied or a.places.start - 1 : a.places.start]
            joining = question.raw[a.places.stop : b.places.start]
            return " ".join((*led, a.text, *joining, b.text))
    return ""


def clock_places(question: QuestionWords) -> set[int]:
    """Return the places of the words for times of day, with those that say how they compare."""
    return {place for time in clock_times(question) for place in _comparison(question, time)[1]}


def _spans(
    question: QuestionWords, found: Sequence[ClockTime]
) -> Iterator[tuple[ClockTime, ClockTime]]:
    """Yield the times that are two ends of a span: "between 8:00 and noon"."""
    for a, b in pairwise(found):
        between = set(question.raw[a.places.stop : b.places.start])
        led = set(question.raw[max(0, a.places.start - 1) : a.places.start])
        if not between.isdisjoint(_JOINED) and not led.isdisjoint(_SPANNED):
            yield a, b


def _comparison(question: QuestionWords, time: ClockTime) -> tuple[Comparison, range]:
    """Return how times compare with one, and the places of the words that say so."""
    place = time.places.start - 1
    led = question.raw[place] if place >= 0 else ""
    said = question.english[max(0, place - 1) : place]
    behind = _BEHIND_TIME.get(question.raw[time.places.stop : time.places.stop + 2])
    comparison: Comparison = next((sign for sign, words in _LED.items() if led in words), "=")
    first = place if comparison != "=" or led in _AT else time.places.start
    if comparison == "=" and behind:
        return behind, range(first, time.places.stop + 2)
    if led == "than" and said in _EARLIER:
        comparison, first = "<", place - 1
    elif led == "to" and said == ("up",):
        comparison, first = "<=", place - 1
    denied = _denied_at(question, first)
    if denied:
        comparison, first = OPPOSITES[comparison], denied
    return comparison, range(first, time.places.stop)


def _denied_at(question: QuestionWords, place: int) -> int:
    """Return the place of a "not" right before a place, or before a verb there; 0 for none."""
    near = range(max(1, place - _NEAR), place)
    return next((at for at in near if question.english[at] in _DENIED), 0)


def _padded(text: str, length: int) -> str:
    return f"{text}:00" if length == _LONG else text


def time_at(question: QuestionWords, place: int) -> ClockTime | None:
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
    return ClockTime(range(place, place + count + is_told), f"{own:02}:{minute}", is_told)
