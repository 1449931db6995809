"""Requests for notes, reminders, events or mail where something that they need is missing."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any

import pytest

from okso_jupyter import Session
from okso_jupyter.errors import UsageError
from okso_jupyter.personal import personal_options
from okso_jupyter.personal.mail import mail_settings
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.tool import tool
from tests.bench import Bench, SmallModel

INSTALL = "run pip install 'okso-jupyter[personal]'"
REMINDERS_WAY = "REMINDERS_DIR to the folder for them or REMINDERS_URL to your server"
MAIL_WAY = "MAIL_DIR to your Maildir or MAIL_IMAP_URL to your server"
CALENDAR_WAY = "CALENDAR_DIR to the folder for it or CALENDAR_URL to your server"


def reply(bench: Bench, request: str, **settings: Any) -> str:
    """Return the reply of a session whose small model is never asked; empty for a plan."""
    (bench.root / "notes.txt").unlink(missing_ok=True)  # "my notes" would be about it
    bench.model = SmallModel([])
    chosen = {"OKSO_HOME": str(bench.home), **settings}
    with Session(chosen, model=bench.model, root=bench.root) as session:
        said = session.plan(request).reply
    assert bench.model.requests == []
    return said


@pytest.mark.parametrize(
    ("request_text", "what", "way"),
    [
        ("show my notes about lenses", "notes", "NOTES_DIR to the folder for them"),
        (
            "remind me on Friday at 9 to call",
            "reminders",
            REMINDERS_WAY,
        ),
        (
            "what is on next Tuesday?",
            "a calendar",
            CALENDAR_WAY,
        ),
        (
            "Block Friday from 14:00 for tests",
            "a calendar",
            CALENDAR_WAY,
        ),
        ("Any unread mail?", "mail", MAIL_WAY),
        ("Draft a mail to ada@example.org about lunch", "mail", MAIL_WAY),
        ("Mail ada@example.org: hello", "mail", "MAIL_SMTP_URL to the server that sends"),
        ("Send a mail to Ada", "mail", "MAIL_SMTP_URL to the server that sends"),
        (
            "Do my weekly review",
            "a calendar",
            CALENDAR_WAY,
        ),
    ],
)
def test_the_setting_is_named(bench: Bench, request_text: str, what: str, way: str) -> None:
    """One sentence says which setting is missing."""
    assert reply(bench, request_text) == f"I cannot use {what} yet: set {way}, and I can do that."


def test_the_extra_is_named(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its packages the sentence names the extra; a setting that is there is not named."""
    for name in ("dateparser", "tzlocal", "frontmatter", "icalendar", "imap_tools"):
        monkeypatch.setitem(sys.modules, name, None)
    assert personal_options.missing_modules()
    assert mail_settings.missing_modules() == ["imap_tools"]
    beside = {"NOTES_DIR": str(bench.root), "MAIL_DIR": str(bench.root)}

    assert (
        reply(bench, "list my notes", **beside)
        == f"I cannot use notes yet: {INSTALL}, and I can do that."
    )
    assert (
        reply(bench, "Any unread mail?", **beside)
        == f"I cannot use mail yet: {INSTALL}, and I can do that."
    )
    assert reply(bench, "remind me tomorrow to stretch") == (
        f"I cannot use reminders yet: {INSTALL} and set REMINDERS_DIR to the folder for them "
        "or REMINDERS_URL to your server, "
        "and I can do that."
    )


def test_what_is_turned_off_is_named(bench: Bench) -> None:
    """PERSONAL=off is why, and no folder is asked for that is named already."""
    settings = {"PERSONAL": "off", "NOTES_DIR": str(bench.root)}
    said = "I cannot use notes yet: PERSONAL is off, so set it to auto, and I can do that."
    assert reply(bench, "list my notes", **settings) == said


@pytest.mark.parametrize(
    "request_text",
    [
        "Send a mail to Ada",
        "email my boss that I am late",
        "Draft an e-mail to Ada Byron about lunch",
        "Schicke eine Mail an Ada",
    ],
)
def test_a_mail_needs_an_address(bench: Bench, request_text: str) -> None:
    """A name is no address, and none is looked up."""
    settings = {"MAIL_DIR": str(bench.root), "MAIL_SMTP_URL": "smtps://me@mail.example.org"}
    assert reply(bench, request_text, **settings).startswith("I cannot look up a mail address")


@pytest.mark.parametrize(
    "request_text",
    [
        "add 'done' to notes.txt",
        "search notes.md for lenses",
        "show my notes",
        "show the notes about lenses",
        "append 'buy tea' to todo.txt",
        "add 'buy tea' to the todo list",
        "What is on line 4 of notes.txt?",
        "Write 'email the landlord' into todo.txt",
        "Find the word email in notes.txt",
        "Draft an email to todo.txt",
        "send a mail to everybody in contacts.csv",
        "list the appointments in visits.csv",
        "How many events are in visits.csv?",
        "block 3 of notes.txt",
        "remind",
        "What is 3 plus 4?",
    ],
)
def test_what_is_about_files_is_not_taken(bench: Bench, request_text: str) -> None:
    """A request that names a file, or that only sounds like one for personal data, is as before."""
    (bench.root / "notes.txt").write_text("lenses: two\n")
    (bench.root / "todo.txt").write_text("call\n")
    (bench.root / "visits.csv").write_text("day,event\n1,a\n")
    bench.model = SmallModel([])
    said = ""
    settings = {"OKSO_HOME": str(bench.home)}
    with (
        suppress(UsageError),  # the model is asked, which has no answer
        Session(settings, model=bench.model, root=bench.root) as session,
    ):
        said = session.plan(request_text).reply
    assert " yet: set" not in said
    assert "mail address" not in said


@pytest.mark.parametrize("is_beside", [True, False])
def test_another_tool_for_it_is_left_to_do_it(bench: Bench, *, is_beside: bool) -> None:
    """Where another tool names reminders, or no tool is built in, no setting is asked for."""

    @tool(parameters={"properties": {"text": {"type": "string"}}}, effect="writes")
    def nudge(context: ToolContext, text: str) -> str:
        """Set a reminder, or do something else."""
        del context
        return text

    bench.model = SmallModel([])
    own = [*Session().tools.values(), nudge] if is_beside else [nudge]
    settings = {"OKSO_HOME": str(bench.home)}
    said = ""
    with (
        suppress(UsageError),  # the model is asked, which has no answer
        Session(settings, model=bench.model, root=bench.root, tools=own) as session,
    ):
        said = session.plan("remind me to stretch").reply
    assert " yet: set" not in said
