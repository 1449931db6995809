"""SQL quoting: texts and names as they stand in DuckDB's SQL."""

from __future__ import annotations


def sql_text(text: str) -> str:
    """Return a text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def sql_name(name: str) -> str:
    """Return the name of a table or column as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'
