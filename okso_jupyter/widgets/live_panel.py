"""Live panel of a run with Pause and Stop buttons: one widget that is open while the run works.

Importing this module imports anywidget, so it is imported only once a run takes long enough for a
click.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from typing import Any, Final, Literal, cast, get_args

import traitlets

from okso_jupyter.widgets.slot import SlotWidget, WidgetSlot

#: The actions of its buttons.
Action = Literal["pause", "stop"]

#: Parts of one ES module; each uses the definitions of those before it.
_SCRIPTS: Final = ("kernel.js", "slots.js", "focus.js", "live.js")
_STATIC: Final = resources.files("okso_jupyter.widgets") / "static"


class LiveWidget(SlotWidget):
    """Shows HTML and two buttons; sends {"action"}."""

    _esm = "\n".join((_STATIC / name).read_text("utf-8") for name in _SCRIPTS)
    _css = (_STATIC / "live.css").read_text("utf-8")

    html = traitlets.Unicode(help="the run as it stands, made by `views.live_html`").tag(sync=True)
    can_pause = traitlets.Bool(default_value=False, help="whether Pause can be pressed").tag(
        sync=True
    )
    can_stop = traitlets.Bool(default_value=True, help="whether Stop can be pressed").tag(sync=True)


class LivePanel:
    """The live widget and its button actions.

    Args:
        on_action: Called with each click, on any thread; it should only set a flag.
    """

    def __init__(self, on_action: Callable[[Action], object]) -> None:
        self._on_action = on_action
        self._widget = LiveWidget()
        self._slot = WidgetSlot(self._widget, self.receive)

    @property
    def is_displayed(self) -> bool:
        """Whether the widget itself has to be displayed."""
        return self._slot.is_displayed

    def bundle(self, html: str, text: str) -> dict[str, Any]:
        """Return the MIME bundle of the panel.

        Args:
            html: Static HTML shown where the widget is not available.
            text: The same as plain text.
        """
        return self._slot.bundle(html, text)

    def show(self, html: str, way_on: str, *, can_pause: bool) -> None:
        """Show the current state of the run.

        Args:
            html: HTML made by `views.live_html`.
            way_on: Shown if the kernel ends: what the user can do then.
            can_pause: Whether the Pause button is enabled.
        """
        self._widget.html = html
        self._widget.way_on = way_on
        self._widget.can_pause = can_pause

    def receive(self, message: object) -> None:
        """Handle a message of the front end; messages other than clicks are ignored."""
        action = message.get("action") if isinstance(message, dict) else None
        if action in get_args(Action):
            if action == "stop":
                self._widget.can_stop = self._widget.can_pause = False
            self._on_action(cast(Action, action))

    def close(self, html: str) -> None:
        """Close the widget; pages that no longer receive the cell's outputs keep this HTML."""
        self._widget.html = html
        self._slot.close()
