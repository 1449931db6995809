"""Opens the store of each kind of data: the folder of the settings, or that of a package."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any, Final

from okso_jupyter.errors import ToolFailedError, error_text
from okso_jupyter.personal.calendar.calendar_store import CalendarStore
from okso_jupyter.personal.ical.moments import zone_of
from okso_jupyter.personal.notes.note_store import NoteStore
from okso_jupyter.personal.personal_options import PersonalOptions
from okso_jupyter.personal.reminders.task_store import TaskStore
from okso_jupyter.personal.store_files import StoreFiles, StorePlace
from okso_jupyter.workspace import Workspace

#: Groups of entry points: each is called with the workspace and the options, and returns a store.
NOTE_STORES: Final = "okso_jupyter.note_stores"
TASK_STORES: Final = "okso_jupyter.task_stores"
CALENDAR_STORES: Final = "okso_jupyter.calendar_stores"


def open_notes(workspace: Workspace, options: PersonalOptions) -> NoteStore:
    """Return the store of notes; raise ToolError if it cannot be opened."""
    place = options.notes
    if place.store:
        store: NoteStore = _of_package(NOTE_STORES, place)(workspace, options)
        return store
    from okso_jupyter.personal.notes.markdown_folder import (  # noqa: PLC0415  of the extra
        MarkdownFolder,
    )

    return MarkdownFolder(StoreFiles.of(workspace, place, ".md"))


def open_reminders(workspace: Workspace, options: PersonalOptions) -> TaskStore:
    """Return the store of reminders; raise ToolError if it cannot be opened."""
    place = options.reminders
    if place.store:
        store: TaskStore = _of_package(TASK_STORES, place)(workspace, options)
        return store
    from okso_jupyter.personal.ical.ical_files import IcalFiles  # noqa: PLC0415  of the extra
    from okso_jupyter.personal.reminders.vtodo_folder import VtodoFolder  # noqa: PLC0415  as well

    files = IcalFiles(StoreFiles.of(workspace, place, ".ics"))
    return VtodoFolder(files, zone_of(options.time_zone))


def open_calendar(workspace: Workspace, options: PersonalOptions) -> CalendarStore:
    """Return the store of events; raise ToolError if it cannot be opened."""
    place = options.calendar
    if place.store:
        store: CalendarStore = _of_package(CALENDAR_STORES, place)(workspace, options)
        return store
    from okso_jupyter.personal.calendar.vevent_folder import (  # noqa: PLC0415  of the extra
        VeventFolder,
    )
    from okso_jupyter.personal.ical.ical_files import IcalFiles  # noqa: PLC0415  as well

    files = IcalFiles(StoreFiles.of(workspace, place, ".ics"))
    return VeventFolder(files, zone_of(options.time_zone))


def _of_package(group: str, place: StorePlace) -> Callable[..., Any]:
    """Return the function of an entry point that opens a store.

    Raises:
        ToolFailedError: No package offers it, or it cannot be loaded.
    """
    for point in entry_points(group=group, name=place.store or ""):
        try:
            found: Callable[..., Any] = point.load()
        except Exception as error:  # a package may fail in any way
            msg = f"the store {place.store!r} cannot be loaded: {error_text(error)}"
            raise ToolFailedError(msg) from error
        return found
    setting = place.setting.replace("_DIR", "_STORE")
    msg = f"{setting} is {place.store!r}, and no installed package offers such a store"
    raise ToolFailedError(msg, hint=f"leave {setting} unset for the folder")
