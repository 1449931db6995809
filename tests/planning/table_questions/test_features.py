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


def _features(question: str, query: Query) -> dict[str, tuple[str, ...]]:
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
    assert "columns:measure meant" in _features(question, query)["columns"]


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
    assert f"filters:in order of columns {is_same}|from to True" in features["filters"]


def test_words_unused_by_a_query_are_counted() -> None:
    """Of two rare words of a question, a count uses none and a mean of the column one."""
    count = _features("purple delay", Query("flights.csv", measures=(Measure("count"),)))
    mean = _features(
        "purple delay", Query("flights.csv", measures=(Measure("mean", "Delay (min)"),))
    )
    assert (words_left(count), words_left(mean)) == ((2, 2), (1, 1))


def test_how_long_names_a_column_and_no_end_of_it() -> None:
    """The words "how long" are about the distance, and do not mean the longest."""
    query = Query("flights.csv", measures=(Measure("mean", "Distance (km)"),))
    found = _features("how long are flights on average", query)["columns"]

    assert "columns:measure some" in found
    assert not [name for name in found if "meant" in name]


def test_what_is_grouped_by_is_followed_by_a_value() -> None:
    """The words "by Oslo" name a value of the origin, not groups."""
    query = Query("flights.csv", by="Origin", measures=(Measure("count"),), order="Origin")

    with_value = _features("flights per origin Oslo", query)["columns"]
    assert "columns:by before a value True" in with_value
    assert "columns:by before a value False" in _features("flights per origin", query)["columns"]


def test_the_numbers_of_names_are_not_computed_with() -> None:
    """Rooms called "Hall 1" and "Room 3" are not added up; "week 1" and "week 2" may be."""
    rows = [["Hall 1", "week 1"], ["Room 3", "week 2"], ["Hall 2", "week 3"]]
    table = TableSample("rooms.csv", ["room", "when"], rows)
    words = QuestionWords("total room", table.header_words)
    summed = {m.column for c in candidates(words, table) for m in c.query.measures
              if m.function == "sum"}  # fmt: skip

    assert summed == {"when"}
