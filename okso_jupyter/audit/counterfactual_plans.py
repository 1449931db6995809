"""Counterfactual plans: the smallest edit of its steps that makes another candidate win."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any, Final, Literal

from okso_jupyter.audit.scoreboard import Scoreboard, is_same_plan
from okso_jupyter.errors import PlanError
from okso_jupyter.plan.plan import Plan, Step, check_rules
from okso_jupyter.plan.records import Candidate, Scorecard

Kind = Literal["argument", "dropped", "replaced", "added"]
#: Longer values are cut in words; the plan holds them in full.
_SHOWN_CHARACTERS: Final = 60
_ABSENT: Final = object()
#: Maximum number of steps in all edited plans together, which limits scoring to seconds. Plans of
#: up to fifteen steps stay below it.
_MAX_JUDGED_STEPS: Final = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterfactualStep:
    """One edit of a plan.

    Attributes:
        kind: Kind of edit: an argument is set as in the winner or left out; a step is dropped,
            replaced by one of the winner's, or added from the winner.
        words: The edit in words, such as "step 2 (file_read) dropped".
        plan: The edited plan.
        score: Score of the edited plan; None before it is scored.
        is_winners_plan: Whether the edited plan equals the winner's.
    """

    kind: Kind
    words: str
    plan: Plan
    score: float | None = None
    is_winners_plan: bool = False


def smallest_edit(
    scoreboard: Scoreboard, candidate: Candidate
) -> tuple[CounterfactualStep | None, bool]:
    """Return the smallest edit after which the scorer ranks a candidate first, if there is one.

    Changing an argument counts as smaller than dropping a step, and that as smaller than replacing
    or adding one; among edits of a kind, the one with the highest score is returned. All candidates
    are rescored, since some rules compare them with each other. An edit that yields the winner's
    own plan is returned only if no other edit works. A long plan has more edits than can be tried:
    then only the first ones are.

    Args:
        scoreboard: All candidates, with a judge.
        candidate: The candidate that is to win.

    Returns:
        The edit, and whether all edits that are smaller or as small were tried.
        The edit, and whether all that are smaller, or as small, were tried.
    """
    to_winner = None
    best: CounterfactualStep | None = None
    allowed = max(1, _MAX_JUDGED_STEPS // max(1, len(candidate.plan.steps)))
    left = edits(candidate.plan, scoreboard.winner.plan)
    for edit in islice(left, allowed):
        if best is not None and edit.kind != best.kind:
            return best, True
        judged, wins = _tried(scoreboard, candidate, edit)
        if judged.is_winners_plan:
            to_winner = to_winner or judged
        elif wins and (best is None or (judged.score or 0.0) > (best.score or 0.0)):
            best = judged
    return best or to_winner, next(left, None) is None


def _tried(
    scoreboard: Scoreboard, candidate: Candidate, edit: CounterfactualStep
) -> tuple[CounterfactualStep, bool]:
    """Return the edit with its score, and whether it makes the candidate win.

    Most edits score below the winner, so the other rivals are rescored only if necessary.
    """
    fresh = replace(candidate, plan=edit.plan)
    edited = replace(fresh, scorecard=_card(scoreboard, fresh, fresh))
    judged = replace(
        edit,
        score=edited.scorecard.score,
        is_winners_plan=is_same_plan(edit.plan, scoreboard.winner.plan),
    )
    rivals = sorted(scoreboard.rivals(candidate), key=lambda c: c.standing, reverse=True)
    return judged, all(
        replace(rival, scorecard=_card(scoreboard, rival, fresh)).standing < edited.standing
        for rival in rivals
    )


def _card(scoreboard: Scoreboard, candidate: Candidate, fresh: Candidate) -> Scorecard:
    """Return the scorecard of a candidate when one candidate is replaced by an edited one."""
    assert scoreboard.judge is not None  # noqa: S101  the caller has looked
    plans = {c.index: c.plan for c in (*scoreboard.sampled, fresh)}
    own = plans.pop(candidate.index)
    return scoreboard.judge([own], peers=list(plans.values()))[0]


def edits(plan: Plan, winner: Plan) -> Iterator[CounterfactualStep]:
    """Yield every single edit of a plan that keeps it valid, smaller kinds first.

    Args:
        plan: The plan.
        winner: Source of other arguments and steps.
    """
    for edit in chain(
        _arguments(plan, winner), _dropped(plan), _replaced(plan, winner), _added(plan, winner)
    ):
        try:
            check_rules(edit.plan)
        except PlanError:
            continue
        yield edit


def _arguments(plan: Plan, winner: Plan) -> Iterator[CounterfactualStep]:
    """Yield plans with one argument as the winner sets it in a step of the same tool."""
    seen = set()
    for step in plan.steps:
        for other in winner.steps:
            if other.tool != step.tool:
                continue
            for name in dict.fromkeys((*step.args, *other.args)):
                value = other.args.get(name, _ABSENT)
                key = (step.id, name, _text(value))
                if _text(step.args.get(name, _ABSENT)) != _text(value) and key not in seen:
                    seen.add(key)
                    yield _with_argument(plan, step, name, value)


def _with_argument(plan: Plan, step: Step, name: str, value: object) -> CounterfactualStep:
    args: dict[str, Any] = {key: old for key, old in step.args.items() if key != name}
    if value is not _ABSENT:
        args = {**step.args, name: value}
    said = "left out" if value is _ABSENT else f"as {_short(value)}"
    return CounterfactualStep(
        kind="argument",
        words=f"{name} of step {step.id} ({step.tool}) {said}",
        plan=plan.with_steps(replace(s, args=args) if s is step else s for s in plan.steps),
    )


def _dropped(plan: Plan) -> Iterator[CounterfactualStep]:
    """Yield plans without one step; dependencies on it are removed."""
    for step in plan.steps if len(plan.steps) > 1 else ():
        rest = [_released(other, step.id) for other in plan.steps if other is not step]
        words = f"step {step.id} ({step.tool}) dropped"
        yield CounterfactualStep(kind="dropped", words=words, plan=plan.with_steps(rest))


def _released(step: Step, gone: int) -> Step:
    """Return a step without references to a removed step."""
    about_it = step.condition.startswith(f"step_{gone}_")
    return replace(
        step,
        depends_on=tuple(other for other in step.depends_on if other != gone),
        condition="" if about_it else step.condition,
        replaces=None if step.replaces == gone else step.replaces,
    )


def _replaced(plan: Plan, winner: Plan) -> Iterator[CounterfactualStep]:
    """Yield plans with the call of one step replaced by one of the winner's calls."""
    for place, step in enumerate(plan.steps):
        for other in _calls_of(winner):
            if (other.tool, _text(other.args)) == (step.tool, _text(step.args)):
                continue
            if other.is_final and place < len(plan.steps) - 1:
                continue
            fresh = replace(
                step,
                tool=other.tool,
                args=other.args,
                thought=other.thought,
                title=other.title,
                description=other.description,
                literal=other.literal,
            )
            yield CounterfactualStep(
                kind="replaced",
                words=f"step {step.id} ({step.tool}) replaced by {_call(other)}",
                plan=plan.with_steps(fresh if s is step else s for s in plan.steps),
            )


def _added(plan: Plan, winner: Plan) -> Iterator[CounterfactualStep]:
    """Yield plans with one of the winner's steps added, always before the final answer."""
    ends = bool(plan.steps) and plan.steps[-1].is_final
    room = len(plan.steps) - ends
    free = max((step.id for step in plan.steps), default=0) + 1
    for other in _calls_of(winner):
        if other.is_final and ends:
            continue
        fresh = replace(other, id=free, depends_on=(), condition="", replaces=None)
        for place in (room,) if other.is_final else range(room + 1):
            steps: Sequence[Step] = (*plan.steps[:place], fresh, *plan.steps[place:])
            where = "at the end" if place == len(plan.steps) else (
                f"before step {plan.steps[place].id}"
            )  # fmt: skip
            words = f"{_call(other)} added {where}"
            yield CounterfactualStep(kind="added", words=words, plan=plan.with_steps(steps))


def _calls_of(plan: Plan) -> list[Step]:
    """Return the steps of a plan without repeated calls."""
    return list({(step.tool, _text(step.args)): step for step in plan.steps}.values())


def _call(step: Step) -> str:
    args = ", ".join(f"{name}={_short(value)}" for name, value in step.args.items())
    return f"{step.tool}({args})"


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    cut = f"{text[:_SHOWN_CHARACTERS]}… ({len(text)} characters)"
    return text if len(text) <= _SHOWN_CHARACTERS else cut


def _text(value: object) -> str:
    return "" if value is _ABSENT else json.dumps(value, sort_keys=True, default=str)
