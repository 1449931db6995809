"""Pause and Stop beside the live view of a cell: clicks are heard while the cell works."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from okso_jupyter.errors import OksoError
from okso_jupyter.kernel.pump import Ticker
from okso_jupyter.kernel.waiting import ticking

if TYPE_CHECKING:
    from okso_jupyter.widgets.live_panel import Action, LivePanel

_PAUSING = "Pausing: the steps that run finish, no other is started."


@dataclass(slots=True)
class Controls:
    """What the buttons of one cell can do.

    Attributes:
        ticker: Has clicks handled.
        pause: Asks a run to pause, by its id.
        run_id: The run that executes; empty while there is nothing to pause.
        note: What came of a click, in words.
    """

    ticker: Ticker
    pause: Callable[[str], object]
    run_id: str = ""
    note: str = ""
    _wants_pause: bool = field(default=False)

    def panel(self) -> LivePanel:
        """Return a new panel with the buttons."""
        from okso_jupyter.widgets.live_panel import LivePanel  # noqa: PLC0415  loads ipywidgets

        return LivePanel(self._clicked)

    @property
    def can_pause(self) -> bool:
        """Whether Pause would do something."""
        return bool(self.run_id) and not self.note

    def look(self) -> None:
        """Do what was clicked since the last look.

        Raises:
            KeyboardInterrupt: Stop was clicked, or the user stopped the cell.
        """
        self.ticker.tick()
        wants, self._wants_pause = self._wants_pause, False
        if wants and self.can_pause:
            try:
                self.pause(self.run_id)
                self.note = _PAUSING
            except OksoError as error:
                self.note = str(error)

    def _clicked(self, action: Action) -> None:
        if action == "stop":
            self.ticker.stop()
        else:
            self._wants_pause = True


@contextmanager
def controls(pause: Callable[[str], object]) -> Iterator[Controls | None]:
    """Lend the controls of this cell; None where no click could be heard while it works.

    Args:
        pause: Asks a run to pause, by its id.
    """
    with ticking() as ticker:
        yield None if ticker is None else Controls(ticker, pause)
