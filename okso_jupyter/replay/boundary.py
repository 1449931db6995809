"""Boundary between a run and the outside: the protocol, and the live implementation.

The outside comprises models, tools, people, file names in the folder, the clock and random
numbers. All of it goes to the journal, so that a run can be recorded while it executes or
exported afterwards. `replayed_boundary` answers from a recording.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from okso_jupyter.errors import OksoError
from okso_jupyter.journal.codec import sha256_of
from okso_jupyter.journal.events import OutsideAsked
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.plan.records import Observation, ToolCall
from okso_jupyter.replay.normalization import Normalization, Places
from okso_jupyter.replay.recorded_entries import RecordedEntry, error_to_json

#: Signature of `Boundary.take`, so that callers need not know about recordings.
Take = Callable[[str, Any, Callable[[], Any]], Any]


def call_live(_kind: str, _asked: Any, live: Callable[[], Any]) -> Any:  # noqa: ANN401  JSON data
    """Return the live answer without recording it."""
    return live()


class Boundary(Protocol):
    """What a run takes from outside, live or replayed; each answer goes to the journal."""

    @property
    def recorder(self) -> RunRecorder:
        """The run's journal."""

    @property
    def is_replay(self) -> bool:
        """Whether every answer comes from a recording and nothing is asked live."""

    def take(self, kind: str, asked: Any, live: Callable[[], Any]) -> Any:  # noqa: ANN401  JSON
        """Return the answer from outside.

        Args:
            kind: Kind of question.
            asked: The question, as JSON data.
            live: Asks the question and returns JSON data.

        Raises:
            OksoError: What `live` raised, now or when it was recorded.
            ReplayMissError: This is a replay, and the question was not recorded.
        """

    def found(self, kind: str, asked: Any, live: Callable[[], Any]) -> Any:  # noqa: ANN401  JSON
        """Return the answer to a question, or None if there is none; see `take`.

        Only an answer other than None is recorded, so that a recording made before this question
        existed replays as "no answer".
        """

    def happened(self, kind: str, asked: Any, *, live: bool) -> bool:  # noqa: ANN401  JSON data
        """Return whether something happened; it is recorded only if it did.

        Args:
            kind: Kind of event.
            asked: The occasion, as JSON data.
            live: Whether it happens now.
        """

    def observed(self, call: ToolCall) -> Observation | None:
        """Return the recorded result of a call; None if the call has to be made.

        Raises:
            ReplayMissError: This is a replay, and the call was not recorded.
        """

    def timed(self, remark: Observation) -> Observation:
        """Return an observation without a call, with the time at which it was recorded."""

    def end(self) -> None:
        """Report recorded entries that the run did not ask for."""


def record_entry(recorder: RunRecorder, entry: RecordedEntry) -> None:
    """Record an entry in the journal; only for kinds that no other record holds."""
    asked = OutsideAsked(
        of=entry.kind,
        asked=entry.asked,
        gave=entry.gave,
        raised=dict(entry.raised),
        # Hashed here: the journal redacts secrets and cuts very large parts.
        sha256=sha256_of([entry.asked, entry.gave]),
    )
    recorder.record_with_next(asked)


class LiveBoundary:
    """Records what a run takes from outside.

    Args:
        recorder: The run's journal.
        places: Locations of folders on this machine.
    """

    def __init__(self, recorder: RunRecorder, places: Places) -> None:
        self.recorder = recorder
        self._places = places
        self._is_inside = False

    @property
    def is_replay(self) -> bool:
        """Whether every answer comes from a recording and nothing is asked live."""
        return False

    def take(self, kind: str, asked: Any, live: Callable[[], Any]) -> Any:  # noqa: ANN401  JSON
        """Return the live answer; questions asked meanwhile belong to it and are not recorded."""
        if self._is_inside:
            return live()
        self._is_inside = True
        try:
            gave = live()
        except OksoError as error:
            self._record(kind, asked, raised=error_to_json(error))
            raise
        finally:
            self._is_inside = False
        self._record(kind, asked, gave=gave)
        return gave

    def happened(self, kind: str, asked: Any, *, live: bool) -> bool:  # noqa: ANN401  JSON data
        """Return whether it happens now, which is recorded."""
        if live and not self._is_inside:
            self._record(kind, asked, gave=True)
        return live

    def found(self, kind: str, asked: Any, live: Callable[[], Any]) -> Any:  # noqa: ANN401  JSON
        """Return the live answer; None is not recorded."""
        if self._is_inside:
            return live()
        self._is_inside = True
        try:
            gave = live()
        finally:
            self._is_inside = False
        if gave is not None:
            self._record(kind, asked, gave=gave)
        return gave

    def observed(self, call: ToolCall) -> Observation | None:
        """Return None: the call has to be made."""
        del call
        return None

    def timed(self, remark: Observation) -> Observation:
        """Return an observation without a call, with the time at which it was recorded."""
        return remark

    def end(self) -> None:
        """Report recorded entries that the run did not ask for."""

    def _record(self, kind: str, asked: Any, **answer: Any) -> None:  # noqa: ANN401  JSON data
        asked = Normalization(self._places).json(asked)
        record_entry(self.recorder, RecordedEntry(kind=kind, asked=asked, **answer))
