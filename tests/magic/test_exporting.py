"""`%okso export`: a file for each format, never over another one, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter import Session
from okso_jupyter.errors import UsageError

WRITE = {"tool": "file_write", "args": {"path": "new.txt", "content": "x"}}
END = {"tool": "final_answer", "args": {}}


@pytest.fixture(name="run_id")
def _run_id(folder: Path) -> str:
    """A run of the past."""
    with Session(root=folder) as session:
        return session.execute([WRITE, END], approve="auto").id


def okso(shell: Any, line: str) -> Any:
    """Run a subcommand."""
    return shell.run_line_magic("okso", line)


def test_each_format_is_a_file(shell: Any, folder: Path, run_id: str) -> None:
    """Spans, records and turns; only the user can read the files."""
    for name in ("otlp", "jsonl", "atif"):
        assert run_id in okso(shell, f"export {run_id} --format {name}")
    otlp = json.loads((folder / f"{run_id}.otlp.json").read_text("utf-8"))
    names = [span["name"] for span in otlp["resourceSpans"][0]["scopeSpans"][0]["spans"]]
    assert names[-1] == "invoke_agent okso"
    assert "execute_tool file_write" in names
    lines = (folder / f"{run_id}.jsonl").read_text("utf-8").splitlines()
    assert json.loads(lines[0])["run_id"] == run_id
    atif = json.loads((folder / f"{run_id}.atif.json").read_text("utf-8"))
    assert atif["session_id"] == run_id
    assert (folder / f"{run_id}.jsonl").stat().st_mode & 0o077 == 0


def test_no_file_is_replaced(shell: Any, folder: Path, run_id: str) -> None:
    """A file of that name stays as it is."""
    file = folder / f"{run_id}.jsonl"
    file.write_text("mine", "utf-8")
    with pytest.raises(UsageError, match="exists already"):
        okso(shell, f"export {run_id} --format jsonl")
    assert file.read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("export", "which format"),
        ("export --format", "which format"),
        ("export --format xml", "'xml' is not a format"),
        ("export a b --format jsonl", "takes one run at most"),
    ],
)
def test_what_cannot_be_read_is_refused(shell: Any, line: str, problem: str) -> None:
    """The error names the way to say it."""
    with pytest.raises(UsageError, match=problem) as caught:
        okso(shell, line)
    assert "--format otlp|jsonl|atif" in caught.value.hint
