"""ImapStore: mails on an IMAP server, over TLS; the inbox is opened for reading alone."""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from imaplib import IMAP4
from typing import Final

from imap_tools import AND, BaseMailBox, ImapToolsError, MailBox, MailboxLoginError, MailBoxStartTls

from okso_jupyter.errors import (
    ToolError,
    ToolFailedError,
    ToolRefusedError,
    ToolTimeoutError,
    ToolUnavailableError,
)
from okso_jupyter.personal.call_time_limit import TimeLimit
from okso_jupyter.personal.mail.mail_records import MailListing, ReceivedMail, SavedDraft
from okso_jupyter.personal.mail.mail_server import MailServer
from okso_jupyter.personal.mail.reading import read_mail, words_of

_INBOX: Final = "INBOX"
_MAX_MAIL_BYTES: Final = 4 * 1024 * 1024
#: Longest time in seconds that the server may take for one answer.
_ANSWER_S: Final = 30.0
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

    def inbox(self, *, limit: int, unread_only: bool, time_limit: TimeLimit) -> MailListing:
        """Return the newest mails of the inbox; see `MailStore`."""
        with self._opened(time_limit) as box:
            uids = box.uids("UNSEEN" if unread_only else "ALL", charset=None)
            return self._listing(box, uids, limit, "HEADER", time_limit)

    def search(self, text: str, *, limit: int, time_limit: TimeLimit) -> MailListing:
        """Return the newest mails of the inbox that hold each word of a text; see `MailStore`."""
        with self._opened(time_limit) as box:
            # an ASCII text needs no charset, and some servers refuse to be told one
            charset = None if text.isascii() else "UTF-8"
            uids = box.uids(AND(*(AND(text=word) for word in words_of(text))), charset=charset)
            return self._listing(box, uids, limit, "", time_limit)

    def save_draft(self, message: bytes) -> SavedDraft:
        """Refuse: what lies on a server is not taken back by undo."""
        del message
        msg = "drafts are kept in a Maildir, and MAIL_DIR names none"
        raise ToolRefusedError(msg, hint="set MAIL_DIR to a Maildir")

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

    @contextmanager
    def _opened(self, limit: TimeLimit) -> Iterator[BaseMailBox]:
        """Yield the inbox, opened for reading alone.

        Raises:
            ToolRefusedError: The certificate or the password is not accepted.
            ToolUnavailableError: The server cannot be reached, or broke off.
            ToolTimeoutError: It did not answer in time.
        """
        server, box = self.server, None
        password = server.password()
        try:
            box = self._connected(min(limit.left_s, _ANSWER_S))
            box.login(server.user, password, initial_folder=None)
            box.folder.set(_INBOX, readonly=True)
            yield box
        except MailboxLoginError as error:
            msg = f"{server} refused the password"
            raise ToolRefusedError(msg, hint="correct it where it is kept") from error
        except ssl.SSLError as error:
            msg = f"{server} is not trusted: {getattr(error, 'verify_message', '') or error.reason}"
            hint = "MAIL_CA_FILE names the certificates of a private server"
            raise ToolRefusedError(msg, hint=hint) from error
        except TimeoutError as error:
            msg = f"{server} did not answer in time"
            raise ToolTimeoutError(msg) from error
        except (ImapToolsError, IMAP4.error, OSError) as error:
            said = server.without_password(str(error), password)[:300]
            msg = f"{server} could not be used: {said}"
            raise ToolUnavailableError(msg) from error
        finally:
            if box is not None:
                # the mails were read: how the server ends the connection says nothing
                with suppress(Exception):
                    box.client.shutdown()

    def _connected(self, wait_s: float) -> BaseMailBox:
        """Return a connection with TLS; the certificate is checked before anything is sent."""
        kind = MailBox if self.server.begins_with_tls else MailBoxStartTls
        tls = self.server.tls()
        return kind(self.server.host, self.server.port, timeout=wait_s, ssl_context=tls)


def _fetched(box: BaseMailBox, uid: str, part: str) -> ReceivedMail:
    """Return one mail, without marking it as read.

    Raises:
        ToolFailedError: The server did not give it, or it is not a mail.
    """
    wanted = f"(FLAGS BODY.PEEK[{part}]<0.{_MAX_MAIL_BYTES}>)"
    kind, answer = box.client.uid("FETCH", uid, wanted)
    pieces = [piece for piece in answer if piece]
    data = next((piece[1] for piece in pieces if isinstance(piece, tuple)), b"")
    if kind != "OK" or not data.strip():
        msg = "the server did not give it"
        raise ToolFailedError(msg)
    said = b" ".join(piece[0] if isinstance(piece, tuple) else piece for piece in pieces)
    return read_mail(data, is_unread=not _SEEN.search(said), with_text=not part)
