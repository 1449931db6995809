"""Mails on a real IMAP server, and what notmuch reads of a Maildir that was written to."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter import Session, Settings
from okso_jupyter.errors import ToolError, ToolRefusedError, ToolTimeoutError, ToolUnavailableError
from okso_jupyter.magic import doctor
from okso_jupyter.personal.call_time_limit import TimeLimit
from okso_jupyter.personal.mail.imap import ImapStore
from okso_jupyter.personal.mail.mail_records import OutgoingMail
from okso_jupyter.personal.mail.mail_server import MailServer
from okso_jupyter.personal.mail.maildir import MaildirStore
from okso_jupyter.personal.mail.writing import message_of
from tests.bench import END, Bench
from tests.personal.mail.mail_servers import (
    PASSWORD,
    USER,
    Certificates,
    Dovecot,
    Outbox,
    dovecot,
    free_port,
    has_dovecot,
    smtp_server,
)
from tests.personal.mail.mailbox_lab import Mailboxes, a_mail

#: aiosmtpd does not see that its connections began with TLS.
pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH")

FOLDER = "/tmp"  # noqa: S108  Dovecot's own user must be able to enter it


@pytest.fixture(name="place")
def _place() -> Iterator[Path]:
    """A folder that another user may enter."""
    with tempfile.TemporaryDirectory(dir=FOLDER, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.fixture(name="boxes")
def _boxes(place: Path) -> Mailboxes:
    boxes = Mailboxes(place / "Mail")
    boxes.put(a_mail("Invoice 17", "Please pay 4 EUR.\n"))
    boxes.put(a_mail("Rechnung für März", "größere Übung\n"))
    boxes.put(a_mail("Lunch?"), is_read=True)
    return boxes


@pytest.fixture(name="server")
def _server(
    place: Path, boxes: Mailboxes, monkeypatch: pytest.MonkeyPatch, _peer: None
) -> Iterator[tuple[Dovecot, Certificates]]:
    """A running Dovecot that serves the mails."""
    monkeypatch.setenv("MAIL_IMAP_PASSWORD", PASSWORD)
    if not has_dovecot():
        pytest.skip("NOT TESTED: there is no Dovecot here (Debian: apt-get install dovecot-imapd)")
    certificates = Certificates(place)
    with dovecot(place / "dovecot", boxes.folder, certificates) as served:
        yield served, certificates


def store_of(server: tuple[Dovecot, Certificates], url: str = "") -> ImapStore:
    """Return the store of a server."""
    served, certificates = server
    return ImapStore(MailServer.of("MAIL_IMAP_URL", url or served.url, str(certificates.ca_file)))


def limit(seconds: float = 30.0) -> TimeLimit:
    """Return a time limit that ends in some seconds."""
    return TimeLimit(time.monotonic() + seconds)


def test_mails_are_listed_and_stay_unread(server: tuple[Dovecot, Certificates]) -> None:
    """Newest first, by the server's order; looking at them marks nothing."""
    store = store_of(server)
    for _ in range(2):
        listing = store.inbox(limit=2, unread_only=True, time_limit=limit())
        assert [mail.subject for mail in listing.mails] == ["Rechnung für März", "Invoice 17"]
        assert store.search("pay", limit=2, time_limit=limit()).mails[0].is_unread
    every = store.inbox(limit=2, unread_only=False, time_limit=limit())
    assert (every.total, len(every.mails), every.mails[0].is_unread) == (3, 2, False)


def test_a_server_that_turns_to_tls(server: tuple[Dovecot, Certificates]) -> None:
    """An address with imap turns to TLS before the password is sent."""
    url = f"imap://{USER}@localhost:{server[0].starttls_port}"
    assert store_of(server, url).inbox(limit=1, unread_only=False, time_limit=limit()).total == 3


@pytest.mark.parametrize(
    ("text", "subjects"),
    [
        ("INVOICE", ["Invoice 17"]),
        ("EUR pay", ["Invoice 17"]),
        ("übung", ["Rechnung für März"]),
        ('"; x LOGOUT "', []),
        ("\\", []),
    ],
)
def test_mails_are_searched_on_the_server(
    server: tuple[Dovecot, Certificates], text: str, subjects: list[str]
) -> None:
    """Each word counts; what would be a command is searched for as text."""
    mails = store_of(server).search(text, limit=5, time_limit=limit()).mails
    assert [mail.subject for mail in mails] == subjects


def test_a_session_reads_a_server(
    bench: Bench, server: tuple[Dovecot, Certificates], boxes: Mailboxes
) -> None:
    """The step uses the network, and the answer is that of a Maildir."""
    served, certificates = server
    settings = {
        "OKSO_HOME": str(bench.home),
        "MAIL_IMAP_URL": served.url,
        "MAIL_CA_FILE": str(certificates.ca_file),
    }
    with Session(settings, root=bench.root) as session:
        assert "network" in session.tools["mail_search"].effect_of({})
        run = session.execute(
            [{"tool": "mail_search", "args": {"input": "pay"}}, END], approve="auto"
        )
    assert "> Please pay 4 EUR." in str(run.answer)
    assert boxes.drafts() == []


def _wrong_password(patch: pytest.MonkeyPatch) -> str:
    patch.setenv("MAIL_IMAP_PASSWORD", "wrong-horse-battery")
    return ""


def _nobody_there(_patch: pytest.MonkeyPatch) -> str:
    return f"imaps://{USER}@localhost:{free_port()}"


@pytest.mark.parametrize(
    ("wrong", "kind", "why"),
    [
        (_wrong_password, ToolRefusedError, "refused the password"),
        (_nobody_there, ToolUnavailableError, "could not be used"),
    ],
)
def test_a_server_that_cannot_be_used(
    server: tuple[Dovecot, Certificates],
    monkeypatch: pytest.MonkeyPatch,
    wrong: Any,
    kind: type[ToolError],
    why: str,
) -> None:
    """One sentence says why, without the password."""
    url = wrong(monkeypatch)
    with pytest.raises(kind, match=why) as caught:
        store_of(server, url).inbox(limit=1, unread_only=False, time_limit=limit())
    assert "horse" not in str(caught.value)


def test_a_certificate_of_another_authority_is_refused(
    server: tuple[Dovecot, Certificates], tmp_path: Path
) -> None:
    """Without MAIL_CA_FILE, or with another one, no password is sent."""
    served, _ = server
    for ca_file in (None, str(Certificates(tmp_path).ca_file)):
        store = ImapStore(MailServer.of("MAIL_IMAP_URL", served.url, ca_file))
        with pytest.raises(ToolRefusedError, match="is not trusted"):
            store.inbox(limit=1, unread_only=False, time_limit=limit())


@pytest.mark.slow
def test_a_server_that_says_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The call ends in time."""
    import socket  # noqa: PLC0415  for this test

    monkeypatch.setenv("MAIL_IMAP_PASSWORD", PASSWORD)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"imap://{USER}@localhost:{silent.getsockname()[1]}"
        store = ImapStore(MailServer.of("MAIL_IMAP_URL", url, str(Certificates(place).ca_file)))
        with pytest.raises(ToolTimeoutError, match="did not answer in time"):
            store.inbox(limit=1, unread_only=False, time_limit=limit(1.0))


def _said(*command: str, **environment: str) -> str:
    """Return what a program prints."""
    found = {**os.environ, **environment}
    return subprocess.run(  # noqa: S603  programs of the system
        command, check=True, capture_output=True, text=True, env=found, timeout=60
    ).stdout


@pytest.mark.process
@pytest.mark.peer
def test_notmuch_reads_a_draft(boxes: Mailboxes, place: Path) -> None:
    """It has the tag of one, with subject and recipient."""
    if shutil.which("notmuch") is None:
        pytest.skip("NOT TESTED: there is no notmuch here (Debian: apt-get install notmuch)")
    mail = OutgoingMail(recipients=("ada@example.org",), subject="Über alles", body="Grüße")
    MaildirStore(boxes.folder).save_draft(
        message_of(mail, "me@example.org").as_bytes(), time_limit=limit()
    )
    config = place / "notmuch"
    config.write_text(f"[database]\npath={boxes.folder}\n[new]\ntags=new\n")
    _said("notmuch", "new", NOTMUCH_CONFIG=str(config))
    found = _said("notmuch", "search", "--output=summary", "tag:draft", NOTMUCH_CONFIG=str(config))
    assert "Über alles" in found


def test_the_doctor_says_whether_mail_answers(
    server: tuple[Dovecot, Certificates], place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both servers are asked; one that is gone, and what is not set, is told as such."""
    served, certificates = server
    monkeypatch.setenv("MAIL_SMTP_PASSWORD", PASSWORD)
    settings = {"OKSO_HOME": str(place / "home"), "MAIL_CA_FILE": str(certificates.ca_file)}

    def found(**more: str) -> list[tuple[bool, str]]:
        rows = doctor.examine(Settings.of({**settings, **more}))
        names = ("mail: reading", "mail: sending")
        return [(bool(rows.loc[name, "works"]), str(rows.loc[name, "found"])) for name in names]

    with smtp_server(Outbox(certificates)) as outbox:
        urls = {"MAIL_IMAP_URL": served.url, "MAIL_SMTP_URL": outbox.url}
        server_said = f"localhost:{served.port} as ada"
        drafts = f"the mailbox of drafts on {server_said}"
        assert found(**urls) == [
            (True, f"the inbox on {server_said}: 3 mails; drafts: {drafts}"),
            (True, f"localhost:{outbox.port} as ada; MAIL_FROM is not set"),
        ]
    gone = found(**urls)[1]
    assert (gone[0], "could not be used" in gone[1]) == (False, True)
    unset = found()
    assert [works for works, _ in unset] == [False, False]
    assert "neither MAIL_DIR nor MAIL_IMAP_URL is set" in unset[0][1]
    assert "MAIL_SMTP_URL is not set" in unset[1][1]
