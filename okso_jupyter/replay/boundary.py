"""Boundary between a run and the outside: records what comes in, or replays it.

Outside of a run are models, tools and people, and what is looked at on the way: names in the
folder, the clock, chance. The journal is told of all of it, so that a run can be recorded while it
goes on, or exported afterwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from okso_jupyter import errors
from okso_jupyter.errors import OksoError, RecordingError
from okso_jupyter.journal.codec import from_json, sha256_of
from okso_jupyter.journal.events import OutsideAsked, RunStarted
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.store import events_of
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.records import Observation, ToolCall
from okso_jupyter.replay.misses import leftovers, missing_entry
from okso_jupyter.replay.normalization import Normalization, Places
from okso_jupyter.replay.recorded_entries import RecordedEntry, counted, key_of, remark_asked
from okso_jupyter.replay.recording_file import RecordedRun, Recording

#: Gives what `Boundary.take` gives; whoever takes need not know of tapes.
Take = Callable[[str, Any, Callable[[], Any]], Any]


def call_live(_kind: str, _asked: Any, live: Callable[[], Any]) -> Any:  # noqa: ANN401  JSON data
    """Return what the outside gives, written down by nobody."""
    return live()


class Boundary:
    """Writes down what a run takes from outside.

    Args:
        recorder: The run's journal.
        places: Where folders lie on this machine.
    """

    def __init__(self, recorder: RunRecorder, places: Places) -> None:
        self.recorder = recorder
        self.places = places
        self._is_inside = False

    @property
    def is_replay(self) -> bool:
        """Whether nothing is asked live."""
        return False

    def take(self, kind: str, asked: Any, live: Callable[[], Any]) -> Any:  # noqa: ANN401  JSON
        """Return what the outside gives.

        What is taken on the way to an answer is part of it, and not written down again.

        Args:
            kind: Whom it is asked of.
            asked: What is asked, as JSON data.
            live: Asks, and gives JSON data.

        Raises:
            OksoError: What `live` raised.
            ReplayMissError: It is played back, and was not recorded.
        """
        if self._is_inside:
            return live()
        asked = Normalization(self.places).json(asked)
        self._is_inside = True
        try:
            gave = live()
        except OksoError as error:
            self._note(RecordedEntry(kind=kind, asked=asked, raised=_error_to_json(error)))
            raise
        finally:
            self._is_inside = False
        self._note(RecordedEntry(kind=kind, asked=asked, gave=gave))
        return gave

    def happened(self, kind: str, asked: Any, *, live: bool) -> bool:  # noqa: ANN401  JSON data
        """Say whether something happened; only what did is written down.

        Args:
            kind: What may happen.
            asked: When, as JSON data.
            live: Whether it does.
        """
        if live and not self._is_inside:
            self._note(
                RecordedEntry(kind=kind, asked=Normalization(self.places).json(asked), gave=True)
            )
        return live

    def found(self, kind: str, asked: Any, live: Callable[[], Any]) -> Any:  # noqa: ANN401  JSON
        """Return what there is for a question, None where there is nothing; see `take`.

        Only what there is is written down, so that a recording that was made before the question
        was asked is played back as one in which there was nothing.
        """
        if self._is_inside:
            return live()
        self._is_inside = True
        try:
            gave = live()
        finally:
            self._is_inside = False
        if gave is not None:
            asked = Normalization(self.places).json(asked)
            self._note(RecordedEntry(kind=kind, asked=asked, gave=gave))
        return gave

    def observed(self, call: ToolCall) -> Observation | None:
        """Return what a call came to when it was recorded; None where it has to be made.

        Raises:
            ReplayMissError: It was not recorded.
        """
        del call
        return None

    def timed(self, remark: Observation) -> Observation:
        """Return an observation without a call, with the time that it was made at."""
        return remark

    def end(self) -> None:
        """Tell what was recorded and not asked for."""

    def _note(self, entry: RecordedEntry) -> None:
        """Write an entry into the journal, where no other record holds it."""
        asked = OutsideAsked(
            of=entry.kind,
            asked=entry.asked,
            gave=entry.gave,
            raised=dict(entry.raised),
            # of what is told here: the journal leaves secrets out, and what is very large
            sha256=sha256_of([entry.asked, entry.gave]),
        )
        self.recorder.record_with_next(asked)


class ReplayBoundary(Boundary):
    """Plays back what a recording holds; nothing is asked live.

    Args:
        recorder: The run's journal, which knows how far an earlier part of the run came.
        places: Where folders lie on this machine.
        recording: The recording.
    """

    def __init__(self, recorder: RunRecorder, places: Places, recording: Recording) -> None:
        super().__init__(recorder, places)
        self._recording = recording
        self._run: RecordedRun | None = None
        self._asked: Counter[str] = Counter()

    @property
    def is_replay(self) -> bool:
        """Whether nothing is asked live."""
        return True

    def take(self, kind: str, asked: Any, live: Callable[[], Any]) -> Any:  # noqa: ANN401  JSON
        """Return what was recorded; see `Boundary.take`."""
        del live
        entry = self._next(kind, asked)
        self._note(entry)
        if entry.raised:
            raise _error_from_json(entry.raised)
        return entry.gave

    def found(self, kind: str, asked: Any, live: Callable[[], Any]) -> Any:  # noqa: ANN401  JSON
        """Return what was found when it was recorded; see `Boundary.found`."""
        del live
        entry = self._found(kind, asked)
        if entry is None:
            return None
        self._note(entry)
        return entry.gave

    def happened(self, kind: str, asked: Any, *, live: bool) -> bool:  # noqa: ANN401  JSON data
        """Say whether something happened when it was recorded; see `Boundary.happened`."""
        del live
        entry = self._found(kind, asked)
        if entry is not None:
            self._note(entry)
        return entry is not None

    def observed(self, call: ToolCall) -> Observation | None:
        """Return what a call came to."""
        gave = self._next("call", {"tool": call.tool, "args": dict(call.args)}).gave
        try:
            return replace(from_json(Observation, gave), call=call)
        except (TypeError, ValueError) as error:
            msg = f"what {call.tool} gave cannot be read in {self._recording.path}: {error}"
            raise RecordingError(msg, hint="record it again") from error

    def timed(self, remark: Observation) -> Observation:
        """Return a remark as it was timed; one that was not made then keeps its own time."""
        entry = self._found("remark", remark_asked(remark))
        return replace(remark, **entry.gave) if entry is not None else remark

    def decided(self, anywhere: str) -> Mapping[str, Any]:
        """Return the decision that was made about what is shown.

        Args:
            anywhere: Fingerprint of what is shown, its folder left out.

        Raises:
            ReplayMissError: None was recorded.
        """
        gave: Mapping[str, Any] = self._next("decision", {"shown": anywhere}).gave
        return gave

    def end(self) -> None:
        """Tell what was recorded and not asked for."""
        left = leftovers(self._known.entries, self._asked)
        if left:
            LOGGER.info("recorded and not asked for", extra={"detail": left})

    @property
    def _known(self) -> RecordedRun:
        """The recorded run that is played back, found when it is first needed."""
        if self._run is None:
            records = self.recorder.journal.records(self.recorder.run_id)
            started = events_of(records, RunStarted)[0]
            self._run = self._recording.find(started)
            self._asked = counted(records, self._run.made_at)
        return self._run

    def _next(self, kind: str, asked: Any) -> RecordedEntry:  # noqa: ANN401  JSON data
        """Return the entry that answers a question.

        Raises:
            ReplayMissError: It was not asked, or not that often.
        """
        entry = self._found(kind, asked)
        if entry is None:
            asked = self._normal(asked)
            before, path = self._asked[key_of(kind, asked)], self._recording.path
            raise missing_entry(kind, asked, before, self._known.entries, path)
        return entry

    def _found(self, kind: str, asked: Any) -> RecordedEntry | None:  # noqa: ANN401  JSON data
        """Return the entry that answers a question for the n-th time, if there is one."""
        entries = self._known.entries  # first: it also tells how often was asked before
        key = key_of(kind, self._normal(asked))
        same = [entry for entry in entries if entry.key == key]
        before = self._asked[key]
        if before >= len(same):
            return None
        self._asked[key] += 1
        return same[before]

    def _normal(self, asked: Any) -> Any:  # noqa: ANN401  JSON data
        return Normalization(self.places, self._known.made_at).json(asked)


def _error_to_json(error: OksoError) -> dict[str, str]:
    return {"type": type(error).__name__, "message": error.message, "hint": error.hint}


def _error_from_json(data: Mapping[str, str]) -> OksoError:
    """Return an error as it was raised when it was recorded.

    Raises:
        RecordingError: It is none of ours.
    """
    kind = vars(errors).get(data["type"])
    if not (isinstance(kind, type) and issubclass(kind, OksoError)):
        msg = f"the recording holds an error of an unknown kind: {data['type']}"
        raise RecordingError(msg, hint="record it again")
    return kind(data["message"], hint=data["hint"])
