"""IcalFiles: iCalendar files, one component each, as vdirsyncer, khal and servers keep them."""

from __future__ import annotations

import posixpath
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final, Protocol

import icalendar

from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.errors import ToolError, ToolFailedError
from okso_jupyter.personal.ical.ical_limits import fault_of
from okso_jupyter.personal.ical.moments import Moment

_PRODUCT: Final = "-//okso-jupyter//EN"
_ENTRIES: Final = ("VEVENT", "VTODO")


@dataclass(frozen=True, slots=True, kw_only=True)
class IcalFile:
    """One file.

    Attributes:
        path: Where it lies.
        calendar: What it holds.
        problem: Why it cannot be read; empty if it can.
    """

    path: str
    calendar: icalendar.Calendar
    problem: str = ""


class EntryFiles(Protocol):
    """Files with one entry each, in a folder or on a server; methods raise ToolError."""

    @property
    def folder(self) -> str:
        """Where they are, without a slash at its end."""

    @property
    def ending(self) -> str:
        """Ending of their names."""

    def __iter__(self) -> Iterator[str]:
        """Yield the paths of the files."""

    def exists(self, path: str) -> bool:
        """Return whether there is something at a path."""

    def read(self, path: str) -> bytes:
        """Return the content of a file that was yielded."""

    def create(self, path: str, data: bytes) -> Changes:
        """Write a new file."""

    def edit(self, path: str, data: bytes) -> Changes:
        """Write a file that was read, unless others have changed it since."""


@dataclass(frozen=True, slots=True)
class IcalFiles:
    """The iCalendar files of a store. A damaged one is left as it is, and named."""

    files: EntryFiles

    def __iter__(self) -> Iterator[IcalFile]:
        """Yield every file."""
        for path in self.files:
            try:
                yield IcalFile(path=path, calendar=_parsed(path, self.files.read(path)))
            except ToolError as error:
                empty = icalendar.Calendar()
                yield IcalFile(path=path, calendar=empty, problem=error.message)

    def free_uid(self, *parts: object) -> str:
        """Return the id of a new component, made of what it is about, which no file has yet.

        The same parts give the same id until it is taken: a call that was rehearsed writes the file
        that it was rehearsed with.
        """
        seed = "|".join(map(str, (self.files.folder, *parts)))
        number = 0
        while True:
            uid = str(uuid.uuid5(uuid.NAMESPACE_URL, f"okso:{seed}|{number}"))
            if not self.files.exists(self.path_of(uid)):
                return uid
            number += 1

    def path_of(self, uid: str) -> str:
        """Return the path of the file of a component."""
        return posixpath.join(self.files.folder, f"{uid}{self.files.ending}")

    def create(self, uid: str, component: icalendar.Component) -> Changes:
        """Write a new file with one component; raise ToolError if it cannot be written."""
        calendar = icalendar.Calendar()
        calendar.add("prodid", _PRODUCT)
        calendar.add("version", "2.0")
        calendar.add_component(component)
        calendar.add_missing_timezones()
        return self.files.create(self.path_of(uid), calendar.to_ical())

    def edit(self, file: IcalFile) -> Changes:
        """Write a file whose component was changed; raise ToolError if it cannot be written."""
        return self.files.edit(file.path, file.calendar.to_ical())


def stamped(component: icalendar.Component, now: datetime) -> None:
    """Set when a component was changed."""
    for name in ("dtstamp", "last-modified"):
        component.pop(name, None)
        component.add(name, now.astimezone(UTC))


def text_of(component: icalendar.Component, name: str) -> str:
    """Return a text of a component; empty where it has none."""
    return str(component.get(name) or "").strip()


def moment_of(component: icalendar.Component, name: str) -> Moment | None:
    """Return a day or time of a component; None where it has none."""
    held = component.get(name)
    # a value that cannot be read is of another class, several values are a list
    moment = held.dt if isinstance(held, icalendar.vDDDTypes) else None
    return moment if isinstance(moment, date) else None


def _parsed(path: str, data: bytes) -> icalendar.Calendar:
    """Return the calendar in a file.

    Raises:
        ToolFailedError: It is none, or holds an entry that is beyond the limits.
    """
    try:
        # declared as a calendar always, and any component where the file begins with one
        found: object = icalendar.Calendar.from_ical(data)
    except (ValueError, KeyError, IndexError, AttributeError, TypeError) as error:
        msg = f"{path} is not a readable iCalendar file and was left as it is"
        raise ToolFailedError(msg) from error
    if not isinstance(found, icalendar.Calendar):
        msg = f"{path} does not hold a calendar and was left as it is"
        raise ToolFailedError(msg)
    entries = (one for kind in _ENTRIES for one in found.walk(kind))
    fault = next(filter(None, map(fault_of, entries)), "")
    if fault:
        msg = f"{path} holds an entry that {fault}, and was left as it is"
        raise ToolFailedError(msg)
    return found
