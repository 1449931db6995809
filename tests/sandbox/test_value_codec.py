"""Values passed into and out of the sandbox: the same value, or a clear refusal."""

from __future__ import annotations

import datetime as dt
import json
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter.errors import UsageError
from okso_jupyter.sandbox import value_codec
from okso_jupyter.sandbox.value_codec import MAX_VALUE_BYTES
from okso_jupyter.toolkit.notebook_variables import pack
from tests.each_row import each_row

TABLE = pd.DataFrame(
    {
        "whole": [1, 2, 2**62],
        "float": [0.1, float("nan"), float("-inf")],
        "text": ["a", None, "ü\n"],
        "time": pd.to_datetime(["2024-01-01", "NaT", "2024-03-01"]),
        "zoned": pd.to_datetime(["2024-01-01"] * 3).tz_localize("Europe/Berlin"),
        "span": pd.to_timedelta([1, None, 3], unit="s"),
        "kind": pd.Categorical(["x", "y", None], ordered=True),
        "flag": [True, False, True],
        "maybe": pd.array([1, None, 3], dtype="Int64"),
        "perhaps": pd.array([True, None, False], dtype="boolean"),
        "part": pd.array([0.5, None, 1.5], dtype="Float64"),
        "mixed": pd.Series([1, "a", None], dtype=object),
    },
    index=pd.Index(["p", "q", "r"], name="key"),
)
TABLES = {
    "all dtypes": TABLE,
    "several levels": TABLE.set_index(["whole", "flag"]),
    "pivoted": TABLE.pivot_table(index="whole", columns="flag", values=["float", "maybe"]),
    "transposed": TABLE[["whole", "flag"]].T,
    "twice the same name": pd.concat([TABLE[["text"]], TABLE[["text"]]], axis=1),
    "empty": pd.DataFrame(),
    "no rows": TABLE.iloc[:0],
    "no columns": pd.DataFrame(index=range(3)),
    "numbered columns": pd.DataFrame(np.eye(2)),
    "dates as index": pd.DataFrame({"a": [1]}, index=pd.to_datetime(["2024-01-01"])),
}


_ZONED = {"as": "zoned", "dtype": "<M8[ns]", "data": ""}


def sent(value: object) -> Any:
    """Return a value after encoding and decoding."""
    return value_codec.decode(json.loads(json.dumps(value_codec.encode(value))))


@each_row("name", TABLES)
def test_tables_keep_every_dtype_and_label(name: str) -> None:
    """A DataFrame is unchanged after transfer: values, dtypes, index and header."""
    pd.testing.assert_frame_equal(sent(TABLES[name]), TABLES[name])


@each_row("column", TABLE.columns)
def test_series_are_unchanged(column: str) -> None:
    """A Series keeps name, index and dtype."""
    pd.testing.assert_series_equal(sent(TABLE[column]), TABLE[column])


@each_row(
    "array",
    [
        np.arange(6).reshape(2, 3),
        np.eye(3)[:, ::2],
        np.array([1, 2], dtype=">i4"),
        np.array(["a", "bcd"]),
        np.array([1 + 2j]),
        np.array(["2024-01-01"], dtype="M8[D]"),
        np.zeros((0, 3)),
        np.array(5.5),
    ],
)
def test_arrays_are_unchanged(array: np.ndarray[Any, Any]) -> None:
    """An array keeps shape, kind and every value."""
    arrived = sent(array)
    assert np.array_equal(arrived, array)
    assert (arrived.shape, arrived.dtype.kind) == (array.shape, array.dtype.kind)
    assert arrived.flags.writeable


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(_JSON)
def test_json_values_are_unchanged(value: object) -> None:
    """Every value that JSON can represent is unchanged after transfer."""
    assert sent(value) == value


@given(st.lists(st.floats() | st.none()), st.lists(st.text(max_size=5), max_size=3, unique=True))
def test_any_numbers_and_names_are_unchanged(values: list[float | None], names: list[str]) -> None:
    """Columns of any floats under any names are equal bit for bit after transfer."""
    frame = pd.DataFrame({name: pd.Series(values, dtype=float) for name in names})
    pd.testing.assert_frame_equal(sent(frame), frame)


@pytest.mark.parametrize(
    "zone", ["UTC", "Asia/Kolkata", "America/Argentina/Ushuaia", dt.timezone(dt.timedelta(hours=2))]
)
def test_times_keep_their_zone(zone: Any) -> None:
    """Zones of the zone database and fixed offsets from UTC are kept."""
    times = pd.Series(pd.to_datetime(["2024-01-01 12:00", "NaT"])).dt.tz_localize(zone)
    pd.testing.assert_series_equal(sent(times), times)


@pytest.fixture(name="opened", scope="module")
def _opened() -> Iterator[list[object]]:
    """The files opened during a test.

    An audit hook cannot be removed, so it is disabled afterwards.
    """
    opened, listens = [], [True]

    def note(event: str, args: tuple[Any, ...]) -> None:
        if listens and event == "open":
            opened.append(args[0])

    sys.addaudithook(note)
    yield opened
    listens.clear()


@pytest.mark.parametrize(
    "zone",
    [
        "dateutil//etc/passwd", "dateutil/Europe/Berlin", "/etc/localtime", "../zone", "posixrules",
        "tzfile('/etc/localtime')", "Europe", ".", "", "pytz.FixedOffset(60)", "UTC+1", "a" * 9999,
    ],
)  # fmt: skip
def test_no_unknown_time_zone_is_looked_up(zone: str, opened: list[object]) -> None:
    """A name that is not in the zone database is refused before a file is opened for it."""
    value_codec.decode(
        value_codec.encode(TABLE["zoned"])
    )  # pandas and the database's names are loaded now
    body = value_codec.encode(TABLE["zoned"]) | {
        "column": {**_ZONED, "zone": f"datetime64[ns, {zone}]"}
    }
    opened.clear()
    with pytest.raises(value_codec.ValueCodecError):
        value_codec.decode(body)
    assert opened == []


def _nested() -> list[Any]:
    endless: list[Any] = []
    endless.append(endless)
    return endless


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({1: 2}, "x cannot be handed to python_repl: it has the key 1, and keys must be text"),
        ([1, {"a": {2}}], "it[1]['a'] is a set"),
        (dt.date(2024, 1, 1), "it is a date"),
        (print, "it is a builtin_function_or_method"),
        (_nested(), "nested more than 100 deep"),
        (pd.DataFrame({"d": [dt.date(2024, 1, 1)]}), "column 'd', row 0 is a date"),
        (pd.DataFrame({"p": pd.period_range("2024", periods=1, freq="M")}), "column 'p' has the"),
        (np.array([object()]), "it has the dtype object"),
        (np.zeros(MAX_VALUE_BYTES), f"MAX_VALUE_BYTES is {MAX_VALUE_BYTES}"),
        ("x" * MAX_VALUE_BYTES, "too big for python_repl"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 99 else "",
)
def test_an_unsupported_part_of_a_value_is_named(value: object, said: str) -> None:
    """The error names the part of the value that cannot be passed."""
    with pytest.raises(UsageError) as caught:
        pack({"x": value})
    assert said in caught.value.message
    assert caught.value.hint


@each_row("name", ["", "a b", "1a", "class", "_x", "__doc__", "print", "x" * 101, 5])
def test_invalid_variable_names_are_refused(name: Any) -> None:
    """Private names, keywords, built-ins and non-identifiers cannot be passed in or out."""
    with pytest.raises(UsageError, match="cannot be handed"):
        pack({name: 1})
    with pytest.raises(UsageError, match="cannot be handed"):
        pack({}, [name])


def test_outputs_are_a_list_of_names() -> None:
    """A text is refused, since it would be read as a list of one-letter names."""
    with pytest.raises(UsageError, match="not a list of names") as caught:
        pack({}, "abc")
    assert "outputs=['abc']" in caught.value.hint


def test_an_input_is_shown_with_type_shape_size_and_columns() -> None:
    """A person sees how much data is passed in, and the hash distinguishes two values."""
    shown, other = (pack({"t": TABLE.head(rows)}).data.inputs[0] for rows in (3, 2))
    assert shown.words.startswith("DataFrame, 3 rows, 12 columns, ")
    text = TABLE["text"].dtype  # which pandas 3 calls str
    assert shown.column_words.startswith(f"whole (int64), float (float64), text ({text})")
    assert shown.sha256 != other.sha256


@each_row(
    "body",
    [
        None, [], {}, {"kind": "pickle"}, {"kind": "array", "dtype": "O", "shape": [1], "data": ""},
        {"kind": "array", "dtype": "<f8", "shape": [10**12], "data": ""},
        {"kind": "array", "dtype": "<U0", "shape": [10**12], "data": ""},
        {"kind": "frame", "columns": {}, "index": {}, "data": []},
        {"kind": "series", "name": None, "index": {"names": [None], "range": [0, 10**9, 1]},
         "column": {"as": "list", "dtype": "os.system", "values": [1]}},
    ],
)  # fmt: skip
def test_forged_bodies_are_refused(body: Any) -> None:
    """A forged body is refused without allocating memory for it."""
    with pytest.raises(value_codec.MALFORMED):
        value_codec.decode(body)
