"""What the sandboxed code leaves in its folder: pictures, and how much in all."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

MAX_FOLDER_BYTES: Final = 512 << 20
MAX_FOLDER_ENTRIES: Final = 20_000
_MAX_DEPTH: Final = 32
_MAX_PICTURES: Final = 20
_PNG_START: Final = b"\x89PNG\r\n\x1a\n"

Stamp = tuple[int, int, int]


def pictures(folder: Path) -> dict[str, Stamp]:
    """Return inode, size and time of change of each regular *.png file, by name."""
    found = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.lower().endswith(".png") and entry.is_file(follow_symlinks=False):
                status = entry.stat(follow_symlinks=False)
                found[entry.name] = (status.st_ino, status.st_size, status.st_mtime_ns)
    return found


def changed_pictures(folder: Path, before: dict[str, Stamp]) -> tuple[Path, ...]:
    """Return the pictures that are new or changed since `before`, sorted by name, 20 at most."""
    now = pictures(folder)
    changed = sorted(name for name, stamp in now.items() if before.get(name) != stamp)
    return tuple(folder / name for name in changed[:_MAX_PICTURES] if _is_png(folder / name))


def _is_png(path: Path) -> bool:
    """Say whether a regular file, not a link, starts as a PNG picture does."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
        return is_file and os.read(descriptor, len(_PNG_START)) == _PNG_START
    finally:
        os.close(descriptor)


def excess(folder: Path) -> str:
    """Say what is too much in a folder; "" while bytes and entries are within bounds."""
    size_bytes = 0
    for count, entry_bytes in enumerate(_entry_sizes(folder, 0), start=1):
        size_bytes += entry_bytes
        if count > MAX_FOLDER_ENTRIES:
            return f"the code made more than {MAX_FOLDER_ENTRIES} files; all are removed"
        if size_bytes > MAX_FOLDER_BYTES:
            return f"the code wrote more than {MAX_FOLDER_BYTES >> 20} MiB; all of it is removed"
    return ""


def clear(folder: Path) -> None:
    """Remove everything in a folder, links not followed; what cannot be removed stays."""
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry, ignore_errors=True)
        else:
            entry.unlink(missing_ok=True)


def _entry_sizes(folder: Path, depth: int) -> Iterator[int]:
    """Yield the bytes on disk of everything beneath a folder, links not followed."""
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                try:
                    status = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue
                yield status.st_blocks * 512
                if stat.S_ISDIR(status.st_mode) and depth < _MAX_DEPTH:
                    yield from _entry_sizes(Path(entry.path), depth + 1)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
