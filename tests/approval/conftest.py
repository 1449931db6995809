"""Shared fixtures of the approval tests: a proposal and real kernels over the wire."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from okso_jupyter.effects.effect import as_effects
from okso_jupyter.plan.approval_request import ApprovalRequest, ShownStep
from okso_jupyter.plan.holes import FILL
from okso_jupyter.plan.plan import Plan
from tests import ipykernels
from tests.approval.wire import KernelOnWire


@pytest.fixture
def proposal() -> ApprovalRequest:
    """A plan that reads, writes with a preview, leaves one argument open and answers."""
    plan = Plan.from_dict(
        [
            {"tool": "file_read", "args": {"path": "notes.txt"}, "thought": "see what is there"},
            {
                "tool": "file_write",
                "args": {"path": "out.txt", "content": dict(FILL)},
                "depends_on": [1],
                "timeout_s": 20,
                "max_retries": 0,
            },
            {"tool": "final_answer", "args": {}},
        ]
    )
    effects = ("reads", "writes", "none")
    shown = tuple(
        ShownStep(
            step=step, effects=as_effects(effect), preview="+new" if effect == "writes" else ""
        )
        for step, effect in zip(plan.steps, effects, strict=True)
    )
    return ApprovalRequest(plan=plan, steps=shown, folder="work", request="copy my notes")


@pytest.fixture(scope="module", params=ipykernels.ALL, ids=ipykernels.name_of)
def started(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[KernelOnWire]:
    """A real kernel of each version, with `proposal` and `ask` defined in it."""
    with KernelOnWire(tmp_path_factory.mktemp("kernel"), ipykernel=request.param) as running:
        running.run((Path(__file__).parent / "demo_cell.py").read_text("utf-8"))
        yield running


@pytest.fixture
def kernel(started: KernelOnWire) -> KernelOnWire:
    """The same kernel, with the messages of earlier tests drained."""
    started.drain()
    started.iopub.clear()
    return started
