"""Rows of one table that no row of another one refers to in a period: a few lines of Python."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.planning.table_questions.unmatched_in_period import unmatched_in_period
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row

_FILES = {
    "clients.csv": "client_id,name,city\n1,Ann,Leeds\n2,Bob,York\n3,Cy,Leeds\n4,Di,Hull\n",
    "jobs.csv": (
        "job_id,client_id,date,work\n1,1,2023-03-01,gutter\n2,2,2024-01-11,roof\n"
        "3,1,2024-12-31,fence\n4,3,2025-06-01,gutter\n"
    ),
    "kunden.csv": "id;name\n1;Meier\n2;Schulz\n3;Kern\n",
    "bestellungen.csv": (
        "nr;kunden_id;datum;betrag\n1;1;01.03.2024;20,5\n2;2;04.05.2025;30,0\n3;2;31.12.2023;3,0\n"
    ),
}
_TODAY = date(2026, 3, 1)


@pytest.fixture(name="sources")
def _sources(tmp_path: Path) -> Iterator[TableSources]:
    for name, content in _FILES.items():
        (tmp_path / name).write_text(content)
    workspace = Workspace(tmp_path)
    yield TableSources(workspace)
    workspace.close()


def _printed(request: str, sources: TableSources, folder: Path) -> list[str]:
    step = unmatched_in_period(request, sources, _TODAY)
    assert step is not None, request
    printed = io.StringIO()
    here = Path.cwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(printed):
            exec(step["args"]["input"], {})  # noqa: S102  the code that the test is about
    finally:
        os.chdir(here)
    return printed.getvalue().split()


@pytest.mark.parametrize(
    ("request_", "names"),
    [
        ("which clients from clients.csv had no job at all in 2024", ["Cy", "Di"]),
        ("which clients had no job since May 2024", ["Bob", "Di"]),
        ("which clients had no job in January", ["Ann", "Cy", "Di"]),
        ("which clients did not have a job in December", ["Bob", "Cy", "Di"]),
        ("clients without any job before 2024", ["Bob", "Cy", "Di"]),
        ("clients without a job last year", ["Ann", "Bob", "Di"]),
        ("Which clients did not have a job in January 2024?", ["Ann", "Cy", "Di"]),
        ("welche Kunden haben 2024 nichts bestellt?", ["Schulz", "Kern"]),
        ("Welche Kunden haben seit 2025 keine Bestellung?", ["Meier", "Kern"]),
    ],
)
def test_rows_without_a_row_in_the_period(
    request_: str, names: list[str], sources: TableSources, tmp_path: Path
) -> None:
    """Rows of other dates count for nothing, and rows without any are among the answer."""
    assert _printed(request_, sources, tmp_path) == ["name", *names]


def test_their_number_may_be_asked(sources: TableSources, tmp_path: Path) -> None:
    """It is the number of the rows of the first table."""
    asked = "How many clients had no jobs in 2024?"
    assert _printed(asked, sources, tmp_path) == ["2"]


@each_row(
    "request_",
    [
        "which clients had a job in 2024",
        "which clients never had a job",
        "which jobs of 2024 have no client",
        "which clients in Leeds had no job in 2024",
        "Leeds clients without a job in 2024",
        "clients with no more than 2 jobs in 2024",
        "which clients had no job in 2023 and 2024",
        "Which clients had no paid job in 2024?",
        "Which clients had no big jobs in 2024?",
        "Which clients never cancelled a job in 2024?",
        "Which clients had no jobs on a weekend in 2024?",
        "Which clients with a fee under 2024 have no jobs?",
        "Which clients had no jobs from February to August 2024?",
        "Which clients had no job since the end of 2023?",
        "Which clients had no job until the end of 2023?",
        "Which clients had no job at the start of 2024?",
        "Welche Kunden haben seit Ende 2024 nichts bestellt?",
        "Which clients had no job since the month before May 2024?",
    ],
)
def test_other_requests_are_none(request_: str, sources: TableSources) -> None:
    """Whatever else tells rows apart is left to what reads it."""
    assert unmatched_in_period(request_, sources, _TODAY) is None


def test_a_day_with_its_time_is_that_day(sources: TableSources, tmp_path: Path) -> None:
    """One cell with a time of day among days is not left out."""
    jobs = _FILES["jobs.csv"].replace("2024-01-11", "2024-01-11 14:30")
    more = "".join(f"{row},1,2023-05-01,roof\n" for row in range(5, 40))
    (tmp_path / "jobs.csv").write_text(f"{jobs}{more}40,4,,roof\n")
    asked = "which clients had no job in 2024"
    assert _printed(asked, sources, tmp_path) == ["name", "Cy", "Di"]


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-8-sig", "utf-16"])
def test_files_are_read_in_their_own_encoding(
    encoding: str, sources: TableSources, tmp_path: Path
) -> None:
    """The code says it, and what separates the cells."""
    clients = "client_id;name\n1;Ann\n2;B\u00f6b\n3;Zo\u00eb\n4;Di\n"
    (tmp_path / "clients.csv").write_text(clients, encoding=encoding)
    asked = "which clients had no job in 2024"
    assert _printed(asked, sources, tmp_path) == ["name", "Zo\u00eb", "Di"]
