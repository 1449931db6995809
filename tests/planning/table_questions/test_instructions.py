"""Instructions: sentences around a question that say how it is to be computed."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.instructions import hinted
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
