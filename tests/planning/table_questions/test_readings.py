"""Readings of questions: queries are found, ranked and given a probability."""

from __future__ import annotations

import pytest

from okso_jupyter.planning.table_questions.fitted_weights import shipped_weights
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.readings import readings_of
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.tables.query import Filter, Measure, Query

_ROWS = [
    ["Ann", "Oslo", "31", "2300.5", "2021-04-01"],
    ["Bob", "Rome", "45", "1800", "2019-08-12"],
    ["Cid", "Oslo", "27", "2100", "2022-01-30"],
    ["Dan", "Rome", "", "2500", "2020-11-02"],
    ["Eve", "Oslo", "52", "3100", "2018-02-17"],
    ["Fay", "Bern", "38", "2900", "2021-09-09"],
]
_TABLE = TableSample("staff.csv", ["name", "city", "age", "salary", "hired"], _ROWS)


def _best(question: str) -> Query:
    return readings_of(question, _TABLE, shipped_weights(), 1)[0].query


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the average salary?", Query("staff.csv", measures=(Measure("mean", "salary"),))),
        ("total salary", Query("staff.csv", measures=(Measure("sum", "salary"),))),
        ("How many rows are there?", Query("staff.csv", measures=(Measure("count"),))),
        (
            "average salary per city",
            Query("staff.csv", by="city", measures=(Measure("mean", "salary"),), order="city"),
        ),
        (
            "What is the highest salary in Oslo?",
            Query(
                "staff.csv",
                (Filter("city", "=", "Oslo"),),
                measures=(Measure("maximum", "salary"),),
            ),
        ),
        (
            "correlation between age and salary",
            Query("staff.csv", measures=(Measure("correlation", "age", "salary"),)),
        ),
        (
            "How many ages are missing?",
            Query("staff.csv", measures=(Measure("missing", "age"),)),
        ),
        (
            "Which name has the highest salary?",
            Query("staff.csv", order="salary", descending=True, limit=1, columns=("name",)),
        ),
        (
            "Was ist der durchschnittliche salary?",
            Query("staff.csv", measures=(Measure("mean", "salary"),)),
        ),
        ("mean of the salray", Query("staff.csv", measures=(Measure("mean", "salary"),))),
        (
            "Which city has the oldest average age?",
            Query(
                "staff.csv",
                by="city",
                measures=(Measure("mean", "age"),),
                descending=True,
                columns=("city",),
                limit=1,
            ),
        ),
    ],
)
def test_a_plain_question_is_read_correctly(question: str, expected: Query) -> None:
    """The best reading with the shipped weights is the expected query."""
    assert _best(question) == expected


def test_the_oldest_is_read_as_the_highest_age() -> None:
    """The word "oldest" refers to an age column, if there is one, not to the first date."""
    best = _best("Who is the oldest employee?")
    assert (best.order, best.descending, best.columns) == ("age", True, ("name",))


def test_readings_are_distinct_and_have_sorted_probabilities() -> None:
    """Queries are distinct; probabilities are in descending order and sum to at most one."""
    readings = readings_of("mean salary by city", _TABLE, shipped_weights(), 8)
    assert len({reading.query for reading in readings}) == 8
    probabilities = [reading.probability for reading in readings]
    assert probabilities == sorted(probabilities, reverse=True)
    assert 0 < sum(probabilities) <= 1


def test_a_reading_survives_a_json_round_trip() -> None:
    """A replay reads the readings from the recording."""
    for reading in readings_of("salary of Ann and Bob", _TABLE, shipped_weights(), 8):
        assert QueryReading.from_json(reading.to_json()) == reading


def test_every_column_of_a_reading_exists_in_the_table() -> None:
    """A reading refers to columns of the table only, so that every plan can run."""
    for question in ("oldest person in Rome", "how many were hired in 2021", "nonsense words"):
        for reading in readings_of(question, _TABLE, shipped_weights(), 200):
            assert reading.query.names <= set(_TABLE.columns)


@pytest.mark.parametrize("question", ["'; DROP TABLE salary; --", "<b>name</b>", "age = 42"])
def test_a_hostile_question_is_data(question: str) -> None:
    """A question that looks like SQL or HTML is read like any other."""
    assert readings_of(question, _TABLE, shipped_weights(), 3)


@pytest.mark.parametrize("question", ["", "?", "Is nice", "xyzzy plugh"])
def test_a_question_of_unknown_words_has_no_reading(question: str) -> None:
    """Without a reading, the model plans the request or it is refused."""
    assert readings_of(question, _TABLE, shipped_weights(), 3) == ()


_FARES = TableSample(
    "trips.csv",
    ["TravellerId", "deck", "age", "Fare"],
    [[str(n), "ABC"[n % 3], str(20 + n * 7 % 40), f"{9 + n * 5 % 17}.5"] for n in range(24)],
)


@pytest.mark.parametrize(
    ("question", "by"),
    [
        ("Calculate the mean Fare paid by the travellers", ""),
        ("What was the average Fare paid by the travellers?", ""),
        ("mean Fare paid by deck", "deck"),
        ("mean Fare grouped by deck", "deck"),
    ],
)
def test_by_groups_only_what_it_names(question: str, by: str) -> None:
    """What was paid by somebody is of all rows, what was paid by deck is of each deck."""
    best = readings_of(question, _FARES, shipped_weights(), 1)[0].query

    assert (best.by, best.measures) == (by, (Measure("mean", "Fare"),))
