"""Address checks: which URLs and IP addresses may be reached.

Everything not known to be public is refused. Parsers differ on unusual spellings, so a URL is
parsed once, strictly, and the request is built only from the parsed parts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final
from urllib.parse import quote

from okso_jupyter.errors import ToolError, ToolInputError, ToolRefusedError

MAX_URL_CHARS: Final = 2048
_PORTS: Final = {"http": 80, "https": 443}
_PUBLIC_PORTS: Final = frozenset({80, 443, 8080, 8443})

#: Private, shared, reserved, documentation, benchmark, relay, multicast and cloud-internal blocks.
_CLOSED_V4: Final = tuple(
    ip_network(block)
    for block in (
        "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 "
        "172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 "
        "192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3"
    ).split()
)
#: The only block that global IPv6 addresses are assigned from; tunnels into IPv4 are inside it.
_OPEN_V6: Final = ip_network("2000::/3")
_CLOSED_V6: Final = tuple(
    ip_network(block)
    for block in "2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20".split()
)
#: Names that never belong to a host of the internet.
_CLOSED_SUFFIXES: Final = tuple(
    f".{name}"
    for name in "alt arpa corp example home internal intranet invalid lan local localdomain "
    "localhost onion private test".split()
)

_URL = re.compile(
    r"(?P<scheme>https?)://(?P<host>\[[0-9A-Fa-f:.]+\]|[^/?#:\[\]]*)(?::(?P<port>\d{1,5}))?"
    r"(?P<path>/[^?#]*)?(?P<query>\?[^#]*)?(?:#.*)?",
    # without ASCII a long s would match s, and digits of any alphabet would match \d
    re.IGNORECASE | re.ASCII,
)
_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
#: The last label starts with a letter: some parsers read all-digit and 0x endings as numbers.
_NAME = re.compile(rf"(?=.{{1,253}}\Z)(?:{_LABEL}\.)*[a-z](?:[a-z0-9-]{{0,61}}[a-z0-9])?")
_DOTTED = re.compile(r"(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})", re.ASCII)
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\xa0\\\u2028\u2029\ud800-\udfff]")
#: All other characters in path and query are percent-encoded, as browsers do.
_KEPT: Final = "!$%&'()*+,-./:;=?@[]_~"

#: An address in running text or Markdown, possibly with trailing punctuation.
_IN_TEXT = re.compile(rf"https?://[^\s<>\"'`|\\^{{}}]{{1,{MAX_URL_CHARS}}}", re.IGNORECASE)
_ENDS_SENTENCE: Final = ".,;:!?*_~\u2026"
_CLOSERS: Final = {")": "(", "]": "["}


@dataclass(frozen=True, slots=True)
class Target:
    """A parsed address.

    Attributes:
        scheme: "http" or "https".
        host: Name, dotted IPv4 or IPv6 address without brackets, in lower case.
        port: Port number.
        path: Path and query as sent.
    """

    scheme: str
    host: str
    port: int
    path: str

    @property
    def origin(self) -> str:
        """Scheme, host and port; the port only if it is not the default."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}"

    @property
    def url(self) -> str:
        """The complete address as sent."""
        return self.origin + self.path


def check_url(url: str, *, trusted: Collection[str] = ()) -> Target:
    """Parse an address and check that it may be requested; no name is looked up.

    Args:
        url: The address.
        trusted: Origins that the user trusts in the settings, see `origin_of`.

    Raises:
        ToolInputError: It is not an http or https address.
        ToolRefusedError: It is not on the public internet.
    """
    target = _parsed(url)
    if target.origin not in trusted:
        _check_public(target)
    return target


def addresses_in(text: str) -> Iterator[str]:
    """Yield the addresses in a text that may be requested, spelt as in the text."""
    place = 0
    while match := _IN_TEXT.search(text, place):
        address = _without_closer(match[0])
        place = match.start() + len(address)
        address = address.rstrip(_ENDS_SENTENCE)
        with suppress(ToolError):
            check_url(address)
            yield address


def _without_closer(address: str) -> str:
    """Return the part before the first closing bracket that was not opened in the address."""
    opened: list[str] = []
    for place, character in enumerate(address):
        if character in _CLOSERS.values():
            opened.append(character)
        elif character in _CLOSERS and (not opened or opened.pop() != _CLOSERS[character]):
            return address[:place]
    return address


def origin_of(url: str) -> str:
    """Return the origin of a trusted address, such as "http://127.0.0.1:8888".

    Raises:
        ToolInputError: It is not an http or https address.
    """
    return _parsed(url).origin


def is_public(address: str) -> bool:
    """Return whether a text is an IP address of the public internet."""
    try:
        number = ip_address(address)
    except ValueError:
        return False
    if isinstance(number, IPv4Address):
        return not any(number in block for block in _CLOSED_V4)
    return (
        number.scope_id is None
        and number in _OPEN_V6
        and not any(number in block for block in _CLOSED_V6)
    )


def _parsed(url: str) -> Target:
    """Parse an address, wherever it leads."""
    if len(url) > MAX_URL_CHARS:
        msg = f"the address has {len(url):,} characters, {MAX_URL_CHARS:,} is the most"
        raise ToolInputError(msg)
    if _UNSAFE.search(url):
        msg = "the address holds a blank, a backslash or a character that cannot be seen"
        raise ToolInputError(msg, hint="write a blank as %20")
    match = _URL.fullmatch(url)
    if match is None:
        msg = "the address is not of the form http(s)://host/path"
        raise ToolInputError(msg, hint="start with https://, without user name and password")
    scheme = match["scheme"].lower()
    port = int(match["port"] or _PORTS[scheme])
    path = (match["path"] or "/") + (match["query"] or "")
    return Target(scheme, _host(match["host"]), port, quote(path, safe=_KEPT))


def _host(spelt: str) -> str:
    """Return a host in the single spelling that all parsers read alike."""
    # before lower-casing, which would turn the Kelvin sign into a k
    text = spelt.lower() if spelt.isascii() else spelt
    if text.startswith("["):
        try:
            return str(IPv6Address(text[1:-1]))
        except ValueError as error:
            msg = f"{text} is not an IPv6 address"
            raise ToolInputError(msg) from error
    if _NAME.fullmatch(text) or (_DOTTED.fullmatch(text) and _is_v4(text)):
        return text
    msg = f"{ascii(text)[:100]} is not a plain host name"
    raise ToolInputError(msg, hint="letters of other alphabets are written in their xn-- form")


def _is_v4(text: str) -> bool:
    try:
        IPv4Address(text)
    except ValueError:
        return False
    return True


def _check_public(target: Target) -> None:
    """Raise ToolRefusedError for a target that cannot be a public site."""
    if target.port not in _PUBLIC_PORTS:
        allowed = ", ".join(map(str, sorted(_PUBLIC_PORTS)))
        msg = f"port {target.port} of {target.host} is refused: only {allowed} are asked"
        raise ToolRefusedError(msg)
    is_number = ":" in target.host or bool(_DOTTED.fullmatch(target.host))
    if is_number and not is_public(target.host):
        msg = f"{target.host} is not an address of the public internet"
        raise ToolRefusedError(msg)
    if not is_number and ("." not in target.host or target.host.endswith(_CLOSED_SUFFIXES)):
        msg = f"{target.host!r} is not a name of the public internet"
        raise ToolRefusedError(msg)
