"""Opens the store of each kind of data: an application's, a package's, a server's or a folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from okso_jupyter.errors import SettingError
from okso_jupyter.personal.apple.apple_items import AppleItems
from okso_jupyter.personal.apple.application import APPLE, AppleApplication, check_system
from okso_jupyter.personal.calendar.calendar_store import CalendarStore
from okso_jupyter.personal.call_time_limit import TimeLimit
from okso_jupyter.personal.dav.dav_address import DavAddress
from okso_jupyter.personal.ical.moments import zone_of
from okso_jupyter.personal.mail.apple_mail import drafts
from okso_jupyter.personal.mail.mail_server import MailServer
from okso_jupyter.personal.mail.mail_settings import missing_modules
from okso_jupyter.personal.notes.apple_notes import AppleNotes
from okso_jupyter.personal.notes.note_store import NoteStore
from okso_jupyter.personal.packaged_stores import opener_of
from okso_jupyter.personal.personal_options import PLACES, PersonalOptions
from okso_jupyter.personal.reminders.apple_reminders import AppleReminders
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


def open_notes(
    workspace: Workspace, options: PersonalOptions, limit: TimeLimit | None = None
) -> NoteStore:
    """Return the store of notes; raise OksoError if it cannot be opened.

    Args:
        workspace: The workspace of the run.
        options: Where the store is.
        limit: The end of the call, for a server or an application.
    """
    place = options.notes
    if place.store == APPLE:
        return AppleNotes(items=_apple_items(place, limit), workspace=workspace)
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
    """Return the store of reminders; see `open_notes`."""
    place = options.reminders
    if place.store == APPLE:
        items, zone = _apple_items(place, limit), zone_of(options.time_zone)
        return AppleReminders(items=items, workspace=workspace, zone=zone)
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
    """Return the store of events; see `open_notes`."""
    place = options.calendar
    if place.store == APPLE:
        from okso_jupyter.personal.calendar.apple_calendar import (  # noqa: PLC0415  of the extra
            AppleCalendar,
        )

        return AppleCalendar(items=_apple_items(place, limit), zone=zone_of(options.time_zone))
    if place.store:
        store: CalendarStore = _of_package(CALENDAR_STORES, place, workspace, options)
        return store
    from okso_jupyter.personal.calendar.vevent_folder import (  # noqa: PLC0415  of the extra
        VeventFolder,
    )

    return VeventFolder(_files(workspace, place, "VEVENT", limit), zone_of(options.time_zone))


def _apple_items(place: StorePlace, limit: TimeLimit | None) -> AppleItems:
    """Return the items of the application for a place; raise SettingError if there is none."""
    check_system(place.setting.replace("_DIR", "_STORE"))
    return _items_of(place.setting, place.folder, limit)


def application_of(base: str) -> str:
    """Return the name of the application whose folder stands in for a setting's, such as "Notes".

    Args:
        base: Name of the setting, such as "NOTES_DIR".
    """
    return base.removesuffix("_DIR").capitalize()


def _items_of(base: str, folder: str, limit: TimeLimit | None = None) -> AppleItems:
    application = AppleApplication(
        name=application_of(base), setting=PLACES[base], time_limit=limit
    )
    return AppleItems(application=application, place=folder)


def _files(
    workspace: Workspace, place: StorePlace, kind: str, limit: TimeLimit | None
) -> IcalFiles:
    """Return the iCalendar files at a place."""
    from okso_jupyter.personal.ical.ical_files import IcalFiles  # noqa: PLC0415  of the extra

    if not place.url:
        return IcalFiles(StoreFiles.of(workspace, place, ".ics"))
    # these load httpx and lxml, which take 10 MB
    from okso_jupyter.personal.dav.dav_client import DavClient  # noqa: PLC0415  see above
    from okso_jupyter.personal.dav.dav_collection import DavCollection  # noqa: PLC0415  see above
    from okso_jupyter.personal.dav.dav_discovery import calendar_at  # noqa: PLC0415  see above
    from okso_jupyter.personal.dav.served_files import ServedFiles  # noqa: PLC0415  see above

    client = DavClient(address=_address(place, place.url), time_limit=limit)
    address = calendar_at(client, kind, place.folder, PLACES[place.setting])
    collection = DavCollection(address=address, time_limit=limit)
    return IcalFiles(ServedFiles(collection, kind, workspace))


def _address(place: StorePlace, url: str) -> DavAddress:
    return DavAddress.of(place.setting.replace("_DIR", "_URL"), url, place.ca_file)


def served_at(place: StorePlace) -> str:
    """Return the collection on a server at a place, in words; empty for another place."""
    return str(_address(place, place.url)) if place.url else ""


def served_places(settings: Mapping[str, Any]) -> tuple[ServedPlace, ...]:
    """Return the places on servers and in applications that a run may have used, for its undo.

    Args:
        settings: The settings as the run recorded them, by name.
    """
    return (*_served(settings), *_in_applications(settings))


def _served(settings: Mapping[str, Any]) -> Iterator[ServedPlace]:
    for name in ("REMINDERS_URL", "CALENDAR_URL"):
        # nothing was written to an address that is none
        with suppress(SettingError):
            if url := settings.get(name):
                from okso_jupyter.personal.dav.dav_collection import (  # noqa: PLC0415  see `_files`
                    DavCollection,
                    DavServer,
                )

                ca_file = settings.get("CALDAV_CA_FILE")
                address = DavAddress.of(name, str(url), ca_file)
                yield DavCollection(address=address)
                yield DavServer(address=address)  # of an address that leads to a calendar
    if (url := settings.get("MAIL_IMAP_URL")) and not missing_modules():
        from okso_jupyter.personal.mail.imap_drafts import (  # noqa: PLC0415  of the extra
            ImapDrafts,
        )

        with suppress(SettingError):
            ca_file = settings.get("MAIL_CA_FILE")
            yield ImapDrafts(MailServer.of("MAIL_IMAP_URL", str(url), ca_file))


def _in_applications(settings: Mapping[str, Any]) -> Iterator[ServedPlace]:
    for base, folder in PLACES.items():
        if settings.get(base.replace("_DIR", "_STORE")) == APPLE:
            yield _items_of(base, str(settings.get(folder)))
    if settings.get("MAIL_STORE") == APPLE:
        yield drafts()


def _of_package(
    group: str, place: StorePlace, workspace: Workspace, options: PersonalOptions
) -> Any:  # noqa: ANN401  the store that the package says it is
    setting = place.setting.replace("_DIR", "_STORE")
    hint = f"leave {setting} unset for the folder"
    return opener_of(group, place.store or "", setting, hint)(workspace, options)
