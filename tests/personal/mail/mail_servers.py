"""Real mail servers on loopback with TLS: Dovecot for IMAP, aiosmtpd for SMTP."""

from __future__ import annotations

import asyncio
import getpass
import os
import pwd
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

PASSWORD = "correct-horse-battery"  # noqa: S105  of servers that live for a test
USER = "ada"


@dataclass(frozen=True)
class Certificates:
    """A certificate authority, and a certificate for this machine.

    Attributes:
        folder: Where their files are.
    """

    folder: Path

    def __post_init__(self) -> None:
        authority = trustme.CA()
        own = authority.issue_cert("localhost", "127.0.0.1")
        authority.cert_pem.write_to_path(str(self.ca_file))
        own.cert_chain_pems[0].write_to_path(str(self.certificate))
        own.private_key_pem.write_to_path(str(self.key))

    @property
    def ca_file(self) -> Path:
        """The authority."""
        return self.folder / "ca.pem"

    @property
    def certificate(self) -> Path:
        """The certificate."""
        return self.folder / "cert.pem"

    @property
    def key(self) -> Path:
        """Its key."""
        return self.folder / "key.pem"

    def tls(self) -> ssl.SSLContext:
        """Return the context of a server."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.certificate, self.key)
        return context


def free_port() -> int:
    """Return a port of loopback that nothing listens on."""
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return int(opened.getsockname()[1])


_CONFIG = """
protocols = imap
listen = 127.0.0.1
base_dir = {base}/run
state_dir = {base}/state
log_path = {base}/dovecot.log
ssl = required
ssl_cert = <{certificate}
ssl_key = <{key}
disable_plaintext_auth = no
auth_mechanisms = plain login
mail_location = maildir:{maildir}
first_valid_uid = 1
first_valid_gid = 1
default_internal_user = {internal}
default_login_user = {login}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={base}/home
}}
namespace inbox {{
  inbox = yes
  mailbox Entwürfe {{
    special_use = {drafts}
    auto = create
  }}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {starttls_port}
  }}
  inet_listener imaps {{
    port = {port}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"""


def _program() -> str | None:
    """Return the path of Dovecot; None if it is not installed."""
    return shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def has_dovecot() -> bool:
    """Return whether Dovecot is installed."""
    return _program() is not None


@dataclass(frozen=True)
class Dovecot:
    """A running Dovecot that serves one Maildir.

    Attributes:
        port: Port that begins with TLS.
        starttls_port: Port that turns to TLS.
    """

    port: int
    starttls_port: int

    @property
    def url(self) -> str:
        """Its address."""
        return f"imaps://{USER}@localhost:{self.port}"


@contextmanager
def dovecot(
    base: Path, maildir: Path, certificates: Certificates, *, drafts: str = "\\Drafts"
) -> Iterator[Dovecot]:
    """Yield a private Dovecot, with its own configuration, files and ports.

    Args:
        base: Folder of its files.
        maildir: The mails that it serves.
        certificates: Its certificates.
        drafts: Special use of its mailbox "Entwürfe".
    """
    program = _program() or ""
    (base / "home").mkdir(parents=True)
    is_root = os.geteuid() == 0
    names = ("dovecot", "dovenull") if is_root else (getpass.getuser(),) * 2
    uid, gid = os.geteuid(), os.getegid()
    if is_root:  # which Dovecot serves no mails as
        user = pwd.getpwnam("mail")
        uid, gid = user.pw_uid, user.pw_gid
        for path in (base / "home", maildir, *maildir.rglob("*")):
            os.chown(path, uid, gid)
    served = Dovecot(free_port(), free_port())
    config = base / "dovecot.conf"
    config.write_text(
        _CONFIG.format(
            base=base,
            certificate=certificates.certificate,
            key=certificates.key,
            maildir=maildir,
            drafts=drafts,
            password=PASSWORD,
            internal=names[0],
            login=names[1],
            uid=uid,
            gid=gid,
            port=served.port,
            starttls_port=served.starttls_port,
        )
    )
    running = subprocess.Popen([program, "-F", "-c", str(config)])  # noqa: S603  found above
    try:
        _wait_for(served.port, running, base / "dovecot.log")
        yield served
    finally:
        running.terminate()
        running.wait(10)


def _wait_for(port: int, running: subprocess.Popen[bytes], log: Path) -> None:
    """Return when a port is served; raise with the log if the program has ended."""
    for _ in range(200):
        if running.poll() is not None:
            raise RuntimeError(log.read_text() if log.exists() else "dovecot ended")
        try:
            socket.create_connection(("127.0.0.1", port), 0.5).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(log.read_text() if log.exists() else "dovecot does not answer")


@dataclass
class Outbox:
    """What an SMTP server was given, and how it behaves.

    Attributes:
        sent: The messages that it took.
        refuses: Recipients that it refuses.
        ends_at: Breaks the connection off: "data" when it has the message, "" never.
        answer: What it says when it has the message.
        port: Its port.
        certificates: Its certificates.
    """

    certificates: Certificates
    sent: list[Envelope] = field(default_factory=list)
    refuses: tuple[str, ...] = ()
    ends_at: str = ""
    answer: str = "250 taken"
    port: int = 0

    @property
    def url(self) -> str:
        """Its address."""
        return f"smtps://{USER}@localhost:{self.port}"

    async def handle_RCPT(  # noqa: N802  aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take or refuse a recipient."""
        del server, session, options
        if address in self.refuses:
            return f"550 {address} is not here"
        envelope.rcpt_tos.append(address)
        return "250 fine"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802  aiosmtpd's name
        """Take the message, and answer, wait or break off."""
        del session
        self.sent.append(envelope)
        if self.ends_at == "data" and isinstance(server.transport, asyncio.WriteTransport):
            server.transport.abort()
        return self.answer


def _let_in(
    _server: SMTP, _session: Session, _envelope: Envelope, _how: str, who: Any
) -> AuthResult:
    is_right = isinstance(who, LoginPassword) and who.password == PASSWORD.encode()
    # a failure that is handled would be one that was answered already
    return AuthResult(success=is_right and who.login == USER.encode(), handled=False)


@contextmanager
def smtp_server(outbox: Outbox, *, begins_with_tls: bool = True) -> Iterator[Outbox]:
    """Yield the outbox of a server that is running."""
    tls = outbox.certificates.tls()
    outbox.port = free_port()
    kind: dict[str, Any] = (
        {"ssl_context": tls} if begins_with_tls else {"tls_context": tls, "require_starttls": True}
    )
    controller = Controller(
        outbox,
        hostname="127.0.0.1",
        port=outbox.port,
        authenticator=_let_in,
        auth_required=True,
        auth_require_tls=not begins_with_tls,
        **kind,
    )
    controller.start()
    try:
        yield outbox
    finally:
        controller.stop()
