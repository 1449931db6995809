"""StoreFiles: the files of a store in its folder, which may lie outside the notebook's folder."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from okso_jupyter.effects.file_changes import Changes, FileChange
from okso_jupyter.errors import ToolFailedError
from okso_jupyter.workspace import FolderEntry, Workspace

_MAX_FILE_BYTES: Final = 4 * 1024 * 1024
_MAX_ENTRIES: Final = 20_000
_MAX_DEPTH: Final = 8
_MAX_NAME_CHARS: Final = 80
#: Longest name without number and ending; file systems take 255 bytes.
_MAX_NAME_BYTES: Final = 200
#: Names that are devices on Windows, whatever follows a dot.
_DEVICES: Final = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?: *\..*)?")
#: What some file system does not take in a name, or Markdown programs read as a link.
_UNFIT: Final = re.compile(r'[\\/:*?"<>|#^\[\]\x00-\x1f\x7f]+')


@dataclass(frozen=True, slots=True, kw_only=True)
class StorePlace:
    """Where the files of a store are.

    Attributes:
        base: Folder that the user named; None for the notebook's.
        folder: Folder in it; "." is the base itself.
        setting: Name of the setting of the base, for messages.
        store: Name of a package's store in place of the folder; None for the folder.
        url: Address of a collection on a server in place of the folder; None for the folder.
        ca_file: File of the certificates that the server is checked with; None for the system's.
    """

    base: str | None = None
    folder: str
    setting: str
    store: str | None = None
    url: str | None = None
    ca_file: str | None = None

    def base_of(self, root: Path) -> Path:
        """Return the base as an absolute path.

        Args:
            root: The notebook's folder.
        """
        return root / Path(self.base).expanduser() if self.base else root


@dataclass(frozen=True, slots=True)
class StoreFiles:
    """Files with one ending, in the folder of a store and beneath it.

    Attributes:
        workspace: A workspace that has the folder.
        folder: Its path there.
        ending: Ending of the files, such as ".md".
    """

    workspace: Workspace
    folder: str
    ending: str

    @classmethod
    def of(cls, workspace: Workspace, place: StorePlace, ending: str) -> Self:
        """Return the files at a place; the folder need not exist, its base must.

        Raises:
            ToolError: The base is not a folder, or the folder leads out of it.
        """
        base = place.base_of(workspace.root)
        if not base.is_dir():
            msg = f"{place.setting} is {base}, which is not a folder"
            raise ToolFailedError(msg, hint=f"make the folder, or set {place.setting} to another")
        view = workspace.lending(base)
        folder = posixpath.normpath(place.folder)
        if folder.startswith(("/", "../")) or folder == "..":
            msg = f"the folder {place.folder!r} leads out of {base}"
            raise ToolFailedError(msg)
        return cls(view, view.relative(str(base.resolve() / folder)), ending)

    def __iter__(self) -> Iterator[str]:
        """Yield the paths of the files, sorted; hidden files and folders are passed over."""
        if not self.workspace.is_dir(self.folder):
            return
        walk = self.workspace.walk(
            self.folder, max_depth=_MAX_DEPTH, max_entries=_MAX_ENTRIES, skip=_is_hidden
        )
        for entry in walk:
            if entry.is_file and entry.name.lower().endswith(self.ending):
                yield entry.path

    def exists(self, path: str) -> bool:
        """Return whether there is something at a path."""
        return self.workspace.exists(path)

    def read(self, path: str) -> bytes:
        """Return the content of a file; raise ToolError if it cannot be read."""
        return self.workspace.read_bytes(path, max_bytes=_MAX_FILE_BYTES)

    def free_name(self, stem: str) -> str:
        """Return a path for a new file whose name is made from a title."""
        plain = _UNFIT.sub("-", unicodedata.normalize("NFC", stem))
        plain = "".join(c for c in plain if unicodedata.category(c)[0] != "C")
        cut = " ".join(plain.split())[:_MAX_NAME_CHARS].encode()[:_MAX_NAME_BYTES]
        plain = cut.decode(errors="ignore").strip(" .-") or "untitled"
        plain = f"_{plain}" if _DEVICES.fullmatch(plain) else plain
        names = (plain, *(f"{plain} {number}" for number in range(2, _MAX_ENTRIES)))
        paths = (posixpath.join(self.folder, name + self.ending) for name in names)
        return next(path for path in paths if not self.workspace.exists(path))

    def create(self, path: str, data: bytes) -> Changes:
        """Write a new file; raise ToolError if it cannot be written.

        A missing folder of the store is made, and is no change of the call: undo leaves it, since
        other programs may have put files there.
        """
        folder = posixpath.dirname(path) or "."
        if not self.workspace.is_dir(folder):
            self.workspace.mkdir(folder, parents=True)
        change = self.workspace.write_atomic(path, data, new=True)
        return Changes(created=(path,), details=(change,))

    def append(self, path: str, data: bytes) -> Changes:
        """Add to a file; raise ToolError if it cannot be written."""
        return _updated(self.workspace.append(path, data))

    def edit(self, path: str, data: bytes) -> Changes:
        """Write a file of which a part is changed; raise ToolError if it cannot be written."""
        return _updated(self.workspace.edit(path, data))


def _updated(change: FileChange) -> Changes:
    return Changes(updated=(change.path,), details=(change,))


def _is_hidden(entry: FolderEntry) -> bool:
    return entry.name.startswith(".")
