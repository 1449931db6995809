"""Spoken parts of dates: the months, quarters and weekdays that a question names, of any year."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from okso_jupyter.planning.table_questions.words import MONTHS, QuestionWords
from okso_jupyter.tables.query import Part

_LEADING: Final = frozenset("in during since of for until".split())
_JOINING: Final = frozenset("or and than to".split())
#: Monday is 1.
WEEKDAYS: Final = {
    form: number
    for number, names in enumerate(
        (
            "monday montag",
            "tuesday dienstag",
            "wednesday mittwoch",
            "thursday donnerstag",
            "friday freitag",
            "saturday samstag sonnabend",
            "sunday sonntag",
        ),
        start=1,
    )
    for name in names.split()
    for form in (name, f"{name}s")
}
_QUARTER: Final = frozenset({"quarter", "quartal"})
_ORDINALS: Final = {
    word: number
    for number, words in enumerate(
        ("first 1 1st", "second 2 2nd zweites zweiten", "third 3 3rd drittes dritten",
         "fourth 4 4th viertes vierten"),
        start=1,
    )
    for word in words.split()
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SpokenPart:
    """A part of dates that a question names.

    Attributes:
        part: Which part: "month", "quarter", "weekday".
        value: Its number.
        places: The places of its words.
    """

    part: Part
    value: int
    places: frozenset[int]


def spoken_parts(question: QuestionWords) -> Iterator[SpokenPart]:
    """Yield the months, quarters and weekdays that a question names, in their order."""
    words = question.english
    for place, word in enumerate(words):
        before = words[place - 1] if place else ""
        behind = words[place + 1] if place + 1 < len(words) else ""
        first = words[place - 2] if place > 1 else ""
        is_led = before in _LEADING or (before in _JOINING and first in MONTHS)
        if word in MONTHS and (word != "may" or is_led):  # "may" is a verb, too
            yield SpokenPart("month", MONTHS[word], frozenset({place}))
        elif word in WEEKDAYS:
            yield SpokenPart("weekday", WEEKDAYS[word], frozenset({place}))
        elif word == "q" and behind in _ORDINALS:
            yield SpokenPart("quarter", _ORDINALS[behind], frozenset({place, place + 1}))
        elif word in _QUARTER and before in _ORDINALS:
            yield SpokenPart("quarter", _ORDINALS[before], frozenset({place - 1, place}))
