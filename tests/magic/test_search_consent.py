"""Consent to a search before planning, clicked in a real kernel."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.approval.wire import KernelOnWire
from tests.web_lab import Host, answer, says

pytestmark = pytest.mark.kernel

ROWS = [{"title": "Pumps", "url": "https://example.org/p", "content": "Warm and dry."}]
CELL = (
    "%%okso --plan-only --set TESTING_PASSTHROUGH=true --set SEARXNG_URL={url}\n"
    "Look up heat pumps on the internet"
)


@pytest.fixture
def engine() -> Iterator[Host]:
    """A SearXNG instance on this machine."""
    host = Host(says(answer(json.dumps({"number_of_results": 1, "results": ROWS}).encode())))
    yield host
    host.close()


@pytest.mark.parametrize(
    ("decision", "searches", "said"),
    [("approve", 1, "the web was searched (SearXNG"), ("reject", 0, "not searched: no, by user")],
)
def test_a_click_decides_about_a_search(
    tmp_path: Path, engine: Host, decision: str, searches: int, said: str
) -> None:
    """The form shows the search terms and the service; nothing is sent before the click."""
    url = f"http://127.0.0.1:{engine.port}"
    with KernelOnWire(tmp_path) as kernel:
        kernel.run("%load_ext okso_jupyter")
        kernel.run("%config OksoMagics.home = 'home'")
        cell = kernel.send(CELL.format(url=url))
        comm, state = kernel.form()
        assert engine.connections == 0
        kernel.act(comm, state, decision)
        assert kernel.reply(cell)["status"] == "ok"

        assert said in kernel.value("_okso.note")
        assert "Look up heat pumps on the internet" in kernel.value("_okso.search_terms")
        displayed = str([message["content"] for message in kernel.drain()])
    assert engine.connections == searches
    assert "would leave this machine before a plan is made" in displayed
    assert f"goes to SearXNG ({url})" in displayed
    assert f"They go to SearXNG ({url})" in displayed


def test_without_a_user_there_is_no_consent(tmp_path: Path, engine: Host) -> None:
    """Under nbclient the search is skipped, and the planning's note says so."""
    url = f"http://127.0.0.1:{engine.port}"
    with KernelOnWire(tmp_path) as kernel:
        kernel.run("%load_ext okso_jupyter")
        kernel.run("%config OksoMagics.home = 'home'")
        kernel.run(CELL.format(url=url), allow_stdin=False)

        assert "not searched: no person could be asked" in kernel.value("_okso.note")
    assert engine.connections == 0
