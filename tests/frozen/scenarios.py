"""One run per way in which a run is planned, decided, interrupted and ended."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pandas as pd
import pytest

from okso_jupyter import Feedback, Session
from okso_jupyter.errors import OksoError
from okso_jupyter.plan.plan import Plan
from tests.approval.person import Act, Person, approve, does, reject
from tests.bench import END, Bench
from tests.web_lab import Host, answer, says

Scenario = Callable[[Bench], object]
#: By the id that its run has.
SCENARIOS: Final[dict[str, Scenario]] = {}

READ: Final[dict[str, Any]] = {"tool": "file_read", "args": {"path": "notes.txt"}}
LOST: Final[dict[str, Any]] = {"tool": "file_read", "args": {"path": "nowhere.bin"}}
_ONE: Final[dict[str, Any]] = {"PLANNER_SAMPLE_COUNT": 1}


def _write(path: str, content: str, **more: Any) -> dict[str, Any]:
    return {"tool": "file_write", "args": {"path": path, "content": content}, **more}


def _python(code: str) -> dict[str, Any]:
    return {"tool": "python_repl", "args": {"input": code}}


def scenario(make: Scenario) -> Scenario:
    """Register a function that makes a run; the run's id is the function's name."""
    SCENARIOS[make.__name__] = make
    return make


def prepare(bench: Bench) -> None:
    """Put the files into the working folder and the tools into the session."""
    (bench.root / "notes.txt").write_text("one\ntwo\nthree\n")
    (bench.root / "sales.csv").write_text("region,amount\nNorth,12\nSouth,30\n")

    def fetch() -> str:
        if not (bench.root / "up").exists():
            msg = "the network is down"
            raise ConnectionError(msg)
        return "fetched"

    def die() -> str:
        if not (bench.root / "died").exists():
            (bench.root / "died").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return "went through"

    bench.offer("fetch", fetch, effect="network")
    bench.offer("die", die, effect="writes")


@contextmanager
def _person(*acts: Act) -> Iterator[None]:
    """Have a scripted person decide in the form."""
    with pytest.MonkeyPatch.context() as patch:
        person = Person(patch, acts)
        yield
        assert person.left == 0


def _of_bundled_model(bench: Bench, request: str, **settings: Any) -> None:
    """Plan with the bundled model and execute the chosen plan."""
    chosen = {"OKSO_HOME": str(bench.home), "PLANNER_SAMPLE_COUNT": 3, **settings}
    with Session(chosen, root=bench.root) as session:
        session.run(request, approve="auto")


@scenario
def sampled(bench: Bench) -> None:
    """Sample three candidates with the bundled model."""
    _of_bundled_model(bench, "How many lines does notes.txt have?", OKSO_RUN_ID="sampled")


@scenario
def tree(bench: Bench) -> None:
    """Grow a tree of plans with the bundled model."""
    _of_bundled_model(
        bench, "Read notes.txt and sales.csv", OKSO_RUN_ID="tree", PLAN_ALGORITHM="beam"
    )


@scenario
def agreed(bench: Bench) -> None:
    """Run parallel steps, a branch that is taken, one that is not, and a retry."""
    plan = [
        {**READ, "parallel": True, "title": "Look"},
        {**LOST, "parallel": True, "max_retries": 1},
        {**_write("one.txt", "found"), "condition": "step_1_succeeded"},
        {**_write("two.txt", "lost"), "condition": "step_2_succeeded"},
        {**_write("three.txt", "branch"), "condition": "step_2_failed"},
        END,
    ]
    bench.run(plan, OKSO_RUN_ID="agreed")


@scenario
def edited(bench: Bench) -> None:
    """Have a person edit an argument, untick a step and approve."""
    with _person(does("check", args={2: {"content": "coffee"}}, off=[1]), approve):
        bench.run([READ, _write("cup.txt", "tea"), END], approve="ask", OKSO_RUN_ID="edited")


@scenario
def in_parts(bench: Bench) -> None:
    """Have a person approve up to a step, then the rest."""
    with _person(does("approve", up_to=1), approve):
        bench.run([READ, _write("part.txt", "tea"), END], approve="ask", OKSO_RUN_ID="in_parts")


@scenario
def told(bench: Bench) -> None:
    """Get another plan by feedback and approve it."""
    answers = iter([Feedback("read the other one"), "approve"])
    plan = [{"tool": "file_read", "args": {"path": "sales.csv"}}, END]
    request = {"request": "read it", "steps": [READ, END]}
    bench.run(request, plan, approve=lambda _: next(answers), OKSO_RUN_ID="told", **_ONE)


@scenario
def turned_down(bench: Bench) -> None:
    """Have a person reject the plan."""
    with _person(reject):
        bench.run([READ, END], approve="ask", OKSO_RUN_ID="turned_down")


@scenario
def replanned(bench: Bench) -> None:
    """Fail for good at a step, then replan the rest."""
    request = {"request": "do it", "steps": [_write("a.txt", "a"), LOST, READ, END]}
    rest = [{"tool": "file_read", "args": {"path": "sales.csv"}}, END]
    bench.run(request, rest, OKSO_RUN_ID="replanned", **_ONE)


@scenario
def failed(bench: Bench) -> None:
    """Fail at a step, so that the step that depends on it does not run."""
    fetch = {"tool": "fetch", "args": {}, "max_retries": 0}
    plan = [_write("b.txt", "b"), fetch, {**READ, "depends_on": [2]}, END]
    bench.run(plan, OKSO_RUN_ID="failed", ON_FAILURE="stop")


@scenario
def failed_and_resumed(bench: Bench) -> None:
    """Fail without the network, then resume with it."""
    plan = [_write("c.txt", "c"), {"tool": "fetch", "args": {}, "max_retries": 0}, END]
    bench.run(plan, OKSO_RUN_ID="failed_and_resumed", ON_FAILURE="stop")
    (bench.root / "up").touch()
    with bench.session() as session:
        session.resume("failed_and_resumed", approve="auto")
    (bench.root / "up").unlink()


@scenario
def paused(bench: Bench) -> None:
    """Pause the run by a callback after its first step."""
    with bench.session(OKSO_RUN_ID="paused") as session:

        def on_event(event: Mapping[str, Any]) -> None:
            if (event["step"], event["status"]) == (1, "in_progress"):
                session.pause("paused")

        plan = [_write("d.txt", "d"), READ, END]
        session.execute(plan, approve="auto", on_event=on_event)


def _killed(bench: Bench, run_id: str) -> None:
    """Run a plan in a process that is killed during the second step."""
    code = (
        f"from tests.frozen.scenarios import be_killed; be_killed({str(bench.root)!r}, {run_id!r})"
    )
    died = subprocess.run([sys.executable, "-c", code], check=False)  # noqa: S603  our own code
    assert died.returncode == -signal.SIGKILL


def be_killed(root: str, run_id: str) -> None:
    """Run a plan whose second step kills this process."""
    bench = Bench(Path(root), Path(root).parent / "home")
    prepare(bench)
    (bench.root / "died").unlink(missing_ok=True)
    plan = [_write(f"{run_id}.txt", "e"), {"tool": "die", "args": {}}, END]
    bench.run(plan, OKSO_RUN_ID=run_id)


@scenario
def killed(bench: Bench) -> None:
    """Kill the process in a step that may have had its effect."""
    _killed(bench, "killed")


@scenario
def killed_and_resumed(bench: Bench) -> None:
    """Resume a killed run; a person has the uncertain step repeated."""
    _killed(bench, "killed_and_resumed")
    with bench.session() as session:
        session.resume("killed_and_resumed", approve=_approves, uncertain={2: "again"})


@scenario
def killed_and_left_out(bench: Bench) -> None:
    """Resume a killed run; a person has the uncertain step left out."""
    _killed(bench, "killed_and_left_out")
    with bench.session() as session:
        session.resume("killed_and_left_out", approve=_approves, uncertain={2: "leave out"})


def _approves(_plan: Plan) -> str:
    return "approve"


@scenario
def undone(bench: Bench) -> None:
    """Change a file, create another one, and undo both."""
    edit = {"path": "sales.csv", "old_text": "North", "new_text": "East"}
    plan = [{"tool": "file_edit", "args": edit}, _write("f.txt", "f"), END]
    bench.run(plan, OKSO_RUN_ID="undone").undo()


@scenario
def redone(bench: Bench) -> None:
    """Undo a run and redo it."""
    run = bench.run([_write("g.txt", "g"), END], OKSO_RUN_ID="redone")
    run.undo()
    run.redo()


@scenario
def replayed(bench: Bench) -> None:
    """Replay a run from a recording."""
    file = bench.home.parent / "demo.json"
    plan = [READ, _write("h.txt", "h"), END]
    with bench.session(plan, **_ONE, OKSO_RECORD=str(file), OKSO_RUN_ID="recorded") as session:
        session.run("read notes.txt, write h to h.txt", approve="auto")
    with bench.session(**_ONE, OKSO_REPLAY=str(file), OKSO_RUN_ID="replayed") as session:
        session.run("read notes.txt, write h to h.txt")


@scenario
def searched(bench: Bench) -> None:
    """Search the web before planning, with consent."""
    rows = [{"title": "Pumps", "url": "https://example.org/p", "content": "Warm and dry."}]
    engine = Host(says(answer(json.dumps({"number_of_results": 1, "results": rows}).encode())))
    said = (["heat pumps old houses"], [READ, END])
    url = f"http://127.0.0.1:{engine.port}"
    with bench.session(*said, **_ONE, SEARXNG_URL=url, OKSO_RUN_ID="searched") as session:
        request = "Look up on the internet which heat pumps fit old houses"
        session.execute(session.plan(request, approve="auto"), approve="auto")
    engine.close()


@scenario
def with_variables(bench: Bench) -> None:
    """Pass a table to Python and get it back."""
    rain = pd.DataFrame({"station": ["a", "b"], "rain_mm": [1.0, 5.5]})
    plan = [_python("rain['wet'] = rain['rain_mm'] > 2; total = float(rain['rain_mm'].sum())"), END]
    with bench.session(OKSO_RUN_ID="with_variables") as session:
        session.execute(
            plan, approve="auto", inputs={"rain": rain}, outputs=["rain", "total", "gone"]
        )


@scenario
def step_by_step(bench: Bench) -> None:
    """Have the model propose each call."""
    said = (READ, _write("i.txt", "i"))
    plan = {"request": "do it", "steps": [READ, _write("i.txt", "i"), END]}
    settings: dict[str, Any] = {
        "EXECUTOR_MODE": "react",
        "ON_FAILURE": "stop",
        "OKSO_RUN_ID": "step_by_step",
    }
    bench.run(plan, *said, **settings)


@scenario
def dry(bench: Bench) -> None:
    """Make a dry run."""
    with bench.session(OKSO_RUN_ID="dry") as session:
        session.execute([READ, _write("j.txt", "j"), END], approve="auto", dry_run=True)


@scenario
def planless(bench: Bench) -> None:
    """Have the model return no plan."""
    with (
        bench.session("no plan", OKSO_RUN_ID="planless", **_ONE) as session,
        pytest.raises(OksoError),
    ):
        session.run("read notes.txt", approve="auto")


@scenario
def refused(bench: Bench) -> None:
    """Request something that none of the session's tools can do."""
    _of_bundled_model(bench, "Book me a flight to Lisbon", OKSO_RUN_ID="refused")
