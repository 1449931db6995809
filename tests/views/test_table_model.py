"""What is shown of a table: rows, index, units, bars, and the notes below it."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from okso_jupyter.amounts import beginning
from okso_jupyter.views.table_model import Heading, TableModel, cell_text


def _names(sheet: TableModel) -> list[str]:
    return [heading.name for heading in sheet.headings]


def test_only_an_informative_index_is_shown() -> None:
    """A default index has no column; labels and the index of filtered rows do."""
    table = pd.DataFrame({"a": [1, 2, 3]})
    assert _names(TableModel.of(table)) == ["a"]
    assert _names(TableModel.of(table[table["a"] > 1])) == ["", "a"]
    assert _names(TableModel.of(table.assign(k=list("xyz")).set_index("k"))) == ["k", "a"]
    two = table.assign(k=list("xyz"), m=1).set_index(["k", "m"])
    assert _names(TableModel.of(two)) == ["k", "m", "a"]
    assert TableModel.of(two).rows[0] == ("x", 1, 1)


def test_any_pandas_frame_can_be_shown() -> None:
    """Duplicate and tuple names, categories, timestamps and missing values are shown."""
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


def test_json_values_are_shown_in_short_form() -> None:
    """Objects, plans and tables have no JSON signs; a list that contains itself has an end."""
    endless: list[Any] = [1]
    endless.append(endless)
    assert cell_text({(1, 2): 3}) == "(1, 2)=3"
    assert cell_text(endless).startswith("[1, [1, [1, ")
    assert "…" in cell_text(endless)
    assert cell_text({"day": pd.Timestamp("2026-11-22"), "all": True}) == (
        "day=2026-11-22 00:00:00, all=yes"
    )
    query = {"source": "a.csv", "filters": [{"column": "n", "comparison": "<", "value": 3}]}
    steps = [{"id": 1, "tool": "table_query", "args": query}, {"id": 2, "tool": "final_answer"}]
    assert cell_text(steps) == "table_query(a.csv, filters=[n < 3])\nfinal_answer()"
    assert cell_text({"columns": ["n", "m"], "rows": [[1, 2]], "sql": "..."}) == "1 row of n, m"


def test_durations_read_as_times() -> None:
    """A column of seconds shows minutes as minutes."""
    assert [cell_text(s, "s") for s in (163.2, 12.7, 0.05)] == ["2 min 43 s", "12.7 s", "50 ms"]


def test_a_unit_is_shown_once() -> None:
    """A unit follows the name in parentheses, unless the name ends with the unit."""
    assert Heading(name="score", unit="points").words == "score (points)"
    assert Heading(name="duration_s", unit="s").words == "duration_s"
    assert Heading(name="attempt", unit="from 1").words == "attempt (from 1)"


def test_bars_of_one_unit_share_a_scale() -> None:
    """Bars of one unit have the same scale in all columns."""
    table = pd.DataFrame({"score": [40.0, 20.0], "rule": [10.0, -40.0], "n": [1, 2]})
    table.attrs["units"] = {"score": "points", "rule": "points", "n": "steps"}
    assert TableModel.of(table).shares() == [[100.0, 25.0, None], [50.0, -100.0, None]]


@pytest.mark.parametrize("values", [[0.0, 0.0], [float("inf"), 0.0], [float("nan"), 0.0]])
def test_zero_infinite_and_missing_values_have_no_bar(values: list[float]) -> None:
    """A column of only zeros, infinities and missing values has no bars."""
    table = pd.DataFrame({"score": values})
    table.attrs["units"] = {"score": "points"}
    assert TableModel.of(table).shares() == [[None], [None]]


def test_omitted_rows_and_columns_are_counted() -> None:
    """Omitted rows and columns are counted; all rows are shown on request."""
    table = pd.DataFrame([range(120)] * 1500)
    notes = TableModel.of(table, most_rows=20).notes
    assert notes == ["20 of 1,500 rows shown", "100 of 120 columns shown"]
    assert len(TableModel.of(table, most_rows=None).rows) == 1500


def test_an_empty_table_says_so() -> None:
    """An empty table names its columns, or shows the text that is set for that case."""
    table = pd.DataFrame({"a": pd.Series(dtype="int64"), "b": pd.Series(dtype="object")})
    assert TableModel.of(table).notes == ["No rows; the columns are a, b."]
    assert TableModel.of(pd.DataFrame()).notes == ["No rows and no columns."]
    assert TableModel.of(pd.DataFrame(index=range(3))).notes == ["No columns; 3 rows."]
    table.attrs["nothing"] = "No step has run."
    assert TableModel.of(table).notes == ["No step has run."]


def test_a_truncated_text_reports_its_length() -> None:
    """A truncated text is followed by the shown and the total number of characters."""
    assert beginning("abc", 3) == "abc"
    assert beginning("x" * 5000, 2) == "xx… (2 of 5,000 characters shown)"


def test_columns_aside_are_named_and_not_shown_unless_selected() -> None:
    """A whole table leaves them out and says so; a selection of columns shows what it holds."""
    table = pd.DataFrame({"run": ["a"], "at": [1], "made": [2]})
    table.attrs["aside"] = ("at", "made")
    whole, selected = TableModel.of(table), TableModel.of(table[["run", "at"]])
    assert [heading.name for heading in whole.headings] == ["run"]
    assert whole.notes == ["Columns not shown: at, made"]
    assert [heading.name for heading in selected.headings] == ["run", "at"]
    assert selected.notes == []


def test_days_are_shown_without_a_time() -> None:
    """A column whose times are all midnight holds days; one with a zone, or with others, times."""
    days = pd.to_datetime(pd.Series(["2025-04-01", None, "2025-04-03"]))
    table = pd.DataFrame({"day": days, "at": days + pd.Timedelta(hours=1)})
    table["utc"] = table["day"].dt.tz_localize("UTC")
    row = TableModel.of(table).rows[0]
    assert [cell_text(cell) for cell in row] == [
        "2025-04-01", "2025-04-01 01:00:00.000", "2025-04-01 00:00:00.000+00:00",
    ]  # fmt: skip
    assert TableModel.of(table).rows[1] == (None, None, None)
