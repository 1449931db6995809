"""Flaw: a defect of a plan's step, found before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from okso_jupyter.plan.plan import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """A defect that makes a step fail in any case.

    Attributes:
        step_id: The step.
        message: What is wrong.
        argument: The argument at fault; empty for the step as a whole.
    """

    step_id: int
    message: str
    argument: str = ""

    def in_words(self, plan: Plan) -> str:
        """Return the flaw as a sentence that names step, tool and argument."""
        argument = f"{self.argument}: " if self.argument else ""
        return f"step {self.step_id} ({plan.step(self.step_id).tool}): {argument}{self.message}"

    def to_dict(self) -> dict[str, Any]:
        """Return the flaw as JSON data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read the output of `to_dict`."""
        return cls(**data)


def flaws_text(flaws: Iterable[Flaw], plan: Plan) -> str:
    """Return several flaws as one text."""
    return "; ".join(flaw.in_words(plan) for flaw in flaws)
