"""Follow-ups for another value of a condition: a number, a word of its family, a month."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.follow_up import follow_up
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Filter, Measure, Query
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row

_JOBS = TableSample(
    "jobs.csv",
    ["job no", "day", "tutor", "pupil", "hours", "fee", "weather", "state"],
    [
        ["J1", "2026-03-02", "Ada", "Tom", "1.5", "€30", "Storm", "open"],
        ["J2", "2026-03-09", "Bo", "Tom", "2", "€40", "Fog", "open"],
        ["J3", "2026-04-01", "Ada", "Mia", "1", "€20", "Fog", "settled"],
        ["J4", "2026-04-08", "Bo", "Mia", "2", "€44", "Rain", "open"],
        ["J5", "2026-04-22", "Ada", "Tom", "1", "€20", "Rain", "settled"],
    ],
)
_LONG = Query("jobs.csv", filters=(Filter("hours", ">", 1.5),), measures=(Measure("count"),))
_IN_MARCH = Query(
    "jobs.csv",
    filters=(Filter("day", "between", ("2026-03-01", "2026-03-31")),),
    measures=(Measure("count"),),
)
_FOGGY = Query("jobs.csv", filters=(Filter("weather", "=", "Fog"),), measures=(Measure("count"),))


@each_row(
    ("request_text", "last", "wanted"),
    [
        ("and more than 1 hour?", _LONG, Filter("hours", ">", 1)),
        ("and under 2?", _LONG, Filter("hours", "<", 2)),
        ("und mindestens 2?", _LONG, Filter("hours", ">=", 2)),
        ("and 1?", _LONG, Filter("hours", ">", 1)),
        ("and when it was rainy?", _FOGGY, Filter("weather", "=", "Rain")),
        ("and on stormy days?", _FOGGY, Filter("weather", "=", "Storm")),
        ("and in the rain?", _FOGGY, Filter("weather", "=", "Rain")),
        # another month took no place, so that no row was in both
        ("and in april?", _IN_MARCH, Filter("day", "between", ("2026-04-01", "2026-04-30"))),
        ("und im Februar?", _IN_MARCH, Filter("day", "between", ("2026-02-01", "2026-02-28"))),
        ("and in 2025?", _IN_MARCH, Filter("day", "between", ("2025-03-01", "2025-03-31"))),
    ],
)
def test_another_value_of_a_condition(request_text: str, last: Query, wanted: Filter) -> None:
    """A number takes the place of one that was compared, a word of a family that of its value."""
    found = follow_up(request_text, last, _JOBS)
    assert found is not None
    assert found.query == replace(last, filters=(wanted,))


def test_the_unit_of_a_condition_says_nothing_more() -> None:
    """Words of the column's name stand beside the value."""
    table = TableSample(
        "tubs.csv", ["tub", "size_l"], [["a", "20"], ["b", "40"], ["c", "40"], ["d", "20"]]
    )
    last = Query("tubs.csv", filters=(Filter("size_l", "=", 40),), measures=(Measure("count"),))
    for asked in ("and 20 l?", "and 20?"):
        found = follow_up(asked, last, table)
        assert found is not None
        assert found.query.filters == (Filter("size_l", "=", 20),)


def test_a_month_is_no_file(tmp_path: Path) -> None:
    """A file that is called as the month is meant by its whole name alone."""
    (tmp_path / "april.txt").write_text("rain\n")
    rows = ["day,hours", "2026-03-02,1", "2026-03-09,2", "2026-04-01,1", "2026-04-08,3"]
    (tmp_path / "jobs.csv").write_text("\n".join(rows) + "\n")
    sources = TableSources(Workspace(tmp_path))
    march = Filter("day", "=", 3, "month")
    last = Query("jobs.csv", filters=(march,), measures=(Measure("count"),))

    def followed(request: str) -> Any:
        found = Environment().follow_up(request, sources, lambda: last)
        return found and found.query.filters

    assert followed("und im april?") == (Filter("day", "=", 4, "month"),)
    assert followed("and in april.txt?") is None
