"""A recording is replayed with another folder, home, user, time zone and locale."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from okso_jupyter.testing import stable
from tests.bench import END, Bench
from tests.replay.test_replay import assert_same_tables, record, replay

REPOSITORY = Path(__file__).resolve().parents[2]
PWD = [{"tool": "terminal", "args": {"command": "pwd", "args": []}}, END]
_PLAY = """
import sys
from okso_jupyter import Session
from okso_jupyter.testing import ScriptedModel
settings = {"OKSO_REPLAY": sys.argv[1], "PLANNER_SAMPLE_COUNT": 1}
with Session(settings, model=ScriptedModel([])) as session:
    run = session.run("where am I today?")
print(run.observations.to_json(date_format="iso"))
"""


@pytest.mark.process
def test_replay_in_another_folder_home_time_zone_and_locale(bench: Bench, tmp_path: Path) -> None:
    """A process that shares only the recording produces the same observations table."""
    file = tmp_path / "demo.json"
    run = record(bench, file, PWD, request="where am I today?")
    elsewhere = tmp_path / "somewhere" / "else"
    elsewhere.mkdir(parents=True)
    strange = {"HOME": str(elsewhere), "USER": "nobody", "TZ": "Pacific/Kiritimati",
               "LC_ALL": "C", "TMPDIR": str(elsewhere)}  # fmt: skip

    done = subprocess.run(  # noqa: S603  our own command line
        [sys.executable, "-c", _PLAY, str(file)],
        env={**os.environ, **strange, "PYTHONPATH": str(REPOSITORY)},
        cwd=elsewhere,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == run.observations.to_json(date_format="iso")
    assert "pwd" in done.stdout


def test_a_replay_ignores_changes_in_the_recorded_folder(bench: Bench, tmp_path: Path) -> None:
    """A replay is not affected by files added to or removed from the recorded folder."""
    file = tmp_path / "demo.json"
    run = record(bench, file, [{"tool": "file_read", "args": {"path": "notes.txt"}}, END])
    (bench.root / "notes.txt").unlink()
    (bench.root / "notes2.txt").write_text("new")

    assert_same_tables(run, replay(bench.root, bench.home, file))


def test_stable_tables_of_two_live_runs_are_equal(bench: Bench, tmp_path: Path) -> None:
    """`stable` blanks times and durations and keeps what the run did."""
    plan = [{"tool": "file_read", "args": {"path": "notes.txt"}}, END]
    one, other = (record(bench, tmp_path / f"{n}.json", plan) for n in (1, 2))

    assert stable(one.trace).equals(stable(other.trace))
    assert not one.trace.equals(other.trace)
    assert stable(one.observations)["observation_raw"].notna().all()


def test_recorded_questions_contain_no_machine_paths(bench: Bench, tmp_path: Path) -> None:
    """Placeholders replace folders in questions, so that two recordings can be compared."""
    file = tmp_path / "demo.json"
    record(bench, file, PWD, request=f"list {bench.root}")

    asked = json.dumps([e["asked"] for e in json.loads(file.read_text())["runs"][0]["entries"]])

    assert str(bench.root) not in asked
    assert "{root}" in asked
