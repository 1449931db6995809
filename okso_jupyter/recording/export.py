"""Export: a run of the journal as a recording, if the journal kept all of it exactly."""

from __future__ import annotations

import json
from collections.abc import Sequence

from okso_jupyter.errors import RecordingError
from okso_jupyter.journal.codec import sha256_of
from okso_jupyter.journal.store import Record
from okso_jupyter.recording.entries import OUTSIDE, EntryReader, head_of, places_of
from okso_jupyter.recording.recorded import RecordedRun
from okso_jupyter.recording.writing import RecordingFile
from okso_jupyter.redaction import REDACTED


def export(records: Sequence[Record], file: RecordingFile) -> RecordedRun:
    """Add a run to a recording, from its records alone.

    Args:
        records: All that the journal holds of the run, in order.
        file: The recording; a run of the same request in it is replaced.

    Raises:
        RecordingError: The journal did not keep what it took from outside, or not exactly.
    """
    started = next((record.body for record in records if record.kind == "run_started"), {})
    if "places" not in started:
        msg = "the run cannot be recorded: an older okso_jupyter wrote down too little of it"
        raise RecordingError(msg, hint="run the request again with --record FILE")
    reader, entries = EntryReader(), []
    for record in records:
        entry = reader.read(record.kind, record.body)
        if entry is not None:
            _check_exact(record)
            entries.append(entry)
    run = RecordedRun(head=head_of(started), places=places_of(started).to_dict(), entries=entries)
    file.begin(run)
    return run


def _check_exact(record: Record) -> None:
    """Raise RecordingError for a record that was redacted or cut when it was written down."""
    body = record.body
    if record.kind == OUTSIDE:
        is_exact = sha256_of([body["asked"], body["gave"]]) == body["sha256"]
        what = f"what the {body['of']} gave"
    elif record.kind == "observation":
        call = body["call"]
        is_exact = sha256_of(body["raw"]) == body["raw_sha256"] and REDACTED not in json.dumps(call)
        what = f"what step {call['step_id']} ({call['tool']}) gave"
    else:
        is_exact = REDACTED not in json.dumps(body)
        what = "the decision about it"
    if not is_exact:
        msg = f"the run cannot be recorded: the journal does not hold {what} exactly"
        raise RecordingError(
            msg, hint="secrets and what is very large are left out; run it with --record FILE"
        )
