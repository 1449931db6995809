"""Cases of the benchmark: requests over files of a folder, each with the test of its answer.

The everyday requests are our own; those of DABench and WikiTableQuestions (both for development)
lie beside the checkout.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shutil import copy
from typing import Final

import pandas as pd

from benchmarks.table_questions.everyday import DATES, REQUESTS
from benchmarks.table_questions.everyday_tables import write_tables
from benchmarks.table_questions.fit import SHARED, real_questions

_DABENCH: Final = SHARED.parent / "dabench-dev"
_NUMBER: Final = re.compile(r"-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")
#: Answers are rounded for people: of exact values only so much counts.
_CLOSE: Final = 2e-4


@dataclass(frozen=True, slots=True)
class Case:
    """A request over a file of a folder.

    Attributes:
        group: Where it comes from.
        request: The request.
        folder: The folder.
        file: The name of the file in it.
        is_right: The test of its answer as a person reads it.
    """

    group: str
    request: str
    folder: Path
    file: str
    is_right: Callable[[str], bool]


def everyday(folder: Path) -> Iterator[Case]:
    """Yield our own requests."""
    write_tables(folder)
    for name, requests in REQUESTS.items():
        data = pd.read_csv(folder / name, sep=None, engine="python")
        for column in data.columns.intersection(list(DATES)):
            data[column] = pd.to_datetime(data[column])
        for request, expression in requests.items():
            wanted = [str(v) for v in eval(expression, {"d": data})]  # noqa: S307  our own code
            is_right = partial(holds, wanted, share=_CLOSE)
            yield Case("everyday", request.format(t=name), folder, name, is_right)


def dabench(folder: Path) -> Iterator[Case]:
    """Yield the development half of DABench, by level."""
    lines = (_DABENCH / "da-dev-labels.jsonl").read_text("utf-8").splitlines()
    labels = {row["id"]: row["common_answers"] for row in map(json.loads, lines)}
    for line in (_DABENCH / "da-dev-questions.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        file = row["file_name"]
        copy(_DABENCH / "da-dev-tables" / file, folder)
        request = f"{row['question']} The data is in {file}. {row['constraints']}"
        wanted = [value for _, value in labels[row["id"]]]
        yield Case(f"DABench {row['level']}", request, folder, file, partial(holds, wanted))


def wikitables(folder: Path) -> Iterator[Case]:
    """Yield the questions of WikiTableQuestions' development part, each in a folder of its own."""
    sys.path.insert(0, str(SHARED))
    from check import is_right  # type: ignore[import-not-found]  # noqa: PLC0415

    for place, row in enumerate(real_questions("dev.jsonl")):
        own = folder / str(place)
        own.mkdir()
        copy(SHARED / "tables" / row["table"], own / "table.csv")
        request = f"{row['question'].rstrip('?. ')} in table.csv?"
        test = partial(_is_expected, is_right, row["answer"])
        yield Case("WikiTableQuestions", request, own, "table.csv", test)


GROUPS: Final[Mapping[str, Callable[[Path], Iterator[Case]]]] = {
    "everyday": everyday,
    "dabench": dabench,
    "wikitables": wikitables,
}


def _is_expected(
    check: Callable[[str, Sequence[str]], bool], expected: Sequence[str], answer: str
) -> bool:
    return check(answer, expected)


def holds(wanted: Sequence[str], answer: str, *, share: float = 0.0) -> bool:
    """Return whether an answer holds each of some values.

    Args:
        wanted: The values; numbers may be off by half a unit of their last digit.
        answer: The answer.
        share: The share of a number that it may be off by, if that is more.
    """
    numbers = [float(text.replace(",", "")) for text in _NUMBER.findall(answer)]
    return all(_is_in(value, answer, numbers, share) for value in wanted)


def _is_in(value: str, answer: str, numbers: Sequence[float], share: float) -> bool:
    try:
        number = float(value)
    except ValueError:
        return value.lower() in answer.lower()
    digits = len(value.partition(".")[2])
    margin = max(0.5 * 10**-digits, share * abs(number))
    return any(abs(found - number) <= margin + 1e-9 for found in numbers)
