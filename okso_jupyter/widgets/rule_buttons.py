"""Buttons that have steps of a plan allowed from now on: a widget without an output, as Undo is.

Importing this module imports ipywidgets and anywidget, so only a run that a person approved does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

import anywidget
import traitlets

from okso_jupyter.errors import OksoError

_STATIC: Final = resources.files("okso_jupyter.widgets") / "static"
#: Parts of one ES module; each uses the definitions of those before it.
_SCRIPTS: Final = ("kernel.js", "slots.js", "bars.js", "rules.js")


@dataclass(frozen=True, slots=True)
class RuleOffer:
    """A rule that a person may have written.

    Attributes:
        text: The rule and what it would have done to earlier calls.
        write: Writes it and returns a message about it.
    """

    text: str
    write: Callable[[], str]


class RulesWidget(anywidget.AnyWidget):  # type: ignore[misc]  # untyped here
    """Inserts buttons into a page; sends {"action"} and receives {} once it is handled."""

    _esm = "\n".join((_STATIC / name).read_text("utf-8") for name in _SCRIPTS)
    _css = "".join((_STATIC / name).read_text("utf-8") for name in ("live.css", "rules.css"))

    plan = traitlets.Unicode(help="fingerprint of the approved plan, which names the place").tag(
        sync=True
    )
    steps = traitlets.List(help="id and words of each step that has a button").tag(sync=True)
    text = traitlets.Unicode(help="the rule that is shown; empty if none is").tag(sync=True)
    note = traitlets.Unicode(help="what came of the last click, in words").tag(sync=True)


class RuleButtons:
    """The buttons of one approved plan.

    Args:
        plan: Fingerprint of the plan as it was approved.
        steps: What each step is called, by its id.
        offer: Returns the rule for a step.
    """

    def __init__(
        self, plan: str, steps: Mapping[int, str], offer: Callable[[int], RuleOffer]
    ) -> None:
        self._offer = offer
        self._shown: tuple[int, RuleOffer] | None = None
        self._widget = RulesWidget(plan=plan, steps=[[i, words] for i, words in steps.items()])
        self._widget.on_msg(lambda _widget, message, _buffers: self.receive(message))

    def receive(self, message: object) -> None:
        """Handle a message of the front end; messages other than clicks are ignored."""
        try:
            match message:
                case {"action": "show", "step": int(step)} if step in self._steps:
                    self._show(step)
                case {"action": "allow"} if self._shown is not None:
                    self._write(*self._shown)
                case {"action": "keep"}:
                    self._say()
                case _:
                    pass
        except OksoError as error:  # such as a policy file that has a mistake
            self._say(str(error))
        self._widget.send({})

    @property
    def _steps(self) -> dict[int, str]:
        return dict(self._widget.steps)

    def close(self) -> None:
        """Remove the buttons."""
        self._widget.layout.close()
        self._widget.close()

    def _show(self, step: int) -> None:
        offer = self._offer(step)
        self._shown = (step, offer)
        self._send(text=offer.text, note="")

    def _write(self, step: int, offer: RuleOffer) -> None:
        """Write the rule exactly as it was shown."""
        note = offer.write()
        left = [[i, words] for i, words in self._steps.items() if i != step]
        self._say(note, steps=left)

    def _say(self, note: str = "", **changed: Any) -> None:  # noqa: ANN401  values of traits
        """Show no rule any more, and a note."""
        self._shown = None
        self._send(text="", note=note, **changed)

    def _send(self, **changed: Any) -> None:  # noqa: ANN401  values of traits
        with self._widget.hold_sync():
            for name, value in changed.items():
                setattr(self._widget, name, value)
