"""Mails of a Maildir: listed, searched, drafted; damaged ones are named and left."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from okso_jupyter.errors import ToolFailedError, ToolRefusedError
from okso_jupyter.personal.call_time_limit import TimeLimit
from okso_jupyter.personal.mail.mail_records import MailListing, OutgoingMail
from okso_jupyter.personal.mail.mail_store import MailStore
from okso_jupyter.personal.mail.maildir import MaildirStore
from okso_jupyter.personal.mail.writing import message_of
from tests.personal.mail.mailbox_lab import Mailboxes, a_mail

LONG = 600.0


@pytest.fixture(name="boxes")
def _boxes(tmp_path: Path) -> Mailboxes:
    return Mailboxes(tmp_path / "Mail")


def limit(seconds: float = LONG) -> TimeLimit:
    """Return a time limit that ends in some seconds."""
    return TimeLimit(time.monotonic() + seconds)


def listed(boxes: Mailboxes, count: int = 10, *, unread: bool = False) -> MailListing:
    """Return the newest mails."""
    store = MaildirStore(boxes.folder)
    return store.inbox(limit=count, unread_only=unread, time_limit=limit())


def found(boxes: Mailboxes, text: str) -> list[str]:
    """Return the subjects of the mails that hold a text."""
    store: MailStore = MaildirStore(boxes.folder)
    mails = store.search(text, limit=10, time_limit=limit()).mails
    return [mail.subject for mail in mails]


def test_the_newest_mails_come_first(boxes: Mailboxes) -> None:
    """As many as are asked for, and how many there are."""
    for number in range(3):
        boxes.put(a_mail(f"mail {number}"), is_read=number == 1)
    listing = listed(boxes, 2)
    assert [(mail.subject, mail.is_unread) for mail in listing.mails] == [
        ("mail 2", True),
        ("mail 1", False),
    ]
    assert listing.total == 3
    assert [mail.subject for mail in listed(boxes, unread=True).mails] == ["mail 2", "mail 0"]


def test_reading_changes_nothing(boxes: Mailboxes) -> None:
    """No file is renamed, so that other programs still see a mail as unread."""
    boxes.put(a_mail("one"))
    before = boxes.files()
    listed(boxes)
    found(boxes, "hello")
    assert boxes.files() == before


def test_a_text_is_found_however_it_is_encoded(boxes: Mailboxes) -> None:
    """Subject, sender, text and names of attachments count, in any case, encoded or not."""
    boxes.put(a_mail("Rechnung für März"))
    boxes.put(a_mail("plain", "the INVOICE is below\n"))
    boxes.put(a_mail("coded", "größere Übung mit vielen Wörtern: äöü\n"))
    boxes.put(a_mail("sender", sender="Clara Invoice <clara@example.org>"))
    with_file = a_mail("file")
    with_file.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="invoice.pdf")
    boxes.put(with_file)
    boxes.put(a_mail("other"))
    assert found(boxes, "invoice") == ["file", "sender", "plain"]
    assert found(boxes, "FÜR märz") == ["Rechnung für März"]
    assert found(boxes, "übung") == ["coded"]
    assert found(boxes, "below invoice") == ["plain"]
    assert found(boxes, "nothing of it") == []


def test_the_markup_of_a_mail_is_not_searched(boxes: Mailboxes) -> None:
    """HTML counts as it reads, with its entities."""
    message = a_mail("page", "")
    message.set_content("<div class='offer'>Gr&ouml;&szlig;e</div>", subtype="html")
    boxes.put(message)
    assert found(boxes, "größe") == ["page"]
    assert found(boxes, "div") == found(boxes, "offer") == []


def test_damaged_files_are_left_and_named(boxes: Mailboxes) -> None:
    """What is not a mail, empty or a link is named with its reason; the rest is listed."""
    boxes.put(a_mail("good"))
    bad = [boxes.put(b""), boxes.put(b"\x00\x01\x02 no header at all\n\n")]
    link = boxes.folder / "new" / "1790000009.link.here"
    link.symlink_to("/etc/passwd")
    before = boxes.files()
    listing = listed(boxes)
    assert [mail.subject for mail in listing.mails] == ["good"]
    named = " ".join(listing.damaged)
    assert all(file.name in named for file in [*bad, link])
    assert "it is empty" in named
    assert "not a regular file" in named
    assert boxes.files() == before


@pytest.mark.parametrize(
    "raw",
    [
        b"Subject: =?utf-8?b?////?=\nFrom: <<>>@\nDate: yesterday\n\nx",
        b"Subject: a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nx",
        b"Subject: a\nContent-Type: text/plain; charset=nonsense\n\n\xff\xfe",
        b"Subject: a\nContent-Transfer-Encoding: base64\n\n!!!!",
        b"Subject: " + b"a" * 500_000 + b"\n\nx",
        b"From: " + b"<" * 20_000 + b"\n\nx",
        b"Subject: a\n" + b"X: y\n" * 20_000 + b"\nx",
        b"Subject: a\nDate: Mon, 01 Jan 99999999999999 00:00:00 +0000\n\nx",
        b"Subject: a\nFrom: " + b"(" * 5000 + b"\n\nx",
        b"Subject: a\nFrom: " + b"a," * 50_000 + b"\n\nx",
        b"Subject: a\n" + b"Content-Type: message/rfc822\n\n" * 1500 + b"x",
        b"Subject: a\n"
        + b"".join(
            b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (n, n)
            for n in range(1500)
        ),
        b"Subject: a\nContent-Type: text/html; charset=unicode-escape\n\n\\ud800",
        b"Subject: a\nContent-Type: text/plain; charset=punycode\n\n" + b"a-" * 200_000,
        b"Subject: a\nContent-Type: text/plain; " + b";a*0*=''x" * 3000 + b"\n\nx",
    ],
)
def test_a_hostile_mail_is_listed_or_named(boxes: Mailboxes, raw: bytes) -> None:
    """None of them raises or takes long, and a good mail beside it is still there."""
    boxes.put(raw)
    boxes.put(a_mail("good"))
    listing = listed(boxes)
    assert len(listing.mails) + len(listing.damaged) == 2
    assert listing.mails[0].subject == "good"
    assert found(boxes, "hello") == ["good"]


@pytest.mark.slow
def test_ten_thousand_mails(boxes: Mailboxes) -> None:
    """The newest are listed without reading the others; a search ends when its time is up."""
    for number in range(10_000):
        boxes.put(b"Subject: mail %d\nFrom: a@b.c\n\nbody %d\n" % (number, number))
    listing = listed(boxes, 10)
    assert (listing.total, listing.mails[0].subject) == (10_000, "mail 9999")
    assert found(boxes, "body 4711") == ["mail 4711"]
    cut = MaildirStore(boxes.folder).search("body", limit=5, time_limit=limit(-1))
    assert (cut.mails, cut.not_looked_at) == ((), 10_000)


def test_a_stopped_search_ends(boxes: Mailboxes) -> None:
    """Between two mails it looks whether it is to stop."""
    boxes.put(a_mail("one"))
    stopped = limit()
    stopped.cancelled.set()
    with pytest.raises(ToolRefusedError, match="stopped"):
        MaildirStore(boxes.folder).search("one", limit=5, time_limit=stopped)


def test_a_draft_is_a_new_file(boxes: Mailboxes) -> None:
    """The standard library reads it as a draft; its changes name every folder that was made."""
    mail = OutgoingMail(recipients=("ada@example.org",), subject="Über", body="Grüße\n.\nend")
    saved = MaildirStore(boxes.folder).save_draft(
        message_of(mail, "me@example.org").as_bytes(), time_limit=limit()
    )
    (draft,) = boxes.drafts()
    assert (draft["To"], draft.get_flags()) == ("ada@example.org", "DS")
    assert draft["Subject"] == "=?utf-8?q?=C3=9Cber?="
    assert draft.get_payload(decode=True).decode().splitlines() == ["Grüße", ".", "end"]
    assert [change.path for change in saved.changes] == [
        *(str(boxes.folder / ".Drafts" / part) for part in ("", "tmp", "new", "cur")),
        saved.path,
    ]


@pytest.mark.parametrize(("made", "why"), [(False, "cannot be opened"), (True, "not a Maildir")])
def test_another_folder_is_refused(tmp_path: Path, made: bool, why: str) -> None:  # noqa: FBT001  a parameter
    """The message names the setting and the folder."""
    folder = tmp_path / "other"
    if made:
        folder.mkdir()
    with pytest.raises(ToolFailedError, match=f"MAIL_DIR is {folder}.*{why}"):
        MaildirStore(folder).inbox(limit=1, unread_only=False, time_limit=limit())
