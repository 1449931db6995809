"""NoteStore: what a store of notes does, and the notes that it holds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol

from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.errors import ToolFailedError, ToolNotFoundError


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One note.

    Attributes:
        title: Its title; two notes may share one.
        body: Its text, Markdown.
        path: Where it lies: a file, or the store's own name of it.
        created: When it was written, ISO 8601; empty if not known.
        tags: Its tags.
    """

    title: str
    body: str
    path: str
    created: str = ""
    tags: tuple[str, ...] = ()

    def line_with(self, words: str) -> str:
        """Return the first line of the text that holds some words; empty if none does."""
        wanted = words.strip().casefold()
        return next((line for line in self.body.splitlines() if wanted in line.casefold()), "")

    def extended(self, paragraph: str) -> Note:
        """Return the note with a paragraph more."""
        return replace(self, body=f"{self.body.rstrip()}\n\n{paragraph.rstrip()}".lstrip())

    def __str__(self) -> str:
        """Return title and text."""
        return f"{self.title}\n\n{self.body}".rstrip()

    @property
    def placed(self) -> str:
        """Place, title and text."""
        return f"{self.path}\n\n{self}"

    def head(self) -> dict[str, Any]:
        """Return the note without its text, as JSON data."""
        tags = list(self.tags)
        return {"title": self.title, "path": self.path, "created": self.created, "tags": tags}


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteCollection:
    """The notes of a store at one moment.

    Attributes:
        notes: The notes, sorted by title.
        unread: A sentence for each entry that could not be read, such as a damaged file.
    """

    notes: tuple[Note, ...] = ()
    unread: tuple[str, ...] = ()

    def named(self, title: str) -> Note:
        """Return the one note with a title, or at a path; letter case does not count.

        Raises:
            ToolNotFoundError: There is none.
            ToolFailedError: Several notes have this title.
        """
        wanted = title.strip().casefold()
        found = [n for n in self.notes if wanted in {n.title.casefold(), n.path.casefold()}]
        if len(found) > 1:
            paths = ", ".join(note.path for note in found)
            msg = f"{len(found)} notes have the title {title.strip()!r}: {paths}"
            raise ToolFailedError(msg, hint="name one of them by its path")
        if not found:
            left = f"; {self.unread[0]}" if self.unread else ""
            msg = f"there is no note {title.strip()!r}{left}"
            raise ToolNotFoundError(msg, hint="notes_list shows the titles")
        return found[0]

    def draft(self, title: str, body: str, now: datetime) -> Note:
        """Return a new note that has no place yet.

        Args:
            title: Its title; one with the time takes the place of a blank one.
            body: Its text.
            now: The local time.

        Raises:
            ToolFailedError: A note has this title already.
        """
        plain = " ".join(title.split()) or f"Untitled note {now:%Y-%m-%d %H.%M.%S}"
        there = next((n for n in self.notes if n.title.casefold() == plain.casefold()), None)
        if there is not None:
            msg = f"there is a note {there.title!r} already: {there.path}"
            raise ToolFailedError(msg, hint="notes_append adds to it")
        created = now.isoformat(timespec="seconds")
        return Note(title=plain, body=body.strip(), path="", created=created)

    def with_text(self, words: str) -> tuple[Note, ...]:
        """Return the notes whose title, tags or text holds some words; letter case is ignored."""
        wanted = " ".join(words.casefold().split())
        return tuple(note for note in self.notes if wanted in _searched(note))


def _searched(note: Note) -> str:
    return " ".join("\n".join((note.title, *note.tags, note.body)).casefold().split())


class NoteStore(Protocol):
    """A place where notes are kept."""

    def read(self) -> NoteCollection:
        """Return every note.

        Raises:
            ToolError: The store does not answer.
        """

    def draft(self, title: str, body: str, now: datetime) -> Note:
        """Return a new note with the place that it would get; see `NoteCollection.draft`.

        Raises:
            ToolError: A note has this title already, or the store does not answer.
        """

    def create(self, note: Note) -> Changes:
        """Add a note that was drafted.

        Raises:
            ToolError: It cannot be written.
        """

    def append(self, title: str, body: str) -> tuple[Note, Changes]:
        """Add a paragraph at the end of a note.

        Raises:
            ToolError: No note, or several, have this title, or it cannot be written.
        """
