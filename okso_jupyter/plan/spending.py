"""Budgets: how much a run, or all runs of a day, may spend before a person is asked."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields, replace
from typing import Final, Literal

from okso_jupyter.effects.effect import NOT_REPEATABLE, Effect


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What a run has spent.

    Attributes:
        steps: Calls of tools, retries included.
        tokens: Tokens that models read or wrote, without those that were in their cache.
        work_s: Seconds of planning and executing; the time in which a person decides is not in it.
        written_bytes: Bytes of the files that were created or changed, after each change.
        requests: Calls that may send something over the network.
    """

    steps: int = 0
    tokens: int = 0
    work_s: float = 0.0
    written_bytes: int = 0
    requests: int = 0

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            **{f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(Spent)}
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendingLimit:
    """A limit that a setting may name.

    Attributes:
        name: The setting, such as "BUDGET_STEPS"; 0 is no limit.
        amount: The field of `Spent` that is limited.
        unit: Its unit, in words.
        effects: The limit concerns calls with one of these effects; empty for every call.
        before_answer: Whether it also concerns models that write an answer or another plan.
        per: Whose spending is limited: that of one run, or of all runs that began on its day.
    """

    name: str
    amount: Literal["steps", "tokens", "work_s", "written_bytes", "requests"]
    unit: str
    effects: frozenset[Effect] = frozenset()
    before_answer: bool = False
    per: Literal["run", "day"] = "run"

    def concerns(self, effects: AbstractSet[Effect] | None) -> bool:
        """Return whether the limit concerns a call with these effects; None: a model's text."""
        if effects is None:
            return self.before_answer
        return not self.effects or bool(self.effects & effects)

    def of(self, spent: Spent) -> float:
        """Return how much of it was spent."""
        return float(getattr(spent, self.amount))


#: Effects of calls that may write a file, and of calls that may send a request.
_WRITING: Final = NOT_REPEATABLE
_SENDING: Final = frozenset({Effect.NETWORK, Effect.UNDECLARED})


def sends(effects: AbstractSet[Effect]) -> bool:
    """Return whether a call with these effects may send something over the network."""
    return bool(_SENDING & effects)


_OF_A_RUN: Final = (
    SpendingLimit(name="BUDGET_STEPS", amount="steps", unit="calls"),
    SpendingLimit(name="BUDGET_TOKENS", amount="tokens", unit="tokens", before_answer=True),
    SpendingLimit(name="BUDGET_TIME_S", amount="work_s", unit="s", before_answer=True),
    SpendingLimit(
        name="BUDGET_WRITTEN_BYTES", amount="written_bytes", unit="bytes written", effects=_WRITING
    ),
    SpendingLimit(name="BUDGET_REQUESTS", amount="requests", unit="requests", effects=_SENDING),
)
#: Every budget, in the order in which they are checked and shown.
BUDGETS: Final = (
    *_OF_A_RUN,
    *(
        replace(one, name=one.name.replace("BUDGET_", "BUDGET_DAY_"), per="day")
        for one in _OF_A_RUN
    ),
)
