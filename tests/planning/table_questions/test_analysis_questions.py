"""Requests for analyses: how many of our own are answered rightly, and what is not read as one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from benchmarks.table_questions.analysis_questions import DEVELOPMENT, FILE, HELD_OUT, write_flats
from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Filter, Measure, Query
from okso_jupyter.workspace import Workspace


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize(
    ("questions", "count", "fewest"), [(DEVELOPMENT, 20, 15), (HELD_OUT, 10, 6)]
)
def test_requests_for_analyses_are_answered(
    questions: Mapping[str, str], count: int, fewest: int
) -> None:
    """The engine's answer to the best reading holds the values that pandas gives."""
    from benchmarks.table_questions.analysis_trial import (  # noqa: PLC0415  it loads scipy
        analysis_trials,
    )

    done = list(analysis_trials(questions))
    wrong = [trial.request for trial in done if not trial.is_right]

    assert len(done) == count
    assert count - len(wrong) >= fewest, wrong


def _best(folder: Path, request: str) -> Query | None:
    write_flats(folder)
    workspace = Workspace(folder)
    found = Environment().readings(request, TableSources(workspace), 1)
    workspace.close()
    return found[0].query if found else None


@pytest.mark.parametrize(
    ("request_text", "filters"),
    [
        ("mean rent in flats.csv without outliers", (Filter("rent", "is no outlier"),)),
        (
            "mean area in flats.csv after removing outliers of rent using z-scores above 2.5",
            (Filter("rent", "is no outlier", 2.5),),
        ),
        (
            "Remove the outliers of rent in flats.csv and then compute the mean heating.",
            (Filter("rent", "is no outlier"),),
        ),
        (
            "mean rent of district North in flats.csv ignoring outliers",
            (Filter("district", "=", "North"), Filter("rent", "is no outlier")),
        ),
        (
            "Show district of the outliers in heating in flats.csv where |z| > 2",
            (Filter("heating", "is an outlier", 2.0),),
        ),
    ],
)
def test_outliers_that_are_left_out_or_shown_are_a_condition(
    tmp_path: Path, request_text: str, filters: tuple[Filter, ...]
) -> None:
    """Of the column that is named with them, else of what is measured."""
    query = _best(tmp_path, request_text)

    assert query is not None
    assert query.filters == filters


def test_outliers_by_z_score_are_counted(tmp_path: Path) -> None:
    """By the interquartile range they are a measure, which is asked for more often."""
    by_z = _best(tmp_path, f"How many outliers does rent have in {FILE} by z-score?")
    by_range = _best(tmp_path, f"How many outliers does the rent column of {FILE} have?")

    met = (Filter("rent", "is an outlier", 3.0),)
    assert by_z == Query(FILE, filters=met, measures=(Measure("count"),))
    assert by_range == Query(FILE, measures=(Measure("outliers", "rent"),))


@pytest.mark.parametrize(
    "request_text",
    [
        "Remove the outliers from flats.csv",
        "Remove the outliers of rent in flats.csv and save the rest to clean.csv",
        "drop outliers of rent in flats.csv in place",
    ],
)
def test_a_file_without_outliers_is_no_question(tmp_path: Path, request_text: str) -> None:
    """A request that only changes a table, or saves it, is planned by the model."""
    assert _best(tmp_path, request_text) is None


_CORRELATION = Measure("correlation", "heating", "built")
_TEST = Measure("correlation p-value", "heating", "built")


@pytest.mark.parametrize(
    ("request_text", "measures"),
    [
        (
            "Is the correlation of built and heating in flats.csv significant?",
            (_CORRELATION, _TEST),
        ),
        (
            "Correlation of built and heating in flats.csv? Use a significance level of 0.01.",
            (_CORRELATION, _TEST),
        ),
        ("What is the correlation of built and heating in flats.csv?", (_CORRELATION,)),
        (
            "mean area and median rent in flats.csv",
            (Measure("mean", "area"), Measure("median", "rent")),
        ),
        (
            "Calculate the mean and median of rent and tenant_age in flats.csv",
            (
                Measure("mean", "rent"),
                Measure("median", "rent"),
                Measure("mean", "tenant_age"),
                Measure("median", "tenant_age"),
            ),
        ),
    ],
)
def test_what_is_measured_is_as_the_request_lists_it(
    tmp_path: Path, request_text: str, measures: tuple[Measure, ...]
) -> None:
    """A correlation has its test beside it where that is asked for; a level is no filter."""
    query = _best(tmp_path, request_text)

    assert query is not None
    assert (query.measures, query.filters) == (measures, ())


@pytest.mark.parametrize(
    ("request_text", "combine", "columns"),
    [
        ("Which column in flats.csv has the most missing values?", "largest", ["flat_no", "built"]),
        ("Which column of flats.csv has the lowest mean?", "smallest", ["rooms", "built"]),
        ("Which column is most correlated with rent in flats.csv?", "strongest", ["rent"]),
        (
            "Which column has the strongest negative correlation with rent in flats.csv?",
            "smallest",
            ["rent"],
        ),
    ],
)
def test_columns_are_compared(
    tmp_path: Path, request_text: str, combine: str, columns: list[str]
) -> None:
    """By the statistic that is named; numbers of rows and texts have none."""
    query = _best(tmp_path, request_text)

    assert query is not None
    assert query.combine == combine
    measured = list(dict.fromkeys(measure.column for measure in query.measures))
    assert [measured[0], measured[-1]] == [columns[0], columns[-1]]


@pytest.mark.parametrize(
    "request_text",
    [
        "Which district in flats.csv has the highest mean rent?",
        "Which flat in flats.csv has the most rooms?",
        "In flats.csv, which district and which rooms have the lowest rent?",
    ],
)
def test_rows_and_groups_are_no_columns(tmp_path: Path, request_text: str) -> None:
    """A column that is named in "which ..." is asked for its values."""
    query = _best(tmp_path, request_text)

    assert query is not None
    assert query.combine == ""
