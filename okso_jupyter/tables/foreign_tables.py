"""Tables and columns of other libraries, such as polars, PyArrow and DuckDB, as those of pandas."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
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
        return value.to_pandas()  # a single column
    return _of_arrow(table)


def _of_interchange(value: Any) -> object:  # noqa: ANN401  see above
    from pyarrow import interchange  # noqa: PLC0415  see above

    return _of_arrow(interchange.from_dataframe(value))


def _of_arrow(table: Any) -> object:  # noqa: ANN401  pyarrow is not imported here
    """Return an Arrow table as a frame whose dates are times and whose decimals are floats.

    As objects of Python neither could be handed on.
    """
    import pyarrow as pa  # noqa: PLC0415  see above

    for place, column in enumerate(table.schema):
        if pa.types.is_decimal(column.type):
            floats = table.column(place).cast(pa.float64())
            table = table.set_column(place, column.name, floats)
    return table.to_pandas(date_as_object=False)


#: What a type has that can hand over a table, and how it is asked; the exact one first.
_WAYS: Final[Mapping[str, Callable[[Any], object]]] = {
    "__arrow_c_stream__": _of_stream,
    "to_pandas": lambda value: value.to_pandas(),
    "__dataframe__": _of_interchange,
}
