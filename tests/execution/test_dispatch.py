"""A single call is reported with its actual result, even if Stop was pressed."""

from __future__ import annotations

import threading
from concurrent.futures import wait

import pytest

from okso_jupyter.effects.effect import Effects
from okso_jupyter.execution.dispatch import Dispatcher
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.plan.records import StepStatus, ToolCall
from okso_jupyter.toolkit.context import RedirectRefusal, RunResources, no_refusal
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.workspace import Workspace
from tests.bench import Bench


class _Open:
    """A gate that lets every call pass."""

    def __call__(self, call: ToolCall) -> Effects:
        """Let the call pass."""
        del call
        return frozenset()

    def redirect_refusal(self, call: ToolCall) -> RedirectRefusal:
        """Refuse no redirect."""
        del call
        return no_refusal

    def written_unseen(self, step_id: int) -> tuple[str, ...]:
        """Return no paths."""
        del step_id
        return ()

    def note(self, step_id: int, status: StepStatus) -> None:
        """Ignore the status."""


def test_a_call_that_finishes_despite_stop_is_completed(bench: Bench) -> None:
    """A call that cannot be cancelled and ends after Stop is recorded as completed."""
    may_end = threading.Event()

    def add() -> str:
        assert may_end.wait(60)
        return "added"

    tool = Tool.from_schema("add", "Add.", {"type": "object"}, add, effect="writes")
    with bench.session() as session:
        resources = RunResources(workspace=Workspace(bench.root), scratch=bench.home / "scratch")
        dispatcher = Dispatcher(
            tools={"add": tool},
            resources=resources,
            settings=session.settings,
            recorder=RunRecorder(session.journal, "run"),
            gate=_Open(),
        )
        task = dispatcher.run(ToolCall(step_id=1, tool="add", args={}), timeout_s=60)
        future = next(task).future
        assert future is not None
        task.throw(KeyboardInterrupt())
        may_end.set()
        wait([future])
        with pytest.raises(StopIteration) as ended:
            next(task)
        resources.close()
    assert (ended.value.value.status, ended.value.value.raw) == ("completed", "added")
