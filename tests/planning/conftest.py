"""Fixtures shared by the planning tests: a folder with a few everyday files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from okso_jupyter.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """A folder with files that requests refer to in various ways."""
    root = tmp_path / "notebook"
    (root / "reports").mkdir(parents=True)
    (root / "sales.csv").write_text("product,unit price,region\npen,1,north\n")
    (root / "tabs.tsv").write_text("\ufeffday\tamount\nmon\t1\n")
    (root / "meeting_notes.md").write_text("# Plan\n")
    (root / "reports" / "june.txt").write_text("warm\n")
    (root / ".hidden.txt").write_text("secret\n")
    (root / "broken.csv").write_bytes(b"\xff\xfe\x00a,b\n")
    opened = Workspace(root)
    yield opened
    opened.close()
