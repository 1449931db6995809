"""How many everyday requests get an honest answer from the bundled model.

    python -m benchmarks.honesty [--part tuned|unseen] [--only TEXT] [--model SPEC]

Every request runs in a copy of one small folder, approved by `auto`. Prints a line for each one
that is not answered as it should be, then the share that is, with Wilson's 95 % interval, for the
requests that the rules were tuned on and for those that were written afterwards.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final, get_args

from benchmarks.honesty.cases import FILES, Case, Part, contents, flaw, load
from benchmarks.quality.table import wilson
from okso_jupyter import OksoError, Session

_SEED: Final = 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Run every case and print what came of it; return 0 when all were answered as they should."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--part", choices=get_args(Part), help="these requests alone")
    parser.add_argument("--only", default="", metavar="TEXT", help="requests that hold this text")
    parser.add_argument("--model", default="bundled", metavar="SPEC")
    parser.add_argument("--show", action="store_true", help="print every answer")
    given = parser.parse_args(arguments)
    all_right = True
    parts: Sequence[Part] = [given.part] if given.part else get_args(Part)
    for part in parts:
        cases = [case for case in load(part) if given.only in case.request]
        right = sum(_is_right(case, given.model, show=given.show) for case in cases)
        all_right = all_right and right == len(cases)
        if cases:
            share = wilson(right, len(cases))
            print(
                f"{part}: {right} of {len(cases)} as they should be: {share.middle:.0f} % "
                f"({share.low:.0f} to {share.high:.0f})",
                flush=True,
            )
    return 0 if all_right else 1


def _is_right(case: Case, model: str, *, show: bool) -> bool:
    """Run a case, and print why it is not what it should be."""
    with tempfile.TemporaryDirectory(prefix="okso-honesty-") as scratch:
        reason, answer = tried(case, Path(scratch), model)
    if reason or show:
        told = "\n".join(f"      {line}" for line in answer.splitlines())
        print(
            f"{'x' if reason else ' '} [{case.kind}] {case.request}: {reason}\n{told}", flush=True
        )
    return not reason


def tried(case: Case, scratch: Path, model: str = "bundled") -> tuple[str, str]:
    """Run a case; return why it is not what it should be, empty where it is, and the answer."""
    root = scratch / "notebook"
    shutil.copytree(FILES, root)
    with Session({"OKSO_HOME": str(scratch / "home")}, model=model, root=root) as session:
        before = contents(root)
        try:
            run = session.run(case.request, approve="auto", seed=_SEED)
        except OksoError as error:
            # that a file is not there may be said before anything is begun
            is_told = case.kind == "missing" and all(word in str(error) for word in case.says)
            is_right = is_told and contents(root) == before
            return "" if is_right else f"{type(error).__name__}: {error}", str(error)
        return flaw(case, run, before, contents(root)), run.answer or run.failure


if __name__ == "__main__":
    sys.exit(main())
