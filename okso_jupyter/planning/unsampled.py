"""Builds a `Planning` from one plan that was not written by a model."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from okso_jupyter.plan.plan import FINAL_TOOL, Plan
from okso_jupyter.plan.records import Candidate
from okso_jupyter.planning.outcome import Planning
from okso_jupyter.planning.prompt.builder import Ranked
from okso_jupyter.planning.scoring.scorer import score_all
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.step_expansion import expanded
from okso_jupyter.toolkit.tool import Tool


def unsampled(  # noqa: PLR0913  named at every call
    request: str,
    *,
    steps: Sequence[Mapping[str, Any]] = (),
    answer: str = "",
    how: str,
    tools: Mapping[str, Tool],
    settings: Settings,
    turned_down: Sequence[Plan] = (),
    ranked: Sequence[Ranked] = (),
) -> Planning:
    """Return the planning that has the given plan as its only candidate.

    Args:
        request: The request in plain words.
        steps: Tool and arguments of every step but the final one.
        answer: Text of the final step; only used as the answer if there are no other steps.
        how: How the plan was made, in words.
        tools: The catalogue.
        settings: The settings, for scoring.
        turned_down: Rejected earlier plans for the request.
        ranked: How well each tool fits.
    """
    last = {"tool": FINAL_TOOL, "args": {"input": answer} if answer else {}}
    written = [*steps, last]
    plan = expanded(Plan.from_dict({"request": request, "steps": written}), tools)
    card = score_all([plan], tools, settings, request, turned_down)[0]
    candidate = Candidate(
        index=1,
        plan=plan,
        response=json.dumps(written, ensure_ascii=False),
        seed=settings.planner_seed or 0,
        temperature=0.0,
        output_tokens=0,
        duration_s=0.0,
        scorecard=card,
    )
    return Planning(
        request=request,
        sampled=(candidate,),
        unusable=(),
        ranked=tuple(ranked),
        chosen=candidate,
        seed=candidate.seed,
        how=how,
    )
