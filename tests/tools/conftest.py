"""What the tests of the file tools share: a root, and a context that lends it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from okso_jupyter.toolkit.context import RunResources, ToolContext
from okso_jupyter.workspace import Workspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with a few everyday files, and a secret beside it."""
    (tmp_path / "secret.txt").write_text("outside\n")
    root = tmp_path / "ws"
    (root / "docs").mkdir(parents=True)
    (root / "sales.csv").write_text("day,amount\nmon,1\ntue,2\nwed,30\n")
    (root / "notes.md").write_text("# Plan\nthe budget is 10\nask Ann about the Budget\n")
    (root / "docs" / "guide.txt").write_text("install it\nbudget: none\n")
    return root


@pytest.fixture
def context(root: Path, tmp_path: Path) -> Iterator[ToolContext]:
    """What a call is lent."""
    run = RunResources(workspace=Workspace(root), scratch=tmp_path / "scratch")
    yield ToolContext(run=run, timeout_s=60)
    run.close()
