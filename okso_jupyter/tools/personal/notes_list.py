"""notes_list: the titles of all notes."""

from __future__ import annotations

from okso_jupyter.effects.effect import Effect
from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.personal_stores import note_store, with_unread
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool


@tool(
    parameters={"properties": {}},
    effect=Effect.READS,
    examples=(Example("List my notes", {}), Example("Which notes do I have?", {})),
    groups=("personal",),
)
def notes_list(context: ToolContext) -> ToolOutput:
    """List the titles of all notes, one on a line."""
    found = note_store(context).read()
    titles = "\n".join(note.title for note in found.notes) or "there is no note"
    return ToolOutput(
        value={"notes": [note.head() for note in found.notes], "unread": list(found.unread)},
        text=with_unread(titles, found.unread),
        changes=Changes(touched=tuple(note.path for note in found.notes)),
    )
