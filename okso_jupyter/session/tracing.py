"""OKSO_TRACE_DIR: what the journal is told of a run, as files that any program can read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from okso_jupyter import private_files
from okso_jupyter.errors import SettingError
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.store import now
from okso_jupyter.log import LOGGER
from okso_jupyter.redaction import Redactor

#: What `run.json` takes over from a record of a kind, by name.
_OF_THE_RUN: Final[Mapping[str, tuple[str, ...]]] = {
    "run_started": (
        "request", "root", "settings", "tools", "versions", "python", "machine", "process_id",
    ),
    "answer": ("text",),
    "error": ("type", "message"),
}  # fmt: skip
#: Records after which `run.json` is written again.
_TELLING: Final = frozenset({*_OF_THE_RUN, "model", "decision", "run_state"})


@dataclass(slots=True)
class TraceFolder:
    """Writes the files of one run: `run.json`, `plan-vN.json`, `step-NNN.json`.

    Every file is replaced as a whole, private and without secrets. The journal is what counts: a
    file that cannot be written once the run has begun is a warning and ends nothing.

    Attributes:
        folder: The run's own folder.
        run_id: The run.
        redactor: Takes out secrets.
    """

    folder: Path
    run_id: str
    redactor: Redactor
    _run: dict[str, Any] = field(default_factory=dict)
    _transcript: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def open(cls, base: str, recorder: RunRecorder, redactor: Redactor) -> Self:
        """Return the folder of a run, made and known to be writable.

        Args:
            base: OKSO_TRACE_DIR.
            recorder: The run's journal; what it holds already is taken in.
            redactor: Takes out secrets.

        Raises:
            SettingError: Nothing can be written there.
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
        for record in recorder.journal.records(recorder.run_id):
            trace._take_in(record.kind, record.body, record.at)
        return trace

    def __call__(self, kind: str, body: Mapping[str, Any]) -> None:
        """Take in a record and write what it changes."""
        at = now()
        self._take_in(kind, body, at)
        if kind == "plan":
            self._write(f"plan-v{body['plan'].get('version', 1)}", {**body, "at": at})
        elif kind == "observation":
            self._write(f"step-{body['call']['step_id']:03d}", self._step(body))
        elif kind in _TELLING:
            self._write("run", {**self._run, "updated_at": at})

    def _take_in(self, kind: str, body: Mapping[str, Any], at: str) -> None:
        """Keep what later files need of a record."""
        if kind == "run_started":
            self._run |= {"run": self.run_id, "started_at": at}
        if kind in _OF_THE_RUN:
            taken = {name: body.get(name) for name in _OF_THE_RUN[kind]}
            self._run |= taken if kind == "run_started" else {kind: taken}
        elif kind == "run_state":
            self._run["state"] = body["after"]
        elif kind == "model":
            self._run.setdefault("models", {})[body["role"]] = dict(body)
        elif kind == "decision":
            self._run.setdefault("decisions", []).append({**body, "at": at})
        elif kind == "observation":
            call = body["call"]
            told = {name: call[name] for name in ("step_id", "plan_version", "attempt", "tool")}
            told |= {name: body[name] for name in ("status", "summary", "error")}
            self._transcript.append(told)

    def _step(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the latest attempt at a step with what came before it."""
        raw = body["raw"] if isinstance(body["raw"], Mapping) else {}
        return {
            "run": self.run_id,
            **body["call"],
            "status": body["status"],
            "exit_code": body["exit_code"],
            "stdout": raw.get("stdout", body["text"]),
            "stderr": raw.get("stderr", body["error"]),
            **{name: body[name] for name in (
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
