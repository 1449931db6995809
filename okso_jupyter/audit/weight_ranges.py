"""Weight ranges: in which range of each weight the winner still wins, and who wins beyond it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from okso_jupyter.audit.intervals import Interval, next_winner, winning_weights
from okso_jupyter.audit.scoreboard import Scoreboard
from okso_jupyter.plan.records import Candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """The weights of one rule under which the winner wins, with the other weights unchanged.

    Attributes:
        rule: The rule.
        weight: Its weight in the run.
        held: The range; None if the winner won only by the rounding of floats.
        below: The candidate that wins below it; None if there are no such weights.
        above: The candidate that wins above it; None if the range has no upper end.
    """

    rule: str
    weight: float
    held: Interval | None
    below: Candidate | None
    above: Candidate | None

    @property
    def words(self) -> str:
        """The range in words."""
        return "a tie, but for rounding" if self.held is None else self.held.words


def ranges(scoreboard: Scoreboard) -> Iterator[Range]:
    """Yield the range of every weight, in the order of the rules."""
    for place, rule in enumerate(scoreboard.rules):
        interval = winning_weights(scoreboard, scoreboard.winner, place)
        below = above = None
        if interval is not None:
            low, high = interval.low, interval.high
            if low.at > scoreboard.floors[place] or not low.is_inside:
                below = next_winner(scoreboard, place, low, above=False)
            if high is not None:
                above = next_winner(scoreboard, place, high, above=True)
        yield Range(
            rule=rule,
            weight=scoreboard.weights[rule],
            held=interval,
            below=below,
            above=above,
        )
