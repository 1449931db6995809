"""What running a step costs beside the step: this executor, bare threads, langgraph, prefect.

`python -m benchmarks.executor_overhead` runs 10 to 10,000 steps that do nothing, each waiting for
the one before (chained) or for nothing (fanned out), with the journal on, and fits lines to the
times. Then it makes a table of 100,000 trace rows, beside pandas. Peers run in environments of
their own.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

if not __package__:  # run as a file: the folder above is not on the path yet
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import machine
from benchmarks.environments import PeerUnavailableError, default_folder, python_of
from benchmarks.figures import paired_ratio, spread
from benchmarks.report import Row, as_csv, as_markdown, as_text
from benchmarks.workers import Worker, WorkerError

SHAPES: Final = ("chained", "fanned out")
SIZES: Final = (10, 100, 1000, 10_000)
PEERS: Final = ("langgraph", "prefect")
OURS: Final = "okso_jupyter, journal on"
LIMIT: Final = "ThreadPoolExecutor"
_THREADS: Final = 4
_REPEAT: Final = 3
_TRACE_ROWS: Final = 100_000
#: A size that would take longer than this, going by the one before, is left out.
_MOST_S: Final = 120.0
_MS: Final = 1e3


@dataclass(slots=True)
class Series:
    """The times of one contestant for one shape.

    Attributes:
        times_s: Seconds of every round, by the number of steps.
        cpu_s: The least seconds of a processor that a round took, by the number of steps.
        note: Why there are no more; empty where there are.
    """

    times_s: dict[int, list[float]] = field(default_factory=dict)
    cpu_s: dict[int, float] = field(default_factory=dict)
    note: str = ""

    def per_step_ms(self, steps: int) -> list[float]:
        """Return the milliseconds per step of every round."""
        return [one * _MS / steps for one in self.times_s[steps]]

    @property
    def line(self) -> tuple[float, float]:
        """Milliseconds per step and milliseconds beside them, fitted to the fastest rounds."""
        sizes = sorted(self.times_s)
        fastest = [min(self.times_s[size]) * _MS for size in sizes]
        slope, beside = np.polyfit(sizes, fastest, 1, w=[1 / size for size in sizes])
        return float(slope), float(beside)

    @property
    def growth(self) -> float:
        """Power of the number of steps that the time grows with, from the last size but one."""
        below, above = sorted(self.times_s)[-2:]
        ratio = min(self.times_s[above]) / min(self.times_s[below])
        return math.log(ratio) / math.log(above / below)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write; return 0 when everybody could be measured."""
    given = _parser().parse_args(arguments)
    head = [
        *machine.describe(),
        f"asked: {', '.join(map(str, given.sizes))} steps that do nothing, {_THREADS} at a time",
        f"figures: {given.repeat} round(s); ratios of the rounds with 95 % bootstrap intervals",
    ]
    print("\n".join(head), flush=True)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="okso-steps-") as scratch:
        for found in _measured(given, Path(scratch)):
            print(f"\n{as_text(found)}", flush=True)
            rows += found
            _write(given, head, rows)
    return 1 if any(row.value is None for row in rows) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="executor_overhead", description=__doc__.split("\n")[0], allow_abbrev=False
    )
    add = parser.add_argument
    add("--sizes", nargs="+", type=int, default=SIZES, metavar="N", help="numbers of steps")
    add("--repeat", type=int, default=_REPEAT, help=f"rounds ({_REPEAT})")
    add("--peers", nargs="*", choices=PEERS, default=PEERS, metavar="PEER", help=", ".join(PEERS))
    add("--trace-rows", type=int, default=_TRACE_ROWS, help="rows of the table; 0 makes none")
    add("--envs", type=Path, default=default_folder(), help="folder of the peers' environments")
    add("--csv", type=Path, metavar="FILE", help="the rows as CSV")
    add("--markdown", type=Path, metavar="FILE", help="the rows as a Markdown table")
    return parser


def _measured(given: argparse.Namespace, scratch: Path) -> Iterator[list[Row]]:
    """Measure the shapes, then the table."""
    for shape in SHAPES:
        yield steps_rows(shape, _race(given, shape, scratch))
    if given.trace_rows:
        yield _frames(given, scratch / "frames")


def _race(given: argparse.Namespace, shape: str, scratch: Path) -> dict[str, Series]:
    """Have everybody run plans of all sizes, in turns, so that a slow moment is everybody's."""
    found: dict[str, Series] = {name: Series() for name in (LIMIT, OURS, *given.peers)}
    with ExitStack() as stack:
        workers: dict[str, Worker] = {}
        for name, series in found.items():
            try:
                workers[name] = stack.enter_context(_worker(name, given, scratch / name))
            except (PeerUnavailableError, WorkerError) as error:
                series.note = f"NOT MEASURED: {error}"
        for size in sorted(given.sizes):
            for _ in range(given.repeat):
                for name, worker in workers.items():
                    _run(worker, found[name], size, shape)
    return found


def _worker(name: str, given: argparse.Namespace, home: Path) -> Worker:
    """Return the process of one contestant."""
    home.mkdir(parents=True, exist_ok=True)
    setup: dict[str, Any] = {"threads": _THREADS, "root": str(home)}
    if name == LIMIT:
        return Worker("benchmarks.own.run_threads", setup)
    if name == OURS:
        setup["settings"] = {
            "OKSO_HOME": str(home / "home"),
            "PLAN_MAX_PARALLEL": _THREADS,
            "FINAL_ANSWER": "digest",  # no model has a part in it
            "ENABLE_ANSWER_VALIDATION": False,
        }
        return Worker("benchmarks.own.run_steps", setup)
    quiet = {
        "PREFECT_HOME": str(home),
        "PREFECT_LOGGING_LEVEL": "CRITICAL",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "120",
        "DO_NOT_TRACK": "1",
    }
    return Worker(
        f"benchmarks.peers.run_{name}",
        setup,
        python=python_of(name, given.envs.resolve()),
        environment={**os.environ, **quiet},
    )


def _run(worker: Worker, series: Series, size: int, shape: str) -> None:
    """Have one plan run, unless it would take too long or an earlier one failed."""
    if series.note:
        return
    smaller = max((known for known in series.times_s if known < size), default=0)
    if smaller:
        expected_s = min(series.times_s[smaller]) * size / smaller
        if expected_s > _MOST_S:
            series.note = f"{size} steps would take more than {_MOST_S:g} s"
            return
    try:
        answer = worker.ask({"steps": size, "shape": shape})
    except WorkerError as error:
        series.note = f"{size} steps: {error}"
        return
    if answer["done"] < size:
        series.note = f"{size} steps: only {answer['done']} were run"
        return
    series.times_s.setdefault(size, []).append(answer["duration_s"])
    series.cpu_s[size] = min(answer["cpu_s"], series.cpu_s.get(size, math.inf))


def steps_rows(shape: str, found: Mapping[str, Series]) -> list[Row]:
    """Return what the times of one shape come to: per step and size, then how they grow."""
    rows = [row for name, series in found.items() for row in _per_step(shape, name, series, found)]
    return [*rows, *(_growth(shape, name, one) for name, one in found.items() if one.times_s)]


def _per_step(shape: str, name: str, series: Series, found: Mapping[str, Series]) -> Iterator[Row]:
    """Yield milliseconds per step, size by size; ours beside the peers' of the same rounds."""
    if not series.times_s:
        yield Row(section=shape, what=name, note=series.note or "NOT MEASURED")
        return
    ours = found[OURS].times_s
    for size, times in sorted(series.times_s.items()):
        same_rounds = len(times) == len(ours.get(size, ()))
        compared = name != OURS and same_rounds
        yield Row(
            section=shape,
            what=f"{name}, {size} steps",
            value=spread(series.per_step_ms(size)),
            unit="ms a step",
            ratio=paired_ratio(times, ours[size]) if compared else None,
            against="ours" if compared else "",
            aim="< 1 ms" if name == OURS and size >= 1000 else "",  # noqa: PLR2004  from there on
            note="; ".join(_notes(series, size)),
        )


def _notes(series: Series, size: int) -> Iterator[str]:
    """Yield what a busy machine changes least, and why there is no larger size."""
    if size in series.cpu_s:
        yield f"{series.cpu_s[size] * _MS / size:.3g} ms of a processor a step"
    if series.note and size == max(series.times_s):
        yield series.note


def _growth(shape: str, name: str, series: Series) -> Row:
    """Return the line through the times, and whether they grow faster than it."""
    if len(series.times_s) == 1:
        (size,) = series.times_s
        return Row(
            section=f"{shape}: growth",
            what=name,
            value=spread(series.per_step_ms(size)),
            unit="ms a step",
            note="one size only: no line",
        )
    slope, beside = series.line
    return Row(
        section=f"{shape}: growth",
        what=name,
        value=spread([slope]),
        unit="ms a step",
        aim="< 1 ms, power 1" if name == OURS else "",
        note=f"line: {slope:.3g} ms a step and {beside:.3g} ms; time grows with steps to the power "
        f"of {series.growth:.2f}",
    )


def _frames(given: argparse.Namespace, home: Path) -> list[Row]:
    """Measure the table of a trace; each way in a process of its own, for its memory."""
    home.mkdir(parents=True, exist_ok=True)
    setup = {"home": str(home), "rows": given.trace_rows}
    times: dict[str, list[float]] = {"journal": [], "pandas": []}
    memory: dict[str, int] = {}
    try:
        for _ in range(given.repeat):
            for way, durations in times.items():
                with Worker("benchmarks.own.run_frames", setup) as worker:
                    answer = worker.ask({"way": way})
                durations.append(answer["duration_s"])
                memory[way] = max(memory.get(way, 0), answer["peak_rss_bytes"])
    except WorkerError as error:
        return [Row(section="table", what="trace", note=f"NOT MEASURED: {error}")]
    names = {"journal": "journal to DataFrame", "pandas": "pandas.read_json(lines=True)"}
    return [
        Row(
            section=f"table of {given.trace_rows} trace rows",
            what=names[way],
            value=spread(durations),
            unit="s",
            ratio=paired_ratio(durations, times["pandas"]) if way == "journal" else None,
            against=names["pandas"] if way == "journal" else "",
            aim="<= 1" if way == "journal" else "",
            note=f"at most {memory[way] / 1e6:.0f} MB in memory",
        )
        for way, durations in times.items()
    ]


def _write(given: argparse.Namespace, head: Sequence[str], rows: Sequence[Row]) -> None:
    """Write the files that were asked for."""
    facts = "\n".join(f"- {line}" for line in head)
    texts = {given.csv: as_csv(rows), given.markdown: f"{facts}\n\n{as_markdown(rows)}\n"}
    for file, text in texts.items():
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
