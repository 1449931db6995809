"""Explanations of system errors: one clear sentence for each refused access."""

from __future__ import annotations

import errno
from typing import Final

from okso_jupyter.errors import ToolError, ToolFailedError, ToolNotFoundError, ToolRefusedError

_SENTENCES: Final[dict[int, tuple[type[ToolError], str]]] = {
    errno.ENOENT: (ToolNotFoundError, "{path}: there is no such file or folder"),
    errno.EXDEV: (ToolRefusedError, "{path} leads outside the root {root}"),
    errno.ELOOP: (ToolRefusedError, "{path} is a link that cannot be followed"),
    errno.EACCES: (ToolRefusedError, "{path}: the system denies access"),
    errno.EPERM: (ToolRefusedError, "{path}: the system denies access"),
    errno.EROFS: (ToolRefusedError, "{path} lies on a disk that is read-only"),
    errno.ENXIO: (ToolRefusedError, "{path} is not a regular file"),
    errno.ENOTDIR: (ToolFailedError, "{path}: a part of this path is not a folder"),
    errno.EISDIR: (ToolFailedError, "{path} is a folder, not a file"),
    errno.EEXIST: (ToolFailedError, "{path} is already there"),
    errno.ENOTEMPTY: (ToolFailedError, "{path} is a folder with something in it"),
    errno.ENAMETOOLONG: (ToolFailedError, "{path:.60}...: the name is too long"),
    errno.ENOSPC: (ToolFailedError, "{path}: the disk is full"),
}


def explained(error: OSError, path: str, root: str, *, hint: str = "") -> ToolError:
    """Return the tool error that explains an OSError.

    Args:
        error: The system's error.
        path: The path as the caller wrote it.
        root: The root of the workspace.
        hint: What to do about it, if known.
    """
    kind, sentence = _SENTENCES.get(
        error.errno or 0, (ToolFailedError, "{path}: " + (error.strerror or "the access failed"))
    )
    return kind(sentence.format(path=path, root=root), hint=hint)
