"""A Maildir with mails in it, written by the standard library."""

from __future__ import annotations

import mailbox
from email.message import EmailMessage
from pathlib import Path
from typing import Any


def a_mail(subject: str, text: str = "hello\n", **headers: str) -> EmailMessage:
    """Return a mail from bob@example.org, with a plain text."""
    message = EmailMessage()
    message["From"] = headers.pop("sender", "Bob <bob@example.org>")
    message["To"] = "me@example.org"
    message["Subject"] = subject
    message["Date"] = headers.pop("date", "Fri, 27 Nov 2026 10:00:00 +0000")
    message.set_content(text)
    return message


class Mailboxes:
    """A Maildir, and what lies in it.

    Args:
        folder: Where it is made.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._box = mailbox.Maildir(folder)
        self._count = 0

    def put(self, message: EmailMessage | bytes, *, is_read: bool = False) -> Path:
        """Add a mail, delivered after all others, and return its file."""
        self._count += 1
        place = "cur" if is_read else "new"
        name = f"{1_790_000_000 + self._count}.M{self._count}.here{':2,S' if is_read else ''}"
        file = self.folder / place / name
        file.write_bytes(message if isinstance(message, bytes) else message.as_bytes())
        return file

    def files(self) -> dict[str, bytes]:
        """Return the content of every file, by path."""
        found = sorted(path for path in self.folder.rglob("*") if path.is_file())
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in found}

    def folders(self) -> list[str]:
        """Return the paths of every folder."""
        found = sorted(path for path in self.folder.rglob("*") if path.is_dir())
        return [str(path.relative_to(self.folder)) for path in found]

    def drafts(self) -> list[Any]:
        """Return the drafts, as the standard library reads them."""
        folder = self.folder / ".Drafts"
        return list(mailbox.Maildir(folder, create=False)) if folder.exists() else []
