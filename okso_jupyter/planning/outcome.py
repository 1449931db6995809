"""Result of one planning call, and a plan rejected by the user with feedback."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from okso_jupyter.audit.auditable import Auditable
from okso_jupyter.audit.scoreboard import Scoreboard, ScorePlan
from okso_jupyter.kernel import interrupt
from okso_jupyter.legible import visible
from okso_jupyter.plan.plan import Plan, calls_of, outline
from okso_jupyter.plan.plan_tree import PlanTree
from okso_jupyter.plan.records import Candidate, Scorecard
from okso_jupyter.planning.background import Background
from okso_jupyter.planning.prompt.builder import Ranked
from okso_jupyter.planning.request.intent import Intent
from okso_jupyter.planning.sampling.read_plans import Unusable
from okso_jupyter.toolkit.notebook_variables import NotebookVariables

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Planning(Auditable):
    """The result of one planning call.

    Attributes:
        request: The request, without feedback.
        sampled: The usable candidates in sampling order.
        unusable: The other samples, each with the reason.
        ranked: Every tool, best match first.
        chosen: The winner.
        seed: Seed of the first candidate.
        run_id: Id of the run in the journal; empty outside a session.
        left_out: What was left out of the prompt to make it fit, in words.
        notebook_variables: Variables passed from the notebook to Python, and back.
        grown: The search tree the candidates were found in; None if they were sampled.
        background: What was known before sampling: kind of request and web search results.
        how: How the plan was made if no model was sampled, in words; else empty.
        cut_short: What the time limit cut off, in words; empty if nothing.
        reply: The answer to a request that needs no plan, or that no plan can fulfil; else empty.
        remark: Why the request is too simple or too complex for the mode; else empty.
        wanted: Maximum number of candidates to draw; 0 if no model was sampled.
        stopped: Why fewer were drawn, in words; empty if all were.
        judge: Scores a changed plan by the candidates' rules; None if no model was asked.
        best_score: Points of the best plan that a request can have; None if they are not known.
    """

    request: str
    sampled: tuple[Candidate, ...]
    unusable: tuple[Unusable, ...]
    ranked: tuple[Ranked, ...]
    chosen: Candidate
    seed: int
    run_id: str = ""
    left_out: tuple[str, ...] = ()
    notebook_variables: NotebookVariables = field(default_factory=NotebookVariables)
    grown: PlanTree | None = None
    background: Background = field(default_factory=Background)
    how: str = ""
    cut_short: str = ""
    reply: str = ""
    remark: str = ""
    wanted: int = 0
    stopped: str = ""
    judge: ScorePlan | None = field(default=None, compare=False)
    best_score: float | None = None

    def __repr__(self) -> str:
        """Return the plan as numbered lines and how it was chosen."""
        return visible(f"{outline(self.plan)}\n({self.note})")

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return the plan as a drawing with its tables below."""
        del include, exclude
        from okso_jupyter.frames.frame import most_rows  # noqa: PLC0415  pandas is slow
        from okso_jupyter.views.mimebundles import planning_mimebundle  # noqa: PLC0415

        tables = {"Candidates": self.candidates, "Tools by fit": self.ranking, "Tree": self.tree}
        return planning_mimebundle(self.plan, repr(self), tables, most_rows=most_rows())

    @property
    def _drawing(self) -> str:
        """Note for the table of candidates, in words: why drawing stopped, and any doubt."""
        return "; ".join(filter(None, (self.stopped, self.doubt)))

    @property
    def note(self) -> str:
        """How sure the plan is, how it was chosen and what was left out or cut short, in words."""
        lacking = f"the prompt was too long and lacks {', '.join(self.left_out)}"
        parts = (
            self.verdict,
            f"{self.chosen.scorecard.score:g} points" if self.how else "",
            self.stopped,
            "" if self.intent.source == "off" else f"intent: {self.intent}",
            self.remark,
            self.background.web.note,
            lacking if self.left_out else "",
            self.cut_short,
        )
        return "; ".join(filter(None, parts))

    @property
    def verdict(self) -> str:
        """How sure the plan is, in one clause, such as "3 of 3 agree, 72 of 72 points"."""
        if self.how:
            return self.how
        mine = calls_of(self.plan)
        alike = sum(calls_of(one.plan) == mine for one in self.sampled)
        agree = f"{alike} of {len(self.sampled)} {'agrees' if alike == 1 else 'agree'}"
        score, best = self.chosen.scorecard.score, self.best_score
        if len(self.sampled) == 1:  # no other one can agree
            return f"the only candidate, {score:g} points"
        most = f" of {best:g}" if best is not None and score <= best else ""
        return f"{agree}, {score:g}{most} points"

    @property
    def doubt(self) -> str:
        """Why no policy may approve the plan, in words; empty if one may."""
        return self.chosen.doubt

    @property
    def intent(self) -> Intent:
        """The kind of request."""
        return self.background.intent

    @property
    def search_terms(self) -> tuple[str, ...]:
        """The search terms of the web search before planning; empty if there was none."""
        return self.background.web.terms

    @property
    def plan(self) -> Plan:
        """The winner's plan."""
        return self.chosen.plan

    @property
    def scorecards(self) -> tuple[Scorecard, ...]:
        """The candidates' scorecards, in the order of `sampled`."""
        return tuple(candidate.scorecard for candidate in self.sampled)

    def _contest(self) -> Scoreboard:
        """Return the candidates, for `why_not`, `rescore` and `what_if`."""
        return Scoreboard(
            sampled=self.sampled,
            unusable={sample.index: sample.reason for sample in self.unusable},
            judge=self.judge,
        )

    @property
    def candidates(self) -> pd.DataFrame:
        """The candidates as a table, one column per scoring rule."""
        with interrupt.deferred():
            from okso_jupyter.frames.candidates import candidates_frame  # noqa: PLC0415  pandas is slow

        return candidates_frame(self.sampled, self.chosen.index, note=self._drawing)

    @property
    def ranking(self) -> pd.DataFrame:
        """The tools as a table, best match first."""
        from okso_jupyter.frames.candidates import ranking_frame  # noqa: PLC0415  pandas is slow

        return ranking_frame([asdict(ranked) for ranked in self.ranked])

    @property
    def tree(self) -> pd.DataFrame:
        """The nodes of the search tree as a table; empty if candidates were sampled."""
        from okso_jupyter.frames.tree_tables import tree_frame  # noqa: PLC0415  pandas is slow

        return tree_frame(self.grown.nodes if self.grown else ())


@dataclass(frozen=True, slots=True)
class RejectedPlan:
    """A plan that the user rejected, and what they want changed."""

    plan: Plan
    feedback: str
