"""MarkdownFolder: notes as Markdown files with YAML front matter, as other programs keep them."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

import frontmatter
import yaml

from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.errors import ToolError, ToolFailedError
from okso_jupyter.personal.notes.note_store import Note, NoteCollection
from okso_jupyter.personal.store_files import StoreFiles
from okso_jupyter.workspace.text_files import encode_text


@dataclass(frozen=True, slots=True)
class MarkdownFolder:
    """A folder of Markdown files, one for each note.

    A note's title is that of its front matter, else its file name. Files that are not UTF-8 or
    whose front matter is damaged are left as they are, and named.
    """

    files: StoreFiles

    def read(self) -> NoteCollection:
        """Return the notes of the folder; none if it does not exist yet."""
        notes, unread = [], []
        for path in self.files:
            try:
                notes.append(read_note(path, self.files.read(path)))
            except ToolError as error:
                unread.append(error.message)
        found = sorted(notes, key=lambda note: (note.title.casefold(), note.path))
        return NoteCollection(notes=tuple(found), unread=tuple(unread))

    def draft(self, title: str, body: str, now: datetime) -> Note:
        """Return a new note with a free file name; raise ToolError if it is there already."""
        note = self.read().draft(title, body, now)
        return replace(note, path=self.files.free_name(note.title))

    def create(self, note: Note) -> Changes:
        """Write a note as a new file; raise ToolError if it cannot be written."""
        return self.files.create(note.path, written_note(note))

    def append(self, title: str, body: str) -> tuple[Note, Changes]:
        """Add a paragraph to a note's file; what is there stays as it is, byte by byte."""
        note = self.read().named(title)
        added = f"{_gap(self.files.read(note.path))}{body.rstrip()}\n"
        data = encode_text(added, "the text of the note")
        changes = self.files.append(note.path, data)
        return note.extended(body), changes


def read_note(path: str, data: bytes) -> Note:
    """Return the note in a file.

    Raises:
        ToolFailedError: It is not UTF-8, or its front matter is not a YAML mapping.
    """
    try:
        meta, body = frontmatter.parse(data.decode())
    except UnicodeDecodeError as error:
        msg = f"{path} is not UTF-8 and was left as it is"
        raise ToolFailedError(msg) from error
    except (yaml.YAMLError, TypeError, ValueError) as error:
        msg = f"{path} has damaged front matter and was left as it is"
        raise ToolFailedError(msg) from error
    stem = posixpath.basename(path).rpartition(".")[0]
    title = " ".join(_scalar(meta.get("title")).split()) or stem
    said = _scalar(meta.get("created")) or _scalar(meta.get("date"))
    return Note(title=title, body=body, path=path, created=said, tags=_tags(meta))


def written_note(note: Note) -> bytes:
    """Return the content of a new note's file; raise ToolInputError if no file can hold it."""
    created = datetime.fromisoformat(note.created)
    meta = {"title": note.title, "created": created, "tags": list(note.tags)}
    dumped = frontmatter.dumps(frontmatter.Post(note.body.strip(), **meta), sort_keys=False)
    return encode_text(f"{dumped}\n", "the note")


def _gap(old: bytes) -> str:
    """Return what parts a new paragraph from the text before it."""
    return "" if not old or old.endswith(b"\n\n") else "\n" if old.endswith(b"\n") else "\n\n"


def _scalar(value: object) -> str:
    """Return a text, number or date of front matter; empty for all else.

    A list of lists that name each other may be endless as a text.
    """
    # a datetime is a date, too
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if isinstance(value, str | int | float) else ""


def _tags(meta: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the tags of front matter: a list, or a text with commas."""
    tags = meta.get("tags") or ()
    parts = tags.split(",") if isinstance(tags, str) else tags if isinstance(tags, list) else ()
    said = (_scalar(tag).strip().removeprefix("#") for tag in parts)
    return tuple(tag for tag in said if tag)
