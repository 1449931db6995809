"""RunWatch: reports the live state of a run to a listener, from the events of its journal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Self

from okso_jupyter.errors import error_text
from okso_jupyter.journal.events import Event
from okso_jupyter.journal.live_fold import live_after, live_of
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.store import now
from okso_jupyter.kernel import interrupt
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.live import Live

#: Called with the state of a run at every change, and several times a second while steps run.
OnLive = Callable[[Live], object]


@dataclass(slots=True)
class RunWatch:
    """Reports one run.

    An error of the listener is logged once and does not affect the run. A Stop
    (KeyboardInterrupt) in it ends the run, but never between a record and its effect: it is
    deferred until the executor waits or has finished.

    Attributes:
        on_live: The listener.
        live: The state that was reported last.
    """

    on_live: OnLive
    live: Live
    _is_stopped: bool = False
    _has_failed: bool = False

    @classmethod
    def open(cls, recorder: RunRecorder, on_live: OnLive) -> Self:
        """Return the watch of a run; it starts from the existing records of the journal."""
        known = live_of(recorder.run_id, recorder.journal.records(recorder.run_id))
        watch = cls(on_live, known)
        recorder.listeners.append(watch._hear)
        return watch

    def wait(self, tails: Mapping[int, str]) -> None:
        """Report the output of the running steps; called while the executor waits.

        Args:
            tails: The last lines of output of each running step, by step id.

        Raises:
            KeyboardInterrupt: The listener wants the run to stop.
        """
        self.live = self.live.with_tails(tails)
        self._tell()
        self.check_stopped()

    def check_stopped(self) -> None:
        """Raise KeyboardInterrupt, once, if the listener wants the run to stop."""
        stopped, self._is_stopped = self._is_stopped, False
        if stopped:
            raise KeyboardInterrupt

    def _hear(self, event: Event) -> None:
        newer = live_after(self.live, event, now())
        if newer is not self.live:
            self.live = newer
            self._tell()

    def _tell(self) -> None:
        try:
            with interrupt.let_through():
                self.on_live(self.live)
        except KeyboardInterrupt:
            self._is_stopped = True
        except Exception as error:  # noqa: BLE001  a listener is foreign code
            if not self._has_failed:
                extra = {"detail": error_text(error)}
                LOGGER.warning("on_live failed; the run goes on", extra=extra)
            self._has_failed = True
