"""Tables as text: bounded width, visible characters, and omissions reported."""

from __future__ import annotations

import pandas as pd
import pytest
import wcwidth
from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter.legible import visible
from okso_jupyter.views.table_text import table_markdown, table_text
from tests.views.hostile_texts import HIDDEN, TEXTS

TABLES = st.lists(
    st.tuples(TEXTS, st.floats(), st.one_of(st.none(), TEXTS, st.lists(TEXTS, max_size=3))),
    min_size=1,
    max_size=6,
)


@given(TABLES, TEXTS, st.integers(30, 160))
def test_no_line_exceeds_the_width(
    rows: list[tuple[str, float, object]], name: str, width: int
) -> None:
    """With any cells and headings, lines fit the width and have no hidden characters."""
    table = pd.DataFrame(rows, columns=["text", name, "more"])
    for shown in (table, table.set_index("text")):
        text = table_text(shown, width=width)
        assert max(wcwidth.width(line) for line in text.split("\n")) <= width
        assert not set(text) & HIDDEN


@given(TEXTS, st.integers(20, 200))
def test_a_short_cell_is_shown_completely(cell: str, width: int) -> None:
    """All characters of a short cell are shown in order, however it is wrapped."""
    text = table_text(pd.DataFrame({"text": [cell]}), width=width)
    seen = "".join(visible(cell).split())
    is_short = len(seen) * 2 <= width and cell.count("\n") < 6
    assert not is_short or seen in "".join(text.split())


def test_a_table_that_fits_is_shown_in_columns() -> None:
    """Numbers are right-aligned below their heading, texts left-aligned."""
    table = pd.DataFrame({"tool": ["wc", "日本"], "calls": [1, 12]})
    assert table_text(table, width=40).split("\n") == [
        "tool  calls",
        "----  -----",
        "wc        1",
        "日本     12",
    ]


def test_only_the_longest_text_is_wrapped() -> None:
    """Ids and times stay on one line; a long text is wrapped between words."""
    table = pd.DataFrame({
        "run": ["20261122T090614Z-de079e"], "at": pd.to_datetime(["2026-11-22 09:06:14.41"]),
        "request": ["Which station has the most rain of all of them?"],
    })  # fmt: skip
    rows = table_text(table, width=74).split("\n")[2:]
    assert rows[0] == "20261122T090614Z-de079e  2026-11-22 09:06:14.410  Which station has the"
    assert [line.strip() for line in rows[1:]] == ["most rain of all of", "them?"]


def test_many_wide_rows_are_shown_one_by_one() -> None:
    """Wide rows are shown one after another, with a line for each column."""
    table = pd.DataFrame({f"c{n}": [f"some words {row} {n}" for row in range(9)] for n in range(9)})
    lines = table_text(table, width=80).split("\n")
    assert lines[0] == "c0  some words 0 0"
    assert lines.count("-" * 80) == 8


def test_a_wide_table_is_transposed() -> None:
    """A wide table has a line per column, with as many rows side by side as fit."""
    table = pd.DataFrame({f"column_{n}": [f"value {n} {row}" for row in "abc"] for n in range(9)})
    lines = table_text(table, width=60).split("\n")
    assert lines[0].split() == ["column_0", "value", "0", "a", "value", "0", "b"]
    assert lines[8].split()[0] == "column_8"
    assert lines[9] == "-" * 60
    assert lines[10].split() == ["column_0", "value", "0", "c"]


def test_an_unnamed_empty_column_does_not_hide_the_others() -> None:
    """A column without a name and values does not hide the other columns."""
    table = pd.DataFrame({"a": ["x" * 30], "": [None]})
    for width in (20, 80):
        assert "x" * 20 in table_text(table, width=width).replace("\n", "").replace(" ", "")


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5])
def test_a_table_is_shown_at_any_width(width: int) -> None:
    """A table is shown without an error even at a width of 1 to 5 characters."""
    table = pd.DataFrame({"tool": ["one", "two"], "points": [1.5, 2]})
    assert set("onetwo1.52") <= set(table_text(table, width=width))


def test_a_long_cell_is_cut_to_eight_lines() -> None:
    """A long cell has at most eight lines; the last one gives the length of the text."""
    table = pd.DataFrame({"tool": ["a"], "output": ["word " * 300]})
    lines = table_text(table, width=60).split("\n")
    assert len(lines) == 2 + 8
    assert lines[-1].strip() == "… (1,500 characters)"


def test_omitted_rows_are_counted() -> None:
    """Omitted rows are counted, in text and in Markdown."""
    table = pd.DataFrame({"a": range(500)})
    assert table_text(table, width=80, most_rows=3).endswith("\n3 of 500 rows shown")
    assert table_markdown(table, most_rows=3).endswith("\n\n(3 of 500 rows shown)")


def test_markdown_has_a_row_per_line() -> None:
    """A Markdown table has one line per row; numbers are right-aligned, pipes escaped."""
    table = pd.DataFrame({"tool": ["a|b"], "n": [1]})
    table.attrs["units"] = {"n": "calls"}
    assert table_markdown(table).split("\n") == [
        "| tool | n (calls) |",
        "| --- | ---: |",
        "| a&#124;b | 1 |",
    ]
