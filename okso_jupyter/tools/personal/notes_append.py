"""notes_append: adds a paragraph to a note."""

from __future__ import annotations

from okso_jupyter.effects.effect import Effect
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.personal_stores import note_store, preview_of
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool

_EXAMPLES = (
    Example("Add to the note 'Calibration': 'done'", {"title": "Calibration", "body": "done"}),
    Example("Append 'buy tea' to my note 'Shopping'", {"title": "Shopping", "body": "buy tea"}),
)


def _preview(context: ToolContext, title: str = "", body: str = "") -> str:
    """Return the note as it would be."""
    return preview_of(lambda: note_store(context).read().named(title).extended(body).placed)


@tool(
    parameters={
        "properties": {
            "title": {"type": "string", "minLength": 1, "x-ground": "text"},
            "body": {"type": "string", "minLength": 1, "x-ground": "text", "x-fill": True},
        },
        "required": ["title", "body"],
    },
    effect=(Effect.READS, Effect.WRITES),
    examples=_EXAMPLES,
    preview=_preview,
    rehearses=True,
    groups=("personal",),
)
def notes_append(context: ToolContext, title: str, body: str) -> ToolOutput:
    """Add a text at the end of a note that is there, named by its title."""
    note, changes = note_store(context).append(title, body)
    return ToolOutput(
        value=note.head(), text=f"the text was added to the note {note.title!r}", changes=changes
    )
