"""BackTest: what rules would have said to the calls in the journal, and what people had decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Final, Literal

from okso_jupyter.errors import OksoError
from okso_jupyter.journal.events import (
    ArgumentsFilled,
    CallStarted,
    DecisionMade,
    ObservationMade,
    PlanMade,
    PlanProposed,
    ProposalShown,
    Recorded,
    RunStarted,
)
from okso_jupyter.journal.store import Journal
from okso_jupyter.plan.approval_scope import ApprovalScope
from okso_jupyter.policies.call_facts import CallFacts, FactFinder
from okso_jupyter.policies.call_history import CallHistory
from okso_jupyter.policies.policy_rule import PolicyRule
from okso_jupyter.toolkit.context import RunResources
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.workspace import Workspace

#: What was decided about a step that was shown; "edited" if it was changed or left out first.
ShownOutcome = Literal["approved", "rejected", "edited", "undecided"]
KINDS: Final = (
    RunStarted, PlanMade, PlanProposed, ProposalShown, DecisionMade, CallStarted, ObservationMade,
    ArgumentsFilled,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PastStep:
    """A step that was shown for approval.

    Attributes:
        run_id: Its run.
        scope: What was shown of it.
        outcome: What was decided about it.
        by: Who decided; empty if it was not decided.
        shown: Fingerprint of all that was decided with it; empty if it was not decided.
    """

    run_id: str
    scope: ApprovalScope
    outcome: ShownOutcome
    by: str = ""
    shown: str = ""


@dataclass(frozen=True, slots=True)
class BackTest:
    """What one rule would have done.

    Attributes:
        rule: The rule.
        covered: The earlier steps that it matches.
    """

    rule: PolicyRule
    covered: tuple[PastStep, ...]

    @property
    def counts(self) -> Counter[str]:
        """Number of covered steps by what was decided about them."""
        return Counter(step.outcome for step in self.covered)

    def __str__(self) -> str:
        """Return the counts in words, such as "it covers 4 earlier calls: 3 approved, 1 edited"."""
        parts = [f"{number} {outcome}" for outcome, number in sorted(self.counts.items())]
        calls = f"it covers {len(self.covered)} earlier call{'s' * (len(self.covered) != 1)}"
        return f"{calls}: {', '.join(parts)}" if parts else calls


def back_tests(
    journal: Journal, rules: Sequence[PolicyRule], tools: Mapping[str, Tool]
) -> list[BackTest]:
    """Return what each rule would have done to every step in a journal, each taken alone.

    A run that cannot be read, or whose folder is gone, is left out, as a step whose tool is gone.

    Args:
        journal: The journal.
        rules: The rules.
        tools: The tools at hand.
    """
    found: dict[int, list[PastStep]] = {number: [] for number in range(len(rules))}
    for run_id in journal.run_ids():
        for past, facts in _judged(journal, run_id, tools):
            for number, rule in enumerate(rules):
                if rule.matches(facts):
                    found[number].append(past)
    return [BackTest(rule, tuple(found[number])) for number, rule in enumerate(rules)]


def past_steps(run_id: str, events: Iterable[Recorded]) -> list[PastStep]:
    """Return the steps that were shown in a run, in order, with what was decided about them."""
    found: list[PastStep] = []
    open_: list[ApprovalScope] = []
    for event in events:
        match event:
            case ProposalShown(terms=terms):
                scopes = [ApprovalScope.from_dict(one) for one in terms]
                found += [PastStep(run_id, old, "edited") for old in _changed(open_, scopes)]
                open_ = scopes
            case DecisionMade():
                found += [_decided(run_id, scope, event) for scope in open_]
                open_ = []
    return [*found, *(PastStep(run_id, scope, "undecided") for scope in open_)]


def _changed(
    older: Sequence[ApprovalScope], newer: Sequence[ApprovalScope]
) -> Iterator[ApprovalScope]:
    """Yield the steps that a person changed or left out before deciding."""
    kept = {scope.step.id: scope.step for scope in newer}
    yield from (scope for scope in older if kept.get(scope.step.id) != scope.step)


def _decided(run_id: str, scope: ApprovalScope, made: DecisionMade) -> PastStep:
    is_approved = made.is_approval and scope.step.id in made.steps
    if made.by in {"timeout", "superseded"} or (made.is_approval and not is_approved):
        return PastStep(run_id, scope, "undecided", made.by, made.shown)
    return PastStep(run_id, scope, "approved" if is_approved else "rejected", made.by, made.shown)


def _judged(
    journal: Journal, run_id: str, tools: Mapping[str, Tool]
) -> Iterator[tuple[PastStep, CallFacts]]:
    """Yield the steps of a run with their facts, as far as both can be known now."""
    try:
        events = journal.events(run_id, *KINDS)
        yield from facts_of(run_id, events, tools)
    except (OksoError, OSError):
        return  # a damaged run, or a folder that is gone


def facts_of(
    run_id: str, events: Sequence[Recorded], tools: Mapping[str, Tool]
) -> Iterator[tuple[PastStep, CallFacts]]:
    """Yield the steps that were shown in a run with their facts; answers and lost tools excepted.

    Raises:
        OksoError: The folder of the run cannot be used.
        OSError: The folder of the run is gone.
    """
    started = next((event for event in events if isinstance(event, RunStarted)), None)
    if started is None:
        return
    resources = RunResources(workspace=Workspace(Path(started.root)), scratch=Path(started.root))
    finder = FactFinder(resources=resources, request=started.request)
    try:
        for past in past_steps(run_id, events):
            step = past.scope.step
            if step.tool in tools and not step.is_final:
                before = CallHistory.of_events(_before_call(events, step.id), run_id)
                yield past, finder.facts(step, tools[step.tool], None, before)
    finally:
        resources.workspace.close()


def _before_call(events: Sequence[Recorded], step_id: int) -> Iterator[Recorded]:
    """Yield the events up to the first call of a step: what it gave is no source of its values."""
    return takewhile(lambda e: not (isinstance(e, CallStarted) and e.step_id == step_id), events)
