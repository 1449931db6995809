"""DavCollection: one calendar on a CalDAV server (RFC 4791), by four kinds of requests.

A write names the version that it changes, so that a change of others is never overwritten. Where
the server has a write and does not say what became of it, that is a ToolUncertainError.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from okso_jupyter.errors import ToolFailedError, ToolRefusedError
from okso_jupyter.personal.call_time_limit import TimeLimit
from okso_jupyter.personal.dav.dav_address import DavAddress
from okso_jupyter.personal.dav.dav_client import CALDAV, DAV, XML, DavClient
from okso_jupyter.personal.served_place import ServedEntry
from okso_jupyter.web.http_messages import Fetched

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
        headers = (("Depth", "1"), XML)
        body = _QUERY.format(kind).encode()
        answer = self._client.asked("REPORT", self.address.target.url, headers, body)
        if answer.status != HTTPStatus.MULTI_STATUS or answer.truncated:
            cut = "it holds too much" if answer.truncated else ""
            why = cut or f"it is no calendar ({_status(answer)})"
            raise self._client.failed(why)
        for response in self._client.responses(answer.body):
            path = self.address.entry(response.findtext(f"{DAV}href", "").strip())
            data = response.findtext(f".//{CALDAV}calendar-data")
            if path and data:
                version = response.findtext(f".//{DAV}getetag", "")
                yield ServedEntry(path=path, version=version.strip(), data=data.encode())

    def holds(self, path: str) -> bool:
        """Return whether an address is that of an entry of this collection."""
        return self.address.entry(path) == path

    def get(self, path: str) -> ServedEntry | None:
        """Return the entry at an address; None if there is none."""
        answer = self._client.asked("GET", path)
        if answer.status in {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}:
            return None
        if answer.status != HTTPStatus.OK or answer.truncated:
            why = f"it did not give {path} ({_status(answer)})"
            raise self._client.failed(why)
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
        self._written(self._client.asked("PUT", path, headers, data), path)

    def delete(self, path: str, *, version: str) -> None:
        """Remove an entry in one version; raises as `put` does."""
        self._written(self._client.asked("DELETE", path, self._only(version)), path)

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
            raise self._client.uncertain(_status(answer))
        why = f"{_status(answer)}; {_NOT_CHANGED}"
        raise self._client.failed(why)

    @property
    def _client(self) -> DavClient:
        return DavClient(address=self.address, time_limit=self.time_limit)


def _status(answer: Fetched) -> str:
    return answer.error or f"HTTP {answer.status}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DavServer:
    """The entries of every calendar on a server, by their addresses, for undo; see `ServedPlace`.

    Attributes:
        address: An address on the server.
    """

    address: DavAddress

    def holds(self, path: str) -> bool:
        """Return whether an address is that of an entry on this server."""
        is_here = path.startswith(f"{self.address.target.origin}/")
        return is_here and self._collection(path).holds(path)

    def get(self, path: str) -> ServedEntry | None:
        """Return the entry at an address; None if there is none."""
        return self._collection(path).get(path)

    def put(self, path: str, data: bytes, *, version: str | None) -> None:
        """Write an entry; see `DavCollection.put`."""
        self._collection(path).put(path, data, version=version)

    def delete(self, path: str, *, version: str) -> None:
        """Remove an entry in one version; see `DavCollection.put`."""
        self._collection(path).delete(path, version=version)

    def _collection(self, path: str) -> DavCollection:
        return DavCollection(address=self.address.at(path.rpartition("/")[0]))
