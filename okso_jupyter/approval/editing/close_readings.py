"""Readings of a question about a table that are nearly as likely as the best one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from okso_jupyter.approval.form.model import OfferedReading
from okso_jupyter.plan.records import Candidate
from okso_jupyter.planning.scoring.query_rules import SCALE, recorded_readings
from okso_jupyter.views.call_sentence import call_sentence

#: A reading is close if the best one is less than so many times as probable.
_TIMES: Final = 4.0
_MOST: Final = 3


def close_readings(candidates: Sequence[Candidate]) -> tuple[OfferedReading, ...]:
    """Return the readings to choose from, best first; none if the best is well ahead of all.

    Args:
        candidates: The candidates; those that are not readings are left out.
    """
    readings = [one for one in candidates if not one.flaw and recorded_readings([one])]
    readings.sort(key=lambda one: one.standing, reverse=True)
    near = [
        one
        for one in readings[:_MOST]
        if readings[0].scorecard.score - one.scorecard.score < SCALE * math.log(_TIMES)
    ]
    if len(near) < 2:  # noqa: PLR2004  there is nothing to choose from one
        return ()
    words = [call_sentence(one.plan.steps[0]).split(" ") for one in near]
    common = frozenset[str].intersection(*(frozenset(map(_bare, said)) for said in words))
    return tuple(
        OfferedReading(
            candidate=one.index, words=tuple((word, _bare(word) not in common) for word in said)
        )
        for one, said in zip(near, words, strict=True)
    )


def _bare(word: str) -> str:
    """Return a word as it is compared: in lower case, without the comma after it."""
    return word.rstrip(",").casefold()
