"""Stores of personal data that tools use, and what their previews and outputs share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from okso_jupyter.errors import ToolError
from okso_jupyter.personal.notes.note_store import NoteStore
from okso_jupyter.personal.store_files import StoreFiles
from okso_jupyter.toolkit.context import ToolContext


def note_store(context: ToolContext) -> NoteStore:
    """Return the store of notes.

    Raises:
        ToolError: NOTES_DIR is not a folder.
    """
    from okso_jupyter.personal.notes.markdown_folder import (  # noqa: PLC0415  of the extra
        MarkdownFolder,
    )

    return MarkdownFolder(StoreFiles.of(context.workspace, context.run.personal.notes, ".md"))


def preview_of(rehearsed: Callable[[], str]) -> str:
    """Return what a call on a forecast shows, or why it fails."""
    try:
        return rehearsed()
    except ToolError as error:
        return error.message


def with_unread(text: str, unread: Sequence[str]) -> str:
    """Return a text with a sentence for each entry that could not be read."""
    return "\n".join([text, *(f"({reason})" for reason in unread)])
