"""LossFinder: the file content that sampled plans would lose; rehearses each plan once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from okso_jupyter.effects.file_effects import FileEffect
from okso_jupyter.plan.approval_scope import digest
from okso_jupyter.plan.plan import Plan
from okso_jupyter.runs.run_context import RunContext
from okso_jupyter.toolkit.rehearsal import Rehearser


@dataclass(frozen=True, slots=True)
class LossFinder:
    """Finds the file content that the steps of a plan would lose.

    Attributes:
        context: What the stages of the run share.
    """

    context: RunContext
    _known: dict[str, dict[int, Sequence[FileEffect]] | None] = field(default_factory=dict)

    def losses_of(self, plan: Plan) -> dict[int, Sequence[FileEffect]] | None:
        """Return the losses by step id; None where an older recording does not hold them."""
        steps = [step.to_dict() for step in plan.steps]
        key = digest({"steps": steps})
        if key not in self._known:
            gave = self.context.boundary.found("losses", {"steps": steps}, lambda: self._live(plan))
            self._known[key] = (
                None
                if gave is None
                else {
                    int(step_id): [FileEffect.from_dict(one) for one in lost]
                    for step_id, lost in gave.items()
                }
            )
        return self._known[key]

    def _live(self, plan: Plan) -> dict[str, Any]:
        rehearser = Rehearser(self.context.resources)
        found: dict[str, Any] = {}
        for step in plan.steps:
            tool = self.context.tools.get(step.tool)
            tried = None if tool is None else rehearser.rehearse(tool, step)
            if tried is not None and tried.losses:
                found[str(step.id)] = [asdict(effect) for effect in tried.losses]
        return found
