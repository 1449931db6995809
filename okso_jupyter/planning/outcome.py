"""Planning: what one planning call came to, and what a person said to an earlier one."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from okso_jupyter.audit.auditable import Auditable
from okso_jupyter.audit.scoreboard import Scoreboard, ScorePlan
from okso_jupyter.kernel import interrupt
from okso_jupyter.legible import visible
from okso_jupyter.plan.plan import Plan, outline
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
    """What one planning call came to.

    Attributes:
        request: The request, feedback left out.
        sampled: The usable candidates in the order of sampling.
        unusable: The others, and why.
        ranked: Every tool, the best fitting one first.
        chosen: The winner.
        seed: Seed of the first candidate.
        run_id: The run that the journal keeps it under; empty outside a session.
        left_out: In words, what had to be left out of the prompt for it to fit.
        notebook_variables: What goes from the notebook into Python, and what comes back.
        grown: The tree that the candidates were found in; None where they were sampled.
        background: What was known before sampling: the kind of request, and what the web says.
        how: In words, how the plan was made where no model was sampled; empty where one was.
        cut_short: In words, what there was no time for; empty where there was enough.
        reply: The answer to a request that needs no plan, or that no plan can do; else empty.
        remark: Why the request is too simple or too complex for the mode, if it is.
        wanted: How many candidates were to be drawn at most; 0 where no model was sampled.
        stopped: In words, why fewer were drawn; empty where all were.
        judge: Scores changed plans as the candidates were scored; None where no model was asked.
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

    def __repr__(self) -> str:
        """Return the plan as numbered lines, and how it was chosen."""
        return visible(f"{outline(self.plan)}\n({self.note})")

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Show the plan as a drawing, and the tables below it."""
        del include, exclude
        from okso_jupyter.frames.frame import most_rows  # noqa: PLC0415  pandas is slow
        from okso_jupyter.views.mimebundles import planning_mimebundle  # noqa: PLC0415

        tables = {"Candidates": self.candidates, "Tools by fit": self.ranking, "Tree": self.tree}
        return planning_mimebundle(self.plan, repr(self), tables, most_rows=most_rows())

    @property
    def _drawing(self) -> str:
        """In words, what about the drawing of candidates the reader of a table has to know."""
        return "; ".join(filter(None, (self.stopped, self.doubt)))

    @property
    def note(self) -> str:
        """In words, how the plan was chosen, what the model was not told, and had no time for."""
        chosen = self.chosen
        drawn = f"candidate {chosen.index} of {len(self.sampled)}"
        lacking = f"the prompt was too long and lacks {', '.join(self.left_out)}"
        parts = (
            f"{self.how or drawn}, {chosen.scorecard.score:g} points",
            self.stopped,
            "" if self.intent.source == "off" else f"intent: {self.intent}",
            self.remark,
            self.background.web.note,
            lacking if self.left_out else "",
            self.cut_short,
        )
        return "; ".join(filter(None, parts))

    @property
    def doubt(self) -> str:
        """In words, why no policy may approve the plan; empty where one may."""
        return self.chosen.doubt

    @property
    def intent(self) -> Intent:
        """What kind of request it is."""
        return self.background.intent

    @property
    def search_terms(self) -> tuple[str, ...]:
        """What the web was to be searched for before planning; nothing where it was not."""
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
        """The tools as a table, the best fitting one first."""
        from okso_jupyter.frames.candidates import ranking_frame  # noqa: PLC0415  pandas is slow

        return ranking_frame([asdict(ranked) for ranked in self.ranked])

    @property
    def tree(self) -> pd.DataFrame:
        """The nodes of the tree of plans as a table; none where candidates were sampled."""
        from okso_jupyter.frames.tree_tables import tree_frame  # noqa: PLC0415  pandas is slow

        return tree_frame(self.grown.nodes if self.grown else ())


@dataclass(frozen=True, slots=True)
class RejectedPlan:
    """A plan that a person did not want, and what they want to be different."""

    plan: Plan
    feedback: str
