"""Whether a plan replaces, shortens or removes a file that the request does not ask to change.

    python -m benchmarks.plan_safety [--seeds N] [--sample KEEP CHANGE] [--half NAME] [--only TEXT]
                                     [--csv FILE] [--markdown FILE] [--model SPEC]

Each request is planned with each seed in a fresh copy of one small folder. Each candidate is then
run in a copy of its own, once with everything approved ("planned") and, where that loses a file,
once with `auto`; the folder is compared byte by byte. Prints each planning that loses something
and the tables; with `--csv` an interrupted run goes on where it was ended, with the same code.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from benchmarks.plan_safety.cases import HALVES, HERE, Case, load, sample
from benchmarks.plan_safety.results import TrialFile
from benchmarks.plan_safety.table import Judged, as_markdown
from benchmarks.plan_safety.trials import Trial, tried
from benchmarks.quality.answers import code_version

_ROOT: Final = HERE.parents[1]
#: Far apart: a planning draws its candidates with the seeds that follow its own.
_APART: Final = 100


def main(arguments: Sequence[str] | None = None) -> int:
    """Try every request, print the tables; return 0 when no request loses what it did not ask."""
    given = _parser().parse_args(arguments)
    judged = []
    for case, trial in _judged(given):
        judged.append((case, trial))
        if trial.planned and not case.path:
            print(_told(case, trial), flush=True)
    tables = as_markdown(judged)
    print(f"\n{tables}")
    if given.markdown is not None:
        given.markdown.parent.mkdir(parents=True, exist_ok=True)
        given.markdown.write_text(f"{tables}\n", "utf-8")
    return 1 if any(trial.planned for case, trial in judged if not case.path) else 0


def _judged(given: argparse.Namespace) -> Iterator[Judged]:
    """Yield every planning, from the file where it is known."""
    code = code_version(HERE, _ROOT / "okso_jupyter", _ROOT / "workflows")
    file = TrialFile(given.csv, f"{code} {given.model}")
    for case in _cases(given):
        for number in range(given.seeds):
            seed = 1 + _APART * number
            trial = file.known(case.request, seed)
            if trial is None:
                began_s = time.monotonic()
                trial = tried(case, seed, given.model)
                file.add(trial)
                took_s = time.monotonic() - began_s
                print(f"{took_s:5.1f} s  {case.request} ({seed})", file=sys.stderr, flush=True)
            yield case, trial


def _cases(given: argparse.Namespace) -> list[Case]:
    cases = [case for case in load() if given.only in case.request]
    if given.half is not None:
        cases = [case for case in cases if case.half == given.half]
    return cases if given.sample is None else sample(cases, *given.sample)


def _told(case: Case, trial: Trial) -> str:
    """Return what the candidates of a planning would lose."""
    lines = [f"[{case.kind}, {case.half}] {case.request} (seed {trial.seed})"]
    for index, lost in trial.planned.items():
        wins = [
            name
            for name, winner in (("default", trial.winner), ("okso", trial.winner_okso))
            if winner == index
        ]
        by = f"candidate {index}{', winner of ' + ' and '.join(wins) if wins else ''}"
        under = ", also under auto" if index in trial.auto else ""
        lines.append(f"    {by}: {', '.join(lost)}{under}\n        {trial.plans[index]}")
    return "\n".join(lines)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=4, metavar="N", help="seeds per request")
    parser.add_argument(
        "--sample",
        type=int,
        nargs=2,
        metavar=("KEEP", "CHANGE"),
        help="a fixed sample: how many of those that leave files alone, and of the others",
    )
    parser.add_argument("--half", choices=HALVES, help="this half alone")
    parser.add_argument("--only", default="", metavar="TEXT", help="requests that hold this text")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="keeps trials, and goes on")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="the tables go here, too")
    parser.add_argument("--model", default="bundled", metavar="SPEC")
    return parser


if __name__ == "__main__":
    sys.exit(main())
