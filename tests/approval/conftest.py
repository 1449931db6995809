"""Shared by the tests of the approval room: a proposal, and real kernels over the wire."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from okso_jupyter.plan.effects import as_effects
from okso_jupyter.plan.plan import FILL, Plan
from okso_jupyter.plan.proposal import Proposal, ShownStep
from tests.approval.wire import KernelOnWire

#: Folders with further versions of ipykernel, besides the environment's own.
_KERNELS = ["", *filter(None, os.environ.get("OKSO_TEST_IPYKERNELS", "").split(os.pathsep))]


@pytest.fixture
def proposal() -> Proposal:
    """A plan that reads, writes with a preview, leaves one argument open, and answers."""
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
    return Proposal(plan=plan, steps=shown, folder="work", request="copy my notes")


@pytest.fixture(params=_KERNELS, ids=lambda folder: Path(folder).name or "installed")
def kernel(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[KernelOnWire]:
    """A real kernel of each version at hand, with `proposal` and `ask` defined in it."""
    with KernelOnWire(tmp_path, ipykernel_folder=request.param) as running:
        running.run((Path(__file__).parent / "demo_cell.py").read_text("utf-8"))
        yield running
