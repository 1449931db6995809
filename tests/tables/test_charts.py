"""Charts: what each kind draws, and what cannot be drawn."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from okso_jupyter.sandbox.artifacts import picture_type
from okso_jupyter.tables import charts
from okso_jupyter.tables.pandas_functions import SLICES
from okso_jupyter.tables.query import Measure, Query
from tests.tables.live import SALES, Opened

_TOTAL = (Measure("sum", "qty"),)
#: On a machine that never drew, matplotlib first asks a program for the fonts.
pytestmark = pytest.mark.process


@pytest.fixture(name="sales")
def _sales(tmp_path: Path) -> Opened:
    return Opened(tmp_path, SALES)


@pytest.mark.parametrize(
    "parts",
    [
        {"by": "region", "measures": _TOTAL, "chart": "bar"},
        {"by": "region", "measures": (*_TOTAL, Measure("mean", "price")), "chart": "bar"},
        {"by": "day", "part": "weekday", "measures": _TOTAL, "chart": "bar"},
        {"by": "day", "measures": _TOTAL, "order": "day", "chart": "line"},
        {"by": "day", "part": "month", "measures": _TOTAL, "order": "day", "chart": "line"},
        {"columns": ("day", "price"), "order": "day", "chart": "line"},
        {"by": "region", "measures": _TOTAL, "chart": "pie"},
        {"columns": ("product", "qty"), "chart": "pie"},
        {"columns": ("qty", "price"), "chart": "scatter"},
        {"columns": ("price",), "chart": "histogram"},
    ],
)
def test_a_chart_is_a_picture_beside_the_table(
    sales: Opened, tmp_path: Path, parts: dict[str, Any]
) -> None:
    """The rows are those of the query without a chart; the picture is a PNG file."""
    answer = sales.ask(**parts)
    [picture] = (tmp_path / "scratch").glob("*.png")
    assert picture_type(picture.read_bytes()) == "image/png"
    assert picture.stem.startswith(parts["chart"])
    if parts["chart"] != "histogram":
        assert answer["rows"] == sales.rows(**{**parts, "chart": ""})


@pytest.mark.parametrize(
    ("values", "bins"), [([1, 2, 2, 3.5, 10, -4], 0), ([5, 5], 0), ([1, 9], 4)]
)
def test_a_histogram_counts_as_numpy_does(tmp_path: Path, values: list[float], bins: int) -> None:
    """Bins have equal widths from the least to the largest value; empty ones are left out."""
    table = Opened(tmp_path, "x\n" + "\n".join(map(str, [*values, "n/a"])) + "\n")
    rows = table.rows(columns=("x",), limit=bins, chart="histogram")
    span = None if len(set(values)) > 1 else (5, 6)
    counts, edges = np.histogram(values, bins or 10, range=span)
    full = [place for place, count in enumerate(counts) if count]
    assert [row[2] for row in rows] == [counts[place] for place in full]
    assert [row[0] for row in rows] == pytest.approx([edges[place] for place in full])


def test_a_chart_of_what_has_no_height_is_refused(sales: Opened) -> None:
    """The reason is one sentence."""
    for parts, reason in (
        ({"columns": ("region",), "chart": "histogram"}, "region holds texts, and a histogram"),
        ({"columns": ("qty", "day"), "chart": "scatter"}, "day holds dates, and a scatter plot"),
        ({"measures": _TOTAL, "chart": "bar"}, "a bar chart of sum needs groups"),
        ({"columns": ("qty",), "chart": "line"}, "a line chart needs two columns"),
        ({"measures": _TOTAL, "chart": "pie"}, "a pie chart of sum needs groups"),
        ({"columns": ("region",), "chart": "pie"}, "a pie chart needs two columns"),
        ({"columns": ("region", "day"), "chart": "pie"}, "day holds dates, and a pie chart"),
        (
            {"by": "region", "measures": (*_TOTAL, Measure("count")), "chart": "pie"},
            "a pie chart shows one measure",
        ),
        (
            {"by": "region", "measures": (Measure("most common", "product"),), "chart": "bar"},
            "the most common of product is no number",
        ),
    ):
        assert reason in sales.ask(**parts)["problem"]


def test_a_pie_is_of_parts_of_a_whole(tmp_path: Path) -> None:
    """Nothing is drawn where a part is below zero, or where there is none."""
    table = Opened(tmp_path, "who,paid\nAda,5\nBo,-2\nCy,0\n")
    reason = table.ask(columns=("who", "paid"), chart="pie")["problem"]
    assert reason == "a pie chart has no negative slices, and Bo is below zero"
    reason = table.ask(("who", "=", "Cy"), columns=("who", "paid"), chart="pie")["problem"]
    assert "nothing but zeros" in reason
    table.rows(("paid", ">=", 0), columns=("who", "paid"), chart="pie")
    assert list((tmp_path / "scratch").glob("pie chart.png"))


@pytest.mark.parametrize("count", [12, 13, 40])
def test_the_smallest_of_many_slices_are_one(count: int) -> None:
    """A pie has at most 12 slices, which are all of the whole."""
    axes = Figure().subplots()
    rows = [[f"group {number}", number] for number in range(1, count + 1)]
    query = Query(source="a.csv", by="group", measures=_TOTAL, chart="pie")
    charts._pie(axes, query, {"columns": ["group", "sum of qty"], "rows": rows})
    labels = [text.get_text() for text in axes.texts if "%" not in text.get_text()]
    assert len(labels) == 12
    assert labels[-1] == ("group 12" if count == 12 else "other")
    wedges: list[Any] = list(axes.patches)
    assert sum(wedge.theta2 - wedge.theta1 for wedge in wedges) == pytest.approx(360)


def test_equal_slices_are_counted_once() -> None:
    """Parts with the same name and size are parts of their own, drawn and in pandas."""
    parts = [("A", 5), *((f"group {number}", number) for number in range(1, 12)), ("A", 5)]
    assert sum(value for _, value in charts._slices(parts)) == 76
    defined: dict[str, Any] = {"pd": pd}
    exec(SLICES, defined)  # noqa: S102  the code under test
    names, values = zip(*parts, strict=True)
    slices = defined["slices"](pd.Series([*values, 0, None], [*names, "none", "missing"]))
    assert list(slices.items()) == charts._slices(parts)


def test_texts_in_a_chart_are_data(tmp_path: Path) -> None:
    """A header or cell that reads like a formula or is very long is drawn as it is."""
    header, cell = "$\\frac{1}{", "$x^{" + "y" * 500
    table = Opened(tmp_path, f"{header},n\n{cell},1\nb,2\n")
    table.rows(columns=(header, "n"), chart="bar")
    assert list((tmp_path / "scratch").glob("*.png"))


def test_labels_of_days_do_not_overlap() -> None:
    """Ten days side by side have room for their labels."""
    figure = Figure((7.0, 4.0))
    axes = figure.subplots()
    rows = [[f"2025-04-{day:02}", day] for day in range(1, 11)]
    table = {"columns": ["day", "total"], "rows": rows, "dates": ["day"]}
    query = Query(source="a.csv", by="day", measures=(Measure("sum", "qty"),), chart="line")
    charts._line(axes, query, table)
    figure.draw_without_rendering()
    boxes = [label.get_window_extent() for label in axes.get_xticklabels() if label.get_text()]
    assert len(boxes) > 4
    assert all(one.x1 < other.x0 for one, other in pairwise(boxes))
