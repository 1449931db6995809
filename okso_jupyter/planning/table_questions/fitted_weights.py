"""FittedWeights: fitted weights of features, as shipped; `make fit` writes them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

#: The rules that features belong to, in the order in which they are shown.
RULES = ("operation", "columns", "filters", "unexplained", "answer", "size")

_LEAST = 1e-6
_MOST_LEAD = 5.0


@dataclass(frozen=True, slots=True)
class FittedWeights:
    """Fitted weights.

    Attributes:
        about: The data that they were fitted on: date, counts, checksum, shares.
        words: The words that features may name.
        by_rule: The weight of each feature, by rule.
        calibration: The weight of each part of the evidence, see `evidence_of`.
    """

    about: Mapping[str, Any]
    words: frozenset[str]
    by_rule: Mapping[str, Mapping[str, float]]
    calibration: Sequence[float] = (1.0, 0.0, 0.0, 0.0, 0.0)

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> FittedWeights:
        """Return the weights of JSON data as `make fit` writes it."""
        return cls(data["about"], frozenset(data["words"]), data["weights"], data["calibration"])

    @classmethod
    def read(cls, file: Path) -> FittedWeights:
        """Return the weights of a file that `make fit` wrote."""
        return cls.of(json.loads(file.read_text("utf-8")))

    def calibrated(self, evidence: Sequence[float]) -> float:
        """Return how often a query with this evidence is right."""
        odds = sum(w * e for w, e in zip(self.calibration, evidence, strict=True))
        return 1 / (1 + math.exp(-odds))


def evidence_of(probability: float, rival: float, unexplained: int, rare: int) -> tuple[float, ...]:
    """Return what the confidence in a query is computed from.

    Args:
        probability: The query's share of the probability of all.
        rival: That of the best other query.
        unexplained: Words of the question that the query does not take up.
        rare: Those of them that no weight knows.

    Returns:
        The log-odds, the lead over the other query, the words left, the rare ones, and 1.
    """
    clipped = min(max(probability, _LEAST), 1 - _LEAST)
    lead = math.log(clipped / max(rival, _LEAST))
    return (
        math.log(clipped / (1 - clipped)),
        min(max(lead, -_MOST_LEAD), _MOST_LEAD),
        float(unexplained),
        float(rare),
        1.0,
    )


@cache
def shipped_weights() -> FittedWeights:
    """Return the weights that ship with the package."""
    text = resources.files(__package__).joinpath("weights.json").read_text("utf-8")
    return FittedWeights.of(json.loads(text))
