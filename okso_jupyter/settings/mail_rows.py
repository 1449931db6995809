"""Declarations of the settings for mail; see `table`. Passwords are no settings: see docs."""

from __future__ import annotations

from dataclasses import dataclass

from okso_jupyter.settings.personal_rows import PersonalRows
from okso_jupyter.settings.ranges import setting


@dataclass(frozen=True, slots=True, kw_only=True)
class MailRows(PersonalRows):
    """Settings for where mails are, and who sends them."""

    mail_dir: str | None = setting(
        None, "Maildir of the mails that are listed and searched, and of drafts, relative to the "
        "notebook's folder", optional=True,
    )  # fmt: skip
    mail_imap_url: str | None = setting(
        None, "IMAP server of the mails that are listed and searched, such as "
        "imaps://ada@mail.example.org; read in place of the Maildir, and without MAIL_DIR it keeps "
        "drafts", optional=True,
    )  # fmt: skip
    mail_smtp_url: str | None = setting(
        None, "SMTP server that sends mails, such as smtps://ada@mail.example.org; without it "
        "there are drafts only", optional=True,
    )  # fmt: skip
    mail_from: str | None = setting(
        None, "Address that mails come from; the user of MAIL_SMTP_URL where that is an address",
        optional=True,
    )  # fmt: skip
    mail_ca_file: str | None = setting(
        None, "File of certificates that the mail servers are checked with, for one with a "
        "certificate of its own; the system's where it is not set", optional=True,
    )  # fmt: skip
    mail_store: str | None = setting(
        None, "Store that is read: `maildir`, `imap`, `apple` (the application Mail of macOS, "
        "which also sends where MAIL_SMTP_URL is not set), or the name that an installed package "
        "gives its own; by what is set above where it is not set", optional=True,
    )  # fmt: skip
    mail_inbox_limit: int = setting(
        10, "Most mails that are listed or found", unit="mails", low=1, high=200
    )
