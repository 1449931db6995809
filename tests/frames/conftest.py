"""Shared fixtures of the frames tests: a run over scripted plans and real tools."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from okso_jupyter import Run, Session
from okso_jupyter.testing import ScriptedModel

GOOD = [
    {"tool": "file_read", "args": {"path": "notes.txt"}, "thought": "look"},
    {"tool": "file_read", "args": {"path": "missing.txt"}},
    {"tool": "file_search", "args": {"query": "one"}, "depends_on": [2]},
    {"tool": "file_write", "args": {"path": "copy.txt", "content": "new\n"}},
    {"tool": "final_answer", "args": {}},
]
SHORT = [{"tool": "final_answer", "args": {}}]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """The file that the candidates of `run` are logged to."""
    return tmp_path / "home" / "planner_candidates.jsonl"


@pytest.fixture
def run(tmp_path: Path, log: Path) -> Iterator[Run]:
    """A finished run with four samples, one of which is not a plan.

    Its steps: a read, a failed read, a skipped step, a write and the answer.
    """
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "notes.txt").write_text("one\n")
    model = ScriptedModel([GOOD, SHORT, "no plan", GOOD])
    settings = {
        "OKSO_HOME": str(log.parent),
        "PLAN_CHECKS": False,  # one step is to fail
        "PLANNER_SEED": 5,
        "PLANNER_SAMPLE_COUNT": 4,
        "ON_FAILURE": "skip",
    }
    with Session(settings, model=model, root=tmp_path / "root") as session:
        yield session.run("copy notes.txt to copy.txt", approve="auto")
