"""Pause and Stop buttons of a cell's live view; clicks are handled while the cell works."""

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
    """State and actions of the buttons of one cell.

    Attributes:
        ticker: Processes clicks while the cell works.
        pause: Asks a run to pause, by its id.
        run_id: The run that executes; empty while there is nothing to pause.
        note: Result of the last click, in words.
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
        """Whether a click on Pause has an effect."""
        return bool(self.run_id) and not self.note

    def look(self) -> None:
        """Handle the clicks since the last call.

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
    """Yield the controls of this cell; None where it cannot handle clicks while it works.

    Args:
        pause: Asks a run to pause, by its id.
    """
    with ticking() as ticker:
        yield None if ticker is None else Controls(ticker, pause)
