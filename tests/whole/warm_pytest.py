"""A program that forks a pytest for each line of its input; it has imported what they all import.

A line is JSON: the folder, the options and the variables of a run. Its answer is one as well: the
exit code and what the run printed. Each run is a process of its own, as fresh as one from a command
line, without the seconds that its imports take.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from typing import NoReturn

import pytest

import tests.conftest  # noqa: F401  what the copy of it imports


def _be(output: int, folder: str, options: Sequence[str], variables: Mapping[str, str]) -> NoReturn:
    """Become the pytest of a line, which prints to a file."""
    code = 1
    try:
        os.dup2(output, 1)
        os.environ.update(variables)
        os.chdir(folder)
        code = int(pytest.main(["-q", *options, folder]))
        sys.stdout.flush()
    finally:
        os._exit(code)


def _run(folder: str, options: Sequence[str], variables: Mapping[str, str]) -> tuple[int, str]:
    """Return exit code and output of a run."""
    with tempfile.TemporaryFile() as output:
        child = os.fork()
        if not child:
            _be(output.fileno(), folder, options, variables)
        _, status = os.waitpid(child, 0)
        output.seek(0)
        return os.waitstatus_to_exitcode(status), output.read().decode()


def _main() -> None:
    for line in sys.stdin:
        sys.stdout.write(json.dumps(_run(*json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _main()
