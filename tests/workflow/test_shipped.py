"""The shipped workflows, run end to end on real files."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.results import Run
from okso_jupyter.workflow.library import shipped
from tests.bench import END, Bench, statuses
from tests.web_lab import Host, answer, says
from tests.workflow.conftest import session_of

pytestmark = pytest.mark.process

TEXT = "\ufefffirst  \r\n\r\n\r\n\r\n3.14159265358979312 \u20ac\t\nlast"
CLEAN = "first\n\n3.14159265358979312 \u20ac\nlast\n"


def _run(bench: Bench, name: str, args: dict[str, Any], **settings: Any) -> Run:
    with session_of(bench, **settings) as session:
        plan = [{"tool": f"workflow_{name}", "args": args}, END]
        return session.execute(plan, approve="auto")


def test_every_shipped_workflow_is_valid(bench: Bench) -> None:
    """Each shipped file becomes a tool with examples."""
    with session_of(bench) as session:
        entries = session.workflows.entries
        tools = session.tools

    assert {Path(entry.file) for entry in entries} == {
        path for path in shipped().iterdir() if path.is_file()
    }
    assert len(entries) >= 4
    for entry in entries:
        assert entry.problem == ""
        assert entry.workflow is not None
        assert tools[entry.workflow.tool_name].examples


def test_clean_text_file(bench: Bench) -> None:
    """The cleaned text is written to a new file exactly; the original is unchanged."""
    (bench.root / "draft.txt").write_bytes(TEXT.encode())

    run = _run(bench, "clean_text_file", {"file": "draft.txt"})

    assert run.state == "completed"
    assert (bench.root / "draft.txt.clean").read_bytes() == CLEAN.encode()
    assert (bench.root / "draft.txt").read_bytes() == TEXT.encode()


def test_an_existing_clean_text_is_kept(bench: Bench) -> None:
    """An existing cleaned file is not overwritten, for any policy after a failure."""
    (bench.root / "draft.txt").write_text("new  \n")
    (bench.root / "draft.txt.clean").write_text("old\n")

    for policy in ("stop", "skip"):
        run = _run(bench, "clean_text_file", {"file": "draft.txt"}, ON_FAILURE=policy)
        assert run.state == "failed"
        assert statuses(run) == {1: "failed", 2: "skipped", 3: statuses(run)[3]}

    assert (bench.root / "draft.txt").read_text() == "new  \n"
    assert (bench.root / "draft.txt.clean").read_text() == "old\n"


def test_summarise_csv_folder(bench: Bench) -> None:
    """The note has rows, columns and statistics of every table, and names a broken one."""
    folder = bench.root / "my data"
    folder.mkdir()
    (folder / "a.csv").write_text("name,price\npen,1\ncup,2.5\n")
    (folder / "b.CSV").write_text("")
    (folder / "c.txt").write_text("no table")

    run = _run(bench, "summarise_csv_folder", {"folder": "my data", "note": "sum.md"})

    assert run.state == "completed"
    assert (bench.root / "sum.md").read_text() == (
        "# CSV files in my data\n\n## a.csv\n\n2 rows, 2 columns: name, price\n\n"
        "| column | least | mean | greatest |\n| --- | --- | --- | --- |\n"
        "| price | 1 | 1.75 | 2.5 |\n\n## b.CSV\n\n"
        "It cannot be read: No columns to parse from file\n"
    )


def test_a_folder_without_tables_fails(bench: Bench) -> None:
    """A folder without tables fails, and no empty note is written."""
    (bench.root / "empty").mkdir()

    run = _run(bench, "summarise_csv_folder", {"folder": "empty"})

    assert run.state == "failed"
    assert "there is no CSV file in empty" in run.failure
    assert not (bench.root / "summary.md").exists()


def test_status_from_files(bench: Bench) -> None:
    """Ticked boxes are listed as done, others as to do, and recent files as changed.

    Only files of the last seven days count as changed.
    """
    folder = bench.root / "work"
    folder.mkdir()
    (folder / "now.md").write_text("- [x] order parts\n- [ ] build it\nTODO: call O'Neil\n")
    (folder / "old.txt").write_text("* [X] plan\n")
    month_ago = time.time() - 30 * 86400
    os.utime(folder / "old.txt", (month_ago, month_ago))

    run = _run(bench, "status_from_files", {"project": "O'Hara", "folder": "work"})

    assert run.state == "completed"
    assert (bench.root / "status.md").read_text() == (
        "# Status of O'Hara\n\n## Changed in the last seven days\n\n- now.md\n\n"
        "## Done\n\n- order parts (now.md)\n- plan (old.txt)\n\n"
        "## To do\n\n- build it (now.md)\n- TODO: call O'Neil (now.md)\n"
    )


@pytest.fixture
def engine() -> Iterator[Host]:
    """A SearXNG instance on this machine."""
    rows = [{"title": "Tides", "url": "https://example.org/t", "content": "High and low."}]
    host = Host(says(answer(json.dumps({"results": rows}).encode())))
    yield host
    host.close()


def test_research_note(bench: Bench, engine: Host) -> None:
    """The question is sent to the search engine, and its results are written to the note."""
    run = _run(
        bench,
        "research_note",
        {"question": "why are there tides?", "note": "tides.md"},
        SEARXNG_URL=f"http://127.0.0.1:{engine.port}",
    )

    assert run.state == "completed"
    note = (bench.root / "tides.md").read_text()
    assert note == "1. Tides\n   https://example.org/t\n   High and low."
    assert "q=why+are+there+tides%3F" in engine.requests[0]
