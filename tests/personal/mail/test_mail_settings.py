"""Which store is read and which server sends, by the settings."""

from __future__ import annotations

from importlib.metadata import EntryPoint, EntryPoints
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter import Session, Settings
from okso_jupyter.errors import SettingError
from okso_jupyter.personal import packaged_stores
from okso_jupyter.personal.call_time_limit import TimeLimit
from okso_jupyter.personal.mail import mail_settings
from okso_jupyter.personal.mail.mail_records import MailListing, ReceivedMail, SavedDraft
from okso_jupyter.personal.mail.mail_server import MailServer
from okso_jupyter.personal.mail.mail_settings import MailSettings
from tests.bench import END, Bench
from tests.personal.mail.mailbox_lab import Mailboxes, a_mail


class OneMail:
    """A store of a package, with one mail."""

    place = drafts_place = "a store of one mail"

    def inbox(self, *, limit: int, unread_only: bool, time_limit: TimeLimit) -> MailListing:
        """Return the mail."""
        del limit, unread_only, time_limit
        mail = ReceivedMail(subject="from elsewhere", sender="x@y.org")
        return MailListing(place=self.place, mails=(mail,), total=1)

    def search(self, text: str, *, limit: int, time_limit: TimeLimit) -> MailListing:
        """Return the mail."""
        del text
        return self.inbox(limit=limit, unread_only=False, time_limit=time_limit)

    def save_draft(self, message: bytes, *, time_limit: TimeLimit) -> SavedDraft:
        """Keep nothing."""
        raise NotImplementedError


def open_one_mail(_settings: MailSettings) -> OneMail:
    """Return the store."""
    return OneMail()


def open_nothing(_settings: MailSettings) -> object:
    """Return what is not a store."""
    return object()


@pytest.fixture(name="packages")
def _packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two installed packages that offer stores."""
    points = EntryPoints(
        EntryPoint(name, f"{__name__}:{function}", mail_settings.STORES)
        for name, function in (
            ("one", "open_one_mail"),
            ("none", "open_nothing"),
            ("gone", "missing"),
        )
    )
    monkeypatch.setattr(packaged_stores, "entry_points", points.select)


@pytest.mark.usefixtures("packages")
def test_a_package_offers_a_store(bench: Bench) -> None:
    """MAIL_STORE names it, and its mails are listed; reading them uses the network."""
    with Session({"OKSO_HOME": str(bench.home), "MAIL_STORE": "one"}, root=bench.root) as session:
        assert {str(e) for e in session.tools["mail_search"].effect_of({})} == {"reads", "network"}
        run = session.execute([{"tool": "mail_list_inbox", "args": {}}, END], approve="auto")
    assert "from elsewhere" in str(run.answer)


@pytest.mark.usefixtures("packages")
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("none", "is not a MailStore"),
        ("gone", "cannot be loaded: AttributeError"),
        ("other", "no installed package offers such a store"),
        ("imap", "MAIL_STORE is imap, and MAIL_IMAP_URL is not set"),
        ("maildir", "MAIL_STORE is maildir, and MAIL_DIR names none"),
    ],
)
def test_a_store_that_cannot_be_used(name: str, why: str) -> None:
    """One sentence says why."""
    with pytest.raises(SettingError, match=why):
        MailSettings(store=name).open_store()


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"folder": Path("/m")}, "the Maildir /m"),
        ({"folder": Path("/m"), "imap_url": "imaps://ada@a.test"}, "the Maildir /m"),
        ({"imap_url": "imaps://ada@a.test"}, "the mailbox of drafts on a.test:993 as ada"),
        (
            {"folder": Path("/m"), "imap_url": "imaps://ada@a.test", "store": "imap"},
            "the mailbox of drafts on a.test:993 as ada",
        ),
    ],
)
def test_where_drafts_are_kept(options: dict[str, Any], place: str) -> None:
    """In the Maildir that is named, else where mails are read; MAIL_STORE says it for both."""
    assert MailSettings(**options).drafts_store().drafts_place == place


def test_a_maildir_is_named_from_the_notebook_s_folder(bench: Bench) -> None:
    """A relative MAIL_DIR lies in it, and a draft there is undone."""
    boxes = Mailboxes(bench.root / "Mail")
    boxes.put(a_mail("one"))
    before = boxes.files()
    draft = {"tool": "mail_draft", "args": {"to": ["a@b.org"], "subject": "s", "body": "b"}}
    with Session({"OKSO_HOME": str(bench.home), "MAIL_DIR": "Mail"}, root=bench.root) as session:
        run = session.execute([draft, END], approve="auto")
    assert len(boxes.drafts()) == 1
    run.undo()
    assert boxes.files() == before


@pytest.mark.parametrize("off", [{"PERSONAL": "off"}, {"MAIL_DIR": None}])
def test_mail_is_left_out(bench: Bench, off: dict[str, Any]) -> None:
    """Where it is turned off, or not set."""
    settings = {"OKSO_HOME": str(bench.home), "MAIL_DIR": "Mail", **off}
    with Session(settings, root=bench.root) as session:
        assert not [name for name in session.tools if name.startswith("mail_")]


@pytest.mark.parametrize("module", ["imap_tools", "keyring"])
def test_mail_needs_the_extra(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without one of its packages the tools are not offered."""
    monkeypatch.setattr(
        mail_settings, "find_spec", lambda name: None if name == module else find_spec(name)
    )
    assert not mail_settings.is_offered(Settings.of({"MAIL_DIR": "Mail"}))


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("mail.example.org", "is not an address like smtps://"),
        ("https://mail.example.org", "is not an address like smtps://"),
        ("smtps://", "is not an address like smtps://"),
        ("smtps://mail.example.org:port", "is not an address like smtps://"),
        ("smtps://ada:secret-of-ada@mail.example.org", "holds a password"),
    ],
)
def test_an_address_of_a_server(url: str, why: str) -> None:
    """What is wrong with it is said without the password."""
    with pytest.raises(SettingError, match=why) as caught:
        MailServer.of("MAIL_SMTP_URL", url)
    assert "secret-of-ada" not in str(caught.value)


@pytest.mark.parametrize("sender", ["me", "me@example.org\nBcc: eve@example.com", "Me <me@a.org>"])
def test_a_sender_that_is_no_address(sender: str) -> None:
    """It cannot become another header."""
    with pytest.raises(SettingError, match="not a mail address"):
        MailSettings(sender=sender).sender_address()
