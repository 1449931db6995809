"""Before anything runs: code that is none, and files that are not there when a step needs them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.errors import ToolNotFoundError
from okso_jupyter.plan.flaws import Flaw
from okso_jupyter.plan.plan import Plan
from okso_jupyter.session.session import Session
from okso_jupyter.toolkit import plan_check
from okso_jupyter.toolkit.plan_check import flaws_of
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row

TOOLS = dict(Session().tools.items())


def step(tool: str, **args: Any) -> dict[str, Any]:
    """Return a step."""
    return {"tool": tool, "args": args}


def read(path: str) -> dict[str, Any]:
    """Return a step that reads a file."""
    return step("file_read", path=path)


def command(name: str, *words: str) -> dict[str, Any]:
    """Return a step that runs a command."""
    return step("terminal", command=name, args=list(words))


def python(code: str) -> dict[str, Any]:
    """Return a step that runs code."""
    return step("python_repl", input=code)


@pytest.fixture
def folder(tmp_path: Path) -> Workspace:
    """A folder with a file, and a folder with another one."""
    (tmp_path / "notes.txt").write_text("a\n")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "sales.csv").write_text("a\n")
    return Workspace(tmp_path)


def said(folder: Workspace, *steps: dict[str, Any], **tools: Tool) -> list[tuple[int, str, str]]:
    """Return what is wrong with a plan of these steps."""
    found = flaws_of(Plan.from_dict({"steps": list(steps)}), {**TOOLS, **tools}, folder)
    return [(flaw.step_id, flaw.argument, flaw.message) for flaw in found]


@each_row(
    ("call", "argument", "message"),
    [
        (read("noes.txt"), "path", "there is no file 'noes.txt'; did you mean 'notes.txt'?"),
        (read("sales.csv"), "path", "there is no file 'sales.csv'; did you mean 'data/sales.csv'?"),
        (read("NOTES.TXT"), "path", "there is no file 'NOTES.TXT'; did you mean 'notes.txt'?"),
        (read("qqq.bin"), "path", "there is no file 'qqq.bin'"),
        (read("data"), "path", "'data' is a folder, not a file"),
        (
            step("file_edit", path="note.txt", old_text="a", new_text="b"),
            "path",
            "there is no file 'note.txt'; did you mean 'notes.txt'?",
        ),
        (
            step("file_search", query="a", paths=["daat"]),
            "paths",
            "there is no file or folder 'daat'; did you mean 'data'?",
        ),
        (command("cat", "qq.txt"), "args", "there is no file 'qq.txt'"),
        (step("terminal", command="wc -l no.csv"), "command", "there is no file 'no.csv'"),
        (command("grep", "-r", "x", "zzz"), "args", "there is no file or folder 'zzz'"),
        (command("find", "zzz", "-name", "*.csv"), "args", "there is no file or folder 'zzz'"),
        (command("cd", "notes.txt"), "args", "'notes.txt' is a file, not a folder"),
        (
            step("file_write", path="dta/new.csv", content="x"),
            "path",
            "there is no folder 'dta'; did you mean 'data'?",
        ),
        (step("file_write", path="note/a.md", content="x"), "path", "there is no folder 'note'"),
        (
            step("file_write", path="notes.txt/a.md", content="x", mode="replace"),
            "path",
            "'notes.txt' is a file, not a folder",
        ),
        (
            step("file_write", input="Data/new.csv", content="x"),
            "input",
            "there is no folder 'Data'; did you mean 'data'?",
        ),
        (command("mv", "notes.txt", "zzz/a.txt"), "args", "there is no folder 'zzz'"),
        (command("rm", "zzz"), "args", "there is no file or folder 'zzz'"),
        (python("print("), "input", "it is not valid Python: '(' was never closed (line 1)"),
        (python("return 1"), "input", "it is not valid Python: 'return' outside function (line 1)"),
    ],
)  # fmt: skip
def test_a_call_that_cannot_work_is_told_at_its_argument(
    folder: Workspace, call: dict[str, Any], argument: str, message: str
) -> None:
    """What is wrong stands beside the argument, with the name that could be meant."""
    assert said(folder, call) == [(1, argument, message)]


@each_row(
    "calls",
    [
        [step("file_write", path="new.txt", content="x"), read("new.txt")],
        [command("cp", "notes.txt", "new.txt"), read("new.txt")],
        [command("cp", "notes.txt", "data"), read("data/notes.txt")],
        [command("mv", "notes.txt", "new.txt"), command("wc", "-l", "new.txt")],
        [command("mkdir", "a/b"), command("mv", "notes.txt", "a/b"), read("a/b/notes.txt")],
        [command("touch", "new.txt"), read("./new.txt")],
        [command("mkdir", "out"), step("file_write", path="out/new.txt", content="x")],
        [command("mkdir", "-p", "a/b"), step("file_write", path="a/b/new.txt", content="x")],
        [
            step("file_write", path="a/b/c.txt", content="x", create_parents=True),
            step("file_write", path="a/new.txt", content="x"),
        ],
        [step("file_write", path="data/new.txt", content="x")],
        [step("file_write", path="./new.txt", content="x")],
        [step("own", any="x"), step("file_write", path="out/new.txt", content="x")],
        [command("cd", "data"), command("cat", "sales.csv")],
        [step("own", any="x"), read("new.txt")],
        [step("file_write", path="", content="x"), read("new.txt")],
        [command("ls"), command("find", ".", "-name", "x"), command("pwd")],
        [read(""), read("__MISSING__")],
        [read("/etc/passwd"), read("../outside.txt")],
    ],
)
def test_what_an_earlier_step_makes_is_there(
    folder: Workspace, calls: list[dict[str, Any]]
) -> None:
    """Made, copied and moved files are known; what nobody can tell, or is refused, is let be."""
    own = Tool.from_schema("own", "makes files", {"type": "object"}, print)
    assert said(folder, *calls, own=own) == []


def test_an_open_argument_hides_no_other(folder: Workspace) -> None:
    """The text to write is filled later; the folder to write it into has to be there now."""
    plan = Plan.from_dict(
        {
            "steps": [
                read("notes.txt"),
                step("file_write", path="dta/new.txt", content="__MISSING__"),
            ]
        }
    )
    found = flaws_of(plan, TOOLS, folder)
    assert [flaw.message for flaw in found] == ["there is no folder 'dta'; did you mean 'data'?"]
    later = [step("terminal", command="cat", args="__MISSING__"), read("__MISSING__")]
    assert said(folder, *later) == []


def test_what_an_earlier_step_takes_away_is_gone(folder: Workspace) -> None:
    """A file that was moved is not there under its old name."""
    moved = command("mv", "notes.txt", "new.txt")
    assert said(folder, moved, read("notes.txt")) == [(2, "path", "step 1 takes it away")]


def test_a_later_step_makes_nothing_for_an_earlier_one(folder: Workspace) -> None:
    """Steps are gone through in their order."""
    late = step("file_write", path="new.txt", content="x")
    assert said(folder, read("new.txt"), late) == [(1, "path", "there is no file 'new.txt'")]


def test_a_failure_that_is_provided_for_is_none(folder: Workspace) -> None:
    """A step whose failure another one waits for may look for what is not there."""
    plan = {"steps": [read("gone.txt"), {**command("pwd"), "condition": "step_1_failed"}]}
    assert flaws_of(Plan.from_dict(plan), TOOLS, folder) == ()


def test_a_step_that_ended_is_not_looked_at(folder: Workspace) -> None:
    """What ran already came out as it did."""
    plan = Plan.from_dict({"steps": [read("gone.txt")]})
    assert flaws_of(plan, TOOLS, folder, ended={1}) == ()
    assert flaws_of(plan, TOOLS, None) == ()


def test_a_folder_that_hangs_holds_nobody_up(
    folder: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time for looking is bounded: what was not looked at counts as being there."""
    monkeypatch.setattr(plan_check, "_LOOK_S", 0.0)
    assert said(folder, read("gone.txt")) == []


def test_a_flaw_is_said_with_step_tool_and_argument() -> None:
    """As it stands in a message."""
    plan = Plan.from_dict({"steps": [read("a")]})
    flaw = Flaw(step_id=1, argument="path", message="there is no file 'a'")
    assert flaw.in_words(plan) == "step 1 (file_read): path: there is no file 'a'"
    assert Flaw.from_dict(flaw.to_dict()) == flaw


@pytest.mark.parametrize("code", ["print(", "return 1", "__MISSING__", "x = '\\0"])
def test_code_that_nobody_can_read_may_do_anything(code: str) -> None:
    """It keeps the worst effects of its tool, in the form and at the gate."""
    effects = TOOLS["python_repl"].effect_of({"input": code})
    assert effects == {"runs_code", "reads", "writes"}


@pytest.mark.parametrize("call", [read("gone"), command("mv", "gone", "x"), command("rm", "gone")])
def test_a_link_to_nothing_is_told_as_one(folder: Workspace, call: dict[str, Any]) -> None:
    """It is not suggested in its own place, neither before the run nor by the call."""
    (folder.root / "gone").symlink_to("nowhere")
    ((_, _, message),) = said(folder, call)
    assert message == "'gone' is a link to 'nowhere', which is not there"
    with pytest.raises(ToolNotFoundError) as missing, folder.open("gone"):
        pass
    assert missing.value.hint == "gone is a link to what is not there"


def test_all_files_of_the_missing_name_are_suggested(folder: Workspace) -> None:
    """None of them is preferred by chance."""
    (folder.root / "old").mkdir()
    (folder.root / "old" / "sales.csv").write_text("a\n")
    ((_, _, message),) = said(folder, read("sales.csv"))
    assert message == (
        "there is no file 'sales.csv'; did you mean 'data/sales.csv' or 'old/sales.csv'?"
    )
    assert plan_check.nearest("sales.csv", ["data/sales.csv", "old/sales.csv"]) == ""
