"""Budgets: compares what was spent with the limits, before a call or a model spends more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Self

from okso_jupyter.effects.effect import Effect
from okso_jupyter.execution.day_spending import DaySpending
from okso_jupyter.journal.codec import from_json, to_json
from okso_jupyter.journal.events import BudgetRaised, BudgetReached, Event
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.run_view import RunView
from okso_jupyter.journal.run_view.spending_fold import SpendingFold
from okso_jupyter.journal.store import now
from okso_jupyter.plan.spending import BUDGETS, SpendingLimit
from okso_jupyter.settings import Settings

#: Records what was found outside, or replays it; see `Boundary.found`.
Find = Callable[[str, Any, Callable[[], Any]], Any]


class BudgetReachedError(Exception):
    """A call must not be made: it would spend more than a budget allows. Nothing ran."""


@dataclass(slots=True, kw_only=True)
class Budgets:
    """The budgets of one run.

    What was spent is read from the journal, so that it is the same after a resume. A replay
    repeats what was found in the recorded run, since its time is not spent again.

    Attributes:
        limits: The limit of each budget that is set.
        recorder: The run's journal.
        find: Records what was found, or replays it.
        reached: The budgets found used up since a person last allowed more.
    """

    limits: Mapping[SpendingLimit, float]
    recorder: RunRecorder
    find: Find
    reached: tuple[BudgetReached, ...] = ()
    _view: RunView = field(init=False)
    _day: DaySpending | None = None
    _checks: int = 0

    def __post_init__(self) -> None:
        """Read what was spent so far, and listen to what is spent from now on."""
        journal, run_id = self.recorder.journal, self.recorder.run_id
        records = journal.records(run_id, *SpendingFold.takes) if self.limits else ()
        self._view = RunView(run_id, records, parts=(SpendingFold,))
        if self.limits:
            self.recorder.listeners.append(self._hear)
        if any(limit.per == "day" for limit in self.limits):
            self._day = DaySpending(journal=journal, besides=run_id)

    @classmethod
    def of(cls, settings: Settings, recorder: RunRecorder, find: Find) -> Self:
        """Return the budgets that the settings name."""
        return cls(limits=limits_of(settings), recorder=recorder, find=find)

    def _hear(self, event: Event) -> None:
        self._view.apply_event(event, now())

    def is_over(self, effects: AbstractSet[Effect] | None, *, is_filled: bool = False) -> bool:
        """Return whether a budget is used up, and record those that are.

        Args:
            effects: Effects of the call that would be made; None for a model that would write an
                answer or another plan.
            is_filled: Whether models have chosen the call already, so that it spends no tokens.
        """
        if not self.limits:
            return False
        self._checks += 1
        asked = {"check": self._checks, "effects": sorted(effects or ())}
        found = self.find("budget", asked, lambda: self._found(effects, is_filled=is_filled))
        self.reached = tuple(from_json(BudgetReached, one) for one in found or ())
        for reached in self.reached:
            self.recorder.record(reached)
        return bool(self.reached)

    def reserving(self) -> AbstractContextManager[None]:
        """Return a block in which a call is checked and its start recorded.

        Runs that share the budget of a day do so one after the other.
        """
        return nullcontext() if self._day is None else self._day.reserving()

    def check(self, effects: AbstractSet[Effect]) -> None:
        """Raise BudgetReachedError if a call with these effects would exceed a budget."""
        if self.is_over(effects, is_filled=True):
            raise BudgetReachedError(self.words)

    @property
    def words(self) -> str:
        """Which budgets are used up, in a clause; empty if none is."""
        return "; ".join(reached.words for reached in self.reached)

    def raise_limits(self) -> None:
        """Allow as much again, from what is spent now; a person has agreed."""
        for reached in self.reached:
            limit = self.limits[_by_name(reached.name)]
            self.recorder.record(
                BudgetRaised(name=reached.name, limit=reached.used + limit, unit=reached.unit)
            )
        self.reached = ()

    def _found(
        self, effects: AbstractSet[Effect] | None, *, is_filled: bool
    ) -> list[dict[str, Any]] | None:
        """Return the budgets that are used up, as JSON data; None if none is."""
        spending = self._view.spending
        spent = spending.spent_at(datetime.now(UTC))
        of_day = spent if self._day is None else spent + self._day.now()
        found = []
        for budget, limit in self.limits.items():
            if is_filled and budget.amount == "tokens":
                continue
            allowed = max(limit, spending.raised.get(budget.name, 0.0))
            used = budget.of(spent if budget.per == "run" else of_day)
            if budget.concerns(effects) and used >= allowed:
                reached = BudgetReached(
                    name=budget.name, used=used, limit=allowed, unit=budget.unit
                )
                found.append(to_json(reached))
        return found or None


def limits_of(settings: Settings) -> dict[SpendingLimit, float]:
    """Return the limit of each budget that is set."""
    limits = {budget: float(getattr(settings, budget.name.lower())) for budget in BUDGETS}
    return {budget: limit for budget, limit in limits.items() if limit}


def _by_name(name: str) -> SpendingLimit:
    return next(budget for budget in BUDGETS if budget.name == name)
