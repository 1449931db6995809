"""What a group-by over a CSV file larger than memory costs, beside DuckDB alone.

    python -m benchmarks.large_table --gb 5 --folder /tmp

DuckDB alone has the same threads and bound of memory. It is told the types of the columns, so that
it looks for nothing; its time is that of the one query in a new connection.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import Final

import duckdb

from benchmarks.machine import describe
from okso_jupyter.errors import ToolRefusedError
from okso_jupyter.tables.engine import QueryLimits, TableEngine
from okso_jupyter.tables.query import Measure, Query
from okso_jupyter.workspace import Workspace

_BLOCK_ROWS: Final = 100_000
_REGIONS: Final = ("north", "south", "east", "west", "centre")
_PRODUCTS: Final = tuple(f"product {number}" for number in range(2_000))
_TIMEOUT_S: Final = 1_200.0
_STOP_AFTER_S: Final = 3.0
_GB: Final = 1_000_000_000
_TYPES: Final = (
    "{'id': 'BIGINT', 'region': 'VARCHAR', 'product': 'VARCHAR', 'day': 'DATE',"
    " 'amount': 'DOUBLE', 'units': 'BIGINT', 'note': 'VARCHAR'}"
)
_QUERY: Final = Query("large.csv", by="product", measures=(Measure("mean", "amount"),))


def write(path: Path, size: int) -> None:
    """Write a file of about this many bytes: one block of rows, again and again."""
    chosen = random.Random(1)  # noqa: S311  rows, no secrets
    rows = "".join(
        f"{number},{chosen.choice(_REGIONS)},{chosen.choice(_PRODUCTS)},"
        f"2025-{chosen.randint(1, 12):02}-{chosen.randint(1, 28):02},"
        f"{chosen.uniform(1, 999):.2f},{chosen.randint(1, 99)},as agreed by telephone\n"
        for number in range(_BLOCK_ROWS)
    ).encode()
    with path.open("wb") as file:
        file.write(b"id,region,product,day,amount,units,note\n")
        while file.tell() < size:
            file.write(rows)


def seconds_alone(path: Path, limits: QueryLimits) -> float:
    """Return the time of DuckDB alone."""
    started = time.perf_counter()
    with duckdb.connect() as connection:
        connection.execute(f"SET memory_limit = '{limits.memory_mb}MiB'")
        connection.execute(f"SET threads = {limits.threads}")
        connection.execute(
            "SELECT product, avg(amount) AS mean FROM read_csv(?, header=true, auto_detect=false,"  # noqa: S608  our own
            f" delim=',', quote='\"', escape='\"', columns={_TYPES})"
            " GROUP BY product ORDER BY mean",
            [str(path)],
        ).fetchall()
    return time.perf_counter() - started


def seconds_here(engine: TableEngine) -> float:
    """Return the time of the same question here, in a process that has opened the file."""
    started = time.perf_counter()
    result = engine.run(_QUERY, timeout_s=_TIMEOUT_S)
    if len(result.rows) != len(_PRODUCTS):
        raise ValueError(result.rows)
    return time.perf_counter() - started


def seconds_to_stop(engine: TableEngine) -> float:
    """Return how long after *Stop* a query is over."""
    cancelled = threading.Event()
    threading.Timer(_STOP_AFTER_S, cancelled.set).start()
    started = time.perf_counter()
    try:
        engine.run(_QUERY, timeout_s=_TIMEOUT_S, cancelled=cancelled)
    except ToolRefusedError:
        return time.perf_counter() - started - _STOP_AFTER_S
    msg = "the query was over before it was stopped; take a larger file"
    raise ValueError(msg)


def main() -> None:
    """Print the times of each turn, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gb", type=float, default=5.0)
    parser.add_argument("--folder", type=Path, default=None, help="where the file is written")
    parser.add_argument("--repeat", type=int, default=3)
    asked = parser.parse_args()
    limits = QueryLimits()
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        root = Path(folder, "files")
        root.mkdir()
        path = root / _QUERY.source
        write(path, int(asked.gb * _GB))
        workspace = Workspace(root)
        with TableEngine(workspace, Path(folder, "scratch"), limits=limits) as engine:
            started = time.perf_counter()
            engine.head(_QUERY.source, timeout_s=_TIMEOUT_S)
            opening = time.perf_counter() - started
            turns = [
                (seconds_alone(path, limits), seconds_here(engine)) for _ in range(asked.repeat)
            ]
            stopped = seconds_to_stop(engine)
        workspace.close()
        size = path.stat().st_size
    ratios = [here / alone for alone, here in turns]
    print("\n".join(describe()))
    print(f"file: {size / _GB:.2f} GB; {limits.memory_mb} MiB of memory, {limits.threads} threads")
    print(f"opening: {opening:.1f} s, once")
    for (alone, here), ratio in zip(turns, ratios, strict=True):
        print(f"DuckDB alone {alone:.1f} s, here {here:.1f} s, ratio {ratio:.2f}")
    print(f"ratio: median {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
    print(f"over {stopped:.1f} s after Stop")


if __name__ == "__main__":
    main()
