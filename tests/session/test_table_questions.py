"""A question about a table in a session: readings are its candidates, run and audited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.approval.editing.edit_scoring import Alternatives, EditScorer
from okso_jupyter.plan.records import Feedback
from okso_jupyter.planning.outcome import Planning
from tests.bench import END, Bench, SmallModel

_TABLE = "region,units,price\nNorth,3,10\nSouth,5,20\nNorth,4,40\nWest,1,5\n"
_ASK = "What is the average price per region in shop.csv?"
pytestmark = pytest.mark.usefixtures("_process")


@pytest.fixture(name="shop")
def _shop(bench: Bench) -> Bench:
    """Return a bench whose folder holds a table."""
    (bench.root / "shop.csv").write_text(_TABLE)
    return bench


def _queries(planning: Planning) -> list[object]:
    return [candidate.plan.steps[0].args for candidate in planning.sampled]


def test_readings_are_the_candidates_and_no_model_is_asked(shop: Bench) -> None:
    """A scripted model without completions would fail."""
    with shop.session(PLANNER_SAMPLE_COUNT=8) as session:
        planning = session.plan(_ASK)
        run = session.execute(planning, approve="auto")
    assert len(_queries(planning)) == 8
    assert planning.plan.steps[0].args["by"] == "region"
    assert run.state == "completed"
    assert "North" in str(run.answer)
    assert "25" in str(run.answer)
    assert "of 10 such plans are right" in planning.note


def test_the_rules_of_the_readings_are_audited_as_any(shop: Bench) -> None:
    """Why not, other weights: on the recorded points."""
    with shop.session() as session:
        planning = session.plan(_ASK)
    assert "rule_query_columns" in planning.candidates.columns
    assert "query" in str(planning.why_not(2))
    weighed = planning.rescore({"query_operation": 0, "query_columns": -1})
    assert len(weighed) == len(planning.sampled)


def test_a_reading_says_what_it_asks_and_keeps_its_score_in_the_form(shop: Bench) -> None:
    """As a sentence; the form scores it by the recorded points."""
    with shop.session() as session:
        planning = session.plan(_ASK)
        scored = EditScorer(
            settings=session.settings,
            tools=session.tools,
            request=_ASK,
            alternatives=Alternatives.of(planning),
        )
        for candidate in planning.sampled:
            card = scored(candidate.plan, candidate.index)
            assert card is not None
            assert card.score == pytest.approx(candidate.scorecard.score)
    assert planning.plan.steps[0].label == "mean of price in shop.csv, for each region"


@pytest.mark.parametrize("question", ["mean and standard deviation of price", "min and max units"])
def test_words_that_no_tool_has_in_its_name_are_no_refusal(shop: Bench, question: str) -> None:
    """A small model is not asked either."""
    with shop.session() as session:
        session._model = SmallModel([])
        planning = session.plan(f"{question} in shop.csv")
    assert planning.plan.tools[0] == "table_query"


def test_a_run_from_the_journal_is_audited_like_its_planning(shop: Bench) -> None:
    """By the recorded points."""
    with shop.session(PLANNER_SAMPLE_COUNT=4) as session:
        planning = session.plan(_ASK)
        run = session.load_run(planning.run_id)
        for number in range(1, 5):
            assert repr(run.why_not(number)) == repr(planning.why_not(number))


def test_a_rejected_reading_is_not_offered_again(shop: Bench) -> None:
    """The next best takes its place."""
    seen: list[Any] = []

    def another(plan: Any) -> object:
        seen.append(plan)
        return Feedback("another reading") if len(seen) == 1 else "reject"

    with shop.session() as session:
        session.run(_ASK, approve=another)
    first, second = (plan.steps[0].args for plan in seen)
    assert first != second
    assert second["source"] == "shop.csv"


@pytest.mark.parametrize(
    "request_text",
    [
        "Delete shop.csv",
        "Write the average price of shop.csv to mean.txt",
        "How many lines does shop.csv have?",
    ],
)
def test_other_requests_are_planned_by_the_model(shop: Bench, request_text: str) -> None:
    """Also those that name a table."""
    with shop.session([END], PLANNER_SAMPLE_COUNT=1) as session:
        planning = session.plan(request_text)
    assert [step.tool for step in planning.plan.steps] == ["final_answer"]


def test_a_session_without_the_tool_plans_with_the_model(shop: Bench) -> None:
    """So does one with its own tools only."""
    with shop.session([END], PLANNER_SAMPLE_COUNT=1, PLAN_ENABLED=False) as session:
        assert session.plan(_ASK).how == "one call, without planning"


def test_a_replay_shows_the_recorded_readings(shop: Bench, tmp_path: Path) -> None:
    """Also where the table has changed since."""
    recording = tmp_path / "asked.jsonl"
    with shop.session(OKSO_RECORD=str(recording)) as session:
        recorded = session.run(_ASK, approve="auto")
    (shop.root / "shop.csv").write_text("a,b\n1,2\n")
    with shop.session(OKSO_REPLAY=str(recording)) as session:
        replayed = session.run(_ASK, approve="auto")
    assert replayed.answer == recorded.answer
    assert replayed.candidates.equals(recorded.candidates)
