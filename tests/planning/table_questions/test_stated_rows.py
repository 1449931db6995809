"""What a question says of the rows it wants, which no fitted weight has to guess."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Filter, Measure, Query
from okso_jupyter.workspace import Workspace

_PURCHASES = (
    "date,kind,price,buyer\n2026-01-05,Paint,40,Ada\n2026-01-09,Tools,250,Bob\n"
    "2026-02-11,Paint,95,Ada\n2026-03-15,Wood,120,Cleo\n2026-03-20,Tools,60,Bob\n"
)
_HALLS = "hall,level,chairs\nOak,1,8\nAsh,3,20\nElm,3,6\nYew,2,12\n"
_STAFF = "name,team,born\nMia Voss,HR,1990-02-01\nLeo Kern,IT,1985-06-11\nUte Brand,HR,1979-01-30\n"


def _best(folder: Path, question: str) -> Query:
    for name, text in (("purchases", _PURCHASES), ("halls", _HALLS), ("staff", _STAFF)):
        (folder / f"{name}.csv").write_text(text, "utf-8")
    return Environment().readings(question, TableSources(Workspace(folder)), 3)[0].query


def test_rows_are_shown_whole_and_not_as_their_dates(tmp_path: Path) -> None:
    """A date alone says nothing of a purchase, unless it is asked when it was."""
    query = _best(tmp_path, "Show purchases over 100 euros")
    assert (query.columns, query.measures) == ((), ())
    assert query.filters == (Filter("price", ">", 100),)
    assert _best(tmp_path, "When was the most expensive purchase?").columns == ("date",)
    assert _best(tmp_path, "On which day was the most expensive purchase?").columns == ("date",)


def test_the_sum_of_rows_is_that_of_their_amounts(tmp_path: Path) -> None:
    """And the groups are in the order that the question ends with."""
    query = _best(tmp_path, "Sum of purchases per month, highest first")
    assert (query.by, query.measures) == ("date", (Measure("sum", "price"),))
    assert (query.order, query.descending, query.limit) == ("", True, 0)


def test_a_number_without_a_comparison_is_a_value(tmp_path: Path) -> None:
    """A column that is called by a plural holds amounts, which are added up."""
    query = _best(tmp_path, "How many chairs are there on level 3?")
    assert query.filters == (Filter("level", "=", 3),)
    assert query.measures == (Measure("sum", "chairs"),)


def test_a_value_that_is_told_is_not_asked_for(tmp_path: Path) -> None:
    """It is a filter, and the answer is the row."""
    query = _best(tmp_path, "What was the most expensive Tools purchase?")
    assert query.filters == (Filter("kind", "=", "Tools"),)
    assert (query.order, query.descending, query.columns) == ("price", True, ())


@pytest.mark.parametrize(
    ("question", "filters", "columns"),
    [
        ("Who is in HR?", (Filter("team", "=", "HR"),), ("name",)),
        ("Who is in IT", (Filter("team", "=", "IT"),), ("name",)),
    ],
)
def test_who_is_one_of_the_persons_of_a_table(
    tmp_path: Path, question: str, filters: tuple[Filter, ...], columns: tuple[str, ...]
) -> None:
    """A short value in capitals is enough beside a word for persons."""
    query = _best(tmp_path, question)
    assert (query.filters, query.columns, query.shift) == (filters, columns, 0)


def test_people_are_counted(tmp_path: Path) -> None:
    """They are the rows of a table of persons."""
    query = _best(tmp_path, "How many people work in IT?")
    assert (query.filters, query.measures) == ((Filter("team", "=", "IT"),), (Measure("count"),))


@pytest.mark.parametrize(
    ("question", "limit"),
    [
        ("How many days were colder than 0 in days.csv?", 0),
        ("How many days had a temp below 0 in days.csv?", 0),
        ("Which days had more than 5 rain in days.csv?", 0),
        ("Which stations deliver data in days.csv?", 0),
        ("Which stations had the most rain in days.csv?", 1),
    ],
)
def test_all_are_asked_for_unless_one_end_is(tmp_path: Path, question: str, limit: int) -> None:
    """Zero is a number like others, and a plural asks for every one."""
    (tmp_path / "days.csv").write_text(
        "day,station,temp,rain\n2026-01-01,A,-3,0\n2026-01-02,B,2,7\n2026-01-03,A,-1,9\n"
        "2026-01-04,B,4,1\n",
        "utf-8",
    )
    assert _best(tmp_path, question).limit == limit


def test_zero_is_compared(tmp_path: Path) -> None:
    """And the rows are counted."""
    (tmp_path / "days.csv").write_text("day,temp\n2026-01-01,-3\n2026-01-02,2\n", "utf-8")
    query = _best(tmp_path, "How many days had a temp below 0 in days.csv?")
    assert (query.filters, query.measures) == ((Filter("temp", "<", 0),), (Measure("count"),))
