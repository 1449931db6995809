"""Warnings of lost content: in the text, the open diff and the Approve button."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from okso_jupyter.approval import policy
from okso_jupyter.errors import ApprovalError
from okso_jupyter.plan.approval_request import ApprovalRequest
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import Approval
from okso_jupyter.views import plan_text
from tests.approval.person import Person, approve
from tests.bench import END, Bench, statuses

LOG = "".join(f"line {number}\n" for number in range(160))
WRITE: dict[str, Any] = {
    "tool": "file_write", "args": {"path": "shop.log", "content": "x\n", "mode": "replace"}
}  # fmt: skip
MOVE: dict[str, Any] = {"tool": "terminal", "args": {"command": "mv", "args": ["a.txt", "b.txt"]}}
COPY: dict[str, Any] = {"tool": "terminal", "args": {"command": "cp", "args": ["a.txt", "b.txt"]}}


@pytest.fixture
def folder(bench: Bench) -> Bench:
    """A folder with a log and two small files."""
    (bench.root / "shop.log").write_text(LOG)
    (bench.root / "a.txt").write_text("a\n")
    (bench.root / "b.txt").write_text("b\nb\n")
    return bench


def states_of(folder: Bench, monkeypatch: pytest.MonkeyPatch, *steps: Mapping[str, Any]) -> Any:
    """Return the form states shown to a user who approves a plan."""
    person = Person(monkeypatch, [approve])
    run = folder.run([*steps, END], approve="ask")
    assert run.state == "completed"
    return person.states


def test_the_form_shows_the_loss(folder: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The form describes the loss, opens the diff of any length and labels the button."""
    state = states_of(folder, monkeypatch, WRITE)[0]
    html = state["steps"][0]["html"]
    size = f"{len(LOG) / 1000:.1f} kB"
    assert f"replaces 160 lines ({size}) of shop.log by 1 line (2 bytes)" in html
    assert '<details class="okso-fold" open><summary>What would be lost' in html
    assert state["approve"] == "Approve: replace shop.log"


@pytest.mark.parametrize("step", [MOVE, COPY])
def test_a_move_or_copy_over_a_file_is_a_loss(
    folder: Bench, monkeypatch: pytest.MonkeyPatch, step: Mapping[str, Any]
) -> None:
    """A move or copy onto an existing file is shown as a loss of that file."""
    state = states_of(folder, monkeypatch, step)[0]
    assert "replaces 2 lines (4 bytes) of b.txt by 1 line (2 bytes)" in state["steps"][0]["html"]


@pytest.mark.parametrize(
    "step",
    [
        {"tool": "file_write", "args": {"path": "new.txt", "content": "x"}},
        {"tool": "file_write", "args": {"path": "a.txt", "content": "x", "mode": "append"}},
        {"tool": "file_write", "args": {"path": "a.txt", "content": "a\n", "mode": "replace"}},
        {"tool": "file_edit", "args": {"path": "b.txt", "old_text": "b\nb", "new_text": "b"}},
        {"tool": "file_edit", "args": {"path": "a.txt", "old_text": "a", "new_text": "c"}},
        {"tool": "terminal", "args": {"command": "mv", "args": ["a.txt", "c.txt"]}},
        {"tool": "terminal", "args": {"command": "cp", "args": ["-n", "a.txt", "b.txt"]}},
        {"tool": "terminal", "args": {"command": "touch", "args": ["a.txt"]}},
    ],
)
def test_steps_without_loss_show_no_warning(
    folder: Bench, monkeypatch: pytest.MonkeyPatch, step: Mapping[str, Any]
) -> None:
    """Steps that lose no content show no warning.

    These are new files, additions, partial changes and moves to a free name.
    """
    state = states_of(folder, monkeypatch, step)[0]
    assert "okso-loss" not in state["steps"][0]["html"]
    assert state["approve"] == ""


def test_a_link_is_not_moved_onto_its_file(folder: Bench) -> None:
    """Under auto too: the step fails, and the file keeps what it holds."""
    (folder.root / "latest.txt").symlink_to("b.txt")
    step = {"tool": "terminal", "args": {"command": "mv", "args": ["latest.txt", "b.txt"]}}
    run = folder.run([step, END], may_replace=())
    assert "latest.txt and b.txt are the same file" in str(run.failure)
    assert (folder.root / "b.txt").read_text() == "b\nb\n"
    assert not (folder.root / "b.txt").is_symlink()


@pytest.mark.parametrize(
    "args",
    [
        {"old_text": LOG, "new_text": ""},
        {"old_text": LOG, "new_text": "x"},
        {"old_text": "line ", "new_text": "", "replace_all": True},
        {"old_text": LOG[: len(LOG) * 19 // 20], "new_text": ""},
    ],
)
def test_an_edit_that_empties_a_file_asks(
    folder: Bench, monkeypatch: pytest.MonkeyPatch, args: Mapping[str, Any]
) -> None:
    """Auto refuses what leaves less than a tenth of a file without blanks; the form says so."""
    text = LOG if "replace_all" not in args else "line \n" * 160
    (folder.root / "shop.log").write_text(text)
    step = {"tool": "file_edit", "args": {"path": "shop.log", **args}}
    with pytest.raises(ApprovalError, match=r"leaves .* of shop\.log, which holds 160 lines"):
        folder.run([step, END], may_replace=())
    assert (folder.root / "shop.log").read_text() == text
    state = states_of(folder, monkeypatch, step)[0]
    assert "What would be lost" in state["steps"][0]["html"]
    assert state["approve"] == "Approve: empty shop.log"


@pytest.mark.parametrize("step", [WRITE, MOVE, COPY])
def test_auto_refuses_a_loss(folder: Bench, step: Mapping[str, Any]) -> None:
    """Auto refuses a step that loses content; nothing runs, and the error names the loss."""
    before = {file.name: file.read_bytes() for file in folder.root.iterdir()}
    with pytest.raises(ApprovalError, match=r"replaces .* of"):
        folder.run([step, END], may_replace=())
    assert {file.name: file.read_bytes() for file in folder.root.iterdir()} == before


def test_auto_replaces_the_files_named_by_the_caller(folder: Bench) -> None:
    """`may_replace` lets auto replace the named file and no other."""
    run = folder.run([WRITE, END], may_replace=["./shop.log"])
    assert statuses(run)[1] == "completed"
    with pytest.raises(ApprovalError):
        folder.run([COPY, END], may_replace=["shop.log"])


def test_a_file_created_by_the_run_may_be_replaced(folder: Bench) -> None:
    """Replacing a file that the run created is not a loss, in the forecast or at run time."""
    made = {"tool": "file_write", "args": {"path": "new.txt", "content": "1"}}
    again = {
        "tool": "file_write", "args": {"path": "new.txt", "content": "2", "mode": "replace"}
    }  # fmt: skip
    run = folder.run([made, again, END], may_replace=())
    assert run.state == "completed"
    assert (folder.root / "new.txt").read_text() == "2"


def test_a_diff_builds_on_the_earlier_steps(folder: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The diff of a second change builds on the first; the user is asked only once."""
    first = {"tool": "file_edit", "args": {"path": "a.txt", "old_text": "a", "new_text": "tea"}}
    second = {"tool": "file_edit", "args": {"path": "a.txt", "old_text": "tea", "new_text": "milk"}}
    states = states_of(folder, monkeypatch, first, second)
    assert "-tea" in states[0]["steps"][1]["html"]
    assert "+milk" in states[0]["steps"][1]["html"]
    assert (folder.root / "a.txt").read_text() == "milk\n"


def test_a_file_that_appeared_since_is_not_replaced(folder: Bench) -> None:
    """Auto refuses a copy to a name that was free when shown and is no longer free."""
    copy = {"tool": "terminal", "args": {"command": "cp", "args": ["a.txt", "c.txt"]}}
    read = {"tool": "file_read", "args": {"path": "a.txt"}}

    def meddle(event: Mapping[str, Any]) -> None:
        if (event["step"], event["status"]) == (1, "completed"):
            (folder.root / "c.txt").write_text("theirs")

    with pytest.raises(ApprovalError):
        folder.run([read, copy, END], on_event=meddle, may_replace=())
    assert (folder.root / "c.txt").read_text() == "theirs"


def test_the_terminal_shows_the_loss(folder: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text of a plan names the content that is lost, in addition to the diff."""
    said: list[str] = []

    def ask(proposal: ApprovalRequest, **_rest: object) -> Approval:
        said.append(plan_text.as_text(proposal))
        return Approval(decision="reject", shown=proposal.fingerprint, by="user")

    monkeypatch.setattr(policy, "ask", ask)
    folder.run([WRITE, END], approve="ask")
    assert "!! Content is lost: this replaces 160 lines" in said[0]


def test_late_content_that_replaces_a_file_is_shown_first(folder: Bench) -> None:
    """Content filled in later that replaces a file is shown first; a rejection keeps it."""
    write = {"tool": "file_write", "args": {"path": "b.txt", "content": "", "mode": "replace"}}
    read = {"tool": "file_read", "args": {"path": "a.txt"}}
    shown: list[Plan] = []

    def approve(plan: Plan) -> str:
        shown.append(plan)
        return "approve" if len(shown) == 1 else "reject"

    filled = '{"content": "only this"}'
    run = folder.run([read, write, END], filled, approve=approve, may_replace=())
    assert run.state == "cancelled"
    assert shown[1].steps[0].args["content"] != ""
    assert (folder.root / "b.txt").read_text() == "b\nb\n"
