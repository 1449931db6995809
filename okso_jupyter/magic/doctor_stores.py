"""Diagnosis of the stores of notes, reminders and events: where they are and what they hold."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from datetime import datetime, timedelta

from okso_jupyter.amounts import counted
from okso_jupyter.errors import UsageError
from okso_jupyter.personal.apple.application import APPLE, UNTRIED
from okso_jupyter.personal.ical.moments import zone_of
from okso_jupyter.personal.opened_stores import (
    application_of,
    open_calendar,
    open_notes,
    open_reminders,
    served_at,
)
from okso_jupyter.personal.personal_options import (
    PersonalOptions,
    missing_modules,
    offered_kinds,
)
from okso_jupyter.personal.store_files import StorePlace
from okso_jupyter.settings import Settings, working_folder
from okso_jupyter.workspace import Workspace


def store_found(settings: Settings, kind: str) -> str:
    """Return where the data of a kind is and how much the store holds, read from it just now.

    Args:
        settings: The settings.
        kind: "notes", "reminders" or "calendar".

    Raises:
        UsageError: Plans may not use it, or the extra is not installed.
        ToolError: The store does not answer.
        SettingError: The settings name none that can be used.
    """
    options = PersonalOptions.of(settings)
    place: StorePlace = getattr(options, kind)
    if missing_modules():
        msg = f"not installed: {', '.join(missing_modules())}"
        raise UsageError(msg, hint="pip install 'okso-jupyter[personal]'")
    if kind not in offered_kinds(settings):
        msg = f"{place.setting} is not set"
        raise UsageError(msg, hint="or PERSONAL=on for a folder beside the notebook")
    with closing(Workspace(working_folder())) as workspace:
        held, unread = _held(workspace, options, kind)
        folder = place.base_of(workspace.root) / place.folder
    where = _in_store(place) or served_at(place) or str(folder)
    return f"{held} in {where}{f'; {len(unread)} unread: {unread[0]}' if unread else ''}"


def _in_store(place: StorePlace) -> str:
    """Return a place in a store that is no folder, in words; empty for another."""
    if place.store == APPLE:
        return f"{place.folder!r} of the application {application_of(place.setting)}; {UNTRIED}"
    return f"the store {place.store!r}" if place.store else ""


def _held(workspace: Workspace, options: PersonalOptions, kind: str) -> tuple[str, Sequence[str]]:
    """Return what a store holds, in words, and what it could not read."""
    if kind == "notes":
        notes = open_notes(workspace, options).read()
        return counted(len(notes.notes), "note"), notes.unread
    zone = zone_of(options.time_zone)
    if kind == "reminders":
        tasks = open_reminders(workspace, options).read()
        return counted(len(tasks.open_until(None, zone)), "open reminder"), tasks.unread
    today = datetime.now(zone).date()
    events = open_calendar(workspace, options).between(today, today + timedelta(days=30))
    return f"{counted(len(events.events), 'event')} of the next 30 days", events.unread
