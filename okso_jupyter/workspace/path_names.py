"""Path names: from paths as users and models write them to paths relative to the root."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable

from okso_jupyter.errors import ToolInputError


def named_beneath(path: str, folder: str, roots: Iterable[str]) -> str | None:
    """Return a path relative to the root; None if it is outside.

    Args:
        path: Relative to `folder`, absolute inside the root, or below "~" inside the root.
        folder: Folder beneath the root that relative paths start from.
        roots: Absolute names of the root.

    Raises:
        ToolInputError: It is empty, or contains characters that no path can have.
    """
    if not path or "\0" in path:
        msg = "a path is empty" if not path else f"the path {path!r} holds a NUL character"
        raise ToolInputError(msg)
    try:
        os.fsencode(path)
    except UnicodeEncodeError as error:
        msg = f"the path {path!r} holds half of a character"
        raise ToolInputError(msg) from error
    home = path == "~" or path.startswith("~/")
    written = os.path.expanduser(path) if home else path  # noqa: PTH111  text, not a Path
    if written.startswith("/"):
        candidates = [os.path.relpath(written, name) for name in roots]
    else:
        candidates = [posixpath.normpath(posixpath.join(folder, written))]
    inside = (name for name in candidates if name != ".." and not name.startswith("../"))
    return next(inside, None)
