"""`%okso policy offer`, `allow`, `backtest`: rules from what was approved, tried on the journal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from okso_jupyter.errors import UsageError
from okso_jupyter.frames.rule_tables import back_test_frame
from okso_jupyter.legible import visible
from okso_jupyter.magic.command_context import CommandContext
from okso_jupyter.policies.back_test import KINDS, BackTest, back_tests, facts_of
from okso_jupyter.policies.learned_rule import add, as_toml, narrowest, why_never
from okso_jupyter.policies.policy_rule import PolicyRule
from okso_jupyter.policies.policy_rules import PolicyRules, user_file
from okso_jupyter.results import Run
from okso_jupyter.session.session import Session

if TYPE_CHECKING:
    import pandas as pd

    from okso_jupyter.widgets.rule_buttons import RuleOffer

_RUN_AND_STEP: Final = 2
#: Approvers that a rule may be learnt from: a person, or a function in a person's place.
_PEOPLE: Final = frozenset({"user", "callable"})


def offer(asked: CommandContext) -> str:
    """Return the rule that would allow a step from now on, with its back-test."""
    with asked.session() as session:
        run, step_id = run_and_step(asked)
        test = _tested(session, run.id, step_id)
    how = f"%okso policy allow {' '.join(asked.words)} writes it to {user_file()}"
    return visible(f"{as_toml(test.rule)}\n{test}\n{how}")


def allow(asked: CommandContext) -> str:
    """Write the rule that allows a step from now on, and return it with its back-test."""
    with asked.session() as session:
        run, step_id = run_and_step(asked)
        test = _tested(session, run.id, step_id)
    return visible(f"{as_toml(test.rule)}\n{_written(test.rule)}\n{test}")


def rule_offer(open_session: Callable[[], Session], run_id: str, step_id: int) -> RuleOffer:
    """Return the rule that would allow a step from now on, which a click may write as it is shown.

    Args:
        open_session: Opens a session with the notebook's settings and tools.
        run_id: A run that has ended.
        step_id: An approved step of it.

    Raises:
        UsageError: No rule may allow it.
        PolicyError: A policy file has an error.
    """
    from okso_jupyter.widgets.rule_buttons import RuleOffer  # noqa: PLC0415  loads ipywidgets

    with open_session() as session:
        test = _tested(session, run_id, step_id)
    text = f"{as_toml(test.rule)}\n{test}"
    return RuleOffer(visible(text), lambda: visible(_written(test.rule)))


def _written(rule: PolicyRule) -> str:
    """Write a rule to the user's file, and return where it stands."""
    added = add(rule)
    return f"written to {added.file}, line {added.line}"


def backtest(asked: CommandContext) -> pd.DataFrame:
    """Return what each rule that counts would have done to the calls in the journal."""
    if asked.words:
        msg = f"%okso policy backtest takes nothing, and was given {' '.join(asked.words)!r}"
        raise UsageError(msg, hint="%okso policy offer RUN STEP tries a rule that is not there yet")
    with asked.session() as session:
        rules = PolicyRules.load(session.root).rules
        tests = back_tests(session.journal, rules, session.tools)
    return back_test_frame([(test.rule.matched, test.counts) for test in tests])


def _tested(session: Session, run_id: str, step_id: int) -> BackTest:
    """Return the narrowest rule for an approved step, tried on the journal; see `_learned`."""
    rule = _learned(session, run_id, step_id)
    (test,) = back_tests(session.journal, [rule], session.tools)
    return test


def _learned(session: Session, run_id: str, step_id: int) -> PolicyRule:
    """Return the narrowest rule for an approved step of a run.

    Raises:
        UsageError: There is no such step, no person approved it, or no rule may allow it.
        PolicyError: A policy file has an error.
    """
    events = session.journal.events(run_id, *KINDS)
    found = [
        (past, facts)
        for past, facts in facts_of(run_id, events, session.tools)
        if past.scope.step.id == step_id and past.outcome == "approved" and past.by in _PEOPLE
    ]
    if not found:
        msg = f"no person approved step {step_id} of the run {run_id}"
        raise UsageError(msg, hint=f"%okso policy why {run_id} {step_id} says who decided")
    past, facts = found[-1]
    ruled = PolicyRules.load(session.root).rule_for(facts)
    rule = narrowest(facts, session.tools[facts.tool])
    never = why_never(past.scope) or (str(ruled) if ruled else "")
    if never or rule is None:
        why = never or "it names too little"
        msg = f"no rule is offered for step {step_id} ({facts.tool}): {why}"
        raise UsageError(msg, hint="docs/policies.md says what a rule may allow")
    return replace(rule, reason=f"approved in {run_id}")


def run_and_step(asked: CommandContext) -> tuple[Run, int]:
    """Return a run, without words of it the last one, and the id of a step.

    Raises:
        UsageError: The words are not these.
    """
    words = asked.words
    if not 0 < len(words) <= _RUN_AND_STEP or not words[-1].isdecimal():
        msg = "%okso policy: which step of which run?"
        raise UsageError(
            msg, hint="write STEP for one of the last run, or RUN STEP; %okso runs lists the runs"
        )
    return replace(asked, words=words[:-1]).run(), int(words[-1])
