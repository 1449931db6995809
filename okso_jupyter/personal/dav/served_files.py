"""ServedFiles: the entries of a calendar on a server, as files with one entry each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from okso_jupyter.effects.file_changes import Changes, FileChange
from okso_jupyter.errors import ToolError, ToolFailedError
from okso_jupyter.personal.dav.dav_collection import DavCollection
from okso_jupyter.personal.served_place import ServedEntry
from okso_jupyter.workspace import Workspace


@dataclass(slots=True)
class ServedFiles:
    """The entries of one kind in a collection; see `EntryFiles`.

    Attributes:
        collection: The collection.
        kind: "VEVENT" or "VTODO".
        workspace: Keeps for undo what is changed.
    """

    collection: DavCollection
    kind: str
    workspace: Workspace
    #: Entries as they were last read, by address.
    _read: dict[str, ServedEntry] = field(default_factory=dict)

    @property
    def folder(self) -> str:
        """The address of the collection."""
        return self.collection.address.url

    @property
    def ending(self) -> str:
        """Ending of the addresses."""
        return ".ics"

    def __iter__(self) -> Iterator[str]:
        """Yield the addresses of the entries, sorted; all are read at once."""
        self._read = {entry.path: entry for entry in self.collection.entries(self.kind)}
        yield from sorted(self._read)

    def exists(self, path: str) -> bool:
        """Return whether there is an entry."""
        return self.collection.get(path) is not None

    def read(self, path: str) -> bytes:
        """Return the content of an entry that was yielded."""
        return self._read[path].data

    def create(self, path: str, data: bytes) -> Changes:
        """Add an entry."""
        self.collection.put(path, data, version=None)
        change = FileChange(kind="created", path=path, after=self._left(path, data).state)
        return Changes(created=(path,), details=(change,))

    def edit(self, path: str, data: bytes) -> Changes:
        """Write an entry that was read; raise ToolFailedError if others have changed it since."""
        before = self.collection.get(path)
        if before is None or before.version != self._read[path].version:
            msg = f"{path} was changed by others in the meantime; nothing was changed"
            raise ToolFailedError(msg, hint="look at it, and ask again")
        self.workspace.keep(before.data)
        self.collection.put(path, data, version=before.version)
        after = self._left(path, data).state
        change = FileChange(kind="overwritten", path=path, before=before.state, after=after)
        return Changes(updated=(path,), details=(change,))

    def _left(self, path: str, data: bytes) -> ServedEntry:
        """Return an entry as the server keeps it, which may not be as it was sent.

        The write was made, so an error says nothing: undo looks at the entry before it acts.
        """
        with suppress(ToolError):
            found = self.collection.get(path)
            if found is not None:
                return found
        return ServedEntry(path=path, version="", data=data)
