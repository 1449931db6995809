"""Runs that kill themselves at a journal write and are resumed by another process.

A program: it is started once for many cases, and forks two processes for each. Every
case is a line of JSON that describes what was left behind.
"""

from __future__ import annotations

import gc
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from okso_jupyter import Plan, Run, Session, Tool
from okso_jupyter.approval import policy
from okso_jupyter.errors import OksoError
from okso_jupyter.journal.events import Event
from okso_jupyter.journal.store import Journal
from okso_jupyter.jsonschema_import import load_jsonschema
from okso_jupyter.plan.approval_request import ApprovalRequest
from okso_jupyter.plan.records import Approval
from okso_jupyter.session.resources import SessionResources
from okso_jupyter.testing import ScriptedModel

RUN = "mine"
END: dict[str, Any] = {"tool": "final_answer", "args": {}}


def _add(line: str, **more: Any) -> dict[str, Any]:
    return {"tool": "add", "args": {"line": line}, **more}


PLANS: Mapping[str, list[dict[str, Any]]] = {
    "sequential": [_add("a"), {"tool": "look", "args": {}}, _add("b"), END],
    "parallel": [
        _add("a", parallel=True),
        {"tool": "look", "args": {}, "parallel": True},
        _add("b", parallel=True),
        _add("c", depends_on=[1, 2, 3]),
        END,
    ],
}

#: The sequential plan again, approved up to its first step, and then the rest.
IN_PARTS = "in parts"


def session(folder: Path) -> Session:
    """Return a session with the tools `add`, which adds a line, and `look`, which reads."""
    root = folder / "notebook"
    root.mkdir(exist_ok=True)

    def add(line: str) -> str:
        with (root / "done.txt").open("a") as file:
            file.write(f"{line}\n")
        return f"added {line}"

    def look() -> str:
        done = root / "done.txt"
        return done.read_text() if done.exists() else "nothing"

    schema = {"type": "object"}
    tools = [
        Tool.from_schema("add", "add a line", schema, add, effect="writes"),
        Tool.from_schema("look", "look at the lines", schema, look, effect="reads"),
    ]
    settings = {"OKSO_HOME": str(folder / "home"), "OKSO_RUN_ID": RUN, "VERBOSITY": 0}
    return Session(settings, tools=tools, model=ScriptedModel([]), root=root)


def approver(folder: Path) -> Callable[[Plan], str]:
    """Return an approver that accepts plans, rejects uncertain steps and logs each call."""

    def approve(plan: Plan) -> str:
        is_plan = plan.steps[-1].is_final
        with (folder / "asked.txt").open("a") as file:
            file.write("plan\n" if is_plan else "step\n")
        return "approve" if is_plan else "reject"

    return approve


def deciding(folder: Path, plan: str) -> Any:
    """Return the approver of a plan: a function, or a person who approves in parts."""
    approve = approver(folder)
    if plan != IN_PARTS:
        return approve

    def ask(proposal: ApprovalRequest, **_rest: object) -> Approval:
        shown, steps = proposal.fingerprints
        if approve(proposal.plan) == "reject":
            return Approval(decision="reject", shown=shown, by="user")
        up_to = None if any(one.ended for one in proposal.steps) else 1
        covered = proposal.until(up_to, steps)
        return Approval(decision="approve", shown=shown, by="user", steps=covered, up_to=up_to)

    # this process has no terminal to ask at
    policy.ask = ask  # type: ignore[attr-defined]  # not for others to import
    return "ask"


class DyingJournal(Journal):
    """A journal whose process dies just before or just after one of its writes."""

    number = 0
    dies_at = 0
    dies_after = False
    by = signal.SIGKILL

    def append(self, run_id: str, event: Event) -> int:
        """Write one record, or die."""
        with self._maybe_dying():
            return super().append(run_id, event)

    def append_with_next(self, run_id: str, event: Event) -> None:
        """Buffer one record for the next write, or die."""
        with self._maybe_dying():
            super().append_with_next(run_id, event)

    @contextmanager
    def _maybe_dying(self) -> Iterator[None]:
        DyingJournal.number += 1
        is_due = DyingJournal.number == self.dies_at
        if is_due and not self.dies_after:
            os.kill(os.getpid(), self.by)
        yield
        if is_due and self.dies_after:
            os.kill(os.getpid(), self.by)


def execute(folder: Path, plan: str, by: int, dies_at: int, *, dies_after: bool) -> None:
    """Run a plan in this process, which dies at the given write if there is one."""
    DyingJournal.dies_at, DyingJournal.dies_after = dies_at, dies_after
    DyingJournal.by = signal.Signals(by)
    with session(folder) as running:
        running._shared = SessionResources(DyingJournal(running.settings.home, running.redactor))
        steps = PLANS["sequential" if plan == IN_PARTS else plan]
        running.execute(steps, approve=deciding(folder, plan))


def resume(folder: Path, plan: str) -> None:
    """Resume the run and write its result to a file."""
    with session(folder) as resuming:
        refusal = ""
        try:
            run: Run | None = resuming.resume(RUN, approve=deciding(folder, plan))
        except OksoError as error:
            refusal = str(error)
            run = resuming.load_run(RUN) if resuming.journal.records(RUN) else None
        (folder / "left.json").write_text(json.dumps(left_behind(folder, run, refusal)))


def left_behind(folder: Path, run: Run | None, refusal: str) -> dict[str, Any]:
    """Return what a case left behind, to be checked."""
    done, asked = folder / "notebook" / "done.txt", folder / "asked.txt"
    records = run.records if run else ()
    decisions = [record.body["decision"] for record in records if record.kind == "decision"]
    return {
        "refusal": refusal,
        "state": run.state if run else "",
        "answer": run.answer if run else None,
        "lines": done.read_text().split() if done.exists() else [],
        "asked": asked.read_text().split() if asked.exists() else [],
        "decisions": decisions,
        "steps": {seen.call.step_id: seen.status for seen in run.steps_seen} if run else {},
    }


def in_child(work: Callable[[], None]) -> int:
    """Do work in a forked process; return its exit code, or minus its signal."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        except KeyboardInterrupt:
            code = 130
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def one_case(folder: Path, plan: str, by: int, dies_at: int, *, dies_after: bool) -> bool:
    """Run one case and print what it left; return whether that write existed."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    code = in_child(lambda: execute(folder, plan, by, dies_at, dies_after=dies_after))
    if code == 0:
        return False
    resumed = in_child(lambda: resume(folder, plan))
    left = json.loads((folder / "left.json").read_text()) if resumed == 0 else {}
    line = json.dumps({"at": dies_at, "after": dies_after, "by": by, "code": code, **left})
    print(line, flush=True)  # noqa: T201  this is how a program answers
    return True


def warm_up(folder: Path, plan: str) -> None:
    """Do here once what each of the forks would otherwise do first, such as late imports."""
    folder.mkdir()
    load_jsonschema()
    execute(folder, plan, signal.SIGKILL, 0, dies_after=False)
    DyingJournal.number = 0
    resume(folder, plan)


def main(folder: Path, plan: str, signals: list[int]) -> None:
    """Run a case for every write with every signal."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    warm_up(folder / "warm", plan)
    gc.freeze()  # each fork would look at it for garbage, and so copy it
    for by in signals:
        for dies_after in (False, True):
            dies_at = 1
            while one_case(folder / "case", plan, by, dies_at, dies_after=dies_after):
                dies_at += 1


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], [int(number) for number in sys.argv[3:]])
