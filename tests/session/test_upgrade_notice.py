"""A home of an earlier version: its calls keep their meaning and are reported once."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from pathlib import Path

import pytest

from okso_jupyter import Plan, Run, Session
from okso_jupyter.errors import ApprovalError
from tests.session.older.make import WRITE

BEFORE = "one\ntwo\nthree\n"
_PLACE = "/srv/example/older"


@pytest.fixture(name="home")
def _home(tmp_path: Path) -> Path:
    """A home that was made by an earlier version, moved to the folder of this test."""
    home = tmp_path / "home"
    (home / "runs").mkdir(parents=True, mode=0o700)
    root = tmp_path / "notebook"
    root.mkdir()
    (root / "notes.txt").write_text(BEFORE)
    shutil.copy(Path(__file__).parent / "older" / "journal.sqlite3", home)
    with sqlite3.connect(home / "journal.sqlite3") as database:
        (guard,) = database.execute(
            "SELECT sql FROM sqlite_master WHERE name = 'record_is_final'"
        ).fetchone()
        database.execute("DROP TRIGGER record_is_final")
        database.execute("UPDATE record SET body = replace(body, ?, ?)", (_PLACE, str(tmp_path)))
        database.execute(guard)
    return home


def session(home: Path) -> Session:
    """Return a session of the current version over the home."""
    return Session(
        {"OKSO_HOME": str(home), "FINAL_ANSWER": "digest"}, root=home.parent / "notebook"
    )


def notes(home: Path) -> str:
    """Return the content of the file that the run would replace."""
    return (home.parent / "notebook" / "notes.txt").read_text()


def test_a_call_without_a_mode_keeps_its_older_meaning(home: Path) -> None:
    """A loaded plan of an older run gets mode=replace; a plan of a new run gets no mode."""
    with session(home) as now:
        older = now.load_run("older-paused")
        assert older.plan is not None
        assert older.plan.step(2).args == {**WRITE["args"], "mode": "replace"}
        newer = now.execute([{**WRITE, "depends_on": []}], approve="deny")
        again = now.load_run(newer.id)
        assert again.plan is not None
        assert again.plan.step(1).args == WRITE["args"]


@pytest.mark.parametrize("policy", ["auto", "ask"])
def test_no_policy_lets_an_older_call_replace_a_file(home: Path, policy: str) -> None:
    """Without a person to see the loss, the run stays paused and the file is unchanged."""
    with session(home) as now:
        with pytest.raises(ApprovalError):
            now.resume("older-paused", approve=policy)
        assert now.load_run("older-paused").state == "paused"
    assert notes(home) == BEFORE


def test_a_person_sees_the_loss_and_approves_it(home: Path) -> None:
    """The file is replaced after a person has seen the loss and approved it."""
    shown: list[Plan] = []

    def approve(plan: Plan) -> str:
        shown.append(plan)
        return "approve"

    with session(home) as now:
        run: Run = now.resume("older-paused", approve=approve)
    assert run.state == "completed"
    assert [step.args["mode"] for plan in shown for step in plan.steps if "mode" in step.args]
    assert notes(home) == "short\n"
    losses = [
        terms.get("losses") for record in run.records if record.kind == "shown"
        for terms in record.body["terms"]
    ]  # fmt: skip
    assert ["notes.txt"] in [list(paths or ()) for paths in losses]


def test_calls_with_the_older_meaning_are_reported_once(
    home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """One warning names home, waiting run, workflow file and the fix; it is not repeated."""
    folder = home.parent / "notebook" / "workflows"
    folder.mkdir()
    (folder / "shorten.yaml").write_text(
        "name: shorten\ndescription: Shorten the notes.\nparameters: {type: object}\nsteps:\n"
        "  - tool: file_write\n    args: {path: notes.txt, content: x}\n"
    )
    with caplog.at_level(logging.WARNING):
        session(home).close()
        session(home).close()
    (warning,) = [r for r in caplog.records if r.getMessage() == "made for an earlier version"]
    said = str(vars(warning)["detail"])
    assert "file_write without a mode replaced a file then" in said
    assert "%okso resume older-paused shows what it would replace" in said
    assert "older-completed" not in said
    assert "shorten.yaml: step 1 writes notes.txt, which is there" in said
    assert "mode: replace" in said


def test_a_new_home_causes_no_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Runs of the current version cause no warning about an earlier version."""
    root = tmp_path / "notebook"
    root.mkdir()
    settings = {"OKSO_HOME": str(tmp_path / "home")}
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            with Session(settings, root=root) as now:
                now.execute([WRITE | {"depends_on": []}], approve="auto")
    assert "made for an earlier version" not in caplog.text
