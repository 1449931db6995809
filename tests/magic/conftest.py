"""A real IPython shell with the extension loaded, and a temporary home."""

from __future__ import annotations

import atexit
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

FILES = {"notes.txt": "one\ntwo\nthree\n", "sales.csv": "day,amount\nmon,1\ntue,2\n"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The notebook's folder with a few files; home and config are beside it."""
    root = tmp_path / "notebooks"
    root.mkdir()
    for name, text in FILES.items():
        (root / name).write_text(text)
    monkeypatch.setenv("OKSO_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def shell(folder: Path) -> Iterator[Any]:
    """A new shell in the notebook's folder, after `%load_ext okso_jupyter`."""
    assert folder.is_dir()
    InteractiveShell.clear_instance()
    # each history with a database has a thread, which outlives the shell
    made = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    made.run_line_magic("load_ext", "okso_jupyter")
    yield made
    made.history_manager.end_session()
    # a shell of the whole process would be reset at its end, and all garbage collected for each
    atexit.unregister(made.atexit_operations)
    InteractiveShell.clear_instance()
