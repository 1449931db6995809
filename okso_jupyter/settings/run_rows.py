"""Declarations of the settings for approving and running plans; see `table`."""

from __future__ import annotations

from dataclasses import dataclass

from okso_jupyter.settings.planner_rows import PlannerRows
from okso_jupyter.settings.ranges import setting


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRows(PlannerRows):
    """Settings for how plans are approved and run."""

    # Approval
    okso_approve: str = setting(
        "ask", "Who decides about a plan; replay=FILE: as decided when FILE was recorded",
        choices=("ask", "auto", "deny"), files=("replay",),
    )  # fmt: skip
    approve_all: bool = setting(default=False, meaning="True means the same as OKSO_APPROVE=auto")
    plan_require_approval: bool = setting(
        default=True, meaning="False means the same as OKSO_APPROVE=auto"
    )
    force_confirm: bool = setting(default=False, meaning="True always asks, whatever else is set")
    okso_approve_timeout_s: float = setting(
        600.0, "Time to decide; then the plan is rejected, or the run paused if it has done "
        "something already", unit="s", low=0.1, high=604800,
    )  # fmt: skip
    keep_going: bool = setting(
        default=False, meaning="True prints why the run of a cell did not complete, instead of an "
        "error that stops *Run All*",
    )  # fmt: skip
    plan_replan_approval: str = setting(
        "ask", "Who decides about a new plan for the rest: `ask` as the first plan was decided; "
        "`auto` approves one whose new steps only read", choices=("ask", "auto"),
    )  # fmt: skip
    # Budgets
    budget_steps: int = setting(
        0, "Calls of tools, retries included, after which a run pauses and asks a person; 0 is no "
        "limit, here and below", unit="calls", low=0,
    )  # fmt: skip
    budget_tokens: int = setting(
        0, "Tokens that models may read (those in their cache apart) and write", unit="tokens",
        low=0,
    )  # fmt: skip
    budget_time_s: float = setting(
        0.0, "Time of planning and executing; that in which a person decides is not in it",
        unit="s", low=0,
    )  # fmt: skip
    budget_written_bytes: int = setting(
        0, "Size of the files that may be created or changed, added up over the changes",
        unit="bytes", low=0,
    )  # fmt: skip
    budget_requests: int = setting(
        0, "Calls that may send something over the network", unit="calls", low=0
    )
    budget_day_steps: int = setting(
        0, "As BUDGET_STEPS, for all runs together that began today", unit="calls", low=0
    )
    budget_day_tokens: int = setting(0, "As BUDGET_TOKENS, for today's runs", unit="tokens", low=0)
    budget_day_time_s: float = setting(0.0, "As BUDGET_TIME_S, for today's runs", unit="s", low=0)
    budget_day_written_bytes: int = setting(
        0, "As BUDGET_WRITTEN_BYTES, for today's runs", unit="bytes", low=0
    )
    budget_day_requests: int = setting(
        0, "As BUDGET_REQUESTS, for today's runs", unit="calls", low=0
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
        "replan", "After a step that failed for good: plan the rest anew, skip only the steps that "
        "depend on it (also where there is no new plan), or stop",
        choices=("replan", "skip", "stop"),
    )  # fmt: skip
    plan_max_replans: int = setting(
        3, "New plans for the rest of a run, over every cause", unit="plans", low=0, high=20
    )
    react_replan_failure_threshold: int = setting(
        2, "Failures in a row, of whatever class, after which the rest is planned anew",
        unit="steps", low=1, high=100,
    )  # fmt: skip
    plan_abort_on_step_failure: bool = setting(
        default=False, meaning="True means the same as ON_FAILURE=stop"
    )
    plan_max_parallel: int = setting(
        4, "Most steps side by side, of those that may be", unit="steps", low=1, high=64
    )
    plan_delegate_steps: bool = setting(
        default=False,
        meaning="True runs steps whose tool has no effect at all on the cluster of OKSO_CLUSTER",
    )
    okso_cluster: str | None = setting(
        None, "Address of a dask scheduler, such as tcp://127.0.0.1:8786", optional=True
    )
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
        default=True, meaning="Check the answer once; one that fails gets one new plan. The "
        "bundled model is not asked: rules look for empty, placeholder, nothing observed in it",
    )  # fmt: skip
    validation_max_tokens: int = setting(
        512, "Most tokens of a model's verdict on an answer", unit="tokens", low=32, high=32768
    )
    python_state: str = setting(
        "persist", "Variables of python_repl between the calls of a run",
        choices=("persist", "fresh"),
    )  # fmt: skip
    table_backend: str | None = setting(
        None, "Address of a database whose tables can be asked, beside files and variables: "
        "postgres://user@host/name or sqlite:///file; its password belongs into the environment",
        optional=True, secret=True,
    )  # fmt: skip
    workflows_dir: str | None = setting(
        None, "Folders with workflows, as a path list; where it is not set, the trusted files of "
        "`workflows/` beside the notebook", optional=True,
    )  # fmt: skip
