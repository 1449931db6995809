"""The confidence of a reading: readings with its answer agree, and what is stated counts."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.confidence import all_less_sure, with_confidence
from okso_jupyter.planning.table_questions.fitted_weights import shipped_weights
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Measure, Query
from okso_jupyter.workspace import Workspace


def _reading(column: str, probability: float, answer: int) -> QueryReading:
    query = Query("a.csv", measures=(Measure("maximum", column),))
    return QueryReading(query, {}, probability, answer=answer)


def _confidence(*readings: QueryReading) -> float:
    return with_confidence(readings, shipped_weights())[0].confidence


def test_readings_with_the_same_answer_agree() -> None:
    """Which of them is meant does not matter to who reads the answer."""
    best, other = _reading("weight", 0.5, 3), _reading("length", 0.4, 9)
    assert _confidence(best, replace(other, answer=best.answer)) > _confidence(best, other)


def test_a_reading_far_ahead_is_surer() -> None:
    """So is one whose rival does not do what is stated, unless it was unlikely at first."""
    other = _reading("length", 0.45, 9)
    alone = _confidence(_reading("weight", 0.5, 3))
    assert alone > _confidence(_reading("weight", 0.5, 3), other)
    assert alone > _confidence(_reading("weight", 0.01, 3))


def test_points_of_different_questions_can_be_compared() -> None:
    """The best reading's points are the log-odds of its being right; the order stays as it was."""
    best = replace(_reading("weight", 0.6, 3), points={"columns": 7.5, "size": -0.5})
    other = replace(_reading("length", 0.3, 9), points={"columns": 6.0, "size": -0.25})
    first, second = with_confidence((best, other), shipped_weights())
    odds = math.log(first.confidence / (1 - first.confidence))
    assert sum(first.points.values()) == pytest.approx(odds, abs=0.001)
    assert sum(second.points.values()) == pytest.approx(odds - 1.25, abs=0.001)
    assert first.points["certainty"] == second.points["certainty"]
    assert with_confidence((first, second), shipped_weights()) == (first, second)


@pytest.mark.parametrize(
    "request_text",
    [
        "What is the mean weight in harvest.csv?",
        "Plot the mean weight by apple in harvest.csv",
        "Draw a histogram of weight in harvest.csv",
        "mean weight in harvest.csv without outliers",
        "show harvest.csv sorted by apple",
        "What is the mean and the max of weight in harvest.csv?",
    ],
)
def test_every_reading_says_how_sure_it_is(tmp_path: Path, request_text: str) -> None:
    """However a request is read: as a value, rows, a chart, or without outliers."""
    rows = "".join(f"{apple},{weight}\n" for apple in "ab" for weight in range(100, 130))
    (tmp_path / "harvest.csv").write_text(f"apple,weight\n{rows}", "utf-8")
    found = Environment().readings(request_text, TableSources(Workspace(tmp_path)), 3)
    assert found
    assert all(0.01 < reading.confidence <= 1 for reading in found)


def test_groups_that_no_column_tells_make_a_reading_unsure(tmp_path: Path) -> None:
    """Loads per silo are asked for, and no column is called so."""
    rows = "load_no,crop,kg\n1,rye,400\n2,oats,300\n3,rye,500\n4,oats,200\n"
    (tmp_path / "loads.csv").write_text(rows, "utf-8")
    sources = TableSources(workspace=Workspace(tmp_path))
    for request, is_sure in (
        ("total kg per crop in loads.csv", True),
        ("total kg per silo in loads.csv", False),
    ):
        (reading, *_) = Environment().readings(request, sources, 3)
        assert (reading.confidence > 0.2) == is_sure


def test_readings_that_are_all_less_sure_keep_their_order() -> None:
    """The best one alone lost points, and the next one, which was less sure, came first."""
    said = (_reading("weight", 0.9, 3), _reading("length", 0.1, 9))
    sure = with_confidence(said, shipped_weights())
    lowered = all_less_sure(sure, 0.2, left_out="and who")
    points = [sum(each.points.values()) for each in lowered]
    assert points == sorted(points, reverse=True)
    assert lowered[0].confidence == 0.2 < sure[0].confidence
    assert {each.left_out for each in lowered} == {"and who"}
