"""Scoring what a person makes of a plan: by the rules that the candidates were scored by."""

from __future__ import annotations

from dataclasses import dataclass, field

from okso_jupyter.approval.request_builder import with_open_slots
from okso_jupyter.errors import SettingError
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import Candidate, Scorecard
from okso_jupyter.planning.outcome import Planning, RejectedPlan
from okso_jupyter.planning.scoring.scorer import score_all
from okso_jupyter.results import Run
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.catalog import ToolCatalog


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternatives:
    """What there was to choose from.

    Attributes:
        candidates: The candidates, in the order of sampling.
        chosen: Number of the one that is shown; None where the plan is none of them.
        turned_down: Plans for the same request that a person did not want.
    """

    candidates: tuple[Candidate, ...] = ()
    chosen: int | None = None
    turned_down: tuple[Plan, ...] = ()

    @classmethod
    def of(cls, planning: Planning, turned_down: tuple[RejectedPlan, ...] = ()) -> Alternatives:
        """Return what a planning leaves to choose from."""
        return cls(
            candidates=planning.sampled,
            chosen=planning.chosen.index,
            turned_down=tuple(one.plan for one in turned_down),
        )

    @property
    def doubt(self) -> str:
        """Why no policy may approve the one that is shown, in words; empty where one may."""
        return next((one.doubt for one in self.candidates if one.index == self.chosen), "")

    @classmethod
    def recovered(cls, run: Run, plan: Plan, tools: ToolCatalog) -> Alternatives:
        """Return what there was to choose from when an interrupted run showed a plan.

        Args:
            run: The run.
            plan: The plan; one that is none of the candidates leaves no choice.
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
        settings: How.
        tools: The catalogue.
        request: What they are measured by; empty where there is nothing.
        alternatives: The candidates, which plans are compared with.
    """

    settings: Settings
    tools: ToolCatalog
    request: str
    alternatives: Alternatives = field(default_factory=Alternatives)

    def __call__(self, plan: Plan, candidate: int | None) -> Scorecard | None:
        """Return the verdict on a plan that was made of a candidate; None where there is none."""
        peers = [one.plan for one in self.alternatives.candidates if one.index != candidate]
        turned_down = self.alternatives.turned_down
        try:
            return score_all(
                [plan], self.tools, self.settings, self.request, turned_down, peers=peers
            )[0]
        except SettingError:
            return None  # a weight that no rule has; planning says so, a ready plan needs none


def compared(before: Scorecard | None, after: Scorecard | None) -> tuple[str, ...]:
    """Return what parts two verdicts, a sentence for each rule."""
    if before is None or after is None:
        return ()
    was = {finding.rule: finding.points for finding in before.findings}
    return tuple(
        f"{finding.rule}: {was[finding.rule]:g} → {finding.points:g} ({finding.reason})"
        for finding in after.findings
        if finding.points != was[finding.rule]
    )
