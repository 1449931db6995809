"""RunPlaces: the folder of a run, and the calendars on servers in which it changed entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import BinaryIO

from okso_jupyter.effects.file_changes import FileChange, FileState
from okso_jupyter.errors import ToolNotFoundError
from okso_jupyter.personal.dav.dav_collection import DavCollection, DavEntry
from okso_jupyter.workspace import Workspace


class RunPlaces(Workspace):
    """A workspace that also has the entries of collections, by their addresses.

    A change of an entry is a call to its server, which names the version that `state` saw last.

    Args:
        folder: The workspace of the run; its handle is taken over.
        collections: The collections.
    """

    def __init__(self, folder: Workspace, collections: tuple[DavCollection, ...]) -> None:
        vars(self).update(vars(folder))
        self._collections = collections
        self._seen: dict[str, DavEntry] = {}

    def state(self, path: str) -> FileState | None:
        """Return the state of a path, or of an entry."""
        collection = self._collection(path)
        if collection is None:
            return super().state(path)
        found = collection.get(path)
        if found is None:
            self._seen.pop(path, None)
            return None
        self._seen[path] = found
        return found.state

    @contextmanager
    def open(self, path: str) -> Iterator[BinaryIO]:
        """Yield a file or an entry, open for reading."""
        collection = self._collection(path)
        if collection is None:
            with super().open(path) as file:
                yield file
        else:
            found = collection.get(path)
            if found is None:
                msg = f"{path} is not there"
                raise ToolNotFoundError(msg)
            yield BytesIO(found.data)

    def remove_file(self, path: str) -> FileChange:
        """Remove a file or an entry."""
        collection = self._collection(path)
        if collection is None:
            return super().remove_file(path)
        seen = self._kept(path)
        collection.delete(path, version=seen.version)
        return FileChange(kind="deleted", path=path, before=seen.state)

    def restore(
        self, path: str, state: FileState, chunks: Iterable[bytes] = (), *, new: bool
    ) -> None:
        """Restore the state of a path, or the content of an entry."""
        collection = self._collection(path)
        if collection is None:
            super().restore(path, state, chunks, new=new)
        else:
            version = None if new else self._kept(path).version
            collection.put(path, b"".join(chunks), version=version)

    def _kept(self, path: str) -> DavEntry:
        """Return an entry as `state` saw it last, after keeping its content."""
        seen = self._seen[path]
        self.keep(seen.data)
        return seen

    def _collection(self, path: str) -> DavCollection | None:
        found = (one for one in self._collections if one.address.entry(path) == path)
        return next(found, None)
