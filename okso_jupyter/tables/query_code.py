"""Query code: a query in each style of code, from what the journal says of its source."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from okso_jupyter.tables.pandas_code import pandas_code
from okso_jupyter.tables.query import Query
from okso_jupyter.tables.read_source import NoCodeError, ReadSource
from okso_jupyter.tables.sql_code import sql_code

__all__ = ["CODE", "NoCodeError", "read_in"]

CODE: Final[Mapping[str, Callable[[Query, ReadSource], str]]] = {
    "pandas": pandas_code,
    "sql": sql_code,
}


def read_in(raw: object) -> ReadSource | None:
    """Return how the source of a recorded result was read; None where it does not say."""
    read = raw.get("read") if isinstance(raw, Mapping) else None
    return ReadSource.from_json(read) if read else None
