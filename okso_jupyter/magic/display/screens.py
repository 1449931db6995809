"""Where a cell's status is shown: in an output that changes, in the last line of a terminal."""

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

#: Shortest time between two changes of what is shown; the last one of all is never left out.
_BETWEEN_S: Final = 0.2
#: A widget is not made for what is over before anybody could click.
_BUTTONS_AFTER_S: Final = 1.0
_LINE_CHARS: Final = 79


class Screen(Protocol):
    """Shows one thing at a time, in place of what it showed before."""

    def status(self, text: str, progress: float) -> None:
        """Show one line.

        Args:
            text: The line.
            progress: How far it is, 0 to 1.
        """

    def live(self, live: Live, note: str) -> None:
        """Show a run on its way.

        Args:
            live: The run.
            note: What happens beside its steps; may be empty.
        """

    def clear(self) -> None:
        """Show nothing any more; what is shown next stands below all that was shown so far."""

    def leave(self, live: Live | None) -> None:
        """Leave a run as it stands, for good, or nothing: the cell has ended."""


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
    """What an output shows.

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
    """One output of the cell, changed in place: notebooks, and what executes them.

    Attributes:
        display: IPython's display function.
        is_watched: Whether somebody looks on, so that time that passes is worth a change.
        controls: What can be clicked; None where nothing can.
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
        """Show one line, if somebody looks."""
        if self.is_watched:
            html = live_html.status_html(text, progress)
            self._show(_Face(html=html, text=visible(text), doing=after_restart.PLANNING))

    def live(self, live: Live, note: str) -> None:
        """Show a run on its way; one that nobody looks at is shown when it is left."""
        # while a form waits nothing else comes, so what it waits for is never left out
        is_asked = any(step.is_asked for step in live.steps)
        if self.is_watched and (is_asked or time.monotonic() >= self._next_s):
            self._show(_face(live, note))
            self._next_s = time.monotonic() + _BETWEEN_S

    def clear(self) -> None:
        """Empty the output, and begin another one with what comes next."""
        if self._handle is not None:
            self._fix("", "", elsewhere=live_html.goes_on_html())

    def leave(self, live: Live | None) -> None:
        """Leave the run as static HTML and text, or the output empty."""
        if live is not None:
            face = _face(live, "")
            self._fix(face.html, face.text, elsewhere=face.html)
        elif self._handle is not None:
            self._fix("", "", elsewhere=live_html.ended_html())

    def _fix(self, html: str, text: str, *, elsewhere: str) -> None:
        """Show something for good: no widget is left, and what is next has its own output.

        Args:
            html: What to show.
            text: The same as text.
            elsewhere: What pages show that do not get the cell's outputs any more.
        """
        panel, self._panel = self._panel, None
        self._put({"text/plain": text, "text/html": html})
        self._handle, self._shown = None, None
        if panel is not None:
            panel.close(elsewhere)

    def _show(self, face: _Face) -> None:
        """Show something for now; with buttons, once it takes long enough for a click."""
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
        # the page draws the panel over what is put here, which is saved and seen without a kernel
        self._put_new(face, (face.doing, self._panel.is_displayed))

    def _put_new(self, face: _Face, shown: Hashable) -> None:
        """Put something out, unless the same is there already.

        Args:
            face: What to show.
            shown: What makes a difference of it.
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
    """A terminal: what has ended is printed for good, what goes on is its last line."""

    _told: dict[int, StepState] = field(default_factory=dict)
    _decisions: int = 0
    _next_s: float = 0.0

    def status(self, text: str, progress: float) -> None:
        """Show one line in place."""
        del progress
        self._last_line(visible(text))

    def live(self, live: Live, note: str) -> None:
        """Print what is new, and show in place what goes on."""
        news = self._news(live)
        if news:
            self.clear()
            print("\n".join(news), file=sys.stderr, flush=True)  # noqa: T201  what it is for
        if news or time.monotonic() >= self._next_s:
            words = live_text.one_line(live, datetime.now(UTC))
            self._last_line(visible(note) or words)
            self._next_s = time.monotonic() + _BETWEEN_S

    def clear(self) -> None:
        """Wipe the last line."""
        print(f"\r{'':<{_LINE_CHARS}}\r", end="", file=sys.stderr, flush=True)  # noqa: T201  as above

    def leave(self, live: Live | None) -> None:
        """Wipe the last line: the others stand there already."""
        self.clear()
        for line in self._news(live) if live is not None else ():
            print(line, file=sys.stderr, flush=True)  # noqa: T201  as above

    def _last_line(self, text: str) -> None:
        line = text if len(text) <= _LINE_CHARS else f"{text[: _LINE_CHARS - 1]}…"
        print(f"\r{line:<{_LINE_CHARS}}", end="", file=sys.stderr, flush=True)  # noqa: T201  as above

    def _news(self, live: Live) -> list[str]:
        """Return a line for every decision and every step that has ended since the last time."""
        now, ended = datetime.now(UTC), []
        for step in live.steps:
            if step.state in ENDED and self._told.get(step.id) is not step.state:
                ended.append(live_text.step_line(step, now))
            self._told[step.id] = step.state
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
    """Return where the status of a cell is shown.

    Args:
        front_end: Where the code runs.
        display: IPython's display function.
        quiet: Show nothing.
        controls: What can be clicked, where clicks are heard.
    """
    if quiet:
        return Nothing()
    if front_end == "terminal":
        return Terminal()
    return Output(display, is_watched=front_end == "notebook", controls=controls)
