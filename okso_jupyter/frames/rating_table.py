"""Table of ratings, with the score of the run's plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from okso_jupyter.frames.columns import Column, frame

_RATINGS: tuple[Column[Mapping[str, Any]], ...] = (
    Column("at", "utc", "UTC", lambda r: r["at"]),
    Column("run", "object", "", lambda r: r["run"]),
    Column("step", "Int64", "from 1", lambda r: r["step"]),
    Column("rating", "int64", "1 to 5", lambda r: r["rating"]),
    Column("score", "float64", "points", lambda r: r["score"]),
    Column("note", "object", "", lambda r: r["note"]),
    Column("plan_item", "object", "", lambda r: r["plan_item"]),
    Column("observations", "object", "", lambda r: r["observations"]),
)


def feedback_frame(ratings: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return one row per rating, oldest first.

    Args:
        ratings: Fields of `Rating`, and under "score" the points of the plan that won in its run;
            None if no plan was sampled.
    """
    return frame(ratings, _RATINGS, nothing="No step was rated yet.")
