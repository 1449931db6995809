"""Kills in the middle of writes: whether each run goes on, repeats nothing, and can be completed.

`python -m benchmarks.kills` prints a table; it fails where a kill lost or repeated an effect.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from okso_jupyter import Run, Session, Tool
from okso_jupyter.testing import ScriptedModel

_RUN: Final = "killed"
_LINES: Final = ("a", "b", "c", "d")
#: Where within a write its process dies.
_MOMENTS: Final = ("before it", "half way", "after it")


@dataclass(frozen=True, slots=True, kw_only=True)
class Killed:
    """What became of one run.

    Attributes:
        step: The step that was killed, from 1.
        moment: Where within its write.
        said: What was said of it when the run was gone on with.
        state: State of the run in the end.
        lines: What is in the file in the end.
    """

    step: int
    moment: str
    said: str
    state: str
    lines: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        """Whether the run is completed, with every effect once."""
        return self.state == "completed" and self.lines == _LINES


def kill(folder: Path, step: int, moment: str) -> Killed:
    """Kill a run in the middle of a write, look at the file, and go on with the run.

    Args:
        folder: An empty folder.
        step: The step in whose write the process dies.
        moment: One of the moments of a write.
    """
    child = os.fork()
    if child == 0:
        try:
            _execute(folder, step, moment)
        finally:
            os._exit(1)
    os.waitpid(child, 0)
    file = folder / "notebook" / "done.txt"
    written = file.read_text() if file.exists() else ""
    line = _LINES[step - 1]
    if written.endswith(line):  # half of it: a person mends that first
        file.write_text(written.removesuffix(line))
    said = "done" if f"{line}\n" in written else "again"
    with _session(folder) as session:
        run: Run = session.resume(_RUN, approve="auto", uncertain={step: said})
    return Killed(
        step=step, moment=moment, said=said, state=run.state, lines=tuple(file.read_text().split())
    )


def _execute(folder: Path, step: int, moment: str) -> None:
    """Run four writes, and die within one."""
    steps: list[dict[str, Any]] = [{"tool": "add", "args": {"line": line}} for line in _LINES]
    with _session(folder, dies_at=_LINES[step - 1], moment=moment) as session:
        session.execute([*steps, {"tool": "final_answer", "args": {}}], approve="auto")


def _session(folder: Path, *, dies_at: str = "", moment: str = "") -> Session:
    """Return a session whose tool adds a line to a file, and dies within a chosen one."""
    root = folder / "notebook"
    root.mkdir(exist_ok=True)

    def add(line: str) -> str:
        parts = {"before it": "", "half way": line, "after it": f"{line}\n"}
        with (root / "done.txt").open("a") as file:
            file.write(parts[moment] if line == dies_at else f"{line}\n")
        if line == dies_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return f"added {line}"

    tool = Tool.from_schema("add", "add a line", {"type": "object"}, add, effect="writes")
    settings = {"OKSO_HOME": str(folder / "home"), "OKSO_RUN_ID": _RUN, "VERBOSITY": 0}
    return Session(settings, tools=[tool], model=ScriptedModel([]), root=root)


def kills(count: int) -> list[Killed]:
    """Return what became of so many runs: every step and moment in turn."""
    found = []
    for number in range(count):
        step, moment = number % len(_LINES) + 1, _MOMENTS[number % len(_MOMENTS)]
        with tempfile.TemporaryDirectory() as folder:
            found.append(kill(Path(folder), step, moment))
    return found


def table(found: list[Killed]) -> str:
    """Return a Markdown row for each moment."""
    rows = ["| killed | runs | completed, every effect once |", "| --- | ---: | ---: |"]
    for moment in _MOMENTS:
        those = [one for one in found if one.moment == moment]
        rows.append(f"| {moment} | {len(those)} | {sum(one.is_right for one in those)} |")
    return "\n".join(rows)


def main() -> int:
    """Print the table; 1 where a run is not right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=40, help="how many runs are killed")
    found = kills(parser.parse_args().count)
    print(table(found))
    return int(not all(one.is_right for one in found))


if __name__ == "__main__":
    sys.exit(main())
