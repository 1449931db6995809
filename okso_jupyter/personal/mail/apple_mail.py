"""AppleMail: the inbox and the drafts of Mail, which also sends; nothing is marked as read."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any, Final

from okso_jupyter.effects.file_changes import FileChange
from okso_jupyter.errors import ToolFailedError, ToolRefusedError, ToolUncertainError
from okso_jupyter.personal.apple.apple_items import AppleItems
from okso_jupyter.personal.apple.application import AppleApplication
from okso_jupyter.personal.call_time_limit import TimeLimit
from okso_jupyter.personal.mail.mail_addresses import NO_SUBJECT
from okso_jupyter.personal.mail.mail_records import MailListing, ReceivedMail, SavedDraft

_NAME: Final = "Mail"
_DRAFTS: Final = "Drafts"
#: Share of the time that is left in which mails are read; the rest is for the answer.
_READING: Final = 0.8


@dataclass(frozen=True, slots=True)
class AppleMail:
    """The mails of Mail; see `MailStore` and `MailSender`."""

    def __str__(self) -> str:
        """Return who sends, in words."""
        return f"the application {_NAME}"

    @property
    def host(self) -> str:
        """Who sends, for the sentence that says that it did."""
        return str(self)

    @property
    def place(self) -> str:
        """The store in words."""
        return f"the inbox of {self}"

    @property
    def drafts_place(self) -> str:
        """Where drafts are kept, in words."""
        return f"the drafts of {self}"

    def inbox(self, *, limit: int, unread_only: bool, time_limit: TimeLimit) -> MailListing:
        """Return the newest mails of the inbox; see `MailStore`."""
        found = self._read("inbox", time_limit, limit=limit, unread_only=unread_only)
        return self._listing(found, found["total"], 0)

    def search(self, text: str, *, limit: int, time_limit: TimeLimit) -> MailListing:
        """Return the newest mails of the inbox that hold each word of a text; see `MailStore`."""
        found = self._read("search", time_limit, limit=limit, words=text.lower().split())
        return self._listing(found, found["matches"], found["total"] - found["looked"])

    def save_draft(self, message: bytes, *, time_limit: TimeLimit) -> SavedDraft:
        """Keep a message among the drafts; see `MailStore`."""
        application = AppleApplication(name=_NAME, time_limit=time_limit)
        parsed = message_from_bytes(message, policy=SMTP)
        kept = application.change("draft", **_request(parsed, str(parsed["From"] or "")))
        if kept is None:
            msg = f"{_NAME} was told to keep the draft and does not show it"
            raise ToolUncertainError(msg, hint="look among the drafts before you ask for it again")
        entry = AppleItems(application=application, place=_DRAFTS).entry(kept)
        change = FileChange(kind="created", path=entry.path, after=entry.state)
        return SavedDraft(path=entry.path, changes=(change,))

    def send(
        self,
        message: EmailMessage,
        *,
        sender: str,
        recipients: Sequence[str],
        time_limit: TimeLimit,
    ) -> str:
        """Send a message and return what became of it; see `MailSender`."""
        del recipients  # those of the message
        application = AppleApplication(name=_NAME, time_limit=time_limit)
        if application.change("send", **_request(message, sender)) is not True:
            msg = f"{_NAME} did not send it"
            raise ToolFailedError(msg, hint="look whether it lies in its outbox")
        return f"{_NAME} has taken it"

    def greet(self, time_limit: TimeLimit) -> None:
        """Raise ToolError unless Mail answers and has an account."""
        if not AppleApplication(name=_NAME, time_limit=time_limit).ask("accounts"):
            msg = f"{_NAME} has no account"
            raise ToolFailedError(msg, hint="add one there")

    def _read(self, what: str, time_limit: TimeLimit, **values: object) -> dict[str, Any]:
        application = AppleApplication(name=_NAME, time_limit=time_limit)
        end_s = time.time() + _READING * time_limit.left_s
        found: dict[str, Any] = application.ask(what, end_ms=int(1000 * end_s), **values)
        return found

    def _listing(self, found: dict[str, Any], total: int, not_looked_at: int) -> MailListing:
        return MailListing(
            place=self.place,
            mails=tuple(map(_received, found["mails"])),
            total=total,
            damaged=tuple(found["damaged"]),
            not_looked_at=not_looked_at,
        )


def drafts() -> AppleItems:
    """Return the drafts, each by its Message-ID, for undo."""
    return AppleItems(application=AppleApplication(name=_NAME), place=_DRAFTS)


def _request(message: EmailMessage, sender: str) -> dict[str, Any]:
    """Return a message as a script takes it.

    Raises:
        ToolRefusedError: It has attachments.
    """
    if message.is_multipart():
        msg = f"{_NAME} takes no attachment from a script of okso"
        raise ToolRefusedError(msg, hint="attach it there, or set MAIL_SMTP_URL or MAIL_DIR")
    return {
        "subject": str(message["Subject"] or ""),
        "text": message.get_content().replace("\r\n", "\n").removesuffix("\n"),
        "to": [address.addr_spec for address in message["To"].addresses],
        "sender": sender,
    }


def _received(mail: dict[str, Any]) -> ReceivedMail:
    date = datetime.fromisoformat(mail["date"]).astimezone() if mail["date"] else None
    return ReceivedMail(
        subject=mail["subject"] or NO_SUBJECT,
        sender=mail["sender"],
        date=date.isoformat(timespec="seconds") if date else "",
        is_unread=mail["unread"],
        whole_text=mail["text"],
        attachments=tuple(mail["attachments"]),
    )
