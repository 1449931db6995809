"""Rescores the candidates of a recorded run, if the rules still give the recorded points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from okso_jupyter.audit.scoreboard import Scoreboard, ScorePlan
from okso_jupyter.errors import SettingError
from okso_jupyter.journal.run_view import RunView
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import Candidate
from okso_jupyter.planning.scoring.query_rules import recorded_readings
from okso_jupyter.planning.scoring.scorer import scorer
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.tool import Tool

_SILENT: Final = "The score of another step cannot be computed"

#: Causes of a replan during a run: the replaced plan must not be chosen again.
_WHILE_RUNNING: Final = ("failure", "in_a_row", "divergence", "validation")


def rescored(sampled: tuple[Candidate, ...], run: RunView, tools: Mapping[str, Tool]) -> Scoreboard:
    """Return the scoreboard of a run's newest planning call.

    Changed plans are scored only if rescoring the unchanged ones gives the recorded points: tools
    or rules may have changed since, and secrets are not recorded.

    Args:
        sampled: The candidates.
        run: The run.
        tools: The catalogue; it may differ from the run's.
    """
    started = run.started
    unusable = {sample.index: sample.reason for sample in run.planning.unusable}
    silent = ""
    judge: ScorePlan | None = None
    if not tools:
        silent = f"{_SILENT}: the tools of the run are not here."
    else:
        try:
            settings = Settings.of(started.settings if started is not None else {})
            request = started.request if started is not None else ""
            readings = recorded_readings(sampled)
            judge = scorer(tools, settings, request, _turned_down(run), readings)
            silent = _changed(judge, sampled)
        except SettingError as error:
            silent = f"{_SILENT}: {error.message}."
    return Scoreboard(
        sampled=sampled, unusable=unusable, judge=None if silent else judge, silent=silent
    )


def _turned_down(run: RunView) -> list[Plan]:
    """Return the plans that the newest planning call was told to avoid."""
    revisions = run.versions.revisions
    unwanted = [revision.newer for revision in revisions if revision.decision == "feedback"]
    failed = [r.older for r in revisions if r.older is not None and r.cause in _WHILE_RUNNING]
    return [*failed, *unwanted]


def _changed(judge: ScorePlan, sampled: Sequence[Candidate]) -> str:
    """Return why rescoring is unreliable; empty if it gives the recorded points."""
    cards = judge([candidate.plan for candidate in sampled])
    for candidate, card in zip(sampled, cards, strict=True):
        then = {found.rule: found.points for found in candidate.scorecard.findings}
        now = {found.rule: found.points for found in card.findings}
        others = sorted(rule for rule in {*then, *now} if then.get(rule) != now.get(rule))
        if others:
            return f"{_SILENT}: {others[0]} gives other points today than when the run was planned."
    return ""
