"""Opens the recorder of a run: the journal, and the files that the settings name."""

from __future__ import annotations

from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.store import Journal
from okso_jupyter.redaction.redactor import Redactor
from okso_jupyter.replay.recording_writer import RecordingFile, RecordingWriter
from okso_jupyter.runs.plan_output import PlanOutput
from okso_jupyter.runs.trace_folder import TraceFolder
from okso_jupyter.settings import Settings


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
