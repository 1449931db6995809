"""Everyday trial: requests over files of nine domains, as the planner reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.table_questions.everyday_domain_questions import FIRST, SECOND
from benchmarks.table_questions.everyday_domains import write_domains
from benchmarks.table_questions.everyday_trial import everyday_trials
from benchmarks.table_questions.trial_questions import Questions
from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Filter, Measure, Query
from okso_jupyter.workspace import Workspace

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("questions", "count", "fewest"), [(FIRST, 60, 55), (SECOND, 30, 22)])
def test_most_everyday_requests_are_read_rightly(
    questions: Questions, count: int, fewest: int
) -> None:
    """The best reading gives exactly the rows that are wanted, and the chart."""
    done = list(everyday_trials(questions))
    wrong = [trial.question for trial in done if not trial.is_right]

    assert len(done) == count
    assert count - len(wrong) >= fewest, wrong


def _best(folder: Path, request: str) -> Query:
    write_domains(folder)
    sources = TableSources(workspace=Workspace(folder))
    return Environment().readings(request, sources, 3)[0].query


@pytest.mark.parametrize(
    ("request_text", "filters"),
    [
        ("How many invoices are unpaid in invoices.csv?", (Filter("paid", "=", "no"),)),
        ("How many people outside Wales are in survey.tsv?", (Filter("region", "!=", "Wales"),)),
        ("how many would recommend us in survey.tsv", (Filter("recommend", "=", "yes"),)),
        (
            "How many readings in sensors.csv are not from the attic?",
            (Filter("location", "!=", "attic"),),
        ),
        ("How many visits had at least 500 bytes in visits.csv?", (Filter("bytes", ">=", 500),)),
        (
            "How many visits from FR or US are in visits.csv?",
            (Filter("country", "in", ("FR", "US")),),
        ),
    ],
)
def test_rows_are_counted_as_said(
    tmp_path: Path, request_text: str, filters: tuple[Filter, ...]
) -> None:
    """Opposites, exceptions, comparisons and lists of values are taken up."""
    query = _best(tmp_path, request_text)

    assert query.measures == (Measure("count"),)
    values = [f.value if not isinstance(f.value, tuple) else {*f.value} for f in filters]
    found = [f.value if not isinstance(f.value, tuple) else {*f.value} for f in query.filters]
    assert found == values
    assert [f.comparison for f in query.filters] == [f.comparison for f in filters]


@pytest.mark.parametrize(
    ("request_text", "order", "limit"),
    [
        ("Show the three largest orders in invoices.csv", "amount", 3),
        ("Nenne die 5 teuersten Artikel aus lager.csv", "Stückpreis", 5),
        ("show the 2 slowest requests in visits.csv", "duration_ms", 2),
    ],
)
def test_the_largest_are_of_what_can_be_large(
    tmp_path: Path, request_text: str, order: str, limit: int
) -> None:
    """Orders are not sorted by the day on which they were ordered."""
    query = _best(tmp_path, request_text)
    assert (query.order, query.descending, query.limit) == (order, True, limit)
