"""Generate the journal of all scenarios, and the snapshots of what is read from it.

    python -m tests.frozen

Neither contains paths of this machine.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.bench import Bench
from tests.frozen.reading import JOURNAL, ROOT, SNAPSHOTS, everything_of, everything_of_all, opened
from tests.frozen.scenarios import SCENARIOS, prepare


def main() -> None:
    """Run every scenario in one folder and write the journal and the snapshots."""
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder) / ROOT.name, Path(folder) / "home")
        bench.root.mkdir()
        prepare(bench)
        for name, make in SCENARIOS.items():
            print(name, flush=True)  # noqa: T201  it takes minutes
            make(bench)
        JOURNAL.write_text(_dumped(bench.home, folder), "utf-8")
    snapshot()


def snapshot() -> None:
    """Write what is read from the journal, one file per run."""
    shutil.rmtree(SNAPSHOTS, ignore_errors=True)
    SNAPSHOTS.mkdir()
    with tempfile.TemporaryDirectory() as folder:
        journal = opened(Path(folder) / "home")
        for run_id in journal.run_ids():
            _save(run_id, everything_of(journal, run_id))
        _save("all", everything_of_all(journal))
        journal.close()


def _save(name: str, read: dict[str, Any]) -> None:
    text = json.dumps(read, ensure_ascii=False, indent=1)
    (SNAPSHOTS / f"{name}.json").write_text(text + "\n", "utf-8")


def _dumped(home: Path, folder: str) -> str:
    """Return the journal as SQL, with the paths of this machine replaced."""
    database = sqlite3.connect(home / "journal.sqlite3")
    text = "\n".join(database.iterdump())
    database.close()
    places = {folder: ROOT.parent, sys.prefix: "/frozen/python", str(Path.home()): "/frozen/user"}
    for here, there in places.items():
        text = text.replace(here, str(there))
    return text + "\n"


if __name__ == "__main__":
    main()
