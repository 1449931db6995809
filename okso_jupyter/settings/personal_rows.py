"""Declarations of the settings for notes, reminders and the calendar; see `table`."""

from __future__ import annotations

from dataclasses import dataclass

from okso_jupyter.settings.ranges import setting
from okso_jupyter.settings.run_rows import RunRows
from okso_jupyter.settings.time_zones import zone_flaw


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalRows(RunRows):
    """Settings for where notes, reminders and events are."""

    # Notes
    personal: str = setting(
        "auto", "Whether plans may use notes, reminders, the calendar and mail: `auto` each kind "
        "whose folder or address is set below", choices=("auto", "on", "off"),
    )  # fmt: skip
    notes_dir: str | None = setting(
        None, "Folder that holds NOTES_FOLDER, relative to the notebook's; the notebook's folder "
        "where it is not set", optional=True,
    )  # fmt: skip
    notes_folder: str = setting(
        "Notes", "Sub-folder of NOTES_DIR with the notes, as Markdown files; `.` is NOTES_DIR"
    )
    notes_store: str | None = setting(
        None, "Store in place of the folder: `apple` for the application Notes of macOS and its "
        "folder NOTES_FOLDER, or the name that an installed package gives its own", optional=True,
    )  # fmt: skip
    # Reminders and calendar
    reminders_dir: str | None = setting(
        None, "Folder that holds REMINDERS_LIST, as NOTES_DIR", optional=True
    )
    reminders_url: str | None = setting(
        None, "CalDAV server in place of the folder, such as https://ada@cal.example.org, whose "
        "list REMINDERS_LIST is used, or the address of a list there", optional=True,
    )  # fmt: skip
    reminders_list: str = setting(
        "Reminders", "Sub-folder of REMINDERS_DIR with the reminders, as iCalendar tasks"
    )
    reminders_store: str | None = setting(
        None, "Store of reminders, as NOTES_STORE; the list is REMINDERS_LIST", optional=True
    )
    calendar_dir: str | None = setting(
        None, "Folder that holds CALENDAR_NAME, as NOTES_DIR", optional=True
    )
    calendar_url: str | None = setting(
        None, "CalDAV server with the calendar CALENDAR_NAME, as REMINDERS_URL", optional=True
    )
    calendar_name: str = setting(
        "Calendar", "Sub-folder of CALENDAR_DIR with the events, as iCalendar files"
    )
    calendar_store: str | None = setting(
        None, "Store of events, as NOTES_STORE; the calendar is CALENDAR_NAME", optional=True
    )
    caldav_ca_file: str | None = setting(
        None, "File of certificates that the CalDAV servers are checked with, for one with a "
        "certificate of its own; the system's where it is not set", optional=True,
    )  # fmt: skip
    time_zone: str | None = setting(
        None, "Zone of the times in requests, such as Europe/Berlin; that of this machine where it "
        "is not set", optional=True, flaw_of=zone_flaw,
    )  # fmt: skip
