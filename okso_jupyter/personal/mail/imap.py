"""ImapStore: mails on an IMAP server, over TLS; the inbox is opened for reading alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from imap_tools import AND, BaseMailBox

from okso_jupyter.errors import ToolError, ToolFailedError
from okso_jupyter.personal.call_time_limit import TimeLimit
from okso_jupyter.personal.mail.imap_connection import connected, literal_of
from okso_jupyter.personal.mail.imap_drafts import ImapDrafts
from okso_jupyter.personal.mail.mail_records import MailListing, ReceivedMail, SavedDraft
from okso_jupyter.personal.mail.mail_server import MailServer
from okso_jupyter.personal.mail.reading import read_mail, words_of

_INBOX: Final = "INBOX"
_MAX_MAIL_BYTES: Final = 4 * 1024 * 1024
_SEEN: Final = re.compile(rb"FLAGS \([^)]*\\Seen", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ImapStore:
    """Mails on an IMAP server.

    Attributes:
        server: The server.
    """

    server: MailServer

    @property
    def place(self) -> str:
        """The store in words."""
        return f"the inbox on {self.server}"

    @property
    def drafts_place(self) -> str:
        """Where drafts are kept, in words."""
        return f"the mailbox of drafts on {self.server}"

    def inbox(self, *, limit: int, unread_only: bool, time_limit: TimeLimit) -> MailListing:
        """Return the newest mails of the inbox; see `MailStore`."""
        with connected(self.server, time_limit) as box:
            box.folder.set(_INBOX, readonly=True)
            uids = box.uids("UNSEEN" if unread_only else "ALL", charset=None)
            return self._listing(box, uids, limit, "HEADER", time_limit)

    def search(self, text: str, *, limit: int, time_limit: TimeLimit) -> MailListing:
        """Return the newest mails of the inbox that hold each word of a text; see `MailStore`."""
        with connected(self.server, time_limit) as box:
            box.folder.set(_INBOX, readonly=True)
            # an ASCII text needs no charset, and some servers refuse to be told one
            charset = None if text.isascii() else "UTF-8"
            uids = box.uids(AND(*(AND(text=word) for word in words_of(text))), charset=charset)
            return self._listing(box, uids, limit, "", time_limit)

    def save_draft(self, message: bytes, *, time_limit: TimeLimit) -> SavedDraft:
        """Keep a message in the mailbox of drafts; see `MailStore`."""
        return ImapDrafts(self.server, time_limit).save(message)

    def _listing(
        self, box: BaseMailBox, uids: Sequence[str], limit: int, part: str, time_limit: TimeLimit
    ) -> MailListing:
        """Return the newest of some mails.

        Args:
            box: The open inbox.
            uids: Their numbers, oldest first.
            limit: Most mails.
            part: "HEADER", or an empty text for the whole mail.
            time_limit: The end of the call.
        """
        mails: list[ReceivedMail] = []
        damaged: list[str] = []
        for uid in reversed(uids):
            if len(mails) >= limit or time_limit.is_over:
                break
            time_limit.check()
            try:
                mails.append(_fetched(box, uid, part))
            except ToolError as error:
                damaged.append(f"mail {uid} on the server: {error.message}")
        return MailListing(
            place=self.place, mails=tuple(mails), total=len(uids), damaged=tuple(damaged)
        )


def _fetched(box: BaseMailBox, uid: str, part: str) -> ReceivedMail:
    """Return one mail, without marking it as read.

    Raises:
        ToolFailedError: The server did not give it, or it is not a mail.
    """
    wanted = f"(FLAGS BODY.PEEK[{part}]<0.{_MAX_MAIL_BYTES}>)"
    said, data = literal_of(box, uid, wanted)
    if not data.strip():
        msg = "the server did not give it"
        raise ToolFailedError(msg)
    return read_mail(data, is_unread=not _SEEN.search(said), with_text=not part)
