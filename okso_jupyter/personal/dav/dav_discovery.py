"""Discovery (RFC 6764): the calendar that the address of a server or of its user leads to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import unquote, urljoin, urlsplit

from lxml import etree

from okso_jupyter.errors import ToolError, ToolFailedError, ToolNotFoundError, ToolRefusedError
from okso_jupyter.legible import visible
from okso_jupyter.personal.dav.dav_address import DavAddress
from okso_jupyter.personal.dav.dav_client import CALDAV, DAV, XML, DavClient
from okso_jupyter.web.addresses import origin_of
from okso_jupyter.web.http_messages import REDIRECTS, Fetched

_WELL_KNOWN: Final = "/.well-known/caldav"
_PRINCIPAL: Final = f"{DAV}current-user-principal"
_HOME: Final = f"{CALDAV}calendar-home-set"
_MAX_REDIRECTS: Final = 3
_MAX_NAME_CHARS: Final = 80
_MAX_NAMED: Final = 20
_ENTRIES: Final = {"VEVENT": "events", "VTODO": "reminders"}
_WANTED: Final = (
    b'<d:propfind xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop>'
    b"<d:resourcetype/><d:displayname/><d:current-user-principal/><c:calendar-home-set/>"
    b"<c:supported-calendar-component-set/></d:prop></d:propfind>"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Resource:
    """What a server tells of one address."""

    url: str
    told: etree._Element

    @property
    def is_calendar(self) -> bool:
        """Whether it is a calendar."""
        return self.told.find(f".//{DAV}resourcetype/{CALDAV}calendar") is not None

    @property
    def names(self) -> tuple[str, str]:
        """Its name for people, and the last part of its path."""
        segment = unquote(urlsplit(self.url).path.rstrip("/").rpartition("/")[2])
        return self.told.findtext(f".//{DAV}displayname", "").strip() or segment, segment

    def takes(self, kind: str) -> bool:
        """Return whether it has entries of a kind; one that does not say has all."""
        kinds = [one.get("name") for one in self.told.iter(f"{CALDAV}comp")]
        return not kinds or kind in kinds

    def leads_to(self, name: str) -> str:
        """Return the address in a property; empty if there is none."""
        href = self.told.findtext(f".//{name}/{DAV}href", "").strip()
        return urljoin(self.url, href) if href else ""


def calendar_at(client: DavClient, kind: str, name: str, setting: str) -> DavAddress:
    """Return the address of a calendar: the client's own, or one that it leads to.

    Args:
        client: Sends the requests.
        kind: "VEVENT" or "VTODO".
        name: Name of the calendar, where there are several.
        setting: Setting that holds the name.

    Raises:
        ToolError: The server does not answer, or has none, or several and none of this name.
    """
    first = _start(client)
    if first is None or first.is_calendar:
        return client.address
    home = first.leads_to(_HOME)
    if not home and (principal := first.leads_to(_PRINCIPAL)):
        there = _described(client, principal)
        home = there.leads_to(_HOME) if there else ""
    if not home:
        return client.address
    held = [one for one in _held(client, home) if one.is_calendar and one.takes(kind)]
    chosen = _chosen(client.address, held, kind, name, setting)
    _check_server(client.address, chosen.url)
    return client.address.at(chosen.url)


def _start(client: DavClient) -> _Resource | None:
    """Return what is told of the address; of a server alone, of where it sends calendars."""
    url = client.address.target.url
    if urlsplit(url).path != "/":
        return _described(client, url)
    known = _described(client, urljoin(url, _WELL_KNOWN))
    is_of_use = known and (known.leads_to(_HOME) or known.leads_to(_PRINCIPAL))
    return known if is_of_use else _described(client, url)


def _described(client: DavClient, url: str) -> _Resource | None:
    """Return what is told of an address; None if nothing is."""
    answer, url = _answer(client, url, "0")
    if answer.status != HTTPStatus.MULTI_STATUS:
        return None
    told = next(client.responses(answer.body), None)
    return None if told is None else _Resource(url=url, told=told)


def _held(client: DavClient, home: str) -> Iterator[_Resource]:
    """Yield what is told of the addresses beneath a home of calendars."""
    answer, url = _answer(client, home, "1")
    if answer.status != HTTPStatus.MULTI_STATUS:
        why = "it does not list its calendars"
        raise client.failed(why)
    for told in client.responses(answer.body):
        yield _Resource(url=urljoin(url, told.findtext(f"{DAV}href", "").strip()), told=told)


def _answer(client: DavClient, url: str, depth: str) -> tuple[Fetched, str]:
    """Return an answer and its address, after redirects on the same server."""
    for _ in range(_MAX_REDIRECTS + 1):
        _check_server(client.address, url)
        answer = client.answered("PROPFIND", url, (("Depth", depth), XML), _WANTED)
        if answer.status not in REDIRECTS:
            break
        url = urljoin(url, answer.headers.get("location", ""))
    if answer.status in {*REDIRECTS, HTTPStatus.UNAUTHORIZED}:
        client.check(answer)
    return answer, url


def _check_server(address: DavAddress, url: str) -> None:
    """Raise ToolRefusedError if an address is on another server, which gets no password."""
    try:
        origin = origin_of(url)
    except (ValueError, ToolError):
        origin = ""
    if origin != address.target.origin:
        msg = f"{address} sends on to another address, and the password is not sent there"
        hint = f"set {address.setting} to {visible(origin) or 'the address of the calendar'}"
        raise ToolRefusedError(msg, hint=hint)


def _chosen(
    address: DavAddress, held: list[_Resource], kind: str, name: str, setting: str
) -> _Resource:
    """Return the only calendar, or the only one with a name."""
    if not held:
        msg = f"{address} has no calendar for {_ENTRIES[kind]}"
        raise ToolNotFoundError(msg, hint="make one there")
    wanted = name.casefold()
    named = [one for one in held if wanted in {part.casefold() for part in one.names}]
    found = held if len(held) == 1 else named
    if len(found) == 1:
        return found[0]
    names = ", ".join(visible(one.names[0])[:_MAX_NAME_CHARS] for one in held[:_MAX_NAMED])
    count = len(named) or "none"
    msg = f"{address} has {len(held)} calendars, and {count} of them is called {name!r}: {names}"
    raise ToolFailedError(msg, hint=f"set {setting} to one of these names")
