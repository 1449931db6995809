"""ServedPlace: a place on a server or in an application, whose entries have addresses."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from okso_jupyter.effects.file_changes import FileState


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedEntry:
    """One entry in one version.

    Attributes:
        path: Its address.
        version: The server's name of the version; empty if it gives none.
        data: Its content.
    """

    path: str
    version: str
    data: bytes

    @property
    def state(self) -> FileState:
        """The entry as the state of a file."""
        return FileState(size_bytes=len(self.data), sha256=sha256(self.data).hexdigest())


class ServedPlace(Protocol):
    """A place on a server, or in an application; methods raise ToolError with one sentence."""

    def holds(self, path: str) -> bool:
        """Return whether an address is one of this place, where there may be no entry."""

    def get(self, path: str) -> ServedEntry | None:
        """Return the entry at an address; None if there is none."""

    def put(self, path: str, data: bytes, *, version: str | None) -> None:
        """Write an entry in place of a version of it; None: where there is none.

        Raises:
            ToolUncertainError: The server did not say what became of it.
        """

    def delete(self, path: str, *, version: str) -> None:
        """Remove an entry in one version; raises as `put` does."""
