"""Recording file: one JSON document of runs, each with its entries in order."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from okso_jupyter import private_files
from okso_jupyter.assets import first_violation
from okso_jupyter.errors import RecordingError
from okso_jupyter.journal.codec import sha256_of
from okso_jupyter.journal.events import RunStarted
from okso_jupyter.replay.misses import missing_run
from okso_jupyter.replay.normalization import Places
from okso_jupyter.replay.recorded_entries import RecordedEntry, head_of

#: Version of the document; a newer version is refused, not guessed at.
VERSION: Final = 1
MAX_BYTES: Final = 64 * 1024**2
_SCHEMA: Final = "recording.schema.json"


@dataclass(slots=True, kw_only=True)
class RecordedRun:
    """One run of a recording.

    Attributes:
        head: What distinguishes it from other runs; see `recorded_entries.head_of`.
        places: Locations of folders on the machine that recorded it.
        entries: What it took from outside, in order.
    """

    head: Mapping[str, Any]
    places: Mapping[str, str]
    entries: list[RecordedEntry] = field(default_factory=list)

    @property
    def key(self) -> str:
        """Look-up key: the hash of `head`."""
        return sha256_of(self.head)

    @property
    def made_at(self) -> Places:
        """Places of the machine that recorded it."""
        return Places.from_dict(self.places)

    def to_dict(self) -> dict[str, Any]:
        """Return the run as JSON data that `from_dict` reads back."""
        return {
            "head": self.head,
            "places": self.places,
            "entries": [_entry_to_json(entry) for entry in self.entries],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read the output of `to_dict`."""
        entries = [_entry_from_json(entry) for entry in data["entries"]]
        return cls(head=data["head"], places=data["places"], entries=entries)


def _entry_to_json(entry: RecordedEntry) -> dict[str, Any]:
    outcome = {"raised": dict(entry.raised)} if entry.raised else {"gave": entry.gave}
    return {"kind": entry.kind, "asked": entry.asked, **outcome}


def _entry_from_json(data: Mapping[str, Any]) -> RecordedEntry:
    return RecordedEntry(
        kind=data["kind"],
        asked=data["asked"],
        gave=data.get("gave"),
        raised=data.get("raised", {}),
    )


def read_runs(path: Path) -> list[RecordedRun]:
    """Return the runs of a recording.

    Raises:
        RecordingError: The file is missing, damaged, not a recording, or of a newer version.
    """
    return parsed_runs(path, read_recording(path))


def read_recording(path: Path) -> bytes:
    """Return the bytes of a recording; raise RecordingError if it cannot be read."""
    try:
        return private_files.read(path, max_bytes=MAX_BYTES)
    except FileNotFoundError as error:
        msg = f"there is no recording {path}"
        raise RecordingError(msg, hint="make one with --record FILE") from error
    except OSError as error:
        msg = f"the recording {path} cannot be read: {error.strerror}"
        raise RecordingError(msg) from error


def parsed_runs(path: Path, data: bytes) -> list[RecordedRun]:
    """Return the runs in the bytes of a recording; see `read_runs`."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        msg = f"{path} is not a recording, or it is damaged: it is not a JSON document"
        raise RecordingError(msg, hint="record it again") from error
    _check(path, document)
    return [RecordedRun.from_dict(run) for run in document["runs"]]


def _check(path: Path, document: Any) -> None:  # noqa: ANN401  whatever a file holds
    """Raise RecordingError unless a document is a recording of a known version."""
    version = document.get("okso_recording") if isinstance(document, dict) else None
    if isinstance(version, int) and version > VERSION:
        msg = f"the recording {path} is of version {version}; this okso_jupyter knows {VERSION}"
        raise RecordingError(msg, hint="upgrade okso_jupyter, or record it again")
    violation = first_violation(_SCHEMA, document)
    if violation is not None:
        where = "/".join(map(str, violation.absolute_path)) or "the document"
        msg = f"{path} is not a recording, or it is damaged, at {where}"
        raise RecordingError(msg, hint="record it again")


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording to be replayed.

    Attributes:
        path: The file.
        runs: The runs in it.
        sha256: Hash of the file.
    """

    path: Path
    runs: tuple[RecordedRun, ...]
    sha256: str = ""

    @classmethod
    def open(cls, name: str) -> Self:
        """Read a recording.

        Raises:
            RecordingError: The file cannot be read; see `read_runs`.
        """
        path = Path(name).expanduser().absolute()
        data = read_recording(path)
        return cls(path, tuple(parsed_runs(path, data)), hashlib.sha256(data).hexdigest())

    def find(self, started: RunStarted) -> RecordedRun:
        """Return the recorded run of a request; of several, the one with the same occurrence.

        If a request is run more often than it was recorded, its last recorded run is used again.

        Args:
            started: The `run_started` event of the replaying run.

        Raises:
            ReplayMissError: The request was not recorded.
        """
        same = [
            run
            for run in self.runs
            if {**run.head, "occurrence": 0} == {**head_of(started, run.made_at), "occurrence": 0}
        ]
        if same:
            exact = [run for run in same if run.head["occurrence"] == started.occurrence]
            return (exact or same)[-1]
        raise missing_run(head_of(started), [run.head for run in self.runs], self.path)
