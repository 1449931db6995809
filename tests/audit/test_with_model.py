"""A real request with the bundled model, audited from the journal by another process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from okso_jupyter import Session

pytestmark = pytest.mark.model
REQUEST = "Which station has the highest rain_mm in weather.csv?"
AGAIN = """
import sys
from okso_jupyter import load_run
run = load_run(sys.argv[1])
for candidate in run.candidates["candidate"]:
    print(run.why_not(candidate))
print(repr(run.what_if()))
"""


def test_another_process_audits_a_run_of_the_bundled_model(tmp_path: Path) -> None:
    """Another process gives the same audit from the journal; the named weights win."""
    (tmp_path / "weather.csv").write_text("station,rain_mm\nvale,3\nhilltop,9\n")
    home = tmp_path / "home"
    settings = {"OKSO_HOME": str(home), "PLANNER_SAMPLE_COUNT": 4, "PLANNER_TEMPERATURE": 1.0}
    with Session(settings, root=tmp_path) as session:
        planning = session.plan(REQUEST, seed=3)
    said = [planning.why_not(candidate.index) for candidate in planning.sampled]
    for found in said:
        if found.can_win:
            best = planning.rescore(found.weights)["candidate"].iloc[0]
            assert best == found.candidate.index
    assert f"Candidate {planning.chosen.index} is the winner." in map(repr, said)
    again = subprocess.run(  # noqa: S603  our own script
        [sys.executable, "-c", AGAIN, planning.run_id],
        env={**os.environ, "OKSO_HOME": str(home), "PYTHONPATH": os.pathsep.join(sys.path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    expected = [*map(repr, said), repr(planning.what_if())]
    assert again.stdout.strip() == "\n".join(expected), again.stderr
