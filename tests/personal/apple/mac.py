"""A Mac, as its stores see it: the double of `osascript`, and what the applications hold."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_REPOSITORY = Path(__file__).resolve().parents[3]


@dataclass(frozen=True, slots=True)
class Mac:
    """The applications, whose state is a file.

    Attributes:
        folder: Folder of the state, and of what was asked.
    """

    folder: Path

    @property
    def osascript(self) -> Path:
        """The program."""
        return self.folder / "osascript"

    def set_up(self) -> None:
        """Write the program, and applications that hold nothing."""
        self.folder.mkdir()
        double = Path(__file__).with_name("osascript_double.py")
        lines = (
            f"#!{sys.executable}",
            "import os, runpy, sys",
            "os.environ['TZ'] = 'Europe/Berlin'  # the zone of the machine",
            f"sys.path.insert(0, {str(_REPOSITORY)!r})",
            f"sys.argv[1:1] = [{str(self.folder)!r}]",
            f"runpy.run_path({str(double)!r}, run_name='__main__')",
        )
        self.osascript.write_text("\n".join(lines) + "\n")
        self.osascript.chmod(0o700)
        self.write({
            "Notes": {"accounts": [{"id": "a1", "name": "iCloud", "folders": [
                {"id": "f1", "name": "Notes", "notes": []},
                {"id": "f2", "name": "Arbeit", "notes": []}]}]},
            "Reminders": {"lists": [{"id": "l1", "name": "Reminders", "reminders": []}]},
            "Calendar": {"calendars": [
                {"name": "Calendar", "writable": True, "events": []},
                {"name": "Holidays", "writable": False, "events": []}]},
            "Mail": {"accounts": [{"id": "m1", "name": "iCloud"}], "outgoingMessages": [],
                     "inbox": {"name": "Inbox", "messages": []},
                     "draftsMailbox": {"name": "Drafts", "messages": []}},
        })  # fmt: skip

    @property
    def state(self) -> dict[str, Any]:
        """What the applications hold."""
        found: dict[str, Any] = json.loads((self.folder / "state.json").read_text())
        return found

    def write(self, state: dict[str, Any]) -> None:
        """Replace what the applications hold."""
        (self.folder / "state.json").write_text(json.dumps(state))

    @property
    def notes(self) -> list[dict[str, Any]]:
        """The notes of the folder Notes."""
        found: list[dict[str, Any]] = self.state["Notes"]["accounts"][0]["folders"][0]["notes"]
        return found

    @property
    def reminders(self) -> list[dict[str, Any]]:
        """The reminders of the list Reminders."""
        found: list[dict[str, Any]] = self.state["Reminders"]["lists"][0]["reminders"]
        return found

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events of the calendar Calendar."""
        found: list[dict[str, Any]] = self.state["Calendar"]["calendars"][0]["events"]
        return found

    @property
    def drafts(self) -> list[dict[str, Any]]:
        """The drafts of Mail."""
        found: list[dict[str, Any]] = self.state["Mail"]["draftsMailbox"]["messages"]
        return found

    def holds(self, kind: str, *items: dict[str, Any]) -> None:
        """Add items to the folder, list, calendar or inbox, as the application does.

        Args:
            kind: "notes", "reminders", "events" or "mails".
            items: Their properties, as in the model of the applications.
        """
        state = self.state
        held = {
            "notes": state["Notes"]["accounts"][0]["folders"][0]["notes"],
            "reminders": state["Reminders"]["lists"][0]["reminders"],
            "events": state["Calendar"]["calendars"][0]["events"],
            "mails": state["Mail"]["inbox"]["messages"],
        }[kind]
        held += items
        self.write(state)

    def fails(self, application: str, at: str, number: int, text: str = "refused") -> None:
        """Have an application fail at an event; see the model."""
        fault = {"application": application, "at": at, "number": number, "text": text}
        self.write({**self.state, "fault": fault})

    def works(self) -> None:
        """Have everything work again."""
        self.write({**self.state, "fault": {}})
        (self.folder / "behaviour").unlink(missing_ok=True)

    def behaves(self, **behaviour: str) -> None:
        """Have the program print, hang or end in a way of its own."""
        (self.folder / "behaviour").write_text(json.dumps(behaviour))

    @property
    def asked(self) -> list[dict[str, Any]]:
        """The requests that the program was given."""
        lines = (self.folder / "asked.jsonl").read_text().splitlines()
        return [json.loads("".join(json.loads(line)["pieces"])) for line in lines]
