"""What the journal is told of a run's beginning and of its planning."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path
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
from okso_jupyter.journal.limits import make_room
from okso_jupyter.journal.older_records import MEANING
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.retention import expire
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.run_inputs import RunInputs
from okso_jupyter.planning.background import Background, WebContext
from okso_jupyter.planning.outcome import Planning
from okso_jupyter.planning.planner import PlanningTask
from okso_jupyter.planning.request.intent import Intent
from okso_jupyter.replay.normalization import Places
from okso_jupyter.replay.recorded_entries import head_of
from okso_jupyter.runs.request_keys import RequestKeys
from okso_jupyter.settings import Settings

#: Packages whose version may change what is planned or shown.
_PACKAGES: Final = ("okso-jupyter", "llguidance", "pandas")


def record_start(  # noqa: PLR0913  one argument per thing that tells two runs apart
    recorder: RunRecorder,
    *,
    request: str,
    root: Path,
    data: RunInputs,
    settings: Settings,
    tools: Iterable[str],
    model: str,
    is_replay: bool,
    request_keys: RequestKeys,
    plan: Plan | None = None,
) -> None:
    """Write down everything that a later reader needs to tell two runs apart.

    A plan is given where it was not made for the run.

    Where the journal is full the oldest runs make room, and those that are older than KEEP_DAYS
    leave it; that is written down too.
    """
    dropped = make_room(recorder.journal)
    dropped += expire(recorder.journal, settings.keep_days).runs
    started = RunStarted(
        request=request,
        root=str(root),
        data=asdict(data),
        settings=settings.to_dict(),
        tools=tuple(sorted(tools)),
        versions={name: version(name) for name in _PACKAGES},
        python=platform.python_version(),
        machine=platform.machine(),
        process_id=os.getpid(),
        places=Places.here(root, settings.home).to_dict(),
        model=model,
        is_replay=is_replay,
        meaning=MEANING,
        plan_sha256=sha256_of(plan.to_dict()) if plan else "",
        dropped_runs=dropped,
    )
    key = sha256_of(head_of(started))
    recorder.record(replace(started, occurrence=request_keys.count(key)))


def record_background(recorder: RunRecorder, background: Background) -> None:
    """Write down what is known of a request before plans are sampled."""
    recorder.record(BackgroundFound(**asdict(background)))
    LOGGER.debug("intent", extra={"detail": str(background.intent)})


def recorded_background(recorder: RunRecorder) -> Background | None:
    """Return what was written down of it, so that a run asks and searches once; None at first."""
    for found in recorder.journal.events(recorder.run_id, BackgroundFound):
        return Background(
            intent=Intent(**{**found.intent, "groups": tuple(found.intent["groups"])}),
            web=WebContext(**{**found.web, "terms": tuple(found.web["terms"])}),
            earlier=found.earlier,
        )
    return None


def record_task(recorder: RunRecorder, asked: PlanningTask) -> None:
    """Write down what a planner's prompt had no room for, and every completion."""
    if asked.left_out:
        recorder.record(PromptCut(role="planner", parts=asked.left_out))
    for completion in asked.completions:
        recorder.completion("planner", asked.request, completion)


def record_planning(recorder: RunRecorder, planning: Planning, settings: Settings) -> None:
    """Write down the candidates, their tree, how well the tools fit, and which candidate won."""
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
    """Return which candidate won, in a few words for the log."""
    return {
        "candidate": planning.chosen.index,
        "of": len(planning.sampled),
        "score": planning.chosen.scorecard.score,
        "tools": [step.tool for step in planning.plan.steps],
    }
