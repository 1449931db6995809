"""web_search in a run: approved, asked, observed; and keys that are seen nowhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from okso_jupyter.errors import PlanError
from okso_jupyter.session.session import Session
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.tools.web_search import web_search
from okso_jupyter.web.search import SearchOptions
from tests.bench import END, Bench
from tests.each_row import each_row
from tests.web_lab import Host, answer, says

KEY = "not-a-real-key-0123456789"
CX = "not-a-real-engine-0123456789"
ROWS = [
    {"title": "Tides", "url": "https://example.org/t", "content": "High and low."},
    {"title": "Moon", "url": "https://example.org/m", "content": ""},
]


@pytest.fixture
def engine() -> Iterator[Host]:
    """A SearXNG instance on this machine."""
    host = Host(says(answer(json.dumps({"number_of_results": 42, "results": ROWS}).encode())))
    yield host
    host.close()


def _search(**args: Any) -> list[dict[str, Any]]:
    return [{"tool": "web_search", "args": args}, END]


def test_a_search_in_a_run(bench: Bench, engine: Host) -> None:
    """The observation has query, total and items; the answer is what a person reads."""
    run = bench.run(_search(query="tides", num=1), SEARXNG_URL=f"http://127.0.0.1:{engine.port}")

    assert run.observations.iloc[0]["observation_raw"] == {
        "query": "tides",
        "total_results": 42,
        "items": [{"title": "Tides", "url": "https://example.org/t", "snippet": "High and low."}],
    }
    assert run.answer == "1. Tides\n   https://example.org/t\n   High and low."
    assert engine.connections == 1


def test_it_is_shown_to_whom_the_query_goes(context: ToolContext, engine: Host) -> None:
    """Before anything is sent, query, engine and the use of the network are named."""
    context.run.search = SearchOptions(searxng_url=f"http://127.0.0.1:{engine.port}")

    preview = web_search.preview_of(context, {"query": "tides"})

    assert preview == f"tides\ngoes to SearXNG (http://127.0.0.1:{engine.port})"
    assert web_search.effect_of({"query": "tides"}) == {"network"}
    assert engine.connections == 0


def test_later_calls_know_what_was_found(context: ToolContext, engine: Host) -> None:
    """What the search said of an address is kept for whoever fetches it."""
    context.run.search = SearchOptions(searxng_url=f"http://127.0.0.1:{engine.port}")

    web_search.call(context, {"query": "tides"})

    assert context.run.snippets["https://example.org/t"] == "High and low."


def test_without_an_engine_the_step_fails_and_says_how(bench: Bench, context: ToolContext) -> None:
    """Nothing is sent, and the ways are named in form and observation."""
    run = bench.run(_search(query="tides"))

    assert run.state == "failed"
    assert "no search engine is set" in run.failure
    assert "GOOGLE_SEARCH_API_KEY" in run.failure
    assert "GOOGLE_SEARCH_API_KEY" in web_search.preview_of(context, {"query": "tides"})


@each_row(
    "args",
    [
        {"query": ""}, {"query": "   "}, {"query": "x" * 201}, {"query": 7},
        {"query": "x", "num": 0}, {"query": "x", "num": 11}, {"query": "x", "num": 2.5},
        {"query": "x", "num": True}, {"query": "x", "site": "y"}, {},
    ],
)  # fmt: skip
def test_arguments_out_of_range_are_refused(args: dict[str, Any]) -> None:
    """A query has 1 to 200 characters, num is a whole number from 1 to 10, and that is all."""
    assert web_search.violations(args)


def test_a_plan_with_another_argument_is_refused(bench: Bench) -> None:
    """The step and the argument are named before anything is shown."""
    with pytest.raises(PlanError, match="site"):
        bench.run(_search(query="x", site="y"))


def test_keys_beside_the_notebook_are_read_and_shown_nowhere(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a `.env` the search keys count and nothing else; journal, log and answer hide them."""
    for name in ("GOOGLE_SEARCH_API_KEY", "GOOGLE_SEARCH_CX"):
        monkeypatch.delenv(name, raising=False)
    (bench.root / ".env").write_text(
        f"export GOOGLE_SEARCH_API_KEY='{KEY}'  # mine\nGOOGLE_SEARCH_CX={CX}\n"
        "OKSO_APPROVE=auto\nAPPROVE_ALL=true\nSEARXNG_URL=http://127.0.0.1:1/\nnot a line\n'"
    )
    (bench.root / "leak.txt").write_text(f"the key is {KEY}, the engine {CX}\n")
    settings = {"OKSO_HOME": str(bench.home)}
    plan = [{"tool": "file_read", "args": {"path": "leak.txt"}}, END]

    with Session(settings, root=bench.root) as session:
        assert session.settings.google_search_api_key == KEY
        assert session.settings.google_search_cx == CX
        assert session.settings.okso_approve == "ask"
        assert session.settings.approve_all is False
        assert session.settings.searxng_url is None
        run = session.execute(plan, approve="auto")

    kept = b"".join(file.read_bytes() for file in bench.home.rglob("*") if file.is_file())
    assert KEY.encode() not in kept
    assert CX.encode() not in kept
    assert KEY not in run.export()
    assert "the key is [redacted]" in (run.answer or "")


def test_the_environment_beats_the_file(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key of the environment wins over that of the file."""
    (bench.root / ".env").write_text(f"GOOGLE_SEARCH_API_KEY={KEY}\n")
    monkeypatch.setenv("GOOGLE_SEARCH_API_KEY", "the-other-key-0123456789")

    with Session({"OKSO_HOME": str(bench.home)}, root=bench.root) as session:
        assert session.settings.google_search_api_key == "the-other-key-0123456789"


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"GOOGLE_SEARCH_API_KEY='open", b"=" * 99])
def test_an_odd_file_beside_the_notebook_stops_nobody(bench: Bench, content: bytes) -> None:
    """The file is written for other programs."""
    (bench.root / ".env").write_bytes(content)

    Session({"OKSO_HOME": str(bench.home)}, root=bench.root).close()


def test_a_folder_of_that_name_stops_nobody(bench: Bench) -> None:
    """Some keep a virtual environment there."""
    (bench.root / ".env").mkdir()

    Session({"OKSO_HOME": str(bench.home)}, root=bench.root).close()
