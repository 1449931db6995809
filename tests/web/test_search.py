"""Each search engine, simulated by a local server: its request and the parsed result."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from okso_jupyter.errors import (
    ToolError,
    ToolFailedError,
    ToolInputError,
    ToolRefusedError,
    ToolTimeoutError,
    ToolUnavailableError,
)
from okso_jupyter.settings import Settings
from okso_jupyter.web import FetchLimits, WebClient
from okso_jupyter.web.search import (
    DdgsSearch,
    Findings,
    Found,
    GoogleSearch,
    SearchOptions,
    SearchProvider,
    SearxngSearch,
)
from tests.web_lab import Host, LabNetwork, Talk, answer, says

KEY = "AIza-not-a-real-key-0123456789"
CX = "engine-0123456789"
# the real host over plain HTTP: its name leads to the server of the test
GOOGLE = GoogleSearch(api_key=KEY, engine=CX, endpoint="http://www.googleapis.com/customsearch/v1")
ROW = {"title": "Tides", "link": "https://example.org/t", "snippet": "High\nand low."}
TIDES = Found(title="Tides", url="https://example.org/t", snippet="High and low.")

Serve = Callable[[Talk], Host]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """A function that starts servers; they are closed after the test."""
    hosts: list[Host] = []

    def start(talk: Talk) -> Host:
        hosts.append(Host(talk))
        return hosts[-1]

    yield start
    for host in hosts:
        host.close()


def _found(url: str, snippet: str) -> Found:
    return Found(title="Untitled", url=url, snippet=snippet)


def as_json(document: object, status: str = "200 OK") -> bytes:
    """Return a complete HTTP response with a JSON body."""
    body = json.dumps(document).encode()
    return answer(body, status=status, Content_Type="application/json")


def search(provider: SearchProvider, host: Host, query: str = "tides", count: int = 5) -> Findings:
    """Search without retries; every public name resolves to the host."""
    limits = FetchLimits(timeout_s=5, retries=0)
    client = WebClient(limits=limits, network=LabNetwork(host))
    return provider.search(query, count, partial(client.get, timeout_s=5.0))


def searxng(host: Host, tail: str = "") -> SearxngSearch:
    """Return a SearXNG search on this machine."""
    return SearxngSearch(url=f"http://127.0.0.1:{host.port}{tail}")


def asked(host: Host) -> tuple[str, dict[str, list[str]]]:
    """Return the path and query of the last request."""
    target = urlsplit(host.requests[-1].split()[1])
    return target.path, parse_qs(target.query)


def test_google_is_queried_as_documented(serve: Serve) -> None:
    """Key, engine, query and count are sent; titles, addresses and snippets are parsed."""
    host = serve(says(as_json({"searchInformation": {"totalResults": "1200"}, "items": [ROW]})))

    found = search(GOOGLE, host, "tides & moon?", 3)

    assert asked(host) == (
        "/customsearch/v1",
        {"key": [KEY], "cx": [CX], "q": ["tides & moon?"], "num": ["3"]},
    )
    assert found == Findings(total=1200, items=(TIDES,))


def test_searxng_is_queried_for_json(serve: Serve) -> None:
    """A configured SearXNG instance on this machine is queried for JSON."""
    rows = [{"title": "Tides", "url": "https://example.org/t", "content": "High and low."}] * 7
    host = serve(says(as_json({"number_of_results": 0, "results": rows})))

    found = search(searxng(host), host, count=2)

    assert asked(host) == ("/search", {"q": ["tides"], "format": ["json"]})
    assert found == Findings(total=2, items=(TIDES, TIDES))


@pytest.mark.parametrize("tail", ["/", "/search", "/search/"])
def test_a_searxng_address_may_end_with_a_path(serve: Serve, tail: str) -> None:
    """The path /search is requested whether or not the address ends with it."""
    host = serve(says(as_json({"results": []})))

    search(searxng(host, tail), host)

    assert asked(host)[0] == "/search"


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        (None, []),
        ({"a": 1}, []),
        ([None, 3, "x", {}], []),
        ([{**ROW, "link": "javascript:alert(1)"}, {**ROW, "link": 7}], []),
        ([{"link": "HTTPS://example.org/t"}], [_found("HTTPS://example.org/t", "")]),
        ([{**ROW, "title": ["x"], "snippet": "y" * 900}], [_found(ROW["link"], "y" * 499 + "…")]),
    ],
)  # fmt: skip
def test_malformed_results_are_omitted(serve: Serve, rows: object, kept: list[Found]) -> None:
    """A malformed result is omitted; a snippet that is too long is truncated."""
    host = serve(says(as_json({"items": rows})))

    assert search(GOOGLE, host) == Findings(total=len(kept), items=tuple(kept))


BAD_KEY = {"error": {"code": 400, "message": "API key not valid."}}


@pytest.mark.parametrize(
    ("reply", "kind", "said"),
    [
        (as_json(BAD_KEY), ToolRefusedError, "API key not valid"),
        (as_json(BAD_KEY, status="400 Bad Request"), ToolRefusedError, "API key not valid"),
        (answer(b"<html>", status="403 Forbidden"), ToolRefusedError, "HTTP 403 Forbidden"),
        (as_json({}, status="429 Too Many"), ToolUnavailableError, "HTTP 429"),
        (as_json({}, status="500 Oh"), ToolUnavailableError, "HTTP 500"),
        (answer(b"<html>"), ToolFailedError, "is not JSON"),
        (answer(b"[1]"), ToolFailedError, "is not a JSON object"),
        (answer(b"[" * 300_000), ToolFailedError, "is too long"),
    ],
)  # fmt: skip
def test_a_search_error_does_not_contain_the_key(
    serve: Serve, reply: bytes, kind: type[ToolError], said: str
) -> None:
    """Each failure of Google has its error type; no message has the key or engine id."""
    with pytest.raises(kind, match=said) as caught:
        search(GOOGLE, serve(says(reply)))

    assert KEY not in str(caught.value)
    assert CX not in str(caught.value)


def test_a_searxng_without_json_gets_a_hint(serve: Serve) -> None:
    """If SearXNG refuses JSON, the error names the setting `search.formats`."""
    host = serve(says(answer(status="403 Forbidden")))

    with pytest.raises(ToolRefusedError, match=r"search\.formats"):
        search(searxng(host), host)


def test_searxng_trusts_only_its_own_address(serve: Serve) -> None:
    """A redirect from SearXNG to another local service is refused."""
    other = serve(says(as_json({"results": []})))
    host = serve(says(answer(status="302 Found", Location=f"http://127.0.0.1:{other.port}/")))

    with pytest.raises(ToolRefusedError):
        search(searxng(host), host)
    assert other.requests == []


# --- ddgs: its HTTP is its own, so a stand-in module takes its place ---------------------------

_STAND_IN = """
from ddgs.exceptions import *

class DDGS:
    def text(self, query, max_results=None):
        if query == "slow":
            raise TimeoutException("timed out")
        if query == "busy":
            raise RatelimitException("202")
        if query == "nothing":
            raise DDGSException("No results found.")
        return [{"title": query, "href": "https://example.org/", "body": str(max_results)}] * 9
"""
_EXCEPTIONS = """
class DDGSException(Exception): ...
class RatelimitException(DDGSException): ...
class TimeoutException(DDGSException): ...
"""


@pytest.fixture
def ddgs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, serve: Serve
) -> Iterator[Callable[[str], Findings]]:
    """A search that uses a stand-in package with the name and interface of ddgs."""
    package = tmp_path / "ddgs"
    package.mkdir()
    (package / "__init__.py").write_text(_STAND_IN)
    (package / "exceptions.py").write_text(_EXCEPTIONS)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in [n for n in sys.modules if n.partition(".")[0] == "ddgs"]:
        monkeypatch.delitem(sys.modules, name)
    host = serve(says(answer()))
    yield lambda query: search(DdgsSearch(), host, query, 2)
    for name in [n for n in sys.modules if n.partition(".")[0] == "ddgs"]:
        monkeypatch.delitem(sys.modules, name)


def test_ddgs_results_are_converted(ddgs: Callable[[str], Findings]) -> None:
    """Results of ddgs become findings, at most as many as were requested."""
    found = Found(title="tides", url="https://example.org/", snippet="2")

    assert ddgs("tides") == Findings(total=2, items=(found, found))
    assert ddgs("nothing") == Findings(total=0, items=())


@pytest.mark.parametrize(
    ("query", "kind"), [("slow", ToolTimeoutError), ("busy", ToolUnavailableError)]
)
def test_ddgs_errors_are_converted(
    ddgs: Callable[[str], Findings], query: str, kind: type[ToolError]
) -> None:
    """An exception raised by ddgs becomes an error of this project."""
    with pytest.raises(kind):
        ddgs(query)


def test_without_ddgs_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """If ddgs is configured but not installed, the error names the extra to install."""
    monkeypatch.setitem(sys.modules, "ddgs", None)
    monkeypatch.setitem(sys.modules, "ddgs.exceptions", None)

    with pytest.raises(ToolRefusedError, match=r"okso-jupyter\[ddgs\]"):
        SearchOptions(provider="ddgs").open()


# --- which engine ------------------------------------------------------------------------------

KEYS = {"GOOGLE_SEARCH_API_KEY": KEY, "GOOGLE_SEARCH_CX": CX}
OLD_KEYS = {"OKSO_GOOGLE_CSE_API_KEY": KEY, "OKSO_GOOGLE_CSE_ID": CX}
URL = {"SEARXNG_URL": "http://localhost:8888"}


@pytest.mark.parametrize(
    ("settings", "destination"),
    [
        (KEYS, "Google (www.googleapis.com)"),
        (OLD_KEYS, "Google (www.googleapis.com)"),
        ({**KEYS, **URL}, "Google (www.googleapis.com)"),
        (URL, "SearXNG (http://localhost:8888)"),
        ({**KEYS, **URL, "SEARCH_PROVIDER": "searxng"}, "SearXNG (http://localhost:8888)"),
    ],
)
def test_the_settings_choose_the_engine(settings: dict[str, Any], destination: str) -> None:
    """SEARCH_PROVIDER chooses the engine; by default it is Google, then SearXNG.

    The default depends on which keys or address are set.
    """
    assert SearchOptions.of(Settings.of(settings)).open().destination == destination


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "no search engine is set"),
        ({"GOOGLE_SEARCH_API_KEY": KEY}, "no search engine is set"),
        ({**URL, "SEARCH_PROVIDER": "google"}, "its key or search engine is not set"),
        ({**KEYS, "SEARCH_PROVIDER": "searxng"}, "SEARXNG_URL is not set"),
    ],
)
def test_a_missing_engine_names_the_options(settings: dict[str, Any], said: str) -> None:
    """Without a search engine the error says what is missing, and the hint lists options."""
    with pytest.raises(ToolRefusedError, match=said) as caught:
        SearchOptions.of(Settings.of(settings)).open()

    assert "GOOGLE_SEARCH_API_KEY and GOOGLE_SEARCH_CX, or SEARXNG_URL" in caught.value.hint
    assert "okso-jupyter[ddgs]" in caught.value.hint


def test_a_searxng_address_must_be_a_url() -> None:
    """An invalid SearXNG address is refused before any request."""
    with pytest.raises(ToolInputError):
        SearchOptions(searxng_url="localhost:8888").open()


def test_no_repr_shows_a_key() -> None:
    """No repr of a record and no exported setting contains a key."""
    settings = Settings.of(KEYS)

    shown = f"{settings!r} {SearchOptions.of(settings)!r} {GOOGLE!r} {settings.to_dict()}"
    assert KEY not in shown
    assert CX not in shown
    assert settings.to_dict()["GOOGLE_SEARCH_CX"] == "(set)"
