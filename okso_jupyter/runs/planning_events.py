"""Journal records of a run's start and of its planning."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import cache
from importlib.metadata import version
from typing import Any, Final

from okso_jupyter.journal.codec import sha256_of
from okso_jupyter.journal.events import (
    BackgroundFound,
    CandidateChosen,
    CandidateScored,
    PromptCut,
    RunStarted,
    SampleUnusable,
    ToolsRanked,
    TreeGrown,
)
from okso_jupyter.journal.older_records import MEANING
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.retention import expire, make_room
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.plan import Plan
from okso_jupyter.planning.background import Background, WebContext
from okso_jupyter.planning.outcome import Planning
from okso_jupyter.planning.planner import PlanningTask
from okso_jupyter.planning.request.intent import Intent
from okso_jupyter.replay.normalization import Places
from okso_jupyter.replay.recorded_entries import head_of
from okso_jupyter.runs.run_context import RunContext

#: Packages whose version may affect plans or their display.
_PACKAGES: Final = ("okso-jupyter", "llguidance", "pandas")


def record_start(context: RunContext, request: str, plan: Plan | None = None) -> None:
    """Record the start of a run, with everything needed to distinguish two runs.

    If the journal is full, the oldest runs are removed, and so are those older than KEEP_DAYS;
    the record names the removed runs.

    Args:
        context: What the stages of the run share.
        request: The request in plain words.
        plan: The plan, if it was not made for the run.
    """
    recorder, settings, root = context.recorder, context.settings, context.root
    dropped = make_room(recorder.journal)
    dropped += expire(recorder.journal, settings.keep_days).runs
    started = RunStarted(
        request=request,
        root=str(root),
        data=asdict(context.data),
        settings=settings.to_dict(),
        tools=tuple(sorted(context.tools)),
        versions=dict(_versions()),
        python=platform.python_version(),
        machine=platform.machine(),
        process_id=os.getpid(),
        places=Places.here(root, settings.home).to_dict(),
        model=context.model.models.spec_of("planner"),
        is_replay=context.boundary.is_replay,
        meaning=MEANING,
        plan_sha256=sha256_of(plan.to_dict()) if plan else "",
        dropped_runs=dropped,
    )
    key = sha256_of(head_of(started))
    recorder.record(replace(started, occurrence=context.request_keys.count(key)))
    context.boundary.found("servers", {}, lambda: list(context.servers) or None)


@cache
def _versions() -> Mapping[str, str]:
    """Return the versions of the packages; what is installed later is not what is loaded."""
    return {name: version(name) for name in _PACKAGES}


def record_background(recorder: RunRecorder, background: Background) -> None:
    """Record the background of a request, found before plans are sampled."""
    recorder.record(BackgroundFound(**asdict(background)))
    LOGGER.debug("intent", extra={"detail": str(background.intent)})


def recorded_background(recorder: RunRecorder) -> Background | None:
    """Return the recorded background, so that a run searches once; None if there is none yet."""
    for found in recorder.journal.events(recorder.run_id, BackgroundFound):
        return Background(
            intent=Intent(**{**found.intent, "groups": tuple(found.intent["groups"])}),
            web=WebContext(**{**found.web, "terms": tuple(found.web["terms"])}),
            earlier=found.earlier,
        )
    return None


def record_task(recorder: RunRecorder, asked: PlanningTask) -> None:
    """Record the parts that did not fit in the planner's prompt, and every completion."""
    if asked.left_out:
        recorder.record(PromptCut(role="planner", parts=asked.left_out))
    for completion in asked.completions:
        recorder.completion("planner", asked.request, completion)


def record_planning(context: RunContext, planning: Planning) -> None:
    """Record the candidates, their tree, the ranking of the tools and the chosen candidate."""
    recorder, settings = context.recorder, context.settings
    if planning.grown is not None:
        recorder.record(TreeGrown(tree=planning.grown))
    for candidate in planning.sampled:
        recorder.record(CandidateScored.of(candidate, planning=planning.seed))
    for unusable in planning.unusable:
        recorder.record(SampleUnusable(**asdict(unusable)))
    recorder.record(ToolsRanked(tools=tuple(asdict(ranked) for ranked in planning.ranked)))
    chosen = CandidateChosen(
        index=planning.chosen.index,
        score=planning.chosen.scorecard.score,
        weights=dict(settings.score_weights),
        preset=settings.score_preset,
        stopped=planning.stopped,
        doubt=planning.doubt,
        reply=planning.reply,
    )
    recorder.record(chosen)
    LOGGER.info("a plan was chosen", extra={"detail": _chosen(planning)})
    LOGGER.debug("planned", extra={"detail": planning.plan.to_dict()})


def _chosen(planning: Planning) -> dict[str, Any]:
    """Return a summary of the chosen candidate for the log."""
    return {
        "candidate": planning.chosen.index,
        "of": len(planning.sampled),
        "score": planning.chosen.scorecard.score,
        "tools": [step.tool for step in planning.plan.steps],
    }
