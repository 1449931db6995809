"""What is said about repeated measurements: medians with their spread, and ratios of pairs."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

_RESAMPLES = 2000
_TAIL = 0.025


@dataclass(frozen=True, slots=True)
class Spread:
    """A median and how far the measurements lie apart.

    Attributes:
        middle: The median, or the estimate.
        low: The lowest one, or the lower end of the interval.
        high: The highest one, or the upper end of the interval.
    """

    middle: float
    low: float
    high: float


def spread(values: Sequence[float]) -> Spread:
    """Return median, minimum and maximum.

    Raises:
        ValueError: There are no values.
    """
    if not values:
        msg = "there is nothing to take a median of"
        raise ValueError(msg)
    return Spread(median(values), min(values), max(values))


def paired_ratio(numerators: Sequence[float], denominators: Sequence[float]) -> Spread:
    """Return the median ratio of pairs with its 95 % bootstrap interval.

    Both of a pair were measured close to each other, so that a machine that was slow for a while
    was slow for both.

    Args:
        numerators: One value per round.
        denominators: The values of the same rounds.

    Raises:
        ValueError: The rounds are not the same, or there are none.
    """
    ratios = [above / below for above, below in zip(numerators, denominators, strict=True)]
    return bootstrap(len(ratios), lambda rounds: median(ratios[place] for place in rounds))


def ratio_of_sums(numerators: Sequence[float], denominators: Sequence[float]) -> Spread:
    """Return the ratio of all that was measured together, with its 95 % bootstrap interval.

    Args:
        numerators: One value per round.
        denominators: The values of the same rounds.
    """
    return bootstrap(
        len(numerators),
        lambda rounds: (
            sum(numerators[place] for place in rounds)
            / sum(denominators[place] for place in rounds)
        ),
    )


def ratio_to_least(values: Sequence[float], others: Sequence[Sequence[float]]) -> Spread:
    """Return the ratio of a median to the least of other medians, with its bootstrap interval.

    Which of the others is the least is found anew in every resample: it is not known beforehand.

    Args:
        values: One value per round.
        others: For each of the others, its values of the same rounds.
    """
    return bootstrap(
        len(values),
        lambda rounds: (
            median(values[place] for place in rounds)
            / min(median(other[place] for place in rounds) for other in others)
        ),
    )


def bootstrap(count: int, statistic: Callable[[Sequence[int]], float]) -> Spread:
    """Return a statistic of all rounds and the 95 % interval of its resamples.

    Args:
        count: How many rounds there are.
        statistic: Gets the places of the rounds that it is computed of.

    Raises:
        ValueError: There are no rounds.
    """
    if not count:
        msg = "there are no rounds"
        raise ValueError(msg)
    draw = random.Random(0)  # noqa: S311  the same interval for the same figures, no secret
    resampled = sorted(
        statistic([draw.randrange(count) for _ in range(count)]) for _ in range(_RESAMPLES)
    )
    tail = int(_TAIL * _RESAMPLES)
    return Spread(statistic(range(count)), resampled[tail], resampled[-1 - tail])
