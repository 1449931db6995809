"""Plans of a small model whose edits are not those of the request, end to end."""

from __future__ import annotations

from typing import Any

import pytest

from okso_jupyter import Session
from tests.bench import END, Bench, SmallModel

_MEMBERS = "Name,Fee\nAnn Lee,open\nBo Kay,paid\nCy Dow,open\n"


def _small(bench: Bench, *completions: object) -> Session:
    """Return a session with a small model that answers so."""
    bench.model = SmallModel(completions)
    chosen = {"OKSO_HOME": str(bench.home), "PLANNER_SAMPLE_COUNT": 1}
    return Session(chosen, model=bench.model, root=bench.root)


def _write(content: str) -> dict[str, Any]:
    args = {"path": "out.txt", "content": content, "mode": "create"}
    return {"tool": "file_write", "args": args}


def _edit(old: str, new: str, path: str = "notes.txt") -> dict[str, Any]:
    args = {"path": path, "old_text": old, "new_text": new, "replace_all": True}
    return {"tool": "file_edit", "args": args}


_LOOK: dict[str, Any] = {"tool": "terminal", "args": {"command": "ls", "args": []}}


@pytest.mark.parametrize(
    ("request_text", "step"),
    [
        ("Write out.txt with the songs of everyone whose turn it is", _write("whose")),
        ("Write out.txt with the songs of everyone whose turn it is", _write("with the songs")),
        ("Schreib out.txt mit den Liedern, deren Noten fehlen", _write("deren")),
        ("Remove the line on eggs from notes.txt", _edit("the line on eggs", "")),
        ("Change 5 may to 6 may in the memo", _edit("may", "may", "may.txt")),
        ("Change 5 may to 6 june in the memo", _edit("5 may", "6 june", "may.txt")),
        ("Streich Brot aus notes.txt", _LOOK),
        ("Remove bread from notes.txt", _LOOK),
    ],
)
def test_an_edit_that_is_not_said_is_refused(
    bench: Bench, request_text: str, step: dict[str, Any]
) -> None:
    """Nothing is written, and no look at the folder is taken for a change."""
    (bench.root / "may.txt").write_text("rain on 5 may\n")
    before = {path: path.read_bytes() for path in bench.root.iterdir()}
    with _small(bench, [step, END]) as session:
        run = session.run(request_text, approve="auto")

    assert (run.answer or "").startswith("I cannot")
    assert {path: path.read_bytes() for path in bench.root.iterdir()} == before


def test_an_edit_that_is_said_is_made(bench: Bench) -> None:
    """The text is in the file that is named, or in quotation marks."""
    with _small(bench, [_edit("milk", "oats"), END]) as session:
        run = session.run("In my notes.txt make oats out of milk", approve="auto")
    assert run.state == "completed"
    assert (bench.root / "notes.txt").read_text() == "buy oats\ncall Ann\n"


@pytest.mark.usefixtures("_process")
def test_the_names_that_a_table_answers_are_a_line_each(bench: Bench) -> None:
    """A new file is made with the answer to the question, without the words around it."""
    (bench.root / "sales.csv").unlink()
    (bench.root / "members.csv").write_text(_MEMBERS)
    with _small(bench) as session:
        run = session.run(
            "make a file open.txt with the names of everyone whose fee is open", approve="auto"
        )
    assert run.state == "completed"
    assert (bench.root / "open.txt").read_text() == "Ann Lee\nCy Dow\n"
