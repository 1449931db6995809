"""PersonalOptions: where the user's notes, reminders and events are, from the settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Self

from okso_jupyter.personal.store_files import StorePlace
from okso_jupyter.settings import Settings

#: Modules of the extra `okso-jupyter[personal]`.
_NEEDED: Final = (
    "dateparser", "frontmatter", "icalendar", "recurring_ical_events", "tzlocal",
)  # fmt: skip
#: Settings that say where something is, and the name of the folder there.
PLACES: Final[Mapping[str, str]] = {
    "NOTES_DIR": "NOTES_FOLDER",
    "REMINDERS_DIR": "REMINDERS_LIST",
    "CALENDAR_DIR": "CALENDAR_NAME",
}

#: Settings of all folders that undo may reach outside the notebook's.
_FOLDERS: Final = (*PLACES, "MAIL_DIR")
#: Kinds of data, and the setting that says where they are.
KINDS: Final[Mapping[str, str]] = {
    "notes": "NOTES_DIR",
    "reminders": "REMINDERS_DIR",
    "calendar": "CALENDAR_DIR",
}
_NOTES: Final = StorePlace(folder="Notes", setting="NOTES_DIR")
_REMINDERS: Final = StorePlace(folder="Reminders", setting="REMINDERS_DIR")
_CALENDAR: Final = StorePlace(folder="Calendar", setting="CALENDAR_DIR")


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalOptions:
    """Places of the stores.

    Attributes:
        notes: Folder of the notes.
        reminders: Folder of the reminders.
        calendar: Folder of the events.
        time_zone: IANA name of the user's zone; None for that of the system.
    """

    notes: StorePlace = _NOTES
    reminders: StorePlace = _REMINDERS
    calendar: StorePlace = _CALENDAR
    time_zone: str | None = None

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return the places in the settings."""
        notes, reminders, calendar = (
            StorePlace(
                base=getattr(settings, base.lower()),
                folder=getattr(settings, folder.lower()),
                setting=base,
                store=getattr(settings, base.replace("_DIR", "_store").lower()),
                url=getattr(settings, base.replace("_DIR", "_url").lower(), None),
                ca_file=settings.caldav_ca_file,
            )
            for base, folder in PLACES.items()
        )
        zone = settings.time_zone
        return cls(notes=notes, reminders=reminders, calendar=calendar, time_zone=zone)


def offered_kinds(settings: Settings) -> frozenset[str]:
    """Return the kinds of data that plans may use: the beginnings of the tools' names.

    None where the extra is not installed.
    """
    if settings.personal == "off":
        return frozenset()
    is_on = settings.personal == "on"
    kinds = frozenset(kind for kind in KINDS if is_on or is_placed(settings, kind))
    # mostly none are: the modules are looked for only then
    return frozenset() if kinds and missing_modules() else kinds


def is_placed(settings: Settings, kind: str) -> bool:
    """Return whether a setting names a folder, a server or a package's store for a kind of data."""
    place: StorePlace = getattr(PersonalOptions.of(settings), kind)
    return bool(place.base or place.url or place.store)


def elsewhere_kinds(settings: Settings) -> frozenset[str]:
    """Return the kinds of data that are not in a folder: on a server, or in a package's store."""
    places = ((kind, getattr(PersonalOptions.of(settings), kind)) for kind in KINDS)
    return frozenset(kind for kind, place in places if place.url or place.store)


def missing_modules() -> list[str]:
    """Return the modules of the extra that are not installed."""
    return [name for name in _NEEDED if find_spec(name) is None]


def store_folders(settings: Mapping[str, Any], root: Path) -> tuple[Path, ...]:
    """Return the folders of the stores of a run that exist.

    Args:
        settings: The settings as the run recorded them, by name.
        root: The notebook's folder.
    """
    named = (settings.get(name) for name in _FOLDERS)
    folders = (root / Path(str(base)).expanduser() for base in named if base)
    return tuple(folder for folder in folders if folder.is_dir())
