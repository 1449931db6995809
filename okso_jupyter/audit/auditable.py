"""Auditable: the audit methods that a run and a planning share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from okso_jupyter.audit.plan_difference import differences
from okso_jupyter.audit.scoreboard import Scoreboard
from okso_jupyter.audit.what_if import WhatIf
from okso_jupyter.audit.why_not import WhyNot, why_not

if TYPE_CHECKING:
    import pandas as pd


class Auditable:
    """Base of classes that have candidates, one of which was chosen."""

    __slots__ = ()

    def _contest(self) -> Scoreboard:
        """Return the candidates of the latest planning call."""
        raise NotImplementedError

    def why_not(self, candidate: int) -> WhyNot:
        """Return why a candidate did not win, and the smallest change that would make it win.

        Args:
            candidate: Its number, as in the table of candidates.

        Raises:
            UsageError: The candidate does not exist.
        """
        return why_not(self._contest(), candidate)

    def rescore(self, weights: Mapping[str, float]) -> pd.DataFrame:
        """Return the candidates as ranked by other weights; the choice itself is not changed.

        Args:
            weights: Factor by rule; a missing one is 1, as in SCORE_WEIGHTS.

        Raises:
            UsageError: A rule is unknown, or a weight is not a finite number.
        """
        from okso_jupyter.frames.audit_tables import rescored_frame  # noqa: PLC0415  pandas is slow

        scoreboard = self._contest()
        full = scoreboard.checked(weights)
        return rescored_frame(scoreboard.ranked(full), scoreboard.ranked(scoreboard.weights), full)

    def compare(self, candidate: int, other: int) -> pd.DataFrame:
        """Return what differs between the calls of two candidates, a row per argument.

        `change` is "changed", "only here" (in the first) or "only there"; steps are paired by tool.

        Args:
            candidate: Its number, as in the table of candidates.
            other: The number of the other one.

        Raises:
            UsageError: A candidate does not exist.
        """
        from okso_jupyter.frames.journal_tables import differences_frame  # noqa: PLC0415  pandas is slow

        scoreboard = self._contest()
        plans = (scoreboard.named(number).plan for number in (candidate, other))
        return differences_frame(differences(*plans))

    def what_if(self) -> WhatIf:
        """Return a panel with a slider for every weight that ranks the candidates in the browser.

        Raises:
            UsageError: There are no candidates.
        """
        return WhatIf(self._contest())
