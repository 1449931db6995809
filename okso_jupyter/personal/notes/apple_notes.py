"""AppleNotes: the notes of one folder of Notes, as plain text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.personal.apple.apple_items import AppleItems, Item
from okso_jupyter.personal.notes.note_html import body_of, extended_html, note_html
from okso_jupyter.personal.notes.note_store import Note, NoteCollection
from okso_jupyter.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class AppleNotes:
    """The notes of a folder.

    Attributes:
        items: The folder.
        workspace: Keeps for undo what is changed.
    """

    items: AppleItems
    workspace: Workspace

    def read(self) -> NoteCollection:
        """Return the notes of the folder; a locked one is named."""
        found = self.items.listed()
        notes = (self._note(one) for one in found if not one["locked"])
        unread = (f"the note {one['title']!r} is locked" for one in found if one["locked"])
        ordered = sorted(notes, key=lambda note: (note.title.casefold(), note.path))
        return NoteCollection(notes=tuple(ordered), unread=tuple(unread))

    def draft(self, title: str, body: str, now: datetime) -> Note:
        """Return a new note; Notes gives it its id when it is made."""
        note = self.read().draft(title, body, now)
        return replace(note, path=f"a new note in {self.items}")

    def create(self, note: Note) -> Changes:
        """Add a note that was drafted; raise ToolError if it cannot be written."""
        return self.items.create(html=note_html(note.title, note.body))

    def append(self, title: str, body: str) -> tuple[Note, Changes]:
        """Add a paragraph at the end of a note; raise ToolError if it has attachments."""
        note = self.read().named(title)

        def extended(item: Item) -> Item:
            return {**item, "html": extended_html(item["html"], body.rstrip())}

        changes = self.items.edit(self.items.id_of(note.path), self.workspace, extended)
        return note.extended(body), changes

    def _note(self, item: Item) -> Note:
        created = datetime.fromisoformat(item["created"]).astimezone()
        return Note(
            title=item["title"],
            body=body_of(item["title"], item["text"]),
            path=self.items.path_of(item["id"]),
            created=created.isoformat(timespec="seconds"),
        )
