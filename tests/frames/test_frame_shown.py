"""A table of a run, wherever it is shown: nothing hidden, no markup, no mathematics."""

from __future__ import annotations

import pandas as pd

from okso_jupyter.frames.frame import Frame

HOSTILE = "<b>x\u202e\u200b$$y$$"


def _table() -> Frame:
    return Frame({HOSTILE: [HOSTILE, "b"], "value": [{HOSTILE: [HOSTILE]}, 2], "n": [1, 2]})


def test_text_and_html_hide_nothing() -> None:
    """Cells, headings, index and what is inside a cell's value show every character."""
    table = _table()
    for frame in (table, table.set_index(HOSTILE), table[table["n"] > 0], table.head(1)):
        html = frame._repr_html_()
        assert html is not None
        for text in (repr(frame), html):
            assert not set(text) & set("\u202e\u200b")
            assert "⟨U+202E⟩" in text
        assert "<b>" not in html
        assert "mathjax_ignore" in html


def test_the_data_stay_as_they_are() -> None:
    """Only what is shown is changed; for pandas it is a DataFrame like any other."""
    table = _table()
    repr(table)
    assert isinstance(table, pd.DataFrame)
    assert table[HOSTILE][0] == HOSTILE
    assert list(table.columns) == [HOSTILE, "value", "n"]
    assert table["n"].dtype == "int64"
    assert table.groupby("n").size().tolist() == [1, 1]
    assert repr(Frame(columns=["a"])) == "No rows; the columns are a."
