"""ReplayedBoundary: answers every question of a run from a recording; nothing is asked live."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from okso_jupyter.errors import RecordingError
from okso_jupyter.journal.codec import from_json
from okso_jupyter.journal.events import RunStarted
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.store import events_of
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.records import Observation, ToolCall
from okso_jupyter.replay.boundary import record_entry
from okso_jupyter.replay.misses import leftovers, missing_entry
from okso_jupyter.replay.normalization import Normalization, Places
from okso_jupyter.replay.recorded_entries import (
    RecordedEntry,
    counted,
    error_from_json,
    key_of,
    remark_asked,
)
from okso_jupyter.replay.recording_file import RecordedRun, Recording

#: Kinds of questions that one recorded answer answers any number of times: a run opens each model
#: once, and again where its plan is executed or resumed apart from its planning.
_LASTING: Final = frozenset({"model"})


class ReplayedBoundary:
    """Replays a recording; nothing is asked live.

    Args:
        recorder: The run's journal, which tells how far an earlier part of the run got.
        places: Locations of folders on this machine.
        recording: The recording.
    """

    def __init__(self, recorder: RunRecorder, places: Places, recording: Recording) -> None:
        self.recorder = recorder
        self._places = places
        self._recording = recording
        self._run: RecordedRun | None = None
        self._asked: Counter[str] = Counter()

    @property
    def is_replay(self) -> bool:
        """Whether every answer comes from a recording and nothing is asked live."""
        return True

    def take(self, kind: str, asked: Any, live: Callable[[], Any]) -> Any:  # noqa: ANN401  JSON
        """Return the recorded answer, or raise the recorded error."""
        del live
        entry = self._next(kind, asked)
        record_entry(self.recorder, entry)
        if entry.raised:
            raise error_from_json(entry.raised)
        return entry.gave

    def found(self, kind: str, asked: Any, live: Callable[[], Any]) -> Any:  # noqa: ANN401  JSON
        """Return the recorded answer; None if none was recorded."""
        del live
        entry = self._found(kind, asked)
        if entry is None:
            return None
        record_entry(self.recorder, entry)
        return entry.gave

    def happened(self, kind: str, asked: Any, *, live: bool) -> bool:  # noqa: ANN401  JSON data
        """Return whether something happened in the recorded run."""
        del live
        entry = self._found(kind, asked)
        if entry is not None:
            record_entry(self.recorder, entry)
        return entry is not None

    def observed(self, call: ToolCall) -> Observation | None:
        """Return the recorded result of a call."""
        gave = self._next("call", {"tool": call.tool, "args": dict(call.args)}).gave
        try:
            return replace(from_json(Observation, gave), call=call)
        except (TypeError, ValueError) as error:
            msg = f"the output of {call.tool} cannot be read in {self._recording.path}: {error}"
            raise RecordingError(msg, hint="record it again") from error

    def timed(self, remark: Observation) -> Observation:
        """Return an observation with its recorded time, or its own time if none was recorded."""
        entry = self._found("remark", remark_asked(remark))
        return replace(remark, **entry.gave) if entry is not None else remark

    def decided(self, anywhere: str) -> Mapping[str, Any]:
        """Return the recorded decision about what is shown.

        Args:
            anywhere: Fingerprint of what is shown, with its folder left out.

        Raises:
            ReplayMissError: No decision was recorded.
        """
        gave: Mapping[str, Any] = self._next("decision", {"shown": anywhere}).gave
        return gave

    def end(self) -> None:
        """Log how many recorded entries of each kind the run did not ask for."""
        left = leftovers(self._known.entries, self._asked)
        if left:
            LOGGER.info("recorded and not asked for", extra={"detail": left})

    @property
    def _known(self) -> RecordedRun:
        """The recorded run that is replayed, looked up on first use."""
        if self._run is None:
            records = self.recorder.journal.records(self.recorder.run_id)
            started = events_of(records, RunStarted)[0]
            self._run = self._recording.find(started)
            self._asked = counted(records, self._run.made_at)
        return self._run

    def _next(self, kind: str, asked: Any) -> RecordedEntry:  # noqa: ANN401  JSON data
        """Return the entry that answers a question.

        Raises:
            ReplayMissError: The question was not recorded, or less often than it was asked.
        """
        entry = self._found(kind, asked)
        if entry is None:
            asked = self._normal(asked)
            before, path = self._asked[key_of(kind, asked)], self._recording.path
            raise missing_entry(kind, asked, before, self._known.entries, path)
        return entry

    def _found(self, kind: str, asked: Any) -> RecordedEntry | None:  # noqa: ANN401  JSON data
        """Return the entry for the n-th time a question is asked, or None."""
        entries = self._known.entries  # read first: this restores the counts of past questions
        key = key_of(kind, self._normal(asked))
        same = [entry for entry in entries if entry.key == key]
        before = self._asked[key]
        if kind in _LASTING:
            before = min(before, len(same) - 1)
        if not 0 <= before < len(same):
            return None
        self._asked[key] += 1
        return same[before]

    def _normal(self, asked: Any) -> Any:  # noqa: ANN401  JSON data
        return Normalization(self._places, self._known.made_at).json(asked)
