"""Run: the result of `%%okso`, read from the journal alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from okso_jupyter import tools as builtin_tools
from okso_jupyter.audit.auditable import Auditable
from okso_jupyter.audit.scoreboard import Scoreboard
from okso_jupyter.errors import JournalError, UsageError
from okso_jupyter.journal.endings import Ending, how_to_answer
from okso_jupyter.journal.events import (
    AnswerGiven,
    CallStarted,
    CompletionMade,
    DecisionMade,
    ModelUsed,
    ObservationMade,
    OutputTaken,
    PlanMade,
    RuleMatched,
    RunStarted,
    SpanEnded,
    ToolsRanked,
    TreeGrown,
)
from okso_jupyter.journal.older_records import with_current_meaning
from okso_jupyter.journal.overview import ANSWERED
from okso_jupyter.journal.store import Journal, Record
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.plan_tree import PlanTree
from okso_jupyter.plan.records import Candidate, Observation
from okso_jupyter.plan.revision import Revision
from okso_jupyter.plan.states import RunState, StepState
from okso_jupyter.planning.scoring.rescore import rescored
from okso_jupyter.sandbox.artifacts import read_picture
from okso_jupyter.tables.query import Query
from okso_jupyter.telemetry.atif import to_atif
from okso_jupyter.telemetry.otlp_json import to_otlp
from okso_jupyter.telemetry.trace_builder import trace_of
from okso_jupyter.toolkit.catalog import from_entry_points, from_package
from okso_jupyter.toolkit.notebook_variables import taken_back
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.undo.change_history import read_change_history
from okso_jupyter.undo.undoable import Undoable
from okso_jupyter.views import report as report_view
from okso_jupyter.views import run_history as history_view
from okso_jupyter.views.shown_text import ShownText

if TYPE_CHECKING:
    import pandas as pd

    from okso_jupyter.views.drawing import Drawing


#: Tools whose results name pictures; no other tool can have a file shown.
_DRAWING_TOOLS: Final = frozenset({"python_repl", "table_query"})
_HISTORIES: Final = ("json", "pretty")


@dataclass
class Run(Auditable, Undoable, Ending):
    """One request and its results.

    Attributes:
        id: Its id in the journal.
        records: All journal records of the run, in order; `undo` and `redo` append to it.
        home: Folder of the journal.
        tools: The catalogue of the session that read it, for rescoring.
        is_brief: Whether a notebook shows only the answer and the changed files.
    """

    id: str
    records: tuple[Record, ...]
    home: Path
    tools: Mapping[str, Tool] = field(default_factory=dict, repr=False, compare=False)
    is_brief: bool = field(default=False, repr=False, compare=False)

    @property
    def request(self) -> str:
        """The request in plain words."""
        return self.beginning.request if self.beginning is not None else ""

    @property
    def answer(self) -> str | None:
        """The answer, or for a dry run what would run; None if the run did not complete."""
        answer = self._last(AnswerGiven)
        return answer.text if answer is not None and self.state in ANSWERED else None

    @cached_property
    def plan(self) -> Plan | None:
        """The latest version of the plan; None if none was made."""
        made = self._last(PlanMade)
        if made is not None:
            return Plan.from_dict(made.plan)
        return self.chosen.plan if self.chosen else None

    @property
    def doubt(self) -> str:
        """Why no policy may decide about `plan`, in words; empty if one may."""
        made = self._last(PlanMade)
        known = self.chosen if made is None else made
        return known.doubt if known is not None else ""

    @property
    def chosen(self) -> Candidate | None:
        """The candidate that the latest planning call chose."""
        chosen = self.view.planning.chosen
        if chosen is None:
            return None
        return next((c for c in self.sampled if c.index == chosen.index), None)

    @property
    def data(self) -> Mapping[str, Any]:
        """The variables passed from the notebook to Python, and those to be taken back."""
        return dict(self.beginning.data) if self.beginning is not None else {}

    @property
    def started(self) -> Mapping[str, Any]:
        """The run's initial state: folder, settings, tools, versions."""
        return self.beginning.to_json() if self.beginning is not None else {}

    @property
    def beginning(self) -> RunStarted | None:
        """The run's `run_started` event; None if the journal lacks it."""
        return self.view.started

    @cached_property
    def revisions(self) -> tuple[Revision, ...]:
        """Every version of the plan that was shown, paired with the one before it."""
        return self.view.versions.revisions

    def plan_history(self) -> pd.DataFrame:
        """Return how each step changed in every version of the plan, and why.

        `change` is "kept", "changed" (in `fields`), "dropped" or "added"; `cause` is "planned" for
        the first version, else "edit", "candidate", "feedback", "failure", "in_a_row",
        "divergence" or "validation".
        """
        from okso_jupyter.frames.plan_history import history_frame  # noqa: PLC0415  pandas is slow

        return history_frame(self.revisions)

    @property
    def model(self) -> Mapping[str, Any]:
        """The model that planned: spec, name, hash, build."""
        used = self._last(ModelUsed)
        return used.to_json() if used is not None else {}

    @property
    def decisions(self) -> list[Mapping[str, Any]]:
        """Every decision about the plan: who, what, when, why."""
        made = ((r.event, r.at) for r in self.records if r.kind == DecisionMade.kind)
        return [{**event.to_json(), "at": at} for event, at in made]

    @cached_property
    def sampled(self) -> tuple[Candidate, ...]:
        """The candidates of the latest planning call that gave any."""
        return tuple(scored.candidate for scored in self.view.planning.scored)

    @cached_property
    def rules_matched(self) -> tuple[RuleMatched, ...]:
        """Every time that a rule of a policy file decided about a step or a call."""
        return tuple(self._events(RuleMatched))

    @property
    def rules(self) -> pd.DataFrame:
        """One row each time that a rule of a policy file decided about a step or a call."""
        from okso_jupyter.frames.rule_tables import rules_used_frame  # noqa: PLC0415  pandas is slow

        uses = [(use.step_id, use.tool, use.when, use.matched) for use in self.rules_matched]
        return rules_used_frame(uses)

    def _contest(self) -> Scoreboard:
        """Return the candidates, for `why_not`, `rescore` and `what_if`."""
        return rescored(self.sampled, self.view, self.tools)

    @cached_property
    def steps_seen(self) -> tuple[Observation, ...]:
        """The observations, as dataclasses."""
        return tuple(event.observation for event in self._events(ObservationMade))

    @property
    def validation(self) -> Mapping[str, Any]:
        """The verdict on the answer: satisfied, reasoning, by; empty if it was not checked.

        An answer that replaced a rejected one is not checked again.
        """
        verdict = self.view.verdict
        return verdict.to_json() if verdict is not None else {}

    @cached_property
    def outputs(self) -> Mapping[str, Any]:
        """The variables that were taken back, of Python or of a query, by name.

        Raises:
            JournalError: A value is missing from the run's folder, or was changed there.
        """
        return {
            taken.name: taken_back(taken.name, taken.file, taken.about["sha256"])
            for taken in self._events(OutputTaken)
            if taken.file is not None and taken.about is not None
        }

    @property
    def missing_outputs(self) -> Mapping[str, str]:
        """The variables that could not be taken back, and why."""
        return {taken.name: taken.error for taken in self._events(OutputTaken) if taken.error}

    @cached_property
    def table(self) -> pd.DataFrame | None:
        """The table that the latest step with one gave, with numbers and dates; None if none did.

        A query gives at most 10,000 rows; `table.attrs["note"]` says if there were more.
        """
        from okso_jupyter.frames.result_table import latest_table  # noqa: PLC0415  pandas is slow

        return latest_table(self.steps_seen)

    @property
    def value(self) -> Any:  # noqa: ANN401  whatever a cell of a table holds
        """The only cell of `table`, the result of a calculation, or what a tool returned.

        None if there is none of them: a text is `answer`.
        """
        from okso_jupyter.frames.result_table import latest_value  # noqa: PLC0415  pandas is slow

        return latest_value(self.steps_seen)

    def code(self, style: Literal["pandas", "sql"] = "pandas") -> str:
        """Return the latest query of a table as code that gives the same table without okso.

        Args:
            style: "pandas", or "sql" for DuckDB's SQL.

        Raises:
            UsageError: The run asked no table, the style is unknown, or there is no such code.
        """
        from okso_jupyter.tables.query_code import CODE, NoCodeError, read_in  # noqa: PLC0415  loads ibis

        if style not in CODE:
            msg = f"there is no style {style!r} of code"
            raise UsageError(msg, hint=f"the styles are {', '.join(CODE)}")
        queries = (o for o in self.steps_seen if o.call.tool == "table_query")
        asked = [(o.call.args, read) for o in queries if (read := read_in(o.raw))]
        if not asked:
            msg = f"run {self.id} has no answered question about a table"
            raise UsageError(msg, hint="%okso runs lists the runs")
        args, read = asked[-1]
        try:
            return CODE[style](Query.from_json(args), read)
        except NoCodeError as error:
            raise UsageError(str(error)) from error

    @property
    def pictures(self) -> tuple[Path, ...]:
        """The images that Python and queries drew, as stored in the run's folder."""
        made = (seen.raw for seen in self.steps_seen if seen.call.tool in _DRAWING_TOOLS)
        return tuple(
            Path(path)
            for raw in made
            if isinstance(raw, Mapping)
            for path in raw.get("artifacts", ())
        )

    @property
    def prompt(self) -> str:
        """The prompt of the latest planning call as the model read it; empty if none was asked."""
        asked = (made for made in self._events(CompletionMade) if made.role == "planner")
        prompts = [made.prompt for made in asked if not made.step_id]
        return prompts[-1] if prompts else ""

    @property
    def likelihoods(self) -> pd.DataFrame:
        """How probable the model finds each candidate of the latest planning call, in their order.

        `log_likelihood` is that of all its tokens at temperature 1, among what the schema allows;
        missing where no model of this process wrote it.
        """
        from okso_jupyter.frames.journal_tables import likelihoods_frame  # noqa: PLC0415  pandas is slow

        asked = [made for made in self._events(CompletionMade) if made.role == "planner"]
        known = {(made.seed, made.text): made.log_likelihood for made in asked}
        index = self.chosen.index if self.chosen else None
        return likelihoods_frame(
            [
                {
                    "candidate": one.index,
                    "chosen": one.index == index,
                    "score": one.scorecard.score,
                    "log_likelihood": known.get((one.seed, one.response)),
                    "output_tokens": one.output_tokens,
                }
                for one in self.sampled
            ]
        )

    @property
    def candidates(self) -> pd.DataFrame:
        """The candidates of the latest planning call, one column per scoring rule."""
        from okso_jupyter.frames.candidates import candidates_frame  # noqa: PLC0415  pandas is slow

        chosen = self.view.planning.chosen
        if chosen is None:
            return candidates_frame(self.sampled, None)
        note = "; ".join(filter(None, (chosen.stopped, chosen.doubt)))
        return candidates_frame(self.sampled, chosen.index, note=note)

    @property
    def ranking(self) -> pd.DataFrame:
        """The tools of the latest planning call, best fit first."""
        from okso_jupyter.frames.candidates import ranking_frame  # noqa: PLC0415  pandas is slow

        ranked = self._last(ToolsRanked)
        return ranking_frame(ranked.tools if ranked is not None else ())

    @cached_property
    def trees(self) -> tuple[PlanTree, ...]:
        """The run's plan trees, one per planning call; empty if it only sampled plans."""
        return tuple(event.tree for event in self._events(TreeGrown))

    @property
    def tree(self) -> pd.DataFrame:
        """The nodes of the latest plan tree, parents before their children."""
        from okso_jupyter.frames.tree_tables import tree_frame  # noqa: PLC0415  pandas is slow

        return tree_frame(self.trees[-1].nodes if self.trees else ())

    @property
    def tree_stats(self) -> pd.DataFrame:
        """One row per plan tree: nodes, depth, calls of the model, tokens, seconds."""
        from okso_jupyter.frames.tree_tables import tree_stats_frame  # noqa: PLC0415  pandas is slow

        return tree_stats_frame(self.trees)

    @property
    def observations(self) -> pd.DataFrame:
        """One row per attempt at a step."""
        from okso_jupyter.frames.run_tables import observations_frame  # noqa: PLC0415  pandas is slow

        places = {
            use.step_id: f"{use.matched.decision} {use.matched.place}" for use in self.rules_matched
        }
        return observations_frame(self.steps_seen, places)

    @property
    def trace(self) -> pd.DataFrame:
        """One row per span."""
        from okso_jupyter.frames.run_tables import trace_frame  # noqa: PLC0415  pandas is slow

        return trace_frame(self._spans())

    @property
    def ledger(self) -> pd.DataFrame:
        """One row per step: calls, files, commands, effects, time, tokens."""
        from okso_jupyter.frames.run_tables import ledger_frame  # noqa: PLC0415  pandas is slow

        effects = {
            (started.step_id, started.attempt): started.effects
            for started in self._events(CallStarted)
        }
        return ledger_frame(self.steps_seen, self.tokens, effects)

    @cached_property
    def tokens(self) -> dict[int, int]:
        """Tokens that a model wrote for each step, by step id."""
        counts: dict[int, int] = {}
        for made in self._events(CompletionMade):
            if made.step_id:
                counts[made.step_id] = counts.get(made.step_id, 0) + made.output_tokens
        return counts

    def _spans(self) -> list[Mapping[str, Any]]:
        """Return the fields of each span, for the table and the timeline."""
        return [span.to_json() for span in self._events(SpanEnded)]

    def report(self) -> str:
        """Return the plan and its outcome as text, one line per step, with notes."""
        return ShownText(
            report_view.report(
                self.plan,
                self.state,
                self.steps_seen,
                self.tokens,
                older=self.view.versions.superseded,
                begun=self._now_in(StepState.RUNNING),
                notes=[*read_change_history(self.view).notes(), *self._goes_on()],
            )
        )

    @property
    def way_on(self) -> str:
        """How to resume a run that was paused or failed; empty if it cannot be resumed."""
        if self.state not in {RunState.PAUSED, RunState.FAILED} or not self.is_open:
            return ""
        if self._own_tools:
            return with_own_tools(self.id, self._own_tools)
        uncertain = self._now_in(StepState.UNCERTAIN)
        how = f"; {how_to_answer(self.id, min(uncertain))}" if uncertain else ""
        return f"%okso resume {self.id} resumes it{how}"

    @property
    def _own_tools(self) -> set[str]:
        """The tools of the plan that a program gave, so that `%okso resume` does not have them."""
        return set(self.plan.tools if self.plan else ()) - _standing_tools()

    @property
    def is_resumable_here(self) -> bool:
        """Whether the run is paused, and `%okso resume` alone resumes it."""
        return self.state == RunState.PAUSED and self.is_open and not self._own_tools

    def _goes_on(self) -> list[str]:
        """Return how to resume the run, in a list that is empty if it cannot be resumed."""
        return [self.way_on] if self.way_on else []

    def _now_in(self, wanted: StepState) -> set[int]:
        """Return the ids of the steps that are now in a state."""
        states = self.view.steps.progress.states
        return {step_id for step_id, state in states.items() if state is wanted}

    def history(self, style: Literal["json", "pretty"] = "json") -> str:
        """Return every attempt with its result, as text.

        Args:
            style: "json" is an array with one attempt on each line, "pretty" is a bullet list.

        Raises:
            UsageError: The style is unknown.
        """
        if style not in _HISTORIES:
            msg = f"there is no style {style!r} of a history"
            raise UsageError(msg, hint=f"the styles are {', '.join(_HISTORIES)}")
        if style == "pretty":
            return ShownText(history_view.pretty(self.steps_seen))
        plans = [*self.view.versions.superseded, *([self.plan] if self.plan else [])]
        steps = {step.id: step for plan in plans for step in plan.steps}
        return ShownText(history_view.as_json(self.steps_seen, steps))

    def timeline(self, *, most_spans: int = 60) -> Drawing:
        """Return the spans of the run as a drawing that omits times in which nothing ran.

        Args:
            most_spans: Maximum number of spans shown: outer ones first, then the longest.
        """
        from okso_jupyter.views.timeline import timeline_drawing  # noqa: PLC0415  as for tables

        return timeline_drawing(self._spans(), most_spans=most_spans)

    def graph(self) -> Drawing:
        """Return the latest version of the plan as a drawing, with the state of every step."""
        from okso_jupyter.views.graph_drawing import plan_drawing  # noqa: PLC0415  as for tables

        until = datetime.fromisoformat(self.records[-1].at)
        return plan_drawing(self.plan or Plan(steps=()), self.view.live, now=until)

    def export(self) -> str:
        """Return every record as JSON lines."""
        return ShownText("\n".join(json.dumps(asdict(r), ensure_ascii=False) for r in self.records))

    def to_otlp(self, *, content: bool = True) -> dict[str, Any]:
        """Return the run's spans as a document of OpenTelemetry's protocol in JSON.

        Args:
            content: Whether texts of people, models and tools are in it.
        """
        return to_otlp(trace_of(self.id, self.records, content=content))

    def to_atif(self) -> dict[str, Any]:
        """Return the run as a trajectory in the Agent Trajectory Interchange Format."""
        return to_atif(self.id, self.records)

    def _title_of(self, evidence: Sequence[Observation]) -> str:
        """Return what the one call that gave the answer does; empty for several calls."""
        from okso_jupyter.views.call_sentence import call_sentence  # noqa: PLC0415  as for tables

        steps = {step.id: step for step in self.plan.steps} if self.plan else {}
        step = steps.get(evidence[0].call.step_id) if len(evidence) == 1 else None
        return (step.title or call_sentence(evidence[0].done(step))) if step else ""

    def __repr__(self) -> str:
        return f"<Run {self.id}: {self.state}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return the run as HTML, Markdown and text; the front end picks the one it supports."""
        del include, exclude
        from okso_jupyter.frames.frame import most_rows  # noqa: PLC0415  pandas is slow
        from okso_jupyter.frames.result_table import answer_table  # noqa: PLC0415
        from okso_jupyter.views.answer_head import (  # noqa: PLC0415
            evidence_for,
            head_of,
            is_markdown_file,
        )
        from okso_jupyter.views.run_html import RunPage, is_worded, outputs_words  # noqa: PLC0415

        outputs = (taken.to_json() for taken in self._events(OutputTaken))
        words = outputs_words(self.pictures, outputs)
        written = (made.text for made in self._events(CompletionMade))
        evidence = evidence_for(self.answer, self.steps_seen)
        page = RunPage(
            answer=self.answer,
            state=self.state,
            head=head_of(self.answer, evidence, self._title_of(evidence)),
            table=answer_table(self.answer, evidence),
            evidence=evidence,
            doubt="" if self.validation.get("satisfied", True) else self.validation["reasoning"],
            failure=self.failure,
            way_on=self.way_on,
            resume=self.id if self.is_resumable_here else "",
            report="\n".join([self.report(), *words]),
            is_markdown=is_worded(self.answer, written, self.steps_seen)
            or is_markdown_file(self.answer, evidence),
            drawings={"Plan as a graph": self.graph(), "Timeline": self.timeline()},
            candidates=self.candidates,
            tables={
                "Observations": self.observations,
                "Tools by fit": self.ranking,
                "Trace": self.trace,
                "Ledger": self.ledger,
            },
            pictures=[(path.name, read_picture(path)) for path in self.pictures],
            most_rows=most_rows(),
            files=self.changes.words,
            undo=self.id if self.is_undoable else "",
            is_brief=self.is_brief,
        )
        return page.faces()


def with_own_tools(run_id: str, names: Iterable[str]) -> str:
    """Return how to resume a run whose plan needs tools that only its session had."""
    needed = ", ".join(sorted(names))
    return f"Session(tools=[...]).resume({run_id!r}) resumes it; it needs the tools {needed}"


@cache
def _standing_tools() -> frozenset[str]:
    """Return the names of the tools of every session: built in, or from installed packages."""
    built_in = from_package(builtin_tools)
    others, _ = from_entry_points({tool.name for tool in built_in})
    return frozenset(tool.name for tool in (*built_in, *others))


def read_run(journal: Journal, run_id: str, tools: Mapping[str, Tool] | None = None) -> Run:
    """Return a run from the journal.

    Args:
        journal: The journal.
        run_id: The run.
        tools: The catalogue, used only for rescoring.

    Raises:
        JournalError: The run does not exist, or the journal cannot be read.
    """
    records = journal.records(run_id)
    if not records:
        msg = f"there is no run {run_id!r} in the journal"
        raise JournalError(msg, hint="%okso runs lists them")
    return Run(
        id=run_id,
        records=with_current_meaning(records),
        home=journal.path.parent,
        tools=tools or {},
    )
