"""The file that is shared, the changes of it, and the ways in which they are made at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

from okso_jupyter import OksoError, Session
from okso_jupyter.llm.protocol import Completion, CompletionRequest
from okso_jupyter.testing import ScriptedModel

NAME: Final = "lines.txt"
Kind = Literal["edit", "append"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
Way = Literal["steps", "map", "processes"]
WAYS: Final[tuple[Way, ...]] = get_args(Way)
#: Sessions at once where they are processes; more changes than these are dealt out to them.
PROCESSES: Final = 4

_END: Final[Mapping[str, Any]] = {"tool": "final_answer", "args": {}}
#: Seconds after which processes begin together.
_START_S: Final = 0.05
_SETTINGS: Final = {
    "FINAL_ANSWER": "digest",
    "ENABLE_ANSWER_VALIDATION": False,
    "PLAN_MAX_PARALLEL": 8,
    "PLAN_MAX_REPLANS": 0,
    "PLANNER_MAX_PLAN_STEPS": 9,
    "PLANNER_SAMPLE_COUNT": 1,
    "VERBOSITY": 0,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Changes of one file that are made at once.

    Attributes:
        kind: Whether lines are edited or added.
        count: How many changes.
        way: Parallel steps of one run, runs of `Session.map`, or runs of several processes.
    """

    kind: Kind
    count: int
    way: Way

    @property
    def original(self) -> str:
        """What the file holds before."""
        return "".join(f"line {n}: old, and some more text to read\n" for n in range(self.count))

    def line(self, number: int) -> str:
        """Return the text that a change leaves in the file."""
        return f"line {number}: new" if self.kind == "edit" else f"added {number}."

    def step(self, number: int) -> dict[str, Any]:
        """Return the step that makes a change."""
        new = self.line(number)
        if self.kind == "edit":
            args = {"path": NAME, "old_text": f"line {number}: old", "new_text": new}
            return {"tool": "file_edit", "args": args, "parallel": True}
        args = {"path": NAME, "content": f"{new}\n", "mode": "append"}
        return {"tool": "file_write", "args": args, "parallel": True}


def run_all(work: Work, root: Path, homes: Sequence[Path], pool: ProcessPoolExecutor) -> list[str]:
    """Make all changes at once and return the ids of the runs that made them.

    Args:
        work: The changes.
        root: The folder with the file.
        homes: Folder of the journal; of each process where it has its own.
        pool: Where processes run.
    """
    return _WAYS[work.way](work, root, homes, pool)


def _in_steps(
    work: Work, root: Path, homes: Sequence[Path], _pool: ProcessPoolExecutor
) -> list[str]:
    return [run_steps(root, homes[0], [work.step(n) for n in range(work.count)])]


def run_steps(
    root: Path, home: Path, steps: Sequence[Mapping[str, Any]], start_s: float = 0.0
) -> str:
    """Run steps as one plan and return the id of its run.

    Args:
        root: The folder with the file.
        home: Folder of the journal.
        steps: The steps.
        start_s: When to begin, by the monotonic clock, which processes share.
    """
    with _session(root, home, ScriptedModel([])) as session:
        time.sleep(max(0.0, start_s - time.monotonic()))
        try:
            return session.execute([*steps, _END], approve="auto").id
        except OksoError:  # the run tells of it
            run = session.newest_run()
            return "" if run is None else run.id


def _in_runs(
    work: Work, root: Path, homes: Sequence[Path], _pool: ProcessPoolExecutor
) -> list[str]:
    plans = [[work.step(number), _END] for number in range(work.count)]
    requests = [f"Change {number} of {NAME}" for number in range(work.count)]
    with _session(root, homes[0], _Dealer(plans)) as session:
        return [run.id for run in session.map(requests, approve="auto")]


def _in_processes(
    work: Work, root: Path, homes: Sequence[Path], pool: ProcessPoolExecutor
) -> list[str]:
    start_s = time.monotonic() + _START_S
    dealt = [
        [work.step(number) for number in range(first, work.count, PROCESSES)]
        for first in range(min(PROCESSES, work.count))
    ]
    begun = [
        pool.submit(run_steps, root, homes[place % len(homes)], steps, start_s)
        for place, steps in enumerate(dealt)
    ]
    return [one.result() for one in begun]


_WAYS: Final[Mapping[Way, Callable[..., list[str]]]] = {
    "steps": _in_steps,
    "map": _in_runs,
    "processes": _in_processes,
}


def _session(root: Path, home: Path, model: ScriptedModel) -> Session:
    return Session({"OKSO_HOME": str(home), **_SETTINGS}, model=model, root=root)


class _Dealer(ScriptedModel):
    """A scripted model that several threads ask."""

    _lock: Final = threading.Lock()

    def complete(self, request: CompletionRequest) -> Sequence[Completion]:
        """Return the next completions; no two callers get the same one."""
        with self._lock:
            return super().complete(request)
