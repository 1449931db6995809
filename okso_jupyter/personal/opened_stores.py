"""Opens the store of each kind of data: of a package, on a server, or the folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from okso_jupyter.errors import SettingError
from okso_jupyter.personal.calendar.calendar_store import CalendarStore
from okso_jupyter.personal.call_time_limit import TimeLimit
from okso_jupyter.personal.dav.dav_address import DavAddress
from okso_jupyter.personal.dav.dav_collection import DavCollection
from okso_jupyter.personal.dav.served_files import ServedFiles
from okso_jupyter.personal.ical.moments import zone_of
from okso_jupyter.personal.mail.mail_server import MailServer
from okso_jupyter.personal.mail.mail_settings import missing_modules
from okso_jupyter.personal.notes.note_store import NoteStore
from okso_jupyter.personal.packaged_stores import opener_of
from okso_jupyter.personal.personal_options import PersonalOptions
from okso_jupyter.personal.reminders.task_store import TaskStore
from okso_jupyter.personal.served_place import ServedPlace
from okso_jupyter.personal.store_files import StoreFiles, StorePlace
from okso_jupyter.workspace import Workspace

if TYPE_CHECKING:
    from okso_jupyter.personal.ical.ical_files import IcalFiles

#: Groups of entry points: each is called with the workspace and the options, and returns a store.
NOTE_STORES: Final = "okso_jupyter.note_stores"
TASK_STORES: Final = "okso_jupyter.task_stores"
CALENDAR_STORES: Final = "okso_jupyter.calendar_stores"


def open_notes(workspace: Workspace, options: PersonalOptions) -> NoteStore:
    """Return the store of notes; raise OksoError if it cannot be opened."""
    place = options.notes
    if place.store:
        store: NoteStore = _of_package(NOTE_STORES, place, workspace, options)
        return store
    from okso_jupyter.personal.notes.markdown_folder import (  # noqa: PLC0415  of the extra
        MarkdownFolder,
    )

    return MarkdownFolder(StoreFiles.of(workspace, place, ".md"))


def open_reminders(
    workspace: Workspace, options: PersonalOptions, limit: TimeLimit | None = None
) -> TaskStore:
    """Return the store of reminders; raise OksoError if it cannot be opened.

    Args:
        workspace: The workspace of the run.
        options: Where the store is.
        limit: The end of the call, for a server.
    """
    place = options.reminders
    if place.store:
        store: TaskStore = _of_package(TASK_STORES, place, workspace, options)
        return store
    from okso_jupyter.personal.reminders.vtodo_folder import (  # noqa: PLC0415  of the extra
        VtodoFolder,
    )

    return VtodoFolder(_files(workspace, place, "VTODO", limit), zone_of(options.time_zone))


def open_calendar(
    workspace: Workspace, options: PersonalOptions, limit: TimeLimit | None = None
) -> CalendarStore:
    """Return the store of events; see `open_reminders`."""
    place = options.calendar
    if place.store:
        store: CalendarStore = _of_package(CALENDAR_STORES, place, workspace, options)
        return store
    from okso_jupyter.personal.calendar.vevent_folder import (  # noqa: PLC0415  of the extra
        VeventFolder,
    )

    return VeventFolder(_files(workspace, place, "VEVENT", limit), zone_of(options.time_zone))


def _files(
    workspace: Workspace, place: StorePlace, kind: str, limit: TimeLimit | None
) -> IcalFiles:
    """Return the iCalendar files at a place."""
    from okso_jupyter.personal.ical.ical_files import IcalFiles  # noqa: PLC0415  of the extra

    if not place.url:
        return IcalFiles(StoreFiles.of(workspace, place, ".ics"))
    collection = DavCollection(address=_address(place, place.url), time_limit=limit)
    return IcalFiles(ServedFiles(collection, kind, workspace))


def _address(place: StorePlace, url: str) -> DavAddress:
    return DavAddress.of(place.setting.replace("_DIR", "_URL"), url, place.ca_file)


def served_at(place: StorePlace) -> str:
    """Return the collection on a server at a place, in words; empty for another place."""
    return str(_address(place, place.url)) if place.url else ""


def served_places(settings: Mapping[str, Any]) -> tuple[ServedPlace, ...]:
    """Return the places on servers that a run may have used, for its undo.

    Args:
        settings: The settings as the run recorded them, by name.
    """
    return tuple(_served(settings))


def _served(settings: Mapping[str, Any]) -> Iterator[ServedPlace]:
    for name in ("REMINDERS_URL", "CALENDAR_URL"):
        # nothing was written to an address that is none
        with suppress(SettingError):
            if url := settings.get(name):
                ca_file = settings.get("CALDAV_CA_FILE")
                yield DavCollection(address=DavAddress.of(name, str(url), ca_file))
    if (url := settings.get("MAIL_IMAP_URL")) and not missing_modules():
        from okso_jupyter.personal.mail.imap_drafts import (  # noqa: PLC0415  of the extra
            ImapDrafts,
        )

        with suppress(SettingError):
            ca_file = settings.get("MAIL_CA_FILE")
            yield ImapDrafts(MailServer.of("MAIL_IMAP_URL", str(url), ca_file))


def _of_package(
    group: str, place: StorePlace, workspace: Workspace, options: PersonalOptions
) -> Any:  # noqa: ANN401  the store that the package says it is
    setting = place.setting.replace("_DIR", "_STORE")
    hint = f"leave {setting} unset for the folder"
    return opener_of(group, place.store or "", setting, hint)(workspace, options)
