"""Planning stage of a run: finds the background, samples plans, chooses one, records it all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Final

from okso_jupyter.approval.policy import Policy
from okso_jupyter.errors import ModelUnavailableError
from okso_jupyter.journal.events import ModelUsed
from okso_jupyter.llm.protocol import Completion, CompletionRequest
from okso_jupyter.log import LOGGER
from okso_jupyter.personal.stored_titles import stored_titles
from okso_jupyter.plan.plan import Plan
from okso_jupyter.planning.background import Background, RunSoFar
from okso_jupyter.planning.enumerated import (
    SAVE_TOOL,
    asked_by,
    kept_as_it_is,
    plan_readings,
    unsure,
)
from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.examples.complexity import remark
from okso_jupyter.planning.file_commands.steps import Steps
from okso_jupyter.planning.outcome import Planning, RejectedPlan
from okso_jupyter.planning.personal_requests.tool_names import (
    MAIL_TOOLS,
    PERSONAL_TOOLS,
    SEND_TOOL,
)
from okso_jupyter.planning.planner import Planner
from okso_jupyter.planning.request.intent import classify
from okso_jupyter.planning.sampling.debug_log import DebugLog
from okso_jupyter.planning.scoring.query_rules import query_of
from okso_jupyter.planning.table_questions.query_reading import FollowUp, QueryReading
from okso_jupyter.planning.table_questions.query_tool import (
    CALCULATOR,
    TABLE_TOOL,
    sampled_tools,
)
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.planning.unsampled import unsampled
from okso_jupyter.planning.without_model import plan_without_model
from okso_jupyter.runs.boundaries import RecordedEnvironment
from okso_jupyter.runs.direct_replies import DirectReplies
from okso_jupyter.runs.earlier_runs import earlier_runs, last_query
from okso_jupyter.runs.loss_finder import LossFinder
from okso_jupyter.runs.planning_events import (
    record_background,
    record_planning,
    record_task,
    recorded_background,
)
from okso_jupyter.runs.run_context import RunContext
from okso_jupyter.runs.search_stage import SearchStage
from okso_jupyter.settings import Settings
from okso_jupyter.workspace import Workspace

_NO_SERVER: Final = (
    "No mail can be sent: MAIL_SMTP_URL is not set. Ask for a draft of it, and it is kept among "
    "your drafts."
)
#: How sure a question about a table must be for no text to be looked at.
_SURE_OF_TABLE: Final = 0.6
_HOW_WITHOUT: Final = "one call, without planning"


def plan_request(
    context: RunContext,
    request: str,
    policy: Policy,
    turned_down: tuple[RejectedPlan, ...] = (),
    so_far: RunSoFar = RunSoFar(),  # noqa: B008  it is frozen
) -> Planning:
    """Return a planning of a request, or the reply to one that needs no plan.

    Args:
        context: What the stages of the run share.
        request: The request in plain words.
        policy: The policy that decides about a web search, and with it whether a person is asked.
        turned_down: Rejected earlier plans, with the user's feedback.
        so_far: What the run has done already; empty before it begins.

    Raises:
        ModelError: There is no model and PLANNER_FALLBACK is stop, or no sample is a plan.
        ApprovalError: The approver of a search returned something that is not a decision.
    """
    stage = PlanningStage(context, policy, RecordedEnvironment(context.boundary))
    planning = None if turned_down or so_far.text else stage.replied(request)
    if planning is None:
        background = replace(stage.background(request), so_far=so_far.text, calls=so_far.calls)
        planning = stage.plan(request, background, turned_down)
    DebugLog(context.settings.debug_log, context.redactor).write(planning.sampled)
    return planning


@dataclass(frozen=True, slots=True)
class PlanningStage:
    """Makes one planning of a run and records how.

    Attributes:
        context: What the stages of the run share.
        policy: The policy that decides about a web search.
        environment: Gives the names in the folder, the time and random seeds; a new one for each
            planning, since a recording numbers its looks at the clock from 0.
    """

    context: RunContext
    policy: Policy
    environment: Environment

    def replied(self, request: str) -> Planning | None:
        """Record and return what needs no model: a reply, a calculation, commands, a query, a text.

        None for other requests. A question about a table comes before the replies for a small
        model, which name what that model cannot plan.
        """
        planning = self._replier.for_any_model(request) or self._read(request)
        planning = planning or self._replier.for_personal_data(request)
        planning = planning or self._replier.for_small_model(request)
        if planning is None:
            return None
        planning = replace(
            planning,
            run_id=self.context.run_id,
            notebook_variables=self.context.notebook_variables,
        )
        record_planning(self.context, planning)
        return planning

    def _read(self, request: str) -> Planning | None:
        """Return what a request is read as by rule; None where that is nothing.

        Nor is it what leaves out a variable that the request names.
        """
        ways: tuple[Callable[[str], Planning | None], ...] = (
            self._calculated,
            self._personal,
            self._about_mail,
            self._commanded,
            self._without_rows,
            self._times_of_rate,
            lambda asked: self._enumerated(asked, ()),
            self._asked_of_text,
        )
        read = (way(request) for way in ways)
        found = (planning for planning in read if planning)
        return next((plan for plan in found if not self._replier.leaves_out(plan)), None)

    def background(self, request: str) -> Background:
        """Return the background of a request, needed before sampling; found once per run.

        Raises:
            ApprovalError: The approver of a search returned something that is not a decision.
        """
        context = self.context
        known = recorded_background(context.recorder)
        if known is not None:
            return known
        intent = classify(request, context.settings, self.ask)
        searcher = SearchStage(context=context, policy=self.policy, ask=self.ask)
        earlier = ""
        if not context.settings.plan_clear_context:
            known_runs = partial(earlier_runs, context.recorder.journal, context.run_id)
            earlier = str(context.boundary.take("earlier runs", {}, known_runs))
        web = searcher.search(request, intent)
        background = Background(intent=intent, web=web, earlier=earlier)
        record_background(context.recorder, background)
        return background

    def ask(self, question: CompletionRequest) -> Completion:
        """Send one request to the model of its role; record it with the completion.

        Raises:
            ModelError: There is no such model, or it cannot answer.
        """
        context = self.context
        with context.recorder.span("chat", role=question.role):
            asked = replace(question, on_progress=context.listeners.on_sampling)
            completion = context.model(question.role).complete(asked)[0]
        context.recorder.completion(question.role, asked, completion)
        return completion

    def plan(
        self, request: str, background: Background, turned_down: tuple[RejectedPlan, ...] = ()
    ) -> Planning:
        """Return plans for a request, one of them chosen.

        Raises:
            ModelError: There is no model and PLANNER_FALLBACK is stop, or no sample is a plan.
        """
        with self.context.recorder.span("plan", turned_down=len(turned_down)):
            try:
                is_anew = bool(turned_down) and not background.so_far
                planning = (self._enumerated(request, turned_down) if is_anew else None) or (
                    self._sampled(request, background, turned_down)
                )
                if not background.so_far:
                    feedback = turned_down[-1].feedback if turned_down else ""
                    planning = self._replier.instead_of(planning, feedback)
            except ModelUnavailableError as error:
                planning = self._without_model(request, turned_down, error)
        planning = replace(
            planning,
            background=background,
            run_id=self.context.run_id,
            notebook_variables=self.context.notebook_variables,
            remark=self._remark(request, planning.plan),
        )
        record_planning(self.context, planning)
        return planning

    @property
    def _replier(self) -> DirectReplies:
        """The stage that answers requests without a plan."""
        return DirectReplies(context=self.context, environment=self.environment)

    def _remark(self, request: str, plan: Plan) -> str:
        """Return and log why the request does not suit the mode; empty where it does."""
        if not self.context.settings.plan_auto_detect:
            return ""
        said = remark(request, plan, self.context.tools, self.context.settings)
        if said:
            LOGGER.info("the request and the mode", extra={"detail": said})
        return said

    def _calculated(self, request: str) -> Planning | None:
        """Return the plan of a request that is only a calculation; None for other requests."""
        context = self.context
        if CALCULATOR not in context.tools:
            return None
        args = self.environment.calculation(request)
        if args is None:
            return None
        return unsampled(
            request,
            steps=[{"tool": CALCULATOR, "args": args}],
            how="read as a calculation",
            tools=context.tools,
            settings=context.settings,
        )

    def _personal(self, request: str) -> Planning | None:
        """Return the plan of a request about notes, reminders or events; None for others."""
        context = self.context
        if context.tools.keys().isdisjoint(PERSONAL_TOOLS):
            return None
        titles = partial(stored_titles, workspace=context.workspace, settings=context.settings)
        steps = self.environment.personal_request(request, context.settings.time_zone, titles)
        if not self._can_call(steps):
            return None
        return unsampled(
            request,
            steps=steps,
            how="read as a request for personal data",
            tools=context.tools,
            settings=context.settings,
        )

    def _can_call(self, steps: Steps) -> bool:
        """Return whether there are steps, and the tools of their names take their arguments.

        A tool of the user's own may have one of these names.
        """
        tools = self.context.tools
        return bool(steps) and all(
            step["tool"] in tools
            and step.get("args", {}).keys() <= tools[step["tool"]].properties.keys()
            for step in steps
        )

    def _commanded(self, request: str) -> Planning | None:
        """Return the plan of a request that only says what to do with files; None for others.

        A larger model plans these by itself.
        """
        return self._read_as_steps(
            request, self.environment.file_commands, "read as commands about files"
        )

    def _without_rows(self, request: str) -> Planning | None:
        """Return the plan for rows that no row of a period refers to; None for other requests."""
        how = "read as a question about two tables"
        return self._read_of_tables(request, self.environment.rows_without, how)

    def _times_of_rate(self, request: str) -> Planning | None:
        """Return the plan that multiplies a rate of a table; None for other requests."""
        how = "read as a calculation with a rate of a table"
        return self._read_of_tables(request, self.environment.times_of_rate, how)

    def _read_of_tables(
        self, request: str, read: Callable[[str, TableSources], Steps], how: str
    ) -> Planning | None:
        """Return the plan of the steps that are read from tables; None if there are none."""
        context = self.context
        if TABLE_TOOL not in context.tools:
            return None
        steps = read(request, context.table_sources())
        if not self._can_call(steps):
            return None
        return unsampled(
            request, steps=steps, how=how, tools=context.tools, settings=context.settings
        )

    def _about_mail(self, request: str) -> Planning | None:
        """Return the plan of a request that is only about mail; None for other requests."""
        context = self.context
        if MAIL_TOOLS.isdisjoint(context.tools):
            return None
        steps = self.environment.mail_request(request, context.workspace)
        if not self._can_call(steps):
            return None
        if SEND_TOOL in {step["tool"] for step in steps} and not context.settings.mail_smtp_url:
            return self._unsendable(request)
        return unsampled(
            request,
            steps=steps,
            how="read as a request about mail",
            tools=context.tools,
            settings=context.settings,
        )

    def _unsendable(self, request: str) -> Planning:
        """Return the reply to a request to send a mail where no server is set that sends."""
        context = self.context
        planning = unsampled(
            request,
            answer=_NO_SERVER,
            how="not run: MAIL_SMTP_URL is not set",
            tools=context.tools,
            settings=context.settings,
        )
        return replace(planning, reply=_NO_SERVER)

    def _asked_of_text(self, request: str) -> Planning | None:
        """Return the plan that shows the text a question is about; None for other requests."""
        return self._read_as_steps(
            request, self.environment.text_question, "read as a question about a text"
        )

    def _read_as_steps(
        self, request: str, read: Callable[[str, Workspace], Steps], how: str
    ) -> Planning | None:
        """Return the plan of the steps that a small model need not plan; None if there are none."""
        context = self.context
        if not self._replier.is_small_model():
            return None
        steps = read(request, context.workspace)
        if not steps or not context.tools.keys() >= {step["tool"] for step in steps}:
            return None
        return unsampled(
            request, steps=steps, how=how, tools=context.tools, settings=context.settings
        )

    def _enumerated(self, request: str, turned_down: tuple[RejectedPlan, ...]) -> Planning | None:
        """Return the readings of a question about one table as plans; None for other requests."""
        context, settings = self.context, self.context.settings
        if TABLE_TOOL not in context.tools or not settings.plan_enabled:
            return None
        if len(context.data.outputs) > 1:
            return None  # a query gives one result; several variables are set by Python
        saved = None
        if SAVE_TOOL in context.tools:
            saved = self.environment.result_file(request, context.workspace)
        asked = saved.question if saved else request
        said = " ".join([asked, *(earlier.feedback for earlier in turned_down[-1:])])
        most = settings.planner_sample_count + len(turned_down)
        sources = context.table_sources()
        followed = None
        if not turned_down:
            earlier = partial(last_query, context.recorder.journal, context.run_id)
            followed = self.environment.follow_up(asked, sources, earlier)
        # feedback on a plan of another kind is no question about a table that it does not name
        is_other = any(not query_of(earlier.plan) for earlier in turned_down)
        changed = self._after_feedback(turned_down[-1], sources) if turned_down else None
        stated = followed or changed
        readings: Sequence[QueryReading] = (
            (QueryReading.of_statement(stated.query),)
            if stated
            else self.environment.readings(said, sources, most, is_named=is_other)
        )
        if readings and not stated and not turned_down and self._is_told(request, readings[0]):
            return None
        if saved and saved.is_of_names and readings and len(readings[0].query.columns) != 1:
            return None  # what else would be written is not only names
        # a person sees the confidence in the form; a policy would run whatever is best
        is_unsure = readings and not stated and readings[0].confidence < settings.min_confidence
        if is_unsure and self.policy != "ask":
            return unsure(request, readings, tools=context.tools, settings=settings)
        how = followed.words if followed else ""
        unwanted: Sequence[RejectedPlan] = turned_down
        if changed:
            # what was turned down before may be wanted again: the feedback says so
            how, unwanted = changed.words_about("plan"), ()
        elif turned_down:
            readings, unwanted = kept_as_it_is(readings, turned_down)
        return plan_readings(
            request,
            readings,
            how=how,
            tools=context.tools,
            settings=settings,
            environment=self.environment,
            workspace=context.workspace,
            turned_down=unwanted,
            saved_as=saved.path if saved else "",
        )

    def _is_told(self, request: str, best: QueryReading) -> bool:
        """Return whether a text tells what an unsure query of a table would hardly answer."""
        if best.confidence >= _SURE_OF_TABLE or not self._replier.is_small_model():
            return False
        return self.environment.is_told_by_text(request, self.context.table_sources(), best.query)

    def _after_feedback(self, last: RejectedPlan, sources: TableSources) -> FollowUp | None:
        """Return the query of the last plan as the feedback changes it; None if it does not."""
        shown = asked_by(last.plan)
        if shown is None or not last.feedback:
            return None
        return self.environment.after_feedback(last.feedback, sources, shown)

    def _sampled(
        self, request: str, background: Background, turned_down: tuple[RejectedPlan, ...]
    ) -> Planning:
        context, settings = self.context, self.context.settings
        model = context.model("planner" if settings.plan_enabled else "executor")
        if not settings.plan_enabled:
            settings = _one_call(settings)
        planner = Planner(
            tools=sampled_tools(context.tools),
            settings=settings,
            model=model,
            workspace=context.workspace,
            data=context.data,
            background=background,
            on_sampling=context.listeners.on_sampling,
            environment=self.environment,
            losses_of=LossFinder(context).losses_of,
        )
        known = model.identity
        context.recorder.record(ModelUsed(role="planner", **asdict(known)))
        with context.recorder.span("chat", role="planner"):
            asked = planner.ask(request, turned_down)
        if model.identity != known:  # a server reports its build with its first answer
            context.recorder.record(ModelUsed(role="planner", **asdict(model.identity)))
        record_task(context.recorder, asked)
        planning = planner.choose(request, asked, turned_down)
        is_whole = settings.plan_enabled or planning.reply
        return planning if is_whole else _first_call(planning)

    def _without_model(
        self, request: str, turned_down: tuple[RejectedPlan, ...], error: ModelUnavailableError
    ) -> Planning:
        """Return the planning of PLANNER_FALLBACK.

        Raises:
            ModelUnavailableError: PLANNER_FALLBACK is stop; the hint names alternatives.
        """
        context = self.context
        fallback = context.settings.fallback
        if fallback == "stop":
            ways = "or set PLANNER_FALLBACK=keyword to plan without a model"
            raise ModelUnavailableError(
                error.message, hint="; ".join(filter(None, [error.hint, ways]))
            ) from error
        none = ModelUsed(role="planner", spec="", name=f"none: {fallback}", reason=str(error))
        context.recorder.record(none)
        return plan_without_model(
            request,
            tools=context.tools,
            settings=context.settings,
            workspace=context.workspace,
            turned_down=turned_down,
            reason=error.message,
            environment=self.environment,
        )


def _first_call(planning: Planning) -> Planning:
    """Return a planning of one call: further steps of the model's plan are left out."""
    steps = planning.plan.steps
    calls = [replace(s, depends_on=(), condition="") for s in steps if not s.is_final][:1]
    ends = [replace(s, depends_on=(), condition="") for s in steps if s.is_final]
    kept = replace(planning.chosen, plan=planning.plan.with_steps([*calls, *ends]))
    return replace(planning, sampled=(kept,), chosen=kept, how=_HOW_WITHOUT)


def _one_call(settings: Settings) -> Settings:
    """Return the settings of PLAN_ENABLED=false: one sample, with one call."""
    return replace(
        settings,
        planner_sample_count=1,
        planner_max_plan_steps=2,
        planner_temperature=0.0,
        plan_algorithm="sample",
    )
