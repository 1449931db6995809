"""The live view of a run with Pause and Stop: one widget, for as long as something goes on.

Importing this module imports anywidget; whoever shows a run does so when it takes long enough for a
click.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from typing import Any, Final, Literal, cast, get_args

import traitlets

from okso_jupyter.widgets.slot import SlotWidget, WidgetSlot

#: What its buttons ask for.
Action = Literal["pause", "stop"]

#: One module in parts: each uses what those before it define.
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
    """The widget and what its buttons ask for.

    Args:
        on_action: Told of each click; it may come on any thread and should only take note.
    """

    def __init__(self, on_action: Callable[[Action], object]) -> None:
        self._on_action = on_action
        self._widget = LiveWidget()
        self._slot = WidgetSlot(self._widget, self.receive)

    @property
    def is_displayed(self) -> bool:
        """Whether the front end has to be given the widget itself."""
        return self._slot.is_displayed

    def bundle(self, html: str, text: str) -> dict[str, Any]:
        """Return what a front end displays as the panel.

        Args:
            html: What is to be read where there is no panel.
            text: The same for front ends without HTML.
        """
        return self._slot.bundle(html, text)

    def show(self, html: str, way_on: str, *, can_pause: bool) -> None:
        """Show the run as it stands.

        Args:
            html: What `views.live_html` made.
            way_on: What to do if the kernel ends now.
            can_pause: Whether Pause would do something.
        """
        self._widget.html = html
        self._widget.way_on = way_on
        self._widget.can_pause = can_pause

    def receive(self, message: object) -> None:
        """Take a message of the front end; what is no click changes nothing."""
        action = message.get("action") if isinstance(message, dict) else None
        if action in get_args(Action):
            if action == "stop":
                self._widget.can_stop = self._widget.can_pause = False
            self._on_action(cast(Action, action))

    def close(self, html: str) -> None:
        """Close the widget; pages that do not get the cell's outputs any more show this HTML."""
        self._widget.html = html
        self._slot.close()
