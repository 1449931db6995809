"""MailStore: what every store of mails can do."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from okso_jupyter.personal.call_time_limit import TimeLimit
from okso_jupyter.personal.mail.mail_records import MailListing, SavedDraft


@runtime_checkable
class MailStore(Protocol):
    """A store of mails; its methods raise ToolError with one sentence."""

    @property
    def place(self) -> str:
        """The store in words, such as "the Maildir /home/ada/Mail"."""

    @property
    def drafts_place(self) -> str:
        """Where drafts are kept, in words."""

    def inbox(self, *, limit: int, unread_only: bool, time_limit: TimeLimit) -> MailListing:
        """Return the newest mails of the inbox, headers only."""

    def search(self, text: str, *, limit: int, time_limit: TimeLimit) -> MailListing:
        """Return the newest mails of the inbox that hold each word of a text, in any case."""

    def save_draft(self, message: bytes, *, time_limit: TimeLimit) -> SavedDraft:
        """Keep a message among the drafts."""
