"""DavCollection: one calendar on a CalDAV server (RFC 4791), by five kinds of requests.

A write names the version that it changes, so that a change of others is never overwritten. Where
the server has a write and does not say what became of it, that is a ToolUncertainError.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from lxml import etree

from okso_jupyter.errors import (
    ToolError,
    ToolFailedError,
    ToolRefusedError,
    ToolTimeoutError,
    ToolUnavailableError,
    ToolUncertainError,
)
from okso_jupyter.personal.call_time_limit import TimeLimit
from okso_jupyter.personal.dav.dav_address import DavAddress
from okso_jupyter.personal.served_place import ServedEntry
from okso_jupyter.web.addresses import check_url
from okso_jupyter.web.network import Budget, SystemNetwork
from okso_jupyter.web.one_request import Fetched, Request, sent

_MAX_BYTES: Final = 32 * 1024 * 1024
#: Longest time in seconds that the server may take for one answer, and for a connection.
_ANSWER_S: Final = 20.0
_CONNECT_S: Final = 8.0
_DAV: Final = "{DAV:}"
_CALDAV: Final = "{urn:ietf:params:xml:ns:caldav}"
_QUERY: Final = (
    '<c:calendar-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">'
    "<d:prop><d:getetag/><c:calendar-data/></d:prop>"
    '<c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="{}"/></c:comp-filter>'
    "</c:filter></c:calendar-query>"
)
#: Errors of a server that say that a write was not made; after any other this is not known.
_NOT_MADE: Final = frozenset({501, 503, 505, 507})
_NOT_CHANGED: Final = "nothing was changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class DavCollection:
    """One calendar on a server; methods raise ToolError with one sentence.

    Attributes:
        address: Its address.
        time_limit: The end of the call; None where each answer has its own time alone.
    """

    address: DavAddress
    time_limit: TimeLimit | None = None

    def entries(self, kind: str) -> Iterator[ServedEntry]:
        """Yield the entries of a kind.

        Args:
            kind: "VEVENT" or "VTODO".
        """
        headers = (("Depth", "1"), ("Content-Type", "application/xml; charset=utf-8"))
        body = _QUERY.format(kind).encode()
        answer = self._asked("REPORT", self.address.target.url, headers, body)
        if answer.status != HTTPStatus.MULTI_STATUS or answer.truncated:
            cut = "it holds too much" if answer.truncated else ""
            why = cut or f"it is no calendar ({_status(answer)})"
            raise self._failed(why)
        for response in self._responses(answer.body):
            path = self.address.entry(response.findtext(f"{_DAV}href", "").strip())
            data = response.findtext(f".//{_CALDAV}calendar-data")
            if path and data:
                version = response.findtext(f".//{_DAV}getetag", "")
                yield ServedEntry(path=path, version=version.strip(), data=data.encode())

    def holds(self, path: str) -> bool:
        """Return whether an address is that of an entry of this collection."""
        return self.address.entry(path) == path

    def get(self, path: str) -> ServedEntry | None:
        """Return the entry at an address; None if there is none."""
        answer = self._asked("GET", path)
        if answer.status in {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}:
            return None
        if answer.status != HTTPStatus.OK or answer.truncated:
            why = f"it did not give {path} ({_status(answer)})"
            raise self._failed(why)
        return ServedEntry(path=path, version=answer.headers.get("etag", ""), data=answer.body)

    def put(self, path: str, data: bytes, *, version: str | None) -> None:
        """Write an entry.

        Args:
            path: Its address.
            data: Its content.
            version: The version that it takes the place of; None for a new entry.

        Raises:
            ToolFailedError: It has another version, or there is one already.
            ToolUncertainError: The server did not say what became of it.
        """
        which = (("If-None-Match", "*"),) if version is None else self._only(version)
        headers = (("Content-Type", "text/calendar; charset=utf-8"), *which)
        self._written(self._asked("PUT", path, headers, data), path)

    def delete(self, path: str, *, version: str) -> None:
        """Remove an entry in one version; raises as `put` does."""
        self._written(self._asked("DELETE", path, self._only(version)), path)

    def _only(self, version: str) -> tuple[tuple[str, str], ...]:
        if not version:
            msg = f"{self.address} gives no versions, so a change of others could be overwritten"
            raise ToolRefusedError(msg, hint=_NOT_CHANGED)
        return (("If-Match", version),)

    def _written(self, answer: Fetched, path: str) -> None:
        """Raise what an answer to a write says, unless it was made."""
        if answer.status < HTTPStatus.MULTIPLE_CHOICES:
            return
        if answer.status == HTTPStatus.PRECONDITION_FAILED:
            msg = f"{path} was changed by others in the meantime; {_NOT_CHANGED}"
            raise ToolFailedError(msg, hint="look at it, and ask again")
        if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR and answer.status not in _NOT_MADE:
            raise self._uncertain(_status(answer))
        why = f"{_status(answer)}; {_NOT_CHANGED}"
        raise self._failed(why)

    def _asked(
        self, method: str, path: str, headers: tuple[tuple[str, str], ...] = (), body: bytes = b""
    ) -> Fetched:
        """Return the answer to a request, which is not a redirect and took the password."""
        limit = self.time_limit or TimeLimit.of_seconds(_ANSWER_S)
        limit.check()
        budget = Budget(
            deadline=min(limit.end_s, time.monotonic() + _ANSWER_S),
            wire_bytes=2 * _MAX_BYTES,
            cancelled=limit.cancelled,
        )
        # compressed, some servers give another version
        mine = (*self.address.login(), ("Accept-Encoding", "identity"), *headers)
        target = check_url(path, trusted=(self.address.target.origin,))
        try:
            answer = sent(
                Request(target=target, method=method, headers=mine, body=body),
                network=SystemNetwork(),
                budget=budget,
                connect_timeout_s=_CONNECT_S,
                max_bytes=_MAX_BYTES,
                any_address=True,  # the user names the server
                tls=self.address.tls(),
            )
        except ToolError as error:
            raise self._explained(error, method, has_sent=budget.has_sent) from error
        self._check(answer)
        return answer

    def _explained(self, error: ToolError, method: str, *, has_sent: bool) -> ToolError:
        """Return why there is no answer, without a word of the server, which knows the password."""
        if has_sent and method in {"PUT", "DELETE"}:
            return self._uncertain("it broke off, or did not answer in time")
        if isinstance(error, ToolTimeoutError):
            return ToolTimeoutError(f"{self.address} did not answer in time")
        if has_sent and isinstance(error, ToolUnavailableError):
            return ToolUnavailableError(f"{self.address} broke off, or speaks no HTTP")
        return error

    def _check(self, answer: Fetched) -> None:
        """Raise what an answer says of the address and the password."""
        status = answer.status
        if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
            msg = f"{self.address} sends on to another address, and the password is not sent there"
            raise ToolRefusedError(msg, hint=f"set {self.address.setting} to the new address")
        if status == HTTPStatus.UNAUTHORIZED:
            msg = f"{self.address} refused the password"
            raise ToolRefusedError(msg, hint="correct it where it is kept")
        if status == HTTPStatus.FORBIDDEN:
            msg = f"{self.address} does not allow this"
            raise ToolRefusedError(msg)

    def _responses(self, body: bytes) -> Iterator[etree._Element]:
        """Yield the parts of an answer; no entity in it is resolved, nothing is fetched."""
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        try:
            tree = etree.fromstring(body, parser)
        except (etree.XMLSyntaxError, ValueError):
            tree = None
        if tree is None or tree.tag != f"{_DAV}multistatus":
            why = "the answer cannot be read"
            raise self._failed(why)
        yield from tree.iter(f"{_DAV}response")

    def _failed(self, why: str) -> ToolFailedError:
        return ToolFailedError(f"{self.address} could not be used: {why}")

    def _uncertain(self, why: str) -> ToolUncertainError:
        msg = f"{self.address} did not say what became of the change ({why}): it is not known"
        return ToolUncertainError(msg, hint="look at the calendar before you ask for it again")


def _status(answer: Fetched) -> str:
    return answer.error or f"HTTP {answer.status}"
