"""Tables as they are written: what the planner takes their cells for is what the engine does."""

from __future__ import annotations

from pathlib import Path

from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.workspace import Workspace


def _sample(folder: Path, name: str, content: bytes) -> TableSample:
    (folder / name).write_bytes(content)
    workspace = Workspace(folder)
    sample = TableSources(workspace).sample(name)
    workspace.close()
    assert sample is not None
    return sample


def test_signs_of_windows_1252(tmp_path: Path) -> None:
    """The euro sign and typographic quotes are no control characters."""
    table = _sample(tmp_path, "t.csv", "item;price\nPaper „A4“;1,50 €\n".encode("cp1252"))
    assert [column.cells for column in table.columns.values()] == [["Paper „A4“"], ["1,50 €"]]
