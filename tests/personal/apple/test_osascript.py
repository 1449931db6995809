"""The launcher of `osascript`: what it is given, and what it makes of every way to fail."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from okso_jupyter.errors import (
    ToolError,
    ToolFailedError,
    ToolRefusedError,
    ToolTimeoutError,
    ToolUnavailableError,
    ToolUncertainError,
)
from okso_jupyter.magic.doctor_stores import store_found
from okso_jupyter.personal.apple import application as apple
from okso_jupyter.personal.apple import osascript
from okso_jupyter.personal.apple.application import AppleApplication
from okso_jupyter.personal.call_time_limit import TimeLimit
from okso_jupyter.personal.mail.mail_settings import MailSettings
from okso_jupyter.settings import Settings
from tests.personal.apple.mac import Mac
from tests.personal.conftest import Desk

pytestmark = pytest.mark.process

_NOTES = AppleApplication(name="Notes", setting="NOTES_FOLDER")
_SCRIPTS = Path(osascript.__file__).with_name("scripts")


def read(application: AppleApplication = _NOTES) -> object:
    """List the notes."""
    return application.ask("list", place="Notes")


def write(application: AppleApplication = _NOTES) -> object:
    """Make a note."""
    return application.change("create", place="Notes", html="<div>x</div>")


@pytest.mark.parametrize("script", sorted(_SCRIPTS.glob("*.js")), ids=lambda path: path.stem)
def test_scripts_are_valid(script: Path) -> None:
    """Node reads each script."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node")
    subprocess.run([node, "--check", script], check=True)  # noqa: S603  our own command line


def test_the_text_of_a_script_is_constant(mac: Mac) -> None:
    """Whatever is asked, the text is the package's; values are in the arguments alone."""
    AppleApplication(name="Notes").change("create", place="Notes", html='"; beep --')
    AppleApplication(name="Notes").ask("list", place="Notes")
    lines = (mac.folder / "asked.jsonl").read_text().splitlines()
    assert len(lines) == 2
    assert all(
        '"script": ' in line and "beep" not in line.partition('"pieces"')[0] for line in lines
    )
    assert mac.asked[0] == {"do": "create", "place": "Notes", "html": '"; beep --'}


def test_passwords_are_not_inherited(mac: Mac, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program gets what it needs of the environment, and no key."""
    monkeypatch.setenv("MAIL_IMAP_PASSWORD", "horse")
    mac.osascript.write_text(f"#!/bin/sh\nenv > {mac.folder}/env\necho '{{\"value\": []}}'\n")
    assert read() == []
    said = (mac.folder / "env").read_text()
    assert "horse" not in said
    assert "HOME=" in said or "HOME" not in os.environ


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (-1743, "macOS does not let this program control Notes (allow it in System Settings"),
        (-1744, "macOS does not let this program control Notes"),
        (-600, "Notes is not running, or broke off"),
        (-1712, "Notes did not answer in time"),
        (-1728, "Notes could not do this: refused (-1728)"),
    ],
)
def test_errors_of_the_system_are_sentences(mac: Mac, number: int, said: str) -> None:
    """Of reading; and of a change before anything was changed."""
    mac.fails("Notes", "*", number)
    for call in (read, write):
        with pytest.raises(ToolError) as caught:
            call()
        assert str(caught.value).startswith(said)
        assert not isinstance(caught.value, ToolUncertainError)
    assert mac.notes == []


@pytest.mark.parametrize(
    ("number", "is_uncertain"), [(-1712, True), (-10000, True), (-1743, False)]
)
def test_a_change_that_broke_off_is_uncertain(mac: Mac, number: int, is_uncertain: bool) -> None:  # noqa: FBT001  a case
    """Where it had begun, unless the system says that it was not let through."""
    mac.fails("Notes", "pushed", number)
    with pytest.raises(ToolError) as caught:
        write()
    assert isinstance(caught.value, ToolUncertainError) is is_uncertain
    if is_uncertain:
        assert "whether Notes has made the change is not known" in caught.value.message


@pytest.mark.parametrize(
    ("behaviour", "said"),
    [
        ({"stdout": "hello"}, "the answer of Notes cannot be read"),
        ({"stdout": "[" * 100_000}, "the answer of Notes cannot be read"),
        ({"stdout": '{"value": "\\ud83d'}, "the answer of Notes cannot be read"),
        ({"stdout": "x" * 1024, "times": "40000"}, "the answer of Notes cannot be read"),
        ({"exit": "3"}, "Notes could not do this: it did not say why"),
        ({"exit": "1", "stderr": "a\nx: execution error: Error: Error: no such app (-2700)\n"},
         "Notes could not do this: no such app (-2700)"),
    ],
)  # fmt: skip
def test_a_program_that_misbehaves(mac: Mac, behaviour: dict[str, str], said: str) -> None:
    """A read fails, a change is uncertain unless the error came before it."""
    mac.behaves(**behaviour)
    with pytest.raises(ToolFailedError) as caught:
        read()
    assert caught.value.message == said
    expected = ToolFailedError if "(-2700)" in said else ToolUncertainError
    with pytest.raises(expected):
        write()


@pytest.mark.parametrize(("call", "kind"), [(read, ToolTimeoutError), (write, ToolUncertainError)])
def test_a_program_that_hangs_is_ended(
    mac: Mac, call: Callable[[AppleApplication], object], kind: type[ToolError]
) -> None:
    """At the end of the call's time; macOS may be asking a person."""
    mac.behaves(hang="")
    limit = TimeLimit.of_seconds(3)
    with pytest.raises(kind, match="Notes did not answer in time"):
        call(AppleApplication(name="Notes", time_limit=limit))


@pytest.mark.parametrize(("call", "kind"), [(read, ToolRefusedError), (write, ToolUncertainError)])
def test_stop_ends_a_script(
    mac: Mac, call: Callable[[AppleApplication], object], kind: type[ToolError]
) -> None:
    """Long before the end of its time; a change is uncertain then."""
    mac.behaves(hang="")
    limit = TimeLimit.of_seconds(50)

    def stop() -> None:
        while not (mac.folder / "hangs").exists():
            time.sleep(0.05)
        limit.cancelled.set()

    threading.Thread(target=stop).start()
    with pytest.raises(kind, match="stopped"):
        call(AppleApplication(name="Notes", time_limit=limit))
    assert not limit.is_over
    with pytest.raises(ToolRefusedError):
        call(AppleApplication(name="Notes", time_limit=limit))
    assert len(mac.asked) == 1


def test_an_uncertain_step_is_not_repeated(desk: Desk, mac: Mac) -> None:
    """The run says so; the note that was made after all is left."""
    mac.fails("Notes", "pushed", -1712)
    run = desk.call("notes_create", title="Tea", body="buy")
    assert run.steps_seen[0].status == "uncertain"
    assert len(mac.notes) == 1
    assert sum(asked["do"] == "create" for asked in mac.asked) == 1


def test_a_program_that_is_not_there(mac: Mac, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was asked, so a change is not uncertain."""
    monkeypatch.setattr(osascript, "PROGRAM", str(mac.folder / "none"))
    for call in (read, write):
        with pytest.raises(ToolUnavailableError, match="cannot be started: No such file"):
            call()


def test_on_another_system_the_choice_is_refused(
    desk: Desk, mac: Mac, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one sentence, and nothing is started."""
    monkeypatch.setattr(apple, "is_macos", osascript.is_macos)
    tools = {"NOTES": "notes_list", "REMINDERS": "reminders_list", "CALENDAR": "calendar_list",
             "MAIL": "mail_list_inbox"}  # fmt: skip
    for kind, tool in tools.items():
        assert desk.says(tool).startswith(
            f"{kind}_STORE is apple, and the Apple applications are on macOS alone"
        )
    assert not (mac.folder / "asked.jsonl").exists()


def test_the_doctor_tells_the_store_and_that_it_was_not_tried(
    desk: Desk, mac: Mac, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what it holds, read just now."""
    monkeypatch.chdir(desk.root)
    desk.call("notes_create", title="Tea", body="buy")
    settings = Settings.of(desk.settings)
    assert store_found(settings, "notes") == (
        "1 note in 'Notes' of the application Notes; not tried on a Mac"
    )
    mac.fails("Reminders", "*", -1743)
    with pytest.raises(ToolRefusedError, match="macOS does not let this program control Reminders"):
        store_found(settings, "reminders")
    assert MailSettings.of(settings).drafts_store().drafts_place == (
        "the drafts of the application Mail"
    )
