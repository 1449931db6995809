"""Private files: mode 0600 in folders of 0700, never through a link, modes repaired."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from okso_jupyter import private_files

WRITERS: dict[str, Callable[[Path], None]] = {
    "append": lambda file: private_files.append(file, b"new"),
    "touch": private_files.touch,
    "close_to_others": private_files.close_to_others,
}

#: How long one kernel waits for the others, which fail where this one has failed.
_WAIT_S = 60


def mode(path: Path) -> int:
    """Return the permission bits of a file or folder."""
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(name="open_umask", autouse=True)
def _open_umask() -> object:
    """Set the umask to 0, so that new files are world-writable by default."""
    before = os.umask(0)
    yield
    os.umask(before)


def test_new_files_and_all_folders_on_the_way_are_private(tmp_path: Path) -> None:
    """However a file is made, it has mode 0600, and the new folders above it 0700."""
    ways: tuple[Callable[[Path, bytes], None], ...] = (
        private_files.append, private_files.create, private_files.replace
    )  # fmt: skip
    for number, write in enumerate(ways):
        file = tmp_path / f"a{number}" / "b" / "file"
        write(file, b"x")
        assert [mode(path) for path in (file, file.parent, file.parent.parent)] == [
            0o600, 0o700, 0o700
        ]  # fmt: skip
        assert file.read_bytes() == b"x"


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_loose_permissions_are_repaired(tmp_path: Path, write: Callable[[Path], None]) -> None:
    """A file that others could read gets mode 0600 when it is used."""
    file = tmp_path / "file"
    file.write_text("old")
    file.chmod(0o666)
    write(file)
    assert mode(file) == 0o600
    assert file.read_text().startswith("old")


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_nothing_is_written_through_a_link(tmp_path: Path, write: Callable[[Path], None]) -> None:
    """Writing to a link is an error, and its target is unchanged."""
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("theirs")
    target.chmod(0o644)
    link.symlink_to(target)
    with pytest.raises(OSError, match="symbolic link"):
        write(link)
    assert (target.read_text(), mode(target)) == ("theirs", 0o644)


def test_a_link_is_replaced_and_never_followed(tmp_path: Path) -> None:
    """Replacing a link puts a new file in its place; its target is unchanged."""
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("theirs")
    link.symlink_to(target)
    private_files.replace(link, b"ours, ", b"whole")
    assert not link.is_symlink()
    assert (link.read_text(), target.read_text()) == ("ours, whole", "theirs")
    assert {path.name for path in tmp_path.iterdir()} == {"link", "target"}


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_a_pipe_in_place_of_a_file_is_refused(
    tmp_path: Path, write: Callable[[Path], None]
) -> None:
    """Writing does not block, and the pipe keeps its permissions."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o644)
    with pytest.raises(OSError, match=r"not a regular file|No such device"):
        write(pipe)
    assert mode(pipe) == 0o644


def test_create_never_replaces(tmp_path: Path) -> None:
    """Creating a file that exists is an error, and its content is unchanged."""
    file = tmp_path / "file"
    file.write_text("old")
    with pytest.raises(FileExistsError):
        private_files.create(file, b"new")
    assert file.read_text() == "old"


def test_a_failed_replace_leaves_the_old_content(tmp_path: Path) -> None:
    """If a folder is in the way, nothing changes and no temporary file is left."""
    (tmp_path / "there" / "inside").mkdir(parents=True)
    with pytest.raises(OSError, match="directory"):
        private_files.replace(tmp_path / "there", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


def test_reading_is_bounded_and_follows_no_link(tmp_path: Path) -> None:
    """A file is read up to its bound; a larger file and a link are errors."""
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"12345")
    link.symlink_to(file)
    assert private_files.read(file, max_bytes=5) == b"12345"
    with pytest.raises(OSError, match="larger than 4 bytes"):
        private_files.read(file, max_bytes=4)
    with pytest.raises(OSError, match="symbolic link"):
        private_files.read(link, max_bytes=5)


def test_a_private_folder_is_made_and_closed(tmp_path: Path) -> None:
    """A new folder gets mode 0700, an existing one is restricted, a link is refused."""
    made, loose, link = tmp_path / "a" / "made", tmp_path / "loose", tmp_path / "link"
    loose.mkdir(mode=0o755)
    link.symlink_to(loose)
    for folder in (made, loose):
        private_files.make_private_folder(folder)
        assert mode(folder) == 0o700
    with pytest.raises(OSError, match="symbolic link"):
        private_files.make_private_folder(link)


def test_an_existing_folder_keeps_its_permissions(tmp_path: Path) -> None:
    """Writing a log into a notebook's folder does not change the folder's mode."""
    folder = tmp_path / "notebook"
    folder.mkdir(mode=0o755)
    private_files.append(folder / "log.jsonl", b"line\n")
    assert mode(folder) == 0o755


def test_several_kernels_can_make_one_folder_at_once(tmp_path: Path) -> None:
    """A folder that another kernel makes between check and creation is accepted."""
    folders = [tmp_path / str(number) / "config" / "okso" for number in range(30)]
    start = threading.Barrier(8)

    def make_all() -> None:
        for folder in folders:
            start.wait(_WAIT_S)
            private_files.make_folder(folder)

    with ThreadPoolExecutor(start.parties) as kernels:
        for made in [kernels.submit(make_all) for _ in range(start.parties)]:
            made.result()
    assert all(folder.is_dir() for folder in folders)


@pytest.mark.parametrize("inside", ["", "deeper/still"])
def test_a_file_in_place_of_a_folder_is_refused(tmp_path: Path, inside: str) -> None:
    """The error is NotADirectoryError, and the file stays."""
    (tmp_path / "okso").write_text("mine")

    with pytest.raises(NotADirectoryError):
        private_files.make_folder(tmp_path / "okso" / inside)
    assert (tmp_path / "okso").read_text() == "mine"
