"""EXECUTOR_MODE: selects how the calls of a run are chosen."""

from __future__ import annotations

from collections.abc import Mapping

from okso_jupyter.execution.call_choice import AsPlanned, Mode, OneCall
from okso_jupyter.execution.call_suggestion import Suggester
from okso_jupyter.execution.model_calls import ModelCalls
from okso_jupyter.execution.react import React
from okso_jupyter.toolkit.tool import Tool


def mode_for(model_calls: ModelCalls, tools: Mapping[str, Tool]) -> Mode:
    """Return the mode that the settings name, for one plan execution."""
    settings = model_calls.settings
    if settings.executor_mode == "plan" or not settings.plan_enabled:
        return AsPlanned()  # without planning, the model already wrote the call itself
    suggester = Suggester(model_calls, tools)
    if settings.executor_mode == "call":
        return OneCall(suggester)
    return React(
        suggester, tools, settings.react_retry_buffer, may_realign=settings.plan_max_replans > 0
    )
