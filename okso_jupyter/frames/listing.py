"""The runs of a journal as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from okso_jupyter.frames.columns import Column, frame

_RUNS: tuple[Column[Mapping[str, Any]], ...] = (
    Column("run", "object", "", lambda r: r["run"]),
    Column("started_at", "utc", "UTC", lambda r: r["started_at"]),
    Column("state", "object", "", lambda r: str(r["state"])),
    Column("request", "object", "", lambda r: r["request"]),
)


def listing_frame(runs: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return one row per run, in the given order."""
    return frame(runs, _RUNS, nothing="The journal holds no run yet.")
