"""Profile of one cell: how much of the package one request goes through, in counts and not in time.

python -m benchmarks.one_cell ["request"]
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Final

import okso_jupyter
from okso_jupyter import Session

PACKAGE: Final = str(Path(okso_jupyter.__file__).parent) + "/"
REQUEST: Final = "How many lines does notes.txt have?"


@dataclass(slots=True)
class Profile:
    """Counts calls of the package's functions.

    Attributes:
        calls: Calls of each function.
        tool_stack: Frames of the package on the stack when a tool's handler is called.
    """

    calls: Counter[CodeType] = field(default_factory=Counter)
    tool_stack: int = 0

    def __call__(self, frame: FrameType, event: str, _arg: object) -> None:
        """Count a call; the hook of `sys.setprofile`."""
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(PACKAGE):
            return
        self.calls[code] += 1
        if code.co_filename.startswith(f"{PACKAGE}tools/"):
            self.tool_stack = max(self.tool_stack, _depth(frame))

    def count(self, file: str, name: str) -> int:
        """Return how often a function was called, by the end of its file's path and its name."""
        return sum(
            count
            for code, count in self.calls.items()
            if code.co_filename.endswith(file) and code.co_qualname == name
        )


def _depth(frame: FrameType | None) -> int:
    depth = 0
    while frame is not None:
        depth += frame.f_code.co_filename.startswith(PACKAGE)
        frame = frame.f_back
    return depth


def profiled(request: str) -> Profile:
    """Run one request in a folder of its own, approved by policy, and return its profile."""
    profile = Profile()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "notes.txt").write_text("one\ntwo\nthree\n", "utf-8")
        settings = {"OKSO_HOME": f"{folder}/.okso"}
        with Session(settings, root=folder) as session:
            threading.setprofile(profile)
            sys.setprofile(profile)
            try:
                run = session.run(request, approve="auto", seed=1)
            finally:
                sys.setprofile(None)
                threading.setprofile(None)
    print(f"answer: {run.answer}")
    return profile


def main() -> None:
    """Print the figures of one request."""
    profile = profiled(sys.argv[1] if len(sys.argv) > 1 else REQUEST)
    files = {code.co_filename for code in profile.calls}
    print(f"files: {len(files)}")
    print(f"functions: {len(profile.calls)}")
    print(f"calls: {profile.calls.total()}")
    print(f"controllers: {profile.count('runs/controller.py', 'RunController.__post_init__')}")
    print(f"effect calls: {profile.count('toolkit/tool.py', 'Tool.effect_of')}")
    print(f"tool stack: {profile.tool_stack} frames")


if __name__ == "__main__":
    main()
