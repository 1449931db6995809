"""File kinds: what format the suffix of a table's file means."""

from __future__ import annotations

from typing import Final

TABBED: Final = frozenset({".tsv", ".tab"})
DELIMITED: Final = TABBED | {".csv"}
WORKBOOKS: Final = frozenset({".xlsx", ".xlsm"})
MARKDOWN: Final = frozenset({".md", ".markdown"})
PARQUET: Final = frozenset({".parquet", ".pq"})
JSON: Final = frozenset({".json", ".jsonl", ".ndjson"})
#: Read as a table where a question is about their entries.
LOGS: Final = frozenset({".log"})
#: Files that are nothing but a table.
TABLES: Final = DELIMITED | WORKBOOKS | PARQUET
#: Files that may hold a table among other things.
PERHAPS_TABLES: Final = MARKDOWN | JSON
