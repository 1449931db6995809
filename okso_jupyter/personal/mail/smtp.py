"""Sending by SMTP: one message, over TLS, to all of its recipients or to none.

Where the server took the message and did not say what became of it, whether it was sent is not
known: that is a ToolUncertainError, after which nobody sends it again.
"""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Final

from okso_jupyter.errors import (
    ToolFailedError,
    ToolRefusedError,
    ToolTimeoutError,
    ToolUnavailableError,
    ToolUncertainError,
)
from okso_jupyter.personal.call_time_limit import TimeLimit
from okso_jupyter.personal.mail.mail_server import MailServer

#: Longest time in seconds that the server may take for one answer.
_ANSWER_S: Final = 60.0
_ACCEPTED: Final = frozenset({250, 251})
_SENT: Final = 250


@dataclass(frozen=True, slots=True)
class SmtpSender:
    """Sends by a server; see `MailSender`.

    Attributes:
        server: The server.
    """

    server: MailServer

    def __str__(self) -> str:
        """Return the server in words."""
        return str(self.server)

    @property
    def host(self) -> str:
        """Name of the server."""
        return self.server.host

    def send(
        self,
        message: EmailMessage,
        *,
        sender: str,
        recipients: Sequence[str],
        time_limit: TimeLimit,
    ) -> str:
        """Send a message and return what the server said.

        Raises:
            ToolFailedError: The server refused it; it was sent to nobody.
            ToolRefusedError: There is no password, or the call was stopped before it was sent.
            ToolUnavailableError: The server cannot be reached, or broke off before it had the
                message.
            ToolTimeoutError: It did not answer, before it had the message.
            ToolUncertainError: It had the message and did not say what became of it.
        """
        server, password = self.server, self._password()
        data = message.as_bytes()
        with _connected(server, password, time_limit) as smtp:
            _check(smtp.mail(sender), f"the sender {sender}", server, password)
            for address in recipients:
                _wait(smtp, time_limit)
                _check(smtp.rcpt(address), f"the recipient {address}", server, password)
            _wait(smtp, time_limit)
            code, said = _handed_over(smtp, data, server, password)
            if code != _SENT:
                msg = f"{server} refused the mail: {_words(said, server, password)}"
                raise ToolFailedError(msg)
            if time_limit.cancelled.is_set():
                msg = f"{server} took the mail while the run was stopped: it was sent"
                raise ToolUncertainError(msg)
            return _words(said, server, password)

    def greet(self, time_limit: TimeLimit) -> None:
        """Log in and send nothing; raises as `send` does."""
        with _connected(self.server, self._password(), time_limit) as smtp:
            smtp.noop()

    def _password(self) -> str:
        return self.server.password() if self.server.user else ""


@contextmanager
def _connected(server: MailServer, password: str, limit: TimeLimit) -> Iterator[smtplib.SMTP]:
    """Yield a connection that is encrypted, checked and logged in."""
    smtp = None
    try:
        smtp = _opened(server, limit)
        smtp.ehlo_or_helo_if_needed()
        if password:
            _wait(smtp, limit)
            smtp.login(server.user, password)
        yield smtp
    except smtplib.SMTPAuthenticationError as error:
        said = _words(error.smtp_error, server, password)
        msg = f"{server} refused the password: {said}"
        raise ToolRefusedError(msg, hint="correct it where it is kept") from error
    except ssl.SSLError as error:
        raise server.untrusted(error) from error
    except TimeoutError as error:
        msg = f"{server} did not answer in time; nothing was sent"
        raise ToolTimeoutError(msg) from error
    except (smtplib.SMTPException, OSError) as error:
        said = _words(str(getattr(error, "smtp_error", "") or error), server, password)
        msg = f"{server} could not be used; nothing was sent: {said}"
        raise ToolUnavailableError(msg) from error
    finally:
        if smtp is not None:
            # sending is over, or has failed: how the server ends the connection says nothing
            with suppress(smtplib.SMTPException, OSError):
                smtp.close()


def _opened(server: MailServer, limit: TimeLimit) -> smtplib.SMTP:
    """Return a connection with TLS; the certificate is checked before anything is sent."""
    tls, wait_s = server.tls(), min(limit.left_s, _ANSWER_S)
    if server.begins_with_tls:
        return smtplib.SMTP_SSL(server.host, server.port, timeout=wait_s, context=tls,
                                local_hostname="localhost")  # fmt: skip
    smtp = smtplib.SMTP(server.host, server.port, timeout=wait_s, local_hostname="localhost")
    try:
        smtp.starttls(context=tls)  # raises where the server does not offer it
    except BaseException:  # Stop as well leaves no open connection
        smtp.close()
        raise
    return smtp


def _wait(smtp: smtplib.SMTP, limit: TimeLimit) -> None:
    """Limit the next wait for an answer; raise if the call is to stop."""
    limit.check()
    if limit.is_over:
        raise TimeoutError
    if smtp.sock is not None:
        smtp.sock.settimeout(min(limit.left_s, _ANSWER_S))


def _handed_over(
    smtp: smtplib.SMTP, data: bytes, server: MailServer, password: str
) -> tuple[int, bytes]:
    """Hand over the message and return the answer.

    Raises:
        ToolFailedError: The server did not want it.
        ToolUncertainError: There was no answer.
    """
    try:
        return smtp.data(data)
    except smtplib.SMTPDataError as error:  # raised before the message is handed over
        msg = f"{server} refused the mail: {_words(error.smtp_error, server, password)}"
        raise ToolFailedError(msg) from error
    except (smtplib.SMTPException, OSError) as error:
        msg = f"{server} broke off while it took the mail: whether it was sent is not known"
        raise ToolUncertainError(
            msg, hint="look whether it arrived before you send it again"
        ) from error


def _check(answer: tuple[int, bytes], what: str, server: MailServer, password: str) -> None:
    """Raise ToolFailedError if the server does not accept a sender or recipient."""
    code, said = answer
    if code not in _ACCEPTED:
        msg = f"{server} refused {what}; nothing was sent: {_words(said, server, password)}"
        raise ToolFailedError(msg)


def _words(said: bytes | str, server: MailServer, password: str) -> str:
    """Return what a server said on one line."""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    return server.without_password(text, password)[:300]
