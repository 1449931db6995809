"""Names that other programs run or trust: writing one deserves its own look.

A file that git, a shell, an editor, Python or Jupyter picks up by its name is code that runs
later and elsewhere, outside every sandbox of ours.
"""

from __future__ import annotations

import posixpath
import sysconfig
from fnmatch import fnmatchcase
from functools import cache
from importlib.machinery import PathFinder
from itertools import pairwise
from typing import Final

#: Folders of which everything is protected, wherever they lie beneath the root.
_FOLDERS: Final = frozenset(
    {
        *(".ssh", ".aws", ".gnupg", ".ipython", ".jupyter", ".vscode", ".idea"),
        *(".claude", ".codex", ".okso", "workflows"),
    }
)
_FILES: Final = (
    *(".gitmodules", ".gitconfig", ".mcp.json", ".envrc", "ipython_config.py"),
    *("sitecustomize.py", "usercustomize.py", "conftest.py", "*.pth", "*.ipynb"),
    *(".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile"),
    *(".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc"),
    *("okso.toml", "okso.json", "*.workflow.json", "jupyter_*_config.py", "jupyter_*_config.json"),
)
_GIT: Final = frozenset(("hooks", "config"))


def is_protected(path: str) -> bool:
    """Say whether a path names something that other programs run or trust.

    Args:
        path: Path relative to the root; upper and lower case count as the same.
    """
    parts = [part for part in path.casefold().split("/") if part not in {"", "."}]
    if not parts:
        return False
    if any(part in _FOLDERS for part in parts):
        return True
    if any(a == ".git" and b in _GIT for a, b in pairwise(parts)):
        return True
    return any(fnmatchcase(parts[-1], pattern) for pattern in _FILES) or _shadows_module(parts)


def _shadows_module(parts: list[str]) -> bool:
    """Say whether Python would find this file in place of an installed module."""
    stem, suffix = posixpath.splitext(parts[-1])
    if suffix != ".py":
        return False
    if stem == "__init__":
        return len(parts) > 1 and _is_installed(parts[-2])
    return _is_installed(stem)


@cache
def _is_installed(name: str) -> bool:
    """Say whether a module of that name is installed, without importing anything."""
    if not name.isidentifier():
        return False
    places = [sysconfig.get_path(kind) for kind in ("stdlib", "platstdlib", "purelib", "platlib")]
    return PathFinder.find_spec(name, places) is not None
