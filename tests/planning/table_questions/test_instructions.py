"""Instructions: sentences around a question that say how it is to be computed."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.instructions import hinted, without_denied
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Measure, Query
from okso_jupyter.workspace import Workspace

_TABLE = (
    "city,No. of cases,No. of deaths,area,ward\nYork,10,1,5.5,a\nBath,30,,7,b\nYork,20,4,1.5,b\n"
    "Hull,5,0,2.5,a\nBath,12,3,3,a\n"
)
_COLUMNS = ["city", "No. of cases", "No. of deaths", "area", "ward"]


def _best(folder: Path, request: str) -> Query:
    (folder / "health.csv").write_text(_TABLE, "utf-8")
    sources = TableSources(workspace=Workspace(folder))
    return Environment().readings(request, sources, 3)[0].query


@pytest.mark.parametrize(
    ("instruction", "added"),
    [
        ("Calculate the mean of the column 'No. of cases'.", " (No. of cases)"),
        ('Use "area". Do not use "No. of cases".', " (area)"),
        ("The columns are 'city', 'area' and 'ward'.", ""),
        ("Report the patients' and the doctors' ages.", ""),
    ],
)
def test_a_column_that_is_quoted_is_a_hint(instruction: str, added: str) -> None:
    """One or two columns are; what is not to be used and a list of columns are none."""
    asked = "What is the mean value?"
    wanted = f"{asked.rstrip('?')}{added}" if added else asked
    assert hinted(asked, f"{asked} {instruction}", _COLUMNS) == wanted


@pytest.mark.parametrize(
    ("request_text", "measures"),
    [
        (
            "What is the mean value in health.csv? Calculate it of the column 'No. of deaths'.",
            [Measure("mean", "No. of deaths")],
        ),
        (
            (
                "What is the standard deviation of area in health.csv? Use the population standard "
                "deviation."
            ),
            [Measure("population standard deviation", "area")],
        ),
        (
            "Is there a correlation between No. of cases and area in health.csv? Use Spearman.",
            [Measure("rank correlation", "No. of cases", "area")],
        ),
        (
            (
                "Is there a correlation between No. of cases and area in health.csv? Use Pearson, "
                "not Spearman."
            ),
            [Measure("correlation", "No. of cases", "area")],
        ),
        (
            "How many missing values are in each column of health.csv?",
            [Measure("missing", name) for name in _COLUMNS],
        ),
        (
            "Which columns have missing values in health.csv?",
            [Measure("missing", name) for name in _COLUMNS],
        ),
    ],
)
def test_what_is_computed_follows_the_instructions(
    tmp_path: Path, request_text: str, measures: list[Measure]
) -> None:
    """Columns and variants of functions are those that the instructions name."""
    assert list(_best(tmp_path, request_text).measures) == measures


def test_several_statistics_are_computed_of_each_group(tmp_path: Path) -> None:
    """Mean, median and deviation stand side by side, one row for each city."""
    query = _best(tmp_path, "mean, median and standard deviation of area for each city, health.csv")

    assert query.by == "city"
    assert [measure.function for measure in query.measures] == [
        "mean",
        "median",
        "standard deviation",
    ]


def test_the_highest_average_ranks_groups_by_their_means(tmp_path: Path) -> None:
    """The city with the highest average is not the one with the largest value."""
    query = _best(tmp_path, "Which city has the highest average area in health.csv?")
    assert (query.by, query.measures, query.descending) == (
        "city",
        (Measure("mean", "area"),),
        True,
    )


@pytest.mark.parametrize(
    "denied",
    [
        "Do not remove any outliers before you compute it.",
        "{\n- Use all rows.\n- Don't remove outliers (e.g. by the 1.5 * IQR rule)\n}",
        "Please do not use the median, or any other average.",
    ],
)
def test_what_is_not_to_be_done_is_not_done(tmp_path: Path, denied: str) -> None:
    """Sentences that forbid something name no outliers and no other function."""
    asked = f"Calculate the mean area in health.csv. {denied}"
    assert _best(tmp_path, asked) == Query("health.csv", measures=(Measure("mean", "area"),))


def test_a_question_for_what_somebody_did_not_is_kept() -> None:
    """Only an order forbids."""
    for question in ("Which members did not pay?", "Who don't I know?", "Do not save it."):
        assert without_denied(question) == question


def test_a_computed_column_with_the_name_of_the_file_in_a_sentence_of_its_own(
    tmp_path: Path,
) -> None:
    """What further sentences say of the answer is not taken for the question."""
    found = _best(
        tmp_path,
        'Generate a new feature called "total" by adding the No. of cases and No. of deaths '
        "columns. Calculate the mean of the total column. The data is in health.csv. "
        "Round the result to two decimal places.",
    )
    assert found.measures == (Measure("mean", "total"),)
    assert [column.operator for column in found.computed] == ["+"]
