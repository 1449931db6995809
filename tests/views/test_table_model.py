"""What of a table is shown: rows, index, units, bars, and the sentences below it."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from okso_jupyter.amounts import beginning
from okso_jupyter.views.table_model import Heading, TableModel, cell_text


def _names(sheet: TableModel) -> list[str]:
    return [heading.name for heading in sheet.headings]


def test_an_index_is_shown_where_it_says_something() -> None:
    """Rows that are only counted have no column for it; labels and chosen rows do."""
    table = pd.DataFrame({"a": [1, 2, 3]})
    assert _names(TableModel.of(table)) == ["a"]
    assert _names(TableModel.of(table[table["a"] > 1])) == ["", "a"]
    assert _names(TableModel.of(table.assign(k=list("xyz")).set_index("k"))) == ["k", "a"]
    two = table.assign(k=list("xyz"), m=1).set_index(["k", "m"])
    assert _names(TableModel.of(two)) == ["k", "m", "a"]
    assert TableModel.of(two).rows[0] == ("x", 1, 1)


def test_any_frame_of_pandas_can_be_shown() -> None:
    """Doubled names, names of several levels, categories, times and missing values are taken."""
    table = pd.DataFrame(
        [[1, "x", pd.Timestamp("2026-11-22 10:00:00.1234", tz="UTC"), pd.NA, float("nan")]]
    )
    table.columns = pd.Index(["a", "a", ("b", "c"), 4, None])
    table["kind"] = pd.Categorical(["one"])
    sheet = TableModel.of(table)
    assert _names(sheet) == ["a", "a", "b, c", "4", "None", "kind"]
    row = sheet.rows[0]
    assert row[:2] == (1, "x")
    assert row[3:] == (None, None, "one")
    assert cell_text(row[2], "UTC") == "2026-11-22 10:00:00.123"
    assert cell_text(row[2]) == "2026-11-22 10:00:00.123+00:00"


def test_a_value_that_json_cannot_write_is_written_as_python_does() -> None:
    """Keys that are not texts, and lists within themselves, are no reason to show nothing."""
    endless: list[Any] = [1]
    endless.append(endless)
    assert cell_text({(1, 2): 3}) == "{(1, 2): 3}"
    assert cell_text(endless) == "[1, [...]]"
    assert cell_text({"day": pd.Timestamp("2026-11-22")}) == '{"day": "2026-11-22 00:00:00"}'


def test_units_are_said_once() -> None:
    """A unit stands behind the name, unless the name ends with it."""
    assert Heading(name="score", unit="points").words == "score (points)"
    assert Heading(name="duration_s", unit="s").words == "duration_s"
    assert Heading(name="attempt", unit="from 1").words == "attempt (from 1)"


def test_bars_of_one_unit_are_to_one_scale() -> None:
    """The same length is the same number of points, in whichever column."""
    table = pd.DataFrame({"score": [40.0, 20.0], "rule": [10.0, -40.0], "n": [1, 2]})
    table.attrs["units"] = {"score": "points", "rule": "points", "n": "steps"}
    assert TableModel.of(table).shares() == [[100.0, 25.0, None], [50.0, -100.0, None]]


@pytest.mark.parametrize("values", [[0.0, 0.0], [float("inf"), 0.0], [float("nan"), 0.0]])
def test_figures_without_a_length_have_no_bar(values: list[float]) -> None:
    """Nothing but zeros, infinities and missing values leaves nothing to compare."""
    table = pd.DataFrame({"score": values})
    table.attrs["units"] = {"score": "points"}
    assert TableModel.of(table).shares() == [[None], [None]]


def test_what_is_left_out_is_said() -> None:
    """Rows and columns that are not shown are counted; all rows are shown where that is asked."""
    table = pd.DataFrame([range(120)] * 1500)
    notes = TableModel.of(table, most_rows=20).notes
    assert notes == ["20 of 1,500 rows shown", "100 of 120 columns shown"]
    assert len(TableModel.of(table, most_rows=None).rows) == 1500


def test_an_empty_table_says_so() -> None:
    """In a sentence of its own where it has one; a table that was emptied names its columns."""
    table = pd.DataFrame({"a": pd.Series(dtype="int64"), "b": pd.Series(dtype="object")})
    assert TableModel.of(table).notes == ["No rows; the columns are a, b."]
    assert TableModel.of(pd.DataFrame()).notes == ["No rows and no columns."]
    assert TableModel.of(pd.DataFrame(index=range(3))).notes == ["No columns; 3 rows."]
    table.attrs["nothing"] = "No step has run."
    assert TableModel.of(table).notes == ["No step has run."]


def test_a_cut_text_says_how_long_it_is() -> None:
    """What is shown of a text is followed by how much that is."""
    assert beginning("abc", 3) == "abc"
    assert beginning("x" * 5000, 2) == "xx… (2 of 5,000 characters shown)"
