"""Tables: a typed query over a table, run by an engine in a confined child process.

In: a `Query` and a file of the workspace or a notebook's frame. Out: columns and rows, a sentence
that says what was asked, and the SQL that ran. Imported by tools and planning; it knows no plan.

`engine.py` and `query_wording.py` run in the kernel, where `table_processes.py` keeps the children
that have read a table for the next question. `engine_process.py` is such a child, which opens a
source (`raw_tables.py`), gives its columns types (`typed_table.py`) and runs queries over it
(`live_table.py`). All that the child loads imports nothing of okso_jupyter but these files.
"""

from okso_jupyter.tables.query import Filter, Measure, Query

__all__ = ["Filter", "Measure", "Query"]
