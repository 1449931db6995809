"""Resume button of a paused run: a widget without an output, as the Undo button is.

Importing this module imports ipywidgets and anywidget, so only a run that was paused does so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import resources
from typing import Final

import anywidget
import traitlets

from okso_jupyter.errors import OksoError

_STATIC: Final = resources.files("okso_jupyter.widgets") / "static"
#: Parts of one ES module; each uses the definitions of those before it.
_SCRIPTS: Final = ("kernel.js", "slots.js", "focus.js", "bars.js", "resume.js")
_AT_WORK: Final = "Resumed: it goes on."
_ENDED: Final = "Resumed, and over: %okso show {run} shows it."


class ResumeWidget(anywidget.AnyWidget):  # type: ignore[misc]  # untyped here
    """Inserts a button into a page; sends {"action"} and receives {} once it is handled."""

    _esm = "\n".join((_STATIC / name).read_text("utf-8") for name in _SCRIPTS)
    _css = (_STATIC / "live.css").read_text("utf-8")

    run = traitlets.Unicode(help="id of the run, which names the place").tag(sync=True)
    is_offered = traitlets.Bool(default_value=True, help="whether there is a button").tag(sync=True)
    note = traitlets.Unicode(help="what came of the click, in words").tag(sync=True)
    outputs = traitlets.List(
        traitlets.Unicode(), help="HTML of what the resumed run displays, one per output"
    ).tag(sync=True)


class ResumeButton:
    """The Resume button of one run, until it is pressed or the kernel ends.

    Args:
        run_id: The run.
        resume: Goes on with the run and returns when that is over.
    """

    def __init__(self, run_id: str, resume: Callable[[], object]) -> None:
        self._resume = resume
        self._widget = ResumeWidget(run=run_id)
        self._widget.on_msg(lambda _widget, message, _buffers: self.receive(message))

    def receive(self, message: object) -> None:
        """Handle a message of the front end; messages other than a click are ignored."""
        if message == {"action": "resume"} and self._widget.is_offered:
            self._say(_AT_WORK, is_offered=False)
            try:
                self._resume()
            except OksoError as error:  # such as a run that goes on in another kernel
                self._say(str(error), is_offered=True)
            else:
                self._say(_ENDED.format(run=self._widget.run), is_offered=False)
        self._widget.send({})

    def show(self, outputs: Sequence[str]) -> None:
        """Show what the resumed run displays on pages that get no outputs of its cell any more.

        Args:
            outputs: HTML of each output; all foreign text in it is escaped.
        """
        self._widget.outputs = list(outputs)

    def close(self) -> None:
        """Remove the button."""
        self._widget.layout.close()
        self._widget.close()

    def _say(self, note: str, *, is_offered: bool) -> None:
        with self._widget.hold_sync():
            self._widget.note, self._widget.is_offered = note, is_offered
