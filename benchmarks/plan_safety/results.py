"""Trials in a CSV file: one row each, so that a run goes on where it was ended."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from benchmarks.plan_safety.trials import Trial

_COLUMNS: Final = ("code", *(part.name for part in fields(Trial)))


class TrialFile:
    """Trials by request and seed, read at the start; one row is added per trial.

    Args:
        path: The file; None keeps nothing. A missing one is made with the first trial.
        code: Version of the code; trials of another version do not count.

    Raises:
        ValueError: The file is something else.
    """

    def __init__(self, path: Path | None, code: str) -> None:
        self._path, self._code = path, code
        self._known: dict[tuple[str, int], Trial] = {}
        if path is not None and path.exists() and path.stat().st_size:
            with path.open(newline="", encoding="utf-8") as file:
                rows = csv.DictReader(file)
                if tuple(rows.fieldnames or ()) != _COLUMNS:
                    msg = f"{path} has other columns than a file of this benchmark"
                    raise ValueError(msg)
                found = [_trial(row, path) for row in rows if row["code"] == code]
            self._known = {(trial.request, trial.seed): trial for trial in found}

    def known(self, request: str, seed: int) -> Trial | None:
        """Return what is known already."""
        return self._known.get((request, seed))

    def add(self, trial: Trial) -> None:
        """Write a trial down; it is on disk when this returns."""
        self._known[trial.request, trial.seed] = trial
        if self._path is None:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, _COLUMNS)
            if not file.tell():
                writer.writeheader()
            writer.writerow({"code": self._code, **_row(trial)})


def _row(trial: Trial) -> dict[str, str]:
    values = {part.name: getattr(trial, part.name) for part in fields(Trial)}
    return {name: json.dumps(value, ensure_ascii=False) for name, value in values.items()}


def _trial(row: Mapping[str, str], path: Path) -> Trial:
    try:
        values: dict[str, Any] = {part.name: json.loads(row[part.name]) for part in fields(Trial)}
        for name in ("planned", "auto"):
            values[name] = {int(index): tuple(lost) for index, lost in values[name].items()}
        values["plans"] = {int(index): plan for index, plan in values["plans"].items()}
        return Trial(**{**values, "did": tuple(values["did"]), "right": tuple(values["right"])})
    except (AttributeError, TypeError, ValueError) as error:
        msg = f"{path}: it holds a row that is no trial of this benchmark ({error})"
        raise ValueError(msg) from error
