"""Sampling stops once the best candidates have settled, at a reproducible point."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter.llm.protocol import Completion, CompletionRequest
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import Scorecard
from okso_jupyter.planning.sampling.stopping import Judged, draw, rounds, settled, standing
from okso_jupyter.planning.time_limit import Deadline
from okso_jupyter.session.session import Session
from okso_jupyter.testing import ScriptedModel
from tests.bench import END, Bench
from tests.llm.openai_server import OpenAIServer, says

PLANS = st.lists(st.integers(0, 5), min_size=1, max_size=80)


def _judged(kinds: Sequence[int]) -> list[Judged]:
    """Return plans of these kinds; a kind's number is its score; 5 is an invalid plan."""
    return [_plan(kind) for kind in kinds]


def _plan(kind: int) -> Judged:
    if kind == 5:
        return None
    plan = Plan.from_dict([{"tool": f"tool_{kind}", "args": {}}, END])
    return plan, Scorecard(score=kind, tie_breaker=0, findings=())


class _Writer(ScriptedModel):
    """A model that writes the kind of plan assigned to each seed."""

    def __init__(self, kinds: Sequence[int]) -> None:
        super().__init__([])
        self.kinds = kinds
        self.drawn: list[int] = []

    def complete(self, request: CompletionRequest) -> Sequence[Completion]:
        self.drawn += request.seeds
        texts = [json.dumps(self.kinds[seed]) for seed in request.seeds]
        return ScriptedModel(texts).complete(request)


def _draw(kinds: Sequence[int]) -> tuple[list[int], str]:
    """Return the kinds that were drawn, and the reason for stopping early."""
    question = CompletionRequest(
        role="planner", messages=(), seeds=tuple(range(len(kinds))), temperature=1, max_tokens=9
    )
    model = _Writer(kinds)
    found = draw(model, question, Deadline(0), lambda drawn: _judged([int(c.text) for c in drawn]))
    assert model.drawn == list(range(len(found.completions)))
    return [int(completion.text) for completion in found.completions], found.stopped


@given(PLANS)
def test_the_drawn_plans_are_a_prefix_of_the_wanted_ones(kinds: list[int]) -> None:
    """Stopping early, it draws whole rounds of eight, at least two, reproducibly."""
    drawn, why = _draw(kinds)

    assert drawn == kinds[: len(drawn)]
    assert (drawn, why) == _draw(kinds)
    if len(drawn) < len(kinds):
        assert len(drawn) % 8 == 0
        assert len(drawn) >= 16
        assert why == f"{len(drawn)} of {len(kinds)} drawn: the top two had settled"
    else:
        assert why == ""


@given(PLANS)
def test_sampling_stops_only_after_a_round_without_news(kinds: list[int]) -> None:
    """The last drawn round has no plan that the earlier rounds had not."""
    drawn, why = _draw(kinds)

    if why:
        assert set(drawn[-8:]) - {5} <= set(drawn[:-8])
        assert standing(_judged(drawn)) == standing(_judged(drawn[:-8]))
    for place in range(16, len(drawn), 8):
        before, now = _judged(drawn[: place - 8]), _judged(drawn[:place])
        assert not settled(standing(before), standing(now))


@given(st.lists(st.integers(0, 5), min_size=1, max_size=16))
def test_up_to_two_rounds_all_are_drawn(kinds: list[int]) -> None:
    """A count from 1 to 16 is drawn in full."""
    assert _draw(kinds) == (kinds, "")


@given(st.lists(st.integers(), max_size=70), st.integers(1, 40))
def test_rounds_keep_the_order(seeds: list[int], size: int) -> None:
    """Concatenated, the rounds are the seeds; all rounds but the last are full."""
    found = list(rounds(seeds, size))

    assert [seed for part in found for seed in part] == seeds
    assert all(len(part) == size for part in found[:-1])


def test_rounds_without_a_plan_do_not_stop_sampling() -> None:
    """A model that writes nonsense is asked for the full count."""
    assert _draw([5] * 40) == ([5] * 40, "")


def _candidate(tool: str) -> list[dict[str, Any]]:
    return [{"tool": tool, "args": {"path": "notes.txt"}}, END]


def test_a_planning_reports_an_early_stop(bench: Bench) -> None:
    """Note, table and journal report it; planning after feedback may draw the full count."""
    same = [_candidate("file_read")] * 16
    with bench.session(*same, PLANNER_SAMPLE_COUNT=40) as session:
        planning = session.plan("Read notes.txt", seed=1)
        run = session.load_run(planning.run_id)

    said = "16 of 40 drawn: the top two had settled"
    assert len(planning.candidates) == 16
    assert said in planning.note
    assert planning.candidates.attrs["note"] == said
    assert run.candidates.attrs["note"] == said
    assert planning.wanted == 40


@pytest.mark.parametrize("count", [1, 3, 8, 16])
def test_small_counts_are_drawn_in_full(bench: Bench, count: int) -> None:
    """Up to 16 candidates are all drawn, even if they are identical."""
    with bench.session(*[_candidate("file_read")] * count, PLANNER_SAMPLE_COUNT=count) as session:
        planning = session.plan("Read notes.txt", seed=1)

    assert len(planning.candidates) == count
    assert planning.stopped == ""
    assert "note" not in planning.candidates.attrs


def test_a_server_is_not_asked_for_more_than_needed(bench: Bench) -> None:
    """A server is asked for sixteen of sixty identical candidates."""
    plan = json.dumps([END], separators=(",", ":"))
    settings = {"OKSO_HOME": str(bench.home), "PLANNER_SAMPLE_COUNT": 60}
    with OpenAIServer([says(plan)] * 16) as server, Session(settings, model=server.spec) as session:
        planning = session.plan("I had a lovely day", seed=1)

    assert len(planning.sampled) == 16
    assert len(server.seen) == 16
