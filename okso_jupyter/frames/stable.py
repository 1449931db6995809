"""Stable tables: volatile columns are blanked, so that a run and its replay give equal tables."""

from __future__ import annotations

from typing import Final

import pandas as pd

#: Columns that differ between any two runs, in all tables: times, durations, run ids.
_VOLATILE: Final = ("started_at", "duration_s", "run")


def blanked(table: pd.DataFrame) -> pd.DataFrame:
    """Return a copy of a table with its volatile columns blanked: times, durations, run ids.

    A replay repeats the recorded times and durations of candidates, observations and ledger, but
    has its own in the trace. Comparing stable tables compares everything else.

    Args:
        table: A table of a run; it is not changed.
    """
    kept = table.copy()
    for name in kept.columns:
        if name in _VOLATILE:
            kept[name] = pd.Series([None] * len(kept), index=kept.index, dtype="object")
    return kept
