"""Listeners of a run: callbacks of the public API, and the watch that reports live state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from okso_jupyter.errors import JournalError, error_text
from okso_jupyter.journal.events import Event
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.run_view import RunView
from okso_jupyter.journal.run_view.live_fold import LiveFold
from okso_jupyter.journal.store import now
from okso_jupyter.kernel import interrupt
from okso_jupyter.llm.protocol import Sampling
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.live import Live
from okso_jupyter.planning.outcome import Planning

#: Called with the state of a run at every change, and several times a second while steps run.
OnLive = Callable[[Live], object]


@dataclass(slots=True)
class RunWatch:
    """Reports one run.

    An error of the listener, or an event that the live state cannot take in, is logged once and
    does not affect the run: what the event tells of is recorded by then. A Stop
    (KeyboardInterrupt) in it ends the run, but never between a record and its effect: it is
    deferred until the executor waits or has finished.

    Attributes:
        on_live: The listener.
        view: The state of the run.
        live: The last live state that could be read.
    """

    on_live: OnLive
    view: RunView
    live: Live
    _tails: Mapping[int, str] = field(default_factory=dict)
    _is_stopped: bool = False
    _has_failed: bool = False
    _is_broken: bool = False

    @classmethod
    def open(cls, recorder: RunRecorder, on_live: OnLive) -> Self:
        """Return the watch of a run; it starts from the existing records of the journal.

        Raises:
            JournalError: One of these records is damaged; nothing of the run has changed.
        """
        view = RunView(
            recorder.run_id,
            recorder.journal.records(recorder.run_id, *LiveFold.takes),
            parts=(LiveFold,),
        )
        watch = cls(on_live, view, view.live)
        recorder.listeners.append(watch._on_event)
        return watch

    def wait(self, tails: Mapping[int, str]) -> None:
        """Report the output of the running steps; called while the executor waits.

        Args:
            tails: The last lines of output of each running step, by step id.

        Raises:
            KeyboardInterrupt: The listener wants the run to stop.
        """
        self._tails = tails
        self._notify()
        self.check_stopped()

    def check_stopped(self) -> None:
        """Raise KeyboardInterrupt, once, if the listener wants the run to stop."""
        stopped, self._is_stopped = self._is_stopped, False
        if stopped:
            raise KeyboardInterrupt

    def _on_event(self, event: Event) -> None:
        if self._is_broken:
            return
        self.view.apply_event(event, now())
        try:
            before, self.live = self.live, self.view.live
        except JournalError as error:
            LOGGER.warning(
                "the live state is not updated any more", extra={"detail": error_text(error)}
            )
            self._is_broken = True
            return
        if self.live is not before:
            self._notify()

    def _notify(self) -> None:
        try:
            with interrupt.let_through():
                self.on_live(self.live.with_tails(self._tails))
        except KeyboardInterrupt:
            self._is_stopped = True
        except Exception as error:  # noqa: BLE001  a listener is foreign code
            if not self._has_failed:
                extra = {"detail": error_text(error)}
                LOGGER.warning("on_live failed; the run continues", extra=extra)
            self._has_failed = True


OnEvent = Callable[[Mapping[str, Any]], None]
OnPlanning = Callable[[Planning], None]
OnSampling = Callable[[Sampling], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listeners:
    """What is called while a run works; None if there is no listener.

    Attributes:
        on_event: Called at every change of a step.
        on_planning: Called with every new planning, before it is shown.
        on_sampling: Called with the progress of every model call; an exception ends the run.
        on_live: Called with the state of the run at every change while its plan is executed.
    """

    on_event: OnEvent | None = None
    on_planning: OnPlanning | None = None
    on_sampling: OnSampling | None = None
    on_live: OnLive | None = None

    def planned(self, planning: Planning) -> None:
        """Call `on_planning`; an error in it is only logged."""
        if self.on_planning is None:
            return
        try:
            self.on_planning(planning)
        except Exception as error:  # noqa: BLE001  foreign code
            extra = {"detail": error_text(error)}
            LOGGER.warning("on_planning failed; the run continues", extra=extra)
