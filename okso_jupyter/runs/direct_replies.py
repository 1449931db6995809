"""Direct replies: requests answered without a plan (capabilities, small talk, refusals)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, Final

from okso_jupyter.approval.request_builder import RequestBuilder
from okso_jupyter.errors import ModelUnavailableError, ToolError
from okso_jupyter.journal.events import CandidateChosen
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.llm.protocol import LanguageModel, Role
from okso_jupyter.plan.plan import FINAL_TOOL, Plan
from okso_jupyter.plan.run_inputs import RunInputs
from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.outcome import Planning
from okso_jupyter.planning.replies.here import Here
from okso_jupyter.planning.replies.reply import (
    Reply,
    reply_of_all,
    reply_of_small,
    reply_to_no_calls,
)
from okso_jupyter.planning.schema.variables import Variables
from okso_jupyter.planning.unsampled import unsampled
from okso_jupyter.replay.boundary import Take, call_live
from okso_jupyter.sandbox.launch import check_system
from okso_jupyter.settings import Settings

_SEARCH: Final = "web_search"
_PYTHON: Final = "python_repl"
_ENTRY: Final = "reply"


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectReplies:
    """Decides whether a request is answered without a plan, and gives the reply.

    Attributes:
        settings: The settings.
        model: Returns the model of a role.
        request_builder: Holds the tools and their resources.
        data: Variables of the notebook that are copied into Python.
        environment: Looks up the names in the folder.
        found: Records or replays the reply, which depends on the folder and the set-up.
    """

    settings: Settings
    model: Callable[[Role], LanguageModel]
    request_builder: RequestBuilder
    data: RunInputs
    environment: Environment
    found: Take = call_live

    def instead_of_planning(self, request: str) -> Planning | None:
        """Return the reply to a request that needs no plan; None if it has to be planned."""
        reply = self._reply(request, "any model", reply_of_all)
        if reply is None and self._is_small():
            reply = self._reply(request, "a small model", reply_of_small)
        return None if reply is None else self._replied(request, reply)

    def instead_of(self, planning: Planning) -> Planning:
        """Return the planning, or a refusal in place of a plan without calls, where one applies."""
        if planning.reply or not all(step.is_final for step in planning.plan.steps):
            return planning
        judge = partial(reply_to_no_calls, is_small=self._is_small())
        reply = self._reply(planning.request, "a plan without calls", judge)
        if reply is None:
            return planning
        plan = Plan.from_dict({"request": planning.request, "steps": [_said(reply.text)]})
        cut_short = "" if planning.doubt else planning.cut_short
        chosen = replace(planning.chosen, plan=plan, finished_steps=0)
        others = {candidate.index: candidate for candidate in planning.sampled}
        sampled = tuple({**others, chosen.index: chosen}.values())
        return replace(
            planning, sampled=sampled, chosen=chosen, reply=reply.text, cut_short=cut_short
        )

    def _reply(
        self, request: str, of: str, judge: Callable[[str, Here], Reply | None]
    ) -> Reply | None:
        def live() -> dict[str, Any] | None:
            reply = judge(request, self._here(request))
            return None if reply is None else asdict(reply)

        gave = self.found(_ENTRY, {"request": request, "of": of}, live)
        return None if gave is None else Reply(**gave)

    def _replied(self, request: str, reply: Reply) -> Planning:
        """Return a planning with a single step, which gives the reply."""
        planning = unsampled(
            request,
            answer=reply.text,
            how=f"answered without a plan ({reply.kind})",
            tools=self.request_builder.tools,
            settings=self.settings,
        )
        return replace(planning, reply=reply.text)

    def _is_small(self) -> bool:
        """Return whether the planning model is small: it copies well but has little knowledge."""
        role: Role = "planner" if self.settings.plan_enabled else "executor"
        try:
            return self.model(role).identity.is_small
        except ModelUnavailableError:
            return False  # planning reports it, or uses no model

    def _here(self, request: str) -> Here:
        variables = Variables(self.data)
        said = variables.as_files(request, request)
        workspace = self.request_builder.resources.workspace
        return Here(
            tools=self.request_builder.tools,
            facts=self.environment.facts(said, workspace, variables.tables),
            variables=frozenset(value.name for value in self.data.inputs),
            values=frozenset(value.name for value in self.data.inserted),
            lacking=dict(self._lacking()),
        )

    def _lacking(self) -> Iterable[tuple[str, str]]:
        """Yield the tools that do not work on this machine, each with the reason."""
        checks: Mapping[str, Callable[[], object]] = {
            _SEARCH: self.request_builder.resources.search.open,
            _PYTHON: check_system,
        }
        for name, check in checks.items():
            try:
                if name in self.request_builder.tools:
                    check()
            except ToolError as error:
                said = error.message.removeprefix(f"{name}: ")
                yield name, f"{said} ({error.hint})" if error.hint else said


def _said(text: str) -> dict[str, Any]:
    """Return the step that gives a text as the answer."""
    return {"tool": FINAL_TOOL, "args": {"input": text}}


def is_reply(plan: Plan, recorder: RunRecorder) -> bool:
    """Return whether a plan only gives a direct reply that was made for its run."""
    if len(plan.steps) != 1 or not plan.steps[0].is_final:
        return False
    chosen = recorder.journal.events(recorder.run_id, CandidateChosen)
    replies = {one.reply for one in chosen if one.reply}
    return plan.steps[0].args.get("input") in replies
