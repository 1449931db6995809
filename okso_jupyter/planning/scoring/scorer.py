"""Scorer: applies every rule of the preset to a plan and sums the weighted points."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from okso_jupyter.errors import PlanError, SettingError
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import Finding, Scorecard
from okso_jupyter.planning.examples.index import index_of
from okso_jupyter.planning.request.facts import Facts, gather
from okso_jupyter.planning.request.permission import Losses
from okso_jupyter.planning.sampling.steps_in_text import with_input
from okso_jupyter.planning.scoring.query_rules import QUERY_RULES, Readings
from okso_jupyter.planning.scoring.rules import PRESETS, Case, Rule
from okso_jupyter.planning.table_questions.query_tool import CALCULATOR, TABLE_TOOL
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.catalog import ToolCatalog
from okso_jupyter.toolkit.step_expansion import expanded, tools_behind
from okso_jupyter.toolkit.tool import Tool


def score_plan(
    plan: Plan | Mapping[str, Any] | list[Any],
    tools: Iterable[Tool] | Mapping[str, Tool],
    settings: Settings | Mapping[str, object] | None = None,
    *,
    request: str | None = None,
    peers: Sequence[Plan] = (),
) -> Scorecard:
    """Score one plan by every rule of the preset.

    Pure: the same plan, tools, settings and request always give the same scorecard, and nothing
    is run, fetched or written.

    Args:
        plan: A plan, or its JSON data.
        tools: The tools that the plan may use; `final_answer` need not be among them.
        settings: Settings, or a mapping of their names in capitals; default settings if omitted.
        request: The request, for rules that compare with it; the plan's own if omitted.
        peers: The other candidates, for the agreement rule.

    Returns:
        One finding per rule, in points. A rule that lacks its input gives 0 and says so.

    Raises:
        SettingError: SCORE_WEIGHTS names an unknown rule.
        PlanError: The data is not a valid plan.

    Source:
        Preset "okso": okso's `score_planner_candidate`, with budget or quadratic length.
    """
    plan = plan if isinstance(plan, Plan) else Plan.from_dict(plan)
    checked = settings if isinstance(settings, Settings) else Settings.of(settings or {})
    catalog = tools if isinstance(tools, Mapping) else ToolCatalog(tools)
    with suppress(PlanError):  # a workflow that cannot be expanded is scored as it is
        plan = expanded(plan, catalog)
    return score_all([plan], catalog, checked, request or plan.request, peers=peers)[0]


def score_all(  # noqa: PLR0913  what a plan is judged by
    plans: Sequence[Plan],
    tools: Mapping[str, Tool],
    settings: Settings,
    request: str,
    turned_down: Sequence[Plan] = (),
    *,
    peers: Sequence[Plan] | None = None,
) -> list[Scorecard]:
    """Return the scorecards of several plans for one request (see `score_plan`).

    Args:
        plans: The plans.
        tools: The tools by name.
        settings: The settings.
        request: The request.
        turned_down: Plans for it that the user rejected.
        peers: The plans each is compared with; the others of `plans` if omitted.
    """
    return scorer(tools, settings, request, turned_down)(plans, peers=peers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorer:
    """Scores plans for one request, which is parsed only once.

    Attributes:
        rules: The rules.
        tools: The tools by name.
        settings: The settings.
        facts: What the request names, or None if there is no request.
        relevance: How well each tool fits the request, 0 to 1.
        turned_down: Plans for it that the user rejected.
        readings: The fitted points of the readings of a question about a table.
    """

    rules: tuple[Rule, ...]
    tools: Mapping[str, Tool]
    settings: Settings
    facts: Facts | None
    relevance: Mapping[str, float] | None
    turned_down: tuple[Plan, ...]
    readings: Readings | None = None

    def __call__(
        self,
        plans: Sequence[Plan],
        *,
        peers: Sequence[Plan] | None = None,
        losses: Sequence[Losses | None] = (),
    ) -> list[Scorecard]:
        """Return the scorecards of plans.

        Args:
            plans: The plans.
            peers: The plans each is compared with; the others of `plans` if omitted. Readings are
                compared with none: they differ on purpose.
            losses: The file losses of each plan; None, or omitted, if unknown.
        """
        if self.readings:
            peers = ()
        return [
            self._judge(plan, tuple(_others(place, plans) if peers is None else peers), lost)
            for place, (plan, lost) in enumerate(zip_longest(plans, losses[: len(plans)]))
        ]

    def _judge(self, plan: Plan, peers: tuple[Plan, ...], losses: Losses | None) -> Scorecard:
        case = Case(
            _spelled(plan, self.tools),
            self.tools,
            self.settings,
            self.facts,
            self.relevance,
            self.turned_down,
            peers,
            losses,
            self.readings,
        )
        return _judge(case, self.rules, self.settings.score_weights)


def scorer(
    tools: Mapping[str, Tool],
    settings: Settings,
    request: str,
    turned_down: Sequence[Plan] = (),
    readings: Readings | None = None,
) -> Scorer:
    """Return the scorer of plans for a request (arguments as for `score_all`).

    Args:
        tools: The tools by name.
        settings: The settings.
        request: The request.
        turned_down: Plans for it that the user rejected.
        readings: The fitted points of the readings of a question about a table; its rules apply
            only where there are some.

    Raises:
        SettingError: SCORE_WEIGHTS names an unknown rule.
    """
    from okso_jupyter.planning.calculations.calculation_asked import calculation_asked  # noqa: PLC0415  see `Environment`

    check_weights(settings)
    rules = PRESETS[settings.score_preset]
    if readings:
        rules = (*rules, *QUERY_RULES)
    facts = gather(request, None) if request else None
    relevance = _of_calls(index_of(tools).rank(facts), tools) if facts else None
    if readings and relevance is not None:
        relevance[TABLE_TOOL] = 1.0
    if relevance is not None and CALCULATOR in tools and calculation_asked(request):
        relevance[CALCULATOR] = 1.0
    return Scorer(
        rules=rules,
        tools=tools,
        settings=settings,
        facts=facts,
        relevance=relevance,
        turned_down=tuple(turned_down),
        readings=readings,
    )


def _others(place: int, plans: Sequence[Plan]) -> list[Plan]:
    return [*plans[:place], *plans[place + 1 :]]


def _of_calls(fits: Mapping[str, float], tools: Mapping[str, Tool]) -> dict[str, float]:
    """Return the fit of the tools that are called: a workflow's fit also counts for its tools."""
    found: dict[str, float] = {}
    for name, fit in fits.items():
        for called in tools_behind(tools[name]):
            found[called] = max(fit, found.get(called, 0.0))
    return found


def _spelled(plan: Plan, tools: Mapping[str, Tool]) -> Plan:
    """Return a plan with okso's older names of a tool's only text argument replaced."""
    return plan.with_steps(
        replace(step, args=with_input(step.args))
        if step.tool in tools and set(tools[step.tool].properties) == {"input"}
        else step
        for step in plan.steps
    )


def _judge(case: Case, rules: Sequence[Rule], weights: Mapping[str, float]) -> Scorecard:
    verdicts = [(rule, rule.judge(case)) for rule in rules]
    findings = [
        Finding(
            code=rule.code,
            rule=rule.name,
            count=verdict.count,
            weight=1.0,
            points=verdict.points,
            reason=verdict.reason,
            raw_points=float(verdict.points),
        )
        for rule, verdict in verdicts
    ]
    return Scorecard.of(findings, _tie_breaker(case)).weighed(weights)


def _tie_breaker(case: Case) -> float:
    """Return the value that ranks plans of equal score: higher for a shorter plan."""
    steps = len(case.plan.steps)
    if case.settings.score_length == "quadratic":
        return -steps
    return case.settings.planner_max_plan_steps - steps


def check_weights(settings: Settings) -> None:
    """Raise SettingError if SCORE_WEIGHTS names a rule that SCORE_PRESET does not have."""
    _check_weights((*PRESETS[settings.score_preset], *QUERY_RULES), settings.score_weights)


def _check_weights(rules: Sequence[Rule], weights: Mapping[str, float]) -> None:
    known = [rule.name for rule in rules]
    for name in weights:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            of_rules = f"the rules are {', '.join(known)}"
            msg = f"SCORE_WEIGHTS names {name!r}, which is not a scoring rule"
            hint = f"did you mean {near[0]}? {of_rules}" if near else of_rules
            raise SettingError(msg, hint=hint)
