"""Tables without what no two runs share, so that those of a run and of its replay are the same."""

from __future__ import annotations

from typing import Final

import pandas as pd

#: The volatile columns, in whatever table they stand: times and durations, the id of a run.
_VOLATILE: Final = ("started_at", "duration_s", "run")


def blanked(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose volatile columns are blank: times, durations, ids of runs.

    A replay gives times and durations of candidates, observations and ledger as they were
    recorded; those of its trace are its own. Comparing stable tables compares all the rest.

    Args:
        table: A table of a run; it is left as it is.
    """
    kept = table.copy()
    for name in kept.columns:
        if name in _VOLATILE:
            kept[name] = pd.Series([None] * len(kept), index=kept.index, dtype="object")
    return kept
