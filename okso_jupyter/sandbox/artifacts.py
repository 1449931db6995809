"""Files that sandboxed code saves in its folder: pictures are kept, others are told of."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from okso_jupyter import private_files

MAX_PICTURE_BYTES: Final = 10 << 20
MAX_KEPT_BYTES: Final = 64 << 20
_MAX_PICTURES: Final = 20
_MAX_TOLD: Final = 20
_MAX_PIXELS: Final = 64_000_000
_SUFFIXES: Final = (".png", ".jpg", ".jpeg")
_PNG_START: Final = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
_JPEG_START: Final = b"\xff\xd8\xff"
#: JPEG markers that may come before the picture's size.
_JPEG_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}

Stamp = tuple[int, int, int]


def pictures(folder: Path) -> dict[str, Stamp]:
    """Return inode, size and modification time of each regular picture file, by name."""
    return {name: s for name, s in stamps(folder).items() if name.lower().endswith(_SUFFIXES)}


def stamps(folder: Path) -> dict[str, Stamp]:
    """Return inode, size and modification time of each regular file that shows, by name."""
    found = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if not entry.name.startswith(".") and entry.is_file(follow_symlinks=False):
                status = entry.stat(follow_symlinks=False)
                found[entry.name] = (status.st_ino, status.st_size, status.st_mtime_ns)
    return found


def not_kept(folder: Path, before: dict[str, Stamp]) -> tuple[str, ...]:
    """Return the names of the files, but for pictures, that are new or changed in a folder.

    Args:
        folder: The sandbox's own folder.
        before: Result of `stamps` before the call.
    """
    changed = sorted(name for name, stamp in stamps(folder).items() if before.get(name) != stamp)
    others = [name for name in changed if not name.lower().endswith(_SUFFIXES)]
    return tuple(others[:_MAX_TOLD])


def keep_pictures(folder: Path, before: dict[str, Stamp], kept: Path) -> tuple[Path, ...]:
    """Copy new and changed pictures to a folder that the code cannot write to.

    Args:
        folder: The sandbox's own folder.
        before: Result of `pictures` before the call.
        kept: Private folder for the copies, created on demand.

    Returns:
        The copies, sorted by name: at most 20 files and MAX_KEPT_BYTES in total.
    """
    now = pictures(folder)
    changed = sorted(name for name, stamp in now.items() if before.get(name) != stamp)
    copies = []
    for name in changed[:_MAX_PICTURES]:
        data = read_picture(folder / name)
        if not data:
            continue
        private_files.make_folder(kept)
        room = MAX_KEPT_BYTES - sum(entry.stat().st_size for entry in kept.iterdir())
        if len(data) <= room:
            copies.append(_written(kept, name, data))
    return tuple(copies)


def read_picture(path: Path) -> bytes:
    """Return the bytes of a PNG or JPEG file of bounded size, or b"" for any other file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    with open(descriptor, "rb") as file:  # noqa: PTH123  a descriptor
        is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
        data = file.read(MAX_PICTURE_BYTES + 1) if is_file else b""
    return data if len(data) <= MAX_PICTURE_BYTES and picture_type(data) else b""


def picture_type(data: bytes) -> str:
    """Return "image/png" or "image/jpeg" by content; "" for others and for too many pixels."""
    if data.startswith(_PNG_START):
        width, height = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
        return "image/png" if 0 < width * height <= _MAX_PIXELS else ""
    if data.startswith(_JPEG_START):
        return "image/jpeg" if 0 < _jpeg_pixels(data) <= _MAX_PIXELS else ""
    return ""


def _jpeg_pixels(data: bytes) -> int:
    """Return the number of pixels that a JPEG declares, or 0."""
    place = 2
    while data[place : place + 1] == b"\xff" and place + 9 <= len(data):
        if data[place + 1] in _JPEG_FRAMES:
            height, width = data[place + 5 : place + 7], data[place + 7 : place + 9]
            return int.from_bytes(height, "big") * int.from_bytes(width, "big")
        place += 2 + int.from_bytes(data[place + 2 : place + 4], "big")
    return 0


def _written(kept: Path, name: str, data: bytes) -> Path:
    """Write a copy under its name, or with a number if that name is taken."""
    plain, number = Path(name), 1
    target = kept / name
    while os.path.lexists(target):
        number += 1
        target = kept / f"{plain.stem}-{number}{plain.suffix}"
    private_files.create(target, data)
    return target
