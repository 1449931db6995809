"""Who answers a request over a table.

A session as people use it, its model writing pandas, or a session of another version.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks.table_questions.cases import Case
from okso_jupyter import Session
from okso_jupyter.errors import OksoError
from okso_jupyter.llm.protocol import CompletionRequest, LanguageModel, Message
from okso_jupyter.planning.table_questions.query_tool import TABLE_TOOL
from okso_jupyter.sandbox import PythonWorker

_CANDIDATES: Final = 8
_SETTINGS: Final[Mapping[str, Any]] = {
    "PLANNER_SAMPLE_COUNT": _CANDIDATES,
    "VERBOSITY": 0,
    "PLANNER_SEED": 1,
}
_SAID: Final = re.compile(r"about (\d+) in 10 such plans")
#: What the model is told that writes pandas, and what it sees of the file.
_TASK: Final = (
    "You write Python with pandas. Reply with one block of Python code that reads the file and "
    "prints the answer to the question."
)
_LINES_SHOWN: Final = 4
_LONGEST_LINE: Final = 400
_MOST_TOKENS: Final = 400
_TIMEOUT_S: Final = 60.0
#: Answers one request with the version that PYTHONPATH names.
_APART: Final = Path(__file__).with_name("answered_apart.py")
_BLOCK: Final = re.compile(r"```(?:python|py)?\s*\n(?P<code>.*?)(?:```|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a case.

    Attributes:
        case: The case.
        is_right: Whether the answer holds what it must.
        has_failed: Whether a step failed, or there was no answer.
        confidence: How sure the planner said it was; None if it said nothing.
        distinct: Different candidates.
        planning_s: Seconds to the plan.
        score: Points of the plan that won; None without one.
        has_touched: Whether a file of the folder is another one afterwards; no request asks for it.
    """

    case: Case
    is_right: bool = False
    has_failed: bool = True
    confidence: float | None = None
    distinct: int = 0
    planning_s: float = 0.0
    score: float | None = None
    has_touched: bool = False


def planned(case: Case) -> Outcome:
    """Have a session plan and run a case, approved without a person."""
    return _in_session(case, lambda _name: True)


def planned_by_examples(case: Case) -> Outcome:
    """Have a session without `table_query` do it: python_repl is planned by the nearest example."""
    return _in_session(case, lambda name: name != TABLE_TOOL)


def _in_session(case: Case, is_offered: Callable[[str], bool]) -> Outcome:
    before = _files(case.folder)
    start = time.perf_counter()
    with Session(_SETTINGS, root=case.folder) as opened:
        tools = [tool for name, tool in opened.tools.items() if is_offered(name)]
    with Session(_SETTINGS, tools=tools, root=case.folder) as session:
        try:
            planning = session.plan(case.request)
            planning_s = time.perf_counter() - start
            run = session.execute(planning, approve="auto")
        except OksoError:
            return Outcome(case, planning_s=time.perf_counter() - start)
        plans = {json.dumps([s.to_dict() for s in c.plan.steps]) for c in planning.sampled}
        return Outcome(
            case,
            case.is_right(str(run.answer or "")),
            any(seen.status == "failed" for seen in run.steps_seen),
            confidence_said(planning.note),
            len(plans),
            planning_s,
            planning.chosen.scorecard.score,
            _files(case.folder) != before,
        )


def _files(folder: Path) -> dict[Path, bytes]:
    """Return the user's files of a folder, with their content."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path: path.read_bytes() for path in files if not _is_hidden(path.relative_to(folder))}


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def confidence_said(note: str) -> float | None:
    """Return how often the note of a plan says that such plans are right; None if it does not."""
    said = _SAID.search(note)
    return int(said[1]) / 10 if said else None


def pandas_written(case: Case) -> Outcome:
    """Have the model of a session write a program for a case by itself, and run it confined."""
    with Session(_SETTINGS, root=case.folder) as session:
        start = time.perf_counter()
        try:
            code = _program(session.model("planner"), case)
        except OksoError:
            return Outcome(case, planning_s=time.perf_counter() - start)
        planning_s = time.perf_counter() - start
    printed, has_failed = run_program(code, case.folder)
    return Outcome(case, case.is_right(printed), has_failed, None, 1, planning_s)


def _program(model: LanguageModel, case: Case) -> str:
    with (case.folder / case.file).open(encoding="utf-8", errors="replace") as file:
        lines = [line.rstrip("\n")[:_LONGEST_LINE] for line in islice(file, _LINES_SHOWN)]
    shown = "\n".join(lines)
    asked = f"The first lines of {case.file}:\n{shown}\n\nQuestion: {case.request}"
    request = CompletionRequest(
        role="planner",
        messages=(Message("system", _TASK), Message("user", asked)),
        seeds=(1,),
        temperature=0,
        max_tokens=_MOST_TOKENS,
    )
    text = model.complete(request)[0].text
    found = _BLOCK.search(text)
    return found["code"] if found else text


@dataclass(frozen=True, slots=True)
class _Folder:
    root: Path


def run_program(code: str, folder: Path) -> tuple[str, bool]:
    """Return what a program prints, and whether it failed."""
    with TemporaryDirectory(prefix="okso-pandas-") as scratch:
        worker = PythonWorker.start(_Folder(folder), Path(scratch) / "work")
        try:
            result = worker.run(code, timeout_s=_TIMEOUT_S)
        finally:
            worker.close()
    return f"{result.stdout}\n{result.value}".strip(), result.exit_code != 0


def planned_in(checkout: Path) -> Callable[[Case], Outcome]:
    """Return the contestant that is another version of the package, in this checkout of it."""

    def planned_there(case: Case) -> Outcome:
        before = _files(case.folder)
        with TemporaryDirectory(prefix="okso-home-") as home:
            told = subprocess.run(  # noqa: S603  the interpreter of this benchmark
                [sys.executable, "-P", _APART, case.folder, case.request],
                env={**os.environ, "PYTHONPATH": str(checkout), "OKSO_HOME": home},
                capture_output=True,
                text=True,
                check=True,
            )
        found = json.loads(told.stdout.splitlines()[-1])
        return Outcome(
            case,
            case.is_right(found.get("answer", "")),
            found.get("state") != "completed",
            None,
            found.get("distinct", 0),
            found["planning_s"],
            found.get("score"),
            _files(case.folder) != before,
        )

    return planned_there


CONTESTANTS: Final[Mapping[str, Callable[[Case], Outcome]]] = {
    "okso": planned,
    "pandas": pandas_written,
    "examples": planned_by_examples,
}
