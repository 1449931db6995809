"""Fixtures of the tests of the whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.whole.inner_run import InnerRuns


@pytest.fixture(scope="session")
def run_tests(_process: None) -> Iterator[InnerRuns]:
    """Runs of pytest, with the conftest of this repository."""
    with closing(InnerRuns()) as runs:
        yield runs
