"""TypedValues: the argument values that a person typed into the approval form."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from okso_jupyter.journal.events import DecisionMade, PlanMade, PlanProposed
from okso_jupyter.plan.plan import Step
from okso_jupyter.toolkit.steering import words_in


@dataclass(frozen=True, slots=True)
class TypedValues:
    """The values that a person typed, by step, tool and argument.

    A value was typed if a version of the plan has it that a person made by editing and approved,
    and no other version has it in that step.

    Attributes:
        typed: Steps of the versions that a person made and approved.
        proposed: Steps of all other versions.
        draft: Steps of a version that a person made and has not decided about.
    """

    typed: tuple[Step, ...] = ()
    proposed: tuple[Step, ...] = ()
    draft: tuple[Step, ...] = ()
    _newest: Mapping[str, Any] = field(default_factory=dict)

    def after(self, event: PlanMade | PlanProposed | DecisionMade, run_id: str) -> TypedValues:
        """Return the values after an event of a run; a decision of another run says nothing."""
        if isinstance(event, DecisionMade):
            is_own = event.is_approval and event.by == "user" and event.run in {None, run_id}
            return replace(self.with_typed(self.draft) if is_own else self, draft=())
        if event.plan == self._newest:  # a proposal that was approved is made now
            return self
        steps = tuple(map(Step.from_dict, event.plan["steps"]))
        if event.cause == "edit":
            return replace(self, draft=steps, _newest=event.plan)
        return replace(self, proposed=(*self.proposed, *steps), draft=(), _newest=event.plan)

    def with_typed(self, steps: Iterable[Step]) -> TypedValues:
        """Return the values with the steps of a plan that a person has edited."""
        return replace(self, typed=(*self.typed, *steps))

    def kept_words(self, step: Step, name: str) -> frozenset[str] | None:
        """Return the words of a typed value that were proposed; None if it was not typed.

        Args:
            step: The step; the argument is not open.
            name: The argument.
        """
        if not _is_in(self.typed, step, name) or _is_in(self.proposed, step, name):
            return None
        before = [one.args.get(name) for one in self.proposed if one.id == step.id]
        return words_in([step.args[name]]) & words_in(before)


def _is_in(steps: Iterable[Step], step: Step, name: str) -> bool:
    """Return whether one of the steps is this one, with the same value of an argument."""
    value = _canonical(step.args[name])
    return any(
        (one.id, one.tool) == (step.id, step.tool)
        and name in one.args
        and name not in one.open_args
        and _canonical(one.args[name]) == value
        for one in steps
    )


def _canonical(value: object) -> str:
    """Return a value as JSON, in which 1 and true differ."""
    return json.dumps(value, sort_keys=True, default=str)
