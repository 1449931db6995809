"""The Undo button of a run: a widget without an output, which puts a button into the run's page.

A widget that is shown would be saved with the notebook, and is an error text where it is opened
again. This one is never shown: its script looks for the place in the page and the kernel hears the
click like that of any widget, also after a reload.

Importing this module imports ipywidgets and anywidget; whoever shows a run that changed files does.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from typing import Final, Literal, get_args

import anywidget
import traitlets

from okso_jupyter.errors import OksoError

_STATIC: Final = resources.files("okso_jupyter.widgets") / "static"
#: One module in parts: each uses what those before it define.
_SCRIPTS: Final = ("kernel.js", "slots.js", "undo.js")
#: What a click asks for.
_Action = Literal["show", "undo", "keep"]


class UndoWidget(anywidget.AnyWidget):  # type: ignore[misc]  # untyped here
    """Has the front end put buttons into a page; sends {"action"}, and gets {} when it is done."""

    _esm = "\n".join((_STATIC / name).read_text("utf-8") for name in _SCRIPTS)
    _css = (_STATIC / "undo.css").read_text("utf-8")

    run = traitlets.Unicode(help="id of the run, which names the place").tag(sync=True)
    stage = traitlets.Unicode("offered", help="offered, shown or done").tag(sync=True)
    html = traitlets.Unicode(help="what would become of each file").tag(sync=True)
    note = traitlets.Unicode(help="what came of the last click, in words").tag(sync=True)


class UndoButton:
    """One run's button, until the run is undone by it or the kernel ends.

    Args:
        run_id: The run.
        preview: Gives what would become of each file as HTML, all that is not ours escaped.
        undo: Takes the changes back and returns what to say about it.
    """

    def __init__(self, run_id: str, preview: Callable[[], str], undo: Callable[[], str]) -> None:
        self._preview, self._undo = preview, undo
        self._widget = UndoWidget(run=run_id)
        self._widget.on_msg(lambda _widget, message, _buffers: self.receive(message))

    def receive(self, message: object) -> None:
        """Take a message of the front end; what is no click changes nothing."""
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
        """Take the button away."""
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
