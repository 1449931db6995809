"""How many changes are lost when steps, runs and processes change one file at the same time.

    python -m benchmarks.shared_files [--trials N] [--way NAME] [--kind NAME] [--markdown FILE]

Two, four and eight changes, each of a line of its own, are made at once: by parallel steps of one
run, by the runs of `Session.map`, and by runs of four processes. Every other trial of processes has
a journal for each. Counts lost changes, runs that are not completed, and trials whose ledgers or
whose undo is wrong.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from benchmarks.shared_files.checks import Left, look, read_runs
from benchmarks.shared_files.work import KINDS, NAME, PROCESSES, WAYS, Work, run_all

COUNTS: Final = (2, 4, 8)
_HEAD: Final = (
    "way", "kind", "at once", "trials", "lost changes", "trials that lose", "runs not completed",
    "ledger wrong", "undo wrong",
)  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Try every way, print the table; return 0 when nothing is lost, open or wrong."""
    given = _parser().parse_args(arguments)
    works = [
        Work(kind=kind, count=count, way=way)
        for way in ([given.way] if given.way else WAYS)
        for kind in ([given.kind] if given.kind else KINDS)
        for count in COUNTS
    ]
    lines = [list(_HEAD), ["---"] * len(_HEAD)]
    all_right = True
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        for work in works:
            left = [tried(work, pool, apart=n % 2 == 1) for n in range(given.trials)]
            lines.append(_row(work, left))
            print(" ".join(lines[-1]), file=sys.stderr, flush=True)
            all_right = all_right and not any(map(_is_wrong, left))
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    print(table)
    if given.markdown is not None:
        given.markdown.parent.mkdir(parents=True, exist_ok=True)
        given.markdown.write_text(f"{table}\n", "utf-8")
    return 0 if all_right else 1


def tried(work: Work, pool: ProcessPoolExecutor, *, apart: bool = False) -> Left:
    """Make the changes in a fresh folder and return what is left of them.

    Args:
        work: The changes.
        pool: Where processes run.
        apart: Whether each process has a journal of its own.
    """
    with tempfile.TemporaryDirectory(prefix="okso-shared-") as scratch:
        root = Path(scratch) / "notebook"
        root.mkdir()
        (root / NAME).write_text(work.original, "utf-8")
        own = PROCESSES if apart and work.way == "processes" else 1
        homes = [Path(scratch) / f"home{number}" for number in range(own)]
        ids = run_all(work, root, homes, pool)
        return look(work, root / NAME, read_runs(ids, homes), len(ids))


def _is_wrong(left: Left) -> bool:
    return bool(left.lost or left.open) or not (left.ledger and left.undo)


def _row(work: Work, left: Sequence[Left]) -> list[str]:
    figures = (
        work.count,
        len(left),
        sum(one.lost for one in left),
        sum(bool(one.lost) for one in left),
        sum(one.open for one in left),
        sum(not one.ledger for one in left),
        sum(not one.undo for one in left),
    )
    return [work.way, work.kind, *map(str, figures)]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--trials", type=int, default=30, metavar="N", help="trials of each")
    parser.add_argument("--way", choices=WAYS, help="this way alone")
    parser.add_argument("--kind", choices=KINDS, help="these changes alone")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="the table goes here, too")
    return parser


if __name__ == "__main__":
    sys.exit(main())
