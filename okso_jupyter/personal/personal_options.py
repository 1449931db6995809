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
_NEEDED: Final = ("dateparser", "frontmatter", "icalendar", "recurring_ical_events")
#: Settings that say where something is, and the name of the folder there.
_PLACES: Final[Mapping[str, str]] = {"NOTES_DIR": "NOTES_FOLDER"}

#: Settings of all folders that undo may reach outside the notebook's.
_FOLDERS: Final = (*_PLACES, "MAIL_DIR")

_NOTES: Final = StorePlace(folder="Notes", setting="NOTES_DIR")


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalOptions:
    """Places of the stores.

    Attributes:
        notes: Folder of the notes.
    """

    notes: StorePlace = _NOTES

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return the places in the settings."""
        return cls(
            notes=StorePlace(
                base=settings.notes_dir, folder=settings.notes_folder, setting="NOTES_DIR"
            )
        )


def is_offered(settings: Settings) -> bool:
    """Return whether plans may use the tools: PERSONAL, and the extra is installed."""
    named = any(getattr(settings, name.lower()) for name in _PLACES)
    is_wanted = settings.personal == "on" or (settings.personal == "auto" and named)
    return is_wanted and not missing_modules()


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
