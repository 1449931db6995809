"""Arguments of the public API, parsed and checked: requests, plans, approvers, sampling."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from okso_jupyter.approval.policy import Approver, Decider, Policy, settle
from okso_jupyter.approval.request_builder import check_arguments, check_tools
from okso_jupyter.errors import UsageError
from okso_jupyter.plan.plan import Plan
from okso_jupyter.planning.outcome import Planning
from okso_jupyter.replay.recorded_decisions import RecordedDecisions
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.catalog import ToolCatalog
from okso_jupyter.toolkit.notebook_variables import NotebookVariables
from okso_jupyter.toolkit.step_expansion import expanded

#: "ask", "auto", "deny", "replay=FILE" or a function of the plan.
Approve = str | Approver | Decider
_REPLAY: Final = "replay="


def checked_request(request: object) -> str:
    """Return the request without surrounding blanks; UsageError if it is empty or not text."""
    if not isinstance(request, str) or not request.strip():
        msg = "the request is empty"
        raise UsageError(msg, hint="say in plain words what should be done")
    if not request.isascii() and request.encode("utf-8", "replace").decode() != request:
        msg = "the request holds characters that are not text"
        raise UsageError(msg, hint="type them again")
    return request.strip()


def replaceable(paths: object) -> frozenset[str]:
    """Return the paths that any policy may replace, as the caller wrote them.

    Raises:
        UsageError: They are a text, whose letters would be taken for paths, or not all are texts.
    """
    if isinstance(paths, str):
        msg = f"may_replace is the text {paths!r}, not a list of paths"
        raise UsageError(msg, hint=f"write may_replace=[{paths!r}]")
    found: list[object] = [*paths] if isinstance(paths, Iterable) else [None]
    if not all(isinstance(path, str) for path in found):
        msg = "may_replace is not a list of paths"
        raise UsageError(msg, hint='write may_replace=["report.txt"]')
    return frozenset(map(str, found))


def check_no_variables(notebook_variables: NotebookVariables) -> None:
    """Raise UsageError for inputs or outputs beside a planning, which has its own."""
    if notebook_variables.bodies or notebook_variables.data.outputs:
        msg = "the plan already has its inputs and outputs"
        raise UsageError(msg, hint="name them when planning: session.plan(..., inputs=...)")


def plan_from_argument(
    wanted: Plan | Planning | Mapping[str, Any] | list[Any], tools: ToolCatalog
) -> tuple[Plan, str]:
    """Return the plan, with workflows expanded to calls, and how it was chosen.

    Raises:
        UsageError: It is a request, which has to be planned first.
        PlanError: It is not a valid plan, or not for these tools.
    """
    given: object = wanted  # of any type, whatever the annotations say
    if isinstance(given, str):
        msg = "execute takes a plan, not a request"
        raise UsageError(msg, hint="session.run(request) plans it, shows it and runs it")
    if isinstance(wanted, Planning):
        check_tools(wanted.plan, tools)
        return wanted.plan.copy(), wanted.note
    plan = expanded(wanted.copy() if isinstance(wanted, Plan) else Plan.from_dict(wanted), tools)
    check_tools(plan, tools)
    check_arguments(plan, tools)
    return plan, ""


def policy_of(approve: Approve | None, settings: Settings) -> Policy:
    """Return the policy: the argument, else the settings; FORCE_CONFIRM overrides both.

    Raises:
        UsageError: It is not a valid policy.
        RecordingError: The recording of the decisions cannot be read.
    """
    wanted = settings.okso_approve if approve is None else approve
    if settings.okso_replay is not None and wanted != "deny":
        return "auto"  # the recording decides: see `boundaries.recorded_policy`
    if isinstance(wanted, str) and wanted.startswith(_REPLAY) and not settings.force_confirm:
        return RecordedDecisions.open(wanted.removeprefix(_REPLAY))
    everything = settings.approve_all or not settings.plan_require_approval
    return settle(
        "ask" if isinstance(wanted, str) and wanted.startswith(_REPLAY) else wanted,
        approve_all=everything and approve is None,
        force_confirm=settings.force_confirm,
    )


def sampling_as(
    settings: Settings, samples: int | None, temperature: float | None, seed: int | None
) -> Settings:
    """Return the settings, with the sampling values that the caller gave."""
    given: dict[str, Any] = {
        "planner_sample_count": samples,
        "planner_temperature": temperature,
        "planner_seed": seed,
    }
    asked = {name: value for name, value in given.items() if value is not None}
    if temperature is not None:
        asked["llama_temperature"] = None  # the given temperature takes precedence
    return replace(settings, **asked)


def sampled_as(planning: Planning, settings: Settings) -> Settings:
    """Return the settings that a planning was sampled with, for plans made after feedback."""
    return replace(
        settings,
        planner_sample_count=planning.wanted or settings.planner_sample_count,
        planner_temperature=planning.chosen.temperature,
        planner_seed=planning.seed,
        llama_temperature=None,
    )
