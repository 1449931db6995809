"""The requests, and the two halves of them: to look at while rules are made, and held out.

120 requests read, describe, compare, summarise, join, translate, sort, fill or clean files and do
not ask to change one that is there; 40 ask for just that. Every second request of each kind is
held out: what the planner makes of it is counted, and no rule is fitted to it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final, Literal, get_args

HERE: Final = Path(__file__).parent
FILES: Final = HERE / "files"
Half = Literal["seen", "held out"]
HALVES: Final[tuple[Half, ...]] = get_args(Half)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A request.

    Attributes:
        request: The request.
        kind: What it is about, in a word or two.
        half: Whether it is held out.
        path: The existing file that it asks to change; empty where it asks for none.
        becomes: What that file may hold afterwards, but for blanks at its ends; nothing where the
            file is to be gone.
    """

    request: str
    kind: str
    half: Half
    path: str = ""
    becomes: tuple[str, ...] = ()


def load() -> list[Case]:
    """Return all requests: first those that leave every file alone, then those that do not."""
    parts = json.loads((HERE / "requests.json").read_text("utf-8"))
    rows = [*parts["keep"], *parts["change"]]
    return [
        Case(half=HALVES[place % 2], **{**row, "becomes": tuple(row.get("becomes", ()))})
        for _, group in groupby(rows, key=lambda row: row["kind"])
        for place, row in enumerate(group)
    ]


def sample(cases: list[Case], keep: int, change: int) -> list[Case]:
    """Return about as many requests of either sort, spread evenly over the list; always the same.

    Args:
        cases: The requests.
        keep: How many of those that leave every file alone.
        change: How many of those that ask for a change.
    """
    kept = [case for case in cases if not case.path]
    changed = [case for case in cases if case.path]
    return [*_spread(kept, keep), *_spread(changed, change)]


def _spread(cases: list[Case], wanted: int) -> list[Case]:
    if wanted >= len(cases):
        return cases
    return [cases[place * (len(cases) - 1) // max(wanted - 1, 1)] for place in range(wanted)]
