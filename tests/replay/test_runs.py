"""Every kind of run is played back: modes, failures, new plans, outputs, runs of the journal."""

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
from okso_jupyter.replay.export import export
from okso_jupyter.replay.recording_writer import RecordingFile
from okso_jupyter.results import Run
from okso_jupyter.session.session import Session
from okso_jupyter.testing import ScriptedModel, stable
from tests.bench import END, Bench
from tests.replay.test_replay import READ, assert_same_tables, record, replay

MISSING = {"tool": "file_read", "args": {"path": "missing.txt"}}


def both(bench: Bench, file: Path, plan: Any, *completions: object, **settings: Any) -> Run:
    """Record a run of a plan, play it back in an emptied folder, compare; return the replay."""
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
def test_the_modes_in_which_a_model_makes_the_calls(
    bench: Bench, tmp_path: Path, mode: str
) -> None:
    """What a model proposes or writes in the middle of a run comes from the recording too."""
    again = both(bench, tmp_path / "demo.json", READ, READ[0], EXECUTOR_MODE=mode)

    assert again.state == "completed"


def test_a_failure_and_a_new_plan(bench: Bench, tmp_path: Path) -> None:
    """A step fails, the rest is planned anew with names of the folder: all of it is played back."""
    plan = {"request": "read missing.txt", "steps": [MISSING, END]}

    again = both(bench, tmp_path / "demo.json", plan, READ, PLANNER_SAMPLE_COUNT=1)

    assert again.observations["status"].tolist()[0] == "failed"
    assert len(again.revisions) == 2


def test_attempts_and_exceptions(bench: Bench, tmp_path: Path) -> None:
    """A tool that fails in passing, then works, then raises, does so again in a replay."""
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


def test_a_recording_that_is_removed_meanwhile_is_an_error(bench: Bench, tmp_path: Path) -> None:
    """Half a run is not recorded as if it were one: the file holds nothing of it then."""
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


def test_a_step_out_of_time(bench: Bench, tmp_path: Path) -> None:
    """A time-out is told as it came, without the wait."""
    never = threading.Event()
    bench.offer("slow", lambda: never.wait(60), effect="none")
    plan = [{"tool": "slow", "args": {}, "timeout_s": 0.2, "max_retries": 0}, END]

    again = both(bench, tmp_path / "demo.json", plan, ON_FAILURE="stop")
    never.set()

    assert again.observations["status"][0] in {"failed", "uncertain"}


@pytest.mark.process
def test_variables_come_back(bench: Bench, tmp_path: Path) -> None:
    """What was taken out of Python is in the recording; no Python runs in a replay."""
    file = tmp_path / "demo.json"
    plan = [{"tool": "python_repl", "args": {"input": "total = 6 * 7"}}, END]
    with bench.session(OKSO_RECORD=str(file)) as session:
        run = session.execute(plan, approve="auto", outputs=["total"])
    with bench.session(OKSO_REPLAY=str(file)) as session:
        again = session.execute(plan, outputs=["total"])

    assert again.outputs == run.outputs == {"total": 42}


def test_a_run_of_the_journal_becomes_a_recording(bench: Bench, tmp_path: Path) -> None:
    """A failed run is exported from its records alone, and fails the same way again."""
    plan = [MISSING, END]
    with bench.session(ON_FAILURE="stop") as session:
        run = session.execute(plan, approve="auto")
    file = RecordingFile.open(str(tmp_path / "demo.json"), bench.home)

    export(run.records, file)

    with bench.session(OKSO_REPLAY=str(file.path), ON_FAILURE="stop") as session:
        again = session.execute(plan)
    assert again.state == run.state == "failed"
    assert_same_tables(run, again)


def test_what_the_journal_left_out_cannot_be_exported(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A secret in an output is not in the journal, so that the run is no recording."""
    monkeypatch.setenv("MY_SECRET_TOKEN", "swordfish-123")
    (bench.root / "notes.txt").write_text("the word is swordfish-123")
    with bench.session() as session:
        run = session.execute(READ, approve="auto")
    file = RecordingFile.open(str(tmp_path / "demo.json"), bench.home)

    with pytest.raises(RecordingError, match=r"does not hold the output of step 1 \(file_read\)"):
        export(run.records, file)


def test_recording_a_request_again_replaces_it(bench: Bench, tmp_path: Path) -> None:
    """Another session's run of the same request takes the place of the first."""
    file = tmp_path / "demo.json"
    record(bench, file, READ)
    (bench.root / "notes.txt").write_text("sell milk\n")
    newer = record(bench, file, READ)

    assert len(json.loads(file.read_text())["runs"]) == 1
    assert_same_tables(newer, replay(bench.root, bench.home, file))


def test_one_session_may_ask_the_same_twice(bench: Bench, tmp_path: Path) -> None:
    """Each run of a request is played back as it was, in the same order."""
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


def test_an_error_of_a_model_is_raised_again(bench: Bench, tmp_path: Path) -> None:
    """A model that failed when it was recorded fails in the replay, in the same words."""
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


def test_the_drawn_seed_is_recorded(bench: Bench, tmp_path: Path) -> None:
    """No seed is named, and the replay asks with the one that was drawn."""
    file = tmp_path / "demo.json"
    run = record(bench, file, READ, READ)

    again = replay(bench.root, bench.home, file, samples=2)

    seeds = pd.concat([run.candidates["seed"], again.candidates["seed"]])
    assert seeds.nunique() == 2
