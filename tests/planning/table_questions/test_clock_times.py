"""Times of day: columns of them are compared with the times that a question names."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.table_questions.answers import Answers
from okso_jupyter.planning.table_questions.clock_times import clock_length, clock_times
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.words import QuestionWords
from okso_jupyter.tables.query import Filter, Query
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
