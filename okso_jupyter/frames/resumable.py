"""Table of the runs that can be resumed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from okso_jupyter.frames.columns import Column, frame

_RESUMABLE: tuple[Column[Mapping[str, Any]], ...] = (
    Column("id", "object", "", lambda r: r["id"]),
    Column("request", "object", "", lambda r: r["request"]),
    Column("state", "object", "", lambda r: r["state"]),
    Column("done", "int64", "steps", lambda r: r["done"]),
    Column("steps", "int64", "steps", lambda r: r["steps"]),
    Column("when", "utc", "UTC", lambda r: r["when"]),
    Column("why", "object", "", lambda r: r["why"]),
)


def resumable_frame(runs: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return one row per run, in the given order; skipped steps count as done."""
    return frame(runs, _RESUMABLE, nothing="No run of this folder can be resumed.")
