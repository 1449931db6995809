"""Rows in the order that a question says: by which column, and which end of it first."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.tables.query import ENDS, Filter, Measure
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

_FILES = {
    "races.csv": (
        "race_day,swimmer,stroke,seconds,pool\n"
        "2023-02-04,Noor,crawl,71.2,north\n2023-02-04,Lev,crawl,69.8,north\n"
        "2024-03-09,Noor,back,84.0,south\n2024-03-10,Lev,crawl,68.1,north\n"
        "2024-05-18,Noor,crawl,70.3,south\n2024-05-19,Pia,back,81.9,north\n"
    ),
    "trucks.csv": (
        "plate,built,kmh,load_t,owner\nK-1,2012,88,7.5,Rossi\nK-2,2019,95,12,Engel\n"
        "K-3,2016,90,18,Rossi\nK-4,2021,110,3.5,Bah\n"
    ),
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


@pytest.mark.parametrize(
    ("request_", "order", "descending"),
    [
        ("List the races in races.csv, fastest first", "seconds", False),
        ("all races sorted by seconds, slowest first", "seconds", True),
        ("show the races in the north pool, newest first", "race_day", True),
        ("show all crawl races from oldest to newest", "race_day", False),
        ("Zeige die Rennen in races.csv, neueste zuerst", "race_day", True),
        ("list the trucks, fastest first", "kmh", True),
        ("show the trucks by Rossi, slowest first", "kmh", False),
        ("trucks.csv sorted by load, heaviest first", "load_t", True),
        ("list all trucks, oldest first", "built", False),
        ("list all trucks starting with the newest", "built", True),
    ],
)
def test_the_end_that_comes_first_is_that_of_the_column_it_is_of(
    request_: str, order: str, *, descending: bool, folder: Path
) -> None:
    """The fastest has the smallest time, or the largest speed."""
    query = query_of(folder, request_)
    assert (query.order, query.descending, query.limit) == (order, descending, 0)
    assert (query.measures, query.columns) == ((), ())


def test_rows_in_order_are_those_that_are_asked_for(folder: Path) -> None:
    """A year in the question is no number of rows."""
    query = query_of(folder, "list Noor's races in 2024, newest first")
    assert set(query.filters) == {
        Filter("race_day", "=", 2024, "year"),
        Filter("swimmer", "=", "Noor"),
    }
    assert (query.order, query.descending, query.limit) == ("race_day", True, 0)


@pytest.mark.parametrize(
    ("request_", "filters", "column"),
    [
        ("What were the fastest and the slowest race?", (), "seconds"),
        (
            "show Noor's slowest and fastest races",
            (Filter("swimmer", "=", "Noor"),),
            "seconds",
        ),
        ("which trucks have the highest and the lowest load?", (), "load_t"),
        ("the oldest and newest truck", (), "built"),
        ("Welches sind die schnellsten und die langsamsten Rennen in races.csv?", (), "seconds"),
    ],
)
def test_both_ends_are_two_rows(
    request_: str, filters: tuple[Filter, ...], column: str, folder: Path
) -> None:
    """Of the rows that are asked for."""
    query = query_of(folder, request_)
    assert query.filters == (*filters, Filter(column, ENDS))
    assert (query.order, query.limit, query.measures) == (column, 0, ())


@pytest.mark.parametrize(
    ("request_", "column"),
    [
        ("What are the highest and the lowest load in trucks.csv?", "load_t"),
        ("the lowest and highest kmh of the trucks", "kmh"),
    ],
)
def test_both_ends_of_what_a_column_is_called_are_numbers(
    request_: str, column: str, folder: Path
) -> None:
    """A load has no longest row."""
    measures = query_of(folder, request_).measures
    assert measures == (Measure("minimum", column), Measure("maximum", column))
