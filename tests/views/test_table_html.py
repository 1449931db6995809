"""Tables in a notebook: how cells are formatted, and that all content is escaped."""

from __future__ import annotations

import pandas as pd

from okso_jupyter.frames.columns import Column, frame
from okso_jupyter.views.run_html import RunPage
from okso_jupyter.views.table_html import table_html
from okso_jupyter.views.table_model import cell_text
from tests.each_row import each_row


@each_row(
    ("value", "text"),
    [
        (None, ""),
        (True, "✓ yes"),
        (False, "no"),
        (0.000126, "0.000126"),
        (1e400, "inf"),
        (3, "3"),
        (67.0, "67"),
        (0.12345, "0.123"),
        (1234567.5, "1234567.5"),
        (["a", "b"], "a, b"),
        ({"path": "ä.txt"}, "path=ä.txt"),
    ],
)
def test_values_are_formatted_readably(value: object, text: str) -> None:
    """Numbers are short, lists and objects readable, and missing values empty."""
    assert cell_text(value) == text


def test_missing_values_are_empty_cells() -> None:
    """NaN, NA and None are empty cells, whatever the dtype of their column."""
    table = pd.DataFrame({
        "a": pd.Series([1.5, None]),
        "b": pd.Series([1, None], dtype="Int64"),
        "c": ["x", None],
    })  # fmt: skip
    html = table_html(table)
    assert html.count("></td>") == 3
    assert "1.5" in html
    assert "nan" not in html.lower()


def test_cells_and_headings_are_escaped() -> None:
    """Tags are escaped and hidden characters made visible in cells and headings."""
    html = table_html(pd.DataFrame({"<b>name": ["<script>alert(1)</script>\u202egnp.exe"]}))
    assert "<script" not in html
    assert "<b>" not in html
    assert "\u202e" not in html
    assert "&lt;script&gt;" in html


def test_omitted_rows_and_characters_are_counted() -> None:
    """A table reports how many rows are shown, a huge text how many characters."""
    html = table_html(pd.DataFrame({"text": ["x" * 1_000_001] + ["y"] * 70}), most_rows=2)
    assert "2 of 71 rows shown" in html
    assert "x… (1,000,000 of 1,000,001 characters shown)" in html


def _candidates() -> pd.DataFrame:
    steps = [{"tool": "terminal", "args": {"command": "wc"}}, {"tool": "final_answer"}]
    return pd.DataFrame({
        "candidate": [1, 3], "chosen": [True, False], "score": [67.0, 67.0],
        "tools": [["terminal"]] * 2, "rationale": [["fits the budget"]] * 2,
        "response": [steps] * 2, "rule_length": [24.0] * 2,
    })  # fmt: skip


def _fold(table: pd.DataFrame) -> str:
    """Return the fold of a run's page that has its candidates."""
    page = RunPage(answer="x", state="completed", report="", candidates=table)
    return page.as_html().partition("<summary>Candidates (")[2]


def test_candidates_show_their_plan_and_every_rule() -> None:
    """A candidate has its calls in one cell and each rule in a column; reasons are folded."""
    seen, folded = _fold(_candidates()).split("<details>")
    assert "terminal(wc)\nfinal_answer()" in seen
    assert "rule_length" in seen
    assert "fits the budget" not in seen
    assert "fits the budget" in folded


def test_a_repeated_plan_is_shown_once() -> None:
    """A plan equal to an earlier candidate's refers to that candidate by number."""
    seen = _fold(_candidates()).split("<details>")[0]
    assert seen.count("terminal(") == 1
    assert "the same as candidate 1" in seen


def test_plans_that_only_read_alike_are_not_the_same() -> None:
    """A number and its digits have one short form; they are two plans."""
    table = _candidates()
    plans = [[{"tool": "terminal", "args": {"command": value}}] for value in (1, "1")]
    shown = _fold(table.assign(response=pd.Series(plans))).split("<details>")[0]
    assert shown.count("terminal(1)") == 2
    assert "the same as" not in shown


def test_nonzero_numbers_have_a_bar() -> None:
    """A bar is as long as its number, hollow below zero, and omitted for zero."""
    table = pd.DataFrame({"score": [4.0, -1.0, 0.0]})
    table.attrs["units"] = {"score": "points"}
    html = table_html(table)
    assert html.count("<div class='okso-bar' style='width:100.0%' aria-hidden='true'></div>") == 1
    assert html.count("okso-bar okso-minus' style='width:25.0%'") == 1
    assert html.count("okso-bar") == 2
    assert "<td class='okso-figure'>0</td>" in html


def test_a_wide_record_names_each_cell_for_narrow_pages() -> None:
    """Where a row is shown as a list, each value has its name, and it stays a table by its roles.

    Data of a user is a table at any width.
    """
    record = frame([1], [Column(name, "int64", "s", lambda one: one) for name in "abcde"])
    html = table_html(record)
    assert html.count("data-name=") == html.count("role='cell'") == 5
    assert "<td role='cell' data-name='e (s)' class='okso-figure'>1" in html
    assert [role for role in ("table", "row", "rowgroup") if f"role='{role}'" not in html] == []
    assert "data-name" not in table_html(pd.DataFrame(record.to_dict()))
    assert "data-name" not in table_html(record[["a", "b"]])
