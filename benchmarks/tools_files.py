"""Files: a read that the kernel holds beneath the root, against checks of the resolved path."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from benchmarks.tools_timing import Contest
from okso_jupyter.workspace import Workspace

_NAME = "a/b/c/notes.txt"
_MAX_BYTES = 1 << 20


def contests(folder: Path, stack: ExitStack) -> Iterator[Contest]:
    """Yield the contests of the file tools."""
    root = folder / "files"
    (root / _NAME).parent.mkdir(parents=True)
    (root / _NAME).write_bytes(b"x" * 1000)
    workspace = Workspace(root)
    stack.callback(workspace.close)
    yield Contest(
        "Reading 1 kB four folders deep",
        {
            "pathlib: resolve, relative_to, read (can race)": lambda: _checked(root.resolve()),
            "Workspace: beneath the root (cannot)": lambda: workspace.read_bytes(
                _NAME, max_bytes=_MAX_BYTES
            ),
        },
        per_round=25,
    )


def _checked(root: Path) -> bytes:
    path = (root / _NAME).resolve()
    path.relative_to(root)
    return path.read_bytes()
