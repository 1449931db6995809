"""Auditable: the audit methods that a run and a planning share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from okso_jupyter.audit.scoreboard import Scoreboard
from okso_jupyter.audit.what_if import WhatIf
from okso_jupyter.audit.why_not import WhyNot, why_not

if TYPE_CHECKING:
    import pandas as pd


class Auditable:
    """Something that has candidates, one of which was chosen."""

    __slots__ = ()

    def _contest(self) -> Scoreboard:
        """Return the candidates of the newest planning call."""
        raise NotImplementedError

    def why_not(self, candidate: int) -> WhyNot:
        """Say why a candidate did not win, and the least that would have made it.

        Args:
            candidate: Its number, as in the table of candidates.

        Raises:
            UsageError: There is no such candidate.
        """
        return why_not(self._contest(), candidate)

    def rescore(self, weights: Mapping[str, float]) -> pd.DataFrame:
        """Return the candidates as other weights rank them; what was chosen stays chosen.

        Args:
            weights: Factor by rule; 1 where none is given, as in SCORE_WEIGHTS.

        Raises:
            UsageError: A rule is unknown, or a weight is no finite number.
        """
        from okso_jupyter.frames.audit_tables import rescored_frame  # noqa: PLC0415  pandas is slow

        scoreboard = self._contest()
        full = scoreboard.checked(weights)
        return rescored_frame(scoreboard.ranked(full), scoreboard.ranked(scoreboard.weights), full)

    def what_if(self) -> WhatIf:
        """Return the candidates with a slider for every weight, ranked anew in the browser.

        Raises:
            UsageError: There are no candidates.
        """
        return WhatIf(self._contest())
