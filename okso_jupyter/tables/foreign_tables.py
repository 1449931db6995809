"""Tables and columns of other libraries, such as polars, PyArrow and DuckDB, as those of pandas."""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Mapping
from decimal import Decimal
from functools import partial
from typing import Any, Final

from okso_jupyter.errors import UsageError, error_text


def as_pandas(name: str, value: object) -> object:
    """Return a table or column of another library as a pandas one; any other value as it is.

    A stream that can be read only once is left as it is.

    Args:
        name: The variable that holds it.
        value: The value.

    Raises:
        UsageError: Its library cannot hand it over.
    """
    kind = type(value)
    way = next((own for protocol, own in _WAYS.items() if hasattr(kind, protocol)), None)
    if way is None or _is_of_pandas(value) or hasattr(kind, "__next__"):
        return value
    try:
        return way(value)
    except Exception as error:  # another library may raise anything at all
        msg = f"{name}, a {kind.__name__}, cannot be read as a table: {error_text(error)}"
        raise UsageError(msg, hint="make a pandas frame of it, and name that one") from error


def _is_of_pandas(value: object) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, pandas.DataFrame | pandas.Series | pandas.Index)


def _of_stream(value: Any) -> object:  # noqa: ANN401  of any library
    import pyarrow as pa  # noqa: PLC0415  slow, and only tables need it

    try:
        table = pa.table(value)
    except pa.ArrowInvalid:
        if not hasattr(type(value), "to_pandas"):
            raise
        return _of_column(value)
    return _of_arrow(table)


def _of_column(value: Any) -> object:  # noqa: ANN401  see above
    """Return a column, or what else has `to_pandas`, as that gives it, but for its digits."""
    import pyarrow as pa  # noqa: PLC0415  see above

    if isinstance(value, pa.Array):
        column = pa.chunked_array([value])
    elif hasattr(type(value), "__arrow_c_stream__"):
        column = pa.chunked_array(value)
    else:
        return value.to_pandas()
    if not (pa.types.is_integer(column.type) or pa.types.is_decimal(column.type)):
        return value.to_pandas()
    frame: Any = _of_arrow(pa.table({"": column}))
    return frame.iloc[:, 0].rename(getattr(value, "name", None) or None)


def _of_interchange(value: Any) -> object:  # noqa: ANN401  see above
    from pyarrow import interchange  # noqa: PLC0415  see above

    return _of_arrow(interchange.from_dataframe(value))


def _of_arrow(table: Any) -> object:  # noqa: ANN401  pyarrow is not imported here
    """Return an Arrow table as a frame whose dates are times and whose numbers are exact.

    Whole numbers of which some are missing are those of pandas that may be, such as Int64; decimals
    are whole numbers or floats where these have all of their digits.
    """
    import pyarrow as pa  # noqa: PLC0415  see above

    for place, column in enumerate(table.schema):
        if pa.types.is_decimal(column.type):
            table = table.set_column(place, column.name, _plain_numbers(table.column(place)))
    gaps = {
        str(own.type) for own in table.columns if pa.types.is_integer(own.type) and own.null_count
    }
    if not gaps:
        return table.to_pandas(date_as_object=False)
    frame = table.to_pandas(date_as_object=False, types_mapper=partial(_nullable, gaps))
    for place, dtype in enumerate(frame.dtypes):
        values = frame.iloc[:, place]
        if str(dtype).lower() in gaps and not values.isna().any():
            frame.isetitem(place, values.astype(str(dtype).lower()))
    return frame


def _nullable(names: Container[str], kind: Any) -> Any:  # noqa: ANN401  types of Arrow and pandas
    """Return the type of pandas for whole numbers that may be missing; None for other types."""
    import pandas as pd  # noqa: PLC0415  pyarrow has imported it

    name = str(kind)
    if name not in names:
        return None
    return pd.api.types.pandas_dtype(name.replace("uint", "UInt").replace("int", "Int"))


def _plain_numbers(decimals: Any) -> Any:  # noqa: ANN401  a column of Arrow
    """Return decimals as whole numbers or floats; as they are where that would lose digits."""
    import pyarrow as pa  # noqa: PLC0415  see above

    if decimals.type.scale <= 0:
        try:
            return decimals.cast(pa.int64())
        except pa.ArrowInvalid:  # beyond 64 bits
            return decimals
    floats = decimals.cast(pa.float64())
    if decimals.type.precision <= sys.float_info.dig:
        return floats
    pairs = zip(floats.to_pylist(), decimals.to_pylist(), strict=True)
    is_exact = all(exact is None or Decimal(repr(near)) == exact for near, exact in pairs)
    return floats if is_exact else decimals


#: What a type has that can hand over a table, and how it is asked; the exact one first.
_WAYS: Final[Mapping[str, Callable[[Any], object]]] = {
    "__arrow_c_stream__": _of_stream,
    "to_pandas": _of_column,
    "__dataframe__": _of_interchange,
}
