"""What a kind of personal data needs before plans may use it, as one sentence for its user."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from okso_jupyter.personal.mail import mail_settings
from okso_jupyter.personal.mail.mail_settings import MailSettings
from okso_jupyter.personal.personal_options import (
    KINDS,
    is_placed,
    missing_modules,
    offered_kinds,
)
from okso_jupyter.settings import Settings

_MAIL: Final = "mail"
_SEND_TOOL: Final = "mail_send"
_INSTALL: Final = "run pip install 'okso-jupyter[personal]'"
_HELD: Final[Mapping[str, str]] = {
    "notes": "notes",
    "reminders": "reminders",
    "calendar": "a calendar",
    _MAIL: "mail",
}


def what_is_missing(settings: Settings, tools: Mapping[str, str]) -> str:
    """Return the sentence that says what a request needs and has not; empty if nothing is missing.

    Args:
        settings: The settings.
        tools: A tool of each kind of data that the request is about, by the kind.
    """
    for kind, tool in tools.items():
        ways = " and ".join(_ways(settings, kind, tool))
        if ways:
            return f"I cannot use {_HELD[kind]} yet: {ways}, and I can do that."
    return ""


def _ways(settings: Settings, kind: str, tool: str) -> Iterator[str]:
    """Yield what is to be done before a kind of data is offered."""
    is_mail = kind == _MAIL
    is_offered = mail_settings.is_offered(settings) if is_mail else kind in offered_kinds(settings)
    if is_offered:
        return
    if settings.personal == "off":
        yield "PERSONAL is off, so set it to auto"
    if mail_settings.missing_modules() if is_mail else missing_modules():
        yield _INSTALL
    if not is_mail:
        if settings.personal != "on" and not is_placed(settings, kind):
            yield _store_setting(kind)
    elif not MailSettings.of(settings).is_set:
        yield _mail_setting(tool)


def _store_setting(kind: str) -> str:
    named = f"set {KINDS[kind]} to the folder for {'it' if kind == 'calendar' else 'them'}"
    url = KINDS[kind].replace("_DIR", "_URL")
    return named if kind == "notes" else f"{named} or {url} to your server"


def _mail_setting(tool: str) -> str:
    if tool == _SEND_TOOL:
        return "set MAIL_SMTP_URL to the server that sends"
    return "set MAIL_DIR to your Maildir or MAIL_IMAP_URL to your server"
