"""Times of day: columns of them are compared with the times that a question names."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.answers import Answers
from okso_jupyter.planning.table_questions.clock_times import clock_length, clock_times
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.planning.table_questions.words import QuestionWords
from okso_jupyter.tables.query import Filter, Query
from okso_jupyter.workspace import Workspace
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

_FILES = {
    "buses.csv": (
        "bus,from,to,departs,arrives\nIC 11,Graz,Linz,06:10,09:05\nIC 15,Graz,Wien,08:40,11:15\n"
        "RJ 20,Linz,Wien,12:05,13:20\nRJ 24,Wien,Graz,17:55,20:30\nIC 19,Linz,Graz,18:30,21:25\n"
    ),
    "shifts.csv": "worker,start\nAnn,07:30:00\nBo,15:00:00\nCy,22:15:00\n",
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


@pytest.mark.parametrize(
    ("request_", "found"),
    [
        ("Which buses depart after 18:00?", Filter("departs", ">", "18:00")),
        ("Which buses depart after 6 pm?", Filter("departs", ">", "18:00")),
        ("How many buses arrive before noon?", Filter("arrives", "<", "12:00")),
        ("Which buses depart from 8:00 to 6pm?", Filter("departs", "between", ("08:00", "18:00"))),
        ("How many buses depart before 9.30 am?", Filter("departs", "<", "09:30")),
        ("How many workers start after 3 pm?", Filter("start", ">", "15:00:00")),
    ],
)
def test_a_time_is_compared_with_its_column(request_: str, found: Filter, folder: Path) -> None:
    """And the 18 of 18:00 is not compared with a number in another column."""
    assert query_of(folder, request_).filters == (found,)


#: Dates with times, and those that are called by no column.
_DATED: Final = {
    "orders.csv": (
        "order,placed_on,buyer,total\n1,2026-05-03 17:59,Ann,4\n2,2026-05-03 18:20,Bo,9\n"
        "3,2026-05-20 18:00,Ann,7\n4,2026-05-20 21:45,Cy,5\n5,2026-05-22 05:30,Bo,2\n"
    ),
    "messwerte.csv": (
        "Zeitpunkt;Sensor;Temperatur\n01.06.2026 05:10;Dach;9,5\n01.06.2026 18:30;Dach;21,0\n"
        "02.06.2026 06:00;Keller;12,5\n02.06.2026 23:15;Dach;15,0\n"
    ),
}


@pytest.mark.parametrize(
    ("request_", "found", "rows"),
    [
        ("orders after 18:00", ("placed_on", ">", "18:00", "time"), 2),
        ("how many orders before 6 am?", ("placed_on", "<", "06:00", "time"), 1),
        ("orders between 18:00 and 20:00", ("placed_on", "between", ("18:00", "20:00"), "time"), 2),
        ("how many orders were not after 18:00", ("placed_on", "<=", "18:00", "time"), 3),
        ("how many orders were not placed after 6 pm", ("placed_on", "<=", "18:00", "time"), 3),
        ("how many orders earlier than 6 am", ("placed_on", "<", "06:00", "time"), 1),
        ("orders no later than 6 pm", ("placed_on", "<=", "18:00", "time"), 3),
        ("orders at 18:00 or later", ("placed_on", ">=", "18:00", "time"), 3),
        ("wie viele Messwerte um 18 Uhr oder später", ("Zeitpunkt", ">=", "18:00", "time"), 2),
        ("orders up to 18:00", ("placed_on", "<=", "18:00", "time"), 3),
        ("orders between 5 and 7 pm", ("placed_on", "between", ("17:00", "19:00"), "time"), 3),
        ("orders from 11 to 6 pm", ("placed_on", "between", ("11:00", "18:00"), "time"), 2),
        ("orders since 2026-05-20 18:00", ("placed_on", ">=", "2026-05-20 18:00"), 3),
        ("orders after 20 May 18:00", ("placed_on", ">", "2026-05-20 18:00"), 2),
        (
            "orders between 2026-05-03 18:00 and 2026-05-20 at 18:00",
            ("placed_on", "between", ("2026-05-03 18:00", "2026-05-20 18:00")),
            2,
        ),
        ("wie viele Messwerte nach 18 Uhr", ("Zeitpunkt", ">", "18:00", "time"), 2),
        ("höchste Temperatur vor 6 Uhr", ("Zeitpunkt", "<", "06:00", "time"), 1),
    ],
)
def test_a_time_is_compared_with_the_dates_that_have_one(
    request_: str, found: tuple[Any, ...], rows: int, tmp_path: Path
) -> None:
    """Behind a day it is of that day alone."""
    folder = filled(tmp_path, _DATED)
    query = query_of(folder, request_)
    assert query.filters == (Filter(*found),)
    table = TableSources(Workspace(folder)).sample(query.source)
    assert table is not None
    assert len(Answers(table).of(Query(query.source, query.filters))) == rows


@pytest.mark.parametrize(
    "request_",
    ["games with score 21:18", "games with runtime over 2:00"],
)
def test_what_only_looks_like_a_time_is_none_of_a_date(request_: str, tmp_path: Path) -> None:
    """A score, or the duration of another column."""
    rows = (
        "home,kickoff,score,runtime\nUlm,2026-05-03 18:00,21:18,1:45\n"
        "Jena,2026-05-04 19:30,9:3,2:05\n"
    )
    folder = filled(tmp_path, {"games.csv": rows})
    found = Environment().readings(request_, TableSources(Workspace(folder)), 1)
    assert not any(each.part == "time" for reading in found for each in reading.query.filters)


def test_a_value_that_is_no_time_is_looked_at_as_a_text() -> None:
    """As a person may have typed it into the form before the next question."""
    table = TableSample("t.csv", ["bus", "leaves"], [["A", "09:05"], ["B", "18:30"]])
    query = Query("t.csv", filters=(Filter("leaves", ">", "6pm"),), columns=("bus",))
    assert Answers(table).of(query) == []


def test_rows_are_sorted_by_a_time(folder: Path) -> None:
    """As texts, which are in the order of their times."""
    assert query_of(folder, "sort the buses by arrives").order == "arrives"


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("at 12 am or at 12 pm", ["00:00", "12:00"]),
        ("nach 18 Uhr", ["18:00"]),
        ("between 8:05 and midnight", ["08:05", "00:00"]),
        ("at 25:00", []),
        ("13 pm is no time, 13:00 is", ["13:00"]),
        ("more than 18 or 20", []),
        ("a ratio of 16:9", []),
    ],
)
def test_times_are_read_from_words(text: str, times: list[str]) -> None:
    """A number alone is none."""
    assert [time.text for time in clock_times(QuestionWords(text))] == times


@pytest.mark.parametrize(
    ("cells", "length"),
    [
        (["06:30", "22:15", ""], 5),
        (["06:30:00", " 22:15:59"], 8),
        (["6:30", "22:15"], 0),
        (["42:10", "59:59"], 0),
        (["06:30", "06:30:00"], 0),
        (["", ""], 0),
    ],
)
def test_a_column_of_times_has_cells_of_one_length(cells: list[str], length: int) -> None:
    """Others are not in the order of their texts, or are durations."""
    assert clock_length(cells) == length
