"""Scoring of edited plans, by the same rules as the candidates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from okso_jupyter.approval.request_builder import with_open_slots
from okso_jupyter.errors import SettingError
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import Candidate, Scorecard
from okso_jupyter.planning.outcome import Planning, RejectedPlan
from okso_jupyter.planning.request.facts import gather
from okso_jupyter.planning.scoring.query_rules import recorded_readings
from okso_jupyter.planning.scoring.rules import untaken
from okso_jupyter.planning.scoring.scorer import scorer
from okso_jupyter.planning.table_questions.query_tool import TABLE_TOOL, query_in
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.unused_words import unused_words
from okso_jupyter.results import Run
from okso_jupyter.settings import Settings
from okso_jupyter.tables.query import Query
from okso_jupyter.toolkit.catalog import ToolCatalog


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternatives:
    """The candidates that the shown plan was chosen from.

    Attributes:
        candidates: The candidates, in sampling order.
        chosen: Number of the candidate that is shown; None if the plan is not one of them.
        turned_down: Plans for the same request that a person rejected.
    """

    candidates: tuple[Candidate, ...] = ()
    chosen: int | None = None
    turned_down: tuple[Plan, ...] = ()

    @classmethod
    def of(cls, planning: Planning, turned_down: tuple[RejectedPlan, ...] = ()) -> Alternatives:
        """Return the alternatives of a planning result."""
        return cls(
            candidates=planning.sampled,
            chosen=planning.chosen.index,
            turned_down=tuple(one.plan for one in turned_down),
        )

    @property
    def doubt(self) -> str:
        """Why no policy may approve the shown candidate, in words; empty if one may."""
        return next((one.doubt for one in self.candidates if one.index == self.chosen), "")

    @classmethod
    def recovered(cls, run: Run, plan: Plan, tools: ToolCatalog) -> Alternatives:
        """Return the alternatives that an interrupted run offered when it showed a plan.

        Args:
            run: The run.
            plan: The plan; without a matching candidate there are no alternatives.
            tools: The catalogue.
        """
        for one in run.sampled:
            if with_open_slots(one.plan, tools).steps == plan.steps:
                return cls(candidates=run.sampled, chosen=one.index)
        return cls()


@dataclass(frozen=True, slots=True, kw_only=True)
class EditScorer:
    """Scores plans.

    Attributes:
        settings: The scoring settings.
        tools: The catalogue.
        request: The user's request that plans are scored against; empty if there is none.
        alternatives: The candidates that plans are compared with.
        sample: Returns the beginning of a query's tables; None where there is none.
    """

    settings: Settings
    tools: ToolCatalog
    request: str
    alternatives: Alternatives = field(default_factory=Alternatives)
    sample: Callable[[Query], TableSample | None] = lambda _query: None

    def __call__(self, plan: Plan, candidate: int | None) -> Scorecard | None:
        """Return the scorecard of a plan made from a candidate; None if it cannot be scored."""
        candidates, turned_down = self.alternatives.candidates, self.alternatives.turned_down
        others = [one.plan for one in candidates if one.index != candidate]
        try:
            judge = scorer(
                self.tools, self.settings, self.request, turned_down, recorded_readings(candidates)
            )
        except SettingError:
            return None  # a weight names no rule: planning reports it; a given plan needs no score
        return judge([plan], peers=others)[0]

    def not_taken_up(self, plan: Plan) -> tuple[str, ...]:
        """Return what the request names and no step of a plan uses."""
        if not self.request:
            return ()
        left = untaken(plan, gather(self.request, None))
        return tuple(dict.fromkeys((*left, *self._unused_in_table(plan))))

    def _unused_in_table(self, plan: Plan) -> tuple[str, ...]:
        """Return what a question about one table names and its query does not use."""
        calls = [step for step in plan.steps if not step.is_final]
        if len(calls) != 1 or calls[0].tool != TABLE_TOOL or calls[0].open_args:
            return ()
        query = query_in(calls[0].args)
        table = self.sample(query) if query is not None else None
        return unused_words(self.request, query, table) if query and table else ()


def compared(before: Scorecard | None, after: Scorecard | None) -> tuple[str, ...]:
    """Return the differences between two scorecards, one sentence per rule."""
    if before is None or after is None:
        return ()
    was = {finding.rule: finding.points for finding in before.findings}
    return tuple(
        f"{finding.rule}: {was.get(finding.rule, 0):g} → {finding.points:g} ({finding.reason})"
        for finding in after.findings
        if finding.points != was.get(finding.rule, 0)  # a rule that is newer than the first card
    )
