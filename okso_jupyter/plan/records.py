"""Records of a plan's processing: candidates, decisions, calls, observations."""

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
from okso_jupyter.plan.plan import Plan, Step

StepStatus = Literal["completed", "failed", "skipped", "uncertain", "cancelled"]
Decision = Literal["approve", "reject", "feedback"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Result of one scoring rule for one plan.

    Attributes:
        code: Stable code of the rule, such as "P010"; never reused.
        rule: Name of the rule, also its column (`rule_<name>`) and its key in SCORE_WEIGHTS.
        count: Number of things the rule found; 0 if it does not count.
        weight: Factor from SCORE_WEIGHTS, 1 by default.
        points: Points that the rule adds to the score, including the weight.
        reason: One clause for the rationale.
        raw_points: The points before the weight; None if an older journal did not record them.
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
    """The score of one plan with its findings.

    Attributes:
        score: Sum of the findings' points.
        tie_breaker: Ranks plans of the same score; the higher one wins.
        findings: One per rule, in the order of the rules.
    """

    _view = "okso_jupyter.views.mimebundles:scorecard_mimebundle"

    score: float
    tie_breaker: float
    findings: tuple[Finding, ...]

    @classmethod
    def of(cls, findings: Iterable[Finding], tie_breaker: float) -> Scorecard:
        """Return the scorecard of some findings, with their points added up in order."""
        found = tuple(findings)
        # `sum` rounds differently between Python versions, and differently from a browser
        score = reduce(add, (finding.points for finding in found), 0.0)
        return cls(score=score, tie_breaker=tie_breaker, findings=found)

    def weighed(self, weights: Mapping[str, float]) -> Scorecard:
        """Return the scorecard under other weights, as SCORE_WEIGHTS would have given it.

        Args:
            weights: Factor by rule; 1 if missing. Every `raw_points` must be known.
        """
        findings = []
        for finding in self.findings:
            assert finding.raw_points is not None  # noqa: S101  checked by the caller
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
        index: Position in the order of sampling, from 1; unusable samples leave a gap.
        plan: The normalized plan.
        response: The completion as the model wrote it.
        seed: Seed of this candidate's own random stream.
        temperature: Sampling temperature.
        output_tokens: Tokens that the model wrote, including forced ones.
        duration_s: Seconds from the start of the batch to this candidate's last token.
        scorecard: Its score.
        flaw: Why it cannot run as it is, in words; empty if no flaw is known.
        finished_steps: Steps that were finished when the time was up; 0 for a complete plan.
        mended: What was mended in the completion to read it as a plan, in words.
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
    mended: str = ""

    @property
    def doubt(self) -> str:
        """A note that it is only the beginning of a plan; empty for a complete one."""
        if not self.finished_steps:
            return ""
        steps = counted(self.finished_steps, "finished step")
        return f"the time was up after {steps}: the plan may not do all of the request"

    @property
    def rationale(self) -> list[str]:
        """The reasons for its rank: its flaw, what was mended, then the reasons of the rules."""
        flaw = f"cannot run: {self.flaw}" if self.flaw else ""
        mended = f"mended: {self.mended}" if self.mended else ""
        return [*filter(None, (flaw, self.doubt, mended)), *self.scorecard.rationale]

    @property
    def standing(self) -> tuple[float, float, int]:
        """The sort key of candidates, the highest first: score, tie-breaker, the earliest."""
        return self.scorecard.score, self.scorecard.tie_breaker, -self.index


@dataclass(frozen=True, slots=True)
class Feedback:
    """An approver's request for another plan; never an approval."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A decision on exactly what was shown.

    Attributes:
        decision: "approve", "reject" or "feedback".
        shown: `ApprovalRequest.fingerprint` of what was shown.
        by: Who decided: "user", "auto", "deny", "rule", "callable"; "timeout" and "superseded" are
            no one.
        reason: Why, in words: the policy, the option or the person's text.
        feedback: What should be different; empty unless the decision is "feedback".
        steps: Fingerprint of every approved step, by step id.
        up_to: Id of the last approved step if the rest is to be approved later.
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
    """One attempt at one step, with all arguments filled."""

    step_id: int
    tool: str
    args: Mapping[str, Any]
    plan_version: int = 1
    attempt: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """Result of one call.

    Attributes:
        call: The call.
        status: How it ended.
        exit_code: 0 if it completed; None if nothing ran.
        raw: The output as the tool returned it: text or a JSON value.
        text: The output as readable text.
        summary: A short form for later prompts.
        error: Why it failed or was skipped, in one line; empty if it completed.
        error_class: Class of the failure, or None.
        started_at: Start, ISO 8601 in UTC.
        duration_s: Seconds it took.
        changes: Files that it read or changed, and commands that it ran.
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

    def done(self, step: Step) -> Step:
        """Return a step with the arguments of this call: those it left open are filled in."""
        is_its_call = self.call.tool == step.tool and self.call.args
        return replace(step, args=self.call.args) if is_its_call else step
