"""Web searches and page fetches are replayed without a network."""

from __future__ import annotations

import json
from pathlib import Path

from tests.bench import END, Bench
from tests.replay.test_replay import assert_same_tables
from tests.web_lab import Host, answer, says

REQUEST = "Look up on the internet which heat pumps fit old houses"
PLAN = [{"tool": "web_search", "args": {"query": "heat pumps"}}, END]
ROWS = [{"title": "Pumps", "url": "https://example.org/p", "content": "Warm and dry."}]


def test_a_search_before_planning_and_a_search_step(bench: Bench, tmp_path: Path) -> None:
    """Terms, consent, pages and results are replayed without a request or an engine."""
    file = tmp_path / "demo.json"
    engine = Host(says(answer(json.dumps({"number_of_results": 1, "results": ROWS}).encode())))
    one = {"PLANNER_SAMPLE_COUNT": 1, "FINAL_ANSWER": "digest"}
    named = {"SEARXNG_URL": f"http://127.0.0.1:{engine.port}", "OKSO_RECORD": str(file)}
    with bench.session(["heat pumps"], PLAN, **one, **named) as session:
        run = session.run(REQUEST, approve="auto")
    engine.close()
    asked = engine.connections

    with bench.session(**one, OKSO_REPLAY=str(file)) as session:
        planning = session.plan(REQUEST)
        again = session.execute(planning)

    assert planning.search_terms == ("heat pumps",)
    assert_same_tables(run, again)
    assert asked == engine.connections > 0
