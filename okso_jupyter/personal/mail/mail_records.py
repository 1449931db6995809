"""Records of mails: what a store lists, and a mail that is to be written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from okso_jupyter.effects.file_changes import FileChange


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedMail:
    """One mail of a store; every text in it was written by others and is untrusted.

    Attributes:
        subject: Its subject; "(no subject)" if it has none.
        sender: Who it says it is from.
        date: When it says it was sent, ISO 8601; empty if it does not say.
        is_unread: Whether it has not been read yet.
        whole_text: Its plain text; empty where only headers were asked for.
        html: Its body as HTML where it has no plain text; empty otherwise.
        attachments: Names of its attachments, which stay where they are.
    """

    subject: str
    sender: str
    date: str = ""
    is_unread: bool = False
    whole_text: str = ""
    html: str = ""
    attachments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MailListing:
    """Mails of an inbox, newest first.

    Attributes:
        place: The store, in words.
        mails: The mails that were asked for.
        total: How many there are of that kind.
        damaged: A sentence for each mail that could not be read; it is left as it is.
        not_looked_at: How many mails were not looked at, for lack of time.
    """

    place: str
    mails: tuple[ReceivedMail, ...] = ()
    total: int = 0
    damaged: tuple[str, ...] = ()
    not_looked_at: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file that goes with a mail.

    Attributes:
        name: Its name, without a folder.
        data: Its content.
    """

    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingMail:
    """A mail that is to be kept as a draft or sent.

    Attributes:
        recipients: Addresses, at least one.
        subject: Its subject; "(no subject)" if none was given.
        body: Its text.
        attachments: What goes with it.
    """

    recipients: tuple[str, ...]
    subject: str
    body: str
    attachments: tuple[Attachment, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the mail as the value of a step; attachments by name and size."""
        return {
            "to": list(self.recipients),
            "subject": self.subject,
            "body": self.body,
            "attachments": [
                {"name": part.name, "size_bytes": len(part.data)} for part in self.attachments
            ],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedDraft:
    """A draft that was kept.

    Attributes:
        path: Its file, absolute; or its address on a server.
        changes: What was changed, with these paths.
    """

    path: str
    changes: tuple[FileChange, ...]
