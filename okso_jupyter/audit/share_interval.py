"""Interval of a share: between what values it lies with 95 % confidence."""

from __future__ import annotations

import math
from typing import Final

#: Standard deviations on both sides of a normal distribution that hold 95 % of it.
_Z: Final = 1.959964


def share_interval(count: float, total: int) -> tuple[float | None, float | None, float | None]:
    """Return a share with its 95 % interval (Wilson's, which holds for few cases).

    Args:
        count: Number of cases that count.
        total: Number of cases; where it is 0, nothing is known.
    """
    if not total:
        return None, None, None
    share, square = count / total, _Z**2
    middle = (share + square / (2 * total)) / (1 + square / total)
    spread = share * (1 - share) / total + square / (4 * total**2)
    half = _Z * math.sqrt(spread) / (1 + square / total)
    return share, max(0.0, middle - half), min(1.0, middle + half)
