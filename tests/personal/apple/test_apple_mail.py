"""Mails of the application Mail: listed, searched, drafted, sent."""

from __future__ import annotations

import json
from typing import Any

import pytest

from okso_jupyter.errors import UndoError
from okso_jupyter.magic import doctor
from okso_jupyter.results import Run
from okso_jupyter.settings import Settings
from tests.approval.person import Person, approve
from tests.personal.apple.mac import Mac
from tests.personal.conftest import Desk

pytestmark = pytest.mark.process

_MAIL = {
    "to": ["ada@example.org", "bob@example.org"],
    "subject": 'Read"ings',
    "body": "Line\n'7 °C'",
}


def _mail(number: int, **properties: Any) -> dict[str, Any]:
    plain = {"id": number, "messageId": f"{number}@x", "subject": f"Mail {number}",
             "sender": "Grace <grace@example.org>", "content": "On Thursday.",
             "dateReceived": f"2030-06-{number:02}T08:00:00.000Z",
             "dateSent": f"2030-06-{number:02}T07:59:00.000Z", "readStatus": True,
             "toRecipients": [], "mailAttachments": []}  # fmt: skip
    return {**plain, **properties}


def _call(desk: Desk, tool: str, args: dict[str, Any], **settings: str) -> Run:
    """Run a call that a person approves."""
    with pytest.MonkeyPatch.context() as patch, desk.session(**settings) as session:
        person = Person(patch, [approve])
        run = session.execute([{"tool": tool, "args": args}], approve="ask")
    desk.shown.append(json.dumps(person.states, ensure_ascii=False))
    return run


def test_the_inbox_is_listed_newest_first(desk: Desk, mac: Mac) -> None:
    """And stays as it is: nothing is marked as read."""
    mac.holds("mails", _mail(2), _mail(3, readStatus=False), _mail(1))
    before = mac.state
    said = desk.says("mail_list_inbox")
    subjects = [line.split(" | ")[0] for line in said.splitlines() if line.startswith("- ")]
    assert subjects == ["- Mail 3", "- Mail 2", "- Mail 1"]
    assert "3 mails in the inbox of the application Mail" in said
    unread = desk.says("mail_list_unread")
    assert "Mail 3 | From: Grace <grace@example.org>" in unread
    assert "Mail 2" not in unread
    assert mac.state == before


def test_mails_are_searched_in_all_their_parts(desk: Desk, mac: Mac) -> None:
    """Subject, sender, text and names of attachments, every word in any case."""
    mac.holds("mails", _mail(1, content="the Invoice of Ämter"),
              _mail(2, mailAttachments=[{"id": "a", "name": "invoice.pdf"}]), _mail(3))  # fmt: skip
    said = desk.says("mail_search", input="INVOICE")
    assert "2 mails with 'INVOICE'" in said
    assert "Mail 3" not in said
    assert "the Invoice of Ämter" in said
    assert "Mail 1" in desk.says("mail_search", input="ämter grace")
    mac.holds("mails", _mail(4, content="Straße"))
    assert "Mail 4" in desk.says("mail_search", input="STRAßE")
    assert "No mail with 'nothing'" in desk.says("mail_search", input="nothing")


def test_a_draft_is_kept_and_undone(desk: Desk, mac: Mac) -> None:
    """By its Message-ID; one that was changed since is left."""
    run = _call(desk, "mail_draft", _MAIL)
    assert run.state == "completed", run.steps_seen[0].error
    (draft,) = mac.drafts
    assert (draft["subject"], draft["content"]) == (_MAIL["subject"], _MAIL["body"])
    assert [one["address"] for one in draft["toRecipients"]] == _MAIL["to"]
    assert "A draft in the drafts of the application Mail" in desk.shown[0]
    assert mac.state.get("sent") is None
    run.undo()
    assert mac.drafts == []
    again = _call(desk, "mail_draft", _MAIL)
    state = mac.state
    state["Mail"]["draftsMailbox"]["messages"][0]["content"] += " and more"
    mac.write(state)
    with pytest.raises(UndoError, match="has changed since"):
        again.undo()


def test_a_draft_that_does_not_appear_is_uncertain(desk: Desk, mac: Mac) -> None:
    """It is not made a second time."""
    mac.write({**mac.state, "losesDrafts": True})
    run = _call(desk, "mail_draft", _MAIL)
    assert run.steps_seen[0].status == "uncertain"
    assert "was told to keep the draft and does not show it" in run.steps_seen[0].error


def test_a_mail_is_sent_once(desk: Desk, mac: Mac) -> None:
    """As a person has seen it, by the application, from MAIL_FROM where that is set."""
    run = _call(desk, "mail_send", _MAIL)
    assert run.state == "completed", run.steps_seen[0].error
    (sent,) = mac.state["sent"]
    assert (sent["subject"], sent["content"]) == (_MAIL["subject"], _MAIL["body"])
    assert [one["address"] for one in sent["toRecipients"]] == _MAIL["to"]
    assert "sender" not in sent
    assert "Server: the application Mail" in desk.shown[0]
    assert "From: the account of the application Mail" in desk.shown[0]
    _call(desk, "mail_send", _MAIL, MAIL_FROM="me@example.org")
    assert mac.state["sent"][1]["sender"] == "me@example.org"


def test_a_sent_mail_is_not_undone(desk: Desk, mac: Mac) -> None:
    """Undo says so and changes nothing."""
    run = _call(desk, "mail_send", _MAIL)
    with pytest.raises(UndoError):
        run.undo()
    assert len(mac.state["sent"]) == 1


@pytest.mark.parametrize(
    ("at", "number", "is_sent"),
    [("push", -10000, False), ("sent", -609, True), ("sent", -1712, True)],
)
def test_a_mail_that_broke_off(
    desk: Desk,
    mac: Mac,
    at: str,
    number: int,
    is_sent: bool,  # noqa: FBT001  a case
) -> None:
    """Before it was handed over it failed, afterwards it is uncertain; it is not repeated."""
    mac.fails("Mail", at, number)
    run = _call(desk, "mail_send", _MAIL)
    assert run.steps_seen[0].status == ("uncertain" if is_sent else "failed")
    assert len(mac.state.get("sent", [])) == is_sent
    assert sum(asked["do"] == "send" for asked in mac.asked) == 1


def test_mail_that_the_application_does_not_take(desk: Desk, mac: Mac) -> None:
    """Attachments are refused before anything is asked; what it did not send is said."""
    (desk.root / "a.csv").write_text("1")
    args = {**_MAIL, "attachments": ["a.csv"]}
    for tool in ("mail_draft", "mail_send"):
        said = _call(desk, tool, args).steps_seen[0].error
        assert "Mail takes no attachment from a script" in said
    assert not (mac.folder / "asked.jsonl").exists()
    mac.write({**mac.state, "refusesToSend": True})
    assert "Mail did not send it" in _call(desk, "mail_send", _MAIL).steps_seen[0].error


def test_a_server_that_is_set_sends_in_its_place(desk: Desk, mac: Mac) -> None:
    """MAIL_SMTP_URL names it; the application is not asked."""
    url = "smtp://localhost:1"
    run = _call(desk, "mail_send", _MAIL, MAIL_SMTP_URL=url, MAIL_FROM="me@example.org")
    assert "localhost:1 could not be used" in run.steps_seen[0].error
    assert not (mac.folder / "asked.jsonl").exists()


def test_the_doctor_tells_who_reads_and_sends(desk: Desk, mac: Mac) -> None:
    """And that neither was tried on a Mac."""
    mac.holds("mails", _mail(1))
    found = doctor.examine(Settings.of({**desk.settings, "OKSO_HOME": str(desk.home)}))["found"]
    assert found["mail: reading"] == (
        "the inbox of the application Mail: 1 mail; drafts: the drafts of the application Mail; "
        "not tried on a Mac"
    )
    assert found["mail: sending"] == "the application Mail; not tried on a Mac"
