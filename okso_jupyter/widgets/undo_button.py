"""Undo button of a run: a widget without an output that inserts a button into the run's HTML.

A displayed widget would be saved with the notebook, and shown as an error when that is reopened.
This one is never displayed: its script finds the run's HTML in the page, and clicks reach the
kernel as for any widget, also after a reload.

Importing this module imports ipywidgets and anywidget, so only a run that changed files does so.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from typing import Final, Literal, get_args

import anywidget
import traitlets

from okso_jupyter.errors import OksoError

_STATIC: Final = resources.files("okso_jupyter.widgets") / "static"
#: Parts of one ES module; each uses the definitions of those before it.
_SCRIPTS: Final = ("kernel.js", "slots.js", "bars.js", "undo.js")
#: The actions of its buttons.
_Action = Literal["show", "undo", "keep"]


class UndoWidget(anywidget.AnyWidget):  # type: ignore[misc]  # untyped here
    """Inserts buttons into a page; sends {"action"} and receives {} once it is handled."""

    _esm = "\n".join((_STATIC / name).read_text("utf-8") for name in _SCRIPTS)
    _css = "".join((_STATIC / name).read_text("utf-8") for name in ("live.css", "undo.css"))

    run = traitlets.Unicode(help="id of the run, which names the place").tag(sync=True)
    stage = traitlets.Unicode("offered", help="offered, shown or done").tag(sync=True)
    html = traitlets.Unicode(help="what would become of each file").tag(sync=True)
    note = traitlets.Unicode(help="what came of the last click, in words").tag(sync=True)


class UndoButton:
    """The Undo button of one run, until the run is undone by it or the kernel ends.

    Args:
        run_id: The run.
        preview: Returns what would happen to each file as HTML, with foreign text escaped.
        undo: Undoes the changes and returns a message about it.
    """

    def __init__(self, run_id: str, preview: Callable[[], str], undo: Callable[[], str]) -> None:
        self._preview, self._undo = preview, undo
        self._widget = UndoWidget(run=run_id)
        self._widget.on_msg(lambda _widget, message, _buffers: self.receive(message))

    def receive(self, message: object) -> None:
        """Handle a message of the front end; messages other than clicks are ignored."""
        action = message.get("action") if isinstance(message, dict) else None
        if isinstance(action, str) and action in get_args(_Action) and self._is_open:
            try:
                self._do(action)
            except OksoError as error:  # such as a file that has changed since
                self._say("offered", str(error))
        self._widget.send({})

    @property
    def _is_open(self) -> bool:
        return bool(self._widget.stage != "done")

    def close(self) -> None:
        """Remove the button."""
        self._widget.layout.close()
        self._widget.close()

    def _do(self, action: str) -> None:
        if action == "show":
            self._widget.html = self._preview()
            self._say("shown")
        elif action == "undo" and self._widget.stage == "shown":
            self._say("done", self._undo())
        elif action == "keep":
            self._say("offered")

    def _say(self, stage: str, note: str = "") -> None:
        with self._widget.hold_sync():
            self._widget.stage, self._widget.note = stage, note
