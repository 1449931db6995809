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
