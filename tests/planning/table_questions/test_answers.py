"""The planner's preview of an answer equals the engine's answer, for every query form."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.planning.table_questions.answers import Answers, Cell
from okso_jupyter.planning.table_questions.enumeration import candidates
from okso_jupyter.planning.table_questions.features import form_of
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.words import QuestionWords
from okso_jupyter.tables.query import (
    CHOICES,
    ENDS,
    Combination,
    Comparison,
    Filter,
    Measure,
    Query,
)
from tests.tables.live import Opened

pytestmark = pytest.mark.slow

TEXT = """day,region,product,units,price,passed
2023-03-01,North,Office Chair,12,250.5,yes
2024-03-09,South,Desk,7,100,no
2024-05-01,North,Chair,30,99.9,yes
2023-07-01,West,Desk,9,,no
2023-07-15,West,Lamp,9,20,no
2024-05-20,north,Lamp,n/a,35.25,yes
"""
_QUESTIONS = (
    "What is the average price per region?",
    "How many different products were sold in 2024?",
    "Which region has the most units, and which day?",
    "median, range and standard deviation of price",
    "missing units and percent of missing price",
    "the 3 rows with the highest price",
    "difference of units between North and West",
    "product after Desk with more than 8 units",
    "share of passed rows in percent per month",
    "correlation between units and price",
)


def _head() -> TableSample:
    rows = list(csv.reader(io.StringIO(TEXT)))
    return TableSample("t.csv", rows[0], rows[1:])


def by_form() -> dict[str, tuple[str, list[Query]]]:
    """Return up to six queries for each form that the questions produce."""
    head = _head()
    found: dict[str, list[Query]] = {}
    for text in _QUESTIONS:
        for possible in candidates(QuestionWords(text), head):
            found.setdefault(form_of(possible.query), []).append(possible.query)
    return {
        form: (form, list(dict.fromkeys(own))[:: max(1, len(own) // 6)])
        for form, own in found.items()
    }


@pytest.fixture(name="opened", scope="module")
def _opened(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    return Opened(tmp_path_factory.mktemp("answers"), TEXT)


def _plain(value: Cell) -> str | float:
    """Return a value in a common notation: numbers as such, dates without a time."""
    try:
        return float(str(value))
    except ValueError:
        return str(value).removesuffix("T00:00:00").strip().lower()


def _rows(rows: Sequence[Sequence[Cell]]) -> list[list[object]]:
    """Return rows in an order of their own, whose numbers compare up to four digits."""
    plain = sorted(([_plain(value) for value in row] for row in rows), key=_rounded)
    return [[pytest.approx(v, 1e-4) if isinstance(v, float) else v for v in row] for row in plain]


def _rounded(row: Sequence[str | float]) -> list[str]:
    return [f"{value:.3g}" if isinstance(value, float) else value for value in row]


@pytest.mark.parametrize("form", sorted(by_form()))
def test_the_preview_is_the_engines_answer(form: str, opened: Opened) -> None:
    """The preview that ranks a query and the engine's answer contain the same values."""
    if form == "normality":
        pytest.skip("its p-value is not computed for a preview")
    answers = Answers(_head())
    for query in by_form()[form][1]:
        previewed = sorted(([_plain(v) for v in row] for row in answers.of(query)), key=_rounded)
        answer: dict[str, Any] = opened.live.answer(query.to_json())
        rows = answer.get("rows", [])  # none where "a difference needs two rows"
        assert previewed == _rows(rows), query


@pytest.mark.parametrize("comparison", ["is an outlier", "is no outlier"])
@pytest.mark.parametrize("limit", ["", 1, 1.5])
@pytest.mark.parametrize("column", ["price", "units"])
def test_the_preview_finds_the_engines_outliers(
    opened: Opened, comparison: Comparison, limit: str | float, column: str
) -> None:
    """By interquartile range and by z-score; a row without a value is neither."""
    query = Query("t.csv", (Filter(column, comparison, limit),), columns=("product",))

    previewed = [[value] for (value,) in Answers(_head()).of(query)]

    assert previewed == opened.live.answer(query.to_json())["rows"]


@pytest.mark.parametrize("first", [(), (Filter("units", ">", 3),)])
def test_the_preview_finds_the_engines_ends(opened: Opened, first: tuple[Filter, ...]) -> None:
    """The smallest and the largest of the rows that pass the other conditions."""
    query = Query("t.csv", (*first, Filter("price", ENDS)), columns=("product",))

    previewed = [[value] for (value,) in Answers(_head()).of(query)]

    assert len(previewed) > 1
    assert previewed == opened.live.answer(query.to_json())["rows"]


@pytest.mark.parametrize("combine", sorted(CHOICES))
def test_the_preview_keeps_the_measure_that_the_engine_keeps(
    opened: Opened, combine: Combination
) -> None:
    """Of correlations, of which one is negative, and of counts."""
    correlations = (
        Measure("correlation", "price", "units"),
        Measure("correlation", "price", "price"),
    )
    for measures in (correlations, (Measure("missing", "units"), Measure("missing", "day"))):
        query = Query("t.csv", measures=measures, combine=combine)
        [[name, value]] = Answers(_head()).of(query)
        answer: dict[str, Any] = opened.live.answer(query.to_json())

        assert answer["rows"] == [[name, pytest.approx(value, abs=1e-5)]]


def test_many_rows_are_thinned_where_groups_or_rows_are_shown_and_counted_whole() -> None:
    """Every third row of the 3,000 is grouped, sorted and shown; counts and sums are of all."""
    rows = [[f"day {place}", "ab"[place % 2], "1"] for place in range(3_000)]
    answers = Answers(TableSample("t.csv", ["day", "kind", "units"], rows), most_rows=1_000)
    of_a = (Filter("kind", "=", "a"),)
    count, total = Measure("count"), Measure("sum", "units")

    assert answers.of(Query("t.csv", of_a, measures=(count, total))) == [(1_500, 1_500)]
    assert answers.of(Query("t.csv", by="kind", measures=(count,))) == [("a", 500), ("b", 500)]
    shown = answers.of(Query("t.csv", columns=("day",)))
    assert [len(shown), shown[1]] == [1_000, ("day 3",)]
    sorted_ = answers.of(Query("t.csv", of_a, columns=("day",), order="units", limit=5))
    assert sorted_ == [("day 0",), ("day 4",), ("day 8",), ("day 12",), ("day 16",)]


def test_texts_are_sorted_down_as_the_engine_sorts_them(tmp_path: Path) -> None:
    """The longer of two that begin alike comes first; rows of equal texts keep their order."""
    texts = ["oak", "oak tree", "elm", "", "oak", "ash"]
    content = "name,place\n" + "".join(f"{text},{place}\n" for place, text in enumerate(texts))
    opened = Opened(tmp_path, content)
    rows = [[text, str(place)] for place, text in enumerate(texts)]
    answers = Answers(TableSample("t.csv", ["name", "place"], rows))
    for query in (
        Query("t.csv", order="name", descending=True, columns=("place",)),
        Query("t.csv", by="name", order="name", descending=True, measures=(Measure("count"),)),
    ):
        previewed = [[_plain(value) for value in row] for row in answers.of(query)]
        answer: dict[str, Any] = opened.live.answer(query.to_json())
        assert previewed == [[_plain(value) for value in row] for row in answer["rows"]]
