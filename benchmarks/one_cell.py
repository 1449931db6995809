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
        catalogue_effects: Effects asked for by the index of examples, once per catalogue.
        hand_over: Frames of the package on the stack when a call is handed to the pool.
        tool_stack: Frames of the package on the stack when the handler of a tool is called there.
    """

    calls: Counter[CodeType] = field(default_factory=Counter)
    catalogue_effects: int = 0
    hand_over: int = 0
    tool_stack: int = 0

    def __call__(self, frame: FrameType, event: str, _arg: object) -> None:
        """Count a call; the hook of `sys.setprofile`."""
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(PACKAGE):
            return
        self.calls[code] += 1
        if code.co_qualname == "Tool.effect_of":
            self.catalogue_effects += any(
                above.f_code.co_filename.endswith("planning/examples/index.py")
                for above in _stack(frame)
            )
        elif code.co_qualname == "Pool.submit":
            self.hand_over = max(self.hand_over, len(_stack(frame)))
        elif frame.f_back is not None and frame.f_back.f_code.co_qualname == "Tool._lend":
            self.tool_stack = max(self.tool_stack, len(_stack(frame)))

    def count(self, file: str, name: str) -> int:
        """Return how often a function was called, by the end of its file's path and its name."""
        return sum(
            count
            for code, count in self.calls.items()
            if code.co_filename.endswith(file) and code.co_qualname == name
        )


def _stack(frame: FrameType | None) -> list[FrameType]:
    """Return the frames of the package from this one up."""
    found = []
    while frame is not None:
        if frame.f_code.co_filename.startswith(PACKAGE):
            found.append(frame)
        frame = frame.f_back
    return found


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
    effects = profile.count("toolkit/tool.py", "Tool.effect_of") - profile.catalogue_effects
    print(f"effect calls: {effects}, and {profile.catalogue_effects} once per catalogue")
    print(f"hand-over to the pool: {profile.hand_over} frames")
    print(f"tool stack: {profile.tool_stack} frames")


if __name__ == "__main__":
    main()
