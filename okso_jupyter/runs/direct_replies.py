"""Direct replies: requests answered without a plan (capabilities, small talk, refusals)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

from okso_jupyter.errors import ModelUnavailableError, ToolError
from okso_jupyter.journal.events import CandidateChosen
from okso_jupyter.llm.protocol import Role
from okso_jupyter.personal.setting_up import what_is_missing
from okso_jupyter.plan.plan import FINAL_TOOL, Plan
from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.file_commands.folder_view import FolderView
from okso_jupyter.planning.outcome import Planning
from okso_jupyter.planning.replies.copied_code import is_copied_code
from okso_jupyter.planning.replies.here import Here
from okso_jupyter.planning.replies.reply import (
    Reply,
    reply_of_all,
    reply_of_small,
    reply_to_changes,
    reply_to_copied_code,
    reply_to_edits,
    reply_to_no_calls,
    reply_to_unused,
)
from okso_jupyter.planning.replies.unasked_changes import changes_unasked
from okso_jupyter.planning.replies.unsure_edits import is_edit, problem_of_edits
from okso_jupyter.planning.replies.unused_variables import unused_variables
from okso_jupyter.planning.schema.variables import Variables
from okso_jupyter.planning.unsampled import unsampled
from okso_jupyter.runs.run_context import RunContext
from okso_jupyter.sandbox.launch import check_system

_SEARCH: Final = "web_search"
_PYTHON: Final = "python_repl"
_ENTRY: Final = "reply"


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectReplies:
    """Decides whether a request is answered without a plan, and gives the reply.

    Attributes:
        context: What the stages of the run share.
        environment: Looks up the names in the folder.
    """

    context: RunContext
    environment: Environment

    def for_any_model(self, request: str) -> Planning | None:
        """Return the reply to a request that needs no plan, whatever the model; else None."""
        reply = self._reply(request, "any model", reply_of_all)
        return None if reply is None else self._replied(request, reply)

    def for_small_model(self, request: str) -> Planning | None:
        """Return the reply to a request that a small model cannot plan; else None."""
        if not self.is_small_model():
            return None
        reply = self._reply(request, "a small model", reply_of_small)
        return None if reply is None else self._replied(request, reply)

    def for_personal_data(self, request: str) -> Planning | None:
        """Return the reply to a request for notes, events or mail that lacks something; else None.

        It names the setting or the extra that is missing, or says that no address is named.
        """
        reply = self._reply(request, "personal data", self._not_ready)
        return None if reply is None else self._replied(request, reply)

    def _not_ready(self, request: str, here: Here) -> Reply | None:
        from okso_jupyter.planning.replies.personal_data import not_ready  # noqa: PLC0415  slow: see `Environment`

        missing = partial(what_is_missing, self.context.settings)
        # any zone does: only what the request is about is read, and the extra may not be there
        said = not_ready(request, here, now=datetime.now(UTC), missing=missing)
        return Reply(kind="refused", text=said) if said else None

    def instead_of(self, planning: Planning, feedback: str = "") -> Planning:
        """Return the planning, or a refusal where its plan is none of the request.

        Args:
            planning: The planning.
            feedback: The feedback on the plan before it, which may ask for more.
        """
        if planning.reply:
            return planning
        reply = self._instead_of_plan(planning.plan, planning.request, feedback)
        reply = reply or self._without_variables(planning.plan, planning.request, feedback)
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

    def _instead_of_plan(self, plan: Plan, request: str, feedback: str) -> Reply | None:
        """Return the refusal in place of a plan; None for one that may answer the request.

        One without calls, with copied code, or that changes something unasked, may not.
        """
        if all(step.is_final for step in plan.steps):
            judge = partial(reply_to_no_calls, is_small=self.is_small_model())
            return self._reply(request, "a plan without calls", judge)
        if not self.is_small_model():
            return None
        if is_copied_code(plan, request, self.context.tools):
            return self._reply(request, "a plan of copied code", reply_to_copied_code)
        if changes_unasked(plan, f"{request} {feedback}".strip(), self.context.tools):
            return self._reply(request, "a plan of unasked changes", reply_to_changes)
        if is_edit(plan, request, self.context.tools):
            judge = partial(self._unsure_edit, plan=plan, feedback=feedback)
            return self._reply(request, "a plan of edits", judge)
        return None

    def _unsure_edit(self, request: str, here: Here, *, plan: Plan, feedback: str) -> Reply | None:
        """Return the refusal of a plan whose edits are not those of the request, or None."""
        text_of = FolderView(self.context.workspace).text
        said = f"{request} {feedback}".strip()
        why = problem_of_edits(plan, said, self.context.tools, text_of)
        return reply_to_edits(why, here) if why else None

    def leaves_out(self, planning: Planning) -> bool:
        """Return whether a plan does not use a variable that the request names."""
        return bool(unused_variables(planning.plan, planning.request, self.context.data))

    def _without_variables(self, plan: Plan, request: str, feedback: str) -> Reply | None:
        """Return the refusal in place of a plan that does not use a variable that is named."""
        said = f"{request} {feedback}".strip()
        unused = unused_variables(plan, said, self.context.data)
        if not unused:
            return None
        judge = partial(reply_to_unused, names=unused)
        return self._reply(request, "a plan without a variable", judge)

    def _reply(
        self, request: str, of: str, judge: Callable[[str, Here], Reply | None]
    ) -> Reply | None:
        def live() -> dict[str, Any] | None:
            reply = judge(request, self._here(request))
            return None if reply is None else asdict(reply)

        # recorded, since it depends on the folder and the set-up
        gave = self.context.boundary.found(_ENTRY, {"request": request, "of": of}, live)
        return None if gave is None else Reply(**gave)

    def _replied(self, request: str, reply: Reply) -> Planning:
        """Return a planning with a single step, which gives the reply."""
        planning = unsampled(
            request,
            answer=reply.text,
            how=f"answered without a plan ({reply.kind})",
            tools=self.context.tools,
            settings=self.context.settings,
        )
        return replace(planning, reply=reply.text)

    def is_small_model(self) -> bool:
        """Return whether the planning model is small: it copies well but has little knowledge."""
        role: Role = "planner" if self.context.settings.plan_enabled else "executor"
        try:
            return self.context.model(role).identity.is_small
        except ModelUnavailableError:
            return False  # planning reports it, or uses no model

    def _here(self, request: str) -> Here:
        variables = Variables(self.context.data)
        said = variables.as_files(request, request)
        workspace = self.context.workspace
        return Here(
            tools=self.context.tools,
            facts=self.environment.facts(said, workspace, variables.tables),
            variables=frozenset(value.name for value in self.context.data.inputs),
            values=frozenset(value.name for value in self.context.data.inserted),
            lacking=dict(self._lacking()),
        )

    def _lacking(self) -> Iterable[tuple[str, str]]:
        """Yield the tools that do not work on this machine, each with the reason."""
        checks: Mapping[str, Callable[[], object]] = {
            _SEARCH: self.context.resources.search.open,
            _PYTHON: check_system,
        }
        for name, check in checks.items():
            try:
                if name in self.context.tools:
                    check()
            except ToolError as error:
                said = error.message.removeprefix(f"{name}: ")
                yield name, f"{said} ({error.hint})" if error.hint else said


def _said(text: str) -> dict[str, Any]:
    """Return the step that gives a text as the answer."""
    return {"tool": FINAL_TOOL, "args": {"input": text}}


def is_reply(plan: Plan, context: RunContext) -> bool:
    """Return whether a plan only gives a direct reply that was made for its run."""
    if len(plan.steps) != 1 or not plan.steps[0].is_final:
        return False
    replies = {one.reply for one in context.events(CandidateChosen) if one.reply}
    return plan.steps[0].args.get("input") in replies
