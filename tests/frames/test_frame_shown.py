"""Tables of a run in all display formats: no hidden text, markup or math."""

from __future__ import annotations

import copy
import pickle
import re

import pandas as pd
import pytest

from okso_jupyter import Run, units
from okso_jupyter.frames.columns import Column, frame
from okso_jupyter.frames.frame import Frame
from okso_jupyter.frames.tree_tables import tree_stats_frame

SECONDS: list[Column[float]] = [Column("s", "float64", "s", float)]
HOSTILE = "<b>x\u202e\u200b$$y$$"


def _table() -> Frame:
    return Frame({HOSTILE: [HOSTILE, "b"], "value": [{HOSTILE: [HOSTILE]}, 2], "n": [1, 2]})


def test_text_and_html_hide_nothing() -> None:
    """Cells, headers, index and nested values show every character."""
    table = _table()
    for one in (table, table.set_index(HOSTILE), table[table["n"] > 0], table.head(1)):
        faces = one._repr_mimebundle_()
        assert faces["text/plain"] == repr(one)
        for text in faces.values():
            assert not set(text) & set("\u202e\u200b")
            assert "⟨U+202E⟩" in text
        assert "<b>" not in faces["text/html"] + faces["text/markdown"]
        assert "mathjax_ignore" in faces["text/html"]


def test_the_data_are_unchanged() -> None:
    """Only the display is changed; in all else the table is an ordinary DataFrame."""
    table = _table()
    repr(table)
    assert isinstance(table, pd.DataFrame)
    assert table[HOSTILE][0] == HOSTILE
    assert list(table.columns) == [HOSTILE, "value", "n"]
    assert table["n"].dtype == "int64"
    assert table.groupby("n").size().tolist() == [1, 1]
    assert repr(Frame(columns=["a"])) == "No rows; the columns are a."


def test_derived_frames_keep_type_and_units() -> None:
    """Selecting, sorting, joining and copying keep type and units; counts have no unit."""
    table = frame([2.0, 1.0], SECONDS).assign(k=["a", "b"])
    made = {
        "chosen": table[table["s"] > 1],
        "sorted": table.sort_values("s"),
        "joined": table.merge(table, on="k", suffixes=("", "_2")),
        "copied": copy.deepcopy(table),
        "pickled": pickle.loads(pickle.dumps(table)),  # noqa: S301  our own
    }
    for name, one in made.items():
        assert isinstance(one, Frame), name
        assert units(one) == {"s": "s"}, name
    assert units(table.groupby("k").count()) == {}


def test_pandas_display_options_are_respected(run: Run) -> None:
    """`max_rows`, `width` and `notebook_repr_html` of pandas' `display` are respected."""
    ranking = run.ranking
    assert isinstance(ranking, Frame)
    total = len(ranking)
    with pd.option_context("display.max_rows", 2):
        for face in ranking._repr_mimebundle_().values():
            assert f"2 of {total} rows shown" in face
        assert len(ranking) == total
    with pd.option_context("display.max_rows", None):
        assert "rows shown" not in repr(pd.concat([ranking] * 20))
    with pd.option_context("display.width", 40):
        assert max(map(len, repr(run.observations).split("\n"))) <= 40
    with pd.option_context("display.notebook_repr_html", False):  # noqa: FBT003  pandas' way
        assert "text/html" not in ranking._repr_mimebundle_()


@pytest.mark.parametrize("name", ["candidates", "ranking", "observations", "trace", "ledger"])
def test_every_table_of_a_run_shows_all_its_columns_with_units(run: Run, name: str) -> None:
    """In each display format every column is shown by name, with its unit beside it.

    A column that tells nothing is named below the table.
    """
    table = getattr(run, name)
    faces = table._repr_mimebundle_()
    html = faces["text/html"].replace("<wbr>", "")
    below = html.partition("Columns not shown: ")[2]
    for column in table.columns:
        is_aside = column in table.attrs.get("aside", ())
        assert re.search(rf"\b{column}\b", below) if is_aside else f">{column}" in html
        assert column.replace("_", "") in faces["text/markdown"].replace("_", "")
        unit = "" if is_aside else units(table).get(column, "")
        assert column.endswith(unit) or f"{column} <span class='okso-unit'>{unit}</span>" in html


def test_columns_that_tell_nothing_are_named_below(run: Run) -> None:
    """What differs between the rows is shown, and so is every failure."""
    aside = run.candidates.attrs["aside"]
    assert {"seed", "output_tokens"} & set(aside) or "temperature" in aside
    assert not {"candidate", "chosen", "score", "response"} & set(aside)
    assert run.observations.attrs["aside"] == ("plan_version", "attempt", "rule", "started_at")
    failed = run.observations[run.observations["status"] == "failed"]
    assert "error_class" in repr(failed)
    assert "attempt" in repr(run.observations[["tool", "attempt"]])


def test_a_table_without_records_states_why_it_is_empty() -> None:
    """A table that a filter has emptied states only that it has no rows."""
    table = tree_stats_frame([])
    assert repr(table) == "No tree was grown: whole plans were sampled (PLAN_ALGORITHM)."
    some = frame([1.0], SECONDS, nothing="Nothing yet.")
    assert repr(some[some["s"] > 1]) == "No rows; the columns are s."
