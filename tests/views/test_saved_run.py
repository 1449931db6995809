"""A run in a saved notebook is complete without a kernel, as HTML page and on GitHub."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook, new_output

from okso_jupyter import Run, Session

pytestmark = pytest.mark.model

#: Elements that GitHub lets through, as far as any are used here.
_GITHUB = set(
    "a b blockquote br code dd details div dl dt em hr i li ol p pre span strong sub summary sup"
    " table tbody td th thead tr ul".split()
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A run that the bundled model planned."""
    folder = tmp_path_factory.mktemp("saved")
    (folder / "rain.csv").write_text("station,rain_mm\nhilltop,12\nharbour,7\n", "utf-8")
    settings = {"OKSO_HOME": str(folder / "home"), "PLANNER_SAMPLE_COUNT": 2}
    with Session(settings, root=folder) as session:
        yield session.run("How many lines has rain.csv?", seed=3, approve="auto")


@pytest.fixture(scope="module")
def notebook(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved notebook that shows the run and all of its views."""
    shown: list[Any] = [
        run, run.graph(), run.timeline(), run.plan, run.ranking, run.candidates,
        run.observations, run.trace, run.ledger,
    ]  # fmt: skip
    outputs = [new_output("display_data", data=one._repr_mimebundle_()) for one in shown]
    cells = [new_code_cell("run", outputs=[output]) for output in outputs]
    path = tmp_path_factory.mktemp("notebook") / "run.ipynb"
    nbformat.write(new_notebook(cells=cells), path)
    return path


def _facts(run: Run) -> list[str]:
    """Return what a reader must find: answer, steps, points, outputs, spans."""
    assert run.answer is not None
    assert run.plan is not None
    facts = [run.answer, *(f"{step.id}. {step.tool}" for step in run.plan.steps), "✓", "done"]
    facts += [f"{finding.points:g}" for card in run.sampled for finding in card.scorecard.findings]
    facts += [reason for card in run.sampled for reason in card.scorecard.rationale]
    facts += [str(name) for name in run.trace["name"]] + list(run.ranking["tool"])
    facts += [seen.text.strip() for seen in run.steps_seen]
    return facts


def _words(html: str) -> str:
    return " ".join(BeautifulSoup(html, "html.parser").get_text(" ").split())


def _on_github(html: str) -> str:
    """Return HTML as GitHub shows it: no styles, no SVG, no classes."""
    soup = BeautifulSoup(html, "html.parser")
    for tag in soup.find_all(["style", "script", "svg"]):
        tag.decompose()
    for tag in soup.find_all():
        tag.attrs = {}
        if tag.name not in _GITHUB:
            tag.unwrap()
    return str(soup)


def test_the_exported_page_has_all_facts(run: Run, notebook: Path) -> None:
    """A notebook exported by nbconvert, without a kernel, shows all facts of the run."""
    html, _ = HTMLExporter(template_name="lab").from_filename(str(notebook))
    main = str(BeautifulSoup(html, "html.parser").find("main"))
    words = _words(main)
    assert [fact for fact in _facts(run) if " ".join(fact.split()) not in words] == []
    assert main.count("<svg") >= 4
    assert "<script" not in main


def test_github_shows_all_facts(run: Run, notebook: Path) -> None:
    """Without styles, classes and SVG, tables and text still show all facts of the run."""
    saved = nbformat.read(notebook, as_version=4)
    faces = [cell.outputs[0].data["text/html"] for cell in saved.cells]
    words = _words(_on_github(faces[0]))
    assert [fact for fact in _facts(run) if " ".join(fact.split()) not in words] == []
    assert "<td>" in _on_github(faces[-1])
    for drawn in faces[1:3]:
        assert "Plan of" in drawn or "Timeline of" in drawn
        assert "1" in _words(_on_github(drawn))


def test_a_saved_notebook_has_no_widgets_and_no_external_links(notebook: Path) -> None:
    """A saved notebook needs no kernel, no widget state and no network."""
    saved = json.loads(notebook.read_text("utf-8"))
    assert "widgets" not in saved["metadata"]
    for cell in saved["cells"]:
        data = cell["outputs"][0]["data"]
        assert set(data) <= {"text/plain", "text/markdown", "text/html", "image/svg+xml"}
        html = "".join(data["text/html"]).replace("http://www.w3.org/2000/svg", "")
        soup = BeautifulSoup(html, "html.parser")
        assert not soup.find_all(["script", "link", "iframe", "img", "a"])
        assert "http" not in html
