"""Several kernels record into one file, and a killed kernel leaves it intact."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from okso_jupyter.replay.recording_file import read_runs
from tests.approval.warm_kernel import make_default_warm
from tests.bench import Bench

REPOSITORY = Path(__file__).resolve().parents[2]
_RECORD = """
import os, signal, sys
from okso_jupyter import Session, Tool
from okso_jupyter.testing import ScriptedModel
def deadly() -> str:
    os.kill(os.getpid(), signal.SIGKILL)
deadly = Tool.from_schema("deadly", "dies", {"type": "object"}, deadly, effect="none")
settings = {"OKSO_RECORD": sys.argv[1], "OKSO_HOME": sys.argv[2], "PLANNER_SAMPLE_COUNT": 1}
for name in sys.argv[3:]:
    steps = [{"tool": name, "args": {}}] if name == "deadly" else []
    plan = [*steps, {"tool": "final_answer", "args": {}}]
    with Session(settings, tools=[deadly], model=ScriptedModel([])) as session:
        session.execute({"request": f"say {name}", "steps": plan}, approve="auto")
"""


def _start(bench: Bench, file: Path, *names: str) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603  our own command line
        [sys.executable, "-c", _RECORD, str(file), str(bench.home), *names],
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), "ENABLE_ANSWER_VALIDATION": "false",
             "FINAL_ANSWER": "digest"},
        cwd=bench.root,
        stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip


@pytest.mark.process
def test_two_kernels_record_concurrently(bench: Bench, tmp_path: Path) -> None:
    """Two kernels that record into one file keep all runs of both."""
    file = tmp_path / "demo.json"
    running = [_start(bench, file, *(f"{who}{n}" for n in range(5))) for who in "ab"]
    for process in running:
        assert process.wait() == 0, process.stderr and process.stderr.read()
        assert process.stderr is not None
        process.stderr.close()

    asked = sorted(run.head["request"] for run in read_runs(file))
    assert asked == sorted(f"say {who}{n}" for who in "ab" for n in range(5))


@pytest.mark.process
def test_a_killed_kernel_leaves_an_intact_recording(bench: Bench, tmp_path: Path) -> None:
    """The recording keeps earlier runs and the decisions of the killed run."""
    file = tmp_path / "demo.json"
    process = _start(bench, file, "before", "deadly")
    assert process.wait() == -signal.SIGKILL
    assert process.stderr is not None
    process.stderr.close()

    before, deadly = read_runs(file)
    assert before.head["request"] == "say before"
    assert [entry.kind for entry in deadly.entries][-1] == "decision"


@pytest.mark.kernel
def test_cells_are_recorded_and_replayed_headless(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A notebook produces the same outputs from its recording, in an empty folder."""
    make_default_warm(monkeypatch)
    file = tmp_path / "demo.json"
    cell = (
        "%%okso --set TESTING_PASSTHROUGH=true --set FINAL_ANSWER=digest\nread the file notes.txt"
    )
    empty = tmp_path / "empty"
    empty.mkdir()
    outputs = []
    for folder, env in (
        (bench.root, {"OKSO_RECORD": str(file), "OKSO_APPROVE": "auto"}),
        (empty, {"OKSO_REPLAY": str(file)}),
    ):
        notebook = nbformat.v4.new_notebook()
        notebook.cells = [
            nbformat.v4.new_code_cell("%load_ext okso_jupyter"),
            nbformat.v4.new_code_cell(cell),
            nbformat.v4.new_code_cell("print(_okso.observations.to_csv())"),
        ]
        client = NotebookClient(
            notebook, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
        )
        client.execute(
            env={**os.environ, **env, "OKSO_HOME": str(folder.parent / f"home-{folder.name}"),
                 "PYTHONPATH": str(REPOSITORY)}
        )  # fmt: skip
        outputs.append(notebook.cells[2].outputs[0]["text"])

    assert outputs[0] == outputs[1]
    assert "buy milk" in outputs[0]
