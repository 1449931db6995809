"""Export: writes a run of the journal as a recording, if the journal holds all of it exactly."""

from __future__ import annotations

import json
from collections.abc import Sequence

from okso_jupyter.errors import RecordingError
from okso_jupyter.journal.codec import sha256_of, to_json
from okso_jupyter.journal.events import Event, ObservationMade, OutsideAsked, RunStarted
from okso_jupyter.journal.store import Record, events_of
from okso_jupyter.redaction.redactor import REDACTED
from okso_jupyter.replay.recorded_entries import ENTRY_KINDS, EntryCollector, head_of, places_of
from okso_jupyter.replay.recording_file import RecordedRun
from okso_jupyter.replay.recording_writer import RecordingFile


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
