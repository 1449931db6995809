"""Tab completion in cells of okso, and no completions in other cells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from IPython.core.completer import CompletionContext

from okso_jupyter import Session
from okso_jupyter.magic.line_magic import _COMMANDS
from okso_jupyter.magic.options import known
from okso_jupyter.magic.subcommands import TAKES
from tests.approval.wire import KernelOnWire


@pytest.fixture
def filled(shell: Any) -> Any:
    """A shell with a few variables."""
    shell.user_ns |= {"rain": pd.DataFrame({"mm": [1]}), "rate": 2, "_hidden": 1, "pd": pd}
    return shell


def _tab(shell: Any, text: str, *, behind: str = "") -> list[str]:
    """Return the completions of okso's matcher at the end of a text."""
    (found,) = shell.Completer.custom_matchers
    with_cursor = text.split("\n")
    context = CompletionContext(
        token="", full_text=f"{text}{behind}", cursor_line=len(with_cursor) - 1,
        cursor_position=len(with_cursor[-1]), limit=None,
    )  # fmt: skip
    return [completion.text for completion in found(context)["completions"]]


def test_each_option_completes_once(filled: Any) -> None:
    """All options are offered at first, a given one only if it may be repeated."""
    assert set(_tab(filled, "%%okso ")) == set(known())
    assert _tab(filled, "%%okso --ye") == ["--yes"]
    assert _tab(filled, "%%okso x << --sa") == ["--samples"]
    assert _tab(filled, "%%okso x= << --yes --y") == []
    assert _tab(filled, "%%okso --in rain --in") == ["--in"]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("--approve ", ["ask", "auto", "deny", "replay="]),
        ("--approve replay=no", ["notes.txt"]),
        ("--replay sa", ["sales.csv"]),
        ("--approve=d", ["deny"]),
        ("--approve=replay=no", ["notes.txt"]),
        ("--mode re", ["react"]),
        ("--in ra", ["rain", "rate"]),
        ("--out ", ["rain", "rate", "shell_of_pytest"]),
        ("--set ON_F", ["ON_FAILURE="]),
        ("--set ON_FAILURE=s", ["stop", "skip"]),
        ("--set PLAN_ENABLED=", ["true", "false"]),
        ("--model a", ["auto"]),
        ("--model t", ["tiny.gguf"]),
        ("--samples ", []),
    ],
)
def test_values_complete(filled: Any, folder: Path, line: str, offered: list[str]) -> None:
    """Choices, variables of the notebook, settings, their values and weights complete."""
    (folder / "tiny.gguf").write_bytes(b"")
    filled.user_ns["shell_of_pytest"] = "x"
    found = _tab(filled, f"%%okso {line}")
    assert set(found) >= set(offered) if line.startswith(("--set", "--out")) else found == offered
    assert "_hidden" not in found
    assert "pd" not in found


def test_variables_complete_in_braces(filled: Any) -> None:
    """The closing braces are added unless they are already there."""
    assert _tab(filled, "%%okso\nDescribe {{ra") == ["rain}}", "rate}}"]
    assert _tab(filled, "%%okso\nDescribe {{rai", behind="}} now") == ["rain"]
    assert _tab(filled, "%%okso\nDescribe {ra") == []


def test_files_and_tools_complete_in_the_request(filled: Any, folder: Path) -> None:
    """Tools and paths below the folder complete from two characters on.

    Hidden files and paths outside the folder are not offered.
    """
    (folder / "data").mkdir()
    (folder / "data" / "weather.csv").write_text("")
    (folder / ".secret").write_text("")
    assert _tab(filled, "%%okso\nRead no") == ["notes.txt"]
    assert _tab(filled, "%%okso\nRead da") == ["data/"]
    assert _tab(filled, "%%okso\nRead data/w") == ["data/weather.csv"]
    assert _tab(filled, "%%okso\nUse file_r") == ["file_read"]
    assert _tab(filled, "%%okso\nRead n") == []
    assert _tab(filled, "%%okso\nRead ../") == []
    assert _tab(filled, "%%okso\nRead /et") == []
    assert _tab(filled, "%%okso\nRead .s") == []


def test_subcommands_and_their_arguments_complete(filled: Any, folder: Path) -> None:
    """Each subcommand offers its arguments: runs, tools, settings, on and off."""
    plan = [{"tool": "file_read", "args": {"path": "notes.txt"}}]
    with Session(root=folder) as session:
        run = session.execute(plan, approve="auto")
    assert _tab(filled, "%okso tr") == ["tree-stats", "trace", "trust"]
    assert _tab(filled, "table = %okso obs") == ["observations"]
    assert _tab(filled, "%okso trace ") == [run.id]
    assert _tab(filled, "x = 1\n%okso resume ") == ["list", run.id]
    assert _tab(filled, "%okso plan o") == ["on", "off"]
    assert _tab(filled, "%okso plan s") == ["status"]
    assert _tab(filled, "%okso why-not ") == []
    assert _tab(filled, "%okso why-not 2 ") == [run.id]
    assert _tab(filled, "%okso rescore length=2 co") == ["coverage="]
    assert _tab(filled, "%okso tools ter") == ["terminal"]
    assert _tab(filled, "%okso settings PLANNER_SE") == ["PLANNER_SEED"]
    assert _tab(filled, "%okso feedback ") == ["1", "2", "3", "4", "5"]
    assert _tab(filled, "%okso runs ") == []
    assert _tab(filled, "%okso nonsense ") == []


def test_every_subcommand_is_known_to_tab() -> None:
    """The completions cover exactly the existing subcommands."""
    assert set(TAKES) == set(_COMMANDS)


def test_values_of_config_complete(filled: Any) -> None:
    """Values complete as Python literals, with the opening quote that was typed."""
    assert _tab(filled, "%config OksoMagics.mode = 'r") == ["'react'"]
    assert _tab(filled, '%config OksoMagics.approve = "d') == ['"deny"']
    assert _tab(filled, "%config OksoMagics.planning = ") == ["True", "False"]
    assert _tab(filled, "%config OksoMagics.seed = ") == []
    assert _tab(filled, "%config OksoMagics.nonsense = ") == []


@pytest.mark.parametrize(
    "text", ["ra", "%%oksonot --ye", "%%time\n--ye", "print('%okso tr", "%oksox tr", "", "%%okso"]
)
def test_nothing_is_offered_elsewhere(filled: Any, text: str) -> None:
    """No completions are offered in cells of others."""
    assert _tab(filled, text) == []


def test_bad_settings_do_not_break_tab(filled: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """With invalid settings Tab offers nothing and raises no error."""
    monkeypatch.setenv("VERBOSITY", "nonsense")

    assert _tab(filled, "%okso trace ") == []


@pytest.mark.kernel
def test_a_front_end_completes_and_inspects(tmp_path: Path) -> None:
    """In a real kernel options, variables and `%%okso?` work through the protocol."""
    with KernelOnWire(tmp_path) as kernel:
        kernel.run("%load_ext okso_jupyter")
        kernel.run("%reload_ext okso_jupyter")
        kernel.run("rainfall = 3")

        def tab(code: str, behind: str = "") -> Any:
            content = {"code": code + behind, "cursor_pos": len(code)}
            return kernel.reply(kernel.request("complete_request", content))

        found = tab("%%okso --approve a", "\nCount {{rainfall}}")
        assert (found["matches"], found["cursor_start"]) == (["ask", "auto"], 17)
        found = tab("%%okso --yes\nCount {{rainf")
        assert (found["matches"], found["cursor_start"]) == (["rainfall}}"], 21)
        assert tab("%okso tree")["matches"] == ["tree-stats"]
        assert "rainfall" in tab("rainf")["matches"]

        content = {"code": "%%okso", "cursor_pos": 4, "detail_level": 0}
        shown = kernel.reply(kernel.request("inspect_request", content))["data"]["text/plain"]
        assert "stands for a variable of the notebook" in " ".join(shown.split())
        assert all(option in shown for option in known())
        assert all(name in shown for name in TAKES)


def test_files_to_trust_complete(filled: Any, folder: Path) -> None:
    """Workflow files beside the notebook complete, also after an option; options once."""
    assert _tab(filled, "%okso trust ") == ["--show", "--revoke"]
    own = folder / "workflows"
    own.mkdir()
    for name in ("a b.json", "c.yaml", "README.md", "x\u202e.json"):
        (own / name).write_text("{")

    files = ["'workflows/a b.json'", "workflows/c.yaml"]
    assert _tab(filled, "%okso trust ") == [*files, "--show", "--revoke"]
    assert _tab(filled, "%okso trust --revoke wor") == files[1:]
    assert _tab(filled, "%okso trust workflows/c.yaml ") == []
