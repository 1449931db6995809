"""LossFinder: the file content that sampled plans would lose; rehearses each plan once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from okso_jupyter.approval.request_builder import RequestBuilder
from okso_jupyter.effects.file_effects import FileEffect
from okso_jupyter.plan.approval_scope import digest
from okso_jupyter.plan.plan import Plan
from okso_jupyter.replay.boundary import Take
from okso_jupyter.toolkit.rehearsal import Rehearser


@dataclass(frozen=True, slots=True)
class LossFinder:
    """Finds the file content that the steps of a plan would lose.

    Attributes:
        request_builder: Holds the tools and their resources.
        found: Records the result, or replays it.
    """

    request_builder: RequestBuilder
    found: Take
    _known: dict[str, dict[int, Sequence[FileEffect]] | None] = field(default_factory=dict)

    def losses_of(self, plan: Plan) -> dict[int, Sequence[FileEffect]] | None:
        """Return the losses by step id; None where an older recording does not hold them."""
        steps = [step.to_dict() for step in plan.steps]
        key = digest({"steps": steps})
        if key not in self._known:
            gave = self.found("losses", {"steps": steps}, lambda: self._live(plan))
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
        rehearser = Rehearser(self.request_builder.resources)
        found: dict[str, Any] = {}
        for step in plan.steps:
            tool = self.request_builder.tools.get(step.tool)
            tried = None if tool is None else rehearser.rehearse(tool, step)
            if tried is not None and tried.losses:
                found[str(step.id)] = [asdict(effect) for effect in tried.losses]
        return found
