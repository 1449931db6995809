"""MailSender: what sends mails, a server or an application."""

from __future__ import annotations

from collections.abc import Sequence
from email.message import EmailMessage
from typing import Protocol

from okso_jupyter.personal.call_time_limit import TimeLimit


class MailSender(Protocol):
    """What sends mails; methods raise ToolError with one sentence."""

    @property
    def host(self) -> str:
        """Its short name, such as "mail.example.org"."""

    def send(
        self,
        message: EmailMessage,
        *,
        sender: str,
        recipients: Sequence[str],
        time_limit: TimeLimit,
    ) -> str:
        """Send a message once and return what was said.

        Raises:
            ToolUncertainError: Whether it was sent is not known.
        """

    def greet(self, time_limit: TimeLimit) -> None:
        """Raise ToolError unless mails can be sent; sends nothing."""
