"""Tables of the audit of a journal: plans by their points, rules, requests; a diff of two plans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from okso_jupyter.frames.columns import Column, frame

if TYPE_CHECKING:
    import pandas as pd

Row = Mapping[str, Any]

_NOTHING: Final = "The journal holds no plan that was chosen among candidates."


def _columns(*columns: tuple[str, str, str]) -> tuple[Column[Row], ...]:
    """Return columns that read the key of their own name: name, dtype, unit."""
    return tuple(
        Column(name, dtype, unit, lambda row, name=name: row[name])  # type: ignore[misc]  # bound now
        for name, dtype, unit in columns
    )


_SHARE: Final = "0 to 1"
_SCORES = _columns(
    ("scale", "object", ""), ("from", "float64", "points"), ("below", "float64", "points"),
    ("plans", "int64", "plans"), ("approved", "int64", "plans"), ("edited", "int64", "plans"),
    ("rejected", "int64", "plans"), ("sent back", "int64", "plans"),
    ("undecided", "int64", "plans"), ("failed", "int64", "plans"), ("by_person", "int64", "plans"),
    ("kept", "float64", _SHARE), ("kept_low", "float64", _SHARE), ("kept_high", "float64", _SHARE),
    ("failures", "float64", _SHARE), ("failures_low", "float64", _SHARE),
    ("failures_high", "float64", _SHARE),
)  # fmt: skip
_RULES = _columns(
    ("rule", "object", ""), ("choices", "int64", "choices"), ("decided", "int64", "choices"),
    ("share", "float64", _SHARE), ("low", "float64", _SHARE), ("high", "float64", _SHARE),
    ("led", "int64", "choices"), ("mean_lead", "float64", "points"),
)  # fmt: skip
_REQUESTS = _columns(
    ("request", "object", ""), ("score", "float64", "points"), ("best", "float64", "points"),
    ("share", "float64", _SHARE), ("candidates", "int64", "candidates"),
    ("lead", "float64", "points"), ("rule", "object", ""), ("decision", "object", ""),
    ("by", "object", ""), ("is_failed", "bool", ""), ("scale", "object", ""),
    ("run_id", "object", ""), ("at", "utc", "UTC"),
)  # fmt: skip
_DIFFERENCES = _columns(
    ("change", "object", ""), ("tool", "object", ""), ("argument", "object", ""),
    ("step", "Int64", "from 1"), ("value", "object", ""),
    ("step_other", "Int64", "from 1"), ("value_other", "object", ""),
)  # fmt: skip


_LIKELIHOODS = _columns(
    ("candidate", "int64", "from 1"), ("chosen", "bool", ""), ("score", "float64", "points"),
    ("log_likelihood", "float64", "nats"), ("output_tokens", "int64", "tokens"),
)  # fmt: skip


def scores_frame(rows: Sequence[Row]) -> pd.DataFrame:
    """Return one row per bin of points."""
    return frame(rows, _SCORES, nothing=_NOTHING)


def rules_frame(rows: Sequence[Row]) -> pd.DataFrame:
    """Return one row per scoring rule."""
    return frame(rows, _RULES, nothing="No choice between different plans is in the journal.")


def requests_frame(rows: Sequence[Row]) -> pd.DataFrame:
    """Return one row per planning call."""
    return frame(rows, _REQUESTS, nothing=_NOTHING)


def likelihoods_frame(rows: Sequence[Row]) -> pd.DataFrame:
    """Return one row per candidate."""
    return frame(rows, _LIKELIHOODS, nothing="No plan was sampled.")


def differences_frame(rows: Sequence[Row]) -> pd.DataFrame:
    """Return one row per difference between the calls of two plans."""
    return frame(rows, _DIFFERENCES, nothing="Both plans make the same calls.")
