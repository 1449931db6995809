"""Screens for a cell's status: an output updated in place, a terminal's last line, or nothing."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Protocol

from okso_jupyter.kernel import interrupt
from okso_jupyter.kernel.front_end import FrontEnd
from okso_jupyter.legible import visible
from okso_jupyter.magic.display.controls import Controls
from okso_jupyter.plan.live import ENDED, Live
from okso_jupyter.plan.states import StepState
from okso_jupyter.views import after_restart, live_html, live_text

if TYPE_CHECKING:
    from okso_jupyter.widgets.live_panel import LivePanel

#: Least seconds between two updates; the last update is never left out.
_BETWEEN_S: Final = 0.2
#: Seconds before the buttons appear: shorter work ends before anyone can click.
_BUTTONS_AFTER_S: Final = 1.0
_LINE_CHARS: Final = 79


class Screen(Protocol):
    """Shows one item at a time, in place of the previous one."""

    def status(self, text: str, progress: float) -> None:
        """Show one line.

        Args:
            text: The line.
            progress: Progress, 0 to 1.
        """

    def live(self, live: Live, note: str) -> None:
        """Show a run in progress.

        Args:
            live: The run.
            note: Status text beside its steps; may be empty.
        """

    def clear(self) -> None:
        """Clear the screen; the next item appears below everything shown so far."""

    def leave(self, live: Live | None) -> None:
        """End the display: keep the last state of the run, or nothing where it is None."""


class Nothing:
    """Shows nothing: VERBOSITY=0."""

    def status(self, text: str, progress: float) -> None:
        """Show nothing."""

    def live(self, live: Live, note: str) -> None:
        """Show nothing."""

    def clear(self) -> None:
        """Show nothing."""

    def leave(self, live: Live | None) -> None:
        """Show nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Face:
    """Content of an output.

    Attributes:
        html: As HTML.
        text: As text.
        doing: What the cell is doing, in words of `views.after_restart`.
        run_id: The run that can be resumed if the kernel ends; empty while there is none.
    """

    html: str
    text: str
    doing: str
    run_id: str = ""


@dataclass(slots=True)
class Output:
    """One output of the cell, updated in place: in notebooks and programs that execute them.

    Attributes:
        display: IPython's display function.
        is_watched: Whether a person watches, so that intermediate states are shown.
        controls: The buttons; None where there are none.
    """

    display: Callable[..., Any]
    is_watched: bool = True
    controls: Controls | None = None
    _handle: Any = None
    _panel: LivePanel | None = None
    _shown: Hashable = None
    _since_s: float = 0.0
    _next_s: float = 0.0

    def status(self, text: str, progress: float) -> None:
        """Show one line, if a person watches."""
        if self.is_watched:
            html = live_html.status_html(text, progress)
            self._show(_Face(html=html, text=visible(text), doing=after_restart.PLANNING))

    def live(self, live: Live, note: str) -> None:
        """Show a run in progress; if no person watches, only `leave` shows it."""
        # no other update comes while a form waits, so this one is never left out
        is_asked = any(step.is_asked for step in live.steps)
        if self.is_watched and (is_asked or time.monotonic() >= self._next_s):
            self._show(_face(live, note))
            self._next_s = time.monotonic() + _BETWEEN_S

    def clear(self) -> None:
        """Empty the output; the next item gets a new one."""
        if self._handle is not None:
            self._fix("", "", elsewhere=live_html.goes_on_html())

    def leave(self, live: Live | None) -> None:
        """Replace the output by the run as static HTML and text, or empty it."""
        if live is not None:
            face = _face(live, "")
            self._fix(face.html, face.text, elsewhere=face.html)
        elif self._handle is not None:
            self._fix("", "", elsewhere=live_html.ended_html())

    def _fix(self, html: str, text: str, *, elsewhere: str) -> None:
        """Show final content: the widget is closed, and the next item gets a new output.

        Args:
            html: What to show.
            text: The same as text.
            elsewhere: HTML for pages that no longer receive the cell's outputs.
        """
        panel, self._panel = self._panel, None
        self._put({"text/plain": text, "text/html": html})
        self._handle, self._shown = None, None
        if panel is not None:
            panel.close(elsewhere)

    def _show(self, face: _Face) -> None:
        """Show content that may still change; with buttons once it takes long enough."""
        if self._handle is None:
            self._since_s = time.monotonic()
        waited = time.monotonic() > self._since_s + _BUTTONS_AFTER_S
        if self._panel is None and self.controls is not None and waited:
            self._panel = self.controls.panel()
        if self._panel is None:
            self._put_new(face, (face.html, face.text))
            return
        can_pause = self.controls is not None and self.controls.can_pause
        self._panel.show(face.html, after_restart.command(face.run_id), can_pause=can_pause)
        # the page draws the panel over this content, which is saved and shown without a kernel
        self._put_new(face, (face.doing, self._panel.is_displayed))

    def _put_new(self, face: _Face, shown: Hashable) -> None:
        """Update the output, unless it already shows the same content.

        Args:
            face: The content.
            shown: Key of the content; the output is updated when the key changes.
        """
        if shown != self._shown:
            words = after_restart.text(face.doing, face.run_id, datetime.now(UTC))
            html, text = f"{face.html}{after_restart.html(words)}", f"{face.text}\n{words}"
            plain = {"text/plain": text, "text/html": html}
            self._put(self._panel.bundle(html, text) if self._panel is not None else plain)
            self._shown = shown

    def _put(self, data: Mapping[str, Any]) -> None:
        with interrupt.deferred():
            if self._handle is None:
                self._handle = self.display(dict(data), raw=True, display_id=True)
            else:
                self._handle.update(dict(data), raw=True)


def _face(live: Live, note: str) -> _Face:
    now = datetime.now(UTC)
    return _Face(
        html=live_html.as_html(live, now, note),
        text=live_text.as_text(live, now),
        doing=after_restart.where(live),
        run_id=live.run_id,
    )


@dataclass(slots=True)
class Terminal:
    """A terminal: a line is printed for what has ended; the last line shows what is running."""

    _shown: dict[int, StepState] = field(default_factory=dict)
    _decisions: int = 0
    _next_s: float = 0.0

    def status(self, text: str, progress: float) -> None:
        """Show one line in place."""
        del progress
        self._last_line(visible(text))

    def live(self, live: Live, note: str) -> None:
        """Print what has ended since the last call, and update the last line."""
        news = self._news(live)
        if news:
            self.clear()
            print("\n".join(news), file=sys.stderr, flush=True)  # noqa: T201  what it is for
        if news or time.monotonic() >= self._next_s:
            words = live_text.one_line(live, datetime.now(UTC))
            self._last_line(visible(note) or words)
            self._next_s = time.monotonic() + _BETWEEN_S

    def clear(self) -> None:
        """Clear the last line."""
        print(f"\r{'':<{_LINE_CHARS}}\r", end="", file=sys.stderr, flush=True)  # noqa: T201  as above

    def leave(self, live: Live | None) -> None:
        """Clear the last line, and print what has ended since the last call."""
        self.clear()
        for line in self._news(live) if live is not None else ():
            print(line, file=sys.stderr, flush=True)  # noqa: T201  as above

    def _last_line(self, text: str) -> None:
        line = text if len(text) <= _LINE_CHARS else f"{text[: _LINE_CHARS - 1]}…"
        print(f"\r{line:<{_LINE_CHARS}}", end="", file=sys.stderr, flush=True)  # noqa: T201  as above

    def _news(self, live: Live) -> list[str]:
        """Return a line for every decision and every step that has ended since the last call."""
        now, ended = datetime.now(UTC), []
        for step in live.steps:
            if step.state in ENDED and self._shown.get(step.id) is not step.state:
                ended.append(live_text.step_line(step, now))
            self._shown[step.id] = step.state
        decided = [f"  {line}" for line in live.decisions[self._decisions :]]
        self._decisions = len(live.decisions)
        return [visible(line) for line in (*decided, *ended)]


def screen_for(
    front_end: FrontEnd,
    display: Callable[..., Any],
    *,
    quiet: bool,
    controls: Controls | None = None,
) -> Screen:
    """Return the screen for the status of a cell.

    Args:
        front_end: Where the code runs.
        display: IPython's display function.
        quiet: Show nothing.
        controls: The buttons, where clicks can be handled.
    """
    if quiet:
        return Nothing()
    if front_end == "terminal":
        return Terminal()
    return Output(display, is_watched=front_end == "notebook", controls=controls)
