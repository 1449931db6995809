"""A short form of what a tool gave, for later prompts and for tables."""

from __future__ import annotations

import json
from typing import Any, Final

from okso_jupyter.execution.context import cut
from okso_jupyter.toolkit.tool import ToolOutput

_HEAD_LINES: Final = 4
_TAIL_LINES: Final = 2


def summarize(output: ToolOutput, max_line_characters: int) -> str:
    """Return head and tail of the output, every line bounded; what was left out is said.

    Args:
        output: What the tool gave.
        max_line_characters: Longest line.
    """
    text = output.text or _as_text(output.value)
    lines = [cut(line, max_line_characters) for line in text.splitlines()]
    if len(lines) > _HEAD_LINES + _TAIL_LINES + 1:
        left_out = len(lines) - _HEAD_LINES - _TAIL_LINES
        lines = [*lines[:_HEAD_LINES], f"… {left_out} more lines …", *lines[-_TAIL_LINES:]]
    if output.exit_code:
        lines.append(f"FAILED (exit code {output.exit_code}): {output.error}")
    return "\n".join(lines)


def _as_text(value: Any) -> str:  # noqa: ANN401  any JSON value
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
