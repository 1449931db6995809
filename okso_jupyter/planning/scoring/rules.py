"""The scoring rules, one pure function each.

A rule takes one plan as a `Case` and returns a `RuleResult`. Its code is never reused; its name
is its column and its key in SCORE_WEIGHTS; the first line of its docstring is its row in
docs/auditing.md. A preset is a tuple of rules: `OKSO` gives okso's exact points; `DEFAULT` has
rules for the same criteria with corrected incentives: a useless step never gains points, and doing
nothing never beats doing what was asked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from okso_jupyter.effects.effect import LASTING, UNDECLARED, Effects
from okso_jupyter.effects.trifecta import Role, is_complete, roles_of
from okso_jupyter.legible import sentence
from okso_jupyter.plan.plan import FINAL_TOOL, Plan, Step
from okso_jupyter.planning.request.facts import Facts
from okso_jupyter.planning.request.permission import Losses, unasked_losses
from okso_jupyter.planning.scoring.withheld import reason_of
from okso_jupyter.planning.slot_filling.provenance import unsaid
from okso_jupyter.planning.slot_filling.slots import parameters_of
from okso_jupyter.planning.slot_filling.tool_match import NEED
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.tool import Tool


@dataclass(frozen=True)
class Case:
    """The input of a rule.

    Attributes:
        plan: The plan.
        tools: The catalogue, by name.
        settings: The settings.
        facts: What the request names, or None if there is no request.
        relevance: How well each tool fits the request, 0 to 1.
        turned_down: Plans for the request that the user rejected.
        peers: The other candidates for the request.
        losses: The file content that each step would destroy, by step id; None if the folder is
            unknown.
        readings: The fitted points of the readings of a question about a table, by query and rule;
            None for other requests.
    """

    plan: Plan
    tools: Mapping[str, Tool]
    settings: Settings
    facts: Facts | None = None
    relevance: Mapping[str, float] | None = None
    turned_down: tuple[Plan, ...] = ()
    peers: tuple[Plan, ...] = ()
    losses: Losses | None = None
    readings: Mapping[str, Mapping[str, float]] | None = None

    @cached_property
    def calls(self) -> tuple[Step, ...]:
        """The steps that call a tool, without the final answer."""
        return tuple(step for step in self.plan.steps if not step.is_final)

    def knows(self, step: Step) -> bool:
        """Return whether the step's tool is in the catalogue."""
        return step.is_final or step.tool in self.tools

    @cached_property
    def _effects(self) -> Mapping[int, Effects]:
        """The effects of the calls of known tools by step id, worked out once for all rules."""
        known = [step for step in self.calls if step.tool in self.tools]
        return {step.id: self.tools[step.tool].effect_of(step.args) for step in known}

    def effects(self, step: Step) -> Effects:
        """Return the step's effects; those of an unknown tool are undeclared."""
        return frozenset() if step.is_final else self._effects.get(step.id, UNDECLARED)


@dataclass(frozen=True, slots=True)
class RuleResult:
    """Points of one rule before weighting, the number of its findings, and the reason."""

    points: float
    count: int
    reason: str


Judge = Callable[[Case], RuleResult]


@dataclass(frozen=True, slots=True)
class Rule:
    """A judge with its code and name.

    Attributes:
        code: Its code; never reused.
        name: Its name, also its column and its key in SCORE_WEIGHTS.
        judge: Its judge.
        most: Points of the best plan, before weighting; None if they are not known.
    """

    code: str
    name: str
    judge: Judge
    most: Callable[[Settings], float] | None = None

    @property
    def meaning(self) -> str:
        """First line of the judge's docstring."""
        return (self.judge.__doc__ or "").splitlines()[0]


def length(case: Case) -> RuleResult:
    """Within the budget +20 and 1 for each step left, over it -10 each; or -K times the square.

    okso calls the second form quadratic; SCORE_LENGTH chooses.
    """
    steps, budget = len(case.plan.steps), case.settings.planner_max_plan_steps
    if case.settings.score_length == "quadratic":
        factor = case.settings.len_penalty_k
        return RuleResult(
            -factor * steps**2, steps, f"{steps} steps cost {factor:g} times the square"
        )
    if steps <= budget:
        return RuleResult(20 + budget - steps, steps, f"fits the budget: {steps} of {budget} steps")
    over = steps - budget
    return RuleResult(-10 * over, over, f"exceeds the budget by {over} of {budget} steps")


def final_answer(case: Case) -> RuleResult:
    """A plan that never answers is useless: +15 if the last step is final_answer, else -25."""
    steps = case.plan.steps
    if steps and steps[-1].is_final:
        return RuleResult(15, 1, f"ends with {FINAL_TOOL}")
    return RuleResult(-25, 0, f"must end with {FINAL_TOOL}")


def okso_known_tools(case: Case) -> RuleResult:
    """+3 for each step whose tool is registered, -25 for each unknown one."""
    if not case.tools:
        return RuleResult(0, 0, "no tools are registered: nothing to check")
    unknown = sum(not case.knows(step) for step in case.plan.steps)
    points = 3 * (len(case.plan.steps) - unknown) - 25 * unknown
    reason = f"{unknown} unavailable tool(s)" if unknown else "all tools are registered"
    return RuleResult(points, unknown, reason)


def known_tools(case: Case) -> RuleResult:
    """+3 if every tool is registered, -45 for each step with an unknown one.

    That is more than all other faults of a step with a known tool cost, so that naming an unknown
    tool never scores better. If the catalogue has workflows, an unknown name counts as many steps
    as the longest of them has.
    """
    if not case.tools:
        return RuleResult(0, 0, "no tools are registered: nothing to check")
    unknown = sum(not case.knows(step) for step in case.plan.steps)
    if unknown:
        points = -45 * unknown * _most_steps(case.tools)
        return RuleResult(points, unknown, f"{unknown} unavailable tool(s)")
    return RuleResult(3, 0, "all tools are registered")


def _most_steps(tools: Mapping[str, Tool]) -> int:
    """Return the most steps that one tool name can expand to."""
    return max((t.expansion.most_steps for t in tools.values() if t.expansion), default=1)


def arguments(case: Case) -> RuleResult:
    """-10 for each step whose arguments cannot work: by schema (SCORE_ARGS) or on their own."""
    return _argument_verdict(case, Tool.flaws)


def _argument_verdict(case: Case, problems: Callable[..., list[str]]) -> RuleResult:
    """Return -10 for each step whose arguments have problems; SCORE_ARGS sets the strictness."""
    if case.settings.score_args == "off":
        return RuleResult(0, 0, "arguments are not checked")
    lenient = case.settings.score_args == "lenient"
    failing = {
        step.id: found[0]
        for step in case.calls
        if step.tool in case.tools
        and (found := problems(case.tools[step.tool], step.args, lenient=lenient))
    }
    if failing:
        where = "; ".join(f"step {step_id} ({said})" for step_id, said in failing.items())
        return RuleResult(-10 * len(failing), len(failing), sentence(f"arguments fail for {where}"))
    return RuleResult(0, 0, "arguments satisfy their schemas")


def okso_arguments(case: Case) -> RuleResult:
    """-10 for each step whose arguments break its schema; not with the quadratic length."""
    if case.settings.score_length == "quadratic":
        return RuleResult(0, 0, "arguments are not counted with the quadratic length")
    return _argument_verdict(case, Tool.violations)


def okso_side_effects(case: Case) -> RuleResult:
    """-10 if the first of several steps has side effects, else +5; 0 where they are unknown."""
    for place, step in enumerate(case.plan.steps, start=1):
        effects = case.effects(step)
        if effects & UNDECLARED and step.tool in case.tools:
            return RuleResult(0, 0, f"side effects of step {place} are not declared")
        if effects & LASTING:
            if place == 1 and len(case.plan.steps) > 1:
                return RuleResult(-10, 1, "the first step is side-effecting")
            return RuleResult(5, 1, f"side effects deferred until step {place}")
    return RuleResult(5, 0, "no side effects detected")


def side_effects(case: Case) -> RuleResult:
    """+5 if no read-only step comes after one with side effects, else -10; 0 if unknown.

    All reading should be done before anything is changed. An unneeded read as the first step must
    not gain points, nor must a step with undeclared effects.
    """
    known = [(step.id, case.effects(step)) for step in case.calls if step.tool in case.tools]
    changed = next((step_id for step_id, effects in known if effects & LASTING), None)
    looks = [step_id for step_id, effects in known if not effects & (LASTING | UNDECLARED)]
    late = next((step_id for step_id in looks if changed is not None and step_id > changed), None)
    if late is not None:
        return RuleResult(-10, 1, f"step {changed} changes something before step {late} looks")
    unknown = next((step_id for step_id, effects in known if effects & UNDECLARED), None)
    if unknown is not None:
        return RuleResult(0, 0, f"side effects of step {unknown} are not declared")
    if changed is None:
        return RuleResult(5, 0, "no side effects detected")
    return RuleResult(5, 1, f"side effects deferred until step {changed}")


def coverage(case: Case) -> RuleResult:
    """From -20 (the plan uses nothing that the request names) to +20 (all of it, by fitting tools).

    A request names files, addresses, quoted texts and numbers. A step uses such a value if its
    arguments contain it, and counts as much as its tool fits the request. If the request names
    nothing, only the fit of the plan's best tool counts. The readings of a question about a table
    have rules of their own for numbers, which know that the 1 of "after 1 May" is part of a date.
    """
    if case.facts is None or case.relevance is None:
        return RuleResult(0, 0, "no request to compare with")
    best = max(case.relevance.values(), default=0.0)
    things = named(case.facts) if case.readings is None else case.facts.named
    if not things and best < NEED:
        return RuleResult(0, 0, "the request names nothing that a tool would need")
    fits = {step.id: _fit(step, case.relevance, best) for step in case.calls if case.knows(step)}
    if things:
        said = [(fits.get(step.id, 0.0), _said(step)) for step in case.calls]
        shares = [_share(thing, said) for thing in things]
    else:
        shares = [max(fits.values(), default=0.0)]
    share = sum(shares) / len(shares)
    taken = sum(part > 0 for part in shares)
    what = f"{taken} of {len(things)} named things taken up" if things else "tools"
    return RuleResult(
        round(40 * share - 20, 2), taken, f"{what}, fitting the request by {share:.0%}"
    )


def needless_effects(case: Case) -> RuleResult:
    """-10 for each step that changes something and uses nothing that the request names."""
    if case.facts is None:
        return RuleResult(0, 0, "no request to compare with")
    things = named(case.facts)
    needless = [
        step.id
        for step in case.calls
        if case.effects(step) & LASTING and not any(holds(step, thing) for thing in things)
    ]
    if needless:
        where = ", ".join(map(str, needless))
        return RuleResult(-10 * len(needless), len(needless), f"step {where} was not asked for")
    return RuleResult(0, 0, "every change was asked for")


def repetition(case: Case) -> RuleResult:
    """-10 for each step that repeats an earlier one exactly."""
    seen: set[str] = set()
    again = []
    for step in case.calls:
        key = _call_text(step)
        if key in seen:
            again.append(step.id)
        seen.add(key)
    if again:
        return RuleResult(
            -10 * len(again), len(again), f"step {', '.join(map(str, again))} repeats"
        )
    return RuleResult(0, 0, "no step repeats another")


def grounding(case: Case) -> RuleResult:
    """-5 for each argument value found neither in request nor tool, for tools without examples.

    A tool's examples show values that the request need not have, such as an option of a command;
    for a tool without examples, any other value is made up. The readings of a question about a
    table take their values from the table, and have rules of their own.
    """
    if case.facts is None:
        return RuleResult(0, 0, "no request to compare with")
    if case.readings is not None:
        return RuleResult(0, 0, "every value is in the request or in the table")
    made_up = [
        f"{name} of step {step.id}"
        for step in case.calls
        if step.tool in case.tools and not case.tools[step.tool].examples
        for name in unsaid(step.args, parameters_of(case.tools[step.tool]), case.facts.request)
    ]
    if made_up:
        return RuleResult(
            -5 * len(made_up), len(made_up), f"not in the request: {', '.join(made_up)}"
        )
    return RuleResult(0, 0, "every value is in the request or in the tool")


def agreement(case: Case) -> RuleResult:
    """Up to +5 by the share of the other candidates that agree, argument by argument."""
    if not case.peers:
        return RuleResult(0, 0, "no other candidate to compare with")
    theirs = [[step for step in peer.steps if not step.is_final] for peer in case.peers]
    said = [_votes(place, step, theirs) for place, step in enumerate(case.calls)]
    if not said:
        alike = sum(all(step.is_final for step in peer.steps) for peer in case.peers)
        said = [alike / len(case.peers)]
    share = sum(said) / len(said)
    return RuleResult(round(5 * share, 2), len(case.peers), f"the others agree by {share:.0%}")


def losses(case: Case) -> RuleResult:
    """-100 and -1 per budgeted step for each file lost that the request does not ask to change.

    That is more than all other rules together can give.
    """
    if case.losses is None or case.facts is None:
        return RuleResult(0, 0, "what lies in the folder is not known")
    unasked = unasked_losses(case.losses, case.facts.request)
    if not unasked:
        return RuleResult(0, 0, "no file is lost that was to be kept")
    points = -(100 + case.settings.planner_max_plan_steps) * len(unasked)
    return RuleResult(points, len(unasked), reason_of(unasked))


def trifecta(case: Case) -> RuleResult:
    """-5 for each step that can send out private data once untrusted content was met.

    What an undeclared tool may do counts as nothing here: the form and the rules of a policy take
    it for the worst, and a person decides.
    """
    met: frozenset[Role] = frozenset()
    sending = []
    for step in case.calls:
        own = roles_of(case.effects(step) - UNDECLARED)
        if is_complete(own, met):
            sending.append(step.id)
        met |= own
    if sending:
        where = ", ".join(map(str, sending))
        reason = f"step {where} can send out private data after untrusted content"
        return RuleResult(-5 * len(sending), len(sending), reason)
    return RuleResult(0, 0, "private data, untrusted content and a way out do not meet")


def _votes(place: int, step: Step, theirs: Sequence[Sequence[Step]]) -> float:
    """Return the share of the peers' calls that agree with a step, by equal arguments, 0 to 1."""
    shares = []
    for calls in theirs:
        other = calls[place] if place < len(calls) else None
        if other is None or other.tool != step.tool:
            shares.append(0.0)
            continue
        names = {*step.args, *other.args}
        same = sum(
            name in step.args and name in other.args and step.args[name] == other.args[name]
            for name in names
        )
        shares.append(same / len(names) if names else 1.0)
    return sum(shares) / len(shares)


def turned_down(case: Case) -> RuleResult:
    """-40 for a plan with the same calls as one that the user rejected."""
    calls = [_call_text(step) for step in case.calls]
    for plan in case.turned_down:
        if calls == [_call_text(step) for step in plan.steps if not step.is_final]:
            return RuleResult(-40, 1, "the same was turned down before")
    return RuleResult(0, 0, "nothing like it was turned down")


def _call_text(step: Step) -> str:
    """Return tool and arguments as one text, equal for equal calls."""
    return step.tool + json.dumps(dict(step.args), sort_keys=True, default=str)


def named(facts: Facts) -> tuple[str, ...]:
    """Return the values of a request that a plan should use."""
    return (*facts.named, *facts.numbers)


def untaken(plan: Plan, facts: Facts) -> tuple[str, ...]:
    """Return the values that a request names and no step of a plan uses."""
    things = dict.fromkeys(facts.named)
    return tuple(t for t in things if not any(holds(step, t) for step in plan.steps))


def holds(step: Step, thing: str) -> bool:
    """Return whether a step's arguments contain a value as a whole word."""
    return _pattern(thing).search(_said(step)) is not None


def _said(step: Step) -> str:
    """Return the arguments of a step as a text in which values are looked for."""
    return json.dumps(dict(step.args), ensure_ascii=False, default=str)


@lru_cache(maxsize=256)
def _pattern(thing: str) -> re.Pattern[str]:
    """Return the pattern of a value in JSON; cached, as every step is searched for the same few."""
    quoted = json.dumps(thing, ensure_ascii=False)[1:-1]
    return re.compile(rf"(?i)(?<![\w]){re.escape(quoted)}(?![\w])")


def _fit(step: Step, relevance: Mapping[str, float], best: float) -> float:
    """Return a step's fit relative to the best tool's; 1 if no tool fits at all."""
    return relevance.get(step.tool, 0.0) / best if best > 0 else 1.0


def _share(thing: str, said: Sequence[tuple[float, str]]) -> float:
    """Return how well a value is used: the best fit among the texts of steps that contain it."""
    pattern = _pattern(thing)
    return max((fit for fit, text in said if pattern.search(text)), default=0.0)


def _most_for_length(settings: Settings) -> float:
    """Return the points of one call and the answer: the shortest plan that does something."""
    if settings.score_length == "quadratic":
        return -settings.len_penalty_k * 4
    return 18 + settings.planner_max_plan_steps


def best_score(settings: Settings) -> float | None:
    """Return the points of the best plan that a request can have; None if they are not known."""
    rules, weights = PRESETS[settings.score_preset], settings.score_weights
    most = [rule.most(settings) * weights.get(rule.name, 1) for rule in rules if rule.most]
    return sum(most) if len(most) == len(rules) else None


_LENGTH: Final = Rule("P010", "length", length, _most_for_length)
_FINAL_ANSWER: Final = Rule("P020", "final_answer", final_answer, lambda _: 15)
OKSO: Final = (
    _LENGTH,
    _FINAL_ANSWER,
    Rule("P030", "known_tools", okso_known_tools),
    Rule("P040", "arguments", okso_arguments),
    Rule("P050", "side_effects", okso_side_effects),
)
DEFAULT: Final = (
    _LENGTH,
    _FINAL_ANSWER,
    Rule("P031", "known_tools", known_tools, lambda _: 3),
    Rule("P041", "arguments", arguments, lambda _: 0),
    Rule("P051", "side_effects", side_effects, lambda _: 5),
    Rule("P060", "coverage", coverage, lambda _: 20),
    Rule("P070", "needless_effects", needless_effects, lambda _: 0),
    Rule("P080", "repetition", repetition, lambda _: 0),
    Rule("P090", "turned_down", turned_down, lambda _: 0),
    Rule("P100", "grounding", grounding, lambda _: 0),
    Rule("P110", "agreement", agreement, lambda _: 5),
    Rule("P120", "losses", losses, lambda _: 0),
    Rule("P200", "trifecta", trifecta, lambda _: 0),
)
PRESETS: Final[Mapping[str, tuple[Rule, ...]]] = {"default": DEFAULT, "okso": OKSO}
