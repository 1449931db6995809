"""Tools of installed packages join the catalogue by their entry point."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from okso_jupyter.toolkit.entry_points import entry_points

MODULE = '''
from okso_jupyter import tool


@tool(parameters={"properties": {"name": {"type": "string"}}, "required": ["name"]}, effect="none")
def greet(name: str) -> str:
    """Greet somebody."""
    return f"Hello, {name}!"


def both():
    return [greet]
'''

PROGRAM = """
from okso_jupyter import Session

with Session({"OKSO_HOME": "home"}) as session:
    run = session.execute([{"tool": "greet", "args": {"name": "Ann"}}], approve="auto")
    print(run.state, run.answer)
"""


def _install(folder: Path, target: str) -> None:
    """Write a package as an installer would leave it."""
    (folder / "greeting.py").write_text(MODULE, "utf-8")
    info = folder / "greeting-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: greeting\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text(f"[okso_jupyter.tools]\ngreet = {target}\n", "utf-8")


def _run(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a session in a process that finds the package."""
    root = Path(__file__).parents[2]
    return subprocess.run(  # noqa: S603  our own program
        [sys.executable, "-c", PROGRAM],
        cwd=folder,
        env={"PYTHONPATH": f"{root}:{folder}", "PATH": "/usr/bin:/bin", "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.process
def test_a_tool_of_an_installed_package_is_used(tmp_path: Path) -> None:
    """An entry point may name a tool."""
    _install(tmp_path, "greeting:greet")

    done = _run(tmp_path)

    assert done.stdout.strip() == "completed Hello, Ann!", done.stderr


@pytest.mark.process
def test_an_entry_point_may_give_several_tools(tmp_path: Path) -> None:
    """An entry point may name a function that gives tools."""
    _install(tmp_path, "greeting:both")

    done = _run(tmp_path)

    assert done.stdout.strip() == "completed Hello, Ann!", done.stderr


@pytest.mark.process
def test_an_entry_point_that_is_no_tool_is_named(tmp_path: Path) -> None:
    """What is offered and is no tool is left out, with package and entry point named."""
    _install(tmp_path, "greeting:MODULE_NAME")
    with (tmp_path / "greeting.py").open("a", encoding="utf-8") as file:
        file.write("\n\ndef MODULE_NAME():\n    return [42]\n")

    done = _run(tmp_path)

    assert "greeting (greeting:MODULE_NAME): 42 is not a Tool" in done.stderr
    assert "there is no tool 'greet'" in done.stderr


def test_a_package_counts_as_soon_as_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A notebook may install a package between two cells; removing it counts too."""
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "greet" not in entry_points("okso_jupyter.tools").names
    _install(tmp_path, "greeting:greet")
    assert "greet" in entry_points("okso_jupyter.tools").names
    shutil.rmtree(tmp_path / "greeting-1.0.dist-info")
    assert "greet" not in entry_points("okso_jupyter.tools").names


def test_a_file_beside_the_packages_is_no_reason_to_read_them_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every run may write into the notebook's folder, which Python looks for packages in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend("")
    before = entry_points("okso_jupyter.tools")
    (tmp_path / "answer.txt").write_text("42\n")
    assert entry_points("okso_jupyter.tools") is before
    _install(tmp_path, "greeting:greet")
    assert "greet" in entry_points("okso_jupyter.tools").names
