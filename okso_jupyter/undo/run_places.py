"""RunPlaces: the folder of a run, and the places elsewhere in which it changed entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import BinaryIO

from okso_jupyter.effects.file_changes import FileChange, FileState
from okso_jupyter.errors import ToolNotFoundError
from okso_jupyter.personal.served_place import ServedEntry, ServedPlace
from okso_jupyter.workspace import Workspace


class RunPlaces(Workspace):
    """A workspace that also has the entries of servers and applications, by their addresses.

    A change of an entry is a call to its place, which names the version that `state` saw last.

    Args:
        folder: The workspace of the run; its handle is taken over.
        served: The places on servers and in applications.
    """

    def __init__(self, folder: Workspace, served: tuple[ServedPlace, ...]) -> None:
        vars(self).update(vars(folder))
        self._places = served
        self._seen: dict[str, ServedEntry] = {}

    def state(self, path: str) -> FileState | None:
        """Return the state of a path, or of an entry."""
        served = self._served(path)
        if served is None:
            return super().state(path)
        found = served.get(path)
        if found is None:
            self._seen.pop(path, None)
            return None
        self._seen[path] = found
        return found.state

    @contextmanager
    def open(self, path: str) -> Iterator[BinaryIO]:
        """Yield a file or an entry, open for reading."""
        served = self._served(path)
        if served is None:
            with super().open(path) as file:
                yield file
        else:
            found = served.get(path)
            if found is None:
                msg = f"{path} is not there"
                raise ToolNotFoundError(msg)
            yield BytesIO(found.data)

    def remove_file(self, path: str) -> FileChange:
        """Remove a file or an entry."""
        served = self._served(path)
        if served is None:
            return super().remove_file(path)
        seen = self._kept(path)
        served.delete(path, version=seen.version)
        return FileChange(kind="deleted", path=path, before=seen.state)

    def restore(
        self, path: str, state: FileState, chunks: Iterable[bytes] = (), *, new: bool
    ) -> None:
        """Restore the state of a path, or the content of an entry."""
        served = self._served(path)
        if served is None:
            super().restore(path, state, chunks, new=new)
        else:
            version = None if new else self._kept(path).version
            served.put(path, b"".join(chunks), version=version)

    def _kept(self, path: str) -> ServedEntry:
        """Return an entry as `state` saw it last, after keeping its content."""
        seen = self._seen[path]
        self.keep(seen.data)
        return seen

    def _served(self, path: str) -> ServedPlace | None:
        found = (one for one in self._places if one.holds(path))
        return next(found, None)
