"""Events of planning and approval: models, candidates, versions of the plan, decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Final, Literal, Self

from okso_jupyter.journal.codec import FLAT, OMIT_DEFAULT, scorecard_from_json
from okso_jupyter.journal.events.base import Recorded
from okso_jupyter.plan.matched_rule import MatchedRule
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.plan_tree import PlanTree
from okso_jupyter.plan.records import Approval, Candidate, Decision

#: Fields of a candidate that are JSON data already.
_OF_CANDIDATE: Final = (
    "index",
    "response",
    "seed",
    "temperature",
    "output_tokens",
    "duration_s",
    "flaw",
    "finished_steps",
    "mended",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BackgroundFound(Recorded):
    """Background of the request was collected before plans are sampled.

    Attributes:
        intent: What kind of request it is.
        web: The web search's terms and results.
        earlier: Results of earlier requests, for the planner's prompt.
        so_far: What the run has done so far, for the planner's prompt.
        calls: The calls of the run in detail, for the prompt of a server.
    """

    kind: ClassVar[str] = "background"
    intent: Mapping[str, Any]
    web: Mapping[str, Any]
    earlier: str
    so_far: str = ""
    calls: str = field(default="", metadata=OMIT_DEFAULT)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchDecided(Recorded):
    """It was decided whether to search the web before planning.

    Attributes:
        terms: What would be searched for.
        destination: Where the terms would be sent.
        shown: Fingerprint of what was shown.
        anywhere: The same with the folder left out.
        given: Whether consent was given.
        by: Who decided.
        words: The decision in words.
    """

    kind: ClassVar[str] = "search_consent"
    terms: tuple[str, ...]
    destination: str
    shown: str = ""
    anywhere: str = ""
    given: bool
    by: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUsed(Recorded):
    """A model was chosen, or no model could be used.

    Attributes:
        role: Role of the model, such as "planner".
        spec: The spec that named it.
        name: A readable name.
        sha256: Hash of the weights; empty if there is no weights file.
        build: Library and version that runs it.
        context_tokens: Maximum tokens of prompt and completion together.
        threads: Threads used for inference.
        together: Completions it can make at about the cost of one.
        weights_bytes: Size of the weights in bytes; 0 if there is no weights file.
        parameters: Number of the model's parameters as its server says; 0 if it does not.
        has_server: Whether a server runs it although its spec names a file (LLAMA_BIN).
        reason: Why no model was used.
    """

    kind: ClassVar[str] = "model"
    role: str
    spec: str
    name: str
    sha256: str | None = field(default=None, metadata=OMIT_DEFAULT)
    build: str | None = field(default=None, metadata=OMIT_DEFAULT)
    context_tokens: int | None = field(default=None, metadata=OMIT_DEFAULT)
    threads: int | None = field(default=None, metadata=OMIT_DEFAULT)
    together: int | None = field(default=None, metadata=OMIT_DEFAULT)
    weights_bytes: int | None = field(default=None, metadata=OMIT_DEFAULT)
    parameters: int | None = field(default=None, metadata=OMIT_DEFAULT)
    has_server: bool | None = field(default=None, metadata=OMIT_DEFAULT)
    reason: str | None = field(default=None, metadata=OMIT_DEFAULT)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptsSent(Recorded):
    """A model's server on another machine is about to be asked, for the first time in this run.

    Attributes:
        host: The server's host, with its port.
        role: Role of the model.
        what: Kinds of content that the prompts may hold.
    """

    kind: ClassVar[str] = "prompts_sent"
    host: str
    role: str
    what: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptCut(Recorded):
    """A prompt was too long, and parts of it were left out.

    Attributes:
        role: Role of the model that the prompt was for.
        parts: What was left out, in words.
    """

    kind: ClassVar[str] = "left_out"
    role: str
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionMade(Recorded):
    """A model wrote a completion.

    Attributes:
        role: Role in which the model was asked, such as "planner".
        prompt: The whole prompt.
        prompt_sha256: Its hash.
        schema: JSON Schema that the completion follows; None for free text.
        temperature: Sampling temperature.
        hot: Regular expression of the parts sampled at the temperature; None for all of it.
        max_tokens: Maximum tokens of the completion.
        seed: Seed of its random stream.
        text: The completion.
        prompt_tokens: Tokens of the prompt.
        cached_tokens: How many of these were in the model's cache.
        output_tokens: Tokens of the completion, forced ones included.
        duration_s: Seconds from the start of the batch to its last token.
        finish: Why it ended.
        step_id: The step that it was for; None for no step, 0 for a completion of the planner.
        log_likelihood: Natural logarithm of the probability of its tokens at temperature 1, among
            what the schema allows; None if it is not known.
    """

    kind: ClassVar[str] = "completion"
    role: str
    prompt: str
    prompt_sha256: str
    schema: Mapping[str, Any] | None
    temperature: float
    hot: str | None = None
    max_tokens: int
    seed: int
    text: str
    prompt_tokens: int
    cached_tokens: int
    output_tokens: int
    duration_s: float
    finish: str
    step_id: int | None = field(default=0, metadata=OMIT_DEFAULT)
    log_likelihood: float | None = field(default=None, metadata=OMIT_DEFAULT)


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeGrown(Recorded):
    """A tree of plans was grown.

    Attributes:
        tree: The tree; its fields are keys of the body.
    """

    kind: ClassVar[str] = "tree"
    tree: PlanTree = field(metadata=FLAT)


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateScored(Recorded):
    """A usable candidate was scored.

    Attributes:
        planning: Seed of the first candidate of its planning call.
        index: Place in the order of sampling, from 1.
        response: The completion as the model wrote it.
        seed: Seed of the candidate's random stream.
        temperature: Sampling temperature.
        output_tokens: Tokens that the model wrote, forced ones included.
        duration_s: Seconds from the start of the batch to its last token.
        flaw: Why it cannot run as it is, in words.
        finished_steps: Steps finished when time ran out; 0 for a complete plan.
        mended: What was mended in the completion to read it as a plan, in words.
        plan: The normalized plan.
        scorecard: The finding of each rule.
    """

    kind: ClassVar[str] = "candidate"
    planning: int
    index: int
    response: str
    seed: int
    temperature: float
    output_tokens: int
    duration_s: float
    flaw: str = field(default="", metadata=OMIT_DEFAULT)
    finished_steps: int = field(default=0, metadata=OMIT_DEFAULT)
    mended: str = field(default="", metadata=OMIT_DEFAULT)
    plan: Mapping[str, Any]
    scorecard: Mapping[str, Any]

    @classmethod
    def of(cls, candidate: Candidate, *, planning: int) -> Self:
        """Return the event for a candidate.

        Args:
            candidate: The candidate.
            planning: Seed of the first candidate of its planning call.
        """
        return cls(
            planning=planning,
            plan=candidate.plan.to_dict(),
            scorecard=asdict(candidate.scorecard),
            **{name: getattr(candidate, name) for name in _OF_CANDIDATE},
        )

    @property
    def candidate(self) -> Candidate:
        """The candidate."""
        return Candidate(
            plan=Plan.from_dict(self.plan),
            scorecard=scorecard_from_json(self.scorecard),
            **{name: getattr(self, name) for name in _OF_CANDIDATE},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleUnusable(Recorded):
    """A sample could not be used as a plan.

    Attributes:
        index: Place in the order of sampling, from 1.
        response: The completion as the model wrote it.
        reason: Why it is not a plan.
    """

    kind: ClassVar[str] = "unusable"
    index: int
    response: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsRanked(Recorded):
    """The tools were ranked by how well they fit the request.

    Attributes:
        tools: Every tool, best fit first.
    """

    kind: ClassVar[str] = "ranking"
    tools: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateChosen(Recorded):
    """A planning call chose its candidate.

    Attributes:
        index: Index of the chosen candidate.
        score: Its points.
        weights: Factor by rule (SCORE_WEIGHTS).
        preset: The set of rules (SCORE_PRESET).
        stopped: Why fewer candidates were drawn than requested, in words; empty if all were drawn.
        doubt: Why no policy may decide about the plan, in words.
        reply: Answer to a request that needs no plan or that no plan can do; else empty.
    """

    kind: ClassVar[str] = "selected"
    index: int
    score: float
    weights: Mapping[str, float]
    preset: str
    stopped: str = ""
    doubt: str = field(default="", metadata=OMIT_DEFAULT)
    reply: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanMade(Recorded):
    """A plan, or a new version of it, was made; the run follows it once it is approved.

    Attributes:
        plan: The plan.
        cause: Why there is a new version, such as "edit" or "failure".
        reason: The same in words.
        doubt: Why no policy may decide about this version, in words.
    """

    kind: ClassVar[str] = "plan"
    plan: Mapping[str, Any]
    cause: str | None = field(default=None, metadata=OMIT_DEFAULT)
    reason: str | None = field(default=None, metadata=OMIT_DEFAULT)
    doubt: str = field(default="", metadata=OMIT_DEFAULT)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanProposed(Recorded):
    """A new version of a plan was proposed while the older version executes.

    Attributes:
        plan: The new version.
        cause: Why there is one, such as "failure".
        reason: The same in words.
        doubt: Why no policy may decide about this version, in words.
    """

    kind: ClassVar[str] = "proposed"
    plan: Mapping[str, Any]
    cause: str | None = field(default=None, metadata=OMIT_DEFAULT)
    reason: str | None = field(default=None, metadata=OMIT_DEFAULT)
    doubt: str = field(default="", metadata=OMIT_DEFAULT)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalShown(Recorded):
    """A plan, a step or a part of a step was shown for approval.

    Attributes:
        about: What was shown: the plan, a step or a part of one.
        run: The run; None in records of earlier versions.
        fingerprint: Hash of everything that was shown.
        anywhere: The same with the folder left out.
        steps: Fingerprint of each step to decide about, by step id.
        terms: What an approval of each step covers.
        policy: Who is to decide.
        front_end: Front end that showed it.
    """

    kind: ClassVar[str] = "shown"
    about: Literal["plan", "step", "part"]
    run: str | None = field(default=None, metadata=OMIT_DEFAULT)
    fingerprint: str
    anywhere: str = ""
    steps: Mapping[int, str]
    terms: tuple[Mapping[str, Any], ...]
    policy: str
    front_end: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleMatched(Recorded):
    """A rule of a policy file decided about a step that was shown, or a call about to be made.

    Attributes:
        step_id: The step.
        plan_version: Version of the plan that the step belongs to.
        tool: The tool.
        when: "shown" for a step of a plan or question, "called" for the call with final arguments.
        matched: The rule; its fields are keys of the body.
    """

    kind: ClassVar[str] = "rule"
    step_id: int
    plan_version: int
    tool: str
    when: Literal["shown", "called"]
    matched: MatchedRule = field(metadata=FLAT)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionMade(Recorded):
    """A decision was made about what was shown last.

    Attributes:
        decision: "approve", "reject" or "feedback".
        shown: Fingerprint of what was shown.
        by: Who decided.
        reason: Why, in words.
        feedback: What should be different; empty unless the decision is "feedback".
        steps: Fingerprint of each approved step, by step id.
        up_to: Id of the last approved step if the rest is to be decided later; else None.
        run: The run; None in records of earlier versions.
        seal: Seal of a person's decision, so that a replay can tell it from a forged one.
    """

    kind: ClassVar[str] = "decision"
    decision: Decision
    shown: str
    by: str
    reason: str
    feedback: str
    steps: Mapping[int, str]
    up_to: int | None = None
    run: str | None = field(default=None, metadata=OMIT_DEFAULT)
    seal: str | None = field(default=None, metadata=OMIT_DEFAULT)

    @property
    def approval(self) -> Approval:
        """The decision as the approver gave it."""
        return Approval(
            decision=self.decision,
            shown=self.shown,
            by=self.by,
            reason=self.reason,
            feedback=self.feedback,
            steps=self.steps,
            up_to=self.up_to,
        )

    @property
    def is_approval(self) -> bool:
        """Whether it approves something."""
        return self.decision == "approve"
