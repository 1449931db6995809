"""Irreversible changes, and files that other programs trust, need approval per path."""

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
from tests.each_row import each_row


class _Person:
    """Approves the plan, and decides each later question by its arguments."""

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
    """After the plan there is one question per path; then the removals are recorded."""
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


def test_rejecting_one_path_removes_none(bench: Bench) -> None:
    """The call is approved as a whole or not at all."""
    before = sorted(path.name for path in bench.root.iterdir())
    run = bench.run([_step("rm", "notes.txt", "sales.csv"), END], approve=_Person("sales.csv"))
    assert run.state == "cancelled"
    assert "2 of 2" in run.shortfall
    assert sorted(path.name for path in bench.root.iterdir()) == before


def test_a_single_path_is_asked_about_once(bench: Bench) -> None:
    """A single path is approved with the plan, which shows it alone on its card."""
    person = _Person()
    assert bench.run([_step("rm", "notes.txt"), END], approve=person).state == "completed"
    assert len(person.asked) == 1


def test_protected_names_are_asked_about_one_by_one(bench: Bench) -> None:
    """A call with several paths, one of them protected, asks about each path."""
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
def test_no_policy_approves_irreversible_or_protected_changes(
    bench: Bench, step: dict[str, Any]
) -> None:
    """`auto` without a person is refused, and nothing is changed."""
    before = {path.name: path.read_bytes() for path in bench.root.iterdir()}
    with bench.session() as session, pytest.raises(ApprovalError, match="no person can be asked"):
        session.execute([step, END], approve="auto")
    assert {path.name: path.read_bytes() for path in bench.root.iterdir()} == before


@each_row(
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
def test_ordinary_names_are_not_protected(name: str) -> None:
    """Common names need no extra approval, as too many questions would not be read."""
    assert not is_protected(name)


@pytest.mark.parametrize("link", ["hooks", "data/deep"])
def test_a_link_to_a_protected_folder_is_refused(bench: Bench, link: str) -> None:
    """Writing to a protected folder through a harmless link name fails despite approval."""
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
def test_names_with_invisible_characters_are_refused(tmp_path: Path, name: str) -> None:
    """A file with a misleading name cannot be created; an existing one can be removed."""
    workspace = Workspace(tmp_path)
    for act in (workspace.mkdir, workspace.touch, lambda path: workspace.write_atomic(path, b"x")):
        with pytest.raises(ToolError, match="invisible characters"):
            act(name)
    (tmp_path / name).write_text("x")
    assert workspace.remove_file(name).kind == "deleted"
    workspace.close()


# --- an empty text that is meant ---------------------------------------------------------


def test_an_edit_can_delete_a_text(bench: Bench) -> None:
    """An empty new text of file_edit is shown as empty, needs no model, and deletes."""
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
def test_missing_and_marked_arguments_are_filled(bench: Bench, mark: object) -> None:
    """An argument that is null, marked or missing is filled by the model."""
    args: dict[str, Any] = {"path": "notes.txt", "old_text": "milk", "new_text": mark}
    read = {"tool": "file_read", "args": {"path": "sales.csv"}}
    run = bench.run([read, {"tool": "file_edit", "args": args}, END], {"new_text": "pen,1"})
    assert (bench.root / "notes.txt").read_text() == "buy pen,1\ncall Ann\n"
    assert run.state == "completed"


def test_a_plan_may_declare_an_empty_argument_as_literal(bench: Bench) -> None:
    """`literal` excludes an argument from filling, and is kept in the journal."""
    args = {"path": "notes.txt", "content": "", "mode": "replace"}
    step = {"tool": "file_write", "args": args, "literal": ["content"]}
    run = bench.run([step, END], may_replace=["notes.txt"])
    assert (bench.root / "notes.txt").read_bytes() == b""
    assert run.plan is not None
    assert run.plan.steps[0].literal == ("content",)
    assert Plan.from_dict(run.plan.to_dict()) == run.plan
    assert file_write.properties["content"]["x-fill"]
