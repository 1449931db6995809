"""EXECUTOR_MODE=react: a model proposes each call, and the plan says what it is measured by.

A turn is one small question to the model. Turns are bounded by the length of the plan and
REACT_RETRY_BUFFER; the plan index, which is the place of the pending step, moves only when the
step's own tool has run, or the step is left out for a reason. What a turn came to is a span of
the trace.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from okso_jupyter.effects.effect import Effect
from okso_jupyter.errors import ModelError
from okso_jupyter.execution.call_choice import CallChoice, as_planned, chosen, same
from okso_jupyter.execution.call_suggestion import Suggester, Suggestion
from okso_jupyter.execution.plan_progress import PlanProgress
from okso_jupyter.plan.plan import FINAL_TOOL, Plan, Step
from okso_jupyter.plan.records import Observation
from okso_jupyter.plan.states import StepState
from okso_jupyter.toolkit.tool import Tool

#: Why the plan index did not move; "" where the proposal was one to be run.
SkipReason = Literal[
    "", "action_selection_failed", "duplicate_action", "plan_tool_mismatch", "answered_early"
]
#: Effects of steps that may be left out by a model that has its answer: they only look.
_LOOKING: Final = frozenset({Effect.READS, Effect.NETWORK})


@dataclass(slots=True)
class React:
    """Lets a model propose calls, one walk long.

    Attributes:
        suggester: Asks the model.
        tools: The catalogue.
        retry_buffer: Turns beyond the length of the plan.
        may_realign: Whether the plan may be realigned when the model wants another tool.
    """

    suggester: Suggester
    tools: Mapping[str, Tool]
    retry_buffer: int
    may_realign: bool = False
    one_at_a_time: bool = True
    _turns: int = 0
    _told: list[str] = field(default_factory=list)
    _told_about: int = 0

    def choose(self, step: Step, plan: Plan, progress: PlanProgress) -> CallChoice:
        """Return what the model wants to do about a pending step, in as many turns as it takes.

        The first turn is about any tool, those that follow a useless one about the step's alone.
        """
        if self._told_about != step.id:
            self._told, self._told_about = [], step.id
        while self._turns < self._most_turns(plan):
            choice = self._turn(step, plan, progress)
            if choice is not None:
                return choice
        turns = self._most_turns(plan)
        return CallChoice(
            step=step,
            failed=f"no turn is left: {turns} were used (the plan and REACT_RETRY_BUFFER)",
        )

    def choose_again(self, step: Step, plan: Plan, progress: PlanProgress) -> CallChoice | None:
        """Return the call for a step whose attempt failed; None if the model has none.

        It may be the same once more, and another tool is for a new plan to decide.
        """
        last = progress.observations[-1]
        # why is among what was observed, between marks: it is the tool's own words
        self._told.append(f"The last call of {last.call.tool} failed.")
        if self._turns >= self._most_turns(plan):
            return None
        choice = self._turn(step, plan, progress)
        return None if choice is None or choice.skipped or choice.diverged else choice

    def _most_turns(self, plan: Plan) -> int:
        return len(plan.steps) + self.retry_buffer

    def _turn(self, step: Step, plan: Plan, progress: PlanProgress) -> CallChoice | None:
        """Ask the model once; None for a turn that came to nothing."""
        self._turns += 1
        with self.suggester.model_calls.recorder.span(
            "turn", step_id=step.id, turn=self._turns, plan_index=plan.steps.index(step)
        ) as span:
            try:
                suggestion = self.suggester.next_call(
                    step,
                    _seen(progress),
                    offered=self._offered(step, plan, progress),
                    told=self._told,
                )
            except ModelError as error:
                return as_planned(step, error)
            choice, reason = self._judged(step, suggestion, progress)
            span.attributes |= {"tool": suggestion.tool, "skip_reason": reason}
            if suggestion.flaw:
                span.attributes["why"] = suggestion.flaw
            return choice

    def _judged(
        self, step: Step, suggestion: Suggestion, progress: PlanProgress
    ) -> tuple[CallChoice | None, SkipReason]:
        """Measure a proposal by the pending step; say why it is not run, if it is not."""
        if suggestion.tool == FINAL_TOOL and not suggestion.flaw:
            return CallChoice(
                step=step, skipped="the model had its answer without it"
            ), "answered_early"
        reason, told = _objection(step, suggestion, progress)
        if not reason:
            return chosen(step, suggestion.args), ""
        if reason == "plan_tool_mismatch" and self.may_realign and not progress.realigned:
            wish = f"the model wants {suggestion.tool} in place of step {step.id} ({step.tool})"
            return CallChoice(step=step, diverged=wish), reason
        self._told.append(told)
        return None, reason

    def _offered(self, step: Step, plan: Plan, progress: PlanProgress) -> list[str]:
        """Return the tools that may be proposed beside the step's own."""
        if self._told:
            return []
        callable_ones = [
            name
            for name, tool in self.tools.items()
            if tool.expansion is None and name not in {step.tool, FINAL_TOOL}
        ]
        return [*callable_ones, FINAL_TOOL] if self._may_end(plan, progress) else callable_ones

    def _may_end(self, plan: Plan, progress: PlanProgress) -> bool:
        """Say whether the rest may be left out: something was seen, and the rest only looks."""
        pending = [s for s in plan.steps if progress.state(s.id) is StepState.PENDING]
        return bool(_seen(progress)) and all(
            self.tools[step.tool].effect_of(step.args) <= _LOOKING for step in pending
        )


def _objection(
    step: Step, suggestion: Suggestion, progress: PlanProgress
) -> tuple[SkipReason, str]:
    """Return why a proposal is of no use, and what the model is told of it; nothing where it is."""
    if suggestion.flaw:
        return "action_selection_failed", "That was no call."
    is_own = suggestion.tool == step.tool
    if is_own and not chosen(step, suggestion.args).changed:
        return "", ""
    last = next((o.call for o in reversed(progress.completed)), None)
    if last and last.tool == suggestion.tool and same(dict(last.args), dict(suggestion.args)):
        return "duplicate_action", f"{suggestion.tool} with these arguments was called already."
    if is_own:
        return "", ""
    return "plan_tool_mismatch", f"{suggestion.tool} is not in the plan here."


def _seen(progress: PlanProgress) -> list[Observation]:
    """Return what the model is shown: what completed, and the last attempt if it failed."""
    return [o for o in progress.observations if o.status in {"completed", "failed"}]
