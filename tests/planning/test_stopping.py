"""Candidates are drawn until the best have settled, and the same ones every time."""

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
    """Return plans of these kinds; the points of a kind are its number, and 5 is no plan."""
    return [_plan(kind) for kind in kinds]


def _plan(kind: int) -> Judged:
    if kind == 5:
        return None
    plan = Plan.from_dict([{"tool": f"tool_{kind}", "args": {}}, END])
    return plan, Scorecard(score=kind, tie_breaker=0, findings=())


class _Writer(ScriptedModel):
    """A model that writes the kind of plan that each seed stands for."""

    def __init__(self, kinds: Sequence[int]) -> None:
        super().__init__([])
        self.kinds = kinds
        self.drawn: list[int] = []

    def complete(self, request: CompletionRequest) -> Sequence[Completion]:
        self.drawn += request.seeds
        texts = [json.dumps(self.kinds[seed]) for seed in request.seeds]
        return ScriptedModel(texts).complete(request)


def _draw(kinds: Sequence[int]) -> tuple[list[int], str]:
    """Return the kinds that were drawn of those that were to be, and why no more."""
    question = CompletionRequest(
        role="planner", messages=(), seeds=tuple(range(len(kinds))), temperature=1, max_tokens=9
    )
    model = _Writer(kinds)
    found = draw(model, question, Deadline(0), lambda drawn: _judged([int(c.text) for c in drawn]))
    assert model.drawn == list(range(len(found.completions)))
    return [int(completion.text) for completion in found.completions], found.stopped


@given(PLANS)
def test_what_is_drawn_is_the_beginning_of_what_was_wanted(kinds: list[int]) -> None:
    """In whole rounds of eight, never fewer than two of them, and the same every time."""
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
def test_it_stops_only_where_a_round_brought_nothing(kinds: list[int]) -> None:
    """The last round that was drawn has no plan that the ones before had not."""
    drawn, why = _draw(kinds)

    if why:
        assert set(drawn[-8:]) - {5} <= set(drawn[:-8])
        assert standing(_judged(drawn)) == standing(_judged(drawn[:-8]))
    for place in range(16, len(drawn), 8):
        before, now = _judged(drawn[: place - 8]), _judged(drawn[:place])
        assert not settled(standing(before), standing(now))


@given(st.lists(st.integers(0, 5), min_size=1, max_size=16))
def test_up_to_two_rounds_the_count_is_exact(kinds: list[int]) -> None:
    """Any number from 1 to 16 is drawn as it was asked for."""
    assert _draw(kinds) == (kinds, "")


@given(st.lists(st.integers(), max_size=70), st.integers(1, 40))
def test_rounds_keep_the_order(seeds: list[int], size: int) -> None:
    """Put together they are the seeds, and none but the last is short."""
    found = list(rounds(seeds, size))

    assert [seed for part in found for seed in part] == seeds
    assert all(len(part) == size for part in found[:-1])


def test_rounds_without_a_plan_settle_nothing() -> None:
    """A model that writes nonsense is asked to the end."""
    assert _draw([5] * 40) == ([5] * 40, "")


def _candidate(tool: str) -> list[dict[str, Any]]:
    return [{"tool": tool, "args": {"path": "notes.txt"}}, END]


def test_a_planning_says_that_fewer_were_drawn(bench: Bench) -> None:
    """Note, table and journal say it, and a plan after feedback may draw as many again."""
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
def test_small_counts_are_drawn_to_the_last(bench: Bench, count: int) -> None:
    """However alike they are; the strict double would tell if one was left."""
    with bench.session(*[_candidate("file_read")] * count, PLANNER_SAMPLE_COUNT=count) as session:
        planning = session.plan("Read notes.txt", seed=1)

    assert len(planning.candidates) == count
    assert planning.stopped == ""
    assert "note" not in planning.candidates.attrs


def test_a_server_is_asked_for_no_more_than_it_takes(bench: Bench) -> None:
    """Of sixty candidates that are all the same, a server is asked for sixteen."""
    plan = json.dumps([END])
    settings = {"OKSO_HOME": str(bench.home), "PLANNER_SAMPLE_COUNT": 60}
    with OpenAIServer([says(plan)] * 16) as server, Session(settings, model=server.spec) as session:
        planning = session.plan("I had a lovely day", seed=1)

    assert len(planning.sampled) == 16
    assert len(server.seen) == 16
