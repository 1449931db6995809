"""The code of README and docs works as written, and their links are valid."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from notebooks.run import HERE
from okso_jupyter import Session, Tool
from tests.each_row import each_row

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.glob("*.md")]


def _blocks() -> set[str]:
    return {
        block
        for page in PAGES
        for block in re.findall(
            r"^```python\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE
        )
    }


def _block(text: str) -> str:
    """Return the only code block that contains a text; copies of it count as one."""
    (found,) = [block for block in _blocks() if text in block]
    return found


def _executed(text: str, *, run_id: str = "", **names: Any) -> dict[str, Any]:
    """Run the code block that contains a text, with names that it takes for granted.

    Return all of its names.
    """
    code = _block(text).replace("RUN_ID", run_id)
    exec(compile(code, "a page of the docs", "exec"), names)  # noqa: S102  that is the test
    return names


@pytest.fixture(autouse=True)
def in_notebooks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change to the folder of the quickstart, with a private journal."""
    monkeypatch.setenv("OKSO_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(HERE)


@pytest.mark.model
def test_planning_and_running_from_python() -> None:
    """The example in the docs plans, runs and answers correctly."""
    run = _executed("session.execute(planning")["run"]
    lines = (HERE / "data" / "weather.csv").read_text("utf-8").splitlines()
    assert run.state == "completed"
    assert run.answer.split()[0] == str(len(lines))


@pytest.mark.model
def test_a_tool_in_one_file() -> None:
    """The example's tool is chosen among all tools, and returns the checksum."""
    checksum = _executed("def checksum")["checksum"]
    assert isinstance(checksum, Tool)
    with Session() as session:
        tools = [*session.tools.values(), checksum]
    with Session(tools=tools) as session:
        run = session.run("What is the checksum of data/notes.md?", seed=1, approve="auto")
    data = (HERE / "data" / "notes.md").read_bytes()
    assert run.answer == hashlib.sha256(data).hexdigest()


@pytest.mark.model
def test_a_tool_from_its_schema(capsys: pytest.CaptureFixture[str]) -> None:
    """The example's function is planned with the number from the request."""
    names = _executed("Tool.from_schema")
    printed = re.search(r"print\(run.answer\)  # (.*)", _block("Tool.from_schema"))
    assert printed is not None
    assert capsys.readouterr().out.strip() == printed[1]
    assert names["run"].plan.steps[0].args == {"fahrenheit": 98.6}


def test_a_tool_from_its_annotations() -> None:
    """The example's schema has a file, a number and a choice; the function reads a page."""
    headlines = _executed("def headlines")["headlines"]
    assert headlines.properties["path"]["x-ground"] == "file"
    assert headlines.properties["most"]["description"] == "How many to list."
    assert headlines.parameters["required"] == ["path"]
    assert not headlines.violations({"path": "a.md", "order": "last"})
    assert headlines.call(None, {"path": "data/notes.md", "most": 1}).text.startswith("# ")


def test_the_audit_of_all_runs() -> None:
    """The tables of the example have the columns and the condition that it asks for."""
    audit = _executed("session.audit()")["audit"]
    assert {"scale", "plans", "kept"} <= set(audit.scores)


def test_the_records_of_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    """The example prints every record of a run."""
    with Session() as session:
        run = session.execute([{"tool": "final_answer", "args": {}}], approve="auto")
    _executed("load_run(", run_id=run.id)
    assert len(capsys.readouterr().out.splitlines()) >= len(run.records) > 0


def test_the_style_by_example() -> None:
    """The example of the style does what its docstrings say."""
    names = _executed("def pause_before", dataclass=dataclass, __name__=__name__)
    waits = [names["pause_before"](attempt, base_s=0.5) for attempt in (1, 2, 4)]
    assert waits == [None, names["Pause"](0.5), names["Pause"](2.0)]


def test_every_block_of_code_is_run() -> None:
    """A block that is added to a page needs a test above."""
    texts = re.findall(r'_executed\(\s*"([^"]+)"', Path(__file__).read_text("utf-8"))
    assert [block for block in _blocks() if not any(text in block for text in texts)] == []


@each_row("page", PAGES)
def test_every_linked_file_exists(page: Path) -> None:
    """Every link to a file of the repository leads to an existing file."""
    links = re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8"))
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (page.parent / link).exists()] == []


def test_every_page_is_linked_from_the_readme() -> None:
    """The README links to each page of the docs."""
    readme = (ROOT / "README.md").read_text("utf-8")
    assert [page.name for page in DOCS.glob("*.md") if f"(docs/{page.name})" not in readme] == []


def test_the_readme_is_short() -> None:
    """The README has at most 160 lines; everything else is on other pages."""
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 160


def test_every_dependency_is_explained() -> None:
    """Each dependency of the package has a row in the docs."""
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    needed = re.search(r"^dependencies = \[(.*?)^\]", project, re.DOTALL | re.MULTILINE)
    assert needed is not None
    names = re.findall(r'"([a-z0-9-]+)', needed[1])
    table = (DOCS / "dependencies.md").read_text("utf-8")
    assert names
    assert [
        name for name in names if not re.search(rf"^\|.*\b{name}\b.*\|.*\|$", table, re.MULTILINE)
    ] == []
