"""What a cell shows on its way: the candidates, then the steps as they change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from okso_jupyter.legible import visible
from okso_jupyter.planning.planner import Planning
from okso_jupyter.views.run_html import candidates_html, progress_html

#: Columns of the candidates where only text can be shown.
_SHORT: Final = ("candidate", "chosen", "score", "tools", "output_tokens", "duration_s")
_ICONS: Final = {
    "in_progress": "◐",
    "completed": "✓",
    "failed": "✗",
    "skipped": "⊘",
    "uncertain": "?",
}


@dataclass(slots=True)
class Showing:
    """Shows candidates and live status.

    Attributes:
        display: IPython's display function.
        quiet: Show nothing on the way.
    """

    display: Callable[..., Any]
    quiet: bool
    _lines: dict[int, str] = field(default_factory=dict)
    _handle: Any = None

    def sampling(self) -> None:
        """Say that plans are being sampled: it takes seconds."""
        self._update("Sampling plans …", 0.0)

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
        if self._handle is not None:
            self._handle.update({"text/plain": "", "text/html": ""}, raw=True)
            self._handle = None
            self._handle = None

    def _show(self, data: Mapping[str, str], **how: Any) -> Any:  # noqa: ANN401  a handle
        return self.display(dict(data), raw=True, **how)
