"""MailServer: the address of a mail server with TLS, and where its password is."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from typing import Final, Self
from urllib.parse import unquote, urlsplit

from okso_jupyter.errors import SettingError, ToolRefusedError
from okso_jupyter.personal.credentials import checking_tls, password_of

#: Ports by scheme; a scheme that ends with "s" begins with TLS, the other turns to it (STARTTLS).
_PORTS: Final = {"imaps": 993, "imap": 143, "smtps": 465, "smtp": 587}
#: Names in the environment that hold a password, by kind of server.
_PASSWORDS: Final = {"imap": "MAIL_IMAP_PASSWORD", "smtp": "MAIL_SMTP_PASSWORD"}


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServer:
    """A mail server.

    Attributes:
        kind: "imap" or "smtp".
        host: Its name.
        port: Its port.
        user: The user's name there; empty if it asks for none.
        begins_with_tls: Whether the connection begins with TLS; else it turns to TLS before
            anything else is sent.
        ca_file: File of the certificates that it is checked with; None for the system's.
    """

    kind: str
    host: str
    port: int
    user: str = ""
    begins_with_tls: bool = True
    ca_file: str | None = None

    @classmethod
    def of(cls, setting: str, url: str, ca_file: str | None = None) -> Self:
        """Return the server of an address such as "smtps://ada@mail.example.org".

        Args:
            setting: Name of the setting that holds the address.
            url: The address.
            ca_file: See the class.

        Raises:
            SettingError: It is not such an address, or it holds a password.
        """
        kind = "imap" if "IMAP" in setting else "smtp"
        try:
            parts = urlsplit(url)
            host, port, scheme = parts.hostname or "", parts.port, parts.scheme.lower()
        except ValueError:
            host, port, scheme = "", None, ""
        if scheme.removesuffix("s") != kind or not host:
            msg = f"{setting} is not an address like {kind}s://ada@mail.example.org"
            raise SettingError(msg)
        if parts.password is not None:
            msg = f"{setting} holds a password, which would be shown"
            hint = f"put it into the keyring (keyring set {host} USER) or into {_PASSWORDS[kind]}"
            raise SettingError(msg, hint=hint)
        return cls(
            kind=kind,
            host=host,
            port=port or _PORTS[scheme],
            user=unquote(parts.username or ""),
            begins_with_tls=scheme.endswith("s"),
            ca_file=ca_file,
        )

    def __str__(self) -> str:
        """Return the server in words, such as "mail.example.org:465 as ada"."""
        return f"{self.host}:{self.port}{f' as {self.user}' if self.user else ''}"

    def untrusted(self, error: ssl.SSLError) -> ToolRefusedError:
        """Return the error of a server whose certificate was not accepted."""
        msg = f"{self} is not trusted: {getattr(error, 'verify_message', '') or error.reason}"
        hint = "MAIL_CA_FILE names the certificates of a private server"
        return ToolRefusedError(msg, hint=hint)

    def tls(self) -> ssl.SSLContext:
        """Return the context that checks the server's certificate and name.

        Raises:
            ToolRefusedError: The file of certificates cannot be read.
        """
        return checking_tls("MAIL_CA_FILE", self.ca_file)

    def password(self) -> str:
        """Return the password: of the environment, else of the system's keyring.

        Raises:
            ToolRefusedError: There is none.
        """
        return password_of(self.host, self.user, _PASSWORDS[self.kind], str(self))

    def without_password(self, text: str, password: str) -> str:
        """Return what a server said on one line, without the password."""
        line = " ".join(text.split())
        return line.replace(password, "[redacted]") if password else line
