"""Declarations of the settings for planning; see `table`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from okso_jupyter.settings.ranges import setting


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerRows:
    """Settings for how plans are made."""

    # Planner
    planner_model_spec: str = setting(
        "bundled", "Model that plans: `bundled`, a GGUF file, `owner/repository[:file]` on the "
        "Hugging Face hub, `auto`: one from there that fits the memory, or http(s)://host/v1#model",
    )  # fmt: skip
    planner_model_branch: str = setting(
        "main", "Branch, tag or commit of PLANNER_MODEL_SPEC where it is on the hub"
    )
    executor_model_spec: str | None = setting(
        None,
        "Model that fills arguments and composes answers; the planner's where it is not set",
        aliases=("REACT_MODEL_SPEC",),
        optional=True,
    )
    executor_model_branch: str = setting(
        "main", "The same for EXECUTOR_MODEL_SPEC", aliases=("REACT_MODEL_BRANCH",)
    )
    search_rephraser_model_spec: str | None = setting(
        None, "Model that words searches; the planner's where it is not set", optional=True
    )
    search_rephraser_model_branch: str = setting("main", "The same for SEARCH_REPHRASER_MODEL_SPEC")
    intent_model_spec: str | None = setting(
        None, "Model that tells kinds of request apart; words do where it is not set, or the "
        "planner's under INTENT=model", optional=True,
    )  # fmt: skip
    intent_model_branch: str = setting("main", "The same for INTENT_MODEL_SPEC")
    validator_model_spec: str | None = setting(
        None, "Model that checks answers; the executor's where it is not set", optional=True
    )
    validator_model_branch: str = setting("main", "The same for VALIDATOR_MODEL_SPEC")
    planner_sample_count: int = setting(
        3, "Candidates to sample at most; below 1 counts as 1", unit="plans", high=256
    )
    planner_temperature: float | None = setting(
        None,
        "Sampling temperature; 0.7, or 0.2 for a single candidate",
        low=0,
        high=1,
        optional=True,
    )
    planner_max_output_tokens: int = setting(
        1024, "Most tokens of one candidate", unit="tokens", low=16, high=32768
    )
    planner_max_plan_steps: int = setting(
        6, "Budget of a plan, `final_answer` included", unit="steps", low=1, high=64
    )
    planner_thoughts: str = setting(
        "auto", "Whether the model writes why each step is there: `auto` where it is known to have "
        "more than two billion parameters", choices=("auto", "always", "never"),
    )  # fmt: skip
    planner_debug_log: str | None = setting(
        None, "JSONL log of the candidates; in OKSO_HOME where it is not set", optional=True
    )
    planner_seed: int | None = setting(
        None, "Seed of the first candidate; drawn and recorded where it is not set",
        low=0, high=2**53, optional=True,
    )  # fmt: skip
    plan_algorithm: str = setting(
        "sample", "How candidates are made: whole plans sampled, or grown step by step by beam "
        "search, Monte Carlo tree search or A*", choices=("sample", "beam", "mcts", "astar"),
    )  # fmt: skip
    planner_fallback: str = setting(
        "stop", "Without a model: an error that names the fix, a plan by keywords, or an answer "
        "that says so", choices=("stop", "keyword", "direct"),
    )  # fmt: skip
    plan_planning_timeout_s: float = setting(
        60.0, "Soft limit of one planning call: it stops once a candidate is finished; at "
        "twice this time the finished steps of an unfinished plan are shown to a person; 0 is "
        "none", unit="s", low=0, high=86400,
    )  # fmt: skip
    score_preset: str = setting(
        "default", "Scoring rules: okso's own points, or its rules with repaired incentives",
        choices=("default", "okso"),
    )  # fmt: skip
    score_length: str = setting("budget", "How length is scored", choices=("budget", "quadratic"))
    len_penalty_k: float = setting(
        1.0, "Factor of the quadratic length rule", unit="points", low=0, high=1000
    )
    score_args: str = setting(
        "lenient", "Argument checks: `lenient` overlooks what is missing or still to be filled",
        choices=("lenient", "strict", "off"),
    )  # fmt: skip
    score_weights: Mapping[str, float] = field(
        default_factory=dict,
        metadata={"meaning": "Factor per scoring rule, as a JSON object; 1 where none is given"},
    )
    plan_enabled: bool = setting(
        default=True, meaning="False makes no plan: the executor's model is asked for one call"
    )
    plan_auto_detect: bool = setting(
        default=True, meaning="Say when a request looks too simple or too complex for the mode"
    )
    plan_checks: bool = setting(
        default=True, meaning="Refuse a plan whose code is not valid Python or whose files are "
        "missing; false runs it anyway",
    )  # fmt: skip
    min_confidence: float = setting(
        0.0, "How sure the reading of a question about a table must be to run where no person "
        "approves; below it the answer says “not sure” and lists the best readings",
        low=0, high=1,
    )  # fmt: skip
    plan_clear_context: bool = setting(
        default=True,
        meaning="False tells the planner what this kernel's last requests came to",
    )
    # Intent and search
    intent: str = setting(
        "auto", "Who tells kinds of request apart: `auto` words, or the model of INTENT_MODEL_SPEC "
        "where it is set; `model` the model of that role; `off` nothing: every "
        "tool is kept, and the web always searched",
        choices=("auto", "model", "off"),
    )  # fmt: skip
    intent_confidence_min: float = setting(
        0.45, "How sure the kind of request must be for the choice of tools to be narrowed by it",
        low=0, high=1,
    )  # fmt: skip
    intent_disable_search: bool = setting(
        default=False, meaning="True never searches the web before planning"
    )
    rephraser_max_output_tokens: int = setting(
        256, "Most tokens of a model that words searches", unit="tokens", low=8, high=4096
    )
    intent_max_output_tokens: int = setting(
        256, "Most tokens of a model that tells kinds of request apart",
        unit="tokens", low=8, high=4096,
    )  # fmt: skip
