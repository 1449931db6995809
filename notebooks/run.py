"""Execute a notebook of this folder headless and print every request with its answer.

`python notebooks/run.py` executes `quickstart.ipynb` and writes what came of it to `build/`;
`--write` writes it back into the notebook itself. Paths of this machine are left out of it.
Journal and logs go to a temporary folder unless OKSO_HOME names one.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

HERE: Final = Path(__file__).resolve().parent
BUILD: Final = HERE.parent / "build"
_CELL_TIMEOUT_S: Final = 300
_MAGIC: Final = "%%okso"


def execute(notebook: Any, folder: Path, home: Path) -> None:  # noqa: ANN401  nbformat ships no types
    """Execute a notebook in place, in a kernel of its own.

    Args:
        notebook: The notebook.
        folder: Working folder of the kernel.
        home: Folder of journal and logs.

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
    client.execute(env={**os.environ, "OKSO_HOME": str(home), "PYTHONPATH": _python_path()})
    notebook.metadata.pop("widgets", None)


def _python_path() -> str:
    """Return a module path on which the package of this checkout comes first."""
    others = os.environ.get("PYTHONPATH")
    return os.pathsep.join([str(HERE.parent), *([others] if others else [])])


def answers(notebook: Any) -> list[tuple[str, str]]:  # noqa: ANN401  see execute
    """Return each request of an executed notebook with the text of its result."""
    found = []
    for cell in notebook.cells:
        if cell.cell_type != "code" or not cell.source.startswith(_MAGIC):
            continue
        request = cell.source.partition("\n")[2].strip()
        results = [out.data for out in cell.outputs if out.output_type == "execute_result"]
        found.append((request, results[-1]["text/plain"] if results else "(nothing shown)"))
    return found


def main() -> int:
    """Execute, print, write; return 0 when every cell came to its end."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("notebook", nargs="?", type=Path, default=HERE / "quickstart.ipynb")
    parser.add_argument("--write", action="store_true", help="write the outputs back")
    given = parser.parse_args()
    notebook = nbformat.read(given.notebook, as_version=4)
    target = given.notebook if given.write else BUILD / given.notebook.name
    print(f"Executing {given.notebook.name} with the bundled model ...\n", flush=True)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="okso-") as temporary:
        home = Path(os.environ.get("OKSO_HOME") or temporary)
        try:
            execute(notebook, HERE, home)
        except CellExecutionError as error:
            print(error, file=sys.stderr)
            return 1
    for request, result in answers(notebook):
        print(f"> {request}")
        print("\n".join(f"    {line}" if line else "" for line in result.splitlines()), "\n")
    target.parent.mkdir(exist_ok=True)
    text = nbformat.writes(notebook)
    for folder, name in ((HERE, "notebooks"), (home, "okso")):  # whoever reads it has others
        text = text.replace(str(folder), name)
    target.write_text(f"{text}\n", "utf-8")
    print(f"{time.monotonic() - started:.0f} s. The executed notebook: {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
