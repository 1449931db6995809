"""CalendarStore: what a store of events does, and the occurrences that it finds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from typing import Any, Final, Protocol

from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.errors import ToolInputError
from okso_jupyter.personal.ical.moments import Moment, in_words, iso, start_of

_ONE_DAY: Final = timedelta(days=1)
#: Length of an event whose end is not said.
DEFAULT_LENGTH: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarEvent:
    """One event, or one occurrence of an event that recurs.

    Attributes:
        title: What it is.
        start: Its first day, or when it begins.
        end: The day after its last one, or when it ends.
        location: Where it is.
        description: More about it.
        path: Where it lies: a file, or the store's own name of it.
        uid: Its id, which is the same in all programs.
        repeat: How often a new one comes again: "daily", "weekly", "monthly", "yearly" or "".
    """

    title: str
    start: Moment
    end: Moment
    location: str = ""
    description: str = ""
    path: str = ""
    uid: str = ""
    repeat: str = ""

    @property
    def is_all_day(self) -> bool:
        """Whether it takes whole days."""
        return not isinstance(self.start, datetime)

    def to_json(self) -> dict[str, Any]:
        """Return the event as JSON data."""
        return {
            "title": self.title, "start": iso(self.start), "end": iso(self.end),
            "location": self.location, "path": self.path,
        }  # fmt: skip

    def in_words(self, zone: tzinfo) -> str:
        """Return the event on one line, in the user's zone."""
        place = f" ({self.location})" if self.location else ""
        repeat = f", {self.repeat}" if self.repeat else ""
        return f"{self._when(zone)} {self.title}{place}{repeat}"

    def _when(self, zone: tzinfo) -> str:
        begins = in_words(self.start, zone)
        if self.is_all_day:
            last = in_words(self.end - _ONE_DAY, zone)
            return f"{begins}, all day" if last == begins else f"{begins} to {last}, all day"
        ends = in_words(self.end, zone)
        same_day = ends.rpartition(" ")[0] == begins.rpartition(" ")[0]
        return f"{begins}-{ends.rpartition(' ')[2]}" if same_day else f"{begins} to {ends}"

    def overlaps(self, other: CalendarEvent, zone: tzinfo) -> bool:
        """Return whether two events have some time in common; one of whole days has no times."""
        if self.is_all_day or other.is_all_day:
            return False
        return start_of(self.start, zone) < start_of(other.end, zone) and (
            start_of(other.start, zone) < start_of(self.end, zone)
        )


def drafted(title: str, start: Moment, end: Moment | None, location: str) -> CalendarEvent:
    """Return an event that has no place yet.

    Args:
        title: What it is.
        start: Its first day, or when it begins.
        end: Its last day, or when it ends; an hour later, or the first day, where it is None.
        location: Where it is.

    Raises:
        ToolInputError: It ends before it starts, or one of both is a day and the other a time.
    """
    is_day = not isinstance(start, datetime)
    if end is not None and is_day is isinstance(end, datetime):
        msg = "start and end are both days, or both times"
        raise ToolInputError(msg)
    if end is None:
        until = start + _ONE_DAY if is_day else start + DEFAULT_LENGTH
    else:
        until = end + _ONE_DAY if is_day else end
    if until <= start:
        msg = f"the end {iso(end)} is not after the start {iso(start)}"
        raise ToolInputError(msg)
    return CalendarEvent(title=title, start=start, end=until, location=location)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventCollection:
    """The events of a range, in the order of their beginnings.

    Attributes:
        events: The occurrences.
        unread: A sentence for each entry that could not be read, such as a damaged file.
    """

    events: tuple[CalendarEvent, ...] = ()
    unread: tuple[str, ...] = ()


class CalendarStore(Protocol):
    """A place where events are kept."""

    def between(self, first: date, last: date) -> EventCollection:
        """Return what happens from a day to another, both included, recurring events expanded.

        Raises:
            ToolError: The store does not answer.
        """

    def search(self, words: str, now: datetime) -> EventCollection:
        """Return the events with some words in title, place or description, each once.

        An event that recurs is found with its next occurrence.
        """

    def place(self, event: CalendarEvent) -> CalendarEvent:
        """Return a new event with the place that it would get."""

    def create(self, event: CalendarEvent, now: datetime) -> Changes:
        """Add an event that was placed; raise ToolError if it cannot be written."""
