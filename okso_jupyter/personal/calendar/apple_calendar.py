"""AppleCalendar: the events of one calendar of Calendar; those that recur are expanded here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Final

import icalendar

from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.personal.apple.apple_items import AppleItems, Item
from okso_jupyter.personal.calendar.calendar_store import CalendarEvent, EventCollection
from okso_jupyter.personal.calendar.vevent_folder import events_between, events_with
from okso_jupyter.personal.ical.ical_files import IcalFile
from okso_jupyter.personal.ical.ical_limits import fault_of
from okso_jupyter.personal.ical.moments import end_of_day, iso, moment_in

_ONE_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class AppleCalendar:
    """The events of a calendar.

    Attributes:
        items: The calendar.
        zone: The user's zone.
    """

    items: AppleItems
    zone: tzinfo

    def between(self, first: date, last: date) -> EventCollection:
        """Return what happens from a day to another, both included."""
        begins = datetime.combine(first, time(), self.zone).isoformat()
        found = self.items.listed(since=begins, until=iso(end_of_day(last, self.zone)))
        return events_between(self._files(found), first, last, self.zone)

    def search(self, words: str, now: datetime) -> EventCollection:
        """Return the events that hold some words; of one that recurs the next occurrence."""
        return events_with(self._files(self.items.listed()), words, now, self.zone)

    def place(self, event: CalendarEvent) -> CalendarEvent:
        """Return a new event; Calendar gives it its id when it is made."""
        return replace(event, path=f"a new event in {self.items}")

    def create(self, event: CalendarEvent, now: datetime) -> Changes:
        """Add an event that was placed; raise ToolError if it cannot be written."""
        del now  # Calendar has its own clock
        rule = f"FREQ={event.repeat.upper()};INTERVAL=1" if event.repeat else ""
        return self.items.create(
            title=event.title,
            start=iso(event.start),
            end=iso(event.end),
            isAllDay=event.is_all_day,
            location=event.location,
            recurrence=rule,
        )

    def _files(self, items: Iterable[Item]) -> list[IcalFile]:
        return [self._file(item) for item in items]

    def _file(self, item: Item) -> IcalFile:
        """Return an event as iCalendar, or why it cannot be read."""
        path, calendar = self.items.path_of(item["id"]), icalendar.Calendar()
        try:
            event = self._event(item)
            fault = fault_of(event)
        except ValueError:
            fault = f"recurs by a rule that cannot be read: {item['recurrence']}"
        if fault:
            problem = f"the event {item['title']!r} {fault}, and was left as it is"
            return IcalFile(path=path, calendar=calendar, problem=problem)
        calendar.add_component(event)
        return IcalFile(path=path, calendar=calendar)

    def _event(self, item: Item) -> icalendar.Event:
        """Return an event as a component; raise ValueError if its rule cannot be read."""
        start, end = (moment_in(item[name], self.zone) for name in ("start", "end"))
        is_day = not isinstance(end, datetime)
        event = icalendar.Event()
        for name, value in (
            ("uid", item["id"]),
            ("summary", item["title"]),
            ("location", item["location"]),
            ("description", item["description"]),
            ("dtstart", start),
            ("dtend", end + _ONE_DAY if is_day else end),
        ):
            event.add(name, value)
        if item["recurrence"]:
            rule = item["recurrence"].removeprefix("RRULE:")
            event.add("rrule", icalendar.vRecur.from_ical(rule))
            for text in item["excluded"]:
                left_out = datetime.fromisoformat(text).astimezone(self.zone)
                event.add("exdate", left_out.date() if is_day else left_out)
        return event
