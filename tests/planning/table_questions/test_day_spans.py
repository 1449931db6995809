"""Spans of days: the month that stands behind the second day is that of the first, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.tables.query import Filter
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

_VISITS = (
    "visit,day,room,minutes\n1,2025-02-03,A,30\n2,2025-02-10,B,15\n3,2025-02-14,A,45\n"
    "4,2025-02-20,B,20\n5,2025-03-12,A,12\n"
)
_BESUCHE = (
    "Besuch;Datum;Raum;Preis\n1;03.02.2025;A;30,00\n2;10.02.2025;B;15,00\n3;20.02.2025;A;12,50\n"
)


@pytest.mark.parametrize(
    "request_",
    [
        "visits between 10 and 20 February",
        "which visits were between the 10th and the 20th of February",
        "list the visits from 10 to 20 February 2025",
        "visits from 10 - 20 february in visits.csv",
        "visits between 10 February and 20 February",
    ],
)
def test_both_days_are_of_the_month(tmp_path: Path, request_: str) -> None:
    """They are not numbers of another column."""
    folder = filled(tmp_path, {"visits.csv": _VISITS})
    wanted = Filter("day", "between", ("2025-02-10", "2025-02-20"))
    assert query_of(folder, request_).filters == (wanted,)


@pytest.mark.parametrize(
    "request_",
    [
        "Besuche zwischen 10. und 20. Februar",
        "Besuche zwischen dem 10. und dem 20. Februar 2025",
        "Besuche vom 10. bis zum 20. Februar 2025",
        "Besuche zwischen dem 10.2.2025 und dem 20.2.2025",
    ],
)
def test_both_days_are_of_the_month_in_german(tmp_path: Path, request_: str) -> None:
    """Also with articles before them."""
    folder = filled(tmp_path, {"besuche.csv": _BESUCHE})
    wanted = Filter("Datum", "between", ("2025-02-10", "2025-02-20"))
    assert query_of(folder, request_).filters == (wanted,)


def test_other_numbers_stay_numbers(tmp_path: Path) -> None:
    """Only a month makes them days."""
    folder = filled(tmp_path, {"visits.csv": _VISITS})
    query = query_of(folder, "visits between 10 and 20 minutes")
    assert query.filters == (Filter("minutes", "between", (10, 20)),)
