"""Grants: which steps are approved, and how much of each approval is used up."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Self

from okso_jupyter.plan.approval_scope import ApprovalScope
from okso_jupyter.plan.records import StepStatus

#: Outcomes after which a step may not run again under the same approval.
_ENDS: Final = frozenset({"completed", "uncertain"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """An approval of one step.

    Attributes:
        terms: What it covers.
        attempts: Attempts used so far.
        is_spent: Whether it is used up.
    """

    terms: ApprovalScope
    attempts: int = 0
    is_spent: bool = False

    @property
    def is_good(self) -> bool:
        """Whether it has attempts left."""
        return not self.is_spent and self.attempts < self.terms.attempts


@dataclass(slots=True)
class Grants:
    """The approvals of a run's steps.

    Attributes:
        of_step: The approval of each approved step, by id.
        plan_version: The newest version of the plan of which a step was approved.
    """

    of_step: dict[int, Grant] = field(default_factory=dict)
    plan_version: int = 0

    def add(self, shown: Mapping[int, ApprovalScope], approved: Container[int]) -> None:
        """Grant the approved steps; a newer plan version ends all earlier grants.

        Args:
            shown: What an approval of each step covers, by step id.
            approved: Ids of the approved steps.
        """
        version = max((terms.plan_version for terms in shown.values()), default=0)
        if version > self.plan_version:
            self.of_step.clear()
            self.plan_version = version
        for step_id, terms in shown.items():
            if step_id in approved:
                self.of_step[step_id] = Grant(terms=terms)

    def withdraw(self, step_ids: Iterable[int]) -> None:
        """Withdraw the approvals of steps."""
        for step_id in step_ids:
            self.of_step.pop(step_id, None)

    def count(self, step_id: int, *, is_repeatable: bool) -> None:
        """Count an attempt; one that is not repeatable uses up the approval."""
        grant = self.of_step.get(step_id)
        if grant is not None:
            is_spent = grant.is_spent or not is_repeatable
            self.of_step[step_id] = replace(grant, attempts=grant.attempts + 1, is_spent=is_spent)

    def note(self, step_id: int, status: StepStatus) -> None:
        """Take in the outcome of a call: success or "uncertain" ends the approval of its step."""
        if status in _ENDS and step_id in self.of_step:
            self.of_step[step_id] = replace(self.of_step[step_id], is_spent=True)

    def given_back(self, step_ids: Iterable[int]) -> Self:
        """Return the grants with one attempt of each step uncounted."""
        of_step = dict(self.of_step)
        for step_id in step_ids:
            if step_id in of_step:
                grant = of_step[step_id]
                of_step[step_id] = replace(grant, attempts=max(0, grant.attempts - 1))
        return replace(self, of_step=of_step)
