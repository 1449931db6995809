"""What a cell shows on its way: the candidates, then the steps as they change."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from okso_jupyter.approval.front_end import FrontEnd
from okso_jupyter.legible import visible
from okso_jupyter.llm.protocol import Sampling
from okso_jupyter.planning.outcome import Planning
from okso_jupyter.views.run_html import candidates_html, progress_html

#: Columns of the candidates where only text can be shown.
_SHORT: Final = ("candidate", "chosen", "score", "tools", "output_tokens", "duration_s")
_ICONS: Final = {
    "in_progress": "◐",
    "completed": "✓",
    "failed": "✗",
    "skipped": "⊘",
    "uncertain": "?",
    "cancelled": "⊗",
}


@dataclass(slots=True)
class Showing:
    """Shows candidates and live status.

    Attributes:
        display: IPython's display function.
        front_end: Where it is shown: a terminal cannot change what it has printed, but its last
            line.
        quiet: Show nothing on the way.
    """

    display: Callable[..., Any]
    front_end: FrontEnd
    quiet: bool
    _lines: dict[int, str] = field(default_factory=dict)
    _handle: Any = None

    def planning(self) -> None:
        """Say that planning begins: loading a model may take seconds."""
        self._status("Planning …", 0.0)

    def sampling(self, sampling: Sampling) -> None:
        """Show how far the model is, in place."""
        self._status(_sampling_line(sampling), _share(sampling))

    def _status(self, text: str, progress: float) -> None:
        """Show a line below those of the steps, until something else is shown."""
        if self.front_end != "terminal":
            self._update("\n".join([*self._lines.values(), text]), progress)
        elif not self.quiet:
            print(f"\r{text:<79}", end="", file=sys.stderr, flush=True)  # noqa: T201  its last line

    def candidates(self, planning: Planning) -> None:
        """Show the candidates as a table, one column per rule."""
        if self.quiet:
            return
        self.end()
        table = planning.candidates
        text = visible(table[list(_SHORT)].to_string(index=False))
        self._show({"text/plain": text, "text/html": candidates_html(table)})

    def step(self, event: Mapping[str, Any]) -> None:
        """Show where the run stands, in place."""
        if self.quiet:
            return
        reason = f" ({event['reason']})" if event["reason"] else ""
        icon = _ICONS.get(event["status"], "○")
        self._lines[event["step"]] = (
            f"{icon} Step {event['step']} of {event['total']}: {' '.join(event['title'].split())} "
            f"- {event['status'].replace('_', ' ')}{reason}"
        )
        self._update("\n".join(self._lines.values()), event["progress"])

    def missing(self, outputs: Mapping[str, str]) -> None:
        """Say which variables were not taken back from Python: the notebook's stay as they are."""
        if outputs:
            text = "\n".join(f"--out {name}: {reason}" for name, reason in outputs.items())
            self._show({"text/plain": visible(text)})

    def _update(self, text: str, progress: float) -> None:
        """Show live status in place of what was shown before."""
        if self.quiet:
            return
        data = {"text/plain": visible(text), "text/html": progress_html(text, progress)}
        if self._handle is None:
            self._handle = self._show(data, display_id=True)
        else:
            self._handle.update(data, raw=True)

    def end(self) -> None:
        """Clear the live status; what comes next stands below all that was shown so far."""
        if self.front_end == "terminal" and not self.quiet:
            print(f"\r{'':<79}\r", end="", file=sys.stderr, flush=True)  # noqa: T201  see above
        if self._handle is not None:
            self._handle.update({"text/plain": "", "text/html": ""}, raw=True)
            self._handle = None

    def _show(self, data: Mapping[str, str], **how: Any) -> Any:  # noqa: ANN401  a handle
        return self.display(dict(data), raw=True, **how)


def _sampling_line(sampling: Sampling) -> str:
    """Return how far a model is, in words."""
    if not sampling.output_tokens:
        if not sampling.prompt_tokens:
            return f"Asking the model … {sampling.elapsed_s:.0f} s"
        return f"Reading the prompt: {sampling.prompt_done} of {sampling.prompt_tokens} tokens"
    done = f"{sampling.completions_done} of {sampling.completions} done"
    rate = f"{sampling.output_tokens} tokens, {sampling.tokens_per_s:.0f} tokens/s"
    left = "" if sampling.left_s is None else f", about {max(1, round(sampling.left_s))} s left"
    return f"Sampling: {done}, {rate}{left}"


def _share(sampling: Sampling) -> float:
    """Return how far a call is, 0 to 1: by time where it can be judged, else by completions."""
    if sampling.left_s is not None:
        return sampling.elapsed_s / (sampling.elapsed_s + sampling.left_s)
    return sampling.completions_done / sampling.completions
