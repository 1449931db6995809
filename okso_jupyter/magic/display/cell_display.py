"""CellDisplay: shows a cell's planning progress and steps while it works."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from okso_jupyter.amounts import counted, duration
from okso_jupyter.kernel import interrupt
from okso_jupyter.kernel.front_end import FrontEnd
from okso_jupyter.legible import visible
from okso_jupyter.llm.protocol import Sampling
from okso_jupyter.magic.display.controls import Controls, controls
from okso_jupyter.magic.display.screens import Nothing, Screen, screen_for
from okso_jupyter.plan.live import Live
from okso_jupyter.plan.states import RunState

if TYPE_CHECKING:
    from okso_jupyter.planning.outcome import Planning


def no_run(run_id: str) -> None:
    """Pause nothing: there is no session yet."""
    del run_id


@dataclass(slots=True)
class CellDisplay:
    """Shows progress and live status, and handles clicks; a context manager.

    Attributes:
        display: IPython's display function.
        front_end: Where it is shown: in a terminal only the last line can be updated.
        quiet: Show nothing while the cell works.
        keeps: Keep the steps displayed after the cell has ended, since no result below shows
            them. An error or Stop keeps them anyway.
        pause: Asks a run to pause, by its id; set once the session is open.
    """

    display: Callable[..., Any]
    front_end: FrontEnd
    quiet: bool
    keeps: bool = False
    pause: Callable[[str], object] = no_run
    _screen: Screen = field(default_factory=Nothing)
    _controls: Controls | None = None
    _live: Live | None = None
    _opened: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> Self:
        if self.front_end == "notebook" and not self.quiet:
            self._controls = self._opened.enter_context(controls(self._ask_to_pause))
        self._screen = screen_for(
            self.front_end, self.display, quiet=self.quiet, controls=self._controls
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Keep the steps displayed only where the cell's result does not show them."""
        try:
            is_left = self.keeps or error is not None
            self._screen.leave(self._live if is_left else None)
        finally:
            self._opened.__exit__(kind, error, trace)

    def loading(self) -> None:
        """Show that the first cell has begun: importing what it needs may take seconds."""
        self._screen.status("Loading okso …", 0.0)

    def planning(self) -> None:
        """Show that planning has begun: loading a model may take seconds."""
        self._screen.status("Planning …", 0.0)

    def sampling(self, sampling: Sampling) -> None:
        """Show the progress of the model call, in place.

        Raises:
            KeyboardInterrupt: Stop was clicked.
        """
        if self._live is None:
            self._screen.status(_sampling_line(sampling), _share(sampling))
        else:
            self._screen.live(self._live, self._note() or _sampling_line(sampling))
        self._look()

    def planned(self, planning: Planning) -> None:
        """End the progress of planning: the form, or the result, shows the plan."""
        del planning
        self._screen.clear()

    def live(self, live: Live) -> None:
        """Show the state of the run, in place, once it has begun.

        Raises:
            KeyboardInterrupt: Stop was clicked.
        """
        if live.started_at is None:
            return
        self._live = live
        if self._controls is not None:
            self._controls.run_id = live.run_id if live.state is RunState.EXECUTING else ""
        with interrupt.deferred():  # a Stop while widgets change could get lost in ipywidgets
            self._screen.live(live, self._note())
            self._look()

    def missing(self, outputs: Mapping[str, str]) -> None:
        """Show which variables were not taken back; the notebook's stay unchanged."""
        if outputs:
            text = "\n".join(f"--out {name}: {reason}" for name, reason in outputs.items())
            self._show({"text/plain": visible(text)})

    def _ask_to_pause(self, run_id: str) -> object:
        return self.pause(run_id)

    def _note(self) -> str:
        return self._controls.note if self._controls is not None else ""

    def _look(self) -> None:
        if self._controls is not None:
            self._controls.look()

    def _show(self, data: Mapping[str, str]) -> None:
        self.display(dict(data), raw=True)


def _sampling_line(sampling: Sampling) -> str:
    """Return the progress of a model call, in words."""
    if not sampling.output_tokens:
        if not sampling.prompt_tokens:
            return f"Asking the model … {duration(round(sampling.elapsed_s))}"
        whole = counted(sampling.prompt_tokens, "token")
        return f"Reading the prompt: {sampling.prompt_done:,} of {whole}"
    done = f"{sampling.completions_done} of {sampling.completions} done"
    rate = f"{counted(sampling.output_tokens, 'token')}, {sampling.tokens_per_s:.0f} tokens/s"
    if sampling.left_s is None:
        return f"Sampling: {done}, {rate}"
    return f"Sampling: {done}, {rate}, about {duration(max(1, round(sampling.left_s)))} left"


def _share(sampling: Sampling) -> float:
    """Return the progress of a call, 0 to 1: by estimated time if known, else by completions."""
    if sampling.left_s is not None:
        return sampling.elapsed_s / (sampling.elapsed_s + sampling.left_s)
    return sampling.completions_done / sampling.completions
