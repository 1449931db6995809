"""Starting a worker where components are missing or different."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from okso_jupyter.errors import ToolRefusedError
from okso_jupyter.sandbox import PythonWorker, bubblewrap, launch, seatbelt, seccomp
from okso_jupyter.sandbox.layer_survey import survey
from okso_jupyter.sandbox.process import started
from tests.sandbox.workers import Folder

pytestmark = pytest.mark.process

_ASK = "from okso_jupyter.sandbox import bubblewrap as b, launch; print(b.problem()); "


def _in_a_process(code: str, path: str) -> str:
    """Return the output of code run in a Python process with another PATH."""
    package = str(Path(__file__).parents[2])
    done = subprocess.run(  # noqa: S603  our own code
        [sys.executable, "-c", code],
        env={"PATH": path, "PYTHONPATH": package},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_without_bubblewrap_the_other_layers_are_used(tmp_path: Path) -> None:
    """Without bwrap, bubblewrap is not a layer, and the reason names the package."""
    said = _in_a_process(_ASK + "print(launch.layers_here())", str(tmp_path))
    assert "not installed (the package is called bubblewrap)" in said
    assert "'seccomp')" in said


def test_a_failing_bubblewrap_is_not_a_layer(tmp_path: Path) -> None:
    """A trial run of bwrap fails, and its error output is the reason."""
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'No permissions to create new namespace' >&2\nexit 1\n")
    program.chmod(0o755)
    said = _in_a_process(_ASK, str(tmp_path))
    assert said == "it does not work here: No permissions to create new namespace\n"


def test_systems_without_a_sandbox_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the unsupported system; the hint names the tools that remain."""
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(ToolRefusedError, match="no sandbox on win32") as caught:
        PythonWorker.start(Folder(tmp_path), tmp_path / "python")
    assert "the file tools and the terminal handle text without" in caught.value.hint
    assert [(layer.name, layer.works) for layer in survey()] == [("all", False)]


def test_the_macos_profile_contains_only_readable_paths(tmp_path: Path) -> None:
    """The profile's text contains the paths, quoted; it is NOT TESTED on macOS itself."""
    root = tmp_path / 'a "b"'
    root.mkdir()
    for name in (".env", "sales.csv"):
        (root / name).write_text("x")
    words = seatbelt.command(root=str(root), readable=["/opt/lib"], writable=str(tmp_path / "w"))
    profile = words[2]
    assert words[:2] == ["/usr/bin/sandbox-exec", "-p"]
    assert profile.startswith("(version 1)\n(deny default)\n")
    assert r'a \"b\"/sales.csv")' in profile
    assert ".env" not in profile
    assert "fork" not in profile
    assert "network" not in profile
    assert profile.count("(") == profile.count(")")


@pytest.mark.skipif(bool(bubblewrap.problem()), reason="NOT TESTED: no bubblewrap here")
def test_a_missing_bubblewrap_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that should run in bubblewrap and does not is refused."""
    monkeypatch.setattr(bubblewrap, "command", lambda **_: [])
    with pytest.raises(ToolRefusedError, match="could see that a file outside exists"):
        PythonWorker.start(Folder(tmp_path), tmp_path / "python")


@pytest.mark.skipif(bool(bubblewrap.problem()), reason="NOT TESTED: no bubblewrap here")
@pytest.mark.parametrize("left_out", ["capabilities", "landlock", "seccomp"])
def test_a_missing_layer_is_detected_behind_bubblewrap(tmp_path: Path, left_out: str) -> None:
    """Bubblewrap's separate view does not hide a missing layer from the self-test."""
    if left_out == "capabilities":
        pytest.skip("NOT SHOWN: bubblewrap takes them as well")
    kept = [name for name in launch.layers_here() if name != left_out]
    with pytest.raises(ToolRefusedError, match="does not hold: it could"):
        PythonWorker.start(Folder(tmp_path), tmp_path / "python", _layers=kept)


@pytest.mark.parametrize(
    ("rule", "could"),
    [
        *(
            (f'    "{name}": (', "reach objects that processes share")
            for name in "shmat shmctl semctl semtimedop msgsnd msgrcv msgctl".split()
        ),
        ("        (_SOCKETPAIR, ", "send a message to another process"),
    ],
)
def test_the_self_test_detects_each_missing_rule(tmp_path: Path, rule: str, could: str) -> None:
    """A filter that lacks one of its rules is detected, and the worker is refused."""
    sources = Path(seccomp.__file__).parent
    program = shutil.copytree(sources, tmp_path / "okso" / "sandbox") / "worker.py"
    code = (sources / "seccomp.py").read_text("utf-8").splitlines()
    assert sum(line.startswith(rule) for line in code) == 1
    kept = [line for line in code if not line.startswith(rule)]
    (program.parent / "seccomp.py").write_text("\n".join(kept), "utf-8")
    (tmp_path / "python").mkdir()
    layers = launch.layers_here()
    with (
        launch.launch(
            tmp_path, tmp_path / "python", layers, self_test=True, program=program
        ) as how,
        pytest.raises(ToolRefusedError, match=f"the sandbox does not hold: it could {could} "),
    ):
        started(how, tmp_path / "python")


def test_close_ends_all_processes_of_the_worker(tmp_path: Path) -> None:
    """After close the worker is gone, with its parent and child processes."""
    worker = PythonWorker.start(Folder(tmp_path), tmp_path / "python")
    group = worker._live_child().pid
    worker.run("import os; os.setsid() if os.getpid() != os.getpgid(0) else None", timeout_s=5)
    worker.close()
    with pytest.raises(ProcessLookupError):
        os.killpg(group, 0)
