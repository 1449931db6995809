"""Undo images: the content of files before they were changed, stored by hash.

They are stored raw, because undo must be exact, and private for the same reason.
"""

from __future__ import annotations

import hashlib
import os
import re
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final, Self

from okso_jupyter import private_files
from okso_jupyter.errors import ToolFailedError

#: Maximum bytes of all images together; the oldest are removed first.
MAX_STORE_BYTES: Final = 1 << 30
_CHUNK_BYTES: Final = 1 << 16
_NAME: Final = re.compile(r"[0-9a-f]{64}")


class Images:
    """A folder of images, created when the first one is kept.

    Args:
        folder: The folder.
        max_bytes: Maximum size of all images together.
    """

    def __init__(self, folder: Path, *, max_bytes: int = MAX_STORE_BYTES) -> None:
        self.folder = folder
        self._max_bytes = max_bytes
        self._room_bytes: int | None = None
        self._lock = threading.Lock()

    @classmethod
    def beneath(cls, home: Path) -> Self:
        """Return the images of a home folder."""
        return cls(home / "undo")

    def keep(self, file: BinaryIO) -> str:
        """Keep the content of an open file and return its SHA-256.

        Raises:
            ToolFailedError: It cannot be kept, so the file must not be changed.
        """
        digest, size_bytes = hashlib.sha256(), 0
        try:
            private_files.make_private_folder(self.folder)
            with private_files.drafting(self.folder) as (image, draft):
                for chunk in iter(lambda: file.read(_CHUNK_BYTES), b""):
                    digest.update(chunk)
                    size_bytes += image.write(chunk)
                image.flush()
                draft.replace(self.folder / digest.hexdigest())
            self._make_room(size_bytes)
        except OSError as error:
            msg = f"what is there cannot be kept for undo in {self.folder}: {error.strerror}"
            raise ToolFailedError(msg, hint="nothing was changed") from error
        return digest.hexdigest()

    def has(self, sha256: str) -> bool:
        """Return whether there is an image of that hash."""
        return bool(sha256) and (self.folder / sha256).is_file()

    def read(self, sha256: str) -> Iterator[bytes]:
        """Yield the content of an image.

        Raises:
            ToolFailedError: It is missing, or at its end does not match its hash.
        """
        digest = hashlib.sha256()
        try:
            with private_files.reading(self.folder / sha256) as image:
                while chunk := image.read(_CHUNK_BYTES):
                    digest.update(chunk)
                    yield chunk
        except OSError as error:
            msg = f"the image {sha256[:12]} cannot be read: {error.strerror}"
            raise ToolFailedError(msg) from error
        if digest.hexdigest() != sha256:
            msg = f"the image {sha256[:12]} is not what was kept"
            raise ToolFailedError(msg)

    def kept(self) -> dict[str, os.stat_result]:
        """Return the stat results of the images by their hash.

        Other kernels add and remove images meanwhile; unfinished ones are not included.
        """
        found: dict[str, os.stat_result] = {}
        with suppress(FileNotFoundError), os.scandir(self.folder) as entries:
            for entry in entries:
                if _NAME.fullmatch(entry.name):
                    with suppress(FileNotFoundError):
                        found[entry.name] = entry.stat(follow_symlinks=False)
        return found

    def remove(self, sha256: str, known: os.stat_result) -> bool:
        """Remove an image, unless it was kept again since it was looked up."""
        file = self.folder / sha256
        with suppress(FileNotFoundError):
            now = file.stat(follow_symlinks=False)
            if (now.st_ino, now.st_mtime_ns) == (known.st_ino, known.st_mtime_ns):
                file.unlink()
                return True
        return False

    def _make_room(self, size_bytes: int) -> None:
        """Charge an added image; remove the oldest ones if all are too large together."""
        with self._lock:
            if self._room_bytes is not None:
                self._room_bytes -= size_bytes
            if self._room_bytes is None or self._room_bytes < 0:
                self._room_bytes = self._max_bytes - self._remove_oldest()

    def _remove_oldest(self) -> int:
        """Remove the oldest images until the rest fit, but never the newest; return their size."""
        found = sorted(self.kept().items(), key=lambda one: one[1].st_mtime_ns)
        total_bytes = sum(info.st_size for _, info in found)
        for sha256, info in found[:-1]:
            if total_bytes <= self._max_bytes:
                break
            with suppress(FileNotFoundError):
                (self.folder / sha256).unlink()
            total_bytes -= info.st_size
        return total_bytes
