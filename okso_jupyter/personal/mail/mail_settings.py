"""MailSettings: which store is read, where drafts are kept, and who sends, from the settings."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Self

from okso_jupyter.errors import SettingError, ToolRefusedError, error_text
from okso_jupyter.personal.apple.application import APPLE, check_system
from okso_jupyter.personal.mail.apple_mail import AppleMail
from okso_jupyter.personal.mail.mail_addresses import ADDRESS
from okso_jupyter.personal.mail.mail_sender import MailSender
from okso_jupyter.personal.mail.mail_server import MailServer
from okso_jupyter.personal.mail.mail_store import MailStore
from okso_jupyter.personal.mail.maildir import MaildirStore
from okso_jupyter.personal.mail.smtp import SmtpSender
from okso_jupyter.personal.packaged_stores import opener_of
from okso_jupyter.settings import Settings, working_folder

#: Group of entry points: each is called with the `MailSettings` and returns a `MailStore`.
STORES: Final = "okso_jupyter.mail_stores"
#: Modules of the extra `okso-jupyter[personal]` that mail needs.
_NEEDED: Final = ("imap_tools", "keyring")
_WAYS: Final = "set MAIL_DIR to a Maildir, or MAIL_IMAP_URL"


@dataclass(frozen=True, slots=True, kw_only=True)
class MailSettings:
    """Where mails are, and who sends them; attributes are the settings of that name.

    Attributes:
        folder: MAIL_DIR, absolute.
        imap_url: MAIL_IMAP_URL.
        smtp_url: MAIL_SMTP_URL.
        sender: MAIL_FROM.
        ca_file: MAIL_CA_FILE.
        store: MAIL_STORE.
        limit: MAIL_INBOX_LIMIT.
    """

    folder: Path | None = None
    imap_url: str | None = None
    smtp_url: str | None = None
    sender: str | None = None
    ca_file: str | None = None
    store: str | None = None
    limit: int = 10

    @classmethod
    def of(cls, settings: Settings, root: Path | None = None) -> Self:
        """Return the part of the settings that is about mail.

        Args:
            settings: The settings.
            root: The notebook's folder, which MAIL_DIR is relative to; the working folder if None.
        """
        base = root or working_folder()
        return cls(
            folder=base / Path(settings.mail_dir).expanduser() if settings.mail_dir else None,
            imap_url=settings.mail_imap_url,
            smtp_url=settings.mail_smtp_url,
            sender=settings.mail_from,
            ca_file=settings.mail_ca_file,
            store=settings.mail_store,
            limit=settings.mail_inbox_limit,
        )

    @property
    def is_set(self) -> bool:
        """Whether the settings name any place of mails."""
        return any((self.folder, self.imap_url, self.smtp_url, self.store))

    @property
    def store_name(self) -> str:
        """Name of the store that is read; empty if none is set."""
        by_setting = "imap" if self.imap_url else "maildir" if self.folder else ""
        return self.store or by_setting

    def open_store(self) -> MailStore:
        """Return the store that is read; nothing is opened yet.

        Raises:
            SettingError: The settings name none that can be used.
        """
        match self.store_name:
            case "maildir":
                return self.maildir()
            case "imap":
                # imap_tools is in an extra
                from okso_jupyter.personal.mail.imap import ImapStore  # noqa: PLC0415  see above

                if not self.imap_url:
                    msg = "MAIL_STORE is imap, and MAIL_IMAP_URL is not set"
                    raise SettingError(msg)
                return ImapStore(MailServer.of("MAIL_IMAP_URL", self.imap_url, self.ca_file))
            case store if store == APPLE:
                check_system("MAIL_STORE")
                return AppleMail()
            case "":
                msg = "there is no store of mails: neither MAIL_DIR nor MAIL_IMAP_URL is set"
                raise SettingError(msg, hint=_WAYS)
            case name:
                return self._of_package(name)

    @property
    def has_draft_files(self) -> bool:
        """Whether drafts are files: MAIL_DIR keeps them, also where mails are read elsewhere."""
        return self.store_name == "maildir" or bool(self.folder and not self.store)

    def drafts_store(self) -> MailStore:
        """Return the store that keeps drafts: the Maildir, else the one that is read.

        Raises:
            SettingError: The settings name none that can be used.
        """
        return self.maildir() if self.has_draft_files else self.open_store()

    def maildir(self) -> MaildirStore:
        """Return the Maildir.

        Raises:
            SettingError: None is set.
        """
        if not self.folder:
            msg = "MAIL_STORE is maildir, and MAIL_DIR names none"
            raise SettingError(msg, hint="set MAIL_DIR to a Maildir")
        return MaildirStore(self.folder)

    def server(self) -> MailServer:
        """Return the server that sends.

        Raises:
            ToolRefusedError: None is set.
            SettingError: Its address cannot be used.
        """
        if not self.smtp_url:
            msg = "no mail can be sent: MAIL_SMTP_URL is not set"
            raise ToolRefusedError(msg, hint="set it, or ask for a draft")
        return MailServer.of("MAIL_SMTP_URL", self.smtp_url, self.ca_file)

    @property
    def is_sent_by_application(self) -> bool:
        """Whether the application sends, which knows its own address."""
        return self.store == APPLE and not self.smtp_url

    def sending(self) -> MailSender:
        """Return what sends: the server that is set, else the application where it is the store.

        Raises:
            ToolRefusedError: There is neither.
            SettingError: It cannot be used.
        """
        if self.is_sent_by_application:
            check_system("MAIL_STORE")
            return AppleMail()
        return SmtpSender(self.server())

    def sender_address(self) -> str:
        """Return the address that mails come from; empty if none is known.

        Raises:
            SettingError: MAIL_FROM is not an address.
        """
        if self.sender:
            if not ADDRESS.fullmatch(self.sender):
                msg = f"MAIL_FROM is {self.sender!r}, which is not a mail address"
                raise SettingError(msg, hint="write it like ada@example.org")
            return self.sender
        server = MailServer.of("MAIL_SMTP_URL", self.smtp_url) if self.smtp_url else None
        return server.user if server and ADDRESS.fullmatch(server.user) else ""

    def _of_package(self, name: str) -> MailStore:
        """Return the store that an installed package offers under a name."""
        make = opener_of(STORES, name, "MAIL_STORE", "use maildir or imap")
        try:
            store: object = make(self)
        except Exception as error:  # a package may fail in any way
            msg = f"the store {name!r} cannot be used: {error_text(error)}"
            raise SettingError(msg) from error
        if not isinstance(store, MailStore):
            msg = f"the store {name!r} is not a MailStore"
            raise SettingError(msg)
        return store


def is_offered(settings: Settings) -> bool:
    """Return whether plans may use mail: it is set up, and the extra is installed."""
    is_wanted = settings.personal != "off" and MailSettings.of(settings).is_set
    return is_wanted and not missing_modules()


def missing_modules() -> list[str]:
    """Return the modules of the extra that are not installed."""
    return [name for name in _NEEDED if find_spec(name) is None]
