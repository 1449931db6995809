"""Progress: how far a query is, on standard output of the child process, while it runs."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb


@contextmanager
def told(connection: duckdb.DuckDBPyConnection, every_s: float) -> Iterator[None]:
    """Write a line now and then about how far the queries are that run meanwhile.

    One after another begins anew; no line says less than one before it.

    Args:
        connection: Runs the queries; its progress bar is enabled, and not printed.
        every_s: Seconds between two lines, and before the first one.
    """
    ended = threading.Event()

    def tell() -> None:
        most = 0.0
        while not ended.wait(every_s):
            percent = connection.query_progress()
            if percent > 0 and percent >= most:  # below nothing, DuckDB cannot tell
                most = percent
                sys.stdout.write(f"{percent:.0f} % of the table is read\n")
                sys.stdout.flush()

    teller = threading.Thread(target=tell, name="progress", daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()
