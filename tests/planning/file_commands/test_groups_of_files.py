"""Files that are copied or moved together: by their kind, their number, their folder, their names.

The folder that they go into may be made by the same request.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.each_row import each_row
from tests.planning.file_commands.read_steps import filled, steps_of

_FILES = {
    "boats.csv": "a\n1\n",
    "ports.csv": "a\n1\n",
    "logs/mon.log": "up\n",
    "logs/tue.log": "up\n",
    "Briefe/anna.txt": "Liebe Anna\n",
    "Briefe/bo.txt": "Lieber Bo\n",
    "invoice_1.txt": "10\n",
    "invoice_2.txt": "20\n",
    "invoicing.txt": "how to\n",
    "deep/down/x.txt": "x\n",
    "deep/y.txt": "y\n",
    "report_1.md": "a\n",
    "old/report_2.md": "b\n",
    "reports/march.md": "c\n",
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    for name in ("deep", "old"):
        (tmp_path / name).mkdir()
    return filled(tmp_path, _FILES)


def _commands(folder: Path, request: str) -> list[str]:
    steps = steps_of(folder, request)
    return [" ".join([step["args"]["command"], *step["args"]["args"]]) for step in steps]


_TABLES = ["mkdir tables", "cp boats.csv ports.csv tables"]
_LOGS = ["mkdir archive", "mv logs/mon.log logs/tue.log archive"]
_INVOICES = ["mkdir 2026", "mv invoice_1.txt invoice_2.txt 2026"]
_LETTERS = ["mkdir Post", "cp Briefe/anna.txt Briefe/bo.txt Post"]


@each_row(
    ("request_", "commands"),
    [
        ("Make a subfolder tables and copy the two csv files into it", _TABLES),
        ("Copy both csv files to a folder named tables", _TABLES),
        ("Create a folder called tables, then copy all csv files there", _TABLES),
        ("Erstelle einen Unterordner tables und kopiere die beiden CSV-Dateien hinein", _TABLES),
        ("move the two log files into a new folder called archive", _LOGS),
        ("Verschiebe alle Logdateien in einen neuen Ordner namens archive", _LOGS),
        ("move all invoices to a folder called 2026", _INVOICES),
        ("Make a folder 2026 and put the 2 invoices into it", _INVOICES),
        ("Kopiere alle Briefe in einen Ordner namens Post", _LETTERS),
        ("Copy the two Briefe to a folder named Post", _LETTERS),
        (
            "Leg einen Ordner namens Archiv an und verschiebe boats.csv dorthin",
            ["mkdir Archiv", "mv boats.csv Archiv"],
        ),
        (
            "Mach einen Ordner Archiv und verschiebe boats.csv in diesen Ordner",
            ["mkdir Archiv", "mv boats.csv Archiv"],
        ),
        (
            "Make a folder sold and move boats.csv into the folder",
            ["mkdir sold", "mv boats.csv sold"],
        ),
    ],
)
def test_a_group_goes_into_the_folder(folder: Path, request_: str, commands: list[str]) -> None:
    """Exactly the files that are spoken of are copied or moved."""
    assert _commands(folder, request_) == commands


@each_row(
    "request_",
    [
        "move the three log files into a new folder called archive",  # there are two
        "Copy the five Briefe to a folder named Post",
        "copy all deep to a folder named flat",  # it has folders of its own
        "copy all reports to a folder named all",  # the folder, or the names
        "copy all drafts to a folder named portfolio",  # nothing is called so
        "move all files to a folder named all",
        "copy all invoices to Anna",  # no folder is said
        "copy all csv files to all.csv",  # a file
        "move the two log files into a new folder",  # which has no name
        "Verschiebe boats.csv in einen neuen Ordner",
        "copy boats.csv into my folder",
        "copy boats.csv into this folder",
        "Move both csv files to the parent folder",
        "Verschiebe boats.csv in diesen Ordner",
        "delete all invoices",
        "delete the three csv files",
    ],
)
def test_a_group_in_doubt_is_left_to_the_model(folder: Path, request_: str) -> None:
    """The number does not fit, or it is not certain which files or which folder are meant."""
    assert _commands(folder, request_) == []


def test_no_file_is_replaced_in_the_folder(folder: Path) -> None:
    """One of them is there already."""
    filled(folder, {"archive/mon.log": "kept\n"})
    (folder / "archive/mon.log").rename(folder / "archive/tue.log")
    assert _commands(folder, "move all log files in logs to archive") == []
