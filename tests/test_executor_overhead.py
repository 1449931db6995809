"""The benchmark of the executor: its arithmetic, its rows, and one small run."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from benchmarks.executor_overhead import LIMIT, OURS, Series, main, steps_rows


def test_a_line_has_a_slope_and_a_fixed_part() -> None:
    """The slope per step and the fixed part are recovered from the times."""
    series = Series({size: [0.05 + 0.002 * size, 9.0] for size in (10, 100, 1000)})

    slope, beside = series.line
    assert slope == pytest.approx(2.0)
    assert beside == pytest.approx(50.0)


def test_growth_distinguishes_linear_from_quadratic() -> None:
    """The power is 1 for times proportional to the steps, and 2 for their square."""
    line = Series({size: [0.001 * size] for size in (100, 1000)})
    square = Series({size: [0.001 * size**2] for size in (100, 1000)})

    assert (line.growth, square.growth) == pytest.approx((1.0, 2.0))


def test_an_unmeasured_peer_has_a_row_with_the_reason() -> None:
    """A peer without times has a row with a note and no value."""
    found = {
        LIMIT: Series({10: [0.1]}),
        OURS: Series({10: [0.2], 100: [1.0]}),
        "prefect": Series(note="NOT MEASURED: no server"),
    }

    rows = steps_rows("chained", found)
    (missing,) = [row for row in rows if row.value is None]
    assert missing.note == "NOT MEASURED: no server"
    (limit,) = [row for row in rows if row.what == f"{LIMIT}, 10 steps"]
    assert limit.ratio is not None
    assert limit.ratio.middle == pytest.approx(0.5)


@pytest.mark.process
def test_a_run_without_peers_measures_everything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without peers, the benchmark runs all its own parts and writes what it prints."""
    table = tmp_path / "steps.csv"

    ended = main([
        "--sizes", "2", "4", "--repeat", "1", "--peers", "--trace-rows", "5", "--csv", str(table),
    ])  # fmt: skip

    assert ended == 0
    with table.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["section"] for row in rows} == {
        "chained", "chained: growth", "fanned out", "fanned out: growth", "table of 5 trace rows",
    }  # fmt: skip
    assert f"{OURS}, 4 steps" in capsys.readouterr().out
