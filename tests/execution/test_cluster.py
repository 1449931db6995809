"""Steps on a dask cluster: which are sent, which stay, and how lost calls end."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import Any

import pytest

from okso_jupyter.errors import SettingError, ToolNotFoundError
from okso_jupyter.toolkit.context import ToolContext
from tests.bench import END, Bench, kinds, statuses
from tests.cluster import local_cluster

pytestmark = pytest.mark.process


@pytest.fixture(name="away")
def _away() -> dict[str, Any]:
    """The settings that send steps to a cluster."""
    return {"PLAN_DELEGATE_STEPS": True, "OKSO_CLUSTER": local_cluster().scheduler_address}


def where() -> int:
    """Return the id of the process that runs this."""
    return os.getpid()


def where_with_context(context: ToolContext) -> int:
    """Return the id of the process that runs this."""
    assert context.timeout_s > 0
    return os.getpid()


@pytest.mark.parametrize(
    ("handler", "effect", "leaves"),
    [
        (where, "none", True),
        (where, "reads", False),
        (where, "network", False),
        (where, "writes", False),
        (where_with_context, "none", False),
        (where, lambda _args: "none", True),
    ],
)
def test_only_pure_tools_run_on_the_cluster(
    bench: Bench, away: dict[str, Any], handler: Any, effect: Any, *, leaves: bool
) -> None:
    """Only a tool without effects runs on the cluster.

    A tool with the effect reads, network or writes, or one that takes the context, stays.
    """
    bench.offer("where", handler, effect=effect)
    run = bench.run([{"tool": "where"}, END], **away)
    assert run.state == "completed"
    assert (run.steps_seen[0].raw != os.getpid()) == leaves


def test_functions_of_a_notebook_are_sent(bench: Bench, away: dict[str, Any]) -> None:
    """A handler defined outside any module is sent with the variables it refers to."""
    factor = 7

    def times(n: int) -> int:
        return n * factor

    bench.offer("times", times, effect="none")
    plan = [{"tool": "times", "args": {"n": n}, "parallel": True} for n in range(6)]
    run = bench.run([*plan, END], **away)
    assert {o.call.step_id: o.raw for o in run.steps_seen[:6]} == {n + 1: n * 7 for n in range(6)}
    order = kinds(run, "call_started", "observation")
    assert order.index("observation") == 4


def test_a_handler_that_cannot_be_sent_runs_in_the_kernel(
    bench: Bench, away: dict[str, Any]
) -> None:
    """A step whose handler cannot be pickled, such as one with a lock, runs in the kernel."""
    lock = threading.Lock()

    def locked() -> int:
        with lock:
            return os.getpid()

    bench.offer("locked", locked, effect="none")
    run = bench.run([{"tool": "locked"}, END], **away)
    assert run.steps_seen[0].raw == os.getpid()


def test_errors_keep_their_class(bench: Bench, away: dict[str, Any]) -> None:
    """An error raised on the cluster is classified as it would be in the kernel."""

    def lost() -> str:
        msg = "no such star"
        raise ToolNotFoundError(msg)

    bench.offer("lost", lost, effect="none")
    run = bench.run([{"tool": "lost"}, END], ON_FAILURE="stop", **away)
    seen = run.steps_seen[0]
    assert (seen.status, seen.error_class, seen.error) == ("failed", "fatal", "no such star")


def test_a_call_that_times_out_has_failed(bench: Bench, away: dict[str, Any]) -> None:
    """A call that times out has failed and may be retried, since it has no effect."""

    def slow() -> str:
        threading.Event().wait(3)
        return "too late"

    bench.offer("slow", slow, effect="none")
    run = bench.run(
        [{"tool": "slow", "timeout_s": 0.2, "max_retries": 0}, END], ON_FAILURE="stop", **away
    )
    assert statuses(run)[1] == "failed"
    assert run.steps_seen[0].error == "no result within 0.2 s"


@pytest.mark.parametrize("retries", [0, 1])
def test_a_call_that_kills_its_worker_is_retried_as_planned(
    bench: Bench, away: dict[str, Any], retries: int
) -> None:
    """A call that kills its worker is tried once plus once per retry allowed by the plan.

    Dask's own retries on other workers are disabled; the run records the reason.
    """
    tried = bench.home.parent / "tried"

    def die() -> None:
        with tried.open("a") as file:
            file.write(f"{os.getpid()}\n")
        os._exit(1)

    bench.offer("die", die, effect="none")
    run = bench.run(
        [{"tool": "die", "timeout_s": 120, "max_retries": retries}, END], ON_FAILURE="stop", **away
    )
    assert len(tried.read_text().splitlines()) == 1 + retries
    ended = [(seen.status, seen.error_class, seen.error) for seen in run.steps_seen[: 1 + retries]]
    assert ended == [("failed", "transient", "the worker that ran the call ended")] * (1 + retries)


LEFT_OPEN = """
import os, sys
from okso_jupyter import Session, Tool

where = Tool.from_schema("where", "Say where", {"type": "object"}, os.getpid, effect="none")
settings = {"PLAN_DELEGATE_STEPS": True, "OKSO_CLUSTER": sys.argv[1], "OKSO_HOME": sys.argv[2]}
session = Session(settings, tools=[where], root=sys.argv[2])
print(session.execute([{"tool": "where"}], approve="auto").state)
"""


def test_a_process_that_leaves_a_session_open_ends(bench: Bench, away: dict[str, Any]) -> None:
    """A process with an unclosed session ends cleanly, without a timeout of its client."""
    bench.home.mkdir(exist_ok=True)
    done = subprocess.run(  # noqa: S603  our own code
        [sys.executable, "-c", LEFT_OPEN, away["OKSO_CLUSTER"], str(bench.home)],
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert (done.stdout.strip(), done.returncode) == ("completed", 0), done.stderr
    assert "Timeout" not in done.stderr


def test_an_unreachable_scheduler_is_an_error(bench: Bench) -> None:
    """If the scheduler does not answer, nothing is run; the error names its address."""
    pytest.importorskip("distributed", reason="dask is not installed")
    with pytest.raises(SettingError, match="no dask scheduler answers at OKSO_CLUSTER=nowhere://x"):
        bench.run([END], PLAN_DELEGATE_STEPS=True, OKSO_CLUSTER="nowhere://x")
