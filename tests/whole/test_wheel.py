"""The built sdist and wheel are ready for an index; the wheel works without the checkout."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.process

ROOT = Path(__file__).resolve().parents[2]
BUILD = (sys.executable, "-m", "build")

#: Runs against the unpacked wheel, in a process that does not see the checkout.
PROBE = """
import json, sys
sys.path.insert(0, sys.argv[1])
import okso_jupyter
from okso_jupyter import assets, Session
from okso_jupyter.approval.form import widget
from okso_jupyter.views import plan_html, table_html
with Session({"OKSO_HOME": sys.argv[2]}) as session:
    tools = sorted(session.tools)
    plan = okso_jupyter.Plan.from_dict([{"tool": "final_answer", "args": {}}])
print(json.dumps({
    "file": okso_jupyter.__file__,
    "schemas": assets.schema_names(),
    "prompt": assets.prompt("planner_request", request="r", feedback=""),
    "styles": [plan_html.style(), table_html.table_style()],
    "script": str(widget.FormWidget._esm),
    "tools": tools,
    "steps": len(plan.steps),
    "workflows": [[e.file, e.problem] for e in session.workflows.entries],
}))
"""


def _run(*command: str, cwd: Path) -> str:
    done = subprocess.run(  # noqa: S603  our own command lines
        command, cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    # hatchling is installed, so the build needs neither an environment of its own nor the network
    _run(*BUILD, "--no-isolation", "--outdir", str(folder), str(ROOT), cwd=folder)
    return folder


@pytest.fixture(scope="module")
def unpacked(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that contains only the installed wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    (wheel,) = built.glob("*.whl")
    site = folder / "site"
    options = ("--no-deps", "--no-index", "--quiet", "--disable-pip-version-check")
    _run(
        *(sys.executable, "-m", "pip", "install", *options, "--target", str(site), str(wheel)),
        cwd=folder,
    )
    return site


def test_the_wheel_works_without_the_checkout(unpacked: Path) -> None:
    """Schemas, prompts, styles, the form's script, tools and workflows are in the wheel."""
    home = unpacked.parent / "home"
    found = json.loads(
        _run(sys.executable, "-I", "-c", PROBE, str(unpacked), str(home), cwd=unpacked.parent)
    )
    assert Path(found["file"]).is_relative_to(unpacked)
    assert found["schemas"] == sorted(path.name for path in (ROOT / "schemas").iterdir())
    assert found["prompt"] == "r"
    assert all(".okso" in style for style in found["styles"])
    assert "export" in found["script"]
    built_in = {path.stem for path in (ROOT / "okso_jupyter" / "tools").glob("[a-z]*.py")}
    flows = {path.stem for path in (ROOT / "workflows").iterdir() if path.is_file()}
    assert set(found["tools"]) == built_in | {f"workflow_{name}" for name in flows}
    assert {Path(file).stem for file, _ in found["workflows"]} == flows
    assert all(
        Path(file).is_relative_to(unpacked) and not problem for file, problem in found["workflows"]
    )
    assert found["steps"] == 1


def test_the_wheel_contains_types_and_licence(unpacked: Path) -> None:
    """The wheel contains the marker for type checkers, and the licence."""
    assert (unpacked / "okso_jupyter" / "py.typed").exists()
    assert list(unpacked.glob("okso_jupyter-*.dist-info/licenses/LICENSE"))


def test_an_index_would_accept_both(built: Path) -> None:
    """The metadata of sdist and wheel are valid, and the README can be shown."""
    files = sorted(map(str, built.iterdir()))
    assert len(files) == 2
    _run(sys.executable, "-m", "twine", "check", "--strict", *files, cwd=built)


def test_the_sdist_contains_what_is_needed_and_no_more(built: Path) -> None:
    """The sdist has what builds and tests the package, and nothing that a build left."""
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        folders = {Path(name).parts[1] for name in archive.getnames() if "/" in name}
    assert {"okso_jupyter", "schemas", "workflows", "tests", "LICENSE", "README.md"} <= folders
    assert not folders & {".venv", "build", "dist"}
