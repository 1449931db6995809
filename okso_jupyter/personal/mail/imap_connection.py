"""A connection to an IMAP server: encrypted, checked and logged in; failures are one sentence."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from imaplib import IMAP4
from typing import Final

from imap_tools import BaseMailBox, ImapToolsError, MailBox, MailboxLoginError, MailBoxStartTls

from okso_jupyter.errors import ToolRefusedError, ToolTimeoutError, ToolUnavailableError
from okso_jupyter.personal.call_time_limit import TimeLimit
from okso_jupyter.personal.mail.mail_server import MailServer

#: Longest time in seconds that the server may take for one answer.
_ANSWER_S: Final = 30.0


@contextmanager
def connected(server: MailServer, limit: TimeLimit) -> Iterator[BaseMailBox]:
    """Yield a connection in which no mailbox is opened yet.

    Raises:
        ToolRefusedError: The certificate or the password is not accepted.
        ToolUnavailableError: The server cannot be reached, or broke off.
        ToolTimeoutError: It did not answer in time.
    """
    box = None
    password = server.password()
    try:
        box = _opened(server, min(limit.left_s, _ANSWER_S))
        box.login(server.user, password, initial_folder=None)
        yield box
    except MailboxLoginError as error:
        msg = f"{server} refused the password"
        raise ToolRefusedError(msg, hint="correct it where it is kept") from error
    except ssl.SSLError as error:
        raise server.untrusted(error) from error
    except TimeoutError as error:
        msg = f"{server} did not answer in time"
        raise ToolTimeoutError(msg) from error
    except (ImapToolsError, IMAP4.error, OSError) as error:
        said = server.without_password(str(error), password)[:300]
        msg = f"{server} could not be used: {said}"
        raise ToolUnavailableError(msg) from error
    finally:
        if box is not None:
            # what was asked for is done: how the server ends the connection says nothing
            with suppress(Exception):
                box.client.shutdown()


def _opened(server: MailServer, wait_s: float) -> BaseMailBox:
    """Return a connection with TLS; the certificate is checked before anything is sent."""
    kind = MailBox if server.begins_with_tls else MailBoxStartTls
    return kind(server.host, server.port, timeout=wait_s, ssl_context=server.tls())


def literal_of(box: BaseMailBox, uid: str, wanted: str) -> tuple[bytes, bytes]:
    """Return what the server says of a mail, and the part of it; both empty if it gives none.

    Args:
        box: A connection in which the mailbox is opened.
        uid: Number of the mail there.
        wanted: What is asked for, such as "(BODY.PEEK[])", which marks nothing as read.
    """
    kind, answer = box.client.uid("FETCH", uid, wanted)
    pieces = [piece for piece in answer if piece] if kind == "OK" else []
    data = next((piece[1] for piece in pieces if isinstance(piece, tuple)), b"")
    return b" ".join(piece[0] if isinstance(piece, tuple) else piece for piece in pieces), data
