"""Search engines behind one protocol: a query in, a few pages with snippets out."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from types import ModuleType
from typing import Any, Final, Protocol, Self
from urllib.parse import urlencode

from okso_jupyter.errors import (
    ToolError,
    ToolFailedError,
    ToolRefusedError,
    ToolTimeoutError,
    ToolUnavailableError,
)
from okso_jupyter.settings import Settings
from okso_jupyter.web.addresses import check_url, origin_of
from okso_jupyter.web.http_messages import Fetched

#: Maximum size of a response in bytes.
_MAX_BYTES: Final = 262_144
_MAX_TITLE_CHARS: Final = 200
_MAX_SNIPPET_CHARS: Final = 500
_MAX_REASON_CHARS: Final = 200
_SERVER_AT_FAULT: Final = HTTPStatus.INTERNAL_SERVER_ERROR
_WAYS: Final = (
    "set GOOGLE_SEARCH_API_KEY and GOOGLE_SEARCH_CX, or SEARXNG_URL, or install okso-jupyter[ddgs]"
    " and set SEARCH_PROVIDER=ddgs"
)


class Get(Protocol):
    """`WebClient.get` with the time limit and stop signal of one call."""

    def __call__(self, url: str, *, trusted: tuple[str, ...], max_bytes: int) -> Fetched:
        """Fetch an address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One search result."""

    title: str
    url: str
    snippet: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The results of a search.

    Attributes:
        total: Number of results that the engine reports.
        items: The first of them.
    """

    total: int
    items: tuple[Found, ...]


class SearchProvider(Protocol):
    """A search engine."""

    @property
    def destination(self) -> str:
        """Name of the service that receives a query."""

    def search(self, query: str, count: int, get: Get) -> Findings:
        """Run a query.

        Args:
            query: The query.
            count: Maximum number of results.
            get: Client for the internet.

        Raises:
            ToolError: The engine refused, did not answer, or sent an unexpected answer.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class GoogleSearch:
    """Google Custom Search with the user's own key.

    Attributes:
        api_key: The key.
        engine: Id of the search engine (Google's cx).
        endpoint: Address of the service.
    """

    api_key: str = field(repr=False)
    engine: str = field(repr=False)
    endpoint: str = "https://www.googleapis.com/customsearch/v1"

    @property
    def destination(self) -> str:
        """Name of the service that receives a query."""
        return f"Google ({check_url(self.endpoint).host})"

    def search(self, query: str, count: int, get: Get) -> Findings:
        """Run a query; see `SearchProvider`."""
        asked = {"key": self.api_key, "cx": self.engine, "q": query, "num": count}
        answer = get(f"{self.endpoint}?{urlencode(asked)}", trusted=(), max_bytes=_MAX_BYTES)
        document = _document(answer, self)
        error = _part(document, "error", dict)
        if error or answer.error:
            raise _refusal(self, answer, str(error.get("message", "")))
        total = _part(document, "searchInformation", dict).get("totalResults")
        return _findings(total, _part(document, "items", list), "link", "snippet", count)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearxngSearch:
    """A SearXNG instance configured by the user, which may be on this machine.

    Attributes:
        url: Address of the instance.
    """

    url: str

    @property
    def destination(self) -> str:
        """Name of the service that receives a query."""
        return f"SearXNG ({origin_of(self.url)})"

    def search(self, query: str, count: int, get: Get) -> Findings:
        """Run a query; see `SearchProvider`."""
        asked = urlencode({"q": query, "format": "json"})
        address = f"{self.url.rstrip('/').removesuffix('/search')}/search?{asked}"
        answer = get(address, trusted=(origin_of(self.url),), max_bytes=_MAX_BYTES)
        if answer.error:
            hint = "search.formats of the instance needs json"
            raise _refusal(self, answer, hint=hint)
        document = _document(answer, self)
        total = document.get("number_of_results")
        return _findings(total, _part(document, "results", list), "url", "content", count)


@dataclass(frozen=True, slots=True, kw_only=True)
class DdgsSearch:
    """The ddgs library, which queries several engines without a key, with its own HTTP client."""

    @property
    def destination(self) -> str:
        """Name of the service that receives a query."""
        return "the engines that the library ddgs chooses"

    def search(self, query: str, count: int, get: Get) -> Findings:
        """Run a query; see `SearchProvider`."""
        del get
        library = _ddgs()
        try:
            rows = library.DDGS().text(query, max_results=count)
        except library.exceptions.TimeoutException as error:
            msg = "ddgs: there was no answer in time"
            raise ToolTimeoutError(msg) from error
        except library.exceptions.DDGSException as error:
            if "no results" in str(error).lower():
                return Findings(total=0, items=())
            msg = f"ddgs: {_line(str(error), _MAX_REASON_CHARS)}"
            raise ToolUnavailableError(msg) from error
        return _findings(None, rows, "href", "body", count)


def _ddgs() -> ModuleType:
    """Return the library, loaded on first use."""
    try:
        importlib.import_module("ddgs.exceptions")
        return importlib.import_module("ddgs")
    except ImportError as error:
        msg = "web_search: SEARCH_PROVIDER is ddgs, and that library is not installed"
        raise ToolRefusedError(msg, hint="pip install 'okso-jupyter[ddgs]'") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """The search settings.

    Attributes:
        provider: "google", "searxng", "ddgs", or None for the one that is configured.
        google_api_key: Key of Google Custom Search.
        google_engine: Id of its search engine.
        searxng_url: Address of a SearXNG instance.
    """

    provider: str | None = None
    google_api_key: str | None = field(default=None, repr=False)
    google_engine: str | None = field(default=None, repr=False)
    searxng_url: str | None = None

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return the search options in the settings."""
        return cls(
            provider=settings.search_provider,
            google_api_key=settings.google_search_api_key,
            google_engine=settings.google_search_cx,
            searxng_url=settings.searxng_url,
        )

    def open(self) -> SearchProvider:
        """Return the configured search engine.

        Raises:
            ToolRefusedError: None is configured, or not fully; the message names the options.
            ToolInputError: SEARXNG_URL is not a valid address.
        """
        has_keys = bool(self.google_api_key and self.google_engine)
        chosen = self.provider or (
            "google" if has_keys else "searxng" if self.searxng_url else "none"
        )
        if chosen == "google" and self.google_api_key and self.google_engine:
            return GoogleSearch(api_key=self.google_api_key, engine=self.google_engine)
        if chosen == "searxng" and self.searxng_url:
            origin_of(self.searxng_url)
            return SearxngSearch(url=self.searxng_url)
        if chosen == "ddgs":
            _ddgs()
            return DdgsSearch()
        missing = {
            "google": "SEARCH_PROVIDER is google, and its key or search engine is not set",
            "searxng": "SEARCH_PROVIDER is searxng, and SEARXNG_URL is not set",
        }
        msg = f"web_search: {missing.get(chosen, 'no search engine is set')}"
        raise ToolRefusedError(msg, hint=_WAYS)


def _document(answer: Fetched, engine: SearchProvider) -> Mapping[str, Any]:
    """Return a response as a JSON object."""
    try:
        document = json.loads(answer.body)
    except (ValueError, RecursionError) as error:
        if answer.error:
            raise _refusal(engine, answer) from error
        why = "is too long" if answer.truncated else "is not JSON"
        msg = f"the answer of {engine.destination} {why}"
        raise ToolFailedError(msg) from error
    if not isinstance(document, Mapping):
        msg = f"the answer of {engine.destination} is not a JSON object"
        raise ToolFailedError(msg)
    return document


def _part(document: Mapping[str, Any], name: str, kind: type) -> Any:  # noqa: ANN401  that kind
    """Return a part of a response; an empty value if it is missing or of another type."""
    part = document.get(name)
    return part if isinstance(part, kind) else kind()


def _refusal(
    engine: SearchProvider, answer: Fetched, reason: str = "", *, hint: str = ""
) -> ToolError:
    """Return the error that a response reports, without the request, which may hold a key."""
    said = _line(reason, _MAX_REASON_CHARS) or answer.error
    msg = f"{engine.destination} did not search: {said}"
    passing = answer.status == HTTPStatus.TOO_MANY_REQUESTS or answer.status >= _SERVER_AT_FAULT
    return (ToolUnavailableError if passing else ToolRefusedError)(msg, hint=hint)


def _findings(
    total: object, rows: Iterable[object], address: str, snippet: str, count: int
) -> Findings:
    """Return the rows of a response that lead to a page.

    Args:
        total: Number of results that the engine reports.
        rows: The rows.
        address: Key of the address in a row.
        snippet: Key of the snippet.
        count: Maximum number of results.
    """
    items = tuple(
        Found(
            title=_line(row.get("title"), _MAX_TITLE_CHARS) or "Untitled",
            url=row[address],
            snippet=_line(row.get(snippet), _MAX_SNIPPET_CHARS),
        )
        for row in rows
        if isinstance(row, Mapping) and _is_web(row.get(address))
    )[:count]
    said = str(total) if isinstance(total, int | float | str) else ""
    return Findings(total=max(int(said) if said.isdecimal() else 0, len(items)), items=items)


def _is_web(address: object) -> bool:
    return isinstance(address, str) and address.lower().startswith(("http://", "https://"))


def _line(text: object, most: int) -> str:
    """Return a text on one line, cut to a maximum length."""
    words = " ".join(text.split()) if isinstance(text, str) else ""
    return words if len(words) <= most else f"{words[: most - 1]}…"
