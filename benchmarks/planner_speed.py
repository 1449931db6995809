"""How fast plans are sampled: against llama.cpp's own limit, and against other libraries.

`python -m benchmarks.planner_speed` measures everything in one run, with one model file, one
number of threads, one schema and one set of requests. Peers run in environments of their own,
which are made when they are first needed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

if not __package__:  # run as a file: the folder above is not on the path yet
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import machine, plots
from benchmarks.comparison import MAX_TOKENS, TEMPERATURE, TOOL_COUNT
from benchmarks.conditions import Conditions
from benchmarks.environments import default_folder
from benchmarks.report import Row, as_csv, as_markdown, as_text
from benchmarks.sections import as_it_works, growth, memory, same_output, thread_choice
from benchmarks.vocabulary import Vocabulary
from benchmarks.workers import WorkerError
from okso_jupyter.llm.specs import BUNDLED, find_weights

SECTIONS: Final = ("same-output", "as-it-works", "threads", "growth", "memory")
_SAMPLES: Final = 8
_REPEAT: Final = 5
_QUICK_SAMPLES: Final = 4
_QUICK_REPEAT: Final = 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is asked for, print and write it; return 0 when all of it could be measured."""
    parser = _parser()
    given = parser.parse_args(arguments)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="okso-speed-") as scratch:
        conditions = _conditions(given, Path(scratch))
        head = _head(conditions)
        try:
            _write(given, head, rows)  # what cannot be written is said now, not after the run
        except OSError as error:
            parser.error(f"cannot write {error.filename!r}: {error.strerror}")
        print("\n".join(head), flush=True)
        started = time.monotonic()
        for found in _measured(conditions, given.only or SECTIONS):
            print(f"\n{as_text(found)}", flush=True)
            rows += found
            _write(given, head, rows)  # after each section: a long run may be ended early
    print(f"\nIt took {(time.monotonic() - started) / 60:.1f} minutes.")
    return 1 if any(row.value is None for row in rows) else 0


def _write(given: argparse.Namespace, head: Sequence[str], rows: Sequence[Row]) -> None:
    """Write the files that were asked for."""
    facts = "\n".join(f"- {line}" for line in head)
    texts = {given.csv: as_csv(rows), given.markdown: f"{facts}\n\n{as_markdown(rows)}\n"}
    for file, text in texts.items():
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="planner_speed", description=__doc__.split("\n")[0], allow_abbrev=False
    )
    add = parser.add_argument
    add("--only", nargs="+", choices=SECTIONS, metavar="SECTION", help=", ".join(SECTIONS))
    add("--quick", action="store_true", help="once, with fewer candidates and points")
    add("--repeat", type=_positive, help=f"rounds ({_REPEAT})")
    add("--samples", type=_positive, help=f"candidates of a request ({_SAMPLES})")
    add("--threads", type=_positive, default=machine.cores(), help="of everyone (every core)")
    add(
        "--peers",
        nargs="*",
        choices=same_output.PEERS,
        default=same_output.PEERS,
        metavar="PEER",
        help=f"{', '.join(same_output.PEERS)}; none with no name behind it",
    )
    add("--gguf", type=Path, metavar="FILE", help="what everybody runs (the bundled weights)")
    add("--envs", type=Path, default=default_folder(), help="folder of the peers' environments")
    add("--csv", type=Path, metavar="FILE", help="the rows as CSV")
    add("--markdown", type=Path, metavar="FILE", help="the rows as a Markdown table")
    add("--plots", type=Path, metavar="DIR", help="folder for the curves of growth, CSV and SVG")
    return parser  # fmt: skip


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        msg = f"must be a whole number from 1 on, not {text!r}"
        raise argparse.ArgumentTypeError(msg)
    return int(text)


def _conditions(given: argparse.Namespace, scratch: Path) -> Conditions:
    gguf = find_weights(str(given.gguf or BUNDLED))
    return Conditions(
        gguf=gguf,
        spec=str(gguf) if given.gguf else BUNDLED,
        vocabulary=Vocabulary(gguf),
        threads=given.threads,
        samples=given.samples or (_QUICK_SAMPLES if given.quick else _SAMPLES),
        repeat=given.repeat or (_QUICK_REPEAT if given.quick else _REPEAT),
        quick=given.quick,
        peers=tuple(dict.fromkeys(given.peers)),
        environments=given.envs.resolve(),
        scratch=scratch,
        plots=given.plots,
    )


def _head(conditions: Conditions) -> list[str]:
    """Return what the figures depend on."""
    asked = (
        f"{conditions.samples} candidates, {TOOL_COUNT} tools, temperature {TEMPERATURE}, "
        f"at most {MAX_TOKENS} tokens each, {conditions.threads} thread(s)"
    )
    figures = (
        f"medians of {conditions.repeat} round(s) with minimum and maximum; "
        "ratios with 95 % bootstrap intervals"
    )
    return [
        *machine.describe(),
        f"model: {conditions.gguf.name}, context {conditions.context_tokens} tokens",
        f"asked: {asked}",
        f"figures: {figures}",
    ]


def _measured(conditions: Conditions, wanted: Sequence[str]) -> Iterator[list[Row]]:
    """Measure section by section; one that fails becomes a row that says so."""
    compared = same_output.SameOutput([], "", ())

    def compare() -> list[Row]:
        nonlocal compared
        compared = same_output.measure(conditions)
        return compared.rows

    sections: Mapping[str, Callable[[], list[Row]]] = {
        "same-output": compare,
        "as-it-works": lambda: as_it_works.measure(
            conditions, compared.best_peer, compared.best_peer_s
        ),
        "threads": lambda: thread_choice.measure(conditions),
        "growth": lambda: _growth(conditions),
        "memory": lambda: memory.measure(conditions),
    }
    for name in (name for name in sections if name in wanted):
        try:
            yield sections[name]()
        except WorkerError as error:
            yield [Row(section=name, what=name, note=f"NOT MEASURED: {error}")]


def _growth(conditions: Conditions) -> list[Row]:
    """Measure the curves, and draw them where a folder is given."""
    rows, curves = growth.measure(conditions)
    if conditions.plots:
        for file in plots.write(curves, conditions.plots):
            print(f"wrote {file}")
    return rows


if __name__ == "__main__":
    sys.exit(main())
