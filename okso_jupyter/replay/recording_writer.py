"""Writers of recordings: of a run while it executes, and of a run in the journal.

The whole file is rewritten for every entry.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from filelock import FileLock, Timeout

from okso_jupyter import private_files
from okso_jupyter.errors import RecordingError
from okso_jupyter.journal.codec import sha256_of, to_json
from okso_jupyter.journal.events import Event, ObservationMade, OutsideAsked, RunStarted
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.store import Record, events_of
from okso_jupyter.redaction.redactor import REDACTED
from okso_jupyter.replay.recorded_entries import (
    ENTRY_KINDS,
    EntryCollector,
    RecordedEntry,
    head_of,
    places_of,
)
from okso_jupyter.replay.recording_file import MAX_BYTES, VERSION, RecordedRun, read_runs

_LOCK_TIMEOUT_S: Final = 30
_NOTE: Final = (
    "Exact and raw: prompts, outputs of tools and decisions as they were. Whoever reads this file "
    "reads all of them."
)


@dataclass(slots=True, kw_only=True)
class RecordingFile:
    """A recording that is being written; several kernels of one user may add to it.

    Attributes:
        path: The file.
        locks: Folder of the lock file, so that none is created beside the recording.
    """

    path: Path
    locks: Path
    _runs: list[RecordedRun] = field(default_factory=list)
    _stamp: tuple[int, ...] = ()

    @classmethod
    def open(cls, name: str, home: Path) -> Self:
        """Return the recording with a name, after checking that it can be written.

        Args:
            name: Its path.
            home: OKSO_HOME.

        Raises:
            RecordingError: It cannot be written, or another kind of file has that path.
        """
        file = cls(path=Path(name).expanduser().absolute(), locks=home / "locks")
        with file._changing():
            pass
        return file

    def begin(self, run: RecordedRun) -> None:
        """Add a run, replacing the run with the same key if there is one."""
        with self._changing() as runs:
            place = next((at for at, known in enumerate(runs) if known.key == run.key), len(runs))
            runs[place : place + 1] = [run]

    def add(self, key: str, entry: RecordedEntry) -> None:
        """Add an entry to a run.

        Raises:
            RecordingError: The run is no longer in the file.
        """
        with self._changing() as runs:
            run = next((known for known in runs if known.key == key), None)
            if run is None:
                msg = f"the recording {self.path} was removed or replaced while a run was recorded"
                raise RecordingError(
                    msg, hint="leave the file alone meanwhile, and record it again"
                )
            run.entries.append(entry)

    @contextmanager
    def _changing(self) -> Iterator[list[RecordedRun]]:
        """Yield the runs for changing and then write them, holding the lock of the file.

        Raises:
            RecordingError: The file cannot be read or written.
        """
        name = f"recording-{sha256_of(str(self.path))[:16]}.lock"
        try:
            private_files.make_folder(self.locks)
            with FileLock(self.locks / name, timeout=_LOCK_TIMEOUT_S, mode=0o600):
                self._refresh()
                yield self._runs
                private_files.refuse_link(self.path)
                private_files.replace(self.path, _text(self.path, self._runs))
                self._stamp = _stamp(self.path)
        except Timeout as error:
            msg = f"the recording {self.path} is in use by another kernel"
            raise RecordingError(msg) from error
        except OSError as error:
            msg = f"the recording {self.path} cannot be written: {error.strerror}"
            raise RecordingError(msg, hint="name another file") from error

    def _refresh(self) -> None:
        """Read the file again if another kernel wrote it."""
        stamp = _stamp(self.path)
        if stamp != self._stamp:
            self._runs = read_runs(self.path) if stamp else []
            self._stamp = stamp


class RecordingWriter:
    """Adds a run's journal events to a recording.

    Args:
        file: The recording.
        recorder: The run's journal, which may hold the beginning of the run already.
    """

    def __init__(self, file: RecordingFile, recorder: RunRecorder) -> None:
        self._file = file
        self._recorder = recorder
        self._reader = EntryCollector()
        self._key = ""
        for event in recorder.journal.events(recorder.run_id, *ENTRY_KINDS):
            self._reader.read(event)
            if isinstance(event, RunStarted):
                self._key = sha256_of(head_of(event))

    def __call__(self, event: Event) -> None:
        """Handle an event of the run.

        Raises:
            RecordingError: The recording cannot be written.
        """
        entry = self._reader.read(event)
        if isinstance(event, RunStarted):
            # Read back from the journal, since a replay compares with what the journal holds.
            kept = self._recorder.journal.events(self._recorder.run_id, RunStarted)[-1]
            run = RecordedRun(head=head_of(kept), places=places_of(kept).to_dict())
            self._key = run.key
            self._file.begin(run)
        elif entry is not None and self._key:
            self._file.add(self._key, entry)


def _stamp(path: Path) -> tuple[int, ...]:
    """Return values that change when a file is replaced; empty if there is no file."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns


def _text(path: Path, runs: Sequence[RecordedRun]) -> bytes:
    """Return the document as bytes, deterministic for the same runs.

    Raises:
        RecordingError: It is too large to be read back.
    """
    document = {"okso_recording": VERSION, "note": _NOTE, "runs": [run.to_dict() for run in runs]}
    data = (json.dumps(document, indent=1) + "\n").encode("ascii")
    if len(data) > MAX_BYTES:
        msg = f"the recording {path} would be larger than {MAX_BYTES:,} bytes"
        raise RecordingError(msg, hint="record into another file")
    return data


def export(records: Sequence[Record], file: RecordingFile) -> RecordedRun:
    """Add a run to a recording, from its records alone.

    Args:
        records: All journal records of the run, in order.
        file: The recording; a run of the same request in it is replaced.

    Raises:
        RecordingError: The journal lacks what the run took from outside, or holds it inexactly.
    """
    started = next(iter(events_of(records, RunStarted)), None)
    if started is None or not started.places:
        msg = "the run cannot be recorded: an older okso_jupyter wrote down too little of it"
        raise RecordingError(msg, hint="run the request again with --record FILE")
    reader, entries = EntryCollector(), []
    for event in events_of(records, *ENTRY_KINDS):
        entry = reader.read(event)
        if entry is not None:
            _check_exact(event)
            entries.append(entry)
    run = RecordedRun(head=head_of(started), places=places_of(started).to_dict(), entries=entries)
    file.begin(run)
    return run


def _check_exact(event: Event) -> None:
    """Raise RecordingError for an event that was redacted or cut when it was recorded."""
    match event:
        case OutsideAsked(of=of, asked=asked, gave=gave, sha256=sha256):
            is_exact = sha256_of([asked, gave]) == sha256
            what = f"the output of the {of}"
        case ObservationMade(observation=seen, raw_sha256=sha256):
            is_whole = REDACTED not in json.dumps(to_json(seen.call))
            is_exact = sha256_of(seen.raw) == sha256 and is_whole
            what = f"the output of step {seen.call.step_id} ({seen.call.tool})"
        case _:
            is_exact = REDACTED not in json.dumps(event.to_json())
            what = "the decision about it"
    if not is_exact:
        msg = f"the run cannot be recorded: the journal does not hold {what} exactly"
        raise RecordingError(
            msg, hint="secrets and what is very large are left out; run it with --record FILE"
        )
