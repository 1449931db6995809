"""Workers in the sandbox; if a layer is missing, the skip reason names it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from okso_jupyter.errors import ToolRefusedError
from okso_jupyter.sandbox import PythonWorker
from tests.sandbox.workers import Folder


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    """A user's folder with a table, and a text file one level down."""
    root = tmp_path / "root"
    (root / "data").mkdir(parents=True)
    (root / "sales.csv").write_text("product,price\npen,10\ncup,15\n", "utf-8")
    (root / "data" / "a.txt").write_text("inner", "utf-8")
    return root


@pytest.fixture(name="worker")
def _worker(root: Path, tmp_path: Path, _process: None) -> Iterator[PythonWorker]:
    """A Python worker over that folder."""
    try:
        worker = PythonWorker.start(Folder(root), tmp_path / "sandbox")
    except ToolRefusedError as error:
        pytest.skip(f"NOT TESTED, a layer is missing here: {error}")
    yield worker
    worker.close()
