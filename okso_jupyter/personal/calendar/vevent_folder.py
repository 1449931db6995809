"""VeventFolder: events as iCalendar files (VEVENT), one file each, as khal keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo

import icalendar
import recurring_ical_events

from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.personal.calendar.calendar_store import CalendarEvent, EventCollection
from okso_jupyter.personal.ical.ical_files import IcalFile, IcalFiles, moment_of, stamped, text_of
from okso_jupyter.personal.ical.moments import end_of_day, iso, start_of


@dataclass(frozen=True, slots=True)
class VeventFolder:
    """A folder of iCalendar files with events.

    Attributes:
        files: The files.
        zone: The user's zone.
    """

    files: IcalFiles
    zone: tzinfo

    def between(self, first: date, last: date) -> EventCollection:
        """Return what happens from a day to another, both included."""
        return events_between(self.files, first, last, self.zone)

    def search(self, words: str, now: datetime) -> EventCollection:
        """Return the events that hold some words; of one that recurs the next occurrence."""
        return events_with(self.files, words, now, self.zone)

    def place(self, event: CalendarEvent) -> CalendarEvent:
        """Return a new event with its file."""
        uid = self.files.free_uid(event.title, iso(event.start))
        return replace(event, uid=uid, path=self.files.path_of(uid))

    def create(self, event: CalendarEvent, now: datetime) -> Changes:
        """Write an event as a new file; raise ToolError if it cannot be written."""
        made = icalendar.Event()
        made.add("uid", event.uid)
        made.add("summary", event.title)
        made.add("dtstart", event.start)
        made.add("dtend", event.end)
        made.add("created", now.astimezone(UTC))
        stamped(made, now)
        if event.repeat:
            made.add("rrule", {"freq": event.repeat})
        if event.location:
            made.add("location", event.location)
        return self.files.create(event.uid, made)


def events_between(
    files: Iterable[IcalFile], first: date, last: date, zone: tzinfo
) -> EventCollection:
    """Return what happens from a day to another, both included, of the events in some files."""
    begins, ends = datetime.combine(first, time(), zone), end_of_day(last, zone)
    checked = list(map(_checked, files))
    found = [_event(file, one) for file in checked for one in _expanded(file).between(begins, ends)]
    return _sorted(found, checked, zone)


def events_with(
    files: Iterable[IcalFile], words: str, now: datetime, zone: tzinfo
) -> EventCollection:
    """Return the events in some files that hold some words; of one that recurs the next one."""
    wanted = " ".join(words.casefold().split())
    checked = list(map(_checked, files))
    held = [file for file in checked if any(wanted in _words(e) for e in _events(file))]
    return _sorted([_next(file, now) for file in held], checked, zone)


def _next(file: IcalFile, now: datetime) -> CalendarEvent:
    """Return the next occurrence of a file's event; the first one where none is to come."""
    to_come = next(_expanded(file).after(now), None)
    return _event(file, to_come or next(_events(file)))


def _sorted(
    events: Iterable[CalendarEvent], files: Iterable[IcalFile], zone: tzinfo
) -> EventCollection:
    def begins(event: CalendarEvent) -> tuple[datetime, str]:
        return start_of(event.start, zone), event.title

    unread = tuple(file.problem for file in files if file.problem)
    return EventCollection(events=tuple(sorted(events, key=begins)), unread=unread)


def _expanded(file: IcalFile) -> recurring_ical_events.CalendarQuery:
    return recurring_ical_events.of(file.calendar, skip_bad_series=True)


def _checked(file: IcalFile) -> IcalFile:
    """Return a file, or an empty one with its problem where an event has no readable beginning."""
    if len(list(_events(file))) == len(file.calendar.walk("VEVENT")):
        return file
    problem = f"{file.path} holds an event without a beginning and was left as it is"
    return replace(file, calendar=icalendar.Calendar(), problem=problem)


def _events(file: IcalFile) -> Iterator[icalendar.Component]:
    """Yield the events of a file that have a beginning."""
    yield from (one for one in file.calendar.walk("VEVENT") if moment_of(one, "dtstart"))


def _words(event: icalendar.Component) -> str:
    parts = (text_of(event, name) for name in ("summary", "location", "description"))
    return " ".join(" ".join(parts).casefold().split())


def _event(file: IcalFile, event: icalendar.Component) -> CalendarEvent:
    start = moment_of(event, "dtstart") or date.max
    return CalendarEvent(
        title=text_of(event, "summary"),
        start=start,
        end=_end(event, start),
        location=text_of(event, "location"),
        description=text_of(event, "description"),
        path=file.path,
        uid=text_of(event, "uid"),
    )


def _end(event: icalendar.Component, start: date) -> date:
    """Return the end of an event, which it says as such, by its length, or not at all."""
    end = moment_of(event, "dtend")
    if end is not None:
        return end
    held = event.get("duration")
    length = held.dt if isinstance(held, icalendar.vDDDTypes | icalendar.vDuration) else None
    if isinstance(length, timedelta):
        return start + length
    return start if isinstance(start, datetime) else start + timedelta(days=1)
