"""web_fetch: pages of every kind as text, and what is shown before anything leaves."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.effects.effect import Effect
from okso_jupyter.errors import ToolInputError, ToolRefusedError
from okso_jupyter.toolkit.context import RunResources, ToolContext
from okso_jupyter.toolkit.tool import ToolOutput
from okso_jupyter.tools.web_fetch import web_fetch
from okso_jupyter.web import FetchLimits, WebClient
from okso_jupyter.workspace import Workspace
from tests.bench import END, Bench
from tests.each_row import each_row
from tests.web_lab import Host, LabNetwork, answer, by_path, internet, says

URL = "http://example.org/page"
KEYS = {
    "final_url", "status", "content_type", "headers", "bytes", "truncated", "body_encoding",
    "body_snippet", "body_markdown", "anchor_query", "anchor_match", "error",
}  # fmt: skip


class Web:
    """A run whose every address leads to one server."""

    def __init__(self, folder: Path) -> None:
        self.run = RunResources(workspace=Workspace(folder), scratch=folder / "scratch")
        self.hosts: list[Host] = []

    def fetch(self, *said: bytes, url: str = URL, **args: Any) -> ToolOutput:
        """Fetch what a server says."""
        self.hosts.append(Host(says(*said)))
        self.run.web = WebClient(
            limits=FetchLimits(timeout_s=10, retries=0), network=LabNetwork(self.hosts[-1])
        )
        output = web_fetch.call(ToolContext(run=self.run, timeout_s=20), {"url": url, **args})
        assert set(output.value) == KEYS
        json.dumps(output.value)
        return output

    def text(self, body: bytes, content_type: str) -> str:
        """Return the text of a page."""
        return self.fetch(answer(body, Content_Type=content_type)).text


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    """A run of its own."""
    web = Web(tmp_path)
    yield web
    web.run.close()
    for host in web.hosts:
        host.close()


# --- kinds -------------------------------------------------------------------------------------


@pytest.mark.process
def test_a_page(web: Web) -> None:
    """HTML becomes Markdown under its title; links show where they lead."""
    body = b"<title>News</title><h2>Rain</h2><p>It <b>rains</b>, <a href='/more'>more</a>.</p>"
    output = web.fetch(
        answer(
            body, Content_Type="text/html; charset=utf-8", ETag='"1"', Set_Cookie="a=b", Vary="x"
        )
    )

    assert output.text == "# News\n\n## Rain\n\nIt **rains**, [more](http://example.org/more)."
    assert output.exit_code == 0
    assert output.value == {
        "final_url": URL,
        "status": 200,
        "content_type": "text/html; charset=utf-8",
        "headers": {
            "content-type": "text/html; charset=utf-8",
            "content-length": str(len(body)),
            "etag": '"1"',
            "vary": "x",
        },
        "bytes": len(body),
        "truncated": False,
        "body_encoding": "text",
        "body_snippet": output.text,
        "body_markdown": output.text,
        "anchor_query": None,
        "anchor_match": False,
        "error": None,
    }


@pytest.mark.process
def test_what_nobody_sees_is_left_out(web: Web) -> None:
    """Hidden elements, comments, images, other links and unseen characters do not come through."""
    body = (
        "<p>shown</p><p hidden>H1</p><p style='display:none'>H2</p><!-- H3 --><img alt='H4' src=x>"
        "<script>H5</script><a href='javascript:H6'>label</a><noscript>H7</noscript>"
        "<p>a\u200bb\u202ec\U000e0041d</p>"
    )
    text = web.text(body.encode(), "text/html; charset=utf-8")

    assert [f"H{n}" for n in range(1, 8) if f"H{n}" in text] == []
    assert "shown" in text
    assert "label" in text
    assert "abcd" in text


@pytest.mark.process
def test_json_and_xml_are_laid_out(web: Web) -> None:
    """JSON and XML come one value a line, fenced as Markdown."""
    found = web.fetch(answer(b'{"a":[1,2]}', Content_Type="application/json"))
    assert json.loads(found.text) == {"a": [1, 2]}
    assert found.value["body_markdown"] == f"```json\n{found.text}\n```"
    assert "\n" in found.text

    found = web.fetch(answer(b"<a><b>1</b></a>", Content_Type="application/rss+xml"))
    assert [line.strip() for line in found.text.splitlines()] == ["<a>", "<b>1</b>", "</a>"]


def test_text_is_shown_as_it_stands(web: Web) -> None:
    """Plain text stays as it is; as Markdown it stands in a fence that it cannot leave."""
    found = web.fetch(answer(b" <b>x</b> ```\n![a](http://b) \n", Content_Type="text/plain"))

    assert found.text == "<b>x</b> ```\n![a](http://b)"
    assert found.value["body_markdown"] == f"````text\n{found.text}\n````"
    assert web.text("a\u202eb\u200bc".encode(), "text/plain") == "abc"


@pytest.mark.process
@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        ("Köln".encode(), "text/plain; charset=utf-8", "Köln"),
        ("Köln".encode("latin-1"), "text/plain; charset=ISO-8859-1", "Köln"),
        ("Köln".encode("latin-1"), "text/plain", "Köln"),
        ("Köln".encode(), "text/plain", "Köln"),
        ("Köln".encode("utf-16"), "text/plain", "Köln"),
        ("\ufeffKöln".encode(), "text/plain; charset=latin-1", "Köln"),
        ("東京".encode("shift_jis"), 'text/plain; charset="Shift_JIS"', "東京"),
        ("Köln".encode(), "text/plain; charset=no-such-thing", "Köln"),
        ("Köln".encode(), "text/plain; charset=hex", "Köln"),
        ("Köln".encode(), "text/plain; charset=unicode_escape", "Köln"),
        ("Köln".encode(), "text/plain; charset=\x7f\x01", "Köln"),
        (b"price \x80 5 \xff", "text/plain; charset=us-ascii", "price € 5 ÿ"),
        (b"\xfa\xfb\xfc", "text/plain; charset=utf-8", "\ufffd\ufffd\ufffd"),
        ("<p>Köln".encode("latin-1"), "text/html; charset=iso-8859-1", "Köln"),
        (b"<meta charset=koi8-r><p>" + "мир".encode("koi8-r"), "text/html", "мир"),
        ("<p>Köln".encode(), "text/html; charset=nonsense", "Köln"),
    ],
)
def test_charsets(web: Web, body: bytes, content_type: str, text: str) -> None:
    """Right, wrong, missing and odd charsets all give the text that a person would read."""
    assert web.text(body, content_type) == text


@pytest.mark.process
def test_json_in_an_old_charset(web: Web) -> None:
    """JSON is decoded as the server says."""
    body = '{"city": "Köln"}'.encode("latin-1")
    assert json.loads(web.text(body, "application/json; charset=latin-1")) == {"city": "Köln"}


@pytest.mark.process
@pytest.mark.parametrize(
    ("body", "content_type", "start"),
    [
        (b"<!DOCTYPE html><title>T</title><p>x", "", "# T\n\nx"),
        (b"<!-- hi --><HTML><p>x", "application/octet-stream", "x"),
        (b"<?xml version='1.0'?><a/>", "", "<a/>"),
        (b"just text", "", "just text"),
        (b"<p>as text</p>", "text/plain", "<p>as text</p>"),
        (b"<p>x", "TEXT/HTML ; charset = utf-8", "x"),
        (b"a,b\n1,2", "text/csv", "a,b\n1,2"),
        (b"", "text/html", ""),
        (b"", "", ""),
    ],
)
def test_what_kind_it_is(web: Web, body: bytes, content_type: str, start: str) -> None:
    """The server's word counts; where it says nothing, the content does."""
    assert web.text(body, content_type) == start


@pytest.mark.process
@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (bytes(range(256)) * 10, "image/png"),
        (b"\0\1\2", ""),
        (b"\0\1\2", "text/html; what"),
        (b"MZ\0", "text/plain"),
        (b"PK", "application/zip"),
        (b"x", "video/mp4"),
    ],
)
def test_what_is_no_text(web: Web, body: bytes, content_type: str) -> None:
    """Anything else comes as type, size and the first bytes in base64."""
    found = web.fetch(answer(body, Content_Type=content_type))
    if found.value["body_encoding"] == "base64":
        assert base64.b64decode(found.value["body_snippet"]) == body[:1024]
        assert found.value["body_markdown"] is None
        assert found.text.endswith(f", {len(body):,} bytes")
    else:
        assert content_type.startswith("text/html")
        assert "\0" not in found.text


@pytest.mark.process
def test_a_damaged_document(web: Web) -> None:
    """What cannot be converted comes as it is, with the reason."""
    found = web.fetch(answer(b"%PDF-1.7 \0 no pdf", Content_Type="application/pdf"))

    assert found.value["body_encoding"] == "base64"
    assert found.value["body_markdown"] is None
    assert found.value["error"].startswith("the pdf cannot be read")
    assert found.value["error"] in found.text


# --- sizes, errors -----------------------------------------------------------------------------


def test_a_long_page_is_cut(web: Web) -> None:
    """The snippet has 1024 characters at most; max_bytes cuts the body and says so."""
    body = b"word " * 1000
    found = web.fetch(answer(body, Content_Type="text/plain"), max_bytes=4000)

    assert (found.value["bytes"], found.value["truncated"]) == (4000, True)
    assert len(found.value["body_snippet"]) <= 1024
    assert found.value["body_snippet"].endswith("word wor…")
    assert found.text == ("word " * 800).strip()


def test_a_cut_in_the_middle_of_a_character(web: Web) -> None:
    """A body that was cut stays the text that it is."""
    found = web.fetch(answer("Köln".encode(), Content_Type="text/plain"), max_bytes=2)
    assert found.text == "K\ufffd"


@pytest.mark.process
@pytest.mark.parametrize(
    ("status", "error"),
    [("404 No", "HTTP 404 Not Found"), ("503 No", "HTTP 503 Service Unavailable")],
)
def test_an_error_is_a_result_that_fails(web: Web, status: str, error: str) -> None:
    """An HTTP error comes with its page, and the step has failed."""
    found = web.fetch(answer(b"<p>gone", status=status, Content_Type="text/html"))

    assert (found.exit_code, found.error, found.value["error"]) == (1, error, error)
    assert found.text == "gone"


def test_a_redirect_names_where_it_ended(web: Web) -> None:
    """The final address is the one that the page came from."""
    found = web.fetch(
        answer(status="301 Moved", Location="http://other.org/b#c"),
        answer(b"x", Content_Type="text/plain"),
    )
    assert found.value["final_url"] == "http://other.org/b"


# --- anchors -----------------------------------------------------------------------------------

FILLER = "Nothing of interest stands in this sentence, which is here to be passed over. " * 30
STORY = "The harbour\u2019s lighthouse was built in 1887 \u2013 by Ada Brandt, an engineer."


@pytest.mark.parametrize(
    "snippet",
    [
        "the harbour's LIGHTHOUSE was built in 1887 - by Ada Brandt ...",
        "Jan 5, 2024 ... The harbour's lighthouse was built in 1887 by Ada Brandt\u2026",
        "  lighthouse   was built in 1887\n by Ada  Brandt, an engineer . ",
    ],
)
def test_the_passage_that_a_search_found(web: Web, snippet: str) -> None:
    """The snippet is the passage of which a search of this run spoke, in the page's own words."""
    web.run.snippets["http://EXAMPLE.org/page#part"] = snippet
    body = (FILLER + STORY + " " + FILLER).encode()
    found = web.fetch(answer(body, Content_Type="text/plain; charset=utf-8"))

    assert found.value["anchor_match"] is True
    assert len(found.value["anchor_query"]) <= 80
    assert STORY[:-1] in found.value["body_snippet"]
    assert found.value["body_snippet"].startswith("…")
    assert found.value["body_snippet"].endswith("…")
    assert found.text.startswith(found.value["body_snippet"])
    assert FILLER.strip() in found.text


@pytest.mark.parametrize("snippet", ["quantum chromodynamics of the lattice", "...", "", "(.) …"])
def test_a_passage_that_is_not_there(web: Web, snippet: str) -> None:
    """Where the page does not say it, the snippet is the start of the page."""
    web.run.snippets[URL] = snippet
    found = web.fetch(answer((FILLER + STORY).encode(), Content_Type="text/plain; charset=utf-8"))

    assert found.value["anchor_match"] is False
    assert found.value["body_snippet"].startswith("Nothing of interest")


def test_the_snippet_of_another_page(web: Web) -> None:
    """What was said of other addresses, or of what is none, makes no difference."""
    web.run.snippets.update({"http://example.org/other": STORY, "nonsense": STORY})
    assert (
        web.fetch(answer(STORY.encode(), Content_Type="text/plain")).value["anchor_query"] is None
    )


# --- what is declared --------------------------------------------------------------------------


def test_it_uses_the_network_and_shows_the_whole_address(web: Web) -> None:
    """The form shows the address as it is sent, the query with all that would leave."""
    args = {"url": "HTTPS://Example.org/Köln?q=my secret".replace(" ", "%20")}
    context = ToolContext(run=web.run, timeout_s=1)

    assert web_fetch.effect_of(args) == {Effect.NETWORK}
    first = web_fetch.preview_of(context, args).splitlines()[0]
    assert first == "GET https://example.org/K%C3%B6ln?q=my%20secret"


@each_row(
    "args",
    [
        {},
        {"url": ""},
        {"url": 3},
        {"url": "http://localhost/"},
        {"url": "file:///etc/passwd"},
        {"url": "example.org"},
        {"url": URL, "max_bytes": 0},
        {"url": URL, "max_bytes": 5242881},
        {"url": URL, "max_bytes": "9"},
        {"url": URL, "headers": {}},
    ],
)
def test_arguments_that_cannot_work(args: dict[str, Any]) -> None:
    """Bad arguments are flaws before anything happens."""
    assert web_fetch.flaws(args)


def test_good_arguments_have_no_flaws() -> None:
    """What works has none, nor has an address that is still to be filled in."""
    assert web_fetch.flaws({"url": URL, "max_bytes": 5242880}) == []
    assert web_fetch.flaws({"url": ""}, lenient=True) == []


@pytest.mark.parametrize("url", ["http://127.0.0.1/", "http://me:pw@example.org/", "ftp://a.org/"])
def test_a_refusal_is_an_error(web: Web, url: str) -> None:
    """A refused address fails the call; the server sees nothing."""
    with pytest.raises((ToolInputError, ToolRefusedError)):
        web.fetch(answer(b"x"), url=url)
    assert web.hosts[-1].connections == 0


# --- in a run ----------------------------------------------------------------------------------


def _plan(url: str = URL) -> list[dict[str, Any]]:
    return [{"tool": "web_fetch", "args": {"url": url}}, END]


@pytest.mark.process
def test_a_run_fetches_what_was_approved(bench: Bench) -> None:
    """The page is the answer; the redacted result is in the journal."""
    host = Host(says(answer(b"<p>It rains.", Content_Type="text/html")))
    with internet(host):
        run = bench.run(_plan())
    host.close()

    assert (run.state, run.answer) == ("completed", "It rains.")
    assert run.observations.iloc[0]["observation_raw"]["status"] == 200


def test_a_run_says_what_failed(bench: Bench) -> None:
    """A missing page fails the run, in the server's status and our words."""
    host = Host(says(answer(b"x", status="404 No", Content_Type="text/plain")))
    with internet(host):
        run = bench.run(_plan())
    host.close()

    assert run.state == "failed"
    assert "HTTP 404 Not Found" in run.failure
    assert len(host.requests) == 1


@pytest.mark.parametrize("step", [{}, {"max_retries": 3}])
def test_one_policy_decides_about_second_tries(bench: Bench, step: dict[str, Any]) -> None:
    """WEB_HTTP_RETRIES counts them all: the run does not repeat what was repeated already."""
    host = Host(says(answer(status="503 Busy")))
    with internet(host):
        run = bench.run([{**_plan()[0], **step}, END], WEB_HTTP_RETRIES=1, WEB_HTTP_RETRY_DELAY=0)
    host.close()

    assert len(host.requests) == 2
    assert [seen.call.attempt for seen in run.steps_seen if seen.call.tool == "web_fetch"] == [1]
    assert "HTTP 503" in run.failure


def test_a_search_leads_to_the_passage_of_a_page(bench: Bench) -> None:
    """One run searches, asks about the address that was found, and shows what the search meant."""
    row = {"title": "Light", "url": "http://example.org/l", "content": f"Jan 2, 2024 ... {STORY}"}
    pages = {
        "/search?q=light&format=json": answer(json.dumps({"results": [row]}).encode()),
        "/l": answer((FILLER + STORY + FILLER).encode(), Content_Type="text/plain; charset=utf-8"),
    }
    host = Host(by_path(pages))
    search = {"tool": "web_search", "args": {"query": "light"}}
    fetch = {"tool": "web_fetch", "args": {"url": ""}, "depends_on": [1]}
    with internet(host):
        run = bench.run(
            [search, fetch, END],
            {"url": row["url"]},
            "By Ada Brandt.",
            approve=lambda _plan: "approve",
            SEARXNG_URL=f"http://127.0.0.1:{host.port}",
        )
    host.close()

    found = run.observations.iloc[1]["observation_raw"]
    assert found["final_url"] == row["url"]
    assert found["anchor_match"] is True
    assert STORY[:-1] in found["body_snippet"]
