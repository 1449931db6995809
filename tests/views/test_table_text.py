"""Tables as text: never wider than asked for, nothing hidden, nothing left out unsaid."""

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
def test_no_line_is_wider_than_asked_for(
    rows: list[tuple[str, float, object]], name: str, width: int
) -> None:
    """Whatever is in the cells and headings, the lines fit and hide nothing."""
    table = pd.DataFrame(rows, columns=["text", name, "more"])
    for shown in (table, table.set_index("text")):
        text = table_text(shown, width=width)
        assert max(wcwidth.width(line) for line in text.split("\n")) <= width
        assert not set(text) & HIDDEN


@given(TEXTS, st.integers(20, 200))
def test_a_short_cell_is_shown_as_a_whole(cell: str, width: int) -> None:
    """Every character of it stands in the text in order, however it is wrapped."""
    text = table_text(pd.DataFrame({"text": [cell]}), width=width)
    seen = "".join(visible(cell).split())
    is_short = len(seen) * 2 <= width and cell.count("\n") < 6
    assert not is_short or seen in "".join(text.split())


def test_a_table_that_fits_stands_in_columns() -> None:
    """Numbers stand to the right below their heading, texts to the left."""
    table = pd.DataFrame({"tool": ["wc", "日本"], "calls": [1, 12]})
    assert table_text(table, width=40).split("\n") == [
        "tool  calls",
        "----  -----",
        "wc        1",
        "日本     12",
    ]


def test_the_longest_text_gives_way_and_no_name_is_broken() -> None:
    """Ids and times stay on one line, a request is wrapped between its words."""
    table = pd.DataFrame({
        "run": ["20261122T090614Z-de079e"], "at": pd.to_datetime(["2026-11-22 09:06:14.41"]),
        "request": ["Which station has the most rain of all of them?"],
    })  # fmt: skip
    rows = table_text(table, width=74).split("\n")[2:]
    assert rows[0] == "20261122T090614Z-de079e  2026-11-22 09:06:14.410  Which station has the"
    assert [line.strip() for line in rows[1:]] == ["most rain of all of", "them?"]


def test_many_wide_rows_are_read_one_after_another() -> None:
    """Beside each other they would be narrow, and there is nothing to compare."""
    table = pd.DataFrame({f"c{n}": [f"some words {row} {n}" for row in range(9)] for n in range(9)})
    lines = table_text(table, width=80).split("\n")
    assert lines[0] == "c0  some words 0 0"
    assert lines.count("-" * 80) == 8


def test_a_wide_table_is_turned() -> None:
    """Rows stand beside each other, a line for each column; as many as fit, then the next ones."""
    table = pd.DataFrame({f"column_{n}": [f"value {n} {row}" for row in "abc"] for n in range(9)})
    lines = table_text(table, width=60).split("\n")
    assert lines[0].split() == ["column_0", "value", "0", "a", "value", "0", "b"]
    assert lines[8].split()[0] == "column_8"
    assert lines[9] == "-" * 60
    assert lines[10].split() == ["column_0", "value", "0", "c"]


def test_a_column_without_a_name_and_without_values_takes_room() -> None:
    """Nothing to be shown is no reason not to show the rest."""
    table = pd.DataFrame({"a": ["x" * 30], "": [None]})
    for width in (20, 80):
        assert "x" * 20 in table_text(table, width=width).replace("\n", "").replace(" ", "")


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5])
def test_no_width_is_too_narrow(width: int) -> None:
    """Whatever pandas was told, a table is shown and no error is raised."""
    table = pd.DataFrame({"tool": ["one", "two"], "points": [1.5, 2]})
    assert set("onetwo1.52") <= set(table_text(table, width=width))


def test_a_long_cell_is_wrapped_and_says_how_long_it_is() -> None:
    """Eight lines of it are shown at most, the last of them saying how much there is."""
    table = pd.DataFrame({"tool": ["a"], "output": ["word " * 300]})
    lines = table_text(table, width=60).split("\n")
    assert len(lines) == 2 + 8
    assert lines[-1].strip() == "… (1,500 characters)"


def test_rows_that_are_left_out_are_counted() -> None:
    """In text and in Markdown."""
    table = pd.DataFrame({"a": range(500)})
    assert table_text(table, width=80, most_rows=3).endswith("\n3 of 500 rows shown")
    assert table_markdown(table, most_rows=3).endswith("\n\n(3 of 500 rows shown)")


def test_markdown_is_a_table_with_numbers_to_the_right() -> None:
    """One line per row; a bar in a cell ends no cell."""
    table = pd.DataFrame({"tool": ["a|b"], "n": [1]})
    table.attrs["units"] = {"n": "calls"}
    assert table_markdown(table).split("\n") == [
        "| tool | n (calls) |",
        "| --- | ---: |",
        "| a&#124;b | 1 |",
    ]
