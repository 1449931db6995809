"""Confidence: how often a reading like this one is right, told from the readings beside it.

Readings that give the same answer agree. A reading that does not do what the question states says
nothing against one that does.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from okso_jupyter.planning.table_questions.fitted_weights import CERTAINTY, FittedWeights
from okso_jupyter.planning.table_questions.query_reading import QueryReading

_LEAST: Final = 1e-6
_MOST: Final = 5.0
#: The most that a plan can be sure of which leaves a part of the request unanswered.
UNANSWERED: Final = 0.2


def with_confidence(
    readings: Sequence[QueryReading], weights: FittedWeights, *, most: float = 1.0
) -> tuple[QueryReading, ...]:
    """Return readings with their evidence and confidence.

    Args:
        readings: The readings of a question that do what it states.
        weights: The fitted weights.
        most: The most that they can be sure of, where something that it states is in none.
    """
    whole = sum(reading.probability for reading in readings) or 1.0
    by_answer: defaultdict[int, float] = defaultdict(float)
    for reading in readings:
        by_answer[reading.answer] += reading.probability / whole
    rated = []
    for reading in readings:
        evidence = evidence_of(
            reading.probability / whole,
            agreeing=by_answer[reading.answer],
            kept=whole,
            left=reading.left,
        )
        sure = min(weights.calibrated(evidence), most)
        rated.append(replace(reading, confidence=sure, evidence=evidence))
    return _comparable(rated)


def less_sure(reading: QueryReading, most: float) -> QueryReading:
    """Return a reading that is no surer than this, with as much fewer points."""
    return _lowered(reading, most, reading.confidence)


def all_less_sure(
    readings: Sequence[QueryReading], most: float, *, left_out: str = ""
) -> tuple[QueryReading, ...]:
    """Return the readings of one question of which none is surer than this, in their order.

    Args:
        readings: The readings, best first.
        most: The most that the best of them can be sure of.
        left_out: What none of them answers.
    """
    best = max((reading.confidence for reading in readings), default=0.0)
    lowered = (_lowered(reading, most, best) for reading in readings)
    return tuple(replace(each, left_out=left_out or each.left_out) for each in lowered)


def _lowered(reading: QueryReading, most: float, best: float) -> QueryReading:
    """Return a reading with the points fewer that make `best` no more than `most`."""
    less = _log_odds(best) - _log_odds(min(best, most))
    points = {**reading.points, CERTAINTY: reading.points.get(CERTAINTY, 0.0) - round(less, 3)}
    return replace(reading, confidence=min(reading.confidence, most), points=points)


def _comparable(readings: Sequence[QueryReading]) -> tuple[QueryReading, ...]:
    """Return readings whose points can be compared with those of other questions.

    The best one has the log-odds of its being right as the sum of its points. The same is added to
    the points of the others, so that the order stays.
    """
    if not readings:
        return ()
    best = max(readings, key=_fitted)
    added = round(_log_odds(best.confidence) - _fitted(best), 3)
    return tuple(
        replace(reading, points={**reading.points, CERTAINTY: added}) for reading in readings
    )


def _fitted(reading: QueryReading) -> float:
    return sum(points for rule, points in reading.points.items() if rule != CERTAINTY)


def evidence_of(
    probability: float, *, agreeing: float, kept: float, left: tuple[int, int]
) -> tuple[float, ...]:
    """Return what the confidence in a reading is computed from.

    Args:
        probability: Its share of the probability of the readings that do what is stated.
        agreeing: The share of those of them that give the same answer, itself included.
        kept: The share of the probability of all readings that those have.
        left: The words of the question that it does not take up, and those that no weight knows.

    Returns:
        The log-odds of both shares, the logarithm of `kept`, the words left, the rare ones, and 1.
    """
    return (
        _log_odds(probability),
        _log_odds(agreeing),
        _bounded(math.log(max(kept, _LEAST))),
        *map(float, left),
        1.0,
    )


def _log_odds(share: float) -> float:
    clipped = min(max(share, _LEAST), 1 - _LEAST)
    return _bounded(math.log(clipped / (1 - clipped)))


def _bounded(value: float) -> float:
    return min(max(value, -_MOST), _MOST)
