"""The measure of simultaneous changes: it detects lost, open and misreported ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.shared_files.checks import Left, look, read_runs
from benchmarks.shared_files.work import KINDS, NAME, Kind, Work, run_steps

Meddle = Callable[[Path], object]


def _one_after_the_other(work: Work, folder: Path, meddle: Meddle = lambda _file: None) -> Left:
    """Make the changes in two runs, let `meddle` change the file, and return the findings."""
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
    """No change is lost or open, the ledgers list every change, and undo reverts them."""
    left = _one_after_the_other(Work(kind=kind, count=2, way="steps"), tmp_path)
    assert left == Left(lost=0, open=0, ledger=True, undo=True)


def test_a_lost_change_is_found(tmp_path: Path) -> None:
    """The runs completed and list the change, but the file does not contain it."""
    work = Work(kind="append", count=2, way="steps")
    left = _one_after_the_other(
        work, tmp_path, lambda file: file.write_text(f"{work.original}{work.line(0)}\n")
    )
    assert (left.lost, left.open, left.ledger) == (1, 0, False)


def test_a_duplicated_change_is_found(tmp_path: Path) -> None:
    """A repeated effect counts as lost, like a missing one."""
    work = Work(kind="append", count=2, way="steps")
    left = _one_after_the_other(
        work, tmp_path, lambda file: file.write_text(f"{file.read_text()}{work.line(1)}\n")
    )
    assert left.lost == 1


def test_a_run_that_fails_is_open(tmp_path: Path) -> None:
    """Its change is missing, and the run is counted as open."""
    root, home = tmp_path / "notebook", tmp_path / "home"
    root.mkdir()
    work = Work(kind="edit", count=2, way="steps")
    (root / NAME).write_text(work.original)
    ids = [run_steps(root, home, [work.step(0)]), run_steps(root, home, [work.step(7)])]
    left = look(work, root / NAME, read_runs(ids, [home]), 2)
    assert (left.lost, left.open, left.ledger) == (1, 1, False)


def test_an_undo_refused_without_reason_is_wrong(tmp_path: Path) -> None:
    """No other run wrote after it, so undo should have reverted the change."""
    work = Work(kind="edit", count=2, way="steps")
    left = _one_after_the_other(
        work, tmp_path, lambda file: file.write_text(f"{file.read_text()}more\n")
    )
    assert left == Left(lost=0, open=0, ledger=False, undo=False)
