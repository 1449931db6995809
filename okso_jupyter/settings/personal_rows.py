"""Declarations of the settings for notes, reminders and the calendar; see `table`."""

from __future__ import annotations

from dataclasses import dataclass

from okso_jupyter.settings.ranges import setting
from okso_jupyter.settings.run_rows import RunRows


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalRows(RunRows):
    """Settings for where notes, reminders and events are."""

    # Notes
    personal: str = setting(
        "auto", "Whether plans may use notes, reminders, the calendar and mail: `auto` where one "
        "of the settings below names a folder or an address", choices=("auto", "on", "off"),
    )  # fmt: skip
    notes_dir: str | None = setting(
        None, "Folder that holds NOTES_FOLDER, relative to the notebook's; the notebook's folder "
        "where it is not set", optional=True,
    )  # fmt: skip
    notes_folder: str = setting(
        "Notes", "Sub-folder of NOTES_DIR with the notes, as Markdown files; `.` is NOTES_DIR"
    )
