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
#: The rule that makes the points of different questions comparable.
CERTAINTY = "certainty"


@dataclass(frozen=True, slots=True)
class FittedWeights:
    """Fitted weights.

    Attributes:
        about: The data that they were fitted on: date, counts, checksum, shares.
        words: The words that features may name.
        by_feature: The weight of each feature, "rule:...".
        calibration: The weight of each part of the evidence, see `confidence.evidence_of`.
    """

    about: Mapping[str, Any]
    words: frozenset[str]
    by_feature: Mapping[str, float]
    calibration: Sequence[float] = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> FittedWeights:
        """Return the weights of JSON data as `make fit` writes it."""
        by_feature = {
            f"{rule}:{name}": weight
            for rule, own in data["weights"].items()
            for name, weight in own.items()
        }
        return cls(data["about"], frozenset(data["words"]), by_feature, data["calibration"])

    @classmethod
    def read(cls, file: Path) -> FittedWeights:
        """Return the weights of a file that `make fit` wrote."""
        return cls.of(json.loads(file.read_text("utf-8")))

    def calibrated(self, evidence: Sequence[float]) -> float:
        """Return how often a query with this evidence is right."""
        odds = sum(w * e for w, e in zip(self.calibration, evidence, strict=True))
        return 1 / (1 + math.exp(-odds))


@cache
def shipped_weights() -> FittedWeights:
    """Return the weights that ship with the package."""
    text = resources.files(__package__).joinpath("weights.json").read_text("utf-8")
    return FittedWeights.of(json.loads(text))
