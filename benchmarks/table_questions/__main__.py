"""Measures answers to questions about tables: whole sessions, real files, the bundled model.

`python -m benchmarks.table_questions` prints for each kind of questions how many answers are right,
with its interval, and beside it the same of the same model that writes pandas by itself.
`--who okso examples` compares with plans by the nearest example, without `table_query`;
`--who okso pandas previous --previous FOLDER` with the version in this checkout.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from benchmarks import machine
from benchmarks.quality.table import wilson
from benchmarks.table_questions.calibration import Rated, calibration_error, separation
from benchmarks.table_questions.cases import GROUPS, Case
from benchmarks.table_questions.contestants import CONTESTANTS, Outcome, planned_in

_PREVIOUS: Final = "previous"
_SURE: Final = 0.8
_SEED: Final = 2
_COLUMNS: Final = (
    "questions", "who", "cases", "right %", "95 %", "a step failed %", "calibration error",
    "sure and wrong %", "a right one scores more (AUC)", "files touched", "distinct candidates",
    "s to the form",
)  # fmt: skip


def cases_of(group: str, folder: Path, limit: int | None) -> list[Case]:
    """Return the cases of a group: all, or of each of its levels a sample of so many."""
    folder.mkdir()
    levels: dict[str, list[Case]] = {}
    for case in GROUPS[group](folder):
        levels.setdefault(case.group, []).append(case)
    found: list[Case] = []
    for own in levels.values():
        size = len(own) if limit is None else min(limit, len(own))
        found += random.Random(_SEED).sample(own, size)
    return found


def row(who: str, outcomes: Sequence[Outcome]) -> list[str]:
    """Return the cells of one contestant in one kind of questions."""
    right = wilson(sum(outcome.is_right for outcome in outcomes), len(outcomes))
    rated: Rated = [(o.confidence, o.is_right) for o in outcomes if o.confidence is not None]
    wrong = sum(said >= _SURE and not is_right for said, is_right in rated)
    scored: Rated = [(o.score, o.is_right) for o in outcomes if o.score is not None]
    return [
        outcomes[0].case.group,
        who,
        str(len(outcomes)),
        f"{right.middle:.0f}",
        f"{right.low:.0f} to {right.high:.0f}",
        f"{100 * statistics.fmean(o.has_failed for o in outcomes):.0f}",
        f"{calibration_error(rated):.2f} of {len(rated)}" if rated else "",
        f"{100 * wrong / len(outcomes):.0f}" if rated else "",
        f"{separation(scored):.2f}" if scored else "",
        str(sum(o.has_touched for o in outcomes)),
        f"{statistics.median(o.distinct for o in outcomes):g}",
        f"{statistics.median(o.planning_s for o in outcomes):.1f}",
    ]


def table(who: str, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield the lines of one contestant."""
    for group in dict.fromkeys(outcome.case.group for outcome in outcomes):
        own = [outcome for outcome in outcomes if outcome.case.group == group]
        yield _line(row(who, own))


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Measure and print; wrong answers with `--wrong`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", nargs="*", default=[*GROUPS], choices=[*GROUPS])
    everyone = [*CONTESTANTS, _PREVIOUS]
    parser.add_argument("--who", nargs="*", default=["okso", "pandas"], choices=everyone)
    parser.add_argument("--previous", type=Path, help="a checkout of another version")
    parser.add_argument("--limit", type=int, help="cases of each kind, sampled with a fixed seed")
    parser.add_argument("--wrong", action="store_true", help="print the wrong answers' requests")
    asked = parser.parse_args()
    contestants = dict(CONTESTANTS)
    if asked.previous:
        contestants[_PREVIOUS] = planned_in(asked.previous.resolve(strict=True))
    if unknown := set(asked.who) - set(contestants):
        parser.error(f"{', '.join(unknown)} needs --previous FOLDER")
    print("\n".join(machine.describe()), "", sep="\n")
    print(_line(_COLUMNS), _line(["---"] * len(_COLUMNS)), sep="\n", flush=True)
    with tempfile.TemporaryDirectory(prefix="okso-tables-") as scratch:
        for group in asked.groups:
            cases = cases_of(group, Path(scratch) / group, asked.limit)
            for who in asked.who:
                outcomes = [contestants[who](case) for case in cases]
                print("\n".join(table(who, outcomes)), flush=True)
                if asked.wrong:
                    wrong = (o.case.request for o in outcomes if not o.is_right)
                    print(*(f"  wrong: {request}" for request in wrong), sep="\n", flush=True)


if __name__ == "__main__":
    main()
