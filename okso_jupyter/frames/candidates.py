"""Tables of the candidates and of the ranking of tools, and the reader of the candidates' log."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from okso_jupyter.errors import DocumentError
from okso_jupyter.frames.columns import Column, frame
from okso_jupyter.plan.records import Candidate

#: Exceptions from reading a line that is not a record, such as one with too large a number.
_NO_RECORD: Final = (
    ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Row:
    """A candidate and whether it won."""

    candidate: Candidate
    chosen: bool

    def points(self, rule: str) -> float:
        found = (f.points for f in self.candidate.scorecard.findings if f.rule == rule)
        return next(found, 0.0)


_COLUMNS: tuple[Column[_Row], ...] = (
    Column("candidate", "int64", "from 1", lambda r: r.candidate.index),
    Column("chosen", "bool", "", lambda r: r.chosen),
    Column("score", "float64", "points", lambda r: r.candidate.scorecard.score),
    Column("response", "object", "", lambda r: [step.to_dict() for step in r.candidate.plan.steps]),
    Column("rationale", "object", "", lambda r: r.candidate.rationale),
    Column("n_steps", "int64", "steps", lambda r: len(r.candidate.plan.steps)),
    Column("tools", "object", "", lambda r: list(r.candidate.plan.tools)),
    Column("tie_breaker", "float64", "points", lambda r: r.candidate.scorecard.tie_breaker),
    Column("distinct", "bool", "", lambda _: True),
    Column("seed", "int64", "", lambda r: r.candidate.seed),
    Column("temperature", "float64", "", lambda r: r.candidate.temperature),
    Column("output_tokens", "int64", "tokens", lambda r: r.candidate.output_tokens),
    Column("duration_s", "float64", "s", lambda r: r.candidate.duration_s),
)

#: Columns that are shown even where all candidates have the same in them.
_ALWAYS: Final = frozenset({"candidate", "chosen", "score", "response"})


def candidates_frame(
    candidates: Sequence[Candidate], chosen: int | None, *, note: str = ""
) -> pd.DataFrame:
    """Return one row per candidate and one `rule_*` column per scoring rule, in points.

    Args:
        candidates: The candidates in the order of sampling.
        chosen: Index of the winner.
        note: Why fewer candidates were drawn than requested, and whether none was finished; stored
            in `attrs["note"]` unless empty.
    """
    rows = [_Row(candidate, candidate.index == chosen) for candidate in candidates]
    rules = list(dict.fromkeys(f.rule for c in candidates for f in c.scorecard.findings))
    columns = [*_COLUMNS, *(_rule_column(rule) for rule in rules)]
    table = frame(rows, columns, nothing="No plan was sampled.")
    plans = [json.dumps(_substance(candidate), sort_keys=True) for candidate in candidates]
    if note:
        table.attrs["note"] = note
    table["distinct"] = ~pd.Series(plans, dtype="object").duplicated()
    if len(rows) > 1:
        table.attrs["aside"] = tuple(
            name
            for name in table.columns
            if name not in _ALWAYS and len({repr(value) for value in table[name]}) == 1
        )
    return table


def _rule_column(rule: str) -> Column[_Row]:
    return Column(f"rule_{rule}", "float64", "points", lambda row: row.points(rule))


def _substance(candidate: Candidate) -> list[Any]:
    """Return what makes two candidates the same plan: tools and arguments, without thoughts."""
    return [[step.tool, dict(step.args)] for step in candidate.plan.steps]


_RANKING: tuple[Column[Mapping[str, Any]], ...] = (
    Column("tool", "object", "", lambda r: r["tool"]),
    Column("lexical", "float64", "0 to 1", lambda r: r["lexical"]),
    Column("model", "float64", "0 to 1", lambda r: r.get("model")),
    Column("offered", "bool", "", lambda r: r["offered"]),
)


def ranking_frame(ranked: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return one row per tool, best fit first.

    Args:
        ranked: Name, fit (0 to 1), the share of the model's plans that call it if a model was
            asked, and whether a plan could call it.
    """
    return frame(ranked, _RANKING, nothing="No tools were compared with the request.")


def read_debug_log(path: str | Path) -> pd.DataFrame:
    """Read a PLANNER_DEBUG_LOG as a DataFrame, one row per line.

    Args:
        path: A JSONL file whose lines hold index, score, tie_breaker, rationale and response.

    Raises:
        DocumentError: A line is not such an object (the message names it), or the file cannot be
            read.

    Returns:
        The columns of `Run.candidates`; values that a line does not hold are missing.
    """
    try:
        lines = Path(path).expanduser().read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        msg = f"{path} cannot be read: {error}"
        raise DocumentError(msg) from error
    rows = []
    for number, line in enumerate(lines, start=1):
        try:
            rows += [_log_row(json.loads(line))] if line else []
        except _NO_RECORD as error:
            msg = f"{path}, line {number}: it is not a record of a candidate"
            raise DocumentError(msg) from error
    return frame(rows, _LOG)


#: Nullable dtype for each dtype, for columns that a log does not hold.
_MISSING_TOO = {"bool": "boolean", "int64": "Int64", "float64": "float64", "object": "object"}


def _log_column(column: Column[_Row]) -> Column[dict[str, Any]]:
    """Return the column for reading from a log."""
    name = column.name
    dtype = column.dtype if name in _LOGGED else _MISSING_TOO[column.dtype]
    return Column(name, dtype, column.unit, lambda row: row.get(name))


_LOGGED = frozenset(
    ("candidate", "score", "tie_breaker", "n_steps", "tools", "rationale", "response")
)
_LOG: tuple[Column[dict[str, Any]], ...] = tuple(_log_column(column) for column in _COLUMNS)


def _log_row(line: dict[str, Any]) -> dict[str, Any]:
    steps = line["response"]
    return {
        "candidate": int(np.int64(line["index"])),
        "score": float(line["score"]),
        "tie_breaker": float(line["tie_breaker"]),
        "n_steps": len(steps),
        "tools": list(dict.fromkeys(step["tool"] for step in steps)),
        "rationale": line["rationale"],
        "response": steps,
    }
