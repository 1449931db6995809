"""What the guards of the tools cost, each against the plain way, interleaved in one run.

`python -m benchmarks.tools [--rounds N] [--csv FILE]` prints machine, medians with their middle
half, and ratios; the CSV holds every single measurement.
"""

from __future__ import annotations

import argparse
import csv
import os
import platform
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks import tools_files, tools_python, tools_web
from benchmarks.tools_timing import Contest, Timing


@dataclass(frozen=True, slots=True)
class Summary:
    """One way in figures, in milliseconds."""

    name: str
    median_ms: float
    low_ms: float
    high_ms: float


def main(words: Sequence[str] | None = None) -> None:
    """Measure and print."""
    options = _options(words)
    print(*_machine(), sep="\n")
    rows: list[Timing] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        contests = [*tools_python.contests(folder, stack), *tools_files.contests(folder, stack)]
        for contest in contests:
            timings = contest.run(options.rounds)
            rows += timings
            print(f"\n{contest.title} ({contest.rounds(options.rounds)} rounds)")
            print(*_table(contest, timings), sep="\n")
    print(*tools_web.report(), sep="\n")
    if options.csv:
        _write(options.csv, rows)


def _options(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tools", description=__doc__)
    parser.add_argument("--rounds", type=int, default=40, help="rounds of the slow contests")
    parser.add_argument("--csv", type=Path, help="file for every single measurement")
    return parser.parse_args(words)


def _machine() -> Iterator[str]:
    yield f"system: {platform.system()} {platform.release()} {platform.machine()}"
    yield f"python: {platform.python_version()}, {os.cpu_count()} processors"
    yield f"load: {', '.join(f'{load:.2f}' for load in os.getloadavg())} (1, 5, 15 minutes)"


def _table(contest: Contest, timings: Sequence[Timing]) -> Iterator[str]:
    """Yield one line per way: median, middle half, and how it compares with the first."""
    found = [_summary(name, timings) for name in contest.ways]
    base = found[0].median_ms
    for one in found:
        spread = f"{one.low_ms:.3f} to {one.high_ms:.3f}"
        speed = f"{base / one.median_ms:.3g} times as fast as the first"
        yield f"  {one.name:<52} {one.median_ms:9.3f} ms  ({spread})  {speed}"


def _summary(name: str, timings: Sequence[Timing]) -> Summary:
    figures = [timing.duration_s * 1000 for timing in timings if timing.way == name]
    low, median, high = statistics.quantiles(figures, n=4)
    return Summary(name, median, low, high)


def _write(file: Path, rows: Sequence[Timing]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", newline="", encoding="utf-8") as opened:
        writer = csv.writer(opened)
        writer.writerow(["contest", "way", "round", "duration_s"])
        writer.writerows([row.contest, row.way, row.round, f"{row.duration_s:.9f}"] for row in rows)


if __name__ == "__main__":
    main()
