"""ImapDrafts: the drafts on an IMAP server, each by an address that holds its Message-ID."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from email import message_from_bytes
from email.policy import SMTP
from imaplib import IMAP4
from typing import Final
from urllib.parse import quote, unquote

from imap_tools import AND, BaseMailBox, H, MailboxAppendError

from okso_jupyter.effects.file_changes import FileChange
from okso_jupyter.errors import (
    ToolError,
    ToolFailedError,
    ToolNotFoundError,
    ToolRefusedError,
    ToolUncertainError,
)
from okso_jupyter.personal.call_time_limit import TimeLimit
from okso_jupyter.personal.mail.imap_connection import connected, literal_of
from okso_jupyter.personal.mail.mail_records import SavedDraft
from okso_jupyter.personal.mail.mail_server import MailServer
from okso_jupyter.personal.served_place import ServedEntry

#: Flag of the mailbox of drafts (RFC 6154), and flags of a draft.
_SPECIAL_USE: Final = "\\drafts"
_FLAGS: Final = ("\\Draft", "\\Seen")
#: Longest time in seconds of one call where no limit is given.
_CALL_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class ImapDrafts:
    """The drafts on a server; see `ServedPlace`.

    Attributes:
        server: The server.
        time_limit: The end of the call; None where each one has its own time.
    """

    server: MailServer
    time_limit: TimeLimit | None = None

    def save(self, message: bytes) -> SavedDraft:
        """Keep a message in the mailbox that the server has for drafts.

        Raises:
            ToolNotFoundError: It has none.
            ToolFailedError: It did not take the message.
            ToolUncertainError: It broke off while it took it.
        """
        limit = self._limit()
        with connected(self.server, limit) as box:
            name = self._mailbox(box)
            limit.check()
            self._append(box, name, message)
        message_id = str(message_from_bytes(message, policy=SMTP)["Message-ID"])
        path = f"{self._url}/{quote(name, safe='')}/{quote(message_id, safe='')}"
        state = self._left(path, message).state
        return SavedDraft(path=path, changes=(FileChange(kind="created", path=path, after=state),))

    def holds(self, path: str) -> bool:
        """Return whether an address is one of a draft on this server."""
        return path.startswith(f"{self._url}/") and path.count("/") == self._url.count("/") + 2

    def get(self, path: str) -> ServedEntry | None:
        """Return the draft at an address; None if there is none."""
        name, message_id = _parts(path)
        with connected(self.server, self._limit()) as box:
            box.folder.set(name, readonly=True)
            uids = _uids(box, message_id)
            if len(uids) > 1:
                msg = f"{self.server} holds {len(uids)} drafts with the id {message_id}"
                raise ToolFailedError(msg)
            if not uids:
                return None
            _, data = literal_of(box, uids[0], "(BODY.PEEK[])")
        return ServedEntry(path=path, version=uids[0], data=data)

    def put(self, path: str, data: bytes, *, version: str | None) -> None:
        """Keep a draft again at its address; one that is there is never replaced."""
        if version is not None:
            msg = "a draft on a server is not rewritten"
            raise ToolRefusedError(msg)
        with connected(self.server, self._limit()) as box:
            self._append(box, _parts(path)[0], data)

    def delete(self, path: str, *, version: str) -> None:
        """Remove a draft; without UIDPLUS it is marked as deleted, as the server has it."""
        name, message_id = _parts(path)
        with connected(self.server, self._limit()) as box:
            box.folder.set(name)
            if version not in _uids(box, message_id):
                msg = f"the draft {message_id} is no longer there"
                raise ToolNotFoundError(msg)
            kind, _ = box.client.uid("STORE", version, "+FLAGS.SILENT", "(\\Deleted)")
            if kind != "OK":
                msg = f"{self.server} did not remove the draft"
                raise ToolFailedError(msg)
            # EXPUNGE alone would remove what the user has marked as well
            if b"UIDPLUS" in box.client.capability()[1][0].upper().split():
                box.client.uid("EXPUNGE", version)

    @property
    def _url(self) -> str:
        scheme = "imaps" if self.server.begins_with_tls else "imap"
        return f"{scheme}://{self.server.host}:{self.server.port}"

    def _limit(self) -> TimeLimit:
        return self.time_limit or TimeLimit.of_seconds(_CALL_S)

    def _mailbox(self, box: BaseMailBox) -> str:
        """Return the name of the mailbox of drafts."""
        for folder in box.folder.list():
            if _SPECIAL_USE in {flag.lower() for flag in folder.flags}:
                return folder.name
        msg = f"{self.server} names no mailbox for drafts"
        raise ToolNotFoundError(msg, hint="set MAIL_DIR to a Maildir for drafts")

    def _append(self, box: BaseMailBox, name: str, message: bytes) -> None:
        try:
            box.append(message, name, flag_set=_FLAGS)
        except MailboxAppendError as error:
            msg = f"{self.server} did not take the draft"
            raise ToolFailedError(msg) from error
        except (IMAP4.abort, OSError) as error:
            msg = f"{self.server} broke off while it took the draft: whether it is there is unknown"
            raise ToolUncertainError(msg, hint="look among the drafts") from error

    def _left(self, path: str, message: bytes) -> ServedEntry:
        """Return a draft as the server keeps it.

        It was kept, so an error says nothing: undo looks at the draft before it acts.
        """
        with suppress(ToolError):
            found = self.get(path)
            if found is not None:
                return found
        return ServedEntry(path=path, version="", data=message)


def _parts(path: str) -> tuple[str, str]:
    """Return the mailbox and the Message-ID in an address."""
    _, name, message_id = path.rsplit("/", 2)
    return unquote(name), unquote(message_id)


def _uids(box: BaseMailBox, message_id: str) -> list[str]:
    """Return the numbers of the drafts with an id that are not marked as deleted."""
    return box.uids(AND(header=H("Message-ID", message_id), deleted=False), charset=None)
