"""Every kind of run is replayed: modes, failures, new plans, outputs, journal runs."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from okso_jupyter.errors import ModelError, RecordingError
from okso_jupyter.llm.protocol import Completion, CompletionRequest, ModelIdentity
from okso_jupyter.replay.recording_writer import RecordingFile, export
from okso_jupyter.results import Run
from okso_jupyter.session.session import Session
from okso_jupyter.testing import ScriptedModel, stable
from tests.bench import END, Bench
from tests.replay.test_replay import READ, assert_same_tables, record, replay

MISSING = {"tool": "file_read", "args": {"path": "missing.txt"}}


def both(bench: Bench, file: Path, plan: Any, *completions: object, **settings: Any) -> Run:
    """Record a run of a plan, replay it in an emptied folder, compare; return the replay."""
    with bench.session(*completions, OKSO_RECORD=str(file), **settings) as session:
        run = session.execute(plan, approve="auto")
    for left in bench.root.iterdir():
        left.unlink()
    with bench.session(OKSO_REPLAY=str(file), **settings) as session:
        again = session.execute(plan)
    assert (again.state, again.answer) == (run.state, run.answer)
    assert_same_tables(run, again)
    assert stable(run.trace).equals(stable(again.trace))
    return again


@pytest.mark.parametrize("mode", ["react", "call"])
def test_react_and_call_modes_are_replayed(bench: Bench, tmp_path: Path, mode: str) -> None:
    """A model's output in the middle of a run comes from the recording too."""
    again = both(bench, tmp_path / "demo.json", READ, READ[0], EXECUTOR_MODE=mode)

    assert again.state == "completed"


def test_a_failure_and_a_new_plan_are_replayed(bench: Bench, tmp_path: Path) -> None:
    """A failed step and the new plan for the remaining steps are replayed."""
    plan = {"request": "read missing.txt", "steps": [MISSING, END]}

    again = both(bench, tmp_path / "demo.json", plan, READ, PLANNER_SAMPLE_COUNT=1)

    assert again.observations["status"].tolist()[0] == "failed"
    assert len(again.revisions) == 2


def test_retries_and_exceptions_are_replayed(bench: Bench, tmp_path: Path) -> None:
    """A tool that fails transiently and then succeeds does the same in a replay."""
    calls = []

    def moody() -> str:
        calls.append(1)
        if len(calls) == 1:
            raise ConnectionError("connection reset")
        return f"call {len(calls)}"

    bench.offer("moody", moody, effect="none")
    plan = [{"tool": "moody", "args": {}}, {"tool": "moody", "args": {}}, END]

    again = both(bench, tmp_path / "demo.json", plan)

    assert again.observations["observation_raw"].tolist()[1:3] == ["call 2", "call 3"]
    assert len(calls) == 3


def test_a_recording_removed_during_a_run_is_an_error(bench: Bench, tmp_path: Path) -> None:
    """No partial run is recorded: the removed file is not created again."""
    file = tmp_path / "demo.json"

    def remove() -> None:
        file.unlink()

    bench.offer("remove", remove, effect="none")

    with (
        bench.session(OKSO_RECORD=str(file)) as session,
        pytest.raises(RecordingError, match="was removed or replaced while a run was recorded"),
    ):
        session.execute([{"tool": "remove", "args": {}}, END], approve="auto")

    assert not file.exists()


def test_a_timed_out_step_is_replayed(bench: Bench, tmp_path: Path) -> None:
    """A replay reports a time-out as recorded, without the wait."""
    never = threading.Event()
    bench.offer("slow", lambda: never.wait(60), effect="none")
    plan = [{"tool": "slow", "args": {}, "timeout_s": 0.2, "max_retries": 0}, END]

    again = both(bench, tmp_path / "demo.json", plan, ON_FAILURE="stop")
    never.set()

    assert again.observations["status"][0] in {"failed", "uncertain"}


@pytest.mark.process
def test_output_variables_are_replayed(bench: Bench, tmp_path: Path) -> None:
    """Variables read out of Python come from the recording; no Python runs in a replay."""
    file = tmp_path / "demo.json"
    plan = [{"tool": "python_repl", "args": {"input": "total = 6 * 7"}}, END]
    with bench.session(OKSO_RECORD=str(file)) as session:
        run = session.execute(plan, approve="auto", outputs=["total"])
    with bench.session(OKSO_REPLAY=str(file)) as session:
        again = session.execute(plan, outputs=["total"])

    assert again.outputs == run.outputs == {"total": 42}


def test_a_run_in_the_journal_is_exported_as_a_recording(bench: Bench, tmp_path: Path) -> None:
    """A failed run is exported from its records alone and fails the same way in a replay."""
    plan = [MISSING, END]
    with bench.session(ON_FAILURE="stop") as session:
        run = session.execute(plan, approve="auto")
    file = RecordingFile.open(str(tmp_path / "demo.json"), bench.home)

    export(run.records, file)

    with bench.session(OKSO_REPLAY=str(file.path), ON_FAILURE="stop") as session:
        again = session.execute(plan)
    assert again.state == run.state == "failed"
    assert_same_tables(run, again)


def test_a_run_with_redacted_output_cannot_be_exported(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run with a secret in an output is not exportable: the journal lacks the output."""
    monkeypatch.setenv("MY_SECRET_TOKEN", "swordfish-123")
    (bench.root / "notes.txt").write_text("the word is swordfish-123")
    with bench.session() as session:
        run = session.execute(READ, approve="auto")
    file = RecordingFile.open(str(tmp_path / "demo.json"), bench.home)

    with pytest.raises(RecordingError, match=r"does not hold the output of step 1 \(file_read\)"):
        export(run.records, file)


def test_recording_a_request_again_replaces_it(bench: Bench, tmp_path: Path) -> None:
    """Another session's run of the same request replaces the first."""
    file = tmp_path / "demo.json"
    record(bench, file, READ)
    (bench.root / "notes.txt").write_text("sell milk\n")
    newer = record(bench, file, READ)

    assert len(json.loads(file.read_text())["runs"]) == 1
    assert_same_tables(newer, replay(bench.root, bench.home, file))


def test_one_session_may_run_a_request_twice(bench: Bench, tmp_path: Path) -> None:
    """Each run of a request is replayed with its own results, in the recorded order."""
    file = tmp_path / "demo.json"
    settings: Mapping[str, Any] = {"PLANNER_SAMPLE_COUNT": 1}
    with bench.session(READ, READ, OKSO_RECORD=str(file), **settings) as session:
        first = session.run("read notes.txt", approve="auto")
        (bench.root / "notes.txt").write_text("sell milk\n")
        second = session.run("read notes.txt", approve="auto")
    with bench.session(OKSO_REPLAY=str(file), **settings) as session:
        again = [session.run("read notes.txt") for _ in range(3)]

    assert_same_tables(first, again[0])
    assert_same_tables(second, again[1])
    assert_same_tables(second, again[2])


class _Failing:
    """A model that cannot answer."""

    identity = ModelIdentity(spec="scripted", name="failing")

    def complete(self, request: CompletionRequest) -> list[Completion]:
        """Fail."""
        del request
        raise ModelError("the model is ill", hint="wait")

    def close(self) -> None:
        """Do nothing."""


def test_a_model_error_is_replayed(bench: Bench, tmp_path: Path) -> None:
    """A model that failed during the recording fails in the replay with the same message."""
    settings = {"OKSO_HOME": str(bench.home)}
    file = str(tmp_path / "demo.json")
    for chosen, model in (
        ({**settings, "OKSO_RECORD": file}, _Failing()),
        ({**settings, "OKSO_REPLAY": file}, ScriptedModel([])),
    ):
        with (
            Session(chosen, model=model, root=bench.root) as session,
            pytest.raises(ModelError, match="the model is ill") as caught,
        ):
            session.plan("read notes.txt")
        assert caught.value.hint == "wait"


def test_a_random_seed_is_recorded(bench: Bench, tmp_path: Path) -> None:
    """Without a set seed, the replay uses the recorded seeds, which were drawn at random."""
    file = tmp_path / "demo.json"
    run = record(bench, file, READ, READ)

    again = replay(bench.root, bench.home, file, samples=2)

    seeds = pd.concat([run.candidates["seed"], again.candidates["seed"]])
    assert seeds.nunique() == 2
