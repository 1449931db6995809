"""LiveBoundary: asks models, tools, people and the clock, and records what they answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from okso_jupyter.errors import OksoError
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.plan.records import Observation, ToolCall
from okso_jupyter.replay.boundary import record_entry
from okso_jupyter.replay.normalization import Normalization, Places
from okso_jupyter.replay.recorded_entries import RecordedEntry, error_to_json


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
        """Return the answer from outside.

        Nested questions are part of the outer answer and are not recorded again.

        Args:
            kind: Kind of question.
            asked: The question, as JSON data.
            live: Asks the question and returns JSON data.

        Raises:
            OksoError: What `live` raised.
            ReplayMissError: This is a replay, and the question was not recorded.
        """
        if self._is_inside:
            return live()
        asked = Normalization(self._places).json(asked)
        self._is_inside = True
        try:
            gave = live()
        except OksoError as error:
            record_entry(self.recorder, RecordedEntry(kind=kind, asked=asked, raised=error_to_json(error)))
            raise
        finally:
            self._is_inside = False
        record_entry(self.recorder, RecordedEntry(kind=kind, asked=asked, gave=gave))
        return gave

    def happened(self, kind: str, asked: Any, *, live: bool) -> bool:  # noqa: ANN401  JSON data
        """Return whether something happened; it is recorded only if it did.

        Args:
            kind: Kind of event.
            asked: The occasion, as JSON data.
            live: Whether it happens now.
        """
        if live and not self._is_inside:
            record_entry(self.recorder, 
                RecordedEntry(kind=kind, asked=Normalization(self._places).json(asked), gave=True)
            )
        return live

    def found(self, kind: str, asked: Any, live: Callable[[], Any]) -> Any:  # noqa: ANN401  JSON
        """Return the answer to a question, or None if there is none; see `take`.

        Only an answer other than None is recorded, so that a recording made before this question
        existed replays as "no answer".
        """
        if self._is_inside:
            return live()
        self._is_inside = True
        try:
            gave = live()
        finally:
            self._is_inside = False
        if gave is not None:
            asked = Normalization(self._places).json(asked)
            record_entry(self.recorder, RecordedEntry(kind=kind, asked=asked, gave=gave))
        return gave

    def observed(self, call: ToolCall) -> Observation | None:
        """Return the recorded result of a call; None if the call has to be made.

        Raises:
            ReplayMissError: The call was not recorded.
        """
        del call
        return None

    def timed(self, remark: Observation) -> Observation:
        """Return an observation without a call, with the time at which it was recorded."""
        return remark

    def end(self) -> None:
        """Report recorded entries that the run did not ask for."""
