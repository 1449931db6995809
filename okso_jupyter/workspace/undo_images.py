"""Images: the content that files had before they were changed, by its hash, for undo.

They are raw, since undo has to be exact, and private for the same reason.
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

#: All images together; the oldest go first.
MAX_STORE_BYTES: Final = 1 << 30
_CHUNK_BYTES: Final = 1 << 16
_NAME: Final = re.compile(r"[0-9a-f]{64}")


class Images:
    """A folder of images, made when the first one is kept.

    Args:
        folder: The folder.
        max_bytes: Size of all images together.
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
        """Keep what an open file holds and return its SHA-256.

        Raises:
            ToolFailedError: It cannot be kept, so that the file must not be changed.
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
        """Say whether there is an image of that hash."""
        return bool(sha256) and (self.folder / sha256).is_file()

    def read(self, sha256: str) -> Iterator[bytes]:
        """Yield the content of an image.

        Raises:
            ToolFailedError: It is not there, or at its end turns out not to be what was kept.
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
        """Return the images by their hash, with what the system knows of each.

        Other kernels keep and remove some meanwhile; what they are only writing is no image yet.
        """
        found: dict[str, os.stat_result] = {}
        with suppress(FileNotFoundError), os.scandir(self.folder) as entries:
            for entry in entries:
                if _NAME.fullmatch(entry.name):
                    with suppress(FileNotFoundError):
                        found[entry.name] = entry.stat(follow_symlinks=False)
        return found

    def remove(self, sha256: str, known: os.stat_result) -> bool:
        """Remove an image, unless it was kept anew since it was looked up."""
        file = self.folder / sha256
        with suppress(FileNotFoundError):
            now = file.stat(follow_symlinks=False)
            if (now.st_ino, now.st_mtime_ns) == (known.st_ino, known.st_mtime_ns):
                file.unlink()
                return True
        return False

    def _make_room(self, size_bytes: int) -> None:
        """Count an image that was added; remove the oldest ones where all are too large."""
        with self._lock:
            if self._room_bytes is not None:
                self._room_bytes -= size_bytes
            if self._room_bytes is None or self._room_bytes < 0:
                self._room_bytes = self._max_bytes - self._remove_oldest()

    def _remove_oldest(self) -> int:
        """Remove images until the others fit, the newest of all excepted; return their size."""
        found = sorted(self.kept().items(), key=lambda one: one[1].st_mtime_ns)
        total_bytes = sum(info.st_size for _, info in found)
        for sha256, info in found[:-1]:
            if total_bytes <= self._max_bytes:
                break
            with suppress(FileNotFoundError):
                (self.folder / sha256).unlink()
            total_bytes -= info.st_size
        return total_bytes
