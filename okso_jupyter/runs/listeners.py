"""Listeners of a run: the callbacks of the public API, handed on as one object."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from okso_jupyter.errors import error_text
from okso_jupyter.llm.protocol import Sampling
from okso_jupyter.log import LOGGER
from okso_jupyter.planning.outcome import Planning
from okso_jupyter.runs.watch import OnLive

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
