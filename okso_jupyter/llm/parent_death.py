"""Program that replaces itself by another one, which is killed when its parent process ends.

It works on Linux only. Its arguments are the id of that process, the other program and its
arguments. A killed kernel runs no clean-up; this needs none.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import Final

_PR_SET_PDEATHSIG: Final = 1


def main(starter: str, *command: str) -> None:
    """Ask to be killed with the parent, then become the command."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != int(starter):
        sys.exit("the process that started this ended meanwhile")
    try:
        os.execv(command[0], command)  # noqa: S606  the program that the user named
    except OSError as error:
        sys.exit(f"it cannot be run: {error.strerror}")


if __name__ == "__main__":
    main(*sys.argv[1:])
