"""Watching: somebody is told where a run stands, from what its journal is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Self

from okso_jupyter.errors import told_by
from okso_jupyter.journal.events import Event
from okso_jupyter.journal.live_fold import heard, live_of
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.store import now
from okso_jupyter.kernel import interrupt
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.live import Live

#: Given the state of a run whenever it changes, and several times a second while steps run.
OnLive = Callable[[Live], object]


@dataclass(slots=True)
class RunWatch:
    """Tells of one run.

    A listener that fails is a line in the log and changes nothing about the run. Its Stop
    (KeyboardInterrupt) ends the run, but never between a record and what it stands for: it is
    kept until the walk waits or is over.

    Attributes:
        on_live: The listener.
        live: The state that it was told last.
    """

    on_live: OnLive
    live: Live
    _is_stopped: bool = False
    _has_failed: bool = False

    @classmethod
    def open(cls, recorder: RunRecorder, on_live: OnLive) -> Self:
        """Return the watch of a run, which begins with what the journal holds already."""
        known = live_of(recorder.run_id, recorder.journal.records(recorder.run_id))
        watch = cls(on_live, known)
        recorder.listeners.append(watch._hear)
        return watch

    def wait(self, tails: Mapping[int, str]) -> None:
        """Tell how the running steps are; called while the walk has nothing else to do.

        Args:
            tails: The last lines that each of them has put out so far, by step id.

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
        newer = heard(self.live, event, now())
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
                extra = {"detail": told_by(error)}
                LOGGER.warning("on_live failed; the run goes on", extra=extra)
            self._has_failed = True
