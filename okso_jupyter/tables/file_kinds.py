"""File kinds: what format the suffix of a table's file means.

A source of tables is the path of a file, or of a table within one: "shop.db/orders".
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

TABBED: Final = frozenset({".tsv", ".tab"})
DELIMITED: Final = TABBED | {".csv"}
WORKBOOKS: Final = frozenset({".xlsx", ".xlsm"})
MARKDOWN: Final = frozenset({".md", ".markdown"})
PARQUET: Final = frozenset({".parquet", ".pq"})
JSON: Final = frozenset({".json", ".jsonl", ".ndjson"})
#: Read as a table where a question is about their entries.
LOGS: Final = frozenset({".log"})
#: SQLite files, which hold any number of tables.
DATABASES: Final = frozenset({".db", ".db3", ".sqlite", ".sqlite3"})
#: Files that are nothing but a table.
TABLES: Final = DELIMITED | WORKBOOKS | PARQUET
#: Files that may hold a table among other things.
PERHAPS_TABLES: Final = MARKDOWN | JSON


def parts_of(source: str) -> tuple[str, str]:
    """Return the file of a source, and the table within it; "" where it is the whole file."""
    path = PurePosixPath(source)
    if path.suffix.lower() in TABLES | PERHAPS_TABLES | LOGS:
        return source, ""  # a folder may be called as a database is
    for folder in path.parents:
        if folder.suffix.lower() in DATABASES:
            return str(folder), str(path.relative_to(folder))
    return source, ""


def suffix_of(source: str) -> str:
    """Return the suffix of a source's file, in lower case."""
    return PurePosixPath(parts_of(source)[0]).suffix.lower()
