"""Planner: runs one planning call, from the request to the chosen candidate."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from okso_jupyter.effects.file_effects import FileEffect
from okso_jupyter.errors import (
    ModelError,
    ModelInputError,
    NoCandidateError,
    PlanError,
    PlanningTimeoutError,
    RecordingError,
)
from okso_jupyter.llm.protocol import Completion, CompletionRequest, LanguageModel, Sampling
from okso_jupyter.llm.sending import may_send
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.flaws import flaws_text
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.plan_tree import PlanTree
from okso_jupyter.plan.records import Candidate, Scorecard
from okso_jupyter.plan.run_inputs import RunInputs
from okso_jupyter.planning.background import Background, with_past
from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.outcome import Planning, RejectedPlan
from okso_jupyter.planning.prompt.builder import PlannerPrompt, Ranked, make_prompts
from okso_jupyter.planning.prompt.sendable import (
    HeaderlessEnvironment,
    without_headers,
    without_values,
)
from okso_jupyter.planning.prompt.served import asked_again, for_server, for_small_model
from okso_jupyter.planning.prompt.step_fields import offering
from okso_jupyter.planning.replies.unused_variables import unused_variables, unused_words
from okso_jupyter.planning.request.intent import GENERAL, choice
from okso_jupyter.planning.request.permission import Losses, unasked_losses
from okso_jupyter.planning.sampling.read_plans import (
    Unusable,
    is_cut_off,
    mended_in,
    read_plan,
    read_plans,
)
from okso_jupyter.planning.sampling.second_question import mistake
from okso_jupyter.planning.sampling.stopping import Drawn, Judged, draw
from okso_jupyter.planning.sampling.unfinished import Head, read_heads
from okso_jupyter.planning.scoring.rules import best_score
from okso_jupyter.planning.scoring.scorer import score_all, scorer
from okso_jupyter.planning.scoring.withheld import HOW_TO_ASK, reason_of, refusal_of
from okso_jupyter.planning.time_limit import Deadline, too_late
from okso_jupyter.planning.tree.growing import grow
from okso_jupyter.planning.unsampled import unsampled
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.workspace import Workspace

#: Where the temperature applies: while the tool of a step is being chosen.
_HOT: Final = re.compile(r'"tool":"[^"]*$')
_NO_ROOM: Final = "the prompt leaves too little room for a plan"
_TOO_LONG: Final = (
    "shorten the request, raise LLAMA_CONTEXT_CAP and LLAMA_DEFAULT_CONTEXT_SIZE, or sample fewer "
    "plans (PLANNER_SAMPLE_COUNT)"
)

_WHERE_NO_PLAN_IS: Final = "rephrase the request, or raise PLANNER_SAMPLE_COUNT"
_TIMEOUT: Final = "PLAN_PLANNING_TIMEOUT_S"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanningTask:
    """A completion request sent to the model and the completions it returned."""

    request: CompletionRequest
    completions: tuple[Completion, ...]
    ranked: tuple[Ranked, ...]
    left_out: tuple[str, ...] = ()
    tree: PlanTree | None = None
    stopped: str = ""

    @property
    def cut_short(self) -> str:
        """What the time limit cut off, in words; empty if nothing."""
        if self.tree is not None:
            ended = self.tree.ended_by == "time"
            return f"the search was ended by {_TIMEOUT}" if ended else ""
        late = sum(map(is_cut_off, self.completions))
        return f"{late} more not finished within {_TIMEOUT}" if late else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planner:
    """Plans requests with one catalogue, one model and one workspace.

    Attributes:
        tools: The catalogue, `final_answer` included.
        settings: The settings.
        model: The model that plans.
        workspace: The folder whose file names and table headers are read; None if there is none.
        data: Notebook variables passed to Python.
        background: The kind of request, web search results and earlier requests.
        on_sampling: Callback for sampling progress; an exception it raises ends sampling.
        environment: Folder listing, clock and randomness.
        losses_of: Returns the file content that each step of a plan would destroy; None if
            unknown.
    """

    tools: Mapping[str, Tool]
    settings: Settings
    model: LanguageModel
    workspace: Workspace | None
    data: RunInputs = field(default_factory=RunInputs)
    background: Background = field(default_factory=Background)
    on_sampling: Callable[[Sampling], None] | None = None
    environment: Environment = field(default_factory=Environment)
    losses_of: Callable[[Plan], Losses | None] = lambda _plan: None

    def ask(self, request: str, turned_down: Sequence[RejectedPlan] = ()) -> PlanningTask:
        """Sample completions for a request.

        Args:
            request: The request in plain words.
            turned_down: Rejected earlier plans, with the user's feedback.

        Raises:
            ModelInputError: The prompt is too long for the model even in its shortest form.
            PlanningTimeoutError: No plan was finished within twice PLAN_PLANNING_TIMEOUT_S.
            ModelError: The model call failed.
        """
        deadline = Deadline(
            self.settings.plan_planning_timeout_s, self.on_sampling, self.environment
        )
        seed = self.settings.planner_seed
        if seed is None:
            seed = self.environment.seed()
        too_long = ModelInputError(_NO_ROOM)
        for brief in self.prompts(request, turned_down[-1].feedback if turned_down else ""):
            question = self._question(brief, seed, deadline)
            try:
                drawn, tree = self._written(question, request, turned_down, deadline)
            except ModelInputError as error:
                too_long = error
                continue
            if not _without_room(drawn.completions, question):
                return _asked(question, drawn, brief, tree)
            too_long = ModelInputError(_NO_ROOM)
        msg = f"the request is too long, whatever else is left out: {too_long.message}"
        raise ModelInputError(msg, hint=_TOO_LONG) from too_long

    def _written(
        self,
        question: CompletionRequest,
        request: str,
        turned_down: Sequence[RejectedPlan],
        deadline: Deadline,
    ) -> tuple[Drawn, PlanTree | None]:
        """Return the model's completions: sampled whole, or built step by step in a tree."""
        if self.settings.plan_algorithm == "sample":

            def judge(drawn: Sequence[Completion]) -> list[Judged]:
                texts = ["" if c.flaw or is_cut_off(c) else c.text for c in drawn]
                return self._judged(texts, request, turned_down)

            drawn = draw(self.model, question, deadline, judge)
            return self._once_more(drawn, question, request, deadline), None
        grown = grow(
            self.model,
            question,
            algorithm=self.settings.plan_algorithm,
            depth=self.settings.planner_max_plan_steps,
            judge=lambda texts: self._points(texts, request, turned_down),
            deadline=deadline,
        )
        return Drawn(grown.completions), grown.tree

    def _once_more(
        self, drawn: Drawn, question: CompletionRequest, request: str, deadline: Deadline
    ) -> Drawn:
        """Return the completions of a server; if none can run, with one that was told why."""
        if question.served is None:
            return drawn
        wrong = mistake(drawn.completions, request, self.tools)
        if wrong is None or not deadline.in_time():
            return drawn
        asked = asked_again(question, *wrong, seed=question.seeds[-1] + 1)
        within = replace(
            asked, enough_after_s=deadline.left_s, drafts_after_s=deadline.drafts_after_s
        )
        try:
            again = self.model.complete(within)
        except (ModelError, RecordingError) as error:
            # the second: a recording that is older than this question
            LOGGER.info("the model is not asked again", extra={"detail": error.message})
            return drawn
        return replace(drawn, completions=(*drawn.completions, *again))

    def _points(
        self, texts: Sequence[str], request: str, turned_down: Sequence[RejectedPlan]
    ) -> list[float | None]:
        """Return the score of each text as a plan; None for a text that is not a usable plan."""
        judged = self._judged(texts, request, turned_down)
        return [None if known is None else known[1].score for known in judged]

    def _judged(
        self, texts: Sequence[str], request: str, turned_down: Sequence[RejectedPlan]
    ) -> list[Judged]:
        """Return each text as a plan with its scorecard; None if it is not a usable plan."""
        plans: dict[int, Plan] = {}
        for place, text in enumerate(texts):
            with suppress(PlanError):
                plan = read_plan(text, request, self.tools)
                if not self._unasked(plan, request, turned_down):
                    plans[place] = plan
        unwanted = [earlier.plan for earlier in turned_down]
        found = list(plans.values())
        cards = score_all(found, self.tools, self.settings, request, unwanted, peers=())
        known = {place: (plans[place], card) for place, card in zip(plans, cards, strict=True)}
        return [known.get(place) for place in range(len(texts))]

    def _question(self, brief: PlannerPrompt, seed: int, deadline: Deadline) -> CompletionRequest:
        count = self.settings.planner_sample_count
        return CompletionRequest(
            role="planner",
            messages=brief.messages,
            seeds=tuple(range(seed, seed + count)),
            temperature=self.settings.temperature_for(count),
            max_tokens=self.settings.planner_max_output_tokens,
            schema=brief.schema,
            served=brief.served,
            hot=_HOT,
            enough_after_s=deadline.left_s,
            drafts_after_s=deadline.drafts_after_s,
            on_progress=deadline.observe,
        )

    def choose(
        self, request: str, asked: PlanningTask, turned_down: Sequence[RejectedPlan] = ()
    ) -> Planning:
        """Parse, score and rank the completions and choose a plan.

        Args:
            request: The request in plain words.
            asked: The result of `ask`.
            turned_down: Rejected earlier plans; repeating one costs points.

        Raises:
            PlanningTimeoutError: The time was up before a step of any plan was finished.
            NoCandidateError: No sample is a plan; the message gives the first reason.
        """
        completions = asked.completions
        plans, unusable, heads = self._plans(asked, request)
        harmful = {
            index: lost
            for index, plan in plans.items()
            if (lost := self._unasked(plan, request, turned_down))
        }
        unusable += [
            Unusable(index=i, response=completions[i - 1].text, reason=reason_of(lost))
            for i, lost in harmful.items()
        ]
        plans = {index: plan for index, plan in plans.items() if index not in harmful}
        if harmful and not plans and not self.background.so_far:
            return self._withheld(request, asked, harmful, unusable)
        if not plans:
            raise self._without_plan(asked, unusable, is_harmful=bool(harmful))
        unwanted = [earlier.plan for earlier in turned_down]
        judge = scorer(self.tools, self.settings, request, unwanted)
        cards = judge(list(plans.values()), losses=[*map(self.losses_of, plans.values())])
        sampled = tuple(
            replace(
                _candidate(index, plan, card, completions[index - 1], asked.request.temperature),
                flaw=self._flaw(plan, request, turned_down),
                finished_steps=heads[index].finished if index in heads else 0,
                mended="" if index in heads else mended_in(completions[index - 1].text, self.tools),
            )
            for (index, plan), card in zip(plans.items(), cards, strict=True)
        )
        chosen = select(sampled)
        return Planning(
            request=request,
            sampled=sampled,
            unusable=tuple(unusable),
            ranked=_scored(asked.ranked, sampled),
            chosen=chosen,
            seed=asked.request.seeds[0],
            left_out=asked.left_out,
            grown=asked.tree,
            cut_short=chosen.doubt or asked.cut_short,
            wanted=len(asked.request.seeds),
            stopped=asked.stopped,
            judge=judge,
            best_score=best_score(self.settings),
        )

    def _plans(
        self, asked: PlanningTask, request: str
    ) -> tuple[dict[int, Plan], list[Unusable], dict[int, Head]]:
        """Return the plans by index, the unusable samples, and the beginnings among the plans.

        Beginnings of plans cut off by the time limit count if no plan is whole.
        """
        plans, unusable = read_plans(
            asked.completions, request, self.tools, only_known=asked.request.served is not None
        )
        if plans:
            return plans, unusable, {}
        heads = read_heads(asked.completions, asked.request.schema or {}, request, self.tools)
        begun = {index: head.plan for index, head in heads.items()}
        return begun, [sample for sample in unusable if sample.index not in heads], heads

    def _without_plan(
        self, asked: PlanningTask, unusable: Sequence[Unusable], *, is_harmful: bool
    ) -> PlanningTimeoutError | NoCandidateError:
        """Return the error for the case that no sample is a plan or the beginning of one."""
        completions = asked.completions
        if not is_harmful and any(completion.finish == "draft" for completion in completions):
            return too_late(self.settings.plan_planning_timeout_s)
        reason = unusable[0].reason if unusable else "the model wrote nothing"
        identity = self.model.identity
        of = f" of {identity.spec}" if identity.is_served else ""
        msg = f"none of {len(completions)} samples{of} is a plan; the first: {reason}"
        return NoCandidateError(msg, hint=HOW_TO_ASK if is_harmful else _WHERE_NO_PLAN_IS)

    def _flaw(self, plan: Plan, request: str, turned_down: Sequence[RejectedPlan]) -> str:
        """Return why a plan cannot run or answer the request, in words; empty if not known."""
        said = " ".join([request, *(earlier.feedback for earlier in turned_down)])
        unused = unused_words(unused_variables(plan, said, self.data))
        if unused or not self.settings.plan_checks:
            return unused
        return flaws_text(self.environment.flaws(plan, self.tools, self.workspace), plan)

    def _unasked(
        self, plan: Plan, request: str, turned_down: Sequence[RejectedPlan]
    ) -> list[FileEffect]:
        """Return the file losses of a plan that request and feedback do not ask for."""
        said = " ".join([request, *(earlier.feedback for earlier in turned_down)])
        return unasked_losses(self.losses_of(plan) or {}, said)

    def _withheld(
        self,
        request: str,
        asked: PlanningTask,
        harmful: Mapping[int, Sequence[FileEffect]],
        unusable: Sequence[Unusable],
    ) -> Planning:
        """Return the planning for a request whose plans would all lose a file unasked."""
        said = refusal_of(next(iter(harmful.values())))
        planning = unsampled(
            request,
            answer=said,
            how="withheld: no plan loses a file unasked",
            tools=self.tools,
            settings=self.settings,
            ranked=asked.ranked,
        )
        reply = replace(planning.chosen, index=len(asked.completions) + 1)
        return replace(
            planning,
            sampled=(reply,),
            chosen=reply,
            unusable=tuple(unusable),
            seed=asked.request.seeds[0],
            left_out=asked.left_out,
            grown=asked.tree,
            cut_short=asked.cut_short,
            wanted=len(asked.request.seeds),
            stopped=asked.stopped,
            reply=said,
        )

    def prompts(self, request: str, feedback: str = "") -> Iterator[PlannerPrompt]:
        """Yield the prompt for a request, then ever shorter versions of it."""
        known = self._sendable()
        small = self.model.identity.is_small
        prompts = make_prompts(
            request,
            tools=self.tools,
            workspace=self.workspace,
            budget=self.settings.planner_max_plan_steps,
            feedback=feedback,
            data=known.data,
            choice=None if feedback else self._choice(),
            found=known.background.web.text,
            grounded=small,
            has_thoughts=self._has_thoughts(),
            environment=known.environment,
        )
        is_served = self.model.identity.is_served
        is_short = is_served and not small
        for brief in with_past(prompts, known.background):
            offered = offering(brief, f"{request} {feedback}", everything=is_short)
            if is_short:
                yield for_server(offered, known.background.calls)
            else:
                yield for_small_model(offered) if is_served else offered

    def _has_thoughts(self) -> bool:
        """Return whether the model writes why each step is there (PLANNER_THOUGHTS)."""
        chosen = self.settings.planner_thoughts
        is_wanted = self.model.identity.is_large if chosen == "auto" else chosen == "always"
        return not self.environment.leaves_thoughts_out(is_wanted=is_wanted)

    def _sendable(self) -> Planner:
        """Return a planner that knows only what its model may be told."""
        send, known = self.settings.send, self
        if not may_send("contents", self.model, send):
            web = replace(self.background.web, text="")
            background = replace(self.background, web=web, earlier="", calls="")
            known = replace(known, data=without_values(known.data), background=background)
        if not may_send("table headers", self.model, send):
            environment = HeaderlessEnvironment(self.environment)
            known = replace(known, data=without_headers(known.data), environment=environment)
        return known

    def _choice(self) -> frozenset[str] | None:
        """Return the tools that a plan may call for this kind of request; None for all."""
        intent, least = self.background.intent, self.settings.intent_confidence_min
        found = choice(intent, self.tools, least)
        if found is None and intent.label != GENERAL:
            unsure = intent.confidence < least
            detail = {
                "kind": intent.label,
                "confidence": intent.confidence,
                "INTENT_CONFIDENCE_MIN": least,
                "why": "not sure enough" if unsure else "no tool is of that kind",
            }
            LOGGER.info("the kind of request leaves out no tool", extra={"detail": detail})
        return found


def _without_room(completions: Sequence[Completion], question: CompletionRequest) -> bool:
    """Return whether every completion was cut by the end of the context, not by its token limit.

    Return False for a server that does not count its tokens: the cause is then unknown.
    """
    return all(
        c.finish == "length" and 0 < c.output_tokens < question.max_tokens for c in completions
    )


def _asked(
    question: CompletionRequest, drawn: Drawn, brief: PlannerPrompt, tree: PlanTree | None
) -> PlanningTask:
    """Return request and completions as a task; log what was left out of the prompt."""
    if brief.left_out:
        LOGGER.warning(
            "the planner's prompt was too long", extra={"detail": {"left out": brief.left_out}}
        )
    return PlanningTask(
        request=question,
        completions=drawn.completions,
        ranked=brief.ranked,
        left_out=brief.left_out,
        tree=tree,
        stopped=drawn.stopped,
    )


def _scored(ranked: Sequence[Ranked], sampled: Sequence[Candidate]) -> tuple[Ranked, ...]:
    """Return the ranking with the share of the sampled plans that call each tool."""
    return tuple(
        replace(known, model=sum(known.tool in c.plan.tools for c in sampled) / len(sampled))
        for known in ranked
    )


def select(sampled: Sequence[Candidate]) -> Candidate:
    """Return the candidate with the highest score, then the highest tie-breaker, then the first.

    A candidate that cannot run ranks behind all that can, whatever its score.
    """
    return max(sampled, key=lambda candidate: (not candidate.flaw, candidate.standing))


def _candidate(
    index: int, plan: Plan, card: Scorecard, completion: Completion, temperature: float
) -> Candidate:
    return Candidate(
        index=index,
        plan=plan,
        response=completion.text,
        seed=completion.seed,
        temperature=temperature,
        output_tokens=completion.output_tokens,
        duration_s=completion.duration_s,
        scorecard=card,
    )
