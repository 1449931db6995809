"""Drafts on a real IMAP server, and on one that breaks off while it takes one."""

from __future__ import annotations

import socket
import ssl
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from imap_tools import MailBox, MailMessage

from okso_jupyter import Session
from okso_jupyter.errors import ToolError, ToolNotFoundError, ToolUncertainError, UndoError
from okso_jupyter.personal.call_time_limit import TimeLimit
from okso_jupyter.personal.mail.imap_drafts import ImapDrafts
from okso_jupyter.personal.mail.mail_records import OutgoingMail
from okso_jupyter.personal.mail.mail_server import MailServer
from okso_jupyter.personal.mail.writing import message_of
from okso_jupyter.results import Run
from tests.approval.person import Person, approve
from tests.bench import END, Bench
from tests.personal.mail.mail_servers import (
    PASSWORD,
    USER,
    Certificates,
    Dovecot,
    dovecot,
    has_dovecot,
)
from tests.personal.mail.mailbox_lab import Mailboxes, a_mail

FOLDER = "/tmp"  # noqa: S108  Dovecot's own user must be able to enter it
CALL = {
    "tool": "mail_draft",
    "args": {"to": ["ada@example.org"], "subject": "Über", "body": "Grüße\n.\nend"},
}


@pytest.fixture(name="place")
def _place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that another user may enter, with mails."""
    monkeypatch.setenv("MAIL_IMAP_PASSWORD", PASSWORD)
    with tempfile.TemporaryDirectory(dir=FOLDER, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        Mailboxes(folder / "Mail").put(a_mail("one"))
        yield folder


@pytest.fixture(name="certificates")
def _certificates(place: Path) -> Certificates:
    return Certificates(place)


@contextmanager
def _served(place: Path, certificates: Certificates, **options: str) -> Iterator[Dovecot]:
    if not has_dovecot():
        pytest.skip("NOT TESTED: there is no Dovecot here (Debian: apt-get install dovecot-imapd)")
    with dovecot(place / "dovecot", place / "Mail", certificates, **options) as served:
        yield served


@pytest.fixture(name="server")
def _server(place: Path, certificates: Certificates, _peer: None) -> Iterator[Dovecot]:
    with _served(place, certificates) as served:
        yield served


def _settings(bench: Bench, url: str, certificates: Certificates) -> dict[str, str]:
    return {
        "OKSO_HOME": str(bench.home),
        "MAIL_IMAP_URL": url,
        "MAIL_CA_FILE": str(certificates.ca_file),
        "ON_FAILURE": "stop",
    }


def _drafted(bench: Bench, url: str, certificates: Certificates) -> Run:
    with Session(_settings(bench, url, certificates), root=bench.root) as session:
        return session.execute([CALL, END], approve="auto")


@contextmanager
def _box(server: Dovecot, certificates: Certificates) -> Iterator[MailBox]:
    """Yield the mailbox of drafts, as a mail program opens it."""
    tls = ssl.create_default_context(cafile=str(certificates.ca_file))
    with MailBox("localhost", server.port, ssl_context=tls).login(USER, PASSWORD) as box:
        box.folder.set("Entwürfe")
        yield box


def _drafts(server: Dovecot, certificates: Certificates) -> list[MailMessage]:
    with _box(server, certificates) as box:
        return list(box.fetch(mark_seen=False))


def test_a_draft_is_kept_where_the_server_has_drafts(
    bench: Bench, server: Dovecot, certificates: Certificates
) -> None:
    """In the mailbox with that special use, whatever its name; undo removes it, redo keeps it."""
    run = _drafted(bench, server.url, certificates)
    assert run.state == "completed", run.steps_seen[0].error
    (draft,) = _drafts(server, certificates)
    assert (draft.subject, draft.to) == ("Über", ("ada@example.org",))
    assert draft.text.splitlines() == ["Grüße", ".", "end"]
    assert {"\\Draft", "\\Seen"} <= set(draft.flags)
    run.undo()
    assert _drafts(server, certificates) == []
    run.redo()
    assert len(_drafts(server, certificates)) == 1
    run.undo()
    assert _drafts(server, certificates) == []


def test_undo_removes_no_other_mail(
    bench: Bench, server: Dovecot, certificates: Certificates
) -> None:
    """One that the user has marked as deleted stays until the user's program removes it."""
    run = _drafted(bench, server.url, certificates)
    with _box(server, certificates) as box:
        box.append(b"Subject: mine\r\n\r\nhi\r\n", "Entwürfe", flag_set=["\\Deleted"])
    run.undo()
    assert [draft.subject for draft in _drafts(server, certificates)] == ["mine"]


def test_a_draft_that_was_sent_since_is_not_undone(
    bench: Bench, server: Dovecot, certificates: Certificates
) -> None:
    """It is not among the drafts, and undo says so."""
    run = _drafted(bench, server.url, certificates)
    with _box(server, certificates) as box:
        box.delete(box.uids())
    with pytest.raises(UndoError, match="no longer there"):
        run.undo()


def test_the_form_names_the_server_and_the_effect(
    bench: Bench, server: Dovecot, certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A draft on a server uses the network; one in a Maildir does not."""
    settings = _settings(bench, server.url, certificates)
    with Session(settings, root=bench.root) as session:
        assert "network" in session.tools["mail_draft"].effect_of({})
        person = Person(monkeypatch, [approve])
        session.execute([CALL, END], approve="ask")
        assert f"A draft in the mailbox of drafts on localhost:{server.port}" in str(person.states)
    with Session({**settings, "MAIL_DIR": "Mail"}, root=bench.root) as session:
        assert "network" not in session.tools["mail_draft"].effect_of({})
        assert "network" in session.tools["mail_search"].effect_of({})


@pytest.mark.process
@pytest.mark.peer
def test_a_server_without_drafts(bench: Bench, place: Path, certificates: Certificates) -> None:
    """No mailbox is made, and none is guessed by its name."""
    with _served(place, certificates, drafts="\\Archive") as served:
        run = _drafted(bench, served.url, certificates)
        assert "names no mailbox for drafts" in run.steps_seen[0].error
        assert _drafts(served, certificates) == []


def _scripted(
    certificates: Certificates, append: bytes, hosts: list[socket.socket]
) -> tuple[str, list[bytes]]:
    """Start a server that knows each command, and says something to APPEND or breaks off."""
    listening = socket.create_server(("127.0.0.1", 0))
    hosts.append(listening)
    asked: list[bytes] = []

    def talk(stream: socket.SocketIO) -> None:
        stream.write(b"* OK ready\r\n")
        for line in stream:
            words: list[bytes] = [*line.split(), b"", b""]
            tag, command = words[0], words[1]
            asked.append(command)
            if command == b"APPEND":
                stream.write(append)
                return
            if command == b"CAPABILITY":
                stream.write(b"* CAPABILITY IMAP4rev1\r\n")
            if command == b"LIST":
                stream.write(b'* LIST (\\Drafts) "/" Drafts\r\n')
            stream.write(tag + b" OK done\r\n")

    def serve() -> None:
        with suppress(OSError):
            while True:
                plain, _ = listening.accept()
                with (
                    suppress(OSError),
                    certificates.tls().wrap_socket(plain, server_side=True) as secure,
                    secure.makefile("rwb", buffering=0) as stream,
                ):
                    talk(stream)

    threading.Thread(target=serve, daemon=True).start()
    return f"imaps://{USER}@localhost:{listening.getsockname()[1]}", asked


@pytest.fixture(name="scripted")
def _scripted_fixture(
    certificates: Certificates,
) -> Iterator[Callable[[bytes], tuple[str, list[bytes]]]]:
    hosts: list[socket.socket] = []
    yield lambda append: _scripted(certificates, append, hosts)
    for host in hosts:
        host.close()


@pytest.mark.parametrize("said", [b"", b"+ go on\r\n"])
def test_a_draft_without_an_answer_is_uncertain_and_not_repeated(
    bench: Bench,
    certificates: Certificates,
    scripted: Callable[[bytes], tuple[str, list[bytes]]],
    said: bytes,
) -> None:
    """The server broke off while it took it; the step is not tried again, undo leaves it."""
    url, asked = scripted(said)
    run = _drafted(bench, url, certificates)
    (seen, *_) = run.steps_seen
    assert seen.status == "uncertain"
    assert "whether it is there is unknown" in seen.error
    assert asked.count(b"APPEND") == 1
    assert not run.is_undoable


def test_a_password_that_is_missing_or_a_server_that_is_gone(
    certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the draft is handed over, each failure says that there is none."""
    server = MailServer.of(
        "MAIL_IMAP_URL", f"imaps://{USER}@localhost:1", str(certificates.ca_file)
    )
    mail = OutgoingMail(recipients=("ada@example.org",), subject="s", body="b")
    message = message_of(mail, "me@example.org").as_bytes()
    with pytest.raises(ToolError, match="could not be used") as caught:
        ImapDrafts(server, TimeLimit.of_seconds(5)).save(message)
    assert not isinstance(caught.value, ToolUncertainError | ToolNotFoundError)
    monkeypatch.setenv("MAIL_IMAP_PASSWORD", "")
    monkeypatch.setattr("okso_jupyter.personal.credentials._of_keyring", lambda *_: None)
    with pytest.raises(ToolError, match="there is no password"):
        ImapDrafts(server, TimeLimit.of_seconds(5)).save(message)
