"""Result tables: what a step found, as a DataFrame with numbers and dates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeGuard

import pandas as pd

from okso_jupyter.frames.frame import Frame
from okso_jupyter.plan.records import Observation
from okso_jupyter.toolkit.handler_output import bounded

_KEYS: Final = frozenset({"columns", "rows"})


def latest_table(observations: Sequence[Observation]) -> Frame | None:
    """Return the table of the latest completed step that gave one; None if none did."""
    found = next(filter(_is_table, _latest_first(observations)), None)
    return None if found is None else result_frame(found)


def latest_value(observations: Sequence[Observation]) -> Any:  # noqa: ANN401  any cell
    """Return the latest table of one cell, calculation, or value that a tool returned.

    None if there is none of them, or if a later table has more cells. A text is the answer alone.
    """
    for seen in _completed(observations):
        raw = seen.raw
        if _is_table(raw):
            table = result_frame(raw)
            return table.iloc[0].tolist()[0] if table.shape == (1, 1) else None
        if _is_bare(seen):
            return raw
        if isinstance(raw, Mapping) and "value" in raw:
            return raw["value"]
    return None


def _is_bare(seen: Observation) -> bool:
    """Return whether a tool returned a value without saying how it is told."""
    is_value = seen.raw is not None and not isinstance(seen.raw, str)
    return is_value and seen.text == bounded(str(seen.raw))


def answer_table(answer: str | None, evidence: Sequence[Observation]) -> Frame | None:
    """Return the table that an answer of several lines is the text of; None for any other.

    Args:
        answer: The answer.
        evidence: The calls that gave it.
    """
    text = (answer or "").strip()
    if "\n" not in text or [seen.text.strip() for seen in evidence] != [text]:
        return None
    raw = evidence[0].raw
    return result_frame(raw) if _is_table(raw) else None


def _latest_first(observations: Sequence[Observation]) -> Iterator[object]:
    """Yield what the completed steps gave."""
    return (seen.raw for seen in _completed(observations))


def _completed(observations: Sequence[Observation]) -> Iterator[Observation]:
    return (seen for seen in reversed(observations) if seen.status == "completed")


def result_frame(raw: Mapping[str, Any]) -> Frame:
    """Return a table of JSON values as a DataFrame.

    Numbers are int64, or float64 where some are missing or have fractions; dates are datetime64;
    anything else is as it was recorded. `attrs["note"]` says if rows were left out.

    Args:
        raw: "columns" (names), "rows" (lists of JSON values), and perhaps "dates" (names of the
            columns that hold dates in ISO form) and "truncated".
    """
    dates = set(raw.get("dates", ()))
    cells = list(zip(*raw["rows"], strict=True)) or [()] * len(raw["columns"])
    named = zip(raw["columns"], cells, strict=True)
    parts = [_typed(own, is_date=name in dates) for name, own in named]
    table = Frame(dict(enumerate(parts)))
    table.columns = pd.Index(raw["columns"], dtype="object")
    if raw.get("truncated"):
        table.attrs["note"] = f"The first {len(table):,} rows; the result has more."
    return table


def _typed(cells: Sequence[Any], *, is_date: bool) -> pd.Series[Any]:
    """Return cells as numbers or dates if all of them are, else as they are."""
    column = pd.Series(cells, dtype="object")
    if is_date:
        return _dates(column)
    said = [cell for cell in cells if cell is not None]
    is_number = said and all(isinstance(cell, (int, float)) for cell in said)
    return pd.to_numeric(column) if is_number else column


def _dates(column: pd.Series[Any]) -> pd.Series[Any]:
    try:
        return pd.to_datetime(column, format="ISO8601")
    except ValueError:  # some cell is no date, or beyond the years of pandas
        return column


def _is_table(raw: object) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(raw, Mapping) and raw.keys() >= _KEYS
