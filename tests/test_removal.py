"""Removal of folders that foreign code filled."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from okso_jupyter import removal
from tests.powers import as_ordinary_user
from tests.trees import nested


def closed_to_its_owner(folder: Path) -> None:
    """Make folders that their owner can neither list nor change."""
    for mode in (0o000, 0o100, 0o300, 0o400, 0o500):
        inner = folder / f"{mode:o}" / "inner"
        inner.mkdir(parents=True)
        (inner / "file").touch()
        inner.chmod(mode)
        inner.parent.chmod(mode)


def wide(folder: Path) -> None:
    """Make many names, odd ones among them."""
    for number in range(2000):
        (folder / f"{number}").touch()
    for name in ("-rf", "a\nb", os.fsdecode(b"\xff"), " "):
        (folder / name).mkdir()
    os.mkfifo(folder / "fifo")
    (folder / "dangling").symlink_to("nowhere")
    (folder / "loop").symlink_to("loop")


@pytest.mark.slow
@pytest.mark.parametrize(
    "fill", [lambda folder: nested(folder, 3000), closed_to_its_owner, wide, lambda _: None]
)
def test_any_folder_is_removed(tmp_path: Path, fill: Callable[[Path], None]) -> None:
    """Whatever lies in it, a folder goes, and what links in it lead to stays."""
    outside, folder = tmp_path / "outside", tmp_path / "folder"
    outside.mkdir()
    (outside / "kept").write_text("mine")
    folder.mkdir()
    fill(folder)
    (folder / "to outside").symlink_to(outside)
    assert as_ordinary_user(lambda: removal.remove(folder))
    assert not os.path.lexists(folder)
    assert (outside / "kept").read_text() == "mine"


def test_a_folder_is_cleared_and_stays(tmp_path: Path) -> None:
    """Clearing leaves the folder itself, also where that is closed."""
    folder = tmp_path / "folder"
    folder.mkdir()
    closed_to_its_owner(folder)
    folder.chmod(0)
    as_ordinary_user(lambda: removal.clear(folder))
    assert not list(folder.iterdir())


def test_a_link_is_removed_and_not_followed(tmp_path: Path) -> None:
    """A link in place of the folder goes, and what it leads to stays."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "kept").touch()
    (tmp_path / "link").symlink_to(tmp_path / "outside")
    assert removal.remove(tmp_path / "link")
    assert (tmp_path / "outside" / "kept").exists()
    assert not os.path.lexists(tmp_path / "link")


def test_what_is_not_there_is_gone(tmp_path: Path) -> None:
    """A missing path is no failure, nor is one whose folder is missing."""
    assert removal.remove(tmp_path / "nothing")
    assert removal.remove(tmp_path / "nothing" / "at all")


def test_what_the_system_keeps_is_told(tmp_path: Path) -> None:
    """Where a folder may not be changed by this user, that is said, and nothing hangs."""
    (tmp_path / "locked" / "folder").mkdir(parents=True)
    (tmp_path / "locked").chmod(0o500)
    assert not as_ordinary_user(lambda: removal.remove(tmp_path / "locked" / "folder"))
    (tmp_path / "locked").chmod(0o700)
