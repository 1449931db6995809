"""EXECUTOR_MODE: who chooses the calls of a run."""

from __future__ import annotations

from collections.abc import Mapping

from okso_jupyter.execution.aids import Aids
from okso_jupyter.execution.choosing import AsPlanned, Mode, OneCall
from okso_jupyter.execution.react import React
from okso_jupyter.execution.suggest import Suggester
from okso_jupyter.toolkit.tool import Tool


def mode_for(aids: Aids, tools: Mapping[str, Tool]) -> Mode:
    """Return what chooses the calls of one walk."""
    settings = aids.settings
    if settings.executor_mode == "plan" or not settings.plan_enabled:
        return AsPlanned()  # without planning, the call was the model's own
    suggester = Suggester(aids, tools)
    if settings.executor_mode == "call":
        return OneCall(suggester)
    return React(
        suggester, tools, settings.react_retry_buffer, may_realign=settings.plan_max_replans > 0
    )
