"""The requests of benchmarks/quality/own_calls, judged by what words alone make of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.quality.cases import categories, load
from benchmarks.quality.offline import found, main

OWN = Path("benchmarks/quality/own_calls")
#: Least number of cases whose accepted calls the schema allows; below what is measured.
FLOOR = {"development": 18, "held_out": 13, "other_domains": 22}


@pytest.mark.parametrize("half", FLOOR)
def test_most_accepted_calls_are_offered(half: str) -> None:
    """The schema of a request allows its accepted calls in at least so many of the own cases."""
    cases = [case for name in categories(OWN / half) for case in load(OWN / half, name)]
    allowed = [case.name for case in cases if not found(case).forbidden]

    assert len(allowed) >= FLOOR[half], allowed


def test_the_folders_have_different_requests() -> None:
    """No request is in two of the folders; together they are a hundred."""
    requests = [
        [case.request for name in categories(OWN / half) for case in load(OWN / half, name)]
        for half in FLOOR
    ]

    assert len({request for half in requests for request in half}) == sum(map(len, requests)) == 100


def test_failures_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints a line of shares for a category."""
    main(["--cases", str(OWN / "development"), "--category", "simple_python", "--show"])

    assert capsys.readouterr().out.startswith("simple_python")
