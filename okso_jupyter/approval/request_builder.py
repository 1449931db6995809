"""RequestBuilder: turns a plan into an ApprovalRequest with effects and previews from its tools."""

from __future__ import annotations

import difflib
import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from okso_jupyter.effects.effect import LASTING, UNDECLARED, Effects
from okso_jupyter.effects.file_effects import Rehearsal
from okso_jupyter.errors import PlanError, ToolError, error_text
from okso_jupyter.plan.approval_request import ApprovalRequest, Ended, ShownStep
from okso_jupyter.plan.approval_scope import digest
from okso_jupyter.plan.matched_rule import MatchedRule
from okso_jupyter.plan.plan import FINAL_TOOL, Plan, Step, attempts_of, predecessors
from okso_jupyter.plan.records import ToolCall
from okso_jupyter.plan.revision import Revision
from okso_jupyter.plan.run_inputs import RunInputs
from okso_jupyter.plan.spending import sends
from okso_jupyter.policies.call_facts import FactFinder
from okso_jupyter.policies.call_history import CallHistory
from okso_jupyter.policies.judge import RuleJudge
from okso_jupyter.policies.policy_rules import PolicyRules
from okso_jupyter.replay.boundary import Take, call_live
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.catalog import ToolCatalog
from okso_jupyter.toolkit.context import RedirectRefusal, RunResources, no_refusal
from okso_jupyter.toolkit.handler_threads import result_within, start
from okso_jupyter.toolkit.rehearsal import Rehearser
from okso_jupyter.toolkit.steering import is_led_by_values
from okso_jupyter.toolkit.tool import Tool

_PREVIEW_TIMEOUT_S: Final = 5.0
#: Extra seconds in which a preview that watches the time can return a partial result.
_GRACE_S: Final = 1.0
_MAX_PREVIEW_CHARS: Final = 200_000
_NONE_IN_TIME: Final = f"(no preview: none came within {_PREVIEW_TIMEOUT_S:g} s)"
#: After so many hanging previews of one tool in a run, no more are requested from it.
_MAX_GIVEN_UP: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestBuilder:
    """Builds approval requests.

    Attributes:
        tools: The catalogue.
        resources: What previews may read.
        settings: Time-out and retries of a step that has none, and PLAN_CHECKS.
        request: The user's request.
        data: Notebook variables that Python steps read and write.
        take: Records previews, or returns the recorded ones.
        found: Records flaws of plans and file effects of calls, or returns the recorded ones.
        may_replace: Paths whose content any policy may let be overwritten.
        rules: The rules of the policy files; None in a replay, which touches nothing and repeats
            recorded decisions.
        history: Returns the calls of the run so far.
        _given_up: Tool names of the calls whose previews timed out, by the call's digest.
    """

    tools: ToolCatalog
    resources: RunResources
    settings: Settings
    request: str
    data: RunInputs = field(default_factory=RunInputs)
    take: Take = call_live
    found: Take = call_live
    may_replace: frozenset[str] = frozenset()
    rules: PolicyRules | None = field(default_factory=PolicyRules)
    history: Callable[[], CallHistory] = CallHistory
    _given_up: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    def proposal(
        self,
        plan: Plan,
        note: str,
        *,
        for_person: Mapping[int, str] = MappingProxyType({}),
        revision: Revision | None = None,
        ended: Mapping[int, Ended] | None = None,
    ) -> ApprovalRequest:
        """Return the approval request for a plan.

        Args:
            plan: The plan; its tools are in the catalogue.
            note: How the plan was chosen.
            for_person: Steps that no policy may decide about: the reason in words, by id.
            revision: The differences from the previous version, if there is one.
            ended: Outcomes of the steps that have already run, by id; they are not run again.
        """
        ended = ended or {}
        rehearser = Rehearser(self.resources)
        return ApprovalRequest(
            plan=plan,
            steps=self.judge.judged(
                ShownStep(
                    step=step,
                    effects=self.tools[step.tool].effect_of(step.args),
                    ended=ended[step.id].how,
                    observed=ended[step.id].observed,
                )
                if step.id in ended
                else self.shown(step, rehearser, doubt=for_person.get(step.id, ""))
                for step in plan.steps
            ),
            folder=self.folder,
            request=self.request,
            candidates_note=note,
            data=self.data,
            revision=revision,
        )

    @property
    def judge(self) -> RuleJudge:
        """Finds the rules that decide about steps and calls."""
        return RuleJudge(
            policy=self.rules or PolicyRules(),
            finder=FactFinder(resources=self.resources, request=self.request, data=self.data),
            tools=self.tools,
            history=self.history,
        )

    @property
    def folder(self) -> str:
        """The working folder as shown to the user."""
        return str(self.resources.workspace.root)

    def shown(self, step: Step, rehearser: Rehearser | None = None, *, doubt: str) -> ShownStep:
        """Return a step with its effects, preview and limits.

        Args:
            step: The step; its tool is in the catalogue.
            rehearser: Has rehearsed the steps before it; None if there are none.
            doubt: Why no policy may decide about it; empty if one may.
        """
        tool = self.tools[step.tool]
        rehearser = rehearser or Rehearser(self.resources)
        preview = "" if step.open_args else self._preview(tool, step.args, rehearser)
        effects = tool.effect_of(step.args)
        doubts = [doubt, self._touching_protected(step) if effects & LASTING else ""]
        if is_led_by_values(step, tool, effects, self.data, self.request):
            doubts.append("what it changes or sends is named by a value of the notebook alone")
        return ShownStep(
            step=step,
            effects=effects,
            preview=preview,
            rehearsal=self.rehearsed(tool, step, rehearser),
            may_replace=self.may_replace,
            safety=tool.safety,
            timeout_s=tool.timeout_for(step.timeout_s, self.settings.plan_default_step_timeout_s),
            needs_person=any(doubts),
            doubt="; ".join(filter(None, doubts)),
            attempts=attempts_of(step, self.settings.plan_max_retries),
        )

    def rehearsed(self, tool: Tool, step: Step, rehearser: Rehearser) -> Rehearsal | None:
        """Return the file effects of a step; None if they are unknown."""

        def live() -> dict[str, Any] | None:
            found = rehearser.rehearse(tool, step)
            return None if found is None else found.to_dict()

        if not tool.rehearses:
            return None
        asked = {"tool": tool.name, "args": dict(step.args)}
        gave = self.found("rehearsal", asked, live)
        return None if gave is None else Rehearsal.from_dict(gave)

    def _preview(self, tool: Tool, args: Mapping[str, Any], rehearser: Rehearser) -> str:
        """Return what a call would change as text, or a note that there is no preview."""
        if tool.preview is None:
            return self._looked_at(tool, args, rehearser)
        asked = {"tool": tool.name, "args": dict(args)}
        return str(self.take("preview", asked, lambda: self._looked_at(tool, args, rehearser)))

    def _looked_at(self, tool: Tool, args: Mapping[str, Any], rehearser: Rehearser) -> str:
        if tool.preview is None:
            return ""  # starting a thread per step would dominate the cost of a long plan
        call = digest({"tool": tool.name, "args": dict(args)})
        hung = list(self._given_up.values()).count(tool.name)
        if call in self._given_up or hung >= _MAX_GIVEN_UP:
            # its threads still hang: another attempt would leave one more behind
            return _NONE_IN_TIME
        said = self._previewed(tool, args, rehearser)
        if said == _NONE_IN_TIME:
            self._given_up[call] = tool.name
        return said

    def _previewed(self, tool: Tool, args: Mapping[str, Any], rehearser: Rehearser) -> str:
        """Return what a call would change as text; a preview that times out is abandoned."""
        context = rehearser.context
        try:
            tool.check(args)
            future = start(lambda: tool.preview_of(context, args))
            return _bounded(result_within(future, _PREVIEW_TIMEOUT_S + _GRACE_S))
        except FutureTimeoutError:
            context.cancelled.set()
            return _NONE_IN_TIME
        except ToolError as error:
            return f"(no preview: {error.message})"
        except (Exception, SystemExit) as error:  # noqa: BLE001  a preview may be foreign code
            return f"(no preview: {error_text(error)})"

    def _touching_protected(self, step: Step) -> str:
        """Return, in words, the protected paths that a step names."""
        texts = [
            text
            for value in step.args.values()
            for text in (value if isinstance(value, list | tuple) else [value])
            if isinstance(text, str) and text and self._protected(text)
        ]
        return f"it touches the protected {', '.join(texts)}" if texts else ""

    def _protected(self, path: str) -> bool:
        """Return whether a path is protected; an invalid path is not (its call reports it)."""
        try:
            return self.resources.workspace.protected(path)
        except ToolError:
            return False

    def effects_of(self, call: ToolCall) -> Effects:
        """Return the effects of a call with its final arguments."""
        tool = self.tools.get(call.tool)
        return tool.effect_of(call.args) if tool else UNDECLARED

    def preview_of(self, call: ToolCall) -> str:
        """Return what a call would change now, as text."""
        return self._preview(self.tools[call.tool], call.args, Rehearser(self.resources))

    def order_of(self, plan: Plan) -> dict[int, frozenset[int]]:
        """Return, by step id, the earlier steps to wait for: both use a file and one changes it.

        Such steps run in the plan's order even if they are marked parallel.
        """
        if not any(step.parallel for step in plan.steps):
            return {}
        rehearser = Rehearser(self.resources)
        users: defaultdict[str, set[int]] = defaultdict(set)
        changers: defaultdict[str, set[int]] = defaultdict(set)
        after: dict[int, frozenset[int]] = {}
        for step in plan.steps:
            found = rehearser.rehearse(self.tools[step.tool], step)
            changed = found.paths if found else frozenset()
            used = changed.union(found.touched if found else ())
            after[step.id] = frozenset().union(
                *(users[path] for path in changed), *(changers[path] for path in used)
            )
            for path in used:
                users[path].add(step.id)
            for path in changed:
                changers[path].add(step.id)
        return after

    def rehearsal_of(self, call: ToolCall) -> Rehearsal | None:
        """Return the file effects that a call would have now; None if they are unknown."""
        tool = self.tools.get(call.tool)
        if tool is None:
            return None
        return self.rehearsed(tool, _step_of(call), Rehearser(self.resources))

    def rule_of(self, call: ToolCall) -> MatchedRule | None:
        """Return the rule that decides about a call with its final arguments; None if none does."""
        if self.rules is None or not self.rules.rules:
            return None
        return self.judge.rule_of(_step_of(call), self.rehearsal_of(call))

    def redirect_refusal(self, call: ToolCall) -> RedirectRefusal:
        """Return what the rules say to redirects of a call; see `RuleJudge.redirect_refusal`."""
        is_ruled = self.rules is not None and bool(self.rules.rules)
        if not is_ruled or not sends(self.effects_of(call)):
            return no_refusal
        return self.judge.redirect_refusal(_step_of(call), self.rehearsal_of(call))


def _step_of(call: ToolCall) -> Step:
    """Return a step that makes a call, with no argument open."""
    return Step(id=call.step_id, tool=call.tool, args=call.args, literal=tuple(call.args))


def _bounded(preview: str) -> str:
    """Return a preview cut to the maximum length; a cut one states its full length."""
    if len(preview) <= _MAX_PREVIEW_CHARS:
        return preview
    return f"{preview[:_MAX_PREVIEW_CHARS]}\n... ({len(preview):,} characters in all)"


def check_tools(plan: Plan, tools: ToolCatalog) -> None:
    """Raise PlanError for the first step with an unknown tool or a misplaced final_answer."""
    answers = {step.id for step in plan.steps if step.is_final}
    for step in plan.steps:
        if step.is_final and step is not plan.steps[-1]:
            msg = f"step {step.id}: {FINAL_TOOL} must be the last step"
            raise PlanError(msg, step=step.id, rule="final_answer")
        if answers & set(predecessors(step)):
            msg = f"step {step.id}: it waits for {FINAL_TOOL}, which comes after everything else"
            raise PlanError(msg, step=step.id, rule="final_answer")
        if step.tool not in tools:
            near = difflib.get_close_matches(step.tool, tools, n=1)
            msg = f"step {step.id}: there is no tool {step.tool!r}"
            hint = f"did you mean {near[0]}?" if near else f"the tools are {', '.join(tools)}"
            raise PlanError(msg, step=step.id, rule="unknown_tool", hint=hint)


def check_arguments(plan: Plan, tools: ToolCatalog) -> None:
    """Raise PlanError for the first step whose arguments break the schema of its tool.

    For plans given by a program; errors in a model's plan are corrected in the form's fields.
    """
    for step in plan.steps:
        violations = tools[step.tool].violations(step.args, lenient=True)
        if violations:
            msg = f"step {step.id} ({step.tool}): {violations[0]}"
            raise PlanError(msg, step=step.id, rule="arguments")


def with_open_slots(plan: Plan, tools: ToolCatalog) -> Plan:
    """Return the plan with every missing required argument added as an open one.

    Arguments that are filled later are so shown and approved as open slots. An empty string is a
    value where the tool or the plan says so.
    """
    return plan.with_steps(_with_open_slots(step, tools[step.tool]) for step in plan.steps)


def _with_open_slots(step: Step, tool: Tool) -> Step:
    meant = [name for name, value in step.args.items() if tool.means_empty(name, value)]
    left_out = {
        name: None if tool.means_empty(name, "") else ""
        for name in sorted(tool.required - set(step.args))
    }
    return replace(
        step,
        args={**step.args, **left_out},
        literal=tuple(dict.fromkeys([*step.literal, *meant])),
    )


def would_run(plan: Plan) -> str:
    """Return as text the calls that a dry run would make."""
    calls = [
        f"{step.id}. {step.tool} {json.dumps(dict(step.args), ensure_ascii=False)}"
        for step in plan.steps
    ]
    return "\n".join(["Dry run: nothing was run. These calls would be:", *calls])
