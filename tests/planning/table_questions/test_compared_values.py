"""Values that a question compares: one of several, or the difference of two."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.tables.query import Filter, Measure
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

_FILES = {
    "rides.csv": (
        "day,cyclist,bike,minutes,km,puncture\n"
        "2022-05-01,Ole,gravel,61,22.5,no\n2022-05-03,Rita,road,75,31.0,no\n"
        "2022-05-08,Sven,gravel,40,14.2,yes\n2023-05-09,Ole,road,55,24.8,no\n"
        "2023-06-02,Rita,gravel,82,33.3,no\n2023-06-11,Sven,city,20,6.1,no\n"
        "2023-06-12,Ole,city,25,7.0,yes\n2023-06-20,Uma,city,31,9.9,no\n"
    ),
    "stalls.csv": (
        "stall,vendor,takings,metres,parcel_kg\n"
        "A,Pavlik,310,3,14\nB,Nunez,120,2,9\nC,Pavlik,95,5,30\nD,Iwu,260,4,22\nE,Nunez,205,2,11\n"
    ),
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


@pytest.mark.parametrize(
    ("request_", "column", "values", "measure"),
    [
        (
            "Who cycled furthest in all, Ole, Rita or Sven?",
            "cyclist",
            ("Ole", "Rita", "Sven"),
            Measure("sum", "km"),
        ),
        (
            "who had the most rides: Uma, Rita or Ole",
            "cyclist",
            ("Uma", "Rita", "Ole"),
            Measure("count"),
        ),
        (
            "Which bike was used most often, gravel, road or city?",
            "bike",
            ("gravel", "road", "city"),
            Measure("count"),
        ),
        (
            "Which vendor had the most takings, Pavlik, Iwu or Nunez?",
            "vendor",
            ("Pavlik", "Iwu", "Nunez"),
            Measure("sum", "takings"),
        ),
        ("Wer fuhr mehr km, Ole oder Rita?", "cyclist", ("Ole", "Rita"), Measure("sum", "km")),
    ],
)
def test_one_of_the_values_named_is_the_answer(
    request_: str, column: str, values: tuple[str, ...], measure: Measure, folder: Path
) -> None:
    """All of them are compared, and nothing else answers."""
    query = query_of(folder, request_)
    (asked,) = query.filters
    assert isinstance(asked.value, tuple)
    assert (asked.column, asked.comparison, set(asked.value)) == (column, "in", set(values))
    assert (query.by, query.measures, query.limit) == (column, (measure,), 1)


def test_a_list_of_values_that_is_joined_is_one_filter(folder: Path) -> None:
    """A question for all of them has the rows of all of them."""
    query = query_of(folder, "How many rides did Ole, Rita and Uma have?")
    assert query.filters == (Filter("cyclist", "in", ("Ole", "Rita", "Uma")),)


@pytest.mark.parametrize(
    ("request_", "measure"),
    [
        ("How much further did Rita ride than Ole?", Measure("sum", "km")),
        ("how much longer did Ole ride than Sven", Measure("sum", "minutes")),
        ("How many more km did Rita ride than Sven?", Measure("sum", "km")),
        ("How many more rides did Ole do than Rita?", Measure("count")),
        ("How much heavier are Pavlik's parcels than Nunez's?", Measure("mean", "parcel_kg")),
    ],
)
def test_what_is_compared_is_subtracted(request_: str, measure: Measure, folder: Path) -> None:
    """Sums of what was done, means of what is so, and a number of rows only where it is asked."""
    query = query_of(folder, request_)
    assert (query.combine, query.measures) == ("difference", (measure,))


def test_a_difference_of_two_is_no_range(folder: Path) -> None:
    """The range is that of all rows, where nothing is compared."""
    two = query_of(folder, "What is the difference between the km of Ole and Rita in rides.csv?")
    assert two.combine == "difference"
    assert "range" not in {measure.function for measure in two.measures}
    query = query_of(folder, "What is the range of km in rides.csv?")
    assert query.measures == (Measure("range", "km"),)
