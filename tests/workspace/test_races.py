"""A folder is swapped constantly for a link that leads outside; no access follows it."""

from __future__ import annotations

import ctypes
import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from okso_jupyter.errors import ToolError
from okso_jupyter.toolkit.context import RunResources, ToolContext
from okso_jupyter.tools.file_read import file_read
from okso_jupyter.tools.file_write import file_write
from okso_jupyter.tools.terminal import terminal
from okso_jupyter.workspace import Workspace
from okso_jupyter.workspace.beneath import Opener, by_components, by_kernel

LEAK = "OUTSIDE-THE-ROOT"
ROUNDS = 2_000

#: Exchanges two names for ever, in one step each, so that neither is ever missing.
SWAPPER = """
import ctypes, sys
libc = ctypes.CDLL(None, use_errno=True)
first, second = (name.encode() for name in sys.argv[1:])
print("ready", flush=True)
while True:
    if libc.renameat2(-100, first, -100, second, 2):
        sys.exit(ctypes.get_errno())
"""

pytestmark = pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "renameat2"), reason="renameat2 is Linux's"
)


@pytest.fixture
def race(tmp_path: Path) -> Iterator[Path]:
    """A root whose folder `d` and outside link `e` are swapped constantly."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "f.txt").write_text(LEAK)
    (outside / "victim.txt").write_text("victim")
    root = tmp_path / "ws"
    (root / "d").mkdir(parents=True)
    (root / "d" / "f.txt").write_text("inside")
    (root / "d" / "victim.txt").write_text("mine")
    (root / "e").symlink_to(outside)
    (root / "x.txt").write_text("x")
    command = [sys.executable, "-I", "-c", SWAPPER, str(root / "d"), str(root / "e")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as swapper:  # noqa: S603  our own
        assert swapper.stdout is not None
        assert swapper.stdout.readline() == b"ready\n"
        yield root
        assert swapper.poll() is None, "the swapper has ended before the test"
        swapper.kill()


def _outside(root: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in (root.parent / "outside").iterdir()}


UNTOUCHED = {"f.txt": LEAK, "victim.txt": "victim"}


@pytest.mark.process
def test_a_naive_check_loses_the_race(race: Path) -> None:
    """Code that checks a path before opening it does get outside within these rounds."""
    leaks = 0
    for _ in range(20_000):
        with suppress(OSError):
            path = race / "d" / "f.txt"
            if str(path.resolve()).startswith(f"{race}/"):
                leaks += path.read_text() == LEAK
        if leaks:
            break
    assert leaks


@pytest.mark.process
@pytest.mark.parametrize("opener", [by_kernel, by_components])
def test_reads_and_writes_stay_beneath_the_root(race: Path, opener: Opener) -> None:
    """Thousands of reads, writes and moves during swaps never get outside the root."""
    workspace = Workspace(race, opener=opener)
    seen: list[bytes] = []
    done = 0
    for number in range(ROUNDS):
        with suppress(ToolError):
            seen.append(workspace.read_bytes("d/f.txt", max_bytes=100))
        for act in (
            lambda: workspace.write_atomic("d/f.txt", b"inside"),
            lambda: workspace.append("d/log.txt", b""),
            lambda: workspace.rename("d/victim.txt", "d/moved.txt"),
            lambda: workspace.rename("d/moved.txt", "d/victim.txt"),
            lambda number=number: workspace.mkdir(f"d/{number % 7}"),
            lambda number=number: workspace.remove_dir(f"d/{number % 7}"),
        ):
            with suppress(ToolError):
                act()
                done += 1
    workspace.close()
    assert set(seen) == {b"inside"}
    assert done > 100
    assert _outside(race) == UNTOUCHED


@pytest.mark.process
def test_tools_stay_beneath_the_root(race: Path, tmp_path: Path) -> None:
    """File tools and terminal commands neither show nor change the outside.

    This includes their previews.
    """
    run = RunResources(workspace=Workspace(race), scratch=tmp_path / "scratch")
    context = ToolContext(run=run, timeout_s=60)
    lines = [
        ["cat", "d/f.txt"], ["grep", "-r", "O", "d"], ["find", "d", "-name", "*"],
        ["head", "e/f.txt"], ["cp", "d/f.txt", "got.txt"], ["cp", "x.txt", "d/f.txt"],
        ["mv", "x.txt", "e/x.txt"], ["touch", "d/new.txt"], ["rm", "d/victim.txt"],
        ["rm", "-r", "d/made"], ["mkdir", "e/made"], ["cp", "-r", "d", "copy"],
        ["wc", "-c", "d/f.txt"],
    ]  # fmt: skip
    told = []
    for number, words in zip(range(ROUNDS // 2), itertools.cycle(lines), strict=False):
        args = {"command": words[0], "args": words[1:]}
        with suppress(ToolError):
            if number % 5 == 0:
                told.append(terminal.preview_of(context, args))
            told.append(terminal.call(context, args).text)
        with suppress(ToolError):
            told.append(str(file_read.call(context, {"path": "d/f.txt"}).value))
        with suppress(ToolError):
            call = {"path": "e/f.txt", "content": "x", "mode": "append"}
            told += [file_write.preview_of(context, call), file_write.call(context, call).text]
        (race / "x.txt").write_text("x")
    run.close()
    assert len(told) > ROUNDS // 2
    assert not [text for text in told if LEAK in text]
    assert _outside(race) == UNTOUCHED


WRITER = """
import sys
from pathlib import Path
from okso_jupyter.workspace import Workspace

workspace = Workspace(Path(sys.argv[1]))
print("ready", flush=True)
while True:
    for letter in (b"a", b"b"):
        workspace.write_atomic("old.txt", (letter * 65536 for _ in range(64)))
        workspace.append("log.txt", b"0123456789" * 1000)
        try:
            workspace.remove_file("new.txt")
        except Exception:
            pass
        workspace.write_atomic("new.txt", (letter * 65536 for _ in range(64)), new=True)
"""


@pytest.mark.process
@pytest.mark.parametrize("after_ms", range(0, 120, 12))
def test_a_killed_write_leaves_old_or_new_content(tmp_path: Path, after_ms: int) -> None:
    """After a kill at any time each file is complete, with one content, or missing."""
    (tmp_path / "old.txt").write_bytes(b"b" * 65536 * 64)
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    repository = str(Path(__file__).resolve().parents[2])
    with subprocess.Popen(  # noqa: S603  our own command line
        command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": repository}
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"ready\n"
        time.sleep(after_ms / 1000)
        writer.send_signal(signal.SIGKILL)
    for name in ("old.txt", "new.txt"):
        if name == "old.txt" or (tmp_path / name).exists():
            content = (tmp_path / name).read_bytes()
            assert content in (b"a" * len(content), b"b" * len(content))
            assert len(content) == 65536 * 64
    log = (tmp_path / "log.txt").read_bytes() if (tmp_path / "log.txt").exists() else b""
    assert len(log) % 10_000 == 0
    assert log == b"0123456789" * (len(log) // 10)
