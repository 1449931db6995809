"""The measure of changes that are made at once: it sees what is lost, open or wrongly told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.shared_files.checks import Left, look, read_runs
from benchmarks.shared_files.work import KINDS, NAME, Kind, Work, run_steps

Meddle = Callable[[Path], object]


def _one_after_the_other(work: Work, folder: Path, meddle: Meddle = lambda _file: None) -> Left:
    """Make the changes in two runs, then let somebody meddle with the file, and look."""
    root, homes = folder / "notebook", [folder / "home"]
    root.mkdir()
    file = root / NAME
    file.write_text(work.original)
    alone = [{**work.step(number), "parallel": False} for number in range(work.count)]
    ids = [run_steps(root, homes[0], steps) for steps in (alone[:1], alone[1:])]
    meddle(file)
    return look(work, file, read_runs(ids, homes), len(ids))


@pytest.mark.parametrize("kind", KINDS)
def test_changes_one_after_the_other_are_right(kind: Kind, tmp_path: Path) -> None:
    """Nothing is lost or open, ledgers tell of every change, and undo takes them back."""
    left = _one_after_the_other(Work(kind=kind, count=2, way="steps"), tmp_path)
    assert left == Left(lost=0, open=0, ledger=True, undo=True)


def test_a_lost_change_is_found(tmp_path: Path) -> None:
    """The runs are completed and tell of it, and the file does not hold it."""
    work = Work(kind="append", count=2, way="steps")
    left = _one_after_the_other(
        work, tmp_path, lambda file: file.write_text(f"{work.original}{work.line(0)}\n")
    )
    assert (left.lost, left.open, left.ledger) == (1, 0, False)


def test_a_change_that_is_there_twice_is_found(tmp_path: Path) -> None:
    """An effect that was repeated is as wrong as one that was lost."""
    work = Work(kind="append", count=2, way="steps")
    left = _one_after_the_other(
        work, tmp_path, lambda file: file.write_text(f"{file.read_text()}{work.line(1)}\n")
    )
    assert left.lost == 1


def test_a_run_that_fails_is_open(tmp_path: Path) -> None:
    """Its change is missing, and the run is counted."""
    root, home = tmp_path / "notebook", tmp_path / "home"
    root.mkdir()
    work = Work(kind="edit", count=2, way="steps")
    (root / NAME).write_text(work.original)
    ids = [run_steps(root, home, [work.step(0)]), run_steps(root, home, [work.step(7)])]
    left = look(work, root / NAME, read_runs(ids, [home]), 2)
    assert (left.lost, left.open, left.ledger) == (1, 1, False)


def test_an_undo_that_is_refused_for_no_reason_is_wrong(tmp_path: Path) -> None:
    """Nobody else's run wrote after it, so it should have been taken back."""
    work = Work(kind="edit", count=2, way="steps")
    left = _one_after_the_other(
        work, tmp_path, lambda file: file.write_text(f"{file.read_text()}more\n")
    )
    assert left == Left(lost=0, open=0, ledger=False, undo=False)
