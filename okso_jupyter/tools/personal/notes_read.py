"""notes_read: the text of a note."""

from __future__ import annotations

from okso_jupyter.effects.effect import Effect
from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.outside_texts import NOT_FOLLOWED, UNTRUSTED, headed
from okso_jupyter.toolkit.personal_stores import note_store
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool


@tool(
    parameters={
        "properties": {
            "input": {"type": "string", "minLength": 1, "x-ground": "text"},
            "title": {"type": "string", "minLength": 1, "x-ground": "text", "x-omit": True},
        },
        "anyOf": [{"required": ["input"]}, {"required": ["title"]}],
    },
    effect=Effect.READS,
    safety=NOT_FOLLOWED,
    examples=(
        Example("Read my note 'Calibration'", {"input": "Calibration"}),
        Example("Show the note 'Shopping'", {"input": "Shopping"}),
    ),
    groups=("personal",),
)
def notes_read(
    context: ToolContext,
    input: str = "",  # noqa: A002  okso's name for a lone text argument
    title: str = "",
) -> ToolOutput:
    """Read the text of a note, named by its title."""
    note = note_store(context).read().named(input or title)
    return ToolOutput(
        value={**note.head(), "body": note.body, "untrusted": UNTRUSTED},
        text=f"{headed(' '.join(note.title.split()))}\n\n{note.body}".rstrip(),
        changes=Changes(touched=(note.path,)),
    )
