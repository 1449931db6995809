"""Run.table: the result of a query as a DataFrame, from the journal alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from okso_jupyter.frames.result_table import result_frame
from okso_jupyter.results import Run
from okso_jupyter.toolkit.tool import tool
from tests.bench import END, Bench, SmallModel

_SHOP = """\
region,units,price,sold
North,3,10.5,2024-01-31
South,5,,2024-03-01
North,4,40,2024-02-01
"""


def test_numbers_and_dates_have_their_types() -> None:
    """A missing number makes a column float, as in pandas.read_csv."""
    table = result_frame(
        {
            "columns": ["n", "mean", "day", "text"],
            "rows": [[1, 2, "2024-01-31", "x"], [2, None, None, None]],
            "dates": ["day"],
        }
    )
    kinds = [pd.api.types.infer_dtype(table[name]) for name in table]
    assert kinds[:3] == ["integer", "floating", "datetime64"]
    assert table["text"].tolist() == ["x", None]
    assert "note" not in table.attrs


def test_a_column_with_an_invalid_date_is_unchanged() -> None:
    """If a cell of a date column is not a date, the column stays text, with no cell lost."""
    raw = {"columns": ["day"], "rows": [["2024-01-31"], ["soon"]], "dates": ["day"]}
    assert result_frame(raw)["day"].tolist() == ["2024-01-31", "soon"]


def test_duplicate_column_names_and_empty_results_are_kept() -> None:
    """Equal column names are kept as in the query; so are the columns of an empty result."""
    same = result_frame({"columns": ["a", "a"], "rows": [[1, "x"]]})
    assert (list(same.columns), same.to_numpy().tolist()) == (["a", "a"], [[1, "x"]])
    empty = result_frame({"columns": ["a", "b"], "rows": []})
    assert (list(empty.columns), len(empty)) == (["a", "b"], 0)


def test_omitted_rows_are_reported() -> None:
    """A note shown with the table reports that rows were omitted."""
    cut = result_frame({"columns": ["a"], "rows": [[1], [2]], "truncated": True})
    assert cut.attrs["note"] == "The first 2 rows; the result has more."


@pytest.fixture(name="shop")
def _shop(bench: Bench) -> Bench:
    (bench.root / "shop.csv").write_text(_SHOP)
    return bench


def _asked(shop: Bench, request: str, **settings: object) -> Run:
    with shop.session(**settings) as session:
        session._model = SmallModel([])
        return session.run(request, approve="auto")


@pytest.mark.usefixtures("_process")
def test_a_run_has_its_table_and_value(shop: Bench) -> None:
    """The table has one row per group; only a single result sets the run's value."""
    run = _asked(shop, "What is the average price per region in shop.csv?")
    assert run.table is not None
    assert dict(run.table.to_numpy().tolist())["North"] == 25.25
    assert run.value is None
    assert _asked(shop, "What is the sum of units in shop.csv?").value == 12
    latest = _asked(shop, "What is the latest sold in shop.csv?")
    assert latest.value == pd.Timestamp("2024-03-01")


@pytest.mark.usefixtures("_process")
def test_replayed_and_reloaded_runs_have_the_same_table(shop: Bench, tmp_path: Path) -> None:
    """The table is the same even if the file has changed since."""
    recording, request = str(tmp_path / "asked.jsonl"), "Show sold and price in shop.csv"
    run = _asked(shop, request, OKSO_RECORD=recording)
    (shop.root / "shop.csv").write_text("a,b\n1,2\n")
    with shop.session() as session:
        again = session.load_run(run.id)
    replayed = _asked(shop, request, OKSO_REPLAY=recording)
    assert run.table is not None
    for other in (again.table, replayed.table):
        assert other is not None
        pd.testing.assert_frame_equal(other, run.table)


@pytest.mark.usefixtures("_process")
def test_a_calculation_has_a_value_and_no_table(shop: Bench) -> None:
    """A calculation has its exact number as value."""
    run = _asked(shop, "What is 37 times 89?")
    assert (run.state, run.table, run.value) == ("completed", None, 37 * 89)


@pytest.mark.parametrize(
    "value", [42, 0, 2.5, True, {"a": 1, "b": [2]}, [1, "x"], {"value": 7, "unit": "m"}]
)
def test_what_a_tool_returns_is_the_value(shop: Bench, value: object) -> None:
    """As Python has it, also from the journal; a text is the answer alone."""
    shop.extra = [
        tool(effect="none")(own)
        for own in (_returns("give", value), _returns("say", "hello"), _returns("none", None))
    ]
    run = shop.run([{"tool": "give"}, END])
    assert (type(run.value), run.value) == (type(value), value)
    with shop.session() as session:
        assert session.load_run(run.id).value == value
    assert shop.run([{"tool": "say"}, END]).value is None
    assert shop.run([{"tool": "none"}, END]).value is None
    python = {"tool": "file_read", "args": {"path": "notes.txt"}}
    assert shop.run([python, END]).value is None


def _returns(name: str, value: object) -> Callable[[], object]:
    def own() -> object:
        """Give a value."""
        return value

    own.__name__ = name
    return own
