"""Second question: why no completion is a plan that can run, for a model that may do better.

Only mistakes count that the model can correct: a text that is not a plan, an unknown tool,
arguments that break the tool's schema. A missing file does not count: the model would only name
another one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from okso_jupyter.errors import PlanError
from okso_jupyter.llm.protocol import Completion
from okso_jupyter.plan.flaws import flaws_text
from okso_jupyter.planning.sampling.read_plans import read_plan
from okso_jupyter.toolkit.plan_check import flaws_of
from okso_jupyter.toolkit.tool import Tool


def mistake(
    completions: Sequence[Completion], request: str, tools: Mapping[str, Tool]
) -> tuple[str, str] | None:
    """Return the first text with its mistake; None if a text has none, or no text is whole."""
    found = None
    for completion in completions:
        if completion.finish != "stop" or completion.flaw:
            continue
        reason = _mistake_in(completion.text, request, tools)
        if not reason:
            return None
        found = found or (completion.text, reason)
    return found


def _mistake_in(text: str, request: str, tools: Mapping[str, Tool]) -> str:
    """Return why a text is not a plan that can run; empty if it is."""
    try:
        plan = read_plan(text, request, tools, only_known=True)
    except PlanError as error:
        return error.message
    return flaws_text(flaws_of(plan, tools, None), plan)
