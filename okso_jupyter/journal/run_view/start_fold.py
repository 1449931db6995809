"""Start of a run."""

from __future__ import annotations

from dataclasses import dataclass

from okso_jupyter.journal.events import RunStarted
from okso_jupyter.journal.run_view.fold import Fold


@dataclass(kw_only=True)
class StartFold(Fold[RunStarted]):
    """Start of a run.

    Attributes:
        started: Its request, folder, settings, tools and versions; None if there is no record.
    """

    takes = (RunStarted,)
    started: RunStarted | None = None

    def apply(self, event: RunStarted, at: str) -> None:
        """Keep what the run began with."""
        del at
        self.started = event
