"""Code of a query: what it gives is the engine's answer, for every form of query."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from okso_jupyter.frames.result_table import result_frame
from okso_jupyter.planning.table_questions.answers import Answers
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.tables.live_table import LiveTable
from okso_jupyter.tables.query import (
    CHOICES,
    FUNCTIONS,
    PARTS,
    Bound,
    BoundComparison,
    Combination,
    ComputedColumn,
    Filter,
    Join,
    Measure,
    Query,
)
from okso_jupyter.tables.query_code import CODE, NoCodeError
from okso_jupyter.tables.read_source import ReadSource
from tests.planning.table_questions.test_answers import TEXT, by_form
from tests.tables.live import SALES, Opened
from tests.tables.test_formats import (
    CITIES,
    FRAME,
    array,
    database,
    lines,
    markdown,
    parquet,
    workbook,
)
from tests.tables.test_months import WRITTEN, rain
from tests.tables.test_thousands import LAND, NOTES, SENSORS

pytestmark = pytest.mark.slow

_PANDAS = ("pandas",)
#: What DuckDB has no function for.
_NOT_IN_SQL = {"normality", "rank correlation", "correlation p-value"}
_TOTAL = (Measure("sum", "qty"),)
_EACH = (Measure("mean", "each"), Measure("sum", "total"))
_ODD = ''' name ;amount;when;amount;note
"a ""b""";1.234,5 km;18.05.2013;1;3 (2)
c;2,5 km;01.06.2005;2;7th

ä;n/a;-;3;nothing
'''


def _given(code: str, folder: Path, **variables: Any) -> pd.DataFrame:
    """Return what a cell with this code gives, run in a folder."""
    *body, last = code.rstrip().split("\n")
    names: dict[str, Any] = dict(variables)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        exec("\n".join(body), names)  # noqa: S102  the code under test
        found = eval(last, names)  # noqa: S307  see above
    assert isinstance(found, pd.DataFrame)
    return found


def _check(
    opened: Opened, folder: Path, query: Query, styles: Collection[str] = CODE, **frame: Any
) -> None:
    """Compare what the code of each style gives with the engine's answer."""
    answer: dict[str, Any] = opened.live.answer(query.to_json())
    if "problem" in answer:
        return
    source = ReadSource.from_json({**answer["read"], "is_frame": bool(frame)})
    wanted = result_frame(answer)
    for style in styles:
        code = CODE[style](query, source)
        found = _given(code, folder, **frame)
        assert list(found.columns) == list(wanted.columns)
        assert _cells(found) == _cells(wanted), code


def _cells(table: pd.DataFrame) -> list[list[str]]:
    return [[_plain(cell) for cell in row] for row in table.itertuples(index=False)]


def _plain(value: Any) -> str:
    """Return a value in a common notation."""
    if value is None or value is pd.NaT or pd.isna(value):
        return ""
    if isinstance(value, pd.Timestamp):
        return value.isoformat(" ")
    try:
        return f"{float(value):.6g}"
    except ValueError:
        return str(value)


_CASES = (
    {"by": "region", "measures": (Measure("count"), Measure("count distinct", "who"))},
    {"by": "region", "measures": (Measure("sum", "qty"),), "descending": True, "limit": 1},
    {"by": "region", "measures": (Measure("most common", "who"),), "order": "region"},
    {"measures": (Measure("count distinct", "region"), Measure("least common", "who"))},
    {"columns": ("region",), "distinct": True},
    {"by": "region", "columns": ("region",)},
    {"filters": (Filter("region", "!=", "ost"),), "by": "who", "measures": (Measure("count"),)},
)


def test_the_code_of_texts_whatever_their_case(tmp_path: Path) -> None:
    """The commonest spelling of the whole table, then the first, is that of the others."""
    text = (
        "region,who,qty\nnord,ADA,1\nNord,Bo,2\nNord ,bo,3\nOST,Ada,4\nost,,5\n,Bo,6\nWest,cy,7\n"
    )
    opened = Opened(tmp_path, text)
    for parts in _CASES:
        _check(opened, tmp_path, Query("t.csv", ignore_case=True, **parts))
    assert opened.rows(by="region", measures=(Measure("count"),), ignore_case=True) == [
        ["West", 1], ["OST", 2], ["Nord", 3],
    ]  # fmt: skip


@pytest.fixture(name="sales")
def _sales(tmp_path: Path) -> Opened:
    return Opened(tmp_path, SALES)


def test_the_code_of_every_form_of_question(tmp_path: Path) -> None:
    """The forms that the planner makes, over the table of their own test."""
    opened = Opened(tmp_path, TEXT)
    for form, (_, queries) in by_form().items():
        for query in queries[:2]:
            _check(opened, tmp_path, query, _PANDAS if form == "normality" else CODE)


def test_the_code_of_computed_columns(sales: Opened, tmp_path: Path) -> None:
    """Each may use those before it; nothing is divided by zero."""
    computed = (
        ComputedColumn("total", "price", "*", "qty"),
        ComputedColumn("less", "total", "-", 1),
        ComputedColumn("each", "less", "/", "qty"),
    )
    for parts in ({}, {"columns": ("each",)}, {"by": "product", "measures": _EACH}):
        _check(sales, tmp_path, Query("t.csv", computed=computed, **parts))


def test_the_code_of_the_days_between_dates(tmp_path: Path) -> None:
    """In pandas and in SQL alike; a date without the other has none."""
    text = (
        "title,lent,back\nEmma,01.03.2025,2025-03-22 12:00\nDune,28.02.2024,\n"
        "Momo,28.02.2024,2024-03-01 00:00\n"
    )
    opened = Opened(tmp_path, text)
    computed = (ComputedColumn("days", "back", "-", "lent"),)
    for parts in ({"columns": ("days",)}, {"measures": (Measure("mean", "days"),)}):
        _check(opened, tmp_path, Query("t.csv", computed=computed, **parts))


def test_the_code_of_joined_tables(tmp_path: Path) -> None:
    """Files of two formats, a key of another name and case, several rows of one, and none."""
    (tmp_path / "sales.csv").write_text(
        "id;name;qty;club\n1;a;2;X \n2;b;3;y\n3;c;1;\n4;d;5;z\n", "utf-8"
    )
    (tmp_path / "clubs.csv").write_text("Code,name,fee\nx,Foxes,$5\nY,Owls,$7\nY,Bats,$9\n,No,$1\n")
    towns = pd.DataFrame({"club_name": ["foxes", "Owls"], "town": ["Bonn", None]})
    joins = (Join("clubs.csv", "club", "Code"), Join("towns", "club_name"))
    live = LiveTable(
        {
            "tables": [
                {"name": "sales.csv", "path": str(tmp_path / "sales.csv")},
                {"name": "clubs.csv", "path": str(tmp_path / "clubs.csv")},
                {"name": "towns", "frame": towns},
            ],
            "joins": [asdict(join) for join in joins],
            "scratch": str(tmp_path),
            "memory_mb": 512,
            "disk_mb": 512,
            "threads": 1,
            "progress_s": 1.0,
        }
    )
    cost = ComputedColumn("cost", "fee", "*", "qty")
    for parts in (
        {},
        {"computed": (cost,), "by": "club_name", "measures": (Measure("sum", "cost"),)},
        {"filters": (Filter("fee", "is missing"),), "columns": ("name", "club_name")},
        {"filters": (Filter("town", "=", "bonn"),), "measures": (Measure("sum", "fee"),)},
    ):
        query = Query("sales.csv", joins=joins, **parts)
        answer: dict[str, Any] = live.answer(query.to_json())
        source = ReadSource.from_json(answer["read"])
        found = _given(CODE["pandas"](query, source), tmp_path, towns=towns)
        wanted = result_frame(answer)
        assert list(found.columns) == list(wanted.columns)
        assert _cells(found) == _cells(wanted), CODE["pandas"](query, source)
        with pytest.raises(NoCodeError, match="over joined tables is written in pandas only"):
            CODE["sql"](query, source)


def test_the_code_of_every_function(sales: Opened, tmp_path: Path) -> None:
    """Of all rows, of some, and of groups; also of dates and of numbers among texts."""
    for function in FUNCTIONS:
        styles = _PANDAS if function in _NOT_IN_SQL else CODE
        for column in ("price", "day", "score"):
            other = "qty" if "correlation" in function else ""
            measures = (Measure(function, column, other),)  # type: ignore[arg-type]  # a function
            for parts in (
                {},
                {"by": "product", "descending": True},
                {"by": "product", "order": "product", "limit": 2},
            ):
                query = Query("t.csv", measures=measures, **parts)  # type: ignore[arg-type]  # its fields
                _check(sales, tmp_path, query, styles)


@pytest.mark.parametrize(
    "parts",
    [
        {"filters": (Filter("score", "=", "10"),)},
        {"filters": (Filter("score", ">", "2"), Filter("price", "!=", 100))},
        {"filters": (Filter("region", "!=", "north"),)},
        {"filters": (Filter("region", "contains", "O"),)},
        {"filters": (Filter("day", "=", "2025"),)},
        {"filters": (Filter("day", ">", "Feb 1, 2024"),)},
        {"filters": (Filter("day", "=", "Saturday", "weekday"),)},
        {"filters": (Filter("qty", "between", (2, 7)),)},
        {"filters": (Filter("region", "in", ("south", "east")),)},
        {"filters": (Filter("price", "is missing"),)},
        {"filters": (Filter("price", "is an outlier"),)},
        {"filters": (Filter("price", "is no outlier"),)},
        {"filters": (Filter("price", "is an outlier", 1.5),)},
        {"filters": (Filter("qty", "is no outlier", 1), Filter("price", "<", 50))},
        {"filters": (Filter("qty", "is smallest or largest"),)},
        {"filters": (Filter("region", "=", "south"), Filter("day", "is smallest or largest"))},
        {"filters": (Filter("region", "=", "south"),), "shift": -1},
        {"order": "price", "descending": True, "limit": 2, "columns": ("product", "day")},
        {"descending": True, "limit": 2},
        {"columns": ("product",), "distinct": True, "order": "price"},
        {"by": "product"},
        {"by": "region", "measures": _TOTAL, "order": "price"},
        {"by": "score", "measures": _TOTAL},
        {"by": "price", "measures": (Measure("count"), *_TOTAL)},
        {"by": "product", "measures": _TOTAL, "columns": ("product",), "limit": 1},
        {"by": "product", "measures": _TOTAL, "limit": 2, "combine": "ratio"},
        {"columns": ("qty",), "limit": 2, "combine": "difference"},
        {"columns": ("price",), "chart": "histogram"},
        {"by": "product", "measures": _TOTAL, "chart": "pie"},
        *(
            {"by": "day", "part": part, "measures": _TOTAL, "order": "day"}
            for part in PARTS
            if part != "time"
        ),
    ],
)
def test_the_code_of_every_part_of_a_query(
    sales: Opened, tmp_path: Path, parts: dict[str, Any]
) -> None:
    """Filters, rows, order, groups and combinations."""
    _check(sales, tmp_path, Query("t.csv", **parts))


@pytest.mark.parametrize(
    ("comparison", "value", "buses"),
    [
        (">", "9:05", ["B", "C"]),
        (">=", "09:05", ["A", "B", "C"]),
        ("<", "12:00", ["A"]),
        ("between", ("9:00", "18:30"), ["A", "B"]),
        ("=", "18:30", ["B"]),
    ],
)
def test_times_of_day_are_compared_as_times(
    tmp_path: Path, comparison: Any, value: Any, buses: list[str]
) -> None:
    """By the engine, by code, and where the planner looks at the answer; "9:05" is "09:05"."""
    rows = [["A", "09:05"], ["B", "18:30"], ["C", "22:15"]]
    opened = Opened(tmp_path, "\n".join(map(",".join, [["bus", "leaves"], *rows])).encode())
    query = Query("t.csv", filters=(Filter("leaves", comparison, value),), columns=("bus",))
    assert result_frame(opened.live.answer(query.to_json()))["bus"].tolist() == buses
    _check(opened, tmp_path, query)
    own = Answers(TableSample("t.csv", ["bus", "leaves"], rows)).of(query)
    assert [bus for (bus,) in own] == buses


@pytest.mark.parametrize(
    ("comparison", "value", "part", "buses"),
    [
        (">", "9:05", "time", ["B", "C"]),
        ("between", ("9:05", "18:30"), "time", ["A", "B"]),
        ("!=", "18:30", "time", ["A", "C"]),
        ("in", ("09:05", "22:15:00"), "time", ["A", "C"]),
        (">=", "2026-05-03 18:30", "", ["B", "C"]),
        ("between", ("2026-05-03 09:00", "2026-05-03 18:30"), "", ["B"]),
    ],
)
def test_times_of_dates_are_compared_as_times(
    tmp_path: Path, comparison: Any, value: Any, part: Any, buses: list[str]
) -> None:
    """Of any day, or of one."""
    days = ["01.05.2026 09:05", "03.05.2026 18:30", "04.05.2026 22:15", ""]
    rows = [*map(list, zip("ABCD", days, strict=True))]
    opened = Opened(tmp_path, "\n".join(map(";".join, [["bus", "leaves"], *rows])).encode())
    query = Query("t.csv", filters=(Filter("leaves", comparison, value, part),), columns=("bus",))
    assert result_frame(opened.live.answer(query.to_json()))["bus"].tolist() == buses
    _check(opened, tmp_path, query)
    own = Answers(TableSample("t.csv", ["bus", "leaves"], rows)).of(query)
    assert [bus for (bus,) in own] == buses


_ORDERS = """day,client,town,amount
2026-01-03,Ada,Kiel,10
2026-01-09,Bo,Husum,25
2026-02-04,Ada,Kiel,30
2026-02-11,,Kiel,99
2026-02-19,Cy,Husum,
2026-03-02,Ada,Husum,5
2026-03-05,Bo,Kiel,40
2026-03-08,,Kiel,1
"""
_COUNT = (Measure("count"),)
_AMOUNT = (Measure("sum", "amount"), Measure("count"))


@pytest.mark.parametrize(
    ("parts", "groups"),
    [
        ({"measures": _COUNT, "bounds": (Bound(">", 2),)}, ["Ada"]),
        ({"measures": _COUNT, "bounds": (Bound(">=", 2), Bound("<=", 2))}, ["Bo"]),
        ({"measures": _COUNT, "bounds": (Bound("!=", 2),)}, ["Cy", "Ada"]),
        ({"measures": _COUNT, "bounds": (Bound("=", 1),)}, ["Cy"]),
        ({"measures": _COUNT, "bounds": (Bound(">", 9),)}, []),
        ({"measures": _AMOUNT, "bounds": (Bound(">", 40.5),)}, ["Ada", "Bo"]),
        ({"measures": _AMOUNT, "bounds": (Bound("<", 60),)}, ["Ada"]),
        ({"measures": _AMOUNT, "bounds": (Bound("!=", 65),)}, ["Ada"]),
        ({"measures": _AMOUNT, "bounds": (Bound("!=", 0),), "descending": True}, ["Bo", "Ada"]),
        ({"measures": _COUNT, "bounds": (Bound("<", 3),), "limit": 1, "descending": True}, ["Bo"]),
        (
            {
                "filters": (Filter("town", "=", "kiel"),),
                "measures": _COUNT,
                "bounds": (Bound(">=", 1),),
                "order": "client",
            },
            ["Ada", "Bo"],
        ),
        ({"measures": _COUNT, "bounds": (Bound("<", 3),), "columns": ("client",)}, ["Cy", "Bo"]),
        (
            {"by": "day", "part": "month", "measures": _COUNT, "bounds": (Bound(">", 2),)},
            [2, 3],
        ),
        (
            {"measures": (Measure("count distinct", "town"),), "bounds": (Bound(">", 1),)},
            ["Ada", "Bo"],
        ),
    ],
)
def test_groups_within_bounds(tmp_path: Path, parts: dict[str, Any], groups: list[Any]) -> None:
    """By the engine, by code, and where the planner looks at the answer; nothing is no number."""
    opened = Opened(tmp_path, _ORDERS)
    query = Query("t.csv", **{"by": "client", **parts})
    shown = result_frame(opened.live.answer(query.to_json()))
    assert shown.iloc[:, 0].tolist() == groups
    _check(opened, tmp_path, query)
    header, *rows = (line.split(",") for line in _ORDERS.splitlines())
    own = [group for group, *_ in Answers(TableSample("t.csv", header, rows)).of(query)]
    assert own == groups


def test_bounds_of_a_price_with_its_currency(tmp_path: Path) -> None:
    """Groups whose names are cleaned are merged before."""
    text = "who,paid\n Ada,$10\nAda ,$30\nBo,$5\nbo,$7\n,$90\n"
    opened = Opened(tmp_path, text)
    for bounds in ((Bound(">", 10),), (Bound("<=", 7), Bound(">", 5))):
        total = (Measure("sum", "paid"),)
        _check(opened, tmp_path, Query("t.csv", by="who", measures=total, bounds=bounds))


_LARGE = {"of 20 digits": 2**63, "below zero": -(2**63) - 1, "of 401 digits": 10**400}


@pytest.mark.parametrize("number", _LARGE.values(), ids=_LARGE)
def test_numbers_of_any_size_are_compared(sales: Opened, tmp_path: Path, number: int) -> None:
    """By the engine and by code, rows and groups alike."""
    signs: tuple[BoundComparison, ...] = ("<", ">", "=", "!=")
    passing = {sign: len(sales.rows(("qty", sign, number))) for sign in signs}
    assert passing == {"=": 0, "!=": 6, **({"<": 6, ">": 0} if number > 0 else {"<": 0, ">": 6})}
    for sign in signs:
        _check(sales, tmp_path, Query("t.csv", filters=(Filter("qty", sign, number),)))
        bounds = (Bound(sign, number),)
        _check(sales, tmp_path, Query("t.csv", by="region", measures=_TOTAL, bounds=bounds))


@pytest.mark.parametrize("months", WRITTEN.values(), ids=WRITTEN)
def test_the_code_of_months(tmp_path: Path, months: tuple[str, ...]) -> None:
    """They are compared and sorted as dates, and shown as they are written."""
    opened = Opened(tmp_path, rain(months))
    ends = (Measure("minimum", "month"), Measure("maximum", "month"))
    for filters in (
        (),
        (Filter("month", "=", 2024, "year"),),
        (Filter("month", "between", ("2023-12", "2024-01")),),
        (Filter("month", "!=", "2024-01"),),
        (Filter("month", ">", months[2]),),
    ):
        total = (Measure("sum", "rain"),)
        for parts in (
            {},
            {"order": "month", "descending": True, "columns": ("month",), "limit": 1},
            {"by": "month", "measures": total, "order": "month"},
            {"by": "month", "part": "year", "measures": total, "order": "month"},
            {"by": "month", "part": "year", "measures": ends, "order": "month"},
            {"measures": ends},
        ):
            _check(opened, tmp_path, Query("t.csv", filters=filters, **parts))
    last: dict[str, Any] = {"order": "month", "descending": True, "columns": ("month",), "limit": 2}
    _check(opened, tmp_path, Query("t.csv", combine="difference", **last), _PANDAS)


@pytest.mark.parametrize(
    ("name", "content"), [("t.csv", LAND), ("t.csv", SENSORS), ("t.md", NOTES)]
)
def test_the_code_of_points_between_thousands(tmp_path: Path, name: str, content: str) -> None:
    """The table says that they are, and the code does as the engine."""
    opened = Opened(tmp_path, content, name)
    [*_, amount] = opened.kinds
    total = (Measure("sum", amount),)
    _check(opened, tmp_path, Query(name, measures=total))
    _check(opened, tmp_path, Query(name, order=amount))
    _check(opened, tmp_path, Query(name, filters=(Filter(amount, ">", 1300),)))


def test_the_code_reads_odd_files_as_the_engine_does(tmp_path: Path) -> None:
    """Decimal commas, units, dates, blanks and doubles in the header, Latin-1, no plain number."""
    opened = Opened(tmp_path, _ODD.encode("latin-1"))
    for parts in (
        {"measures": (Measure("sum", "amount"), Measure("maximum", "when"))},
        {"columns": ("name", "amount", "when", "amount (2)")},
        {"by": "amount", "measures": (Measure("count"),)},
        {"filters": (Filter("when", ">", "2006"),)},
        {"filters": (Filter("amount", "=", "2,5"),)},
        {"order": "note", "descending": True},
    ):
        _check(opened, tmp_path, Query("t.csv", **parts))


def test_the_code_takes_a_variable_by_its_name(tmp_path: Path) -> None:
    """Of a notebook's DataFrame, with types of its own."""
    frame = pd.DataFrame(
        {
            "a": [1, 2, 2],
            "b": ["x", None, " Z "],
            "d": pd.to_datetime(["2024-01-05", "2024-02-01", ""]),
        }
    )
    opened = Opened(tmp_path, "", "df", frame)
    for parts in (
        {"by": "a", "measures": (Measure("count"),)},
        {"filters": (Filter("b", "=", "z"),)},
        {"measures": (Measure("maximum", "d"), Measure("mean", "a"))},
    ):
        _check(opened, tmp_path, Query("df", **parts), df=frame)


_FORMATS: list[tuple[str, Callable[[pd.DataFrame], bytes] | None]] = [
    ("t.parquet", parquet),
    ("t.xlsx", workbook),
    ("t.jsonl", lines),
    ("t.json", array),
    ("t.md", markdown),
    ("t.db/rows", database),
    ("frame", None),
]
_OF_FORMATS: tuple[dict[str, Any], ...] = (
    {},
    {"measures": (Measure("mean", "size"), Measure("missing", "size"))},
    {"measures": (Measure("count"),)},
    {"measures": (Measure("most common", "ok"), Measure("range", "day"))},
    {"filters": (Filter("ok", "=", "true"),), "columns": ("name", "ok")},
    {"filters": (Filter("day", ">", "2024-01-31"),), "columns": ("day",)},
    {"filters": (Filter("name", "=", "ann"),), "shift": 1},
    {"by": "day", "part": "year", "measures": (Measure("count"),)},
    {"by": "ok", "measures": (Measure("sum", "count"),)},
    {"order": "day", "descending": True, "limit": 2},
)


@pytest.mark.parametrize(("name", "write"), _FORMATS)
def test_the_code_reads_every_format(
    tmp_path: Path, name: str, write: Callable[[pd.DataFrame], bytes] | None
) -> None:
    """Files with types of their own, and a variable whose index starts elsewhere."""
    own: dict[str, Any] = {} if write else {name: FRAME.set_axis([5, 9, 7])}
    opened = Opened(tmp_path, write(FRAME) if write else b"", name, own.get(name))
    for parts in _OF_FORMATS:
        _check(opened, tmp_path, Query(name, **parts), **own)


@pytest.mark.parametrize(
    "content",
    [
        *(CITIES.encode(name) for name in ("utf-8-sig", "utf-16", "utf-16-be", "latin-1")),
        CITIES.replace("Bern", "„Bern“").encode("cp1252"),
        CITIES.replace("Bern", "„Bern“").encode("cp1252").replace(b"rn", b"r\x81"),
        b'city;people\r"a;b";1\r',
        b'city,people\n1,"x\ny"\n\n2\n3,z,more\n',
        b"city,people\n1,2,\n3,4,\n",
        b"city,people\n" + b"1,2\n" * 300 + b"3,4,5\n",
        b"people,,people,PEOPLE, b  c \n1,2,3,4,5\n",
        b"city,people\n",
    ],
)
def test_the_code_reads_every_layout(tmp_path: Path, content: bytes) -> None:
    """Encodings, line ends, short and long rows, names that differ in case, no row at all."""
    opened = Opened(tmp_path, content)
    for parts in ({}, {"measures": (Measure("count"),)}, {"columns": ("people",)}):
        _check(opened, tmp_path, Query("t.csv", **parts))


def test_the_code_lists_the_tables_of_a_database(tmp_path: Path) -> None:
    """As the engine does where no table is named."""
    opened = Opened(tmp_path, database(FRAME), "t.db")
    for parts in (
        {},
        {"measures": (Measure("count"),)},
        {"filters": (Filter("kind", "=", "view"),)},
    ):
        _check(opened, tmp_path, Query("t.db", **parts))


def test_a_cell_without_a_number_is_shown_as_it_is_written(tmp_path: Path) -> None:
    """Among numbers, also where it comes after the rows that tell the kind."""
    rows = "".join(f"{n}\n" for n in range(6000))
    opened = Opened(tmp_path, f"x\n{rows}$7\nDNF\n")
    for parts in (
        {"measures": (Measure("count", "x"), Measure("sum", "x"))},
        {"filters": (Filter("x", "=", "dnf"),)},
    ):
        _check(opened, tmp_path, Query("t.csv", **parts), _PANDAS)


def test_names_that_look_like_code_stay_names(tmp_path: Path) -> None:
    """Quotes, line ends and braces of a header are texts of the code, in both styles."""
    name = 'x\']; raise SystemExit #{0} """ \\'
    opened = Opened(tmp_path, 'k,"' + name.replace('"', '""') + '"\nu,1\nv,2\n')
    _check(opened, tmp_path, Query("t.csv", measures=(Measure("sum", name),)))


def test_what_has_no_code_is_said() -> None:
    """One sentence that names the other style."""
    source = ReadSource(name="t.csv", columns=(), all_names=())
    with pytest.raises(NoCodeError, match="no function for normality; without --sql"):
        CODE["sql"](Query("t.csv", measures=(Measure("normality", "x"),)), source)


@pytest.mark.parametrize("combine", sorted(CHOICES))
@pytest.mark.parametrize(
    "measures",
    [
        (Measure("mean", "price"), Measure("mean", "qty")),
        (Measure("correlation", "price", "qty"), Measure("correlation", "price", "price")),
        (Measure("missing", "region"), Measure("missing", "day"), Measure("missing", "price")),
    ],
)
def test_the_code_of_one_of_several_measures(
    sales: Opened, tmp_path: Path, combine: Combination, measures: tuple[Measure, ...]
) -> None:
    """The pandas code keeps what the engine keeps; for SQL it is said that it cannot."""
    query = Query("t.csv", measures=measures, combine=combine)
    _check(sales, tmp_path, query, _PANDAS)
    source = ReadSource.from_json(sales.live.answer(query.to_json())["read"])  # type: ignore[arg-type]  # JSON data
    with pytest.raises(NoCodeError, match=combine):
        CODE["sql"](query, source)
