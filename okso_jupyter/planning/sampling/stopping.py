"""Draws candidates in rounds and stops early once a round changes neither top plans nor count.

A round has as many candidates as the model generates at about the cost of one. After every round
but the first, drawing stops if the two best plans and the number of distinct plans are unchanged.
This depends only on the candidates drawn and their scores, so that the same seed and count always
give the same candidates. PLANNER_SAMPLE_COUNT is therefore the maximum, and up to two rounds it
is the exact number.

A server that writes one text at a time has rounds of one. It samples whole texts at one
temperature, so the first is drawn at 0: a model in this process varies the tools alone. Where the
schema leaves no choice of tools, that one is all that can be drawn.
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
from okso_jupyter.planning.schema.plan_schema import only_steps
from okso_jupyter.planning.time_limit import Deadline

_NO_OTHER: Final = "only one plan can be drawn"
_TIME_WAS_UP: Final = "PLAN_PLANNING_TIMEOUT_S was up"
#: A plan with its scorecard; None for a completion that is not a plan.
Judged = tuple[Plan, Scorecard] | None


@dataclass(frozen=True, slots=True)
class Standing:
    """The ranking after a round.

    Attributes:
        best: The two best distinct plans as text; fewer if fewer exist.
        distinct: Number of distinct plans.
    """

    best: tuple[str, ...]
    distinct: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """Completions in the order of their seeds, and why no more were drawn; empty if all were."""

    completions: tuple[Completion, ...]
    stopped: str = ""


def standing(judged: Sequence[Judged]) -> Standing:
    """Return the ranking of candidates: by score, then tie-breaker, then the earliest."""
    ranked = sorted(
        (known for known in judged if known is not None),
        key=lambda known: (-known[1].score, -known[1].tie_breaker),
    )
    plans = dict.fromkeys(substance(plan) for plan, _ in ranked)
    return Standing(best=tuple(plans)[:2], distinct=len(plans))


def substance(plan: Plan) -> str:
    """Return the key by which plans count as the same: tools and arguments without thoughts."""
    calls = [[step.tool, dict(step.args)] for step in plan.steps]
    return json.dumps(calls, sort_keys=True, default=str)


def settled(before: Standing | None, now: Standing) -> bool:
    """Return whether a round changed neither the two best plans nor the number of plans.

    Return False as long as there is no plan.
    """
    return before == now and now.distinct > 0


def rounds(seeds: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """Yield the seeds in order, in rounds of the given size."""
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
        question: The completion request, with a seed for each candidate.
        deadline: The time limit.
        judge: Returns plan and scorecard of every completion.

    Raises:
        PlanningTimeoutError: The time is up, and no earlier round produced a plan.
        ModelError: The model call failed.
    """
    drawn: tuple[Completion, ...] = ()
    before: Standing | None = None
    count = len(question.seeds)
    is_alone = model.identity.together == 1 and question.hot is not None
    for seeds in rounds(question.seeds, model.identity.together):
        asked = replace(
            question,
            seeds=seeds,
            temperature=question.temperature if drawn or not is_alone else 0.0,
            enough_after_s=deadline.left_s,
            drafts_after_s=deadline.drafts_after_s,
        )
        try:
            drawn += tuple(model.complete(asked))
        except PlanningTimeoutError:
            # a recording older than the record of plans has no deadline: it ends in its error
            if not deadline.has_plan or deadline.in_time():
                raise
            return Drawn(drawn, f"{len(drawn)} of {count} drawn: {_TIME_WAS_UP}")
        if len(drawn) == count:
            break
        if is_alone and only_steps(question.schema or {}) is not None:
            return Drawn(drawn, f"{len(drawn)} of {count} drawn: {_NO_OTHER}")
        now = standing(judge(drawn))
        deadline.has_plan = now.distinct > 0
        is_over = any(completion.finish == "draft" for completion in drawn)
        reason = _TIME_WAS_UP if is_over else _reason(before, now, deadline)
        if reason:
            return Drawn(drawn, f"{len(drawn)} of {count} drawn: {reason}")
        before = now
    return Drawn(drawn)


def _reason(before: Standing | None, now: Standing, deadline: Deadline) -> str:
    """Return why no more candidates are drawn; empty if drawing continues."""
    if settled(before, now):
        return "the top two had settled"
    if not now.distinct or deadline.in_time():
        return ""
    return _TIME_WAS_UP
