"""When enough candidates are drawn: once a whole round has changed nothing that matters.

Candidates are drawn in rounds of as many as the model makes at about the price of one. After
every round but the first it is asked whether the two best plans and the number of different plans
are what they were before; if so, the rest is not drawn. The answer depends on what was drawn and
on its points alone, so that the same seed and count always give the same candidates.
PLANNER_SAMPLE_COUNT is thus the most that is drawn, and up to two rounds it is the number.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from okso_jupyter.errors import PlanningTimeoutError
from okso_jupyter.llm.protocol import Completion, CompletionRequest, LanguageModel
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import Scorecard
from okso_jupyter.planning.time_limit import Deadline

_TIME_WAS_UP: Final = "PLAN_PLANNING_TIMEOUT_S was up"
#: A plan and what the rules say of it; None for a completion that is no plan.
Judged = tuple[Plan, Scorecard] | None


@dataclass(frozen=True, slots=True)
class Standing:
    """How candidates stand after a round.

    Attributes:
        best: The two best plans that differ, as text; fewer where there are fewer.
        distinct: How many plans differ from one another.
    """

    best: tuple[str, ...]
    distinct: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """What was drawn, in the order of the seeds, and in words why no more; empty for all."""

    completions: tuple[Completion, ...]
    stopped: str = ""


def standing(judged: Sequence[Judged]) -> Standing:
    """Return how candidates stand: by points, then tie-breaker, then the earliest."""
    ranked = sorted(
        (known for known in judged if known is not None),
        key=lambda known: (-known[1].score, -known[1].tie_breaker),
    )
    plans = dict.fromkeys(substance(plan) for plan, _ in ranked)
    return Standing(best=tuple(plans)[:2], distinct=len(plans))


def substance(plan: Plan) -> str:
    """Return what makes two plans the same: tools and arguments, and no thoughts."""
    calls = [[step.tool, dict(step.args)] for step in plan.steps]
    return json.dumps(calls, sort_keys=True, default=str)


def settled(before: Standing | None, now: Standing) -> bool:
    """Say whether a round changed neither the two best plans nor how many there are.

    Rounds without any plan settle nothing.
    """
    return before == now and now.distinct > 0


def rounds(seeds: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """Yield the seeds in rounds of a size, in their order."""
    for first in range(0, len(seeds), max(size, 1)):
        yield tuple(seeds[first : first + max(size, 1)])


def draw(
    model: LanguageModel,
    question: CompletionRequest,
    deadline: Deadline,
    judge: Callable[[Sequence[Completion]], Sequence[Judged]],
) -> Drawn:
    """Draw candidates until all are drawn, the best have settled, or the time is up.

    Args:
        model: The model.
        question: What it is asked, with a seed for each candidate.
        deadline: How long it may take.
        judge: Gives plan and points of every completion.

    Raises:
        PlanningTimeoutError: The time is up, and no earlier round brought a plan.
        ModelError: The model could not be asked.
    """
    drawn: tuple[Completion, ...] = ()
    before: Standing | None = None
    count = len(question.seeds)
    for seeds in rounds(question.seeds, model.identity.together):
        asked = replace(
            question,
            seeds=seeds,
            enough_after_s=deadline.left_s,
            drafts_after_s=deadline.drafts_after_s,
        )
        try:
            drawn += tuple(model.complete(asked))
        except PlanningTimeoutError:
            # a recording of before plans were kept says nothing of the time: it ends as it did
            if not deadline.has_plan or deadline.in_time():
                raise
            return Drawn(drawn, f"{len(drawn)} of {count} drawn: {_TIME_WAS_UP}")
        if len(drawn) == count:
            break
        now = standing(judge(drawn))
        deadline.has_plan = now.distinct > 0
        is_over = any(completion.finish == "draft" for completion in drawn)
        reason = _TIME_WAS_UP if is_over else _reason(before, now, deadline)
        if reason:
            return Drawn(drawn, f"{len(drawn)} of {count} drawn: {reason}")
        before = now
    return Drawn(drawn)


def _reason(before: Standing | None, now: Standing, deadline: Deadline) -> str:
    """Return why no more are drawn; an empty text where more are."""
    if settled(before, now):
        return "the top two had settled"
    if not now.distinct or deadline.in_time():
        return ""
    return _TIME_WAS_UP
