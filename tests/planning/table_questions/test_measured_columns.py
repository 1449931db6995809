"""Which columns are measured, added up and compared where a question names them in passing."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.tables.query import Filter, Measure
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

_FILES = {
    "pressings.csv": (
        "day,orchard,must %,cider l,tree yr,checked,helper\n"
        "2021-09-02,north,52,120,1998,2022-01-10,Ira\n2021-09-20,south,48,95,2010,2022-01-11,Ben\n"
        "2022-09-05,north,55,140,1998,2023-01-08,Ira\n2022-10-01,west,44,60,2015,2023-01-09,Ira\n"
    ),
    "Reinigung.csv": (
        "Datum;Halle;Kosten (€);Stunden\n2023-01-05;A;80,5;3\n2023-02-07;B;64,0;2\n"
        "2023-03-01;A;91,0;4\n2023-03-09;C;40,0;1\n"
    ),
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


def test_percents_and_years_are_not_added_up(folder: Path) -> None:
    """How much there is altogether is an amount."""
    (measure,) = query_of(folder, "how much did the pressings give in total").measures
    assert measure == Measure("sum", "cider l")


def test_a_year_is_compared_with_the_column_that_is_named(folder: Path) -> None:
    """And not with a date that is not."""
    query = query_of(folder, "Which orchards in pressings.csv have trees from before 2005?")
    assert [(each.column, each.value) for each in query.filters] == [("tree yr", 2005)]


@pytest.mark.parametrize(
    "request_",
    [
        "Was haben die Reinigungen insgesamt gekostet?",
        "was hat die Reinigung insgesamt gekostet",
    ],
)
def test_what_was_paid_is_the_sum_of_costs(request_: str, folder: Path) -> None:
    """The verb is of the column of costs."""
    assert query_of(folder, request_).measures == (Measure("sum", "Kosten (€)"),)


@pytest.mark.parametrize(
    "request_",
    [
        "compare Ira and Ben: how many l of cider did each of them press?",
        "total cider l Ira vs Ben in pressings.csv",
    ],
)
def test_two_groups_that_are_compared_stand_beside_each_other(request_: str, folder: Path) -> None:
    """No difference of them is asked for."""
    query = query_of(folder, request_)
    assert query.filters == (Filter("helper", "in", ("Ira", "Ben")),)
    assert (query.by, query.combine) == ("helper", "")
