"""The candidates' log: okso's keys, one line each, appended, private, without secrets."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter import read_debug_log
from okso_jupyter.errors import SettingError
from okso_jupyter.planning.sampling.debug_log import DebugLog
from okso_jupyter.redaction.redactor import Redactor
from tests.bench import END, Bench

REQUEST = "How many lines has notes.txt?"
WC: dict[str, Any] = {
    "tool": "terminal",
    "args": {"command": "wc", "args": ["-l", "notes.txt"]},
    "thought": "count the lines",
}


def lines(path: Path) -> list[dict[str, Any]]:
    """Return the parsed lines of a log."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(name="log")
def _log(bench: Bench) -> Path:
    """A log in folders that do not exist yet."""
    return bench.home / "logs" / "deep" / "candidates.jsonl"


def test_every_usable_candidate_is_a_line(bench: Bench, log: Path) -> None:
    """The keys are okso's; unusable samples leave a gap in the indexes."""
    with bench.session([WC, END], "no plan", [END], PLANNER_DEBUG_LOG=str(log)) as session:
        planning = session.plan(REQUEST)
    found = lines(log)
    assert [line["index"] for line in found] == [1, 3]
    for line, candidate in zip(found, planning.sampled, strict=True):
        assert set(line) == {"index", "score", "tie_breaker", "rationale", "response"}
        assert line["score"] == candidate.scorecard.score
        assert line["rationale"] == candidate.scorecard.rationale
        assert [step["tool"] for step in line["response"]] == list(candidate.plan.tools)


def test_the_log_grows_and_is_private(bench: Bench, log: Path) -> None:
    """Each planning call appends; only the owner may read the file."""
    for _ in range(2):
        with bench.session([WC, END], PLANNER_DEBUG_LOG=str(log), PLANNER_SAMPLE_COUNT=1) as s:
            s.plan(REQUEST)
    assert [line["index"] for line in lines(log)] == [1, 1]
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_the_default_log_is_in_the_home(bench: Bench) -> None:
    """If PLANNER_DEBUG_LOG is unset, the log is a file in OKSO_HOME."""
    with bench.session([WC, END], PLANNER_SAMPLE_COUNT=1) as session:
        session.plan(REQUEST)
    assert len(lines(bench.home / "planner_candidates.jsonl")) == 1


def test_the_log_reads_back_as_a_frame(bench: Bench, log: Path) -> None:
    """`read_debug_log` returns the same columns as the candidates."""
    with bench.session([WC, END], [END], [WC, WC, END], PLANNER_DEBUG_LOG=str(log)) as session:
        planning = session.plan(REQUEST)
    frame = read_debug_log(log)
    expected = planning.candidates
    for column in ("candidate", "score", "tie_breaker", "n_steps", "tools", "rationale"):
        assert list(frame[column]) == list(expected[column])


def test_secrets_are_not_logged(bench: Bench, log: Path) -> None:
    """Text known to the redactor is replaced in the log."""
    step = {**WC, "args": {"command": "grep", "args": ["hunter2hunter2", "notes.txt"]}}
    with bench.session([step, END], PLANNER_SAMPLE_COUNT=1) as session:
        planning = session.plan(REQUEST)
    DebugLog(log, Redactor(("hunter2hunter2",))).write(planning.sampled)
    text = log.read_text()
    assert "hunter2" not in text
    assert "[redacted]" in text


def test_a_file_in_place_of_the_logs_folder_is_reported(bench: Bench) -> None:
    """`check()` reports that the log cannot be written, and names the setting."""
    log = DebugLog(bench.root / "notes.txt" / "log", Redactor())
    with pytest.raises(SettingError, match="PLANNER_DEBUG_LOG") as caught:
        log.check()
    assert "PLANNER_DEBUG_LOG" in caught.value.hint
