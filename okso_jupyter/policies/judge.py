"""RuleJudge: marks the steps of a plan, and single calls, with the rule that decides about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from okso_jupyter.effects.file_effects import Rehearsal
from okso_jupyter.effects.trifecta import ROLE_WORDS, roles_of
from okso_jupyter.plan.approval_request import ShownStep
from okso_jupyter.plan.matched_rule import MatchedRule
from okso_jupyter.plan.plan import Step
from okso_jupyter.policies.call_facts import CallFacts, FactFinder, led_to
from okso_jupyter.policies.call_history import CallHistory
from okso_jupyter.policies.policy_rules import PolicyRules
from okso_jupyter.toolkit.context import RedirectRefusal, no_refusal
from okso_jupyter.toolkit.tool import Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleJudge:
    """Finds the rules for the calls of one run.

    Attributes:
        policy: The rules.
        finder: Finds the facts of calls.
        tools: The catalogue.
        history: Returns the calls of the run so far.
    """

    policy: PolicyRules
    finder: FactFinder
    tools: Mapping[str, Tool]
    history: Callable[[], CallHistory]

    def judged(
        self, steps: Iterable[ShownStep], draft: Iterable[Step] = ()
    ) -> tuple[ShownStep, ...]:
        """Return the steps of a plan with their rules, and marked if they form the trifecta.

        Steps that have ended are in the history of the run; each other one follows those before it.

        Args:
            steps: The steps.
            draft: Steps that a person is editing in the form, as they are now.
        """
        before = self.history()
        before = replace(before, typed=before.typed.with_typed(draft))
        found: list[ShownStep] = []
        is_trifecta = False
        for shown in steps:
            if shown.ended or shown.step.tool not in self.tools:
                found.append(shown)
                continue
            is_trifecta |= before.completes_trifecta(shown.effects, has_inputs=self._has_inputs)
            rule = self._rule_of(shown.step, shown.rehearsal, before)
            found.append(shown if rule is None else replace(shown, rule=rule))
            before = before.after(shown.effects, has_inputs=self._has_inputs)
        return tuple(map(self._marked, found)) if is_trifecta else tuple(found)

    def rule_of(self, step: Step, rehearsal: Rehearsal | None) -> MatchedRule | None:
        """Return the rule that decides about a call that is about to be made; None if none does.

        Args:
            step: The step with the final arguments.
            rehearsal: What the call does to files; None if unknown.
        """
        return self._rule_of(step, rehearsal, self.history()) if self.policy.rules else None

    def redirect_refusal(self, step: Step, rehearsal: Rehearsal | None) -> RedirectRefusal:
        """Return what says why a call must not follow a redirect to an address; "" if it may.

        Where a rule allows the call, one has to allow the other host too; where none does, no rule
        may deny it or want a person to see it. It may be asked on any thread.

        Args:
            step: The step with the final arguments.
            rehearsal: See `rule_of`.
        """
        facts = self._facts(step, rehearsal, self.history()) if self.policy.rules else None
        return no_refusal if facts is None else partial(_why_not_led, self.policy, facts)

    def _facts(
        self, step: Step, rehearsal: Rehearsal | None, before: CallHistory
    ) -> CallFacts | None:
        tool = self.tools.get(step.tool)
        return None if tool is None else self.finder.facts(step, tool, rehearsal, before)

    def _rule_of(
        self, step: Step, rehearsal: Rehearsal | None, before: CallHistory
    ) -> MatchedRule | None:
        """Return the rule for a call; none decides about the answer, which calls nothing."""
        if step.is_final or not self.policy.rules:
            return None
        facts = self._facts(step, rehearsal, before)
        return None if facts is None else self.policy.rule_for(facts)

    @property
    def _has_inputs(self) -> bool:
        return bool(self.finder.data.inputs)

    def _marked(self, shown: ShownStep) -> ShownStep:
        """Return a step of a plan with the trifecta, with what it contributes."""
        roles = roles_of(shown.effects, has_inputs=self._has_inputs)
        words = [said for role, said in ROLE_WORDS.items() if role in roles]
        return replace(shown, trifecta=" and ".join(words))


def _why_not_led(policy: PolicyRules, facts: CallFacts, url: str) -> str:
    """Return why a call must not be led to an address; empty if it may."""
    by_host, by_address = led_to(facts, url)
    found = policy.rule_for(by_address)
    if found is not None and found.decision != "allow":
        return str(found)
    own = policy.rule_for(facts)
    needs_rule = own is not None and own.decision == "allow"
    found = policy.rule_for(by_host)
    is_allowed = found is not None and found.decision == "allow"
    return f"{own}, and none allows the other host" if needs_rule and not is_allowed else ""
