"""Folders as only code that means harm makes them."""

from __future__ import annotations

import os
from pathlib import Path


def nested(folder: Path, levels: int) -> None:
    """Nest folders by descriptors, as a path could not: each with a file and a link."""
    fd = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("d", dir_fd=fd)
        os.symlink("/etc", "link", dir_fd=fd)
        os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=fd))
        inner = os.open("d", os.O_RDONLY, dir_fd=fd)
        os.close(fd)
        fd = inner
    os.close(fd)
