"""Ways of doing the same, taken in turn, so that what slows the machine slows them all."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

_WARM_UPS = 2


@dataclass(frozen=True, slots=True)
class Timing:
    """One measurement, in seconds."""

    contest: str
    way: str
    round: int
    duration_s: float


@dataclass(frozen=True, slots=True)
class Contest:
    """Several ways of doing the same.

    Attributes:
        title: What is done.
        ways: Each way by name; the first one is what the others are compared with.
        per_round: How often a quick contest is repeated for each round of a slow one.
    """

    title: str
    ways: Mapping[str, Callable[[], object]]
    per_round: int = 1

    def rounds(self, asked: int) -> int:
        """Return how many rounds that are."""
        return max(asked, 2) * self.per_round

    def run(self, asked: int) -> list[Timing]:
        """Take each way in turn, round by round; the first rounds are not counted."""
        timings = []
        for number in range(-_WARM_UPS, self.rounds(asked)):
            for name, way in self.ways.items():
                started = time.perf_counter()
                way()
                duration_s = time.perf_counter() - started
                if number >= 0:
                    timings.append(Timing(self.title, name, number, duration_s))
        return timings
