"""Slot: an element of an output's static HTML that a page draws a widget into (static/slots.js).

A displayed widget is saved with the notebook, and shown as "Error displaying widget: model not
found" once its kernel has ended. A slot contains static HTML for that case. The widget is opened
but not displayed: front ends still create its model, whose script draws it into the slot. The page
reports that to the kernel. If no page does so in time, the widget itself is displayed, for front
ends that create models only for displayed widgets.

Importing this module imports anywidget; `approval.form.widget` and `live_panel` do so.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final
from uuid import uuid4

import anywidget
import traitlets

#: Seconds a page has to load the script; a later report is still accepted.
_DRAWN_WITHIN_S: Final = 5.0
_VIEW: Final = "application/vnd.jupyter.widget-view+json"


class SlotWidget(anywidget.AnyWidget):  # type: ignore[misc]  # untyped here
    """A widget that draws itself into slots; sends {"action": "drawn"} from each page."""

    slot = traitlets.Unicode(help="class of the elements that it is drawn into").tag(sync=True)
    way_on = traitlets.Unicode(help="what to do once the kernel has ended").tag(sync=True)

    @traitlets.default("slot")  # type: ignore[untyped-decorator]
    def _unguessed(self) -> str:
        return f"okso-slot-{uuid4().hex}"


class WidgetSlot:
    """The slot of one widget in an output.

    Args:
        widget: The widget.
        on_message: Called with every message except "drawn", on any thread.
    """

    def __init__(self, widget: SlotWidget, on_message: Callable[[object], object]) -> None:
        self._widget = widget
        self._on_message = on_message
        self._is_drawn = False
        self._since_s = time.monotonic()
        widget.on_msg(lambda _widget, message, _buffers: self._receive(message))

    @property
    def is_displayed(self) -> bool:
        """Whether the widget itself has to be displayed because no page drew it in time."""
        return not self._is_drawn and time.monotonic() > self._since_s + _DRAWN_WITHIN_S

    def bundle(self, html: str, text: str) -> dict[str, Any]:
        """Return the MIME bundle of the output.

        Args:
            html: Content of the slot where there is no widget.
            text: The same as plain text.
        """
        data = {"text/html": f"<div class='{self._widget.slot}'>{html}</div>", "text/plain": text}
        return {_VIEW: self._view(), **data} if self.is_displayed else data

    def _view(self) -> dict[str, Any]:
        return {"version_major": 2, "version_minor": 0, "model_id": self._widget.model_id}

    def close(self) -> None:
        """Close the widget and its layout model, which would otherwise be saved on its own."""
        self._widget.layout.close()
        self._widget.close()

    def _receive(self, message: object) -> None:
        if message == {"action": "drawn"}:
            self._is_drawn = True
        else:
            self._on_message(message)
