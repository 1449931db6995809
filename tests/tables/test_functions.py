"""Every function, comparison and query part, checked by pandas or a manual count."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any, get_args

import pandas as pd
import pytest
from scipy import stats

from okso_jupyter.tables import raw_tables
from okso_jupyter.tables.column_kinds import OF_PAIRS, OF_ROWS
from okso_jupyter.tables.query import COMPARISONS, FUNCTIONS, Function, Measure
from tests.tables.live import SALES, Opened

pytestmark = pytest.mark.slow


@pytest.fixture(name="sales", scope="module")
def _sales(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    return Opened(tmp_path_factory.mktemp("sales"), SALES)


#: Forty rows with a few far out, a column that follows another, and missing cells.
_ROWS = [(i % 4, (i * 37) % 23 + i / 8, i if i % 9 else None, "abc"[i % 3]) for i in range(40)]
FRAME = pd.DataFrame([*_ROWS, (1, 500.0, 41, "a")], columns=["group", "x", "y", "letter"])


@pytest.fixture(name="numbers", scope="module")
def _numbers(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    return Opened(tmp_path_factory.mktemp("numbers"), FRAME.to_csv(index=False))


def _outliers(x: pd.Series[Any]) -> int:
    low, high = x.quantile(0.25), x.quantile(0.75)
    margin = 1.5 * (high - low)
    return int(((x < low - margin) | (x > high + margin)).sum())


EXPECTED: dict[str, Any] = {
    "count": lambda d: d.y.count(),
    "count distinct": lambda d: d.y.nunique(),
    "sum": lambda d: d.y.sum(),
    "mean": lambda d: d.y.mean(),
    "median": lambda d: d.y.median(),
    "minimum": lambda d: d.y.min(),
    "maximum": lambda d: d.y.max(),
    "range": lambda d: d.y.max() - d.y.min(),
    "standard deviation": lambda d: d.y.std(),
    "population standard deviation": lambda d: d.y.std(ddof=0),
    "variance": lambda d: d.y.var(),
    "skewness": lambda d: d.y.skew(),
    "most common": lambda d: d.y.value_counts().index[0],
    "least common": lambda d: d.y.dropna().iloc[0],
    "missing": lambda d: d.y.isna().sum(),
    "missing percent": lambda d: d.y.isna().mean() * 100,
    "outliers": lambda d: _outliers(d.y),
    "quartile 1": lambda d: d.y.quantile(0.25),
    "quartile 3": lambda d: d.y.quantile(0.75),
    "normality": lambda d: stats.shapiro(d.y.dropna()).pvalue,
    "share percent": lambda d: 100 * d.y.sum() / FRAME.y.sum(),
    "correlation": lambda d: d.y.corr(d.x),
    "rank correlation": lambda d: d.y.corr(d.x, method="spearman"),
    "correlation p-value": lambda d: stats.pearsonr(*d[["y", "x"]].dropna().to_numpy().T).pvalue,
}


def test_every_function_is_compared() -> None:
    """The expected values cover all functions."""
    assert set(EXPECTED) == set(FUNCTIONS)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_gives_the_result_of_pandas(numbers: Opened, function: Any) -> None:
    """It does so over all rows, over filtered rows and over each group."""
    measure = Measure(function, "y", "x" if "correlation" in function else "")
    expected = EXPECTED[function]
    assert numbers.rows(measures=(measure,)) == [[pytest.approx(expected(FRAME))]]
    filtered = numbers.rows(("letter", "=", "a"), measures=(measure,))
    assert filtered == [[pytest.approx(expected(FRAME[FRAME.letter == "a"]))]]
    groups = dict(numbers.rows(measures=(measure,), by="group"))
    assert groups == {
        group: pytest.approx(expected(FRAME[FRAME.group == group])) for group in range(4)
    }


def test_outliers_are_relative_to_their_group(tmp_path: Path) -> None:
    """A value that is an outlier within its group counts, whatever the whole column holds."""
    rows = [f"a,{n}" for n in (1, 2, 3, 2, 1, 50)] + [f"b,{n}" for n in (50, 51, 52, 51)]
    table = Opened(tmp_path, "\n".join(["g,x", *rows]))
    assert table.rows(measures=(Measure("outliers", "x"),), by="g", order="g") == [
        ["a", 1],
        ["b", 0],
    ]


@pytest.mark.parametrize(
    ("condition", "regions"),
    [
        (("region", "=", " NORTH "), ["north", "North"]),
        (("region", "!=", "north"), ["south", "east", "south"]),
        (("region", "contains", "ORT"), ["north", "North"]),
        (("region", "in", ("north", "east")), ["north", "North", "east"]),
        (("region", "is missing"), [None]),
        (("region", "is present"), ["north", "south", "North", "east", "south"]),
        (("region", "<", "north"), ["east"]),
        (("price", "=", 4), ["North"]),
        (("price", "=", "4.0"), ["North"]),
        (("price", "!=", 4), ["north", "south", "south", None]),
        (("price", "<", 2.5), ["north"]),
        (("price", "<=", 2.5), ["north", "south"]),
        (("price", ">", "4"), ["south", None]),
        (("price", ">=", 20), ["south", None]),
        (("price", "between", (2.5, 20)), ["south", "North", "south"]),
        (("price", "in", (4, "20")), ["North", "south"]),
        (("price", "is missing"), ["east"]),
        (("price", "is an outlier"), [None]),
        (("price", "is smallest or largest"), ["north", None]),
        (("price", "is no outlier"), ["north", "south", "North", "south"]),
        (("price", "is an outlier", 1.5), [None]),
        (("day", "=", "2024-02-11"), ["North"]),
        (("day", "=", "February 11, 2024"), ["North"]),
        (("day", "=", "2024"), ["north", "south", "North"]),
        (("day", "=", 2025), ["east", "south"]),
        (("day", ">=", "2024-02-11"), ["North", "east", "south"]),
        (("day", "between", ("2024-02-01", "2025-03-01")), ["south", "North", "east"]),
        (("day", "=", 3, "month"), ["east", "south"]),
        (("day", "=", "March", "month"), ["east", "south"]),
        (("day", "=", "Sunday", "weekday"), ["North"]),
        (("day", ">", 1, "quarter"), []),
        (("day", ">", 10, "day"), ["North", "south"]),
        (("score", "=", "3 (2)"), ["North"]),
        (("score", "=", 3), ["North"]),
        (("score", "=", "10"), ["east"]),
        (("score", ">", 2), ["North", "east", None]),
        (("score", "contains", "n"), ["south"]),
        (("product", ">", 5), []),
    ],
)
def test_a_comparison_finds_these_rows(
    sales: Opened, condition: tuple[Any, ...], regions: list[str | None]
) -> None:
    """Texts match regardless of case and outer blanks, numbers and dates by their value."""
    assert [row[0] for row in sales.rows(condition, columns=("region",))] == regions


def test_every_comparison_is_tested() -> None:
    """The cases above cover all comparisons."""
    marks = test_a_comparison_finds_these_rows.pytestmark
    assert {case[0][1] for case in marks[0].args[1]} == set(COMPARISONS)


def test_a_mixed_cell_matches_its_text_before_its_number(tmp_path: Path) -> None:
    """If a cell equals the filter text, cells that only start with it do not match."""
    table = Opened(tmp_path, "score\n3 (2)\n3\n13\n3rd\n")
    assert table.kinds == {"score": "mixed"}
    assert table.rows(("score", "=", "3")) == [["3"]]
    assert table.rows(("score", "=", "13th")) == [["13"]]
    assert table.rows(("score", "=", "1")) == []


def test_filters_must_all_be_met(sales: Opened) -> None:
    """A row must pass both of two filters."""
    both = (("region", "=", "south"), ("price", ">", 10))
    assert sales.rows(*both, columns=("product",)) == [["box"]]


def test_neighbours_of_rows(sales: Opened) -> None:
    """Rows are shifted in the file's order; there is no row beyond its ends."""
    names = {"columns": ("product",)}
    assert sales.rows(("product", "=", "box"), shift=-1, **names) == [["cup"]]
    assert sales.rows(("product", "=", "pen"), shift=1, **names) == [["cup"], ["cup"]]
    assert sales.rows(("product", "=", "pen"), shift=-1, **names) == [["cup"], ["box"]]


def test_order_limit_and_distinct(sales: Opened) -> None:
    """Rows without a value to sort by are left out; ties keep the table's order."""
    assert sales.rows(order="price", columns=("price",)) == [[1.5], [2.5], [4], [20], [100]]
    assert sales.rows(order="price", descending=True, limit=2, columns=("price",)) == [[100], [20]]
    assert sales.rows(descending=True, limit=1, columns=("product",)) == [["pen"]]
    by_score = sales.rows(order="score", columns=("score",))
    assert by_score == [["1st"], ["2nd"], ["3 (2)"], ["10th"], ["13"]]
    once = sales.rows(columns=("product",), distinct=True)
    assert once == [["pen"], ["cup"], ["box"]]
    assert sales.rows(order="day", columns=("day",))[0] == ["2024-01-05"]
    by_product = sales.rows(order="product", columns=("product", "qty"))
    assert by_product == [["box", 2], ["cup", 4], ["cup", 7], ["pen", 10], ["pen", 1], ["pen", 3]]


def test_distinct_rows_are_limited_after_they_are_sorted(sales: Opened) -> None:
    """Duplicates are dropped before the limit, so that it counts the rows shown."""
    shown = sales.rows(columns=("product",), distinct=True, order="price", limit=2)
    assert shown == [["pen"], ["cup"]]


def test_groups(sales: Opened) -> None:
    """Groups are sorted by the first measure unless an order is given.

    Groups without measures keep the file's order; rows without a key form no group.
    """
    total = (Measure("sum", "qty"),)
    assert sales.rows(by="product", measures=total) == [["box", 2], ["cup", 11], ["pen", 14]]
    top = sales.rows(by="product", measures=total, descending=True, limit=1)
    assert top == [["pen", 14]]
    assert sales.rows(by="product", measures=total, order="product", descending=True)[0][0] == "pen"
    alone = sales.rows(by="product", measures=total, columns=("product",), limit=1)
    assert alone == [["box"]]
    assert len(sales.rows(by="region", measures=(Measure("count"),))) == 4
    assert sales.rows(by="product") == [["pen"], ["cup"], ["box"]]


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("year", [[2024, 3], [2025, 2]]),
        ("quarter", [[1, 5]]),
        ("month", [[1, 1], [2, 2], [3, 2]]),
        ("weekday", [[1, 1], [5, 1], [6, 2], [7, 1]]),
        ("day", [[1, 1], [5, 1], [10, 1], [11, 1], [31, 1]]),
        ("hour", [[0, 5]]),
    ],
)
def test_parts_of_dates(sales: Opened, part: Any, expected: list[list[int]]) -> None:
    """The parts of a date are numbers; a week starts on Monday, which is 1."""
    assert sales.rows(by="day", part=part, measures=(Measure("count"),), order="day") == expected


def test_dates_have_a_minimum_and_a_range(sales: Opened) -> None:
    """The range of dates is in days."""
    assert sales.value("minimum", "day") == "2024-01-05"
    assert sales.value("range", "day") == 451
    assert sales.value("most common", "day") == "2024-01-05"


def test_dates_are_shown_as_the_file_writes_them(tmp_path: Path) -> None:
    """The cells are as in the file, the values are in ISO form."""
    table = Opened(tmp_path, 'what,when\na,"May 18, 2013"\nb,"June 3, 2005"\n')
    answer = table.ask(order="when", limit=1)
    assert (answer["rows"], answer["cells"]) == ([["b", "2005-06-03"]], [["b", "June 3, 2005"]])
    answer = table.ask(measures=(Measure("maximum", "when"),))
    assert answer["cells"] == [["May 18, 2013"]]


def test_two_rows_are_combined_into_one_number(sales: Opened) -> None:
    """Two groups or rows give a difference or a ratio; any other count is a problem."""
    total = {"by": "product", "measures": (Measure("sum", "qty"),)}
    two = ("product", "in", ("pen", "cup"))
    assert sales.rows(two, **total, combine="difference") == [[3]]
    assert sales.rows(two, **total, descending=True, combine="ratio") == [[pytest.approx(14 / 11)]]
    assert "there are 3" in sales.ask(**total, combine="ratio")["problem"]
    days = sales.rows(columns=("day",), limit=2, combine="difference")
    assert days == [[36]]
    answer = sales.ask(("product", "in", ("box", "pen")), columns=("region",), combine="ratio")
    assert "needs two rows" in answer["problem"]
    assert sales.value("sum", "price", "", ("product", "=", "none")) is None


def test_a_ratio_to_zero_is_reported(tmp_path: Path) -> None:
    """A division by zero is reported as a problem or gives no value."""
    table = Opened(tmp_path, "x\n3\n0\n")
    assert "it is 0" in table.ask(columns=("x",), combine="ratio")["problem"]
    assert table.value("share percent", "x", "", ("x", "=", 0)) == 0
    empty = Opened(tmp_path, "x\n0\n0\n")
    assert empty.value("share percent", "x") is None


def test_counts_of_rows(sales: Opened) -> None:
    """The answer counts all rows, the rows that pass the filters, and the rows shown."""
    answer = sales.ask(("region", "=", "south"), limit=1)
    assert (answer["total_rows"], answer["matched_rows"], len(answer["rows"])) == (6, 2, 1)
    assert sales.value("count") == 6
    assert sales.value("share percent", "", "", ("region", "=", "south")) == pytest.approx(100 / 3)


def test_a_correlation_is_tested(tmp_path: Path) -> None:
    """As scipy does, of the rows that have both values; of fewer than three there is no test."""
    rows = [(1, 2.0), (2, 1.5), (3, 4.0), (4, 3.5), (5, None), (6, 7.0)]
    text = "".join(f"{a},{'' if b is None else b}\n" for a, b in rows)
    table = Opened(tmp_path, f"a,b\n{text}")
    both = [(a, b) for a, b in rows if b is not None]

    wanted = stats.pearsonr(*zip(*both, strict=True)).pvalue
    assert table.value("correlation p-value", "a", "b") == pytest.approx(wanted)
    assert table.value("correlation p-value", "a", "b", ("a", "<=", 2)) is None


def test_one_of_several_measures_is_kept(tmp_path: Path) -> None:
    """The first of equal ones; what has no value is none, and of nothing none is kept."""
    table = Opened(tmp_path, "a,b,c\n1,5,\n3,-9,\n2,1,\n")
    ends = tuple(Measure("mean", name) for name in ("a", "b"))

    assert table.rows(measures=ends, combine="largest") == [["a", 2]]
    assert table.rows(measures=ends, combine="smallest") == [["b", -1]]
    assert (
        "none of the measures"
        in table.ask(("a", ">", 5), measures=ends, combine="strongest")["problem"]
    )
    assert "without groups" in table.ask(measures=ends, by="a", combine="largest")["problem"]


def test_a_large_file_is_grouped_as_a_small_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its rows are not numbered, and groups are those of the texts as they are read, merged."""
    content = "team,points\n" + "".join(
        f"{team},{points}\n"
        for points in (3, 1, 2)
        for team in ("red", " red", "n/a", "", "blue", "blue ", "green", "NA", "yellow submarine")
    )
    (tmp_path / "small").mkdir()
    small = Opened(tmp_path / "small", content)
    monkeypatch.setattr(raw_tables, "_KEPT_BYTES", 0)
    large = Opened(tmp_path, content)
    assert (small.head["total_rows"], large.head["total_rows"]) == (27, None)
    for function in [name for name in get_args(Function) if name not in OF_PAIRS]:
        measures = (Measure(function, "" if function in OF_ROWS else "points"),)
        for descending in (False, True):
            parts = {"by": "team", "measures": measures, "descending": descending}
            one, other = (opened.ask(**parts) for opened in (small, large))
            assert sorted(map(str, one["rows"])) == sorted(map(str, other["rows"])), function
            places = [[row[-1] for row in each["rows"]] for each in (one, other)]
            assert places[0] == places[1], function


@pytest.mark.parametrize(
    ("by", "order"),
    [("team", "team"), ("year", ""), ("year", "year"), ("cost", "cost"), ("day", "")],
)
@pytest.mark.parametrize("filters", [(), (("team", "!=", "red"),), (("year", ">", 2023),)])
def test_groups_of_a_large_file_by_keys_of_all_kinds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str, order: str, filters: tuple[Any, ...]
) -> None:
    """One value is written in several ways; keys are also sorted by and compared."""
    content = "team,year,cost,day,points\n" + "".join(
        f"{team},{year},{cost},{day},{points}\n"
        for points, (team, year, cost, day) in enumerate(
            product(("red", " red", "blue", "n/a"), ("2023", "2024", " 2024"), ("$5", "5 $", ""),
                    ("2025-01-02", " 2025-01-02", "2025-03-01"))
        )
    )  # fmt: skip
    (tmp_path / "small").mkdir()
    small = Opened(tmp_path / "small", content)
    monkeypatch.setattr(raw_tables, "_KEPT_BYTES", 0)
    large = Opened(tmp_path, content)
    functions: tuple[Function, ...] = ("count", "sum", "mean", "minimum", "maximum")
    measures = (*(Measure(each, "points") for each in functions), Measure("count"))
    parts = {"by": by, "order": order, "measures": measures}
    one, other = (opened.ask(*filters, **parts) for opened in (small, large))
    assert one["rows"]
    assert sorted(map(str, one["rows"])) == sorted(map(str, other["rows"]))
    assert [row[1] for row in one["rows"]] == [row[1] for row in other["rows"]]
