"""Moments among other words: which of them name a time, and what is left."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from okso_jupyter.planning.personal_requests.spoken_repeats import spoken_when

#: Words of a time at most.
_MOST_WORDS: Final = 12
_BARE_NUMBER: Final = re.compile(r"[\d./]+")
_EDGES: Final = " ,;.-\u2013\u2014"


@dataclass(frozen=True, slots=True)
class MomentIn:
    """A time in a text.

    Attributes:
        when: The day or local time, and how often it comes again.
        before: The words before those of the time.
        after: The words after them, and the comma between.
        time_text: The words of the time.
    """

    when: tuple[date | datetime, str]
    before: str = ""
    after: str = ""
    time_text: str = ""

    @property
    def rest(self) -> str:
        """The text without the words of the time."""
        return " ".join(filter(None, (self.before, self.after))).strip(_EDGES)


def is_bare_number(text: str) -> bool:
    """Return whether a text is a number that may be a date and may belong to a title: "9.4"."""
    return _BARE_NUMBER.fullmatch(text) is not None


def moments_in(text: str, now: datetime) -> Iterator[MomentIn]:
    """Yield the times in a text, those of most words first.

    Args:
        text: The words, English or German.
        now: The present local time, without a zone.
    """
    words = text.split()
    for length in range(min(len(words), _MOST_WORDS), 0, -1):
        for start in range(len(words) - length + 1):
            end = start + length
            said = " ".join(words[start:end])
            is_number = is_bare_number(said.strip(_EDGES))
            found = None if is_number else spoken_when(said.strip(_EDGES), now)
            if found:
                comma = "," if said.endswith(",") else ""
                after = " ".join(filter(None, (comma, *words[end:])))
                yield MomentIn(found, " ".join(words[:start]), after, said.strip(_EDGES))


def moment_of_whole(text: str, now: datetime) -> MomentIn | None:
    """Return the time that a whole text names; None for none."""
    found = spoken_when(text.strip(_EDGES), now) if text.strip(_EDGES) else None
    return found and MomentIn(found)


def moment_at_an_end(text: str, now: datetime) -> MomentIn | None:
    """Return the longest time that a text ends or begins with; None for none."""
    ends = (one for one in moments_in(text, now) if not (one.before and one.after))
    return next((one for one in ends if one.rest), None)
