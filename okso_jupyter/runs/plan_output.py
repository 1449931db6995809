"""OKSO_PLAN_OUTPUT: one file with the proposed plan, then with the decision about it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from okso_jupyter import private_files
from okso_jupyter.errors import SettingError
from okso_jupyter.journal.events import (
    DecisionMade,
    Event,
    ProposalShown,
)
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.run_view import RunView
from okso_jupyter.journal.run_view.approval_folds import DecisionFold
from okso_jupyter.journal.run_view.plan_folds import VersionFold
from okso_jupyter.journal.store import now
from okso_jupyter.redaction.redactor import Redactor

_DECIDED: Final[Mapping[str, str]] = {
    "approve": "approved",
    "reject": "rejected",
    "feedback": "sent back",
}


@dataclass(slots=True)
class PlanOutput:
    """Writes the file: replaced as a whole, private and without secrets.

    Attributes:
        file: The file.
        run_id: The run.
        redactor: Removes secrets.
        view: The state of the run.
    """

    file: Path
    run_id: str
    redactor: Redactor
    view: RunView

    @classmethod
    def open(cls, name: str, recorder: RunRecorder, redactor: Redactor) -> Self:
        """Return the output, checked to be writable; an old file stays until a plan is shown.

        Args:
            name: OKSO_PLAN_OUTPUT.
            recorder: The run's journal, which may already hold its plan.
            redactor: Removes secrets.

        Raises:
            SettingError: The file cannot be written.
        """
        run_id, file = recorder.run_id, Path(name).expanduser()
        parts = (DecisionFold, VersionFold)
        records = recorder.journal.records(run_id, *(kind for part in parts for kind in part.takes))
        view = RunView(run_id, records, parts)
        output = cls(file, run_id, redactor, view)
        try:
            private_files.close_to_others(output.file)
            private_files.make_folder(output.file.parent)
            with private_files.drafting(output.file.parent):
                pass
        except OSError as error:
            raise output._refused(error) from error
        return output

    def __call__(self, event: Event) -> None:
        """Process an event and write the file if it changes.

        Raises:
            SettingError: The file cannot be written; nothing of the plan has run.
        """
        self.view.apply_event(event, now())
        match event:
            case ProposalShown(about="plan", fingerprint=fingerprint):
                self._write("proposed", shown_at=now(), fingerprint=fingerprint)
            case DecisionMade() if self._is_about_plan():
                self._write(
                    _DECIDED[event.decision],
                    by=event.by,
                    at=now(),
                    reason=event.feedback or event.reason,
                    fingerprint=event.shown,
                    approved_steps=list(event.steps),
                )

    def _is_about_plan(self) -> bool:
        """Return whether a whole plan was shown last, not a single step."""
        shown = self.view.decisions.shown
        return shown is not None and shown.about == "plan"

    def _write(self, status: str, **more: Any) -> None:  # noqa: ANN401  any JSON value
        latest = self.view.versions.latest
        plan = {} if latest is None else latest.plan
        document = {"status": status, "run": self.run_id, **more, "plan": plan}
        text = json.dumps(self.redactor.json(document), indent=1, ensure_ascii=False)
        try:
            private_files.close_to_others(self.file)
            private_files.replace(self.file, f"{text}\n".encode("utf-8", "replace"))
        except OSError as error:
            raise self._refused(error) from error

    def _refused(self, error: OSError) -> SettingError:
        msg = f"OKSO_PLAN_OUTPUT {str(self.file)!r} cannot be written: {error.strerror}"
        return SettingError(msg, hint="name another file with OKSO_PLAN_OUTPUT")
