"""MailStore: what every store of mails can do, and the time that it has for it."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from okso_jupyter.errors import ToolRefusedError
from okso_jupyter.personal.mail.mail_records import MailListing, SavedDraft


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """When a call must have ended.

    Attributes:
        end_s: The end, as `time.monotonic` counts.
        cancelled: Set by another thread to stop the call.
    """

    end_s: float
    cancelled: threading.Event = field(default_factory=threading.Event)

    @property
    def left_s(self) -> float:
        """Seconds that are left, at least a tenth of one."""
        return max(self.end_s - time.monotonic(), 0.1)

    @property
    def is_over(self) -> bool:
        """Whether no time is left."""
        return time.monotonic() >= self.end_s

    def check(self) -> None:
        """Raise ToolRefusedError if the call is to stop."""
        if self.cancelled.is_set():
            msg = "stopped"
            raise ToolRefusedError(msg)


@runtime_checkable
class MailStore(Protocol):
    """A store of mails; its methods raise ToolError with one sentence."""

    @property
    def place(self) -> str:
        """The store in words, such as "the Maildir /home/ada/Mail"."""

    def inbox(self, *, limit: int, unread_only: bool, time_limit: TimeLimit) -> MailListing:
        """Return the newest mails of the inbox, headers only."""

    def search(self, text: str, *, limit: int, time_limit: TimeLimit) -> MailListing:
        """Return the newest mails of the inbox that hold each word of a text, in any case."""

    def save_draft(self, message: bytes) -> SavedDraft:
        """Keep a message among the drafts."""
