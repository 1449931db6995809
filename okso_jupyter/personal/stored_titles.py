"""Titles of what the user's stores hold, for requests that name one of them."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from okso_jupyter.errors import OksoError
from okso_jupyter.personal.ical.moments import zone_of
from okso_jupyter.personal.opened_stores import open_calendar, open_notes, open_reminders
from okso_jupyter.personal.personal_options import PersonalOptions, elsewhere_kinds, offered_kinds
from okso_jupyter.settings import Settings
from okso_jupyter.workspace import Workspace


def stored_titles(
    kind: Literal["notes", "reminders", "calendar"], workspace: Workspace, settings: Settings
) -> tuple[str, ...]:
    """Return the titles of a kind, of reminders those that are open.

    None where the kind is not offered, or its store does not answer: its tool then says why. Nor
    those on a server: none is asked before a plan is approved.
    """
    if kind not in offered_kinds(settings) - elsewhere_kinds(settings):
        return ()
    try:
        return tuple(dict.fromkeys(_titles(kind, workspace, PersonalOptions.of(settings))))
    except OksoError:
        return ()


def _titles(kind: str, workspace: Workspace, options: PersonalOptions) -> list[str]:
    zone = zone_of(options.time_zone)
    if kind == "notes":
        return [note.title for note in open_notes(workspace, options).read().notes]
    if kind == "reminders":
        reminders = open_reminders(workspace, options).read()
        return [one.title for one in reminders.open_until(None, zone)]
    found = open_calendar(workspace, options).search("", datetime.now(zone))
    return [event.title for event in found.events]
