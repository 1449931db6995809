"""OKSO_TRACE_DIR: the records of a run as JSON files for other programs."""

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
    RunMoved,
    RunStarted,
)
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.store import now, with_events
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.records import Observation
from okso_jupyter.redaction.redactor import Redactor

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
