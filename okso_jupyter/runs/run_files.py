"""Files that a run writes beside its journal, while it works.

OKSO_TRACE_DIR has the records of a run as JSON files for other programs, OKSO_PLAN_OUTPUT the
proposed plan and then the decision about it, OKSO_RECORD a recording.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from okso_jupyter import private_files
from okso_jupyter.errors import SettingError
from okso_jupyter.journal.codec import to_json
from okso_jupyter.journal.events import (
    AnswerGiven,
    DecisionMade,
    ErrorRaised,
    Event,
    KnownEvent,
    ModelUsed,
    ObservationMade,
    PlanMade,
    ProposalShown,
    RunMoved,
    RunStarted,
)
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.run_view import RunView
from okso_jupyter.journal.run_view.approval_folds import DecisionFold
from okso_jupyter.journal.run_view.plan_folds import VersionFold
from okso_jupyter.journal.store import Journal, now, with_events
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.records import Observation
from okso_jupyter.redaction.redactor import Redactor
from okso_jupyter.replay.recording_writer import RecordingFile, RecordingWriter
from okso_jupyter.settings import Settings

#: Fields of `RunStarted` that are copied to `run.json`.
_OF_THE_RUN: Final = (
    "request", "root", "settings", "tools", "versions", "python", "machine", "process_id",
)  # fmt: skip
#: Kinds of events whose content later files include.
_TAKEN_IN: Final[tuple[type[KnownEvent], ...]] = (
    RunStarted,
    AnswerGiven,
    ErrorRaised,
    RunMoved,
    ModelUsed,
    DecisionMade,
    ObservationMade,
)


@dataclass(slots=True)
class TraceFolder:
    """Writes the files of one run: `run.json`, `plan-vN.json`, `step-NNN.json`.

    Every file is replaced as a whole, private and without secrets. A file that cannot be written
    once the run has begun is a warning and does not end the run, since the journal is complete.

    Attributes:
        folder: The run's own folder.
        run_id: The run.
        redactor: Removes secrets.
    """

    folder: Path
    run_id: str
    redactor: Redactor
    _run: dict[str, Any] = field(default_factory=dict)
    _transcript: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def open(cls, base: str, recorder: RunRecorder, redactor: Redactor) -> Self:
        """Return the trace of a run, with its folder created and checked to be writable.

        Args:
            base: OKSO_TRACE_DIR.
            recorder: The run's journal; its existing records are read.
            redactor: Removes secrets.

        Raises:
            SettingError: The folder cannot be written.
        """
        parent = Path(base).expanduser()
        folder = parent / recorder.run_id
        try:
            private_files.refuse_link(parent)
            private_files.make_private_folder(folder)
            with private_files.drafting(folder):
                pass
        except OSError as error:
            msg = f"OKSO_TRACE_DIR {base!r} cannot be written: {error.strerror}"
            raise SettingError(msg, hint="name another folder with OKSO_TRACE_DIR") from error
        trace = cls(folder, recorder.run_id, redactor)
        for record, event in with_events(recorder.journal.records(recorder.run_id), *_TAKEN_IN):
            trace._apply(event, record.at)
        return trace

    def __call__(self, event: Event) -> None:
        """Process an event and write the files that it changes."""
        at = now()
        self._apply(event, at)
        match event:
            case PlanMade(plan=plan):
                self._write(f"plan-v{plan.get('version', 1)}", {**event.to_json(), "at": at})
            case ObservationMade(observation=seen):
                self._write(f"step-{seen.call.step_id:03d}", self._step(seen))
            case (
                RunStarted() | AnswerGiven() | ErrorRaised() | ModelUsed() | DecisionMade()
                | RunMoved()
            ):  # fmt: skip
                self._write("run", {**self._run, "updated_at": at})

    def _apply(self, event: Event, at: str) -> None:
        """Keep the content of an event that later files include."""
        match event:
            case RunStarted():
                self._run |= {"run": self.run_id, "started_at": at}
                self._run |= {name: getattr(event, name) for name in _OF_THE_RUN}
            case AnswerGiven() | ErrorRaised():
                self._run[event.kind] = event.to_json()
            case RunMoved(after=after):
                self._run["state"] = after
            case ModelUsed(role=role):
                self._run.setdefault("models", {})[role] = event.to_json()
            case DecisionMade():
                self._run.setdefault("decisions", []).append({**event.to_json(), "at": at})
            case ObservationMade(observation=seen):
                self._transcript.append(_transcript_entry(seen))

    def _step(self, seen: Observation) -> dict[str, Any]:
        """Return the latest attempt at a step, with the transcript of the run so far."""
        raw = seen.raw if isinstance(seen.raw, Mapping) else {}
        fields = to_json(seen)
        return {
            "run": self.run_id,
            **fields["call"],
            "status": seen.status,
            "exit_code": seen.exit_code,
            "stdout": raw.get("stdout", seen.text),
            "stderr": raw.get("stderr", seen.error),
            **{name: fields[name] for name in (
                "summary", "error", "error_class", "raw", "changes", "started_at", "duration_s",
            )},
            "transcript": self._transcript,
        }  # fmt: skip

    def _write(self, name: str, document: Mapping[str, Any]) -> None:
        file = self.folder / f"{name}.json"
        text = json.dumps(self.redactor.json(document), indent=1, ensure_ascii=False, default=str)
        try:
            private_files.close_to_others(file)
            private_files.replace(file, f"{text}\n".encode("utf-8", "replace"))
        except OSError as error:
            detail = f"{file}: {error.strerror}"
            LOGGER.warning("the trace is not complete", extra={"detail": detail})


def _transcript_entry(seen: Observation) -> dict[str, Any]:
    """Return one line of the transcript."""
    call = seen.call
    return {
        "step_id": call.step_id,
        "plan_version": call.plan_version,
        "attempt": call.attempt,
        "tool": call.tool,
        "status": seen.status,
        "summary": seen.summary,
        "error": seen.error,
    }


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


def open_recorder(
    journal: Journal, run_id: str, settings: Settings, redactor: Redactor
) -> RunRecorder:
    """Return a recorder that also writes the files that the settings name.

    Raises:
        SettingError: One of them cannot be written.
        RecordingError: The recording cannot be written.
    """
    recorder = RunRecorder(journal, run_id)
    if settings.okso_trace_dir:
        trace = TraceFolder.open(settings.okso_trace_dir, recorder, redactor)
        recorder.listeners.append(trace)
    if settings.okso_record:
        file = RecordingFile.open(settings.okso_record, settings.home)
        recorder.listeners.append(RecordingWriter(file, recorder))
    if settings.okso_plan_output:
        output = PlanOutput.open(settings.okso_plan_output, recorder, redactor)
        recorder.listeners.append(output)
    return recorder
