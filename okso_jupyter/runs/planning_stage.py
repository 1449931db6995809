"""Planning stage of a run: finds the background, samples plans, chooses one, records it all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Final

from okso_jupyter.approval.policy import Policy
from okso_jupyter.approval.request_builder import RequestBuilder
from okso_jupyter.errors import ModelUnavailableError
from okso_jupyter.journal.events import ModelUsed
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.llm.protocol import Completion, CompletionRequest, LanguageModel, Role, Sampling
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.plan import Plan
from okso_jupyter.planning.background import Background
from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.examples.complexity import remark
from okso_jupyter.planning.outcome import Planning, RejectedPlan
from okso_jupyter.planning.planner import Planner
from okso_jupyter.planning.request.intent import classify
from okso_jupyter.planning.without_model import plan_without_model
from okso_jupyter.redaction.redactor import Redactor
from okso_jupyter.replay.boundary import Take, call_live
from okso_jupyter.runs.direct_replies import DirectReplies
from okso_jupyter.runs.earlier_runs import earlier_runs
from okso_jupyter.runs.loss_finder import LossFinder
from okso_jupyter.runs.planning_events import (
    record_background,
    record_planning,
    record_task,
    recorded_background,
)
from okso_jupyter.runs.search_stage import SearchStage
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.notebook_variables import NotebookVariables

_HOW_WITHOUT: Final = "one call, without planning"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanningStage:
    """Makes the plans of one run and records how.

    Attributes:
        settings: The settings.
        model: Returns the model of a role.
        recorder: The run's journal.
        notebook_variables: Variables copied from the notebook into Python, and back.
        on_sampling: Called with the progress of model calls.
        redactor: Removes secrets from search terms.
        policy: The policy that decides about a web search.
        request_builder: Builds the approval request for a search.
        environment: Gives the names in the folder, the time and random seeds.
        take: Records or replays the web search and the summary of earlier runs.
        found: Records or replays direct replies and the losses of plans.
    """

    settings: Settings
    model: Callable[[Role], LanguageModel]
    recorder: RunRecorder
    notebook_variables: NotebookVariables = field(default_factory=NotebookVariables)
    on_sampling: Callable[[Sampling], None] | None = None
    redactor: Redactor
    policy: Policy
    request_builder: RequestBuilder
    environment: Environment = field(default_factory=Environment)
    take: Take = call_live
    found: Take = call_live

    def replied(self, request: str) -> Planning | None:
        """Record and return the reply to a request that needs no plan; None for others."""
        planning = self._replier.instead_of_planning(request)
        if planning is None:
            return None
        planning = replace(
            planning, run_id=self.recorder.run_id, notebook_variables=self.notebook_variables
        )
        record_planning(self.recorder, planning, self.settings)
        return planning

    def background(self, request: str) -> Background:
        """Return the background of a request, needed before sampling; found once per run.

        Raises:
            ApprovalError: The approver of a search returned something that is not a decision.
        """
        known = recorded_background(self.recorder)
        if known is not None:
            return known
        intent = classify(request, self.settings, self.ask)
        searcher = SearchStage(
            settings=self.settings,
            request_builder=self.request_builder,
            recorder=self.recorder,
            redactor=self.redactor,
            policy=self.policy,
            ask=self.ask,
            take=self.take,
        )
        earlier = ""
        if not self.settings.plan_clear_context:
            known_runs = partial(earlier_runs, self.recorder.journal, self.recorder.run_id)
            earlier = str(self.take("earlier runs", {}, known_runs))
        web = searcher.search(request, intent)
        background = Background(intent=intent, web=web, earlier=earlier)
        record_background(self.recorder, background)
        return background

    def ask(self, question: CompletionRequest) -> Completion:
        """Send one request to the model of its role; record it with the completion.

        Raises:
            ModelError: There is no such model, or it cannot answer.
        """
        with self.recorder.span("chat", role=question.role):
            asked = replace(question, on_progress=self.on_sampling)
            completion = self.model(question.role).complete(asked)[0]
        self.recorder.completion(question.role, asked, completion)
        return completion

    def plan(
        self, request: str, background: Background, turned_down: tuple[RejectedPlan, ...] = ()
    ) -> Planning:
        """Return plans for a request, one of them chosen.

        Raises:
            ModelError: There is no model and PLANNER_FALLBACK is stop, or no sample is a plan.
        """
        with self.recorder.span("plan", turned_down=len(turned_down)):
            try:
                planning = self._sampled(request, background, turned_down)
                if not background.so_far:
                    planning = self._replier.instead_of(planning)
            except ModelUnavailableError as error:
                planning = self._without_model(request, turned_down, error)
        planning = replace(
            planning,
            background=background,
            run_id=self.recorder.run_id,
            notebook_variables=self.notebook_variables,
            remark=self._remark(request, planning.plan),
        )
        record_planning(self.recorder, planning, self.settings)
        return planning

    @property
    def _replier(self) -> DirectReplies:
        """The stage that answers requests without a plan."""
        return DirectReplies(
            settings=self.settings,
            model=self.model,
            request_builder=self.request_builder,
            data=self.notebook_variables.data,
            environment=self.environment,
            found=self.found,
        )

    def _remark(self, request: str, plan: Plan) -> str:
        """Return and log why the request does not suit the mode; empty where it does."""
        if not self.settings.plan_auto_detect:
            return ""
        said = remark(request, plan, self.request_builder.tools, self.settings)
        if said:
            LOGGER.info("the request and the mode", extra={"detail": said})
        return said

    def _sampled(
        self, request: str, background: Background, turned_down: tuple[RejectedPlan, ...]
    ) -> Planning:
        settings = self.settings if self.settings.plan_enabled else _one_call(self.settings)
        model = self.model("planner" if self.settings.plan_enabled else "executor")
        planner = Planner(
            tools=self.request_builder.tools,
            settings=settings,
            model=model,
            workspace=self.request_builder.resources.workspace,
            data=self.notebook_variables.data,
            background=background,
            on_sampling=self.on_sampling,
            environment=self.environment,
            losses_of=LossFinder(self.request_builder, self.found).losses_of,
        )
        known = model.identity
        self.recorder.record(ModelUsed(role="planner", **asdict(known)))
        with self.recorder.span("chat", role="planner"):
            asked = planner.ask(request, turned_down)
        if model.identity != known:  # a server reports its build with its first answer
            self.recorder.record(ModelUsed(role="planner", **asdict(model.identity)))
        record_task(self.recorder, asked)
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
        fallback = self.settings.fallback
        if fallback == "stop":
            ways = "or set PLANNER_FALLBACK=keyword to plan without a model"
            raise ModelUnavailableError(
                error.message, hint="; ".join(filter(None, [error.hint, ways]))
            ) from error
        none = ModelUsed(role="planner", spec="", name=f"none: {fallback}", reason=str(error))
        self.recorder.record(none)
        return plan_without_model(
            request,
            tools=self.request_builder.tools,
            settings=self.settings,
            workspace=self.request_builder.resources.workspace,
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
