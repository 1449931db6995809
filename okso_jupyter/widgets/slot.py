"""Slot: the static HTML of an output that a page draws a widget into (static/slots.js).

A displayed widget is saved with the notebook, and shown as "Error displaying widget: model not
found" once its kernel has gone. A slot holds what is to be read then. The widget itself is opened
and not displayed: front ends make a model of it all the same, whose script draws it into the slot.
A page tells the kernel that it does so. Where none does in time, the output is the widget after
all, as front ends expect that make models only of what is displayed.

Importing this module imports anywidget; `form` and `live_panel` do so.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final
from uuid import uuid4

import anywidget
import traitlets

#: How long a page may take to load the script, in seconds. A page that is later still is heard.
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
    """The place of one widget in an output.

    Args:
        widget: The widget.
        on_message: Told of every message that is the widget's own; may come on any thread.
    """

    def __init__(self, widget: SlotWidget, on_message: Callable[[object], object]) -> None:
        self._widget = widget
        self._on_message = on_message
        self._is_drawn = False
        self._since_s = time.monotonic()
        widget.on_msg(lambda _widget, message, _buffers: self._hear(message))

    @property
    def is_displayed(self) -> bool:
        """Whether the widget has to be displayed: no page has drawn it by now."""
        return not self._is_drawn and time.monotonic() > self._since_s + _DRAWN_WITHIN_S

    def bundle(self, html: str, text: str) -> dict[str, Any]:
        """Return what is displayed.

        Args:
            html: What stands in the slot where there is no widget.
            text: The same for front ends without HTML.
        """
        data = {"text/html": f"<div class='{self._widget.slot}'>{html}</div>", "text/plain": text}
        return {_VIEW: self._view(), **data} if self.is_displayed else data

    def _view(self) -> dict[str, Any]:
        return {"version_major": 2, "version_minor": 0, "model_id": self._widget.model_id}

    def close(self) -> None:
        """Close the widget, and the model that it brought along, which would be saved alone."""
        self._widget.layout.close()
        self._widget.close()

    def _hear(self, message: object) -> None:
        if message == {"action": "drawn"}:
            self._is_drawn = True
        else:
            self._on_message(message)
