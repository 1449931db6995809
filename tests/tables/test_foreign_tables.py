"""Tables of other libraries: `--in`, `{{x}}` and a name in the request take them as frames."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Final

import pandas as pd
import pyarrow as pa
import pytest

from okso_jupyter import Settings
from okso_jupyter.errors import UsageError
from okso_jupyter.redaction.redactor import Redactor
from okso_jupyter.sandbox import value_codec
from okso_jupyter.session.named_frames import named_frames
from okso_jupyter.session.templating import fill_template
from okso_jupyter.tables.foreign_tables import as_pandas
from okso_jupyter.toolkit.notebook_variables import pack

_COLUMNS: Final[dict[str, list[Any]]] = {
    "city": ["Bern", "Zürich", None],
    "people": [130, 400, 7],
    "share": [0.25, None, 0.5],
    "since": [dt.date(1191, 1, 1), dt.date(2026, 2, 28), None],
}
_SQL = """
SELECT city, people, share, since FROM (VALUES
    ('Bern', 130, 0.25, DATE '1191-01-01'), ('Zürich', 400, NULL, DATE '2026-02-28'),
    (NULL, 7, 0.5, NULL)) AS cities(city, people, share, since)
"""


class _OnlyToPandas:
    def to_pandas(self) -> pd.DataFrame:
        return pa.table(_COLUMNS).to_pandas(date_as_object=False)  # type: ignore[no-any-return]


class _OnlyInterchange:
    def __dataframe__(self, **options: Any) -> Any:
        days = pa.array(_COLUMNS["since"]).cast(pa.timestamp("s"))  # the protocol has no dates
        table = pa.table(_COLUMNS).set_column(3, "since", days)
        return table.__dataframe__(**options)


class _Broken:
    def to_pandas(self) -> pd.DataFrame:
        msg = "the connection is closed"
        raise OSError(msg)


def _polars() -> Any:
    return pytest.importorskip("polars").DataFrame(_COLUMNS)


def _duckdb() -> Any:
    return pytest.importorskip("duckdb").sql(_SQL)


_TABLES: Final[list[Callable[[], Any]]] = [
    _polars,
    _duckdb,
    _OnlyToPandas,
    _OnlyInterchange,
    lambda: pa.table(_COLUMNS),
    lambda: pa.RecordBatch.from_pydict(_COLUMNS),
]
_NAMES = ["polars", "duckdb", "to_pandas", "__dataframe__", "pyarrow", "pyarrow batch"]


@pytest.mark.parametrize("make", _TABLES, ids=_NAMES)
def test_a_table_of_another_library_is_handed_in(make: Callable[[], Any]) -> None:
    """Its numbers, texts and dates arrive as columns of a frame."""
    frame = as_pandas("cities", make())
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == list(_COLUMNS)
    assert [str(dtype)[:8] for dtype in frame.dtypes[["share", "since"]]] == ["float64", "datetime"]
    rows = frame.astype(object).where(frame.notna(), None).to_dict("list")
    days = [day and day.date() for day in rows.pop("since")]
    assert {**rows, "since": days} == _COLUMNS
    (shown,) = pack({"cities": make()}).data.inputs
    assert (shown.kind, shown.shape) == ("DataFrame", "3 rows, 4 columns")


@pytest.mark.parametrize("make", _TABLES, ids=_NAMES)
def test_a_table_of_another_library_can_be_inserted_and_named(make: Callable[[], Any]) -> None:
    """`{{cities}}` shows its columns and first rows, and "in cities" names it."""
    variables = {"cities": make()}
    filled = fill_template(
        "Look at {{cities}}", variables, settings=Settings(), redactor=Redactor(())
    )
    (inserted,) = filled.inserted
    assert inserted.about == "DataFrame, 3 rows, 4 columns"
    assert "Zürich" in inserted.text
    assert isinstance(named_frames("mean share in cities", variables)["cities"], pd.DataFrame)


@pytest.mark.parametrize(
    "make",
    [
        lambda: pytest.importorskip("polars").Series([1, 2]),
        lambda: pa.chunked_array([[1], [2]]),
        lambda: pa.array([1, 2]),
    ],
    ids=["polars", "pyarrow", "pyarrow array"],
)
def test_a_column_of_another_library_is_handed_in(make: Callable[[], Any]) -> None:
    """A single column is a Series."""
    column = as_pandas("numbers", make())
    assert isinstance(column, pd.Series)
    assert column.tolist() == [1, 2]


def test_an_index_of_pandas_goes_through_arrow() -> None:
    """The index of a frame that was made an Arrow table is no column of it."""
    frame = pd.DataFrame({"people": [130, 400]}, index=["Bern", "Zürich"])
    back = as_pandas("cities", pa.Table.from_pandas(frame))
    assert isinstance(back, pd.DataFrame)
    assert (list(back.columns), list(back.index)) == (["people"], ["Bern", "Zürich"])


def test_other_values_are_left_as_they_are() -> None:
    """Frames of pandas, plain values and classes are no tables of another library."""
    frame = pd.DataFrame(_COLUMNS)
    for value in (frame, frame["people"], frame.columns, "text", [1], None, _OnlyToPandas):
        assert as_pandas("it", value) is value


def test_a_stream_that_can_be_read_once_is_not_read() -> None:
    """The notebook's reader still has its rows, and the request is told that it is no table."""
    reader = pa.table(_COLUMNS).to_reader()
    with pytest.raises(UsageError, match="RecordBatchReader"):
        pack({"reader": reader})
    assert named_frames("mean share in reader", {"reader": reader}) == {}
    assert reader.read_all().num_rows == 3


def test_a_table_that_cannot_be_read_says_why() -> None:
    """The reason of the library is in the sentence; a request that only names it goes on."""
    said = "df, a _Broken, cannot be read as a table: OSError: the connection is closed"
    with pytest.raises(UsageError, match=said):
        pack({"df": _Broken()})
    with pytest.raises(UsageError, match=said):
        fill_template("{{df}}", {"df": _Broken()}, settings=Settings(), redactor=Redactor(()))
    assert named_frames("mean price in df", {"df": _Broken()}) == {}


def test_a_table_that_is_not_asked_for_is_not_read() -> None:
    """A word of the request that is also a variable does not make its library work."""

    class Counted(_OnlyToPandas):
        reads = 0

        def to_pandas(self) -> pd.DataFrame:
            Counted.reads += 1
            return super().to_pandas()

    assert named_frames("What were our sales?", {"sales": Counted()}) == {}
    assert Counted.reads == 0


_EXACT: Final[dict[str, list[Any]]] = {
    "id": [2**60 + 1, None],
    "big": [2**63 + 1, None],
    "small": [2**53 + 1, 2],
    "money": [Decimal("12345678901234567.89"), None],
    "price": [Decimal("1.10"), None],
    "huge": [Decimal(2**70 + 1), None],
    "count": [Decimal(2**60 + 1), None],
}


def _exact_arrow() -> Any:
    types = {
        "id": pa.int64(), "big": pa.uint64(), "small": pa.int64(), "money": pa.decimal128(19, 2),
        "price": pa.decimal128(19, 2), "huge": pa.decimal128(38, 0), "count": pa.decimal128(38, 0),
    }  # fmt: skip
    return pa.table({name: pa.array(own, types[name]) for name, own in _EXACT.items()})


def _exact_duckdb() -> Any:
    return pytest.importorskip("duckdb").sql(
        f"SELECT {2**60 + 1}::BIGINT id, {2**63 + 1}::UBIGINT big, {2**53 + 1}::BIGINT small, "
        "12345678901234567.89::DECIMAL(19, 2) money, 1.10::DECIMAL(19, 2) price, "
        f"{2**70 + 1}::HUGEINT huge, {2**60 + 1}::HUGEINT count "
        "UNION ALL SELECT NULL, NULL, 2, NULL, NULL, NULL, NULL"
    )


@pytest.mark.parametrize(
    "make",
    [
        _exact_arrow,
        _exact_duckdb,
        lambda: pytest.importorskip("polars").from_arrow(_exact_arrow()),
    ],
    ids=["pyarrow", "duckdb", "polars"],
)
def test_numbers_keep_their_digits(make: Callable[[], Any]) -> None:
    """Missing whole numbers make no floats of the others, and long decimals stay decimals."""
    frame = as_pandas("exact", make())
    assert isinstance(frame, pd.DataFrame)
    kinds = ["Int64", "UInt64", "int64", "object", "float64", "object", "Int64"]
    assert [str(dtype) for dtype in frame.dtypes] == kinds
    found = frame.astype(object).where(frame.notna(), None)
    first = [float(own[0]) if name == "price" else own[0] for name, own in _EXACT.items()]
    assert found.iloc[0].tolist() == first
    packed = pack({"exact": frame}).bodies["exact"]
    back = value_codec.decode(packed)
    assert isinstance(back, pd.DataFrame)
    assert back.astype(object).iloc[0].tolist() == first
    assert back["money"].isna().tolist() == [False, True]


@pytest.mark.parametrize(
    "make",
    [
        lambda: pytest.importorskip("polars").Series("a", [2**60 + 1, None]),
        lambda: pa.chunked_array([[2**60 + 1, None]]),
        lambda: pa.array([2**60 + 1, None]),
    ],
    ids=["polars", "pyarrow", "pyarrow array"],
)
def test_a_column_keeps_its_digits(make: Callable[[], Any]) -> None:
    """As a column of a table does."""
    column = as_pandas("numbers", make())
    assert isinstance(column, pd.Series)
    assert (str(column.dtype), int(column[0])) == ("Int64", 2**60 + 1)


def test_a_forged_decimal_is_refused() -> None:
    """Only plain digits are read: an exponent would make a number that fills the memory."""
    column = {"as": "decimal", "values": ["1e999999999"]}
    index = {"names": [None], "range": [0, 1, 1]}
    with pytest.raises(value_codec.ValueCodecError):
        value_codec.decode({"kind": "series", "name": "a", "index": index, "column": column})
