"""DavClient: requests to one CalDAV server, each sent once, and what its failures say."""

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
from okso_jupyter.personal.dav.digest_login import digest_login
from okso_jupyter.web.addresses import check_url
from okso_jupyter.web.http_messages import Fetched, Request
from okso_jupyter.web.network import Budget, SystemNetwork

#: Names of XML: of WebDAV and of CalDAV.
DAV: Final = "{DAV:}"
CALDAV: Final = "{urn:ietf:params:xml:ns:caldav}"
XML: Final = ("Content-Type", "application/xml; charset=utf-8")
_MAX_BYTES: Final = 32 * 1024 * 1024
#: Longest time in seconds that the server may take for one answer, and for a connection.
_ANSWER_S: Final = 20.0
_CONNECT_S: Final = 8.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DavClient:
    """Sends requests with the password of an address, to its server alone.

    Attributes:
        address: The address.
        time_limit: The end of the call; None where each answer has its own time alone.
    """

    address: DavAddress
    time_limit: TimeLimit | None = None

    def asked(
        self, method: str, path: str, headers: tuple[tuple[str, str], ...] = (), body: bytes = b""
    ) -> Fetched:
        """Return the answer to a request, which is not a redirect and took the password.

        Raises:
            ToolError: There is no such answer.
            ToolUncertainError: It was told to write, and there is no answer.
        """
        answer = self.answered(method, path, headers, body)
        self.check(answer)
        return answer

    def answered(
        self, method: str, path: str, headers: tuple[tuple[str, str], ...] = (), body: bytes = b""
    ) -> Fetched:
        """Return any answer to a request; raises as `asked` does.

        One that was refused with a challenge is sent once more, with its answer: nothing was done.
        """
        answer = self._sent(method, path, (*self.address.login(), *headers), body)
        if answer.status != HTTPStatus.UNAUTHORIZED:
            return answer
        url, challenge = answer.final_url, answer.headers.get("www-authenticate", "")
        login = digest_login(self.address, method, url, challenge)
        if not login:
            return answer
        return self._sent(method, path, (("Authorization", login), *headers), body)

    def check(self, answer: Fetched) -> None:
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

    def responses(self, body: bytes) -> Iterator[etree._Element]:
        """Yield the parts of an answer; no entity in it is resolved, nothing is fetched."""
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        try:
            tree = etree.fromstring(body, parser)
        except (etree.XMLSyntaxError, ValueError):
            tree = None
        if tree is None or tree.tag != f"{DAV}multistatus":
            why = "the answer cannot be read"
            raise self.failed(why)
        yield from tree.iter(f"{DAV}response")

    def failed(self, why: str) -> ToolFailedError:
        """Return the error of a server that cannot be used."""
        return ToolFailedError(f"{self.address} could not be used: {why}")

    def uncertain(self, why: str) -> ToolUncertainError:
        """Return the error of a write that may have been made."""
        msg = f"{self.address} did not say what became of the change ({why}): it is not known"
        return ToolUncertainError(msg, hint="look at the calendar before you ask for it again")

    def _sent(
        self, method: str, path: str, headers: tuple[tuple[str, str], ...], body: bytes
    ) -> Fetched:
        from okso_jupyter.web.one_request import sent  # noqa: PLC0415  loads httpcore2

        limit = self.time_limit or TimeLimit.of_seconds(_ANSWER_S)
        limit.check()
        budget = Budget(
            deadline=min(limit.end_s, time.monotonic() + _ANSWER_S),
            wire_bytes=2 * _MAX_BYTES,
            cancelled=limit.cancelled,
        )
        # compressed, some servers give another version
        mine = (("Accept-Encoding", "identity"), *headers)
        target = check_url(path, trusted=(self.address.target.origin,))
        try:
            return sent(
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

    def _explained(self, error: ToolError, method: str, *, has_sent: bool) -> ToolError:
        """Return why there is no answer, without a word of the server, which knows the password."""
        if has_sent and method in {"PUT", "DELETE"}:
            return self.uncertain("it broke off, or did not answer in time")
        if isinstance(error, ToolTimeoutError):
            return ToolTimeoutError(f"{self.address} did not answer in time")
        if has_sent and isinstance(error, ToolUnavailableError):
            return ToolUnavailableError(f"{self.address} broke off, or speaks no HTTP")
        return error
