"""Features: adjectives and their columns, the order of two values, unexplained words."""

from __future__ import annotations

import pytest

from okso_jupyter.planning.table_questions.answers import Answers
from okso_jupyter.planning.table_questions.enumeration import PossibleQuery, candidates
from okso_jupyter.planning.table_questions.features import Features, words_left
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.words import QuestionWords
from okso_jupyter.tables.query import Filter, Function, Measure, Query

_HEADER = ["Origin", "Destination", "Delay (min)", "Distance (km)", "Built", "Stock"]
_TABLE = TableSample(
    "flights.csv",
    _HEADER,
    [
        ["Oslo", "Rome", "12", "2000", "1999", "3"],
        ["Rome", "Oslo", "3", "2000", "2004", "5"],
        ["Oslo", "Bern", "40", "1500", "2011", "9"],
    ],
)


def _features(question: str, query: Query) -> list[str]:
    """Return the features of one of the candidates of a question."""
    words = QuestionWords(question, _TABLE.header_words)
    found = next(c for c in candidates(words, _TABLE) if c.query == query)
    return Features(words, _TABLE, frozenset()).of(found, Answers(_TABLE).of(query))


@pytest.mark.parametrize(
    ("question", "column", "is_largest"),
    [
        ("the longest flight", "Distance (km)", True),
        ("the longest delay", "Delay (min)", True),
        ("the oldest built", "Built", False),
        ("the worst delays", "Delay (min)", False),
    ],
)
def test_an_adjective_selects_the_column_after_it(
    question: str, column: str, *, is_largest: bool
) -> None:
    """An adjective refers to the next or a fitting column; the oldest year is the least."""
    function: Function = "maximum" if is_largest else "minimum"
    query = Query("flights.csv", measures=(Measure(function, column),))
    assert "columns:measure meant" in _features(question, query)


@pytest.mark.parametrize(("origin", "is_same"), [("Oslo", True), ("Rome", False)])
def test_the_order_of_two_values_is_compared_with_their_columns(
    origin: str, *, is_same: bool
) -> None:
    """Both queries are candidates for "from Oslo to Rome"; a feature distinguishes them."""
    goal = {"Oslo": "Rome", "Rome": "Oslo"}[origin]
    filters = (Filter("Origin", "=", origin), Filter("Destination", "=", goal))
    words = QuestionWords("How many go from Oslo to Rome", _TABLE.header_words)
    found: list[PossibleQuery] = [
        c
        for c in candidates(words, _TABLE)
        if set(c.query.filters) == set(filters) and c.query.measures == (Measure("count"),)
    ]
    features = Features(words, _TABLE, frozenset()).of(found[0], [(1,)])
    assert f"filters:in order of columns {is_same}|from to True" in features


def test_words_unused_by_a_query_are_counted() -> None:
    """Of two words of a question, a count uses none and a mean of the column one."""
    count = _features("purple delay", Query("flights.csv", measures=(Measure("count"),)))
    mean = _features(
        "purple delay", Query("flights.csv", measures=(Measure("mean", "Delay (min)"),))
    )
    assert (words_left(count), words_left(mean)) == (2, 1)
