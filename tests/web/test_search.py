"""Each search engine, imitated by a server on loopback: what is asked, and what is made of it."""

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
    """Starts servers, and ends them with the test."""
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
    """Return a whole answer with a JSON body."""
    body = json.dumps(document).encode()
    return answer(body, status=status, Content_Type="application/json")


def search(provider: SearchProvider, host: Host, query: str = "tides", count: int = 5) -> Findings:
    """Search without second tries; every public name leads to the host."""
    limits = FetchLimits(timeout_s=5, retries=0)
    client = WebClient(limits=limits, network=LabNetwork(host))
    return provider.search(query, count, partial(client.get, timeout_s=5.0))


def searxng(host: Host, tail: str = "") -> SearxngSearch:
    """Return an instance on this machine."""
    return SearxngSearch(url=f"http://127.0.0.1:{host.port}{tail}")


def asked(host: Host) -> tuple[str, dict[str, list[str]]]:
    """Return path and query of the last request."""
    target = urlsplit(host.requests[-1].split()[1])
    return target.path, parse_qs(target.query)


def test_google_is_asked_as_it_documents(serve: Serve) -> None:
    """Key, engine, query and number go out; titles, addresses and snippets come back."""
    host = serve(says(as_json({"searchInformation": {"totalResults": "1200"}, "items": [ROW]})))

    found = search(GOOGLE, host, "tides & moon?", 3)

    assert asked(host) == (
        "/customsearch/v1",
        {"key": [KEY], "cx": [CX], "q": ["tides & moon?"], "num": ["3"]},
    )
    assert found == Findings(total=1200, items=(TIDES,))


def test_searxng_is_asked_for_json(serve: Serve) -> None:
    """An instance on this machine is reached, since the user named it."""
    rows = [{"title": "Tides", "url": "https://example.org/t", "content": "High and low."}] * 7
    host = serve(says(as_json({"number_of_results": 0, "results": rows})))

    found = search(searxng(host), host, count=2)

    assert asked(host) == ("/search", {"q": ["tides"], "format": ["json"]})
    assert found == Findings(total=2, items=(TIDES, TIDES))


@pytest.mark.parametrize("tail", ["/", "/search", "/search/"])
def test_a_searxng_address_may_have_a_tail(serve: Serve, tail: str) -> None:
    """However the address ends, /search is asked."""
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
def test_odd_rows_are_left_out(serve: Serve, rows: object, kept: list[Found]) -> None:
    """What is no page is dropped, and what is too long is cut."""
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
def test_a_failure_is_told_without_the_key(
    serve: Serve, reply: bytes, kind: type[ToolError], said: str
) -> None:
    """Every way in which Google fails has its kind of error; none names the request."""
    with pytest.raises(kind, match=said) as caught:
        search(GOOGLE, serve(says(reply)))

    assert KEY not in str(caught.value)
    assert CX not in str(caught.value)


def test_a_searxng_without_json_names_its_setting(serve: Serve) -> None:
    """Most instances allow no JSON; the hint says where that is set."""
    host = serve(says(answer(status="403 Forbidden")))

    with pytest.raises(ToolRefusedError, match=r"search\.formats"):
        search(searxng(host), host)


def test_searxng_vouches_for_its_own_address_alone(serve: Serve) -> None:
    """A redirect of the instance to another service of this machine is refused."""
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
    """Searches with a package of the library's name and interface."""
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


def test_ddgs_gives_the_same_shape(ddgs: Callable[[str], Findings]) -> None:
    """Its rows become findings, no more of them than were asked for."""
    found = Found(title="tides", url="https://example.org/", snippet="2")

    assert ddgs("tides") == Findings(total=2, items=(found, found))
    assert ddgs("nothing") == Findings(total=0, items=())


@pytest.mark.parametrize(
    ("query", "kind"), [("slow", ToolTimeoutError), ("busy", ToolUnavailableError)]
)
def test_ddgs_failures_are_ours(
    ddgs: Callable[[str], Findings], query: str, kind: type[ToolError]
) -> None:
    """What the library raises becomes an error of this project."""
    with pytest.raises(kind):
        ddgs(query)


def test_without_ddgs_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library is wanted only where the settings name it."""
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
    """SEARCH_PROVIDER decides, else whose keys or address are there, Google first."""
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
def test_without_an_engine_the_ways_are_named(settings: dict[str, Any], said: str) -> None:
    """The error says what is missing, and the hint all that would do."""
    with pytest.raises(ToolRefusedError, match=said) as caught:
        SearchOptions.of(Settings.of(settings)).open()

    assert "GOOGLE_SEARCH_API_KEY and GOOGLE_SEARCH_CX, or SEARXNG_URL" in caught.value.hint
    assert "okso-jupyter[ddgs]" in caught.value.hint


def test_a_searxng_address_must_be_one() -> None:
    """What is no address is refused before anything is sent."""
    with pytest.raises(ToolInputError):
        SearchOptions(searxng_url="localhost:8888").open()


def test_no_repr_shows_a_key() -> None:
    """Whoever prints one of these records by accident shows no key."""
    settings = Settings.of(KEYS)

    shown = f"{settings!r} {SearchOptions.of(settings)!r} {GOOGLE!r} {settings.to_dict()}"
    assert KEY not in shown
    assert CX not in shown
    assert settings.to_dict()["GOOGLE_SEARCH_CX"] == "(set)"
