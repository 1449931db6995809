"""PromptStates: saved model states for the beginnings of prompts, on disk.

A state is as large as the context memory of the prompt (23 kB per token for the bundled model)
and saves computing it again in the next kernel. It is a cache: an invalid file is ignored and
written again, and a folder that cannot be written only costs time.
"""

from __future__ import annotations

import hashlib
import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from okso_jupyter import private_files
from okso_jupyter.log import LOGGER

_SUFFIX: Final = ".state"
_MAX_BYTES: Final = 512 * 1024 * 1024
_DIGEST_BYTES: Final = 32
_OTHERS_MAY_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptStates:
    """Saved states in a folder, one file each; the least recently used are deleted first.

    Attributes:
        folder: Their folder, private to the user; created on first use.
        max_bytes: Most bytes of all of them together.
    """

    folder: Path
    max_bytes: int = _MAX_BYTES

    def load(self, key: str) -> bytes | None:
        """Return the state saved under a key; None if there is no valid one.

        Args:
            key: Identifies model, build and tokens; hexadecimal, so that it can be a file name.
        """
        try:
            with private_files.reading(self._file(key)) as file:
                if not _is_ours(os.fstat(file.fileno())):
                    return None
                digest, state = file.read(_DIGEST_BYTES), file.read(self.max_bytes)
            os.utime(self._file(key))
        except OSError:
            return None
        return state if digest == _digest(key, state) else None

    def save(self, key: str, state: bytes) -> None:
        """Save a state, unless it alone exceeds `max_bytes`."""
        if len(state) + _DIGEST_BYTES > self.max_bytes:
            return
        try:
            private_files.replace(self._file(key), _digest(key, state), state)
            self._drop_oldest()
        except OSError as error:
            LOGGER.info("the state of a prompt was not saved", extra={"detail": str(error)})

    def _file(self, key: str) -> Path:
        return self.folder / f"{key}{_SUFFIX}"

    def _drop_oldest(self) -> None:
        """Delete the oldest states beyond `max_bytes`; another kernel may do the same."""
        files = [(file, file.stat()) for file in self.folder.glob(f"*{_SUFFIX}")]
        files.sort(key=lambda entry: entry[1].st_mtime_ns, reverse=True)
        total = 0
        for file, status in files:
            total += status.st_size
            if total > self.max_bytes:
                with suppress(FileNotFoundError):
                    file.unlink()


def _is_ours(status: os.stat_result) -> bool:
    """Return whether only the user can have written a file."""
    return status.st_uid == os.geteuid() and not status.st_mode & _OTHERS_MAY_WRITE


def _digest(key: str, state: bytes) -> bytes:
    return hashlib.sha256(key.encode() + state).digest()
