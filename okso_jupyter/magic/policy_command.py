"""`%okso policy`: the rules that count, what they say of a call, and why a step was decided so."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from okso_jupyter.errors import UsageError
from okso_jupyter.frames.rule_tables import policy_frame
from okso_jupyter.legible import visible
from okso_jupyter.magic.command_context import CommandContext
from okso_jupyter.magic.policy_learning import allow, backtest, offer, run_and_step
from okso_jupyter.magic.subcommands import POLICY_WORDS, check_part
from okso_jupyter.plan.approval_request import ShownStep
from okso_jupyter.policies.policy_file import NAME
from okso_jupyter.policies.policy_rules import PolicyRules, user_file
from okso_jupyter.results import Run
from okso_jupyter.session.policy_trial import tried
from okso_jupyter.settings import working_folder

if TYPE_CHECKING:
    import pandas as pd


def policy(asked: CommandContext) -> pd.DataFrame | str:
    """The rules that count; test and why explain; offer and allow learn; backtest tries them."""
    if not asked.words:
        return _rules()
    part, *words = asked.words
    check_part("policy", part, POLICY_WORDS)
    return _PARTS[part](replace(asked, words=words))


def _rules() -> pd.DataFrame:
    """Return the rules in the order in which they are asked."""
    rules = PolicyRules.load(working_folder())
    ignored = [file.path.name for file in rules.files if not file.is_trusted]
    nothing = f"There is no rule: {user_file()} holds yours, {NAME} beside the notebook a folder's."
    if ignored:
        nothing = f"There is no rule that counts: %okso trust {NAME} has those of this folder count"
    return policy_frame([rule.matched for rule in rules.rules], nothing=nothing)


def _test(asked: CommandContext) -> str:
    """Return what would be decided about a call.

    Raises:
        UsageError: The words are not a tool and its arguments.
    """
    if not asked.words or any("=" not in word for word in asked.words[1:]):
        msg = "%okso policy test: which call?"
        raise UsageError(msg, hint="such as: %okso policy test file_write path=a.txt content=x")
    tool, *pairs = asked.words
    args = dict(pair.split("=", 1) for pair in pairs)
    with asked.session() as session:
        return visible(_decision(tried(session, tool, _as_values(args))))


def _as_values(args: Mapping[str, str]) -> dict[str, Any]:
    """Return arguments with JSON lists and numbers in place of their texts."""
    return {name: _value(text) for name, text in args.items()}


def _value(text: str) -> object:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, list | dict | int | float | bool) else text


def _decision(shown: ShownStep) -> str:
    """Return in a sentence what is decided about a step, and why."""
    if shown.denial:
        return f"denied: {shown.denial}"
    if shown.person_reason:
        return f"asks a person: {shown.person_reason}"
    if shown.rule is not None:
        return f"allowed: {shown.rule}"
    return "no rule matches: the setting OKSO_APPROVE decides, which asks by default"


def _why(asked: CommandContext) -> str:
    """Return why a step of a run was decided as it was.

    Raises:
        UsageError: The words are not a step of a run.
    """
    run, step_id = run_and_step(asked)
    if run.plan is None or step_id not in {step.id for step in run.plan.steps}:
        msg = f"the run {run.id} has no step {step_id}"
        raise UsageError(msg, hint=f"%okso plan {run.id} shows its steps")
    return visible("\n".join([*_rule_lines(run, step_id), *_decided_lines(run, step_id)]))


def _rule_lines(run: Run, step_id: int) -> Sequence[str]:
    """Return which rules decided about a step, each once."""
    found = {
        f"when {'it was shown' if use.when == 'shown' else 'it was called'}: {use.matched}": None
        for use in run.rules_matched
        if use.step_id == step_id
    }
    if run.beginning is not None and run.beginning.is_replay:
        return ["a replay asks no rule: it repeats what was decided"]
    return [*found] or [f"no rule matched step {step_id}"]


def _decided_lines(run: Run, step_id: int) -> Sequence[str]:
    """Return who approved a step last, or that it was not approved."""
    named = [made for made in run.decisions if str(step_id) in map(str, made["steps"])]
    if not named:
        return [f"step {step_id} was not approved"]
    reason = f" ({named[-1]['reason']})" if named[-1]["reason"] else ""
    return [f"step {step_id} was approved by {named[-1]['by']}{reason}"]


_PARTS: Final[Mapping[str, Callable[[CommandContext], pd.DataFrame | str]]] = {
    "test": _test,
    "why": _why,
    "offer": offer,
    "allow": allow,
    "backtest": backtest,
}
