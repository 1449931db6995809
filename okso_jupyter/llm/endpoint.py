"""Endpoint: address and credentials of an OpenAI-compatible server, and the errors it returns."""

from __future__ import annotations

import logging
import re
import ssl
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Self
from urllib.parse import SplitResult, unquote, urlsplit

import httpx

from okso_jupyter.errors import ModelError, ModelInputError, ModelUnavailableError
from okso_jupyter.llm.background_loop import THREAD
from okso_jupyter.llm.remote_host import is_loopback
from okso_jupyter.redaction.redactor import REDACTED, Redactor

_HOW: Final = "write it as http(s)://host[:port]/v1#model"
_TOO_LONG: Final = re.compile(
    r"(?i)context[ _-]?(?:length|size|window)|maximum context|too many tokens"
)
_MOST_WORDS: Final = 300
#: Of a key of so many characters, its first ones are removed as well where they stand alone.
_MASKED_KEY, _KEY_BEGINNING = 16, 6
_CONNECT_S: Final = 10.0
_UNPRINTABLE: Final = re.compile(r"[^ -~\u00a0-\U0010ffff]+")


class RefusedError(Exception):
    """The server answered, but not with a completion.

    Attributes:
        status: The HTTP status.
        words: The server's error message, or its whole body, cut to a bound.
        place: Target of a redirect; empty if there is none.
        retry_after_s: Seconds to wait before the next request; None if the server names none.
    """

    def __init__(
        self, status: int, words: str, *, place: str = "", retry_after_s: float | None = None
    ) -> None:
        super().__init__(status)
        self.status = status
        self.words = words
        self.place = place
        self.retry_after_s = retry_after_s


def is_too_long(error: RefusedError) -> bool:
    """Return whether a server refuses a prompt for its length."""
    return error.status in {400, 413, 422} and _TOO_LONG.search(error.words) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One model behind one address.

    Attributes:
        address: Base address without credentials, such as "http://localhost:8080/v1".
        model: The server's name for the model.
        query: The part of the address after "?"; kept out of everything that is shown.
        key: Bearer token; empty for none.
        login: User and password of the address; empty for none.
    """

    address: str
    model: str
    query: str = field(default="", repr=False)
    key: str = field(default="", repr=False)
    login: tuple[str, str] | tuple[()] = field(default=(), repr=False)

    @classmethod
    def from_spec(cls, spec: str, key: str = "") -> Self:
        """Read `http(s)://host[:port]/v1#model`.

        Raises:
            ModelUnavailableError: It names no host or no model, or the key is invalid in a header.
        """
        parts = _split(spec)
        shown = _shown(parts)
        if not parts.fragment:
            msg = f"model {shown!r} names no model of that server"
            raise ModelUnavailableError(msg, hint=f"{_HOW}: the model's name comes behind the #")
        if not (key.isascii() and key.isprintable()):
            msg = "OKSO_API_KEY holds characters that no key has"
            raise ModelUnavailableError(msg, hint="copy it again, without blanks and line ends")
        login = (unquote(parts.username or ""), unquote(parts.password or ""))
        return cls(
            address=shown, model=unquote(parts.fragment), query=parts.query, key=key,
            login=login if any(login) else (),
        )  # fmt: skip

    @property
    def spec(self) -> str:
        """The spec, without credentials."""
        return f"{self.address}#{self.model}"

    @property
    def is_local(self) -> bool:
        """Whether the server runs on this machine."""
        return is_loopback(urlsplit(self.address).hostname or "")

    @property
    def travels_openly(self) -> bool:
        """Whether a third party on the network could read the key."""
        secret = bool(self.key or self.login)
        return secret and self.address.startswith("http:") and not self.is_local

    def url(self, path: str) -> str:
        """Return the URL of one of the server's services, such as "/models"."""
        return f"{self.address}{path}{'?' if self.query else ''}{self.query}"

    def client(self, silence_s: float) -> httpx.AsyncClient:
        """Return a client that sends the credentials of this endpoint and follows no redirect.

        Args:
            silence_s: Longest wait for the next bytes, in seconds.
        """
        logging.getLogger("httpx").addFilter(_is_of_others)
        return httpx.AsyncClient(
            headers={"Authorization": f"Bearer {self.key}"} if self.key else {},
            auth=httpx.BasicAuth(*self.login) if self.login and not self.key else None,
            timeout=httpx.Timeout(silence_s, connect=min(_CONNECT_S, silence_s)),
            verify=_certificates(),
            # The environment's proxies are for other machines.
            trust_env=not self.is_local,
        )

    def clean(self, text: str) -> str:
        """Return foreign text as one short line without the endpoint's secrets."""
        secrets = tuple(s for s in (self.key, *self.login[1:], self.query) if s)
        safe = Redactor(secrets).text(text)
        if len(self.key) >= _MASKED_KEY:  # some servers repeat the beginning of a refused key
            safe = re.sub(re.escape(self.key[:_KEY_BEGINNING]) + r"[^\s'\"]*", REDACTED, safe)
        line = " ".join(_UNPRINTABLE.sub(" ", safe).split())
        return line if len(line) <= _MOST_WORDS else f"{line[:_MOST_WORDS]}…"

    def explain(self, error: RefusedError) -> ModelError:
        """Return the error for a refusal, with a hint at what to do."""
        words = f": {self.clean(error.words)}" if error.words.strip() else ""
        said = f"{self.address} answered {error.status}{words}"
        if is_too_long(error):
            msg = f"the prompt does not fit into {self.model}: {said}"
            return ModelInputError(msg, hint="shorten the request, or serve a longer context")
        if error.place:
            msg = f"{self.address} redirects to {self.clean(error.place)}"
            return ModelUnavailableError(msg, hint="name that address in the model spec: a key is "
                                                   "never sent on")  # fmt: skip
        hint = {
            401: "OKSO_API_KEY is the key that is sent",
            403: "OKSO_API_KEY is the key that is sent",
            404: f"is {self.model!r} a model of that server, and its address complete? {_HOW}",
            429: "ask for fewer samples, or later",
        }.get(error.status, "")
        kind = ModelUnavailableError if hint or error.status >= 500 else ModelError  # noqa: PLR2004
        return kind(said, hint=hint)


def _is_of_others(record: logging.LogRecord) -> bool:
    """Return whether a log record of httpx is of another request: ours would show the query."""
    return record.threadName != THREAD


@cache
def _certificates() -> ssl.SSLContext:
    """Return the trusted authorities; cached, as reading them takes longer than a short answer."""
    return httpx.create_ssl_context()


def _split(spec: str) -> SplitResult:
    """Return the parts of an address; the error does not repeat credentials."""
    try:
        parts = urlsplit(spec.strip())
        is_named = bool(httpx.URL(spec.strip().partition("#")[0]).host)  # stricter on characters
        if is_named and (parts.port is None or parts.port > 0):
            return parts
    except (ValueError, httpx.InvalidURL):
        pass
    msg = "the model spec is not the address of a server"
    raise ModelUnavailableError(msg, hint=_HOW)


def _shown(parts: SplitResult) -> str:
    """Return an address without credentials, query and model."""
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path.rstrip('/')}"
