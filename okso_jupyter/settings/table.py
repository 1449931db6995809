"""The rows: a field's name in capitals is the name in the environment and after `--set`.

Precedence: cell option > Session or %config > environment > config.env > default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Self

import platformdirs

from okso_jupyter.settings.layers import known_values, names_of, places
from okso_jupyter.settings.ranges import checked, setting

#: What is shown in place of a secret.
HIDDEN: Final = "(set)"
#: How the settings call the roles of a model.
_SPEC_PREFIXES: Final[Mapping[str, str]] = {
    "planner": "planner",
    "executor": "executor",
    "rephraser": "search_rephraser",
    "intent": "intent",
    "validator": "validator",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings, checked; see the README for the same as a table."""

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
        None, "Model that tells kinds of request apart; the planner's where it is not set",
        optional=True,
    )  # fmt: skip
    intent_model_branch: str = setting("main", "The same for INTENT_MODEL_SPEC")
    validator_model_spec: str | None = setting(
        None, "Model that checks answers; the executor's where it is not set", optional=True
    )
    validator_model_branch: str = setting("main", "The same for VALIDATOR_MODEL_SPEC")
    planner_sample_count: int = setting(
        3, "Candidates to sample; below 1 counts as 1", unit="plans", high=256
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
    # Intent and search
    intent: str = setting(
        "auto", "Who tells kinds of request apart: `auto` words, or the model of INTENT_MODEL_SPEC "
        "where it is set; `model` the model of that role; `off` nobody: every tool, search always",
        choices=("auto", "model", "off"),
    )  # fmt: skip
    intent_confidence_min: float = setting(
        0.45, "How sure the kind of request must be for the choice of tools to be narrowed by it",
        low=0, high=1,
    )  # fmt: skip
    intent_max_output_tokens: int = setting(
        256, "Most tokens of a model that tells kinds of request apart",
        unit="tokens", low=8, high=4096,
    )  # fmt: skip
    # Approval
    okso_approve: str = setting("ask", "Who decides about a plan", choices=("ask", "auto", "deny"))
    approve_all: bool = setting(default=False, meaning="True means the same as OKSO_APPROVE=auto")
    plan_require_approval: bool = setting(
        default=True, meaning="False means the same as OKSO_APPROVE=auto"
    )
    force_confirm: bool = setting(default=False, meaning="True asks whatever else is said")
    okso_approve_timeout_s: float = setting(
        600.0, "Time to decide; then the plan is rejected", unit="s", low=0.1, high=604800
    )
    # Executor
    executor_mode: str = setting(
        "plan", "Who makes the calls: the approved `plan`, with open arguments filled; `react`: a "
        "model proposes each one against the step that is due; `call`: a model writes each step's",
        choices=("plan", "react", "call"), switches={
            "USE_REACT_LLAMA": ("plan", "react"), "USE_EXECUTOR_LLAMA": ("plan", "react"),
        },
    )  # fmt: skip
    react_retry_buffer: int = setting(
        2, "Turns of `react` beyond the plan's length", unit="turns", low=0, high=64
    )
    missing_policy: str = setting(
        "fail", "What becomes of a step whose arguments stay open: it fails, or runs with "
        "`__MISSING__` in their place", choices=("fail", "surface"),
    )  # fmt: skip
    on_failure: str = setting(
        "stop", "After a failed step: stop, or skip only the steps that depend on it",
        choices=("stop", "skip"),
    )  # fmt: skip
    plan_max_retries: int | None = setting(
        None, "Retries of a step that sets none; 1 after a transient failure, else 0",
        unit="retries", low=0, high=10, optional=True,
    )  # fmt: skip
    plan_default_step_timeout_s: float = setting(
        300.0, "Time of a step that sets none", unit="s", low=0.01, high=86400
    )
    history_style: str = setting(
        "latest_raw", "What a model is shown of a run: the latest step in full and earlier ones in "
        "short, or `compact`: a line of JSON each", choices=("latest_raw", "compact"),
    )  # fmt: skip
    prompt_token_budget: int = setting(
        4096, "Most tokens of a prompt that fills arguments or composes an answer",
        unit="tokens", low=128, high=131072,
    )  # fmt: skip
    summary_line_char_limit: int = setting(
        240, "Longest line of a summary", unit="characters", low=20, high=10000
    )
    final_answer: str = setting(
        "compose", "`digest` never asks a model for the answer", choices=("compose", "digest")
    )
    enable_answer_validation: bool = setting(
        default=True, meaning="Check the answer once; one that will not do gets one new plan. The "
        "bundled model is not asked: rules look for empty, placeholder, nothing observed in it",
    )  # fmt: skip
    validation_max_tokens: int = setting(
        512, "Most tokens of a model's verdict on an answer", unit="tokens", low=32, high=32768
    )
    python_state: str = setting(
        "persist", "Variables of python_repl between the calls of a run",
        choices=("persist", "fresh"),
    )  # fmt: skip
    workflows_dir: str | None = setting(
        None, "Folders with workflows, as a path list; `workflows/` beside the notebook where it "
        "is not set", optional=True,
    )  # fmt: skip
    # Web
    web_http_timeout: float = setting(
        20.0, "Time of one web request, redirects and retries included", unit="s", low=0.1, high=600
    )
    web_http_connect_timeout: float = setting(
        5.0, "Time for connecting to a web host", unit="s", low=0.1, high=600
    )
    web_http_retries: int = setting(
        1, "Repetitions of a web request that failed in passing", unit="retries", low=0, high=10
    )
    web_http_retry_delay: float = setting(
        1.0, "Time before a web request is repeated", unit="s", low=0, high=60
    )
    web_fetch_max_bytes: int = setting(
        5242880, "Most bytes of a web page; what is beyond is cut off",
        unit="bytes", low=1, high=1 << 28,
    )  # fmt: skip
    search_provider: str | None = setting(
        None, "Who answers web searches; google where its keys are set, else searxng where its "
        "address is, else nobody", choices=("google", "searxng", "ddgs"), optional=True,
    )  # fmt: skip
    google_search_api_key: str | None = setting(
        None, "Key of Google Custom Search; also read from `.env` beside the notebook",
        aliases=("OKSO_GOOGLE_CSE_API_KEY",), optional=True, secret=True,
    )  # fmt: skip
    google_search_cx: str | None = setting(
        None, "Search engine of Google Custom Search; also read from `.env` beside the notebook",
        aliases=("OKSO_GOOGLE_CSE_ID",), optional=True, secret=True,
    )  # fmt: skip
    searxng_url: str | None = setting(
        None, "Address of a SearXNG instance; it may be on this machine", optional=True
    )
    # Feedback
    feedback_enabled: bool = setting(default=True, meaning="False takes no ratings")
    feedback_output_path: str | None = setting(
        None, "JSONL file of ratings, in OKSO_HOME or the folder of config.env; feedback.jsonl in "
        "OKSO_HOME where it is not set", optional=True,
    )  # fmt: skip
    feedback_min_interval: float = setting(
        0.0, "Time between two ratings", unit="s", low=0, high=86400
    )
    feedback_max_entries: int = setting(
        1000, "Ratings in the file; a full one is kept beside the new one",
        unit="ratings", low=1, high=1_000_000,
    )  # fmt: skip
    feedback_noninteractive_input: str | None = setting(
        None, "Answer to every question for a rating, as `rating|note`", optional=True
    )
    testing_passthrough: bool = setting(
        default=False, meaning="True asks no model at all: plans by keywords, arguments as they "
        "are given, answers from what was observed",
    )  # fmt: skip
    # llama.cpp
    llama_default_context_size: int = setting(
        4096, "Context of a model in this process", unit="tokens", low=256, high=1048576
    )
    llama_context_cap: int = setting(
        8192, "Longest context that a long prompt may raise it to", unit="tokens",
        low=256, high=1048576,
    )  # fmt: skip
    llama_context_margin_percent: int = setting(
        15, "Added to the tokens that a call is known to need", unit="%", low=0, high=400
    )
    llama_threads: int | None = setting(
        None, "Threads of llama.cpp; measured on the work itself where it is not set",
        unit="threads", low=1, high=1024, optional=True, unset="auto",
    )  # fmt: skip
    llama_temperature: float | None = setting(
        None, "Overrides the temperature of every role", low=0, high=1, optional=True
    )
    llama_bin: str | None = setting(
        None, "A llama.cpp server binary that runs GGUF files, in place of the library in this "
        "process", optional=True,
    )  # fmt: skip
    llama_timeout_s: float = setting(
        0.0, "Longest time of one call of a served model; 0 is none", unit="s", low=0, high=86400,
        aliases=("LLAMA_TIMEOUT_SECONDS",),
    )  # fmt: skip
    okso_api_key: str | None = setting(
        None, "Key that is sent to the servers of http model specs; never shown",
        optional=True, secret=True,
    )  # fmt: skip
    # Logs and files
    okso_home: str | None = setting(
        None, "Folder of journal and logs, private; the user's state folder where it is not set",
        optional=True,
    )  # fmt: skip
    okso_run_id: str | None = setting(
        None, "Id of the run; UTC time and a random part where it is not set", optional=True
    )
    verbosity: int = setting(
        1, "Log of `okso_jupyter`: 0 warnings, 1 information, 2 debug with prompts", low=0, high=2
    )

    def __post_init__(self) -> None:
        """Check every value, so that no Settings out of range can exist."""
        for spec in fields(self):
            value = checked(spec.name, getattr(self, spec.name), spec.metadata, spec.type)
            object.__setattr__(self, spec.name, value)

    @classmethod
    def load(
        cls,
        *layers: Mapping[str, Any],
        environ: Mapping[str, str] | None = None,
        config_file: Path | None = None,
        folder: Path | None = None,
    ) -> Self:
        """Read the settings from everywhere, later layers first.

        Args:
            layers: Mappings of names in capitals to values, the strongest one last.
            environ: The environment; the process's own where none is given.
            config_file: A `config.env`; the user's own where none is given.
            folder: Where a `.env` with search keys may be; the working folder where none is given.

        Raises:
            SettingError: A name is unknown or a value out of range, and where it stands.
        """
        values: dict[str, Any] = {}
        for place, layer in places(environ, config_file, folder):
            values |= known_values(fields(cls), layer, place, strict=False)
        for layer in layers:
            values |= known_values(fields(cls), layer, "", strict=True)
        return cls(**values)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Return the defaults with these values, by name in capitals; nothing else is read.

        Raises:
            SettingError: A name is unknown or a value out of range.
        """
        return cls(**known_values(fields(cls), values, "", strict=True))

    @property
    def home(self) -> Path:
        """Folder of journal and logs."""
        if self.okso_home:
            return Path(self.okso_home).expanduser()
        return Path(platformdirs.user_state_path("okso"))

    @property
    def debug_log(self) -> Path:
        """File of the candidates' log."""
        if self.planner_debug_log:
            return Path(self.planner_debug_log).expanduser()
        return self.home / "planner_candidates.jsonl"

    def temperature_for(self, samples: int) -> float:
        """Return the temperature to sample that many plans with."""
        for temperature in (self.llama_temperature, self.planner_temperature):
            if temperature is not None:
                return temperature
        return 0.2 if samples == 1 else 0.7

    @property
    def fallback(self) -> str:
        """What becomes of planning where there is no model."""
        return "keyword" if self.testing_passthrough else self.planner_fallback

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values that must never be shown, wherever they were set."""
        values = (getattr(self, spec.name) for spec in fields(self) if spec.metadata.get("secret"))
        return tuple(value for value in values if value)

    def to_dict(self) -> dict[str, Any]:
        """Return every setting under its name in capitals; of a secret, only that it is set."""
        return {
            spec.name.upper(): HIDDEN if value and spec.metadata.get("secret") else value
            for spec in fields(self)
            for value in [getattr(self, spec.name)]
        }

    def model_of(self, role: str) -> tuple[str, str]:
        """Return the model spec of a role and its revision, or those it falls back to."""
        prefix = _SPEC_PREFIXES[role]
        spec: str | None = getattr(self, f"{prefix}_model_spec")
        if spec is None:
            return self.model_of("executor" if role == "validator" else "planner")
        return spec, getattr(self, f"{prefix}_model_branch")


def names() -> dict[str, str]:
    """Return every name in capitals that may be set, aliases included, with its field."""
    return names_of(fields(Settings))


def sources(config: Mapping[str, Any]) -> dict[str, str]:
    """Return where each setting that is not at its default comes from, by field name.

    Args:
        config: What `%config` set, by name in capitals.

    Raises:
        SettingError: `config.env` cannot be read.
    """
    known = names()
    return {
        known[name]: place
        for place, layer in [*places(), ("%config", config)]
        for name in layer
        if name in known
    }
