"""Execute notebooks of this folder headless and print every request with its answer.

`python notebooks/run.py` executes `quickstart.ipynb` with the bundled model and writes what came
of it to `build/`; `python notebooks/run.py audit workflow` does those, `--all` all of them.

`--write` writes the outputs back into the notebook itself. `--record` makes its recording in
`recordings/` meanwhile, `--replay` plays it back: no model is loaded and no tool is called. All
work on a copy of `data/`, and folders of this machine are left out of what is written. Journal and
logs go to a temporary folder unless OKSO_HOME names one.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

HERE: Final = Path(__file__).resolve().parent
BUILD: Final = HERE.parent / "build"
RECORDINGS: Final = HERE / "recordings"
QUICKSTART: Final = "quickstart"
#: Each tells one story; these are also played back from recordings.
DEMOS: Final = (
    "audit", "editing", "mcp_and_policies", "parallel_and_conditional", "weekly_review", "workflow",
)  # fmt: skip
_CELL_TIMEOUT_S: Final = 300
_MAGIC: Final = "%%okso"
_VARIABLES: Final = {"record": "OKSO_RECORD", "replay": "OKSO_REPLAY"}

Mode = Literal["live", "record", "replay"]


def read(name: str) -> Any:  # noqa: ANN401  nbformat ships no types
    """Return a notebook of this folder by its name."""
    return nbformat.read(HERE / f"{name}.ipynb", as_version=4)


def recording_of(name: str) -> Path:
    """Return the file of a notebook's recording."""
    return RECORDINGS / f"{name}.json"


def copy_data(folder: Path) -> None:
    """Copy the files that the notebooks ask about into a folder, fresh."""
    written = shutil.ignore_patterns("todo.txt", "summary.md")
    shutil.copytree(HERE / "data", folder / "data", ignore=written)


def execute(
    notebook: Any,  # noqa: ANN401  see read
    folder: Path,
    home: Path,
    variables: Mapping[str, str] | None = None,
) -> None:
    """Execute a notebook in place, in a kernel of its own.

    Args:
        notebook: The notebook.
        folder: Working folder of the kernel.
        home: Folder of journal and logs.
        variables: Environment variables beside those of this process.

    Raises:
        CellExecutionError: A cell failed.
    """
    client = NotebookClient(
        notebook,
        timeout=_CELL_TIMEOUT_S,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        record_timing=False,
        extra_arguments=["--log-level=40"],  # errors only: the cells are the output
    )
    own = {"OKSO_HOME": str(home), "PYTHONPATH": _python_path()}
    client.execute(env={**os.environ, **own, **(variables or {})})
    notebook.metadata.pop("widgets", None)


def _python_path() -> str:
    """Return a module path on which the package of this checkout comes first."""
    others = os.environ.get("PYTHONPATH")
    return os.pathsep.join([str(HERE.parent), *([others] if others else [])])


def answers(notebook: Any) -> list[tuple[str, str]]:  # noqa: ANN401  see read
    """Return each request of an executed notebook with the text of its result."""
    found = []
    for cell in notebook.cells:
        if cell.cell_type != "code" or not cell.source.startswith(_MAGIC):
            continue
        request = cell.source.partition("\n")[2].strip()
        results = [out.data for out in cell.outputs if out.output_type == "execute_result"]
        found.append((request, results[-1]["text/plain"] if results else "(nothing shown)"))
    return found


def portable(text: str, folders: Mapping[Path, str]) -> str:
    """Return a text in which names stand for the folders of this machine, the deepest first."""
    for folder in sorted(folders, key=lambda folder: -len(str(folder))):
        text = text.replace(str(folder), folders[folder])
    return text


def run(name: str, mode: Mode, *, write: bool) -> bool:
    """Execute one notebook, print its answers and write it; say whether it came to its end."""
    print(f"Executing {name}.ipynb ({mode}) ...\n", flush=True)
    notebook, started_s = read(name), time.monotonic()
    recording = recording_of(name)
    with tempfile.TemporaryDirectory(prefix="okso-") as temporary:
        folder = Path(temporary).resolve() / "notebooks"
        home = Path(os.environ.get("OKSO_HOME") or folder.parent / "home")
        copy_data(folder)
        if mode == "record":
            RECORDINGS.mkdir(exist_ok=True)
            recording.unlink(missing_ok=True)
        try:
            execute(
                notebook, folder, home, {_VARIABLES[mode]: str(recording)} if mode != "live" else {}
            )
        except CellExecutionError as error:
            print(error, file=sys.stderr)
            return False
    if mode == "record":
        places = {folder: "/okso/notebooks", home: "/okso/home", Path.home(): "/okso/user"}
        recording.write_text(portable(recording.read_text("utf-8"), places), "utf-8")
    _tell(notebook)
    target = (HERE if write else BUILD) / f"{name}.ipynb"
    target.parent.mkdir(exist_ok=True)
    target.write_text(
        f"{portable(nbformat.writes(notebook), {folder: 'notebooks', home: 'okso'})}\n", "utf-8"
    )
    print(f"{time.monotonic() - started_s:.0f} s. The executed notebook: {target}")
    return True


def _tell(notebook: Any) -> None:  # noqa: ANN401  see read
    """Print every request with its answer."""
    for request, result in answers(notebook):
        print(f"> {request}")
        print("\n".join(f"    {line}" if line else "" for line in result.splitlines()), "\n")


def main() -> int:
    """Execute, print, write; return 0 when every cell of every notebook came to its end."""
    known = (QUICKSTART, *DEMOS)
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)}")
    parser.add_argument("--all", action="store_true", help="all of them")
    parser.add_argument("--write", action="store_true", help="write the outputs back")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--record", dest="mode", action="store_const", const="record", default="live")
    how.add_argument("--replay", dest="mode", action="store_const", const="replay")
    given = parser.parse_args()
    names = known if given.all else given.names or [QUICKSTART]
    for name in names:
        if name not in known:
            parser.error(f"there is no notebook {name!r}; there are {', '.join(known)}")
    done = [run(name, given.mode, write=given.write) for name in names]
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
