"""A run killed at any journal write resumes: each effect happens once or is uncertain."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.session.kill_lab import IN_PARTS, PLANS

pytestmark = pytest.mark.process

SIGNALS = [signal.SIGKILL, signal.SIGINT, signal.SIGTERM]
ENDS = {"completed", "failed", "cancelled"}


def cases(folder: Path, plan: str, by: signal.Signals) -> list[dict[str, Any]]:
    """Return what was left of each case, as reported by the program."""
    child = subprocess.run(  # noqa: S603  our own command line
        [sys.executable, "-m", "tests.session.kill_lab", str(folder), plan, str(int(by))],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        check=True,
        capture_output=True,
        text=True,
    )
    return [json.loads(line) for line in child.stdout.splitlines()]


def wrong(case: Mapping[str, Any], plan: str) -> list[str]:
    """Return the faults in what was left of a case."""
    found = []
    if "state" not in case:
        return ["it could not be resumed, and not for a reason that is said"]
    if case["state"] in {"", "draft"}:  # killed before there was a plan
        return ["something ran"] if case["lines"] else []
    if case["state"] not in ENDS:
        found.append(f"it ended as {case['state']}")
    for step_id, step in enumerate(PLANS.get(plan, PLANS["sequential"]), start=1):
        line = step["args"].get("line")
        times, status = case["lines"].count(line), case["steps"].get(str(step_id))
        if line is None:
            continue
        if times > 1:
            found.append(f"{line} was added {times} times")
        if status == "completed" and times != 1:
            found.append(f"{line} is said to be added")
        if times == 1 and status not in {"completed", "uncertain"}:
            found.append(f"{line} was added, and its step is {status}")
    if case["decisions"].count("approve") > (2 if plan == IN_PARTS else 1):
        found.append("the plan was approved more than once")
    return found


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("by", SIGNALS, ids=lambda by: by.name)
def test_killed_at_any_write_a_run_ends_with_every_effect_once(
    tmp_path: Path, plan: str, by: signal.Signals
) -> None:
    """No effect is repeated, lost or unreported; the plan is approved once; the run ends."""
    found = cases(tmp_path, plan, by)
    assert len(found) > 50
    assert {case["code"] for case in found} == {130 if by == signal.SIGINT else -by}
    assert [(case, why) for case in found if (why := wrong(case, plan))] == []
    # a run that was stopped by its user has ended; a killed one goes on but where nothing was left
    refused = [case for case in found if case["refusal"]]
    assert by == signal.SIGINT or len(refused) <= 4


def test_killed_at_any_write_a_run_in_parts_asks_about_each_part_once(tmp_path: Path) -> None:
    """A run approved up to a step neither repeats a part nor continues without approval."""
    found = cases(tmp_path, IN_PARTS, signal.SIGKILL)
    assert len(found) > 50
    assert [(case, why) for case in found if (why := wrong(case, IN_PARTS))] == []
    # one step may be in doubt, and asked about on its own
    whole = [case for case in found if case["state"] == "completed" and len(case["lines"]) == 2]
    assert whole
    assert {case["decisions"].count("approve") for case in whole} == {2}
