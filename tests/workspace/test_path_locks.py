"""PathLocks: one holder per path, for any spelling of it and after replacements."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.workspace import PathLocks, Workspace, path_locks


@pytest.fixture
def space(tmp_path: Path) -> Workspace:
    """A workspace with a file, a subfolder with another, and a link to the subfolder."""
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (root / "a.txt").write_text("a")
    (root / "sub" / "b.txt").write_text("b")
    (root / "alias").symlink_to("sub")
    return Workspace(root)


@pytest.fixture
def locks(tmp_path: Path) -> Path:
    """The folder of the locks."""
    return tmp_path / "locks"


@pytest.fixture
def _many(monkeypatch: pytest.MonkeyPatch) -> None:
    """So many locks that no two paths share one by chance."""
    monkeypatch.setattr(path_locks, "_COUNT", 1 << 60)


@pytest.mark.usefixtures("_many")
@pytest.mark.parametrize(
    ("held", "other", "is_had"),
    [
        ("a.txt", "a.txt", False),
        ("sub/b.txt", "alias/b.txt", False),
        ("new.txt", "new.txt", False),
        ("sub/new/c.txt", "alias/new/c.txt", False),
        ("a.txt", "sub/b.txt", True),
    ],
)
def test_a_path_has_one_holder(
    space: Workspace, locks: Path, held: str, other: str, *, is_had: bool
) -> None:
    """A path has one holder at a time; other paths can be held meanwhile."""
    mine, theirs = PathLocks(space, locks), PathLocks(space, locks)
    with mine.holding([held]) as first, theirs.holding([other]) as second:
        assert (first, second) == (True, is_had)
    with theirs.holding([other]) as again:
        assert again


def test_a_replaced_file_stays_locked(space: Workspace, locks: Path) -> None:
    """An atomic write gives a file another inode, but its lock still holds."""
    mine, theirs = PathLocks(space, locks), PathLocks(space, locks)
    with mine.holding(["a.txt"]):
        space.write_atomic("a.txt", b"new")
        with theirs.holding(["a.txt"]) as had:
            assert not had


def test_many_paths_need_few_locks(space: Workspace, locks: Path) -> None:
    """A call on 5,000 files uses at most 256 lock files."""
    with PathLocks(space, locks).holding(f"file{number}" for number in range(5000)) as had:
        assert had
        assert len([*locks.iterdir()]) <= 256
