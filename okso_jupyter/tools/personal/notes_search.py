"""notes_search: the notes that hold some words."""

from __future__ import annotations

from okso_jupyter.amounts import counted
from okso_jupyter.effects.effect import Effect
from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.outside_texts import NOT_FOLLOWED, UNTRUSTED, entry, listed
from okso_jupyter.toolkit.personal_stores import note_store, with_unread
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool


@tool(
    parameters={
        "properties": {"input": {"type": "string", "minLength": 1, "x-ground": "text"}},
        "required": ["input"],
    },
    effect=Effect.READS,
    safety=NOT_FOLLOWED,
    examples=(
        Example("Show my notes about 'lenses'", {"input": "lenses"}),
        Example("Search my notes for 'budget'", {"input": "budget"}),
    ),
    groups=("personal",),
)
def notes_search(
    context: ToolContext,
    input: str,  # noqa: A002  okso's name for a lone text argument
) -> ToolOutput:
    """Find the notes whose title, tags or text hold some words."""
    found = note_store(context).read()
    notes = found.with_text(input)
    entries = (entry(note.title, note.line_with(input)) for note in notes)
    texts = listed(counted(len(notes), "note"), entries)
    return ToolOutput(
        value={
            "notes": [note.head() for note in notes],
            "untrusted": UNTRUSTED,
            "unread": list(found.unread),
        },
        text=with_unread(texts if notes else f"no note holds {input!r}", found.unread),
        changes=Changes(touched=tuple(note.path for note in notes)),
    )
