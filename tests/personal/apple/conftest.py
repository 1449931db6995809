"""A Mac for each test, and a desk whose stores are its applications."""

from __future__ import annotations

import shutil

import pytest

from okso_jupyter.personal.apple import application, osascript
from tests.personal.apple.mac import Mac
from tests.personal.conftest import Desk


@pytest.fixture
def mac(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Mac:
    """The double of `osascript`, taken for the system's; the desk's stores are the applications."""
    if shutil.which("node") is None:
        pytest.skip("there is no node to run the scripts")
    found = Mac(desk.root.parent / "mac")
    found.set_up()
    monkeypatch.setattr(osascript, "PROGRAM", str(found.osascript))
    monkeypatch.setattr(application, "is_macos", lambda: True)
    names = ("NOTES_STORE", "REMINDERS_STORE", "CALENDAR_STORE", "MAIL_STORE")
    desk.settings |= dict.fromkeys(names, "apple")
    return found
