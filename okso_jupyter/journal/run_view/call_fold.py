"""Calls of a run: those that have a result, and those that began and have none."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never, get_args

from okso_jupyter.journal.events import CallStarted, ObservationMade
from okso_jupyter.journal.run_view.fold import Fold
from okso_jupyter.plan.records import Observation, ToolCall

CallEvent = CallStarted | ObservationMade


@dataclass(kw_only=True)
class CallFold(Fold[CallEvent]):
    """Calls of a run, and what was observed.

    Attributes:
        begun: The call of each step that began and has no result, by step id.
        ended: Every call that has a result, with it.
        observed: Every result, also of steps that were skipped.
        used_tools: Names of the tools that were called.
    """

    takes = get_args(CallEvent)
    begun: dict[int, CallStarted] = field(default_factory=dict)
    ended: list[tuple[CallStarted, Observation]] = field(default_factory=list)
    observed: list[Observation] = field(default_factory=list)
    used_tools: set[str] = field(default_factory=set)

    @property
    def lost_calls(self) -> dict[int, ToolCall]:
        """The calls that may have had their effect and have no result, by step id."""
        return {i: begun.call for i, begun in self.begun.items() if not begun.is_repeatable}

    def apply(self, event: CallEvent, at: str) -> None:
        """Change the calls as an event says."""
        del at
        match event:
            case CallStarted():
                self.begun[event.step_id] = event
                self.used_tools.add(event.tool)
            case ObservationMade(observation=seen):
                self.observed.append(seen)
                started = self.begun.pop(seen.call.step_id, None)
                if started is not None:
                    self.ended.append((started, seen))
            case _:
                assert_never(event)
