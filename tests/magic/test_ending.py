"""A cell whose run did not complete raises an error, so that *Run All* stops there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

from okso_jupyter import Run, Session
from okso_jupyter.errors import RunFailedError
from okso_jupyter.journal.store import Record
from okso_jupyter.llm.protocol import ModelIdentity
from okso_jupyter.magic.failed_cells import failure_of
from okso_jupyter.testing import ScriptedModel
from tests.bench import END

#: Words are planned as they are, without a model; the page is on no host that may be read.
OPTIONS = "--set TESTING_PASSTHROUGH=true"
FAILS = "Fetch http://127.0.0.1:9/page"
READS = "Read notes.txt"
READ = {"tool": "file_read", "args": {"path": "notes.txt"}}
_REPOSITORY = Path(__file__).parents[2]


def cell(shell: Any, line: str, request: str) -> Any:
    """Run one cell as a user would, and return IPython's result."""
    return shell.run_cell(f"%%okso {line} {OPTIONS}\n{request}\n")


@pytest.fixture(autouse=True)
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn the plan checks off, so that a plan fails only when its step runs."""
    monkeypatch.setenv("PLAN_CHECKS", "false")


class _Bundled(ScriptedModel):
    """A scripted model that reports itself as the bundled one, as a replay expects."""

    @property
    def identity(self) -> ModelIdentity:
        """Return the identity of weights of 100 MB."""
        return ModelIdentity(spec="bundled", name="scripted", weights_bytes=100_000_000)


def test_a_refusal_is_an_answer_and_no_error(
    shell: Any, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """If every plan would lose a file unasked, the cell answers so and raises no error.

    The next cell runs.
    """
    write = {"path": "notes.txt", "content": "x", "mode": "replace"}
    model = _Bundled([[{"tool": "file_write", "args": write}, END]])
    boundary, request = str(tmp_path / "tape.json"), "Describe notes.txt"
    settings = {"OKSO_RECORD": boundary, "PLANNER_SAMPLE_COUNT": 1}
    with Session(settings, model=model, root=folder) as session:
        session.run(request, approve="auto")
    line = f"--replay {boundary} --yes --set PLANNER_SAMPLE_COUNT=1"
    done = shell.run_cell(f"%%okso {line}\n{request}\n")
    assert done.success
    assert shell.user_ns["_okso"].state == "completed"
    said = "I cannot do that: the plan that I found replaces 3 lines"
    assert shell.user_ns["_okso"].answer.startswith(said)
    assert said in capsys.readouterr().out
    assert (folder / "notes.txt").read_text() == "one\ntwo\nthree\n"


@pytest.mark.parametrize(
    ("line", "request_text", "why"),
    [
        ("--yes", FAILS, "failed: step 1 (web_fetch): "),
        ("--approve deny", READS, "is cancelled: the policy is deny"),
    ],
)
def test_a_failed_run_is_bound_shown_and_raised(
    shell: Any,
    capsys: pytest.CaptureFixture[str],
    line: str,
    request_text: str,
    why: str,
) -> None:
    """A run that did not complete is an error of one sentence without a traceback.

    The error, `_okso` and NAME refer to the same run.
    """
    error = cell(shell, f"mine= << {line}", request_text).error_in_exec
    assert type(error) is RunFailedError
    assert error.run is not None
    assert error.run.id == shell.user_ns["mine"].id == shell.user_ns["_okso"].id
    state = error.run.state
    assert state in why
    assert why in error.message
    assert error.run.answer is None
    shown = capsys.readouterr()
    assert "there is no answer" in shown.out
    assert "RunFailedError: run " in shown.out + shown.err
    assert "Traceback" not in shown.out + shown.err


@pytest.mark.parametrize("by", ["--keep-going", "%config", "--set KEEP_GOING=true"])
def test_keep_going_prints_the_failure(
    shell: Any, capsys: pytest.CaptureFixture[str], by: str
) -> None:
    """With option or setting the failure is printed, and the run is the cell's result."""
    if by == "%config":
        shell.run_line_magic("config", "OksoMagics.keep_going = True")
    done = cell(shell, f"--yes {by if by.startswith('--') else ''}", FAILS)
    assert done.error_in_exec is None
    assert done.result.state == "failed"
    assert "failed: step 1 (web_fetch): " in capsys.readouterr().out


@pytest.mark.parametrize("line", ["--plan-only", "--dry-run --yes", "--dry-run --approve deny"])
def test_a_cell_without_execution_does_not_fail(shell: Any, line: str) -> None:
    """Planning only and a dry run raise no error, even if the dry run is denied."""
    assert cell(shell, line, READS).error_in_exec is None


def test_a_resumed_run_that_fails_raises(shell: Any, folder: Path) -> None:
    """`%okso resume` of a run that then fails raises an error, too."""
    paused = _paused(folder)
    (folder / "notes.txt").unlink()
    error = shell.run_cell(f"%okso resume {paused.id}").error_in_exec
    assert type(error) is RunFailedError
    assert error.run is not None
    assert error.run.id == shell.user_ns["_okso"].id == paused.id


def _paused(folder: Path) -> Run:
    """Return a run that was paused before its first step."""
    with Session({"ON_FAILURE": "skip"}, model=ScriptedModel([]), root=folder) as session:

        def on_event(event: Mapping[str, Any]) -> None:
            if (event["step"], event["status"]) == (1, "in_progress"):
                session.pause()

        return session.execute([READ, {**READ, "thought": "again"}, END], approve="auto",
                               on_event=on_event)  # fmt: skip


def test_a_paused_run_says_how_to_resume(folder: Path) -> None:
    """The Python call does not raise; a cell would, with a hint that names the subcommand."""
    run = _paused(folder)
    assert run.answer is None
    failure = failure_of(run)
    assert failure is not None
    assert "is paused: it was paused" in failure.message
    assert failure.hint == f"%okso resume {run.id} resumes it"


def test_a_superseded_form_raises_no_error(folder: Path) -> None:
    """A run cancelled because its cell was run again is not reported as a failure."""
    with Session(model=ScriptedModel([]), root=folder) as session:
        run = session.execute([READ, END], approve="deny")
    records = [
        record if record.kind != "decision" else _by(record, "superseded") for record in run.records
    ]
    again = Run(id=run.id, records=tuple(records), home=run.home)
    assert failure_of(run) is not None
    assert failure_of(again) is None


def _by(record: Record, who: str) -> Record:
    return replace(record, body={**record.body, "by": who})


@pytest.mark.kernel
def test_run_all_stops_below_the_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a real kernel, as with nbconvert and papermill, the next cell does not run."""
    monkeypatch.setenv("PYTHONPATH", str(_REPOSITORY))
    monkeypatch.setenv("OKSO_HOME", str(tmp_path / "home"))
    sources = [
        "%load_ext okso_jupyter",
        f"%%okso {OPTIONS} --yes\n{FAILS}",
        "open('reached', 'w').close()",
    ]
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    notebook = nbformat.v4.new_notebook(cells=cells)
    where = {"metadata": {"path": str(tmp_path)}}
    with pytest.raises(CellExecutionError) as caught:
        nbclient.NotebookClient(notebook, timeout=120, resources=where).execute()
    assert caught.value.ename == "RunFailedError"
    assert not (tmp_path / "reached").exists()
    outputs = notebook.cells[1].outputs
    assert outputs[-1].output_type == "error"
    assert "Traceback" not in "".join(outputs[-1].traceback)
    assert any(
        "The run failed: there is no answer" in str(output.get("data")) for output in outputs
    )
