"""What is sent in one request, and what came back."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final

from okso_jupyter.web.addresses import Target

#: Statuses of redirects, which are not followed unasked.
REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request.

    Attributes:
        target: Its address.
        method: Its method.
        headers: Headers beside, or in place of, those of every request; they may hold a password.
        body: Its body.
    """

    target: Target
    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    body: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """One response.

    Attributes:
        final_url: Its address, after redirects.
        status: HTTP status.
        headers: Headers by lower-case name; several of one name are joined by commas.
        body: Decoded body.
        truncated: Whether there is more than `body` holds.
    """

    final_url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    truncated: bool

    @property
    def error(self) -> str:
        """The status in words if it means that there is no such page; else empty."""
        if self.status < HTTPStatus.BAD_REQUEST:
            return ""
        with suppress(ValueError):
            return f"HTTP {self.status} {HTTPStatus(self.status).phrase}"
        return f"HTTP {self.status}"
