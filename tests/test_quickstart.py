"""The quickstart notebook, executed by the bundled model in a real kernel.

OKSO_QUICKSTART names an executed copy whose outputs are checked in place of the committed ones.
"""

from __future__ import annotations

import csv
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import nbformat
import pandas as pd
import pytest

from notebooks.run import HERE, answers, execute
from okso_jupyter import Session
from okso_jupyter.journal.events import RunStarted
from tests.approval.warm_kernel import make_default_warm

NOTEBOOK = HERE / "quickstart.ipynb"
WITH_OUTPUTS = Path(os.environ.get("OKSO_QUICKSTART", NOTEBOOK))
DATA = HERE / "data"


@dataclass(frozen=True, slots=True)
class Executed:
    """What came of one execution of a copy of the notebook."""

    notebook: Any
    data: Path
    candidates: list[pd.DataFrame]


def _execute(folder: Path) -> Executed:
    shutil.copytree(DATA, folder / "data", ignore=shutil.ignore_patterns("todo.txt"))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    execute(notebook, folder, folder / "home")
    with Session({"OKSO_HOME": str(folder / "home")}) as session:
        started = reversed(session.journal.first_of_each(RunStarted))
        candidates = [session.load_run(record.run_id).candidates for record, _ in started]
    return Executed(notebook, folder / "data", candidates)


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Executed:
    """The notebook, executed once on its data."""
    return _execute(tmp_path_factory.mktemp("quickstart"))


def _answers(notebook: Any) -> dict[str, str]:
    """Return the answer to each request, what follows it left out."""
    return {request: text.partition("\n\nPlan v")[0] for request, text in answers(notebook)}


def _check(told: dict[str, str]) -> None:
    """Compare the answers with what the files hold."""
    table = list(csv.DictReader((DATA / "weather.csv").read_text("utf-8").splitlines()))
    notes = (DATA / "notes.md").read_text("utf-8").splitlines()
    log = (DATA / "logger.log").read_text("utf-8").splitlines()
    wettest = max(table, key=lambda row: float(row["rain_mm"]))
    lines = told["How many lines has data/weather.csv?"]
    assert lines.split()[0] == str(len(table) + 1)
    mean = told["What is the mean of the temperature column in data/weather.csv?"]
    assert float(mean.split()[3]) == pytest.approx(
        fmean(float(row["temperature"]) for row in table)
    )
    answered = told["Which station has the highest rain_mm in data/weather.csv?"]
    assert answered.rpartition(": ")[2] == wettest["station"]
    said = told["What does data/notes.md say about calibration?"]
    about = [line for line in notes if "calibration" in line.lower()]
    assert about
    assert all(line in said for line in about)
    assert not any(line in said for line in notes if line and line not in about)
    errors = told["How many lines of data/logger.log contain ERROR?"]
    assert errors == str(sum("ERROR" in line for line in log))


@pytest.mark.model
@pytest.mark.kernel
@pytest.mark.long
def test_the_answers_are_right(executed: Executed) -> None:
    """Every request is planned by the bundled model and answered with what the files hold."""
    _check(_answers(executed.notebook))
    assert (executed.data / "todo.txt").read_text("utf-8") == "order a funnel"
    assert all("[Completed]" in text for _, text in answers(executed.notebook))


@pytest.mark.model
@pytest.mark.kernel
@pytest.mark.long
def test_it_saves_no_widgets(executed: Executed) -> None:
    """What is shown is static: the notebook needs no kernel and no script to be read."""
    assert "widgets" not in executed.notebook.metadata
    kinds = {
        kind
        for cell in executed.notebook.cells
        for output in cell.get("outputs", ())
        for kind in output.get("data", ())
    }
    assert kinds <= {"text/plain", "text/html", "text/markdown"}


@pytest.mark.model
@pytest.mark.kernel
@pytest.mark.long
def test_the_same_seed_gives_the_same_candidates(
    executed: Executed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second kernel with the same seeds samples and scores the very same candidates."""
    make_default_warm(monkeypatch)  # the first started from cold
    again = _execute(tmp_path)
    assert len(again.candidates) == len(_answers(executed.notebook))
    for before, after in zip(executed.candidates, again.candidates, strict=True):
        pd.testing.assert_frame_equal(
            before.drop(columns="duration_s"), after.drop(columns="duration_s")
        )


def test_the_committed_outputs_are_right() -> None:
    """The notebook in the repository shows right answers to whoever only reads it."""
    notebook = nbformat.read(WITH_OUTPUTS, as_version=4)
    _check(_answers(notebook))
    assert "widgets" not in notebook.metadata
    assert not any(
        "error" in output.output_type
        for cell in notebook.cells
        for output in cell.get("outputs", ())
    )


def test_the_committed_outputs_name_no_machine() -> None:
    """No absolute path of whoever executed the notebook stands in it."""
    text = WITH_OUTPUTS.read_text("utf-8")
    assert re.findall(r"[\"'; ]/(?:home|root|tmp|mnt|srv|Users)/[^\s\"']+", text) == []
