"""FittedWeights: fitted weights of features, as shipped; `make fit` writes them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

#: The rules that features belong to, in the order in which they are shown.
RULES = ("operation", "columns", "filters", "unexplained", "answer", "size")


@dataclass(frozen=True, slots=True)
class FittedWeights:
    """Fitted weights.

    Attributes:
        about: The data that they were fitted on: date, counts, checksum, shares.
        words: The words that features may name.
        by_rule: The weight of each feature, by rule.
        slope: Of the calibration, by the log-odds of the best query.
        offset: Of the calibration.
    """

    about: Mapping[str, Any]
    words: frozenset[str]
    by_rule: Mapping[str, Mapping[str, float]]
    slope: float = 1.0
    offset: float = 0.0

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> FittedWeights:
        """Return the weights of JSON data as `make fit` writes it."""
        calibration = data.get("calibration", {})
        return cls(data["about"], frozenset(data["words"]), data["weights"], **calibration)

    def calibrated(self, probability: float) -> float:
        """Return how often a best query of this probability is right (Platt scaling)."""
        clipped = min(max(probability, 1e-6), 1 - 1e-6)
        odds = math.log(clipped / (1 - clipped))
        return 1 / (1 + math.exp(-(self.slope * odds + self.offset)))


@cache
def shipped_weights() -> FittedWeights:
    """Return the weights that ship with the package."""
    text = resources.files(__package__).joinpath("weights.json").read_text("utf-8")
    return FittedWeights.of(json.loads(text))
