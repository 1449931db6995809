"""WebClient: guarded GET requests; each hop is checked, and bytes and time are bounded."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Final, Self
from urllib.parse import urljoin

from okso_jupyter.errors import (
    ToolError,
    ToolFailedError,
    ToolRefusedError,
    ToolUnavailableError,
)
from okso_jupyter.settings import Settings
from okso_jupyter.web.addresses import Target, check_url
from okso_jupyter.web.http_messages import REDIRECTS, Fetched, Request
from okso_jupyter.web.network import Budget, Network, SystemNetwork

#: Maximum number of redirects followed.
MAX_REDIRECTS: Final = 5
#: Statuses of temporary failures.
_PASSING: Final = frozenset({429, 502, 503, 504})
_MAX_RETRY_AFTER_S: Final = 10.0
#: Allowance in bytes for headers, chunk marks and compression overhead, beyond the body.
_SPARE_WIRE_BYTES: Final = 1 << 20
_ACCEPT: Final = "text/html, application/xhtml+xml, text/*;q=0.9, application/json;q=0.9, */*;q=0.5"


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchLimits:
    """Limits of one fetch.

    Attributes:
        max_bytes: Maximum size of the decoded body; the rest is cut off.
        timeout_s: Total seconds, including redirects and retries.
        connect_timeout_s: Seconds for connecting to a host.
        retries: How often a request with a temporary failure is repeated.
        retry_delay_s: Seconds before a repetition.
    """

    max_bytes: int = 5 * 1024 * 1024
    timeout_s: float = 20.0
    connect_timeout_s: float = 5.0
    retries: int = 1
    retry_delay_s: float = 1.0

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return the limits in the settings."""
        return cls(
            max_bytes=settings.web_fetch_max_bytes,
            timeout_s=settings.web_http_timeout,
            connect_timeout_s=settings.web_http_connect_timeout,
            retries=settings.web_http_retries,
            retry_delay_s=settings.web_http_retry_delay,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WebClient:
    """Sends requests to the public internet, without cookies, credentials or environment proxies.

    Attributes:
        limits: Limits of one fetch.
        network: Name lookup and connections.
    """

    limits: FetchLimits = field(default_factory=FetchLimits)
    network: Network = field(default_factory=SystemNetwork)

    def get(  # noqa: PLR0913  all but the first are named at every call
        self,
        url: str,
        *,
        trusted: Collection[str] = (),
        max_bytes: int | None = None,
        timeout_s: float | None = None,
        cancelled: threading.Event | None = None,
        refuses_redirect: Callable[[str], str] = lambda _url: "",
    ) -> Fetched:
        """Fetch an address; an HTTP error is a result too.

        Args:
            url: The address. It may contain a key: messages name only its host.
            trusted: Origins (see `origin_of`) named in the user's settings: these may be anywhere,
                including this machine. Never one that a model or a page named.
            max_bytes: Limit in bytes, if stricter than in `limits`.
            timeout_s: Limit in seconds, if stricter than in `limits`.
            cancelled: Set by another thread to stop the fetch.
            refuses_redirect: Returns why a redirect to an address is not followed; empty if it is.

        Raises:
            ToolInputError: It is not a valid address.
            ToolRefusedError: It, or a redirect, is not on the public internet; or a redirect is
                refused by `refuses_redirect`.
            ToolNotFoundError: There is no such host.
            ToolUnavailableError: The host did not answer, or closed the connection.
            ToolTimeoutError: There was no complete response in time.
            ToolFailedError: The response cannot be decoded, or redirects in a loop.
        """
        limits = replace(
            self.limits,
            max_bytes=min(max_bytes or self.limits.max_bytes, self.limits.max_bytes),
            timeout_s=min(timeout_s or self.limits.timeout_s, self.limits.timeout_s),
        )
        fetch = _Fetch(
            network=self.network,
            limits=limits,
            trusted=frozenset(trusted),
            budget=Budget(
                deadline=time.monotonic() + limits.timeout_s,
                wire_bytes=2 * limits.max_bytes + _SPARE_WIRE_BYTES,
                cancelled=cancelled or threading.Event(),
            ),
            refuses_redirect=refuses_redirect,
        )
        return fetch.run(check_url(url, trusted=trusted))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fetch:
    """One fetch: its hops and retries share a budget."""

    network: Network
    limits: FetchLimits
    trusted: frozenset[str]
    budget: Budget
    refuses_redirect: Callable[[str], str]

    def run(self, target: Target) -> Fetched:
        """Follow redirects to the final response."""
        seen = {target.url}
        for _ in range(MAX_REDIRECTS + 1):
            answer = self._patiently(target)
            location = answer.headers.get("location", "")
            if answer.status not in REDIRECTS or not location:
                return answer
            following = self._next(target, location)
            if following.url in seen:
                msg = f"{target.host} redirects in circles"
                raise ToolFailedError(msg)
            seen.add(following.url)
            target = following
        msg = f"more than {MAX_REDIRECTS} redirects, the last one by {target.host}"
        raise ToolFailedError(msg)

    def _next(self, target: Target, location: str) -> Target:
        """Return the target of a redirect, checked like any address."""
        try:
            following = check_url(
                urljoin(target.url, location.strip().replace(" ", "%20")), trusted=self.trusted
            )
        except (ToolError, ValueError) as error:
            msg = f"{target.host} redirects to an address that is refused: {error}"
            raise ToolRefusedError(msg) from error
        if (target.scheme, following.scheme) == ("https", "http"):
            msg = f"{target.host} redirects to {following.host} without encryption"
            raise ToolRefusedError(msg)
        if why := self.refuses_redirect(following.url):
            msg = f"{target.host} redirects to {following.host}, where this call may not go: {why}"
            raise ToolRefusedError(msg, hint="fetch that address itself, which is then decided")
        return following

    def _patiently(self, target: Target) -> Fetched:
        """Send a request, and repeat it after temporary failures while time is left."""
        for tries_left in reversed(range(self.limits.retries + 1)):
            try:
                answer = self._once(target)
            except ToolUnavailableError:
                if not tries_left:
                    raise
                self._wait(self.limits.retry_delay_s)
                continue
            delay_s = max(self.limits.retry_delay_s, _retry_after_s(answer))
            if answer.status not in _PASSING or not tries_left or delay_s > self._patience_s():
                break
            self._wait(delay_s)
        return answer

    def _patience_s(self) -> float:
        return min(self.budget.left_s(), _MAX_RETRY_AFTER_S)

    def _wait(self, delay_s: float) -> None:
        self.budget.cancelled.wait(min(delay_s, self.budget.left_s()))

    def _once(self, target: Target) -> Fetched:
        """Send one request over a new connection."""
        from okso_jupyter.web.one_request import sent  # noqa: PLC0415  loads httpcore2

        return sent(
            Request(target=target, headers=(("Accept", _ACCEPT),)),
            network=self.network,
            budget=self.budget,
            connect_timeout_s=self.limits.connect_timeout_s,
            max_bytes=self.limits.max_bytes,
            any_address=target.origin in self.trusted,
        )


def _retry_after_s(answer: Fetched) -> float:
    """Return the seconds that the server asks to wait; 0 if not given."""
    text = answer.headers.get("retry-after", "")
    return float(text) if text.isascii() and text.isdigit() else 0.0
