"""What no step may write unasked: names that other programs trust, and the journal's folder.

A file that git, a shell, an editor, Python or Jupyter loads by its name is code that runs later
and elsewhere, outside our sandboxes; writing one needs a separate approval.
"""

from __future__ import annotations

import posixpath
import sysconfig
import unicodedata
from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import cache
from importlib.machinery import PathFinder, all_suffixes
from itertools import pairwise
from pathlib import Path
from typing import Final

from okso_jupyter.errors import ToolRefusedError
from okso_jupyter.workspace.beneath import beneath_of
from okso_jupyter.workspace.entries import FolderEntry

#: Folders whose whole content is protected, wherever they are beneath the root.
_FOLDERS: Final = frozenset(
    {
        *(".git", ".ssh", ".aws", ".gnupg", ".ipython", ".jupyter", ".vscode", ".idea", ".github"),
        *(".claude", ".codex", ".cursor", ".okso", "workflows"),
        *(".devcontainer", ".circleci", ".husky", ".direnv", ".venv", "usercustomize"),
        *("sitecustomize", ".docker", ".kube", ".gitlab", ".woodpecker", ".terraform.d"),
    }
)
#: Folders whose whole content is protected, by their path components in order.
_NESTED_FOLDERS: Final = frozenset(
    {
        *((".config", name) for name in ("autostart", "okso", "systemd", "fish", "git", "nvim")),
        *((".config", name) for name in ("environment.d", "pip", "matplotlib", "htop", "direnv")),
        *((".local", "bin"), (".local", "lib"), ("library", "launchagents")),
        (".local", "state"),  # journal and approvals of okso are there
    }
)
_FILES: Final = (
    *(".gitmodules", ".gitconfig", ".gitattributes", ".mcp.json", ".envrc", "ipython*_config.py"),
    *(".netrc", ".npmrc", ".pypirc", ".vimrc", ".exrc", ".emacs", ".inputrc", ".rprofile"),
    *(".pdbrc", ".pythonrc", ".pythonrc.py", ".gdbinit", ".lldbinit", ".curlrc", ".wgetrc"),
    *(".gitlab-ci.yml", ".travis.yml", "azure-pipelines.yml", "bitbucket-pipelines.yml"),
    *(".pre-commit-config.yaml", ".drone.yml", "tox.ini", "noxfile.py", "pip.conf", ".condarc"),
    *(".xinitrc", ".xsession", ".xprofile", ".tmux.conf", ".screenrc", ".psqlrc", ".sqliterc"),
    *(".pgpass", ".my.cnf", ".git-credentials", ".yarnrc", ".yarnrc.yml", ".bunfig.toml"),
    *("okso-policy.toml", "mcp.json", "mcp-approved.json", "config.env"),
    "trusted.json",
    *("claude.md", "agents.md", "kernel.json"),
    *("sitecustomize.py", "usercustomize.py", "conftest.py", "*.pth", "*.ipynb"),
    *(".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile"),
    *(".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc"),
    *("okso.toml", "okso.json", "*.workflow.json", "jupyter_*_config.py", "jupyter_*_config.json"),
)
#: Suffixes of files that Python imports, longest first.
_SUFFIXES: Final = sorted(all_suffixes(), key=len, reverse=True)
#: Suffixes and full names of files that users and programs run.
_RUN_ENDS: Final = (
    *(".py", ".pyw", ".pyx", ".ipynb", ".sh", ".bash", ".zsh", ".fish", ".ksh", ".csh", ".command"),
    *(".ps1", ".psm1", ".bat", ".cmd", ".vbs", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".pm"),
    *(
        ".php",
        ".lua",
        ".r",
        ".jl",
        ".scpt",
        ".applescript",
        ".desktop",
        ".service",
        ".mk",
        ".cmake",
    ),
)
_RUN_NAMES: Final = frozenset(
    {
        *("makefile", "gnumakefile", "dockerfile", "containerfile", "justfile", "rakefile"),
        *("gemfile", "procfile", "vagrantfile", "jenkinsfile", "package.json", "crontab"),
    }
)
#: Characters that some file systems ignore in a name, so that it means another file.
_PASSED_OVER: Final = frozenset({"Cf", "Cc"})


def is_protected(path: str) -> bool:
    """Return whether a path is one that other programs run or trust.

    Args:
        path: Path relative to the root; letter case is ignored.
    """
    parts = [part for part in _plain(path).split("/") if part not in {"", "."}]
    if not parts:
        return False
    if any(part in _FOLDERS for part in parts) or _NESTED_FOLDERS.intersection(pairwise(parts)):
        return True
    return any(fnmatchcase(parts[-1], pattern) for pattern in _FILES) or _shadows_module(parts)


def is_run_by_name(path: str) -> bool:
    """Return whether a path is a file that is likely to be run: a script, notebook or makefile.

    Args:
        path: Path relative to the root; letter case is ignored.
    """
    name = _plain(path).rstrip("/ ").rpartition("/")[2]
    return name in _RUN_NAMES or name.endswith(_RUN_ENDS) or is_protected(path)


def _plain(path: str) -> str:
    """Return a path as the most lenient file system reads it."""
    seen = "".join(c for c in path if unicodedata.category(c) not in _PASSED_OVER)
    return unicodedata.normalize("NFKC", seen).casefold()


def _shadows_module(parts: list[str]) -> bool:
    """Return whether Python would import this file in place of an installed module."""
    suffix = next((end for end in _SUFFIXES if parts[-1].endswith(end)), None)
    if suffix is None:
        return False
    stem = parts[-1].removesuffix(suffix)
    if stem == "__init__":
        return len(parts) > 1 and _is_installed(parts[-2])
    return _is_installed(stem)


@cache
def _is_installed(name: str) -> bool:
    """Return whether a module of that name is installed, without importing anything."""
    if not name.isidentifier():
        return False
    places = [sysconfig.get_path(kind) for kind in ("stdlib", "platstdlib", "purelib", "platlib")]
    return PathFinder.find_spec(name, places) is not None


class ClosedFolder:
    """A closed folder beneath a root; has no effect if it is elsewhere, or is the root.

    Args:
        root: The root.
        folder: The folder; None for none.
    """

    def __init__(self, root: Path, folder: Path | None) -> None:
        is_inside = folder is not None and folder != root and folder.is_relative_to(root)
        self._path = folder.relative_to(root).as_posix() if folder and is_inside else ""

    def check(self, root_fd: int, handle: int, path: str, name: str = ".") -> None:
        """Raise ToolRefusedError if a handle, or a name in it, is in the folder."""
        if not self._path:
            return
        inside = beneath_of(root_fd, handle)
        if self._holds(posixpath.normpath(posixpath.join(inside or ".", name))):
            msg = f"{path} lies in the folder of okso's own journal, which no step may use"
            raise ToolRefusedError(msg, hint="set OKSO_HOME to a folder elsewhere to use this one")

    def check_stays(self, source: str) -> None:
        """Raise ToolRefusedError if the folder is beneath an entry that is about to move."""
        if self._path and self._path.startswith(f"{source}/"):
            msg = f"{source} holds the folder of okso's own journal, which stays where it is"
            raise ToolRefusedError(msg, hint="set OKSO_HOME to a folder elsewhere")

    def skipping(
        self, skip: Callable[[FolderEntry], bool] | None
    ) -> Callable[[FolderEntry], bool] | None:
        """Return the filter of a walk: the given one, plus the folder."""
        if not self._path:
            return skip
        return lambda entry: self._holds(entry.path) or bool(skip is not None and skip(entry))

    def _holds(self, real: str) -> bool:
        return real == self._path or real.startswith(f"{self._path}/")
