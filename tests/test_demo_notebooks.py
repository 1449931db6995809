"""The demo notebooks: a replay of their recordings gives the committed outputs."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

from notebooks.run import DEMOS, HERE, QUICKSTART, copy_data, execute, portable, read, recording_of
from tests.approval.warm_kernel import make_default_warm
from tests.shared_states import share_states

#: What differs from one execution to the next and is no content: addresses of objects, times of
#: day, ids of runs; and what was measured here and not played back.
_VOLATILE = re.compile(
    r"0x[0-9a-f]+|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:\+00:00| UTC)?"
    r"|\d{8}T\d{6}Z-[0-9a-f]{6}|\b\d+(?:\.\d+)? ?m?s\b"
)


@pytest.fixture(name="_warm")
def _warm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels are forked; the test of the quickstart starts one from cold."""
    make_default_warm(monkeypatch)


def _outputs(notebook: Any) -> list[list[str]]:
    """Return the output texts of every cell without what differs between executions.

    If a display replaces another, only the last one counts.
    """
    found = []
    for cell in notebook.cells:
        outputs = cell.get("outputs", ())
        printed = "".join(output.get("text", "") for output in outputs)
        texts = (output.data.get("text/plain", "") for output in outputs if "data" in output)
        shown = [text for text in texts if text]  # a status that has done its work is empty
        found.append([_VOLATILE.sub("·", text) for text in [printed, *shown]])
    return found


def _played_back(name: str, folder: Path) -> Any:
    """Return a notebook that was executed with its recording and without a model."""
    notebook = read(name)
    copy_data(folder)
    variables = {"OKSO_REPLAY": str(recording_of(name)), "PLANNER_MODEL_SPEC": "bundled"}
    execute(notebook, folder, folder.parent / "home", variables)
    text = portable(
        nbformat.writes(notebook), {folder: "notebooks", folder.parent / "home": "okso"}
    )
    return nbformat.reads(text, as_version=4)


@pytest.mark.kernel
@pytest.mark.usefixtures("_warm")
@pytest.mark.parametrize("name", DEMOS)
def test_a_recording_gives_the_same_tables(name: str, tmp_path: Path) -> None:
    """Without a model or tools, in another folder, every cell shows what is committed."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    before = {path: path.read_bytes() for path in (HERE / "data").iterdir()}
    played = _played_back(name, folder)

    assert _outputs(played) == _outputs(read(name))
    assert {path.name for path in (folder / "data").iterdir()} <= {path.name for path in before}


@pytest.mark.model
@pytest.mark.kernel
@pytest.mark.usefixtures("_warm")
@pytest.mark.parametrize("name", DEMOS)
def test_a_demo_can_be_recorded_again(name: str, tmp_path: Path) -> None:
    """With the bundled model every cell runs, and no request that a recording plans is refused."""
    folder = tmp_path / "live"
    folder.mkdir()
    notebook = read(name)
    copy_data(folder)
    home = share_states(tmp_path / "home")
    execute(notebook, folder, home, {"PLANNER_MODEL_SPEC": "bundled"})
    refused = [
        [["I cannot" in text for text in texts] for texts in _outputs(each)]
        for each in (notebook, read(name))
    ]
    assert refused[0] == refused[1]


@pytest.mark.parametrize("name", [QUICKSTART, *DEMOS])
def test_a_notebook_is_saved_cleanly(name: str) -> None:
    """It was run from top to bottom, without errors, widgets, scripts or local paths."""
    notebook = read(name)
    text = (HERE / f"{name}.ipynb").read_text("utf-8")
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]

    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert "widgets" not in notebook.metadata
    outputs = [output for cell in code for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error"]
    kinds = {kind for output in outputs for kind in output.get("data", {})}
    assert kinds <= {"text/plain", "text/html", "text/markdown", "image/svg+xml"}
    assert "<script" not in text
    assert re.findall(r"[\"'; (]/(?:home|root|tmp|mnt|srv|work|Users)/[^\s\"']+", text) == []
    assert re.search(rf"\b{re.escape(os.uname().nodename)}\b", text) is None


@pytest.mark.parametrize("name", DEMOS)
def test_a_notebook_is_short(name: str) -> None:
    """It starts with a title, has fewer than 400 words and at most 14 cells."""
    cells = read(name).cells
    words = sum(len(cell.source.split()) for cell in cells)

    assert cells[0].source.startswith("# ")
    assert words < 400
    assert len(cells) <= 14


@pytest.mark.parametrize("name", DEMOS)
def test_a_recording_names_no_machine(name: str) -> None:
    """It is JSON and contains no local folder and no host name."""
    text = recording_of(name).read_text("utf-8")

    assert json.loads(text)["runs"]
    assert re.findall(r"[\"'; (]/(?:home|root|mnt|srv|work|Users)/[^\s\"']+", text) == []
    assert re.search(rf"\b{re.escape(os.uname().nodename)}\b", text) is None
