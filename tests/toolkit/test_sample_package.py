"""A package of somebody else, really built and installed, used by a program of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
SOURCE = REPOSITORY / "tests" / "sample_package"

PROGRAM = """
import json, sys
from okso_jupyter import OksoError, Session
from okso_jupyter.effects.effect import in_words
from okso_jupyter.testing import ScriptedModel

def answer(*steps):
    return [{"tool": tool, "args": args} for tool, args in (*steps, ("final_answer", {}))]

told = {}
greeting = ScriptedModel([answer(("greet", {"name": "Ann"}))])
with Session({"OKSO_HOME": "home", "PLANNER_SAMPLE_COUNT": 1}, model=greeting) as session:
    told["tools"] = list(session.tools)
    told["prompted"] = session.tools["greet"].description
    run = session.run("Say hello to Ann", seed=1, approve="auto")
    told["run"] = [run.state, run.answer, run.plan.tools]

with Session({"OKSO_HOME": "home"}) as session:
    run = session.execute(answer(("size_of", {"path": "program.py"})), approve="auto")
    told["size"] = run.steps_seen[0].raw
    plan = answer(("mystery", {"name": "x"}))
    told["effects"] = in_words(session.tools["mystery"].effect_of({"name": "x"}))
    try:
        session.execute(plan, approve="auto")
    except OksoError as error:
        told["refused"] = str(error)
    told["after_auto"] = __import__("os").path.exists("mystery.txt")
    told["by_person"] = session.execute(plan, approve=lambda plan: "approve").state
    told["after_person"] = __import__("os").path.exists("mystery.txt")
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, _process: None) -> Path:
    """A folder that pip has installed the package into."""
    work = tmp_path_factory.mktemp("package")
    source = shutil.copytree(SOURCE, work / "source")
    target = work / "target"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
               "--no-build-isolation", "--target", str(target), str(source)]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr
    assert list(target.glob("sample_tools-1.0.dist-info"))
    return target


@pytest.fixture(scope="module")
def told(
    installed: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """What a program tells that plans and runs with the package's tools, and its log."""
    folder = tmp_path_factory.mktemp("folder")
    (folder / "program.py").write_text(PROGRAM, "utf-8")
    environment = {**os.environ, "PYTHONPATH": f"{installed}{os.pathsep}{REPOSITORY}"}
    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    log = [json.loads(line) for line in done.stderr.splitlines()]
    told: dict[str, Any] = json.loads(done.stdout)
    return told, log


Told = tuple[dict[str, Any], list[dict[str, str]]]


def test_its_tools_are_planned_and_run(told: Told) -> None:
    """A tool of the package is in the catalogue, is planned by a model, and runs."""
    facts, _ = told
    assert {"greet", "size_of", "mystery", "terminal"} <= set(facts["tools"])
    assert facts["run"] == ["completed", "Hello, Ann!", ["greet", "final_answer"]]
    assert facts["size"] == {"bytes": len(PROGRAM.encode())}


def test_undeclared_effects_count_as_the_worst(told: Told) -> None:
    """A tool that declares nothing says so, asks a person, and is never approved by a policy."""
    facts, _ = told
    assert facts["effects"] == "effects not declared: anything may happen"
    assert "step 1 (mystery): its effects are not declared" in facts["refused"]
    assert (facts["after_auto"], facts["by_person"], facts["after_person"]) == (
        False, "completed", True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("point", "reason"),
    [
        ("sample_tools.nowhere:tool", "ModuleNotFoundError"),
        ("sample_tools.broken:tool", "a_package_that_nobody_has"),
        ("sample_tools.ending:tool", "SystemExit: goodbye"),
        ("sample_tools:a_number", "'int' object is not callable"),
        ("sample_tools:raises", "RuntimeError: no licence⟨U+001B⟩[31m found"),
        ("sample_tools:taken", "the name 'terminal' is taken"),
        ("sample_tools:same_name", "the name 'greet' is taken"),
        ("sample_tools.bad_schema:tool", "tool odd: parameters are not a JSON Schema"),
    ],
)
def test_what_is_broken_is_named_and_the_others_load(told: Told, point: str, reason: str) -> None:
    """Each broken entry point is in the log with package, place and reason; nothing ends."""
    _, log = told
    problems = {line["detail"] for line in log if line["message"] == "tools were left out"}
    found = [text for text in problems if f"package sample-tools ({point})" in text]
    assert len(found) == 1, problems
    assert reason in found[0]
