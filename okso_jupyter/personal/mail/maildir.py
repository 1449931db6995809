"""MaildirStore: mails in a folder, one file each, as mutt, notmuch and mbsync keep them.

The flags of a mail are in its file's name: "S" in `name:2,S` says that it was read. Nothing that is
there is changed; a draft is a new file.
"""

from __future__ import annotations

import heapq
import mailbox
import re
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from okso_jupyter.effects.file_changes import FileChange, made_folder
from okso_jupyter.errors import ToolError, ToolFailedError
from okso_jupyter.personal.call_time_limit import TimeLimit
from okso_jupyter.personal.mail.mail_records import MailListing, ReceivedMail, SavedDraft
from okso_jupyter.personal.mail.reading import holds, may_hold, read_mail
from okso_jupyter.workspace import FolderEntry, Workspace, without_links

#: More mails of one inbox are not looked at.
_MAX_MAILS: Final = 200_000
_HEADER_BYTES: Final = 128 * 1024
_MAX_MAIL_BYTES: Final = 4 * 1024 * 1024
_MAX_DAMAGED: Final = 20
_PARTS: Final = ("new", "cur")
#: Folders of drafts: of Maildir++ (Dovecot, Courier), and of mbsync and offlineimap.
_DRAFTS: Final = (".Drafts", "Drafts")
#: Folders of the inbox: the Maildir itself, or one beside the folder of drafts.
_INBOXES: Final = (".", "INBOX", "Inbox", "inbox")
#: The time of delivery, in seconds since 1970, that begins the name of a mail.
_DELIVERED: Final = re.compile(r"(\d{9,11})\.")


@dataclass(frozen=True, slots=True)
class MaildirStore:
    """Mails in a Maildir.

    Attributes:
        folder: The Maildir, or the folder that holds one called INBOX.
    """

    folder: Path

    @property
    def place(self) -> str:
        """The store in words."""
        return f"the Maildir {self.folder}"

    @property
    def drafts_place(self) -> str:
        """Where drafts are kept, in words."""
        return self.place

    def inbox(self, *, limit: int, unread_only: bool, time_limit: TimeLimit) -> MailListing:
        """Return the newest mails of the inbox; see `MailStore`."""
        with self._opened() as workspace:
            files = [f for f in _files(workspace) if not unread_only or _is_unread(f)]
            found = _Found(workspace, limit, time_limit)
            for file in _newest_first(files):
                if found.is_full or time_limit.is_over:
                    break
                found.take(file, "")
            return found.listing(self.place, len(files), 0)

    def search(self, text: str, *, limit: int, time_limit: TimeLimit) -> MailListing:
        """Return the newest mails of the inbox that hold each word of a text; see `MailStore`."""
        with self._opened() as workspace:
            waiting = list(_newest_first(_files(workspace)))
            found, looked = _Found(workspace, limit, time_limit), 0
            for file in waiting:
                if time_limit.is_over:
                    break
                found.take(file, text)
                looked += 1
            return found.listing(self.place, found.matches, len(waiting) - looked)

    def save_draft(self, message: bytes, *, time_limit: TimeLimit) -> SavedDraft:
        """Keep a message among the drafts; see `MailStore`."""
        time_limit.check()
        with self._opened() as workspace:
            folder = workspace.root / _drafts_of(workspace)
            new = [part for part in _parts_of(folder) if not part.exists()]
            try:
                drafts = mailbox.Maildir(folder)
                draft = mailbox.MaildirMessage(message)
                draft.set_subdir("cur")
                draft.set_flags("DS")
                file = folder / "cur" / f"{drafts.add(draft)}:2,DS"
            except OSError as error:
                msg = f"the draft cannot be written to {folder}: {error.strerror}"
                raise ToolFailedError(msg) from error
            made = [made_folder(str(part)) for part in new]
            after = workspace.state(str(file))
            change = FileChange(kind="created", path=str(file), after=after)
            return SavedDraft(path=str(file), changes=(*made, change))

    @contextmanager
    def _opened(self) -> Iterator[Workspace]:
        """Yield the folder, in which no link is followed.

        Raises:
            ToolFailedError: It is not a Maildir.
        """
        try:
            workspace = Workspace(self.folder, opener=without_links)
        except ToolError as error:
            msg = f"MAIL_DIR is {self.folder}, which cannot be opened: {error.message}"
            raise ToolFailedError(msg, hint="name the folder of a Maildir") from error
        with closing(workspace):
            if not any(map(workspace.is_dir, _folders_of_inbox())):
                msg = f"MAIL_DIR is {self.folder}, which is not a Maildir: it holds no new and cur"
                raise ToolFailedError(msg, hint="name the folder of a Maildir")
            yield workspace


@dataclass(slots=True)
class _Found:
    """The mails found so far.

    Attributes:
        workspace: The Maildir.
        limit: Most mails that are kept.
        time_limit: The end of the call.
        matches: How many mails were found, kept or not.
        mails: Those that are kept.
        damaged: A sentence for each that could not be read.
    """

    workspace: Workspace
    limit: int
    time_limit: TimeLimit
    matches: int = 0
    mails: list[ReceivedMail] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)

    @property
    def is_full(self) -> bool:
        """Whether as many mails are kept as were asked for."""
        return len(self.mails) >= self.limit

    def take(self, file: FolderEntry, text: str) -> None:
        """Read a mail and keep it if it holds a text; a damaged one is named."""
        self.time_limit.check()
        try:
            mail = _read(self.workspace, file, text)
        except ToolError as error:
            if len(self.damaged) < _MAX_DAMAGED:
                self.damaged.append(f"{file.path}: {error.message}")
            return
        if mail is not None:
            self.matches += 1
            if not self.is_full:
                self.mails.append(mail)

    def listing(self, place: str, total: int, not_looked_at: int) -> MailListing:
        """Return what was found."""
        return MailListing(
            place=place,
            mails=tuple(self.mails),
            total=total,
            damaged=tuple(self.damaged),
            not_looked_at=not_looked_at,
        )


def _read(workspace: Workspace, file: FolderEntry, text: str) -> ReceivedMail | None:
    """Return a mail; None if it does not hold a text.

    Raises:
        ToolError: It cannot be read.
    """
    if not file.is_file:
        msg = "it is not a regular file"
        raise ToolFailedError(msg)
    with workspace.open(file.path) as opened:
        data = opened.read(_MAX_MAIL_BYTES if text else _HEADER_BYTES)
    if not data.strip():
        msg = "it is empty"
        raise ToolFailedError(msg)
    if text and not may_hold(data, text):
        return None
    mail = read_mail(data, is_unread=_is_unread(file), with_text=bool(text))
    return mail if not text or holds(mail, text) else None


def _folders_of_inbox() -> Iterator[str]:
    """Yield every path of a Maildir that mails of the inbox may be in."""
    yield from (f"{inbox}/{part}" for inbox in _INBOXES for part in _PARTS)


def _files(workspace: Workspace) -> list[FolderEntry]:
    """Return the files of the inbox."""
    inbox = next(i for i in _INBOXES if any(workspace.is_dir(f"{i}/{part}") for part in _PARTS))
    return [
        file
        for part in _PARTS
        if workspace.is_dir(f"{inbox}/{part}")
        for file in workspace.listdir(f"{inbox}/{part}", max_entries=_MAX_MAILS)
        if not file.name.startswith(".")
    ]


def _newest_first(files: Iterable[FolderEntry]) -> Iterator[FolderEntry]:
    """Yield files by their time of delivery, newest first; only as many as are taken are sorted."""
    waiting = [(-_delivered_s(file), file.path, file) for file in files]
    heapq.heapify(waiting)
    while waiting:
        yield heapq.heappop(waiting)[2]


def _delivered_s(file: FolderEntry) -> float:
    """Return when a mail was delivered, in seconds since 1970."""
    named = _DELIVERED.match(file.name)
    return float(named[1]) if named else file.modified_s


def _is_unread(file: FolderEntry) -> bool:
    return "S" not in file.name.rpartition(":2,")[2] if ":2," in file.name else True


def _drafts_of(workspace: Workspace) -> str:
    """Return the folder of drafts that is there, else the one of Maildir++."""
    return next((name for name in _DRAFTS if workspace.is_dir(name)), _DRAFTS[0])


def _parts_of(folder: Path) -> list[Path]:
    """Return a Maildir and the folders in it, parents first."""
    return [folder, *(folder / part for part in ("tmp", "new", "cur"))]
