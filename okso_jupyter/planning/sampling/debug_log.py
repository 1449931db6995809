"""Debug log: appends one JSON line with okso's keys per usable candidate to a private file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from okso_jupyter import private_files
from okso_jupyter.errors import SettingError
from okso_jupyter.plan.records import Candidate
from okso_jupyter.redaction.redactor import Redactor


@dataclass(frozen=True, slots=True)
class DebugLog:
    """A file that candidates are appended to.

    Attributes:
        path: The file; missing parent folders are created.
        redactor: Removes secrets.
    """

    path: Path
    redactor: Redactor

    def check(self) -> None:
        """Raise SettingError if the file cannot be written, before anything is sampled."""
        self._append("")

    def write(self, candidates: Sequence[Candidate]) -> None:
        """Append the candidates.

        Raises:
            SettingError: The file cannot be written.
        """
        self._append("".join(f"{self._line(candidate)}\n" for candidate in candidates))

    def _line(self, candidate: Candidate) -> str:
        line = {
            "index": candidate.index,
            "score": candidate.scorecard.score,
            "tie_breaker": candidate.scorecard.tie_breaker,
            "rationale": candidate.rationale,
            "response": [step.to_dict() for step in candidate.plan.steps],
        }
        return json.dumps(self.redactor.json(line), ensure_ascii=False)

    def _append(self, text: str) -> None:
        try:
            private_files.append(self.path, text.encode())
        except OSError as error:
            msg = f"PLANNER_DEBUG_LOG {str(self.path)!r} cannot be written: {error.strerror}"
            raise SettingError(msg, hint="name another file with PLANNER_DEBUG_LOG") from error
