"""notes_create: writes a new note."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from okso_jupyter.effects.effect import Effect
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.personal_stores import note_store, preview_of
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool

_EXAMPLES = (
    Example("Make a note 'Calibration' saying 'done'", {"title": "Calibration", "body": "done"}),
    Example("Write the note 'Ideas': 'try blue'", {"title": "Ideas", "body": "try blue"}),
)


def _lint(args: Mapping[str, Any]) -> str:
    """Return that a note needs a title or a text."""
    words = (str(args.get(name) or "").strip() for name in ("title", "body"))
    return "" if any(words) else "a note needs a title or a text"


def _preview(context: ToolContext, title: str = "", body: str = "") -> str:
    """Return the note as it would be."""
    return preview_of(lambda: note_store(context).draft(title, body, _now()).placed)


@tool(
    parameters={
        "properties": {
            "title": {"type": "string", "x-ground": "text"},
            "body": {"type": "string", "x-ground": "text", "x-fill": True, "x-empty": True},
        },
    },
    effect=Effect.WRITES,
    lint=_lint,
    examples=_EXAMPLES,
    preview=_preview,
    rehearses=True,
    groups=("personal",),
)
def notes_create(context: ToolContext, title: str = "", body: str = "") -> ToolOutput:
    """Write a new note with a title and a text."""
    store = note_store(context)
    note = store.draft(title, body, _now())
    changes = store.create(note)
    made = replace(note, path=changes.created[0])
    return ToolOutput(value=made.head(), text=f"made the note {note.title!r}", changes=changes)


def _now() -> datetime:
    return datetime.now().astimezone()
