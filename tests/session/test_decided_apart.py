"""What cannot be undone, and what other programs trust, is decided path by path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.errors import ApprovalError, ToolError
from okso_jupyter.plan.plan import Plan
from okso_jupyter.tools.file_write import file_write
from okso_jupyter.views import plan_text
from okso_jupyter.workspace import Workspace
from okso_jupyter.workspace.protected import is_protected
from tests.bench import END, Bench


class _Person:
    """Approves the plan, and decides about each later question by its arguments."""

    def __init__(self, *refused: str) -> None:
        self.asked: list[dict[str, Any]] = []
        self._refused = set(refused)

    def __call__(self, plan: Plan) -> str:
        self.asked.append(dict(plan.steps[0].args))
        later = len(self.asked) > 1
        return "reject" if later and self._refused & set(self.asked[-1]["args"]) else "approve"


def _step(command: str, *args: str) -> dict[str, Any]:
    return {"tool": "terminal", "args": {"command": command, "args": list(args)}}


def test_each_path_of_rm_is_asked_about(bench: Bench) -> None:
    """After the plan comes one question a path; then what was removed is on record."""
    person = _Person()
    run = bench.run([_step("rm", "notes.txt", "sales.csv"), END], approve=person)
    assert [args["args"] for args in person.asked] == [
        ["notes.txt", "sales.csv"], ["notes.txt"], ["sales.csv"],
    ]  # fmt: skip
    assert run.state == "completed"
    assert list(bench.root.iterdir()) == []
    details = run.steps_seen[0].changes.details
    assert [(one.kind, one.path) for one in details] == [
        ("deleted", "notes.txt"), ("deleted", "sales.csv"),
    ]  # fmt: skip
    assert all(one.before and len(one.before.sha256) == 64 for one in details)
    assert run.ledger["changes"][0][0].startswith("deleted notes.txt: 18 bytes ")


def test_a_no_to_one_path_removes_none(bench: Bench) -> None:
    """The call is approved as a whole or not at all."""
    before = sorted(path.name for path in bench.root.iterdir())
    run = bench.run([_step("rm", "notes.txt", "sales.csv"), END], approve=_Person("sales.csv"))
    assert run.state == "cancelled"
    assert "2 of 2" in run.shortfall
    assert sorted(path.name for path in bench.root.iterdir()) == before


def test_a_single_path_is_asked_about_once(bench: Bench) -> None:
    """The plan's own approval has shown it, alone on its card."""
    person = _Person()
    assert bench.run([_step("rm", "notes.txt"), END], approve=person).state == "completed"
    assert len(person.asked) == 1


def test_protected_names_are_asked_about_one_by_one(bench: Bench) -> None:
    """Copying several files to where a protected one lies asks about each."""
    person = _Person()
    run = bench.run([_step("touch", ".bashrc", "a.txt"), END], approve=person)
    assert [args["args"] for args in person.asked[1:]] == [[".bashrc"], ["a.txt"]]
    assert run.state == "completed"


@pytest.mark.parametrize(
    "step",
    [
        _step("rm", "notes.txt"),
        _step("rm", "-r", "."),
        _step("rm", "notes.txt", "sales.csv"),
        _step("touch", ".git"),
        _step("cp", "notes.txt", ".github/workflows/ci.yml"),
        _step("mv", "notes.txt", "json.py"),
        {"tool": "file_write", "args": {"path": "CLAUDE.md", "content": "x"}},
        {"tool": "file_write", "args": {"path": ".G\u200bit/config", "content": "x"}},
        {"tool": "file_write", "args": {"path": "x.pth", "content": "x"}},
        {"tool": "file_write", "args": {"path": "numpy.abi3.so", "content": "x"}},
    ],
)
def test_a_policy_decides_about_none_of_them(bench: Bench, step: dict[str, Any]) -> None:
    """`auto` without a person is refused, and nothing has changed."""
    before = {path.name: path.read_bytes() for path in bench.root.iterdir()}
    with bench.session() as session, pytest.raises(ApprovalError, match="no person can be asked"):
        session.execute([step, END], approve="auto")
    assert {path.name: path.read_bytes() for path in bench.root.iterdir()} == before


@pytest.mark.parametrize(
    "name",
    [
        "notes.md",
        "data/a.csv",
        "git.txt",
        "workflow.md",
        "my.gitlog",
        "plan.py",
        "a/b.json",
        "x.py",
    ],
)
def test_everyday_names_are_not_protected(name: str) -> None:
    """A guard that asks about everything is one that nobody reads."""
    assert not is_protected(name)


@pytest.mark.parametrize("link", ["hooks", "data/deep"])
def test_no_link_leads_to_a_protected_place(bench: Bench, link: str) -> None:
    """A harmless name of a folder link is refused, whatever the approval says."""
    (bench.root / ".git" / "hooks").mkdir(parents=True)
    (bench.root / "data").mkdir()
    up = "../" * link.count("/")
    (bench.root / link).symlink_to(f"{up}.git/hooks")
    (bench.root / "other").mkdir()
    (bench.root / "good").symlink_to("other")
    steps = [
        {"tool": "file_write", "args": {"path": f"{link}/pre-commit", "content": "x"}},
        _step("cp", "notes.txt", f"{link}/pre-commit"),
        _step("mkdir", f"{link}/new"),
        {"tool": "file_write", "args": {"path": "good/a.txt", "content": "x"}},
    ]
    run = bench.run([*steps, END], approve=lambda _plan: "approve", ON_FAILURE="skip")
    assert [seen.status for seen in run.steps_seen] == ["failed"] * 3 + ["completed"] * 2
    assert "leads by a link to .git/hooks/pre-commit" in run.steps_seen[0].error
    assert list((bench.root / ".git" / "hooks").iterdir()) == []
    assert (bench.root / "other" / "a.txt").read_text() == "x"


@pytest.mark.parametrize("name", ["a\u202eb", "tab\there", "line\nend", "\u200b", " ", "x\x07"])
def test_a_new_name_shows_what_it_is(tmp_path: Path, name: str) -> None:
    """No file is made whose name looks like another one; one that is there can be removed."""
    workspace = Workspace(tmp_path)
    for act in (workspace.mkdir, workspace.touch, lambda path: workspace.write_atomic(path, b"x")):
        with pytest.raises(ToolError, match="invisible characters"):
            act(name)
    (tmp_path / name).write_text("x")
    assert workspace.remove_file(name).kind == "deleted"
    workspace.close()


# --- an empty text that is meant ---------------------------------------------------------


def test_an_edit_can_delete_a_text(bench: Bench) -> None:
    """An empty new text of file_edit is shown as such, asks no model, and deletes."""
    shown: list[Plan] = []

    def decide(plan: Plan) -> str:
        shown.append(plan)
        return "approve"

    args = {"path": "notes.txt", "old_text": "milk", "new_text": ""}
    run = bench.run([{"tool": "file_edit", "args": args}, END], approve=decide)
    assert run.state == "completed"
    assert (bench.root / "notes.txt").read_text() == "buy \ncall Ann\n"
    assert shown[0].steps[0].open_args == ()
    assert plan_text.value_text("") == "(an empty text)"


@pytest.mark.parametrize("mark", [None, {"__fill__": True}, "__MISSING__"])
def test_the_other_marks_are_filled(bench: Bench, mark: object) -> None:
    """What cannot be meant as a text still waits for a value, and so does what is left out."""
    args: dict[str, Any] = {"path": "notes.txt", "old_text": "milk", "new_text": mark}
    read = {"tool": "file_read", "args": {"path": "sales.csv"}}
    run = bench.run([read, {"tool": "file_edit", "args": args}, END], {"new_text": "pen,1"})
    assert (bench.root / "notes.txt").read_text() == "buy pen,1\ncall Ann\n"
    assert run.state == "completed"


def test_a_plan_may_say_that_empty_is_meant(bench: Bench) -> None:
    """`literal` closes any argument that would be a slot, and survives a journal."""
    args = {"path": "notes.txt", "content": "", "mode": "replace"}
    step = {"tool": "file_write", "args": args, "literal": ["content"]}
    run = bench.run([step, END], may_replace=["notes.txt"])
    assert (bench.root / "notes.txt").read_bytes() == b""
    assert run.plan is not None
    assert run.plan.steps[0].literal == ("content",)
    assert Plan.from_dict(run.plan.to_dict()) == run.plan
    assert file_write.properties["content"]["x-fill"]
