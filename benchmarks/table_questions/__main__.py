"""Measures answers to questions about tables: real sessions, real files, the bundled model.

`python -m benchmarks.table_questions` prints the share of right answers with its interval.
`--previous` measures beside it, request by request, a session without `table_query`: the planner
then samples python_repl, as it did before. The everyday requests are our own; those of DABench and
WikiTableQuestions (both for development) lie beside the checkout.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shutil import copy
from typing import Final

import pandas as pd

from benchmarks.quality.table import wilson
from benchmarks.table_questions.everyday import DATES, REQUESTS
from benchmarks.table_questions.everyday_tables import write_tables
from benchmarks.table_questions.fit import SHARED, real_questions
from okso_jupyter import Session
from okso_jupyter.errors import OksoError
from okso_jupyter.planning.table_questions.query_tool import TABLE_TOOL

_DABENCH: Final = SHARED.parent / "dabench-dev"
_NUMBER: Final = re.compile(r"-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")
_TENTHS: Final = re.compile(r"about (\d+) of 10 such plans")
_SURE: Final = 0.8
#: Answers are rounded for people.
_CLOSE: Final = 2e-4


@dataclass(frozen=True, slots=True)
class Case:
    """A request over files of a folder, and the test of its answer."""

    group: str
    request: str
    folder: Path
    is_right: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a case.

    Attributes:
        case: The case.
        is_right: Whether the answer holds what it must.
        has_failed: Whether a step failed, or there was no answer.
        confidence: How sure the planner said it was; None if it said nothing.
        distinct: Different candidates.
        planning_s: Seconds to the plan.
    """

    case: Case
    is_right: bool = False
    has_failed: bool = True
    confidence: float | None = None
    distinct: int = 0
    planning_s: float = 0.0


def everyday(folder: Path) -> Iterator[Case]:
    """Yield our own requests."""
    write_tables(folder)
    for name, requests in REQUESTS.items():
        data = pd.read_csv(folder / name, sep=None, engine="python")
        for column in data.columns.intersection(list(DATES)):
            data[column] = pd.to_datetime(data[column])
        for request, expression in requests.items():
            wanted = [str(v) for v in eval(expression, {"d": data})]  # noqa: S307  our own code
            yield Case("everyday", request.format(t=name), folder, _holds(wanted))


def dabench(folder: Path) -> Iterator[Case]:
    """Yield the development half of DABench, by level."""
    lines = (_DABENCH / "da-dev-labels.jsonl").read_text().splitlines()
    labels = {row["id"]: row["common_answers"] for row in map(json.loads, lines)}
    for line in (_DABENCH / "da-dev-questions.jsonl").read_text().splitlines():
        row = json.loads(line)
        copy(_DABENCH / "da-dev-tables" / row["file_name"], folder)
        request = f"{row['question']} The data is in {row['file_name']}. {row['constraints']}"
        wanted = [value for _, value in labels[row["id"]]]
        yield Case(f"dabench {row['level']}", request, folder, _holds(wanted))


def wikitables(folder: Path, count: int) -> Iterator[Case]:
    """Yield questions of WikiTableQuestions' development part."""
    sys.path.insert(0, str(SHARED))
    from check import is_right  # type: ignore[import-not-found]  # noqa: PLC0415

    rows = real_questions("dev.jsonl")
    random.Random(2).shuffle(rows)
    for place, row in enumerate(rows[:count]):
        own = folder / str(place)
        own.mkdir()
        copy(SHARED / "tables" / row["table"], own / "table.csv")
        request = f"{row['question'].rstrip('?. ')} in table.csv?"
        yield Case("wikitables", request, own, partial(_is_expected, is_right, row["answer"]))


def _is_expected(
    check: Callable[[str, Sequence[str]], bool], expected: Sequence[str], answer: str
) -> bool:
    return check(answer, expected)


def _holds(wanted: Sequence[str]) -> Callable[[str], bool]:
    """Return the test that an answer holds each of some values."""

    def is_held(answer: str) -> bool:
        numbers = [float(text.replace(",", "")) for text in _NUMBER.findall(answer)]
        return all(_is_in(value, answer, numbers) for value in wanted)

    return is_held


def _is_in(value: str, answer: str, numbers: Sequence[float]) -> bool:
    try:
        number = float(value)
    except ValueError:
        return value.lower() in answer.lower()
    digits = len(value.partition(".")[2])
    margin = max(0.5 * 10**-digits, _CLOSE * abs(number)) if digits else _CLOSE * abs(number)
    return any(abs(found - number) <= margin + 1e-9 for found in numbers)


def outcome_of(case: Case, *, is_previous: bool) -> Outcome:
    """Plan and run one case in a session of its own."""
    start = time.perf_counter()
    settings = {"PLANNER_SAMPLE_COUNT": 8, "VERBOSITY": 0, "PLANNER_SEED": 1}
    with Session(settings, root=case.folder) as opened:
        tools = [t for t in opened.tools.values() if not is_previous or t.name != TABLE_TOOL]
    with Session(settings, tools=tools, root=case.folder) as session:
        try:
            planning = session.plan(case.request)
            planning_s = time.perf_counter() - start
            run = session.execute(planning, approve="auto")
        except OksoError:
            spent_s = time.perf_counter() - start
            return Outcome(case, planning_s=spent_s)
        said = _TENTHS.search(planning.note)
        plans = {json.dumps([s.to_dict() for s in c.plan.steps]) for c in planning.sampled}
        return Outcome(
            case,
            case.is_right(str(run.answer or "")),
            any(seen.status == "failed" for seen in run.steps_seen),
            int(said[1]) / 10 if said else None,
            len(plans),
            planning_s,
        )


def report(name: str, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield the lines of one planner."""
    for group in dict.fromkeys(outcome.case.group for outcome in outcomes):
        own = [outcome for outcome in outcomes if outcome.case.group == group]
        right = wilson(sum(o.is_right for o in own), len(own))
        failed = statistics.fmean(o.has_failed for o in own)
        line = (
            f"{name:9} {group:15} {len(own):4} right {right.middle:3.0f} % "
            f"({right.low:.0f} to {right.high:.0f}), failed {failed:.0%}, "
            f"distinct {statistics.median(o.distinct for o in own):g}, "
            f"plan {statistics.median(o.planning_s for o in own):.1f} s"
        )
        rated = [(o.confidence, o.is_right) for o in own if o.confidence is not None]
        if rated:
            sure = [c for c, is_right in rated if c >= _SURE and not is_right]
            line += f", sure and wrong {len(sure) / len(own):.0%}, error {calibration(rated):.2f}"
        yield line


def calibration(rated: Sequence[tuple[float, bool]]) -> float:
    """Return the expected calibration error, by tenths."""
    found = 0.0
    for tenth in {confidence for confidence, _ in rated}:
        own = [is_right for confidence, is_right in rated if confidence == tenth]
        found += len(own) / len(rated) * abs(statistics.fmean(own) - tenth)
    return found


def main() -> None:
    """Measure and print; wrong answers with `--wrong`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", nargs="*", default=["everyday", "dabench", "wikitables"])
    parser.add_argument("--wikitables", type=int, default=100, help="questions")
    parser.add_argument("--limit", type=int, help="cases of each group")
    parser.add_argument("--previous", action="store_true")
    parser.add_argument("--wrong", action="store_true", help="print the wrong answers' requests")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="okso-tables-") as scratch:
        folders = {group: Path(scratch) / group for group in asked.groups}
        for folder in folders.values():
            folder.mkdir()
        made: dict[str, Callable[[Path], Iterator[Case]]] = {
            "everyday": everyday,
            "dabench": dabench,
            "wikitables": partial(wikitables, count=asked.wikitables),
        }
        cases: list[Case] = []
        for group in asked.groups:
            cases += list(made[group](folders[group]))[: asked.limit]
        for name in ["now", "previous"][: 1 + asked.previous]:
            outcomes = [outcome_of(case, is_previous=name == "previous") for case in cases]
            print("\n".join(report(name, outcomes)), flush=True)
            if asked.wrong:
                print(*(f"  wrong: {o.case.request}" for o in outcomes if not o.is_right), sep="\n")


if __name__ == "__main__":
    main()
