"""What is recorded about a plan on its way: candidates, decisions, calls, observations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import add
from typing import Any, Literal

from okso_jupyter.amounts import counted
from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.errors import ErrorClass
from okso_jupyter.plan.displayable import Displayable
from okso_jupyter.plan.plan import Plan

StepStatus = Literal["completed", "failed", "skipped", "uncertain", "cancelled"]
Decision = Literal["approve", "reject", "feedback"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one scoring rule says of one plan.

    Attributes:
        code: Stable code of the rule, such as "P010"; never reused.
        rule: Name of the rule, also its column (`rule_<name>`) and its key in SCORE_WEIGHTS.
        count: How many things the rule found; 0 where it has nothing to count.
        weight: Factor from SCORE_WEIGHTS, 1 by default.
        points: What the rule adds to the score, the weight included.
        reason: One clause for the rationale.
        raw_points: The points before the weight; None where an older journal did not keep them.
    """

    code: str
    rule: str
    count: int
    weight: float
    points: float
    reason: str
    raw_points: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorecard(Displayable):
    """The verdict on one plan.

    Attributes:
        score: Sum of the findings' points.
        tie_breaker: Parts plans of the same score; the higher one wins.
        findings: One per rule, in the order of the rules.
    """

    _view = "okso_jupyter.views.mimebundles:scorecard_mimebundle"

    score: float
    tie_breaker: float
    findings: tuple[Finding, ...]

    @classmethod
    def of(cls, findings: Iterable[Finding], tie_breaker: float) -> Scorecard:
        """Return the verdict of some findings, their points added up in their order."""
        found = tuple(findings)
        # `sum` rounds differently from one Python to the next, and not as a browser does
        score = reduce(add, (finding.points for finding in found), 0.0)
        return cls(score=score, tie_breaker=tie_breaker, findings=found)

    def weighed(self, weights: Mapping[str, float]) -> Scorecard:
        """Return the same verdict under other weights, as SCORE_WEIGHTS would have given it.

        Args:
            weights: Factor by rule; 1 where none is given. Every `raw_points` must be known.
        """
        findings = []
        for finding in self.findings:
            assert finding.raw_points is not None  # noqa: S101  the caller has looked
            weight = float(weights.get(finding.rule, 1))
            points = finding.raw_points * weight
            findings.append(replace(finding, weight=weight, points=points))
        return Scorecard.of(findings, self.tie_breaker)

    @property
    def rationale(self) -> list[str]:
        """The reasons, in the order of the rules."""
        return [finding.reason for finding in self.findings]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One sampled plan.

    Attributes:
        index: Place in the order of sampling, from 1; unusable samples leave a gap.
        plan: The normalized plan.
        response: The completion as the model wrote it.
        seed: Seed of this candidate's own random stream.
        temperature: Sampling temperature.
        output_tokens: Tokens that the model wrote, forced ones included.
        duration_s: Seconds from the start of the batch to this candidate's last token.
        scorecard: What the rules say.
        flaw: In words, why it cannot run as it is; empty where nothing is known against it.
        finished_steps: Steps that were finished when the time was up; 0 for a whole plan.
    """

    index: int
    plan: Plan
    response: str
    seed: int
    temperature: float
    output_tokens: int
    duration_s: float
    scorecard: Scorecard
    flaw: str = ""
    finished_steps: int = 0

    @property
    def doubt(self) -> str:
        """In words, that it is the beginning of a plan only; empty for a whole one."""
        if not self.finished_steps:
            return ""
        steps = counted(self.finished_steps, "finished step")
        return f"the time was up after {steps}: the plan may not do all of the request"

    @property
    def rationale(self) -> list[str]:
        """Why it stands where it stands: what is wrong with it, then the reasons of the rules."""
        flaw = f"cannot run: {self.flaw}" if self.flaw else ""
        return [*filter(None, (flaw, self.doubt)), *self.scorecard.rationale]

    @property
    def standing(self) -> tuple[float, float, int]:
        """What candidates are ranked by, the highest first: score, tie-breaker, the earliest."""
        return self.scorecard.score, self.scorecard.tie_breaker, -self.index


@dataclass(frozen=True, slots=True)
class Feedback:
    """An approver's answer that asks for another plan; never an approval."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A decision on exactly what was shown.

    Attributes:
        decision: "approve", "reject" or "feedback".
        shown: `Proposal.fingerprint` of what was shown.
        by: Who decided: "user", "auto", "deny", "callable"; "timeout" and "superseded": nobody did.
        reason: Why, in words: the policy, the option or the person's text.
        feedback: What should be different; empty unless the decision is "feedback".
        steps: Fingerprint of every approved step, by step id.
        up_to: Id of the last step that was approved where the rest is to be asked about later.
    """

    decision: Decision
    shown: str
    by: str
    reason: str = ""
    feedback: str = ""
    steps: Mapping[int, str] = field(default_factory=dict)
    up_to: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One attempt at one step, with every argument filled."""

    step_id: int
    tool: str
    args: Mapping[str, Any]
    plan_version: int = 1
    attempt: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What one call came to.

    Attributes:
        call: The call.
        status: How it ended.
        exit_code: 0 when it completed; None when nothing ran.
        raw: The output as the tool gave it: text or a JSON value.
        text: The output as a person reads it.
        summary: A short form for later prompts.
        error: Why it failed or was skipped, in one line; empty when it completed.
        error_class: Class of the failure, or None.
        started_at: Start, ISO 8601 in UTC.
        duration_s: Seconds it took.
        changes: Files and commands.
    """

    call: ToolCall
    status: StepStatus
    exit_code: int | None
    raw: Any
    text: str
    summary: str
    error: str
    error_class: ErrorClass | None
    started_at: str
    duration_s: float
    changes: Changes = field(default_factory=Changes)
