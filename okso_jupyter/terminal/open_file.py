"""open: shows a file in its default desktop program; macOS only."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

from okso_jupyter.effects.effect import Effect
from okso_jupyter.errors import ToolFailedError
from okso_jupyter.terminal.command import READS, Command, Invocation
from okso_jupyter.terminal.command_run import CommandRun

_WAIT_S: Final = 10


def _open(session: CommandRun, call: Invocation) -> None:
    path = session.path(call.operands[0])
    session.workspace.stat(path)
    # the program is given by its full path and the name is absolute: neither can be an option
    outcome = subprocess.run(  # noqa: S603  fixed program, one absolute path, no shell
        ["/usr/bin/open", str(session.workspace.root / path)],
        check=False,
        capture_output=True,
        text=True,
        timeout=_WAIT_S,
    )
    if outcome.returncode:
        msg = f"open: {path}: {outcome.stderr.strip() or 'no program opens it'}"
        raise ToolFailedError(msg)
    session.line(f"opened {path}")


_OPEN: Final = Command(
    name="open",
    usage="open FILE",
    run=_open,
    operands=(1, 1),
    # the desktop chooses the program, and some files are programs
    effects=READS | {Effect.RUNS_CODE},
)
COMMANDS: Final = (_OPEN,) if sys.platform == "darwin" else ()
