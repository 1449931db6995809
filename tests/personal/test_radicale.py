"""A CalDAV server as the peer: Radicale on loopback, with which vdirsyncer exchanges folders."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx
import pytest

from tests.personal.conftest import Desk, entries_of
from tests.personal.radicale_server import radicale

pytestmark = [pytest.mark.process, pytest.mark.peer]

_VDIRSYNCER: Final = [sys.executable, "-m", "vdirsyncer"]
_CONFIG: Final = """[general]
status_path = "{work}/status/"
[pair all]
a = "here"
b = "there"
collections = ["Calendar", "Reminders"]
conflict_resolution = "b wins"
[storage here]
type = "filesystem"
path = "{store}/"
fileext = ".ics"
[storage there]
type = "caldav"
url = "{url}/"
username = "ada"
password = "any"
"""
_FROM_A_PHONE: Final = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//phone//EN
BEGIN:VEVENT
UID:phone
DTSTAMP:20300101T000000Z
DTSTART:20300605T120000Z
DTEND:20300605T130000Z
SUMMARY:From the phone
END:VEVENT
END:VCALENDAR
"""


@pytest.fixture
def server(desk: Desk) -> Iterator[httpx.Client]:
    """A client of Radicale with the two collections of a user."""
    with radicale(desk.root.parent / "radicale") as client:
        yield client


def test_what_is_written_reaches_a_server_and_back(desk: Desk, server: httpx.Client) -> None:
    """Events and reminders reach the server, those of a phone the tools; an undo reaches both."""
    config = desk.root.parent / "vdirsyncer.conf"
    config.write_text(_CONFIG.format(work=desk.root, store=desk.store, url=server.base_url))
    run = desk.call("calendar_create", title="Meeting", start="2030-06-05T10:00")
    desk.call("reminders_create", title="call the lab", time="2030-06-05T09:00")
    _sync(config, "discover")
    _sync(config, "sync")
    assert "SUMMARY:Meeting" in server.get("/ada/Calendar/").text
    assert "SUMMARY:call the lab" in server.get("/ada/Reminders/").text
    server.put("/ada/Calendar/phone.ics", content=_FROM_A_PHONE).raise_for_status()
    _sync(config, "sync")
    listed = entries_of(desk.says("calendar_list", start="2030-06-05"))
    assert [line.split(" ", 2)[2] for line in listed] == [
        "10:00-11:00 Meeting",
        "14:00-15:00 From the phone",
    ]
    desk.call("reminders_complete", input="call the lab")
    run.undo()
    _sync(config, "sync")
    assert "SUMMARY:Meeting" not in server.get("/ada/Calendar/").text
    assert "STATUS:COMPLETED" in server.get("/ada/Reminders/").text


def _sync(config: Path, *words: str) -> None:
    subprocess.run(  # noqa: S603  our own command line
        [*_VDIRSYNCER, "-c", str(config), *words],
        input="y\n" * 8, capture_output=True, text=True, check=True, env={**os.environ},
    )  # fmt: skip
