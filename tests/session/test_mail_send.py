"""Sending a mail: shown whole, decided by a person, sent once or told that it is not known."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from email import message_from_bytes
from pathlib import Path
from typing import Any

import keyring
import pytest
from aiosmtpd.smtp import SMTP, Envelope
from aiosmtpd.smtp import Session as SmtpSession
from keyring.backend import KeyringBackend

from okso_jupyter import Session
from okso_jupyter.approval import policy
from okso_jupyter.errors import ApprovalError
from okso_jupyter.plan.plan import Plan
from okso_jupyter.results import Run
from tests.approval.person import Person, approve
from tests.bench import END, Bench, SmallModel
from tests.personal.mail.mail_servers import PASSWORD, Certificates, Outbox, smtp_server

#: aiosmtpd does not see that its connections began with TLS.
pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH")

SEND: dict[str, Any] = {
    "tool": "mail_send",
    "args": {"to": ["ada@example.org"], "subject": "Readings", "body": "Line 1\n.\nÜber 7 °C"},
}
READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}


@pytest.fixture(name="outbox")
def _outbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Outbox]:
    """An SMTP server that is running."""
    monkeypatch.setenv("MAIL_SMTP_PASSWORD", PASSWORD)
    with smtp_server(Outbox(Certificates(tmp_path))) as outbox:
        yield outbox


def session(bench: Bench, outbox: Outbox, **settings: Any) -> Session:
    """Return a session that sends by a server."""
    bench.model = SmallModel([])
    chosen = {**settings_of(bench, outbox), **settings}
    return Session(chosen, model=bench.model, root=bench.root)


def settings_of(bench: Bench, outbox: Outbox) -> dict[str, Any]:
    """Return the settings of a session that sends by a server."""
    return {
        "OKSO_HOME": str(bench.home),
        "MAIL_SMTP_URL": outbox.url,
        "MAIL_FROM": "me@example.org",
        "MAIL_CA_FILE": str(outbox.certificates.ca_file),
        "ON_FAILURE": "stop",
    }


def yes(_plan: Plan) -> str:
    """Approve whatever is shown."""
    return "approve"


def sent(bench: Bench, outbox: Outbox, step: dict[str, Any] = SEND, **settings: Any) -> Run:
    """Return the run of a plan that sends, approved by a function."""
    with session(bench, outbox, **settings) as opened:
        return opened.execute([step, END], approve=yes)


def only(outbox: Outbox) -> Any:
    """Return the only message that was taken."""
    (envelope,) = outbox.sent
    assert isinstance(envelope.content, bytes)
    return message_from_bytes(envelope.content)


def test_a_person_sees_all_of_it_before_it_is_sent(
    bench: Bench, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Server, recipients, subject, the whole text and the attachments; then it is sent once."""
    monkeypatch.setattr(policy, "detect", lambda: "notebook")
    body = "\n".join(f"line {number}" for number in range(300))
    args = {
        "to": ["ada@example.org", "bob@example.org"],
        "subject": "Readings",
        "body": body,
        "attachments": ["notes.txt"],
    }
    person = Person(monkeypatch, [approve])
    with session(bench, outbox) as opened:
        run = opened.execute([{"tool": "mail_send", "args": args}, END], approve="ask")
    shown = person.states[0]["steps"][0]["html"]
    assert run.state == "completed"
    for said in (
        f"Server: localhost:{outbox.port} as ada",
        "From: me@example.org",
        "To: ada@example.org, bob@example.org",
        "Subject: Readings",
        "Attachments: notes.txt",
        *body.splitlines(),
        "cannot be undone",
    ):
        assert said in shown
    message = only(outbox)
    assert outbox.sent[0].rcpt_tos == ["ada@example.org", "bob@example.org"]
    text, attached = message.get_payload()
    assert text.get_payload(decode=True).decode().splitlines() == body.splitlines()
    assert attached.get_payload(decode=True) == (bench.root / "notes.txt").read_bytes()


def test_a_text_arrives_as_it_was_written(bench: Bench, outbox: Outbox) -> None:
    """Lines of one full stop and letters beyond ASCII too."""
    run = sent(bench, outbox)
    message = only(outbox)
    assert run.answer == "sent 'Readings' to ada@example.org by localhost"
    assert message.get_payload(decode=True).decode().splitlines() == ["Line 1", ".", "Über 7 °C"]
    assert (message["From"], message["To"]) == ("me@example.org", "ada@example.org")
    assert not run.is_undoable


def test_a_server_that_turns_to_tls(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An address with smtp turns to TLS before the password is sent."""
    monkeypatch.setenv("MAIL_SMTP_PASSWORD", PASSWORD)
    with smtp_server(Outbox(Certificates(tmp_path)), begins_with_tls=False) as outbox:
        url = outbox.url.replace("smtps:", "smtp:")
        run = sent(bench, outbox, MAIL_SMTP_URL=url)
    assert run.state == "completed"
    assert len(outbox.sent) == 1


@pytest.mark.parametrize(
    ("approve", "settings"),
    [
        ("auto", {}),
        (None, {"APPROVE_ALL": True}),
        (None, {"PLAN_REQUIRE_APPROVAL": False}),
        (None, {"OKSO_APPROVE": "auto"}),
        ("ask", {}),
    ],
)
@pytest.mark.parametrize("rule", ["", '[[rule]]\ndecision = "allow"\ntool = "mail_send"\n'])
def test_no_policy_sends_a_mail(  # noqa: PLR0913, PLR0917  what is tried
    bench: Bench,
    outbox: Outbox,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    approve: Any,
    settings: dict[str, Any],
    rule: str,
) -> None:
    """Neither --yes, APPROVE_ALL, a rule that allows it, nor all together."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    file = tmp_path / "config" / "okso" / "okso-policy.toml"
    file.parent.mkdir(parents=True)
    file.write_text(rule)
    with session(bench, outbox, **settings) as opened, pytest.raises(ApprovalError):
        opened.execute([SEND, END], approve=approve)
    assert outbox.sent == []


def test_a_rule_may_deny_it(
    bench: Bench, outbox: Outbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then a function does not send it either."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    file = tmp_path / "config" / "okso" / "okso-policy.toml"
    file.parent.mkdir(parents=True)
    file.write_text('[[rule]]\ndecision = "deny"\ntool = "mail_send"\n')
    assert sent(bench, outbox).state == "cancelled"
    assert outbox.sent == []


def test_a_text_of_an_earlier_step_is_shown_before_it_is_sent(
    bench: Bench, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plan is approved with an open text; the second form has the text itself."""
    monkeypatch.setattr(policy, "detect", lambda: "notebook")
    person = Person(monkeypatch, [approve, approve])
    with session(bench, outbox) as opened:
        planning = opened.plan("Send the text of notes.txt to bob@example.org")
        assert [step.tool for step in planning.plan.steps][:2] == ["file_read", "mail_send"]
        run = opened.execute(planning, approve="ask")
    assert run.state == "completed"
    assert (len(person.states) >= 2, person.left) == (True, 0)
    assert "buy milk" not in str(person.states[0]["steps"])
    assert any("buy milk" in str(state["steps"]) for state in person.states[1:])
    assert "buy milk" in only(outbox).get_payload(decode=True).decode()


def test_a_text_of_an_earlier_step_is_not_sent_unseen(bench: Bench, outbox: Outbox) -> None:
    """A person who turns the second form down has sent nothing."""
    answers = iter(["approve", "reject"])
    open_text = {**SEND, "args": {**SEND["args"], "body": ""}, "depends_on": [1]}
    with session(bench, outbox) as opened:
        run = opened.execute([READ, open_text, END], approve=lambda _plan: next(answers))
    assert run.state == "cancelled"
    assert outbox.sent == []


def test_one_refused_recipient_stops_all(bench: Bench, outbox: Outbox) -> None:
    """Nobody gets the mail, and the message says who was refused."""
    outbox.refuses = ("bob@example.org",)
    step = {**SEND, "args": {**SEND["args"], "to": ["ada@example.org", "bob@example.org"]}}
    seen = sent(bench, outbox, step).steps_seen[0]
    assert seen.status == "failed"
    assert "refused the recipient bob@example.org; nothing was sent" in seen.error
    assert outbox.sent == []


def test_a_refused_message_is_a_failure(bench: Bench, outbox: Outbox) -> None:
    """The server had it and said no: it was not sent."""
    outbox.answer = "554 it looks like spam"
    seen = sent(bench, outbox).steps_seen[0]
    assert (seen.status, "refused the mail: it looks like spam" in seen.error) == ("failed", True)


def test_a_server_that_breaks_off_leaves_it_uncertain(bench: Bench, outbox: Outbox) -> None:
    """It is not sent again by itself, nor by a resumed run before a person has answered."""
    outbox.ends_at = "data"
    with session(bench, outbox) as opened:
        run = opened.execute([SEND, END], approve=yes)
        assert run.steps_seen[0].status == "uncertain"
        assert "whether it was sent is not known" in run.steps_seen[0].error
        with pytest.raises(ApprovalError, match="cannot be undone"):
            opened.resume(run.id, approve="auto")
        assert opened.resume(run.id, uncertain={1: "done: it arrived"}).state == "completed"
    assert len(outbox.sent) == 1


@pytest.mark.slow
def test_a_server_that_hangs_leaves_it_uncertain(
    bench: Bench, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The call ends at its time limit; the mail may have been taken."""
    taken = Outbox.handle_DATA

    async def hangs(self: Outbox, server: SMTP, session: SmtpSession, envelope: Envelope) -> str:
        await taken(self, server, session, envelope)
        await asyncio.sleep(4)
        return "250 late"

    monkeypatch.setattr(Outbox, "handle_DATA", hangs)
    run = sent(bench, outbox, PLAN_DEFAULT_STEP_TIMEOUT_S=2)
    assert run.steps_seen[0].status == "uncertain"
    assert len(outbox.sent) == 1


#: A process that sends a mail: its settings as JSON, and its folder.
_SENDS = f"""
import json, sys
from okso_jupyter import Session
session = Session(json.loads(sys.argv[1]), root=sys.argv[2])
session.execute([{SEND!r}, {END!r}], approve=lambda plan: "approve")
"""


@pytest.mark.process
def test_a_process_that_is_killed_while_it_sends(
    bench: Bench, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The resumed run asks a person, and does not send the mail again."""
    taken = Outbox.handle_DATA

    async def hangs(self: Outbox, server: SMTP, session: SmtpSession, envelope: Envelope) -> str:
        await taken(self, server, session, envelope)
        await asyncio.sleep(0.5)
        return "250 late"

    monkeypatch.setattr(Outbox, "handle_DATA", hangs)
    with session(bench, outbox) as opened:
        settings = json.dumps(settings_of(bench, outbox))
        child = subprocess.Popen([sys.executable, "-c", _SENDS, settings, str(bench.root)])  # noqa: S603  ours
        while not outbox.sent and child.poll() is None:
            time.sleep(0.05)
        child.kill()
        child.wait()
        (run_id,) = opened.journal.run_ids()
        with pytest.raises(ApprovalError, match="cannot be undone"):
            opened.resume(run_id, approve="auto")
        assert opened.resume(run_id, uncertain={1: "done: it arrived"}).state == "completed"
    assert len(outbox.sent) == 1


def _unknown_authority(outbox: Outbox, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    del outbox, patch
    return {"MAIL_CA_FILE": None}


def _wrong_password(outbox: Outbox, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    del outbox
    patch.setenv("MAIL_SMTP_PASSWORD", "wrong-horse-battery")
    return {}


def _no_password(outbox: Outbox, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    del outbox
    patch.delenv("MAIL_SMTP_PASSWORD")
    return {}


def _nobody_there(outbox: Outbox, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    del outbox, patch
    return {"MAIL_SMTP_URL": "smtps://ada@localhost:9"}


def _no_ca(outbox: Outbox, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    del outbox, patch
    return {"MAIL_CA_FILE": "/nowhere/ca.pem"}


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (_unknown_authority, "is not trusted"),
        (_wrong_password, "refused the password"),
        pytest.param(_no_password, "there is no password for localhost", marks=pytest.mark.process),
        (_nobody_there, "nothing was sent"),
        (_no_ca, "MAIL_CA_FILE is /nowhere/ca.pem, which cannot be read"),
    ],
)
def test_a_server_that_cannot_be_used(
    bench: Bench,
    outbox: Outbox,
    monkeypatch: pytest.MonkeyPatch,
    wrong: Callable[[Outbox, pytest.MonkeyPatch], dict[str, Any]],
    why: str,
) -> None:
    """One sentence says why; no password is in it, and nothing was sent."""
    settings = wrong(outbox, monkeypatch)
    seen = sent(bench, outbox, **settings).steps_seen[0]
    assert (seen.status, outbox.sent) == ("failed", [])
    assert why in seen.error
    assert "horse" not in seen.error


class _Keyring(KeyringBackend):
    """A keyring with one password."""

    priority = -1  # so that it is nobody's choice by itself

    def get_password(self, service: str, username: str) -> str | None:
        """Return the password of the server's user."""
        return PASSWORD if (service, username) == ("localhost", "ada") else None

    def set_password(self, service: str, username: str, password: str) -> None:
        """Keep nothing."""

    def delete_password(self, service: str, username: str) -> None:
        """Remove nothing."""


@pytest.mark.process
def test_a_password_may_be_in_the_keyring(
    bench: Bench, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the host's name and the user's."""
    monkeypatch.delenv("MAIL_SMTP_PASSWORD")
    before = keyring.get_keyring()
    keyring.set_keyring(_Keyring())  # type: ignore[no-untyped-call]  # of the library
    try:
        run = sent(bench, outbox)
    finally:
        keyring.set_keyring(before)
    assert (run.state, len(outbox.sent)) == ("completed", 1)


def test_no_record_holds_the_password(bench: Bench, outbox: Outbox) -> None:
    """Neither the journal nor the log, also when the server says it."""
    outbox.answer = f"554 {PASSWORD} was yours"
    sent(bench, outbox)
    written = b"".join(path.read_bytes() for path in bench.home.rglob("*") if path.is_file())
    assert b"554" in written or b"was yours" in written
    assert PASSWORD.encode() not in written


def test_without_a_server_the_tool_refuses(bench: Bench, outbox: Outbox) -> None:
    """A plan that sends all the same says what to set, or to ask for a draft."""
    seen = sent(bench, outbox, MAIL_SMTP_URL=None, MAIL_DIR=".").steps_seen[0]
    assert seen.error == (
        "no mail can be sent: MAIL_SMTP_URL is not set (set it, or ask for a draft)"
    )
