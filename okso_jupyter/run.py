"""Run: what `%%okso` gives back, read from the journal alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from okso_jupyter import tools as builtin_tools
from okso_jupyter.audit.audited import Audited
from okso_jupyter.audit.contest import Contest
from okso_jupyter.errors import JournalError, UsageError
from okso_jupyter.journal.codec import (
    candidate_from_json,
    observation_from_json,
    tree_from_json,
)
from okso_jupyter.journal.ending import Ending, how_to_answer
from okso_jupyter.journal.older import as_meant
from okso_jupyter.journal.overview import ANSWERED
from okso_jupyter.journal.store import Journal, Record
from okso_jupyter.journal.versions import (
    newest_planning,
    revisions_of,
    superseded,
    verdict_on_answer,
)
from okso_jupyter.plan.effects import Effect
from okso_jupyter.plan.live import Live
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import Candidate, Observation
from okso_jupyter.plan.revision import Revision
from okso_jupyter.plan.states import RunState, StepState
from okso_jupyter.plan.tree import PlanTree
from okso_jupyter.planning.judging_again import contest_again
from okso_jupyter.toolkit.catalog import from_entry_points, from_package
from okso_jupyter.toolkit.sandbox.artifacts import read_picture
from okso_jupyter.toolkit.sandbox.parcels import taken_back
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.undo.history import read_history
from okso_jupyter.undo.undoable import Undoable
from okso_jupyter.views import history as history_view
from okso_jupyter.views import report as report_view

if TYPE_CHECKING:
    import pandas as pd

    from okso_jupyter.views.drawing import Drawing


_HISTORIES: Final = {"json": history_view.as_json, "pretty": history_view.pretty}


@dataclass
class Run(Audited, Undoable, Ending):
    """One request with all that came of it.

    Attributes:
        id: Its id in the journal.
        records: Everything the journal holds of it, in order; `undo` and `redo` add to it.
        home: Folder of the journal.
        tools: The catalogue of the session that read it, for scoring again.
        is_brief: Whether a notebook is shown its answer and the files it changed, and no more.
    """

    id: str
    records: tuple[Record, ...]
    home: Path
    tools: Mapping[str, Tool] = field(default_factory=dict, repr=False, compare=False)
    is_brief: bool = field(default=False, repr=False, compare=False)

    def _bodies(self, kind: str) -> list[Mapping[str, Any]]:
        return [record.body for record in self.records if record.kind == kind]

    def _last(self, kind: str) -> Mapping[str, Any]:
        return next(reversed(self._bodies(kind)), {})

    @property
    def request(self) -> str:
        """The request in plain words."""
        return str(self._last("run_started").get("request", ""))

    @property
    def answer(self) -> str | None:
        """The answer, of a dry run what would run; None for a run that did not complete."""
        answer = self._last("answer").get("text")
        return str(answer) if answer is not None and self.state in ANSWERED else None

    @cached_property
    def plan(self) -> Plan | None:
        """The newest version of the plan; None if none was made."""
        body = self._last("plan")
        if body:
            return Plan.from_dict(body["plan"])
        return self.chosen.plan if self.chosen else None

    @property
    def chosen(self) -> Candidate | None:
        """The candidate that the newest planning call chose."""
        index = self._last("selected").get("index")
        return next((c for c in self.sampled if c.index == index), None)

    @property
    def data(self) -> Mapping[str, Any]:
        """What went from the notebook into Python, and what was to come back."""
        return dict(self.started.get("data", {}))

    @property
    def started(self) -> Mapping[str, Any]:
        """What the run began with: folder, settings, tools, versions."""
        return self._last("run_started")

    @cached_property
    def revisions(self) -> tuple[Revision, ...]:
        """Every version of the plan that was shown, beside the one before it."""
        return revisions_of(self.records)

    def plan_history(self) -> pd.DataFrame:
        """Return what became of every step in every version of the plan, and why.

        `change` is "kept", "changed" (in `fields`), "dropped" or "added"; `cause` is "planned" for
        the first version, else "edit", "candidate", "feedback", "failure", "in_a_row",
        "divergence" or "validation".
        """
        from okso_jupyter.frames.history import history_frame  # noqa: PLC0415  pandas is slow

        return history_frame(self.revisions)

    @property
    def model(self) -> Mapping[str, Any]:
        """Which model planned: spec, name, hash, build."""
        return self._last("model")

    @property
    def decisions(self) -> list[Mapping[str, Any]]:
        """Every decision about the plan: who, what, when, why."""
        return [{**r.body, "at": r.at} for r in self.records if r.kind == "decision"]

    @cached_property
    def sampled(self) -> tuple[Candidate, ...]:
        """The candidates of the newest planning call that gave any."""
        return tuple(
            candidate_from_json(record.body)
            for record in newest_planning(self.records)
            if record.kind == "candidate"
        )

    def _contest(self) -> Contest:
        """Return the candidates, for `why_not`, `rescore` and `what_if`."""
        return contest_again(self.sampled, self.records, self.tools)

    @cached_property
    def steps_seen(self) -> tuple[Observation, ...]:
        """The observations as records."""
        return tuple(observation_from_json(body) for body in self._bodies("observation"))

    @property
    def validation(self) -> Mapping[str, Any]:
        """The verdict on the answer: satisfied, reasoning, by; empty where it was not checked.

        An answer that took the place of one that would not do is not checked again.
        """
        return verdict_on_answer(self.records)

    @cached_property
    def outputs(self) -> Mapping[str, Any]:
        """The variables that were taken back from Python, by name.

        Raises:
            JournalError: A value is gone from the run's folder, or is not what was written there.
        """
        return {
            body["name"]: taken_back(body) for body in self._bodies("output") if not body["error"]
        }

    @property
    def missing_outputs(self) -> Mapping[str, str]:
        """The variables that could not be taken back from Python, and why."""
        return {body["name"]: body["error"] for body in self._bodies("output") if body["error"]}

    @property
    def pictures(self) -> tuple[Path, ...]:
        """The pictures that Python made, as kept in the run's folder."""
        made = (seen.raw for seen in self.steps_seen if seen.call.tool == "python_repl")
        return tuple(
            Path(path)
            for raw in made
            if isinstance(raw, Mapping)
            for path in raw.get("artifacts", ())
        )

    @property
    def candidates(self) -> pd.DataFrame:
        """The candidates of the newest planning call, one column per scoring rule."""
        from okso_jupyter.frames.candidates import candidates_frame  # noqa: PLC0415  pandas is slow

        selected = self._last("selected")
        note = "; ".join(filter(None, (selected.get("stopped"), selected.get("doubt"))))
        return candidates_frame(self.sampled, selected.get("index"), note=note)

    @property
    def ranking(self) -> pd.DataFrame:
        """The tools of the newest planning call, the best fitting one first."""
        from okso_jupyter.frames.candidates import ranking_frame  # noqa: PLC0415  pandas is slow

        return ranking_frame(self._last("ranking").get("tools", []))

    @cached_property
    def trees(self) -> tuple[PlanTree, ...]:
        """The trees that were grown for the run, one per planning call; none where it sampled."""
        return tuple(tree_from_json(body) for body in self._bodies("tree"))

    @property
    def tree(self) -> pd.DataFrame:
        """The nodes of the newest tree of plans, parents before their children."""
        from okso_jupyter.frames.tree import tree_frame  # noqa: PLC0415  pandas is slow

        return tree_frame(self.trees[-1].nodes if self.trees else ())

    @property
    def tree_stats(self) -> pd.DataFrame:
        """One row per tree of plans: nodes, depth, calls of the model, tokens, seconds."""
        from okso_jupyter.frames.tree import tree_stats_frame  # noqa: PLC0415  pandas is slow

        return tree_stats_frame(self.trees)

    @property
    def observations(self) -> pd.DataFrame:
        """One row per attempt at a step."""
        from okso_jupyter.frames.runs import observations_frame  # noqa: PLC0415  pandas is slow

        return observations_frame(self.steps_seen)

    @property
    def trace(self) -> pd.DataFrame:
        """One row per span."""
        from okso_jupyter.frames.runs import trace_frame  # noqa: PLC0415  pandas is slow

        return trace_frame(self._bodies("span"))

    @property
    def ledger(self) -> pd.DataFrame:
        """One row per step: calls, files, commands, effects, time, tokens."""
        from okso_jupyter.frames.runs import ledger_frame  # noqa: PLC0415  pandas is slow

        effects = {
            (body["step_id"], body["attempt"]): frozenset(map(Effect, body["effects"]))
            for body in self._bodies("call_started")
        }
        return ledger_frame(self.steps_seen, self.tokens, effects)

    @cached_property
    def tokens(self) -> dict[int, int]:
        """Tokens that a model wrote for each step, by step id."""
        counts: dict[int, int] = {}
        for body in self._bodies("completion"):
            if body.get("step_id") is not None:
                counts[body["step_id"]] = counts.get(body["step_id"], 0) + body["output_tokens"]
        return counts

    def report(self) -> str:
        """Return plan and outcome as text, one line per step, and what is to be known of them."""
        return report_view.report(
            self.plan,
            self.state,
            self.steps_seen,
            self.tokens,
            older=superseded(self.records),
            begun=self._now_in(StepState.RUNNING),
            notes=[*read_history(self.records).notes(), *self._goes_on()],
        )

    @property
    def way_on(self) -> str:
        """How to go on with a run that was paused or failed; empty where it cannot be."""
        if self.state not in {RunState.PAUSED, RunState.FAILED} or not self.is_open:
            return ""
        own = set(self.plan.tools if self.plan else ()) - _standing_tools()
        if own:
            return with_own_tools(self.id, own)
        uncertain = self._now_in(StepState.UNCERTAIN)
        how = f"; {how_to_answer(self.id, min(uncertain))}" if uncertain else ""
        return f"%okso resume {self.id} goes on with it{how}"

    def _goes_on(self) -> list[str]:
        """Return how to go on with the run, if it can be."""
        return [self.way_on] if self.way_on else []

    def _now_in(self, wanted: StepState) -> set[int]:
        """Return the ids of the steps that are in a state, such as those that have not ended."""
        states = {body["step_id"]: body["after"] for body in self._bodies("step_state")}
        return {step_id for step_id, state in states.items() if state == wanted}

    def history(self, style: Literal["json", "pretty"] = "json") -> str:
        """Return every attempt with what came of it, as text.

        Args:
            style: "json" is an array with one attempt on each line, "pretty" bullets for people.

        Raises:
            UsageError: There is no such style.
        """
        if style not in _HISTORIES:
            msg = f"there is no style {style!r} of a history"
            raise UsageError(msg, hint=f"the styles are {', '.join(_HISTORIES)}")
        plans = [*superseded(self.records), *([self.plan] if self.plan else [])]
        steps = {step.id: step for plan in plans for step in plan.steps}
        return _HISTORIES[style](self.steps_seen, steps)

    def timeline(self, *, most_spans: int = 60) -> Drawing:
        """Return the spans of the run as a drawing, times in which nothing ran left out.

        Args:
            most_spans: Spans to be shown at most: outer ones first, then the longest.
        """
        from okso_jupyter.views.timeline import timeline_drawing  # noqa: PLC0415  as for tables

        return timeline_drawing(self._bodies("span"), most_spans=most_spans)

    def graph(self) -> Drawing:
        """Return the newest version of the plan as a drawing, with how far every step is."""
        from okso_jupyter.views.graph import plan_drawing  # noqa: PLC0415  as for tables

        live = Live.of(self.id, ((r.kind, r.body, r.at) for r in self.records))
        until = datetime.fromisoformat(self.records[-1].at)
        return plan_drawing(self.plan or Plan(steps=()), live, now=until)

    def export(self) -> str:
        """Return every record as JSON lines."""
        return "\n".join(json.dumps(asdict(r), ensure_ascii=False) for r in self.records)

    def __repr__(self) -> str:
        return f"<Run {self.id}: {self.state}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Show the run as HTML, Markdown or text, whichever the front end takes."""
        del include, exclude
        from okso_jupyter.frames.frame import most_rows  # noqa: PLC0415  pandas is slow
        from okso_jupyter.views.run_html import RunPage, handed_out, is_worded  # noqa: PLC0415

        words = handed_out(self.pictures, self._bodies("output"), self.validation)
        written = (str(body["text"]) for body in self._bodies("completion"))
        page = RunPage(
            answer=self.answer,
            state=self.state,
            failure=self.failure,
            way_on=self.way_on,
            report="\n".join([self.report(), *words]),
            is_markdown=is_worded(self.answer, written, self.steps_seen),
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
    """Return how to go on with a run whose plan needs tools that only its session had."""
    needed = ", ".join(sorted(names))
    return f"Session(tools=[...]).resume({run_id!r}) goes on with it; it needs the tools {needed}"


@cache
def _standing_tools() -> frozenset[str]:
    """Return the names of the tools that every session has: built in, or of installed packages."""
    built_in = from_package(builtin_tools)
    others, _ = from_entry_points({tool.name for tool in built_in})
    return frozenset(tool.name for tool in (*built_in, *others))


def read_run(journal: Journal, run_id: str, tools: Mapping[str, Tool] | None = None) -> Run:
    """Return a run from the journal.

    Args:
        journal: The journal.
        run_id: The run.
        tools: The catalogue, for scoring again; nothing else needs it.

    Raises:
        JournalError: There is no such run, or the journal cannot be read.
    """
    records = journal.records(run_id)
    if not records:
        msg = f"there is no run {run_id!r} in the journal"
        raise JournalError(msg, hint="%okso runs lists them")
    return Run(id=run_id, records=as_meant(records), home=journal.path.parent, tools=tools or {})
