"""DavAddress: the address of a collection on a CalDAV server, and who uses it."""

from __future__ import annotations

import ssl
from base64 import b64encode
from dataclasses import dataclass, replace
from typing import Final, Self
from urllib.parse import quote, unquote, urljoin, urlsplit

from okso_jupyter.errors import SettingError, ToolError
from okso_jupyter.personal.credentials import checking_tls, password_of
from okso_jupyter.web.addresses import Target, check_url, origin_of

#: Name in the environment of the password.
PASSWORD: Final = "CALDAV_PASSWORD"  # noqa: S105  a name
_LIKE: Final = "https://ada@cal.example.org/ada/calendar/"


@dataclass(frozen=True, slots=True, kw_only=True)
class DavAddress:
    """The address of a collection.

    Attributes:
        setting: Name of the setting that holds it.
        target: The address, without a user; its path ends with a slash.
        user: The user's name there; empty if the server asks for none.
        ca_file: File of the certificates that it is checked with; None for the system's.
    """

    setting: str
    target: Target
    user: str = ""
    ca_file: str | None = None

    @classmethod
    def of(cls, setting: str, url: str, ca_file: str | None = None) -> Self:
        """Return the address in a setting, such as "https://ada@cal.example.org/ada/calendar/".

        Raises:
            SettingError: It is not such an address, or it holds a password.
        """
        try:
            parts = urlsplit(url)
            user, password = unquote(parts.username or ""), parts.password
            plain = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
            target = check_url(plain.rstrip("/") + "/", trusted=(origin_of(plain),))
        except (ValueError, ToolError) as error:
            msg = f"{setting} is not an address like {_LIKE}"
            raise SettingError(msg) from error
        if password is not None:
            msg = f"{setting} holds a password, which would be shown"
            hint = f"put it into the keyring (keyring set {target.host} USER) or into {PASSWORD}"
            raise SettingError(msg, hint=hint)
        if target.scheme != "https" or parts.query or parts.fragment:
            msg = f"{setting} is not an address like {_LIKE}"
            raise SettingError(msg, hint="it begins with https, and ends with the calendar's path")
        return cls(setting=setting, target=target, user=user, ca_file=ca_file)

    def at(self, url: str) -> Self:
        """Return the address of another collection on the same server.

        Raises:
            ToolError: It is not an address.
            ValueError: It is on another server.
        """
        target = check_url(url.rstrip("/") + "/", trusted=(self.target.origin,))
        if target.origin != self.target.origin:
            msg = f"{url} is on another server than {self.url}"
            raise ValueError(msg)
        return replace(self, target=target)

    def __str__(self) -> str:
        """Return the collection in words, such as "https://cal.example.org/ada/work as ada"."""
        return f"{self.url}{f' as {self.user}' if self.user else ''}"

    @property
    def url(self) -> str:
        """The address, without a user and the last slash."""
        return self.target.url.rstrip("/")

    def tls(self) -> ssl.SSLContext:
        """Return the context that checks the server; raise ToolRefusedError if it has none."""
        return checking_tls("CALDAV_CA_FILE", self.ca_file)

    def login(self) -> tuple[tuple[str, str], ...]:
        """Return the header with the password; raise ToolRefusedError if there is none."""
        if not self.user:
            return ()
        words = f"{self.user}:{self.password()}"
        return (("Authorization", f"Basic {b64encode(words.encode()).decode('ascii')}"),)

    def password(self) -> str:
        """Return the password; raise ToolRefusedError if there is none."""
        return password_of(self.target.host, self.user, PASSWORD, str(self))

    def entry(self, href: str) -> str | None:
        """Return the address of an entry as this collection spells it; None if it has none there.

        Args:
            href: As the server or a record of a change spells it, complete or from the root.
        """
        given = urlsplit(urljoin(self.target.url, href))
        above, _, name = unquote(given.path).rpartition("/")
        own = unquote(urlsplit(self.url).path)
        origin = f"{given.scheme}://{given.netloc.rpartition('@')[2]}"
        is_here = origin == self.target.origin and above == own and name not in {"", ".", ".."}
        return f"{self.url}/{quote(name)}" if is_here else None
