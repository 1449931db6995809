"""Revision: which steps are kept, changed, dropped and added from one plan version to the next."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final, Literal

from okso_jupyter.plan.plan import Plan, Step

Change = Literal["kept", "changed", "dropped", "added"]

_CAUSES: Final = {
    "feedback": "feedback",
    "failure": "after a failure",
    "in_a_row": "after failures in a row",
    "divergence": "the model proposed another way",
    "validation": "the answer failed its check",
    "edit": "edited by you",
    "candidate": "another candidate was chosen",
}


#: Fields of a step that name or describe it, and do not affect what it does.
_WORDS: Final = frozenset({"id", "title", "description", "thought"})


@dataclass(frozen=True, slots=True, kw_only=True)
class StepChange:
    """Change of one step.

    Attributes:
        change: "kept", "changed", "dropped" or "added".
        step: The step in the newer version; a dropped one in the older version.
        before: A changed step in the older version; None for all others.
    """

    change: Change
    step: Step
    before: Step | None = None

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the fields that differ in a changed step."""
        if self.before is None:
            return ()
        return tuple(
            name
            for name in Step.__dataclass_fields__
            if _canonical(getattr(self.before, name)) != _canonical(getattr(self.step, name))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A plan version compared with the previous one.

    Attributes:
        older: The previous version; None for the first.
        newer: The version itself.
        cause: Why it exists: "planned", "feedback", "failure", "in_a_row", "divergence",
            "validation", "edit" or "candidate".
        reason: The cause in more words; empty if there are none.
        decision: The decision about it, such as "approve"; empty before that.
    """

    older: Plan | None
    newer: Plan
    cause: str
    reason: str = ""
    decision: str = ""

    @property
    def changes(self) -> tuple[StepChange, ...]:
        """The change of every step: those of the older version first, then the added ones."""
        before = {step.id: step for step in self.older.steps} if self.older else {}
        after = {step.id: step for step in self.newer.steps}
        old = (_change(step, after.get(step.id)) for step in before.values())
        new = (
            StepChange(change="added", step=step)
            for step in after.values()
            if step.id not in before
        )
        return (*old, *new)

    @property
    def is_overlooked(self) -> bool:
        """Whether feedback led to the same calls in the same order; descriptions may differ."""
        older = self.older.steps if self.older else ()
        return self.cause == "feedback" and list(map(_deed, older)) == list(
            map(_deed, self.newer.steps)
        )

    @property
    def why(self) -> str:
        """The cause and the reason in words."""
        words = _CAUSES.get(self.cause, self.cause)
        return f"{words}: {self.reason}" if self.reason else words


def _change(before: Step, after: Step | None) -> StepChange:
    if after is None:
        return StepChange(change="dropped", step=before)
    change = StepChange(change="changed", step=after, before=before)
    return change if change.fields else StepChange(change="kept", step=after)


def _deed(step: Step) -> list[str]:
    """Return every field that determines what a step does, and when."""
    names = Step.__dataclass_fields__.keys() - _WORDS
    return [_canonical(getattr(step, name)) for name in sorted(names)]


def _canonical(value: object) -> str:
    """Return the JSON text of a field, in which 1 and true differ."""
    return json.dumps(value, sort_keys=True, default=str)
