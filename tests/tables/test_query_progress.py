"""What is told of a query's progress."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import cast

import duckdb
import pytest

from okso_jupyter.tables.query_progress import told


class _Queries:
    """A connection on which two queries run, one after the other."""

    def __init__(self) -> None:
        self._percents: Iterator[float] = iter([-1, 10, 93, 10, 40, 97])
        self.have_run = threading.Event()

    def query_progress(self) -> float:
        """Return how far the present query is."""
        percent = next(self._percents, None)
        if percent is None:
            self.have_run.set()
        return -1 if percent is None else percent


def test_no_line_says_less_than_one_before_it(capfd: pytest.CaptureFixture[str]) -> None:
    """A second query of the same answer begins anew, and is told once it is further."""
    queries = _Queries()
    with told(cast("duckdb.DuckDBPyConnection", queries), 0.001):
        assert queries.have_run.wait(60)
    lines = capfd.readouterr().out.splitlines()
    assert lines == [f"{percent} % of the table is read" for percent in (10, 93, 97)]
