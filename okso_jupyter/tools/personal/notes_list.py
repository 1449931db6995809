"""notes_list: the titles of all notes."""

from __future__ import annotations

from okso_jupyter.amounts import counted
from okso_jupyter.effects.effect import Effect
from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.outside_texts import NOT_FOLLOWED, UNTRUSTED, entry, listed
from okso_jupyter.toolkit.personal_stores import note_store, with_unread
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool


@tool(
    parameters={"properties": {}},
    effect=Effect.READS,
    safety=NOT_FOLLOWED,
    examples=(Example("List my notes", {}), Example("Which notes do I have?", {})),
    groups=("personal",),
)
def notes_list(context: ToolContext) -> ToolOutput:
    """List the titles of all notes, one on a line."""
    found = note_store(context).read()
    titles = listed(counted(len(found.notes), "note"), (entry(note.title) for note in found.notes))
    return ToolOutput(
        value={
            "notes": [note.head() for note in found.notes],
            "untrusted": UNTRUSTED,
            "unread": list(found.unread),
        },
        text=with_unread(titles if found.notes else "there is no note", found.unread),
        changes=Changes(touched=tuple(note.path for note in found.notes)),
    )
