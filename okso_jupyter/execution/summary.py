"""Summaries of tool outputs, for later prompts and for tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from okso_jupyter.amounts import cut
from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.toolkit.tool import ToolOutput

_HEAD_LINES: Final = 4
_TAIL_LINES: Final = 2
_MOST_ITEMS: Final = 3
_ITEM: Final = ("title", "url", "snippet")


def summarize(output: ToolOutput, max_line_characters: int) -> str:
    """Return a summary of an output with bounded lines; omissions are marked.

    The tool's own summary is used if there is one; search results are summarized by their first
    pages, and other outputs by their first and last lines. Changed files are listed if the text
    does not name them.

    Args:
        output: The tool's output.
        max_line_characters: Maximum characters per line.
    """
    own = output.value.get("summary") if isinstance(output.value, Mapping) else None
    lines = own.splitlines() if isinstance(own, str) and own else _lines(output)
    lines = [*lines, *_changed(output)]
    if output.exit_code:
        lines += f"FAILED (exit code {output.exit_code}): {output.error}".splitlines()
    return "\n".join(cut(line, max_line_characters) for line in lines)


def _lines(output: ToolOutput) -> list[str]:
    """Return the first pages of a search result, else the first and last lines of a text."""
    if isinstance(output.value, Mapping) and _are_pages(output.value.get("items")):
        return list(_pages(output.value))
    lines = (output.text or _as_text(output.value)).splitlines()
    left_out = len(lines) - _HEAD_LINES - _TAIL_LINES
    if left_out <= 1:
        return lines
    return [*lines[:_HEAD_LINES], f"… {left_out} more lines …", *lines[-_TAIL_LINES:]]


def _are_pages(items: object) -> bool:
    return (
        isinstance(items, list)
        and bool(items)
        and all(isinstance(item, Mapping) and {"title", "url"} <= item.keys() for item in items)
    )


def _pages(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the number of search results, then a line for each of the first pages."""
    items = found["items"]
    yield f"{found.get('query', '')}: {len(items)} of {found.get('total_results', len(items))}"
    for item in items[:_MOST_ITEMS]:
        yield "; ".join(str(item[key]) for key in _ITEM if item.get(key))


def _changed(output: ToolOutput) -> Iterator[str]:
    """Yield the changed files that the text does not name."""
    changes: Changes = output.changes
    for kind in ("created", "updated", "deleted"):
        paths = [path for path in getattr(changes, kind) if path not in output.text]
        if paths:
            yield f"{kind}: {', '.join(paths)}"


def _as_text(value: Any) -> str:  # noqa: ANN401  any JSON value
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
