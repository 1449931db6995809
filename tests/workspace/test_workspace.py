"""Workspace: paths beneath the root can be reached, and no others."""

from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from okso_jupyter.errors import (
    ToolError,
    ToolFailedError,
    ToolInputError,
    ToolNotFoundError,
    ToolRefusedError,
)
from okso_jupyter.workspace import Workspace, is_protected
from okso_jupyter.workspace.beneath import FOLDER, READ, best_opener, by_components, by_kernel
from tests.each_row import each_row

SECRET = b"outside"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with a file, a folder, and a secret that lies beside the root."""
    (tmp_path / "secret.txt").write_bytes(SECRET)
    (tmp_path / "ws-evil").mkdir()
    (tmp_path / "ws-evil" / "f.txt").write_bytes(SECRET)
    root = tmp_path / "ws"
    (root / "data").mkdir(parents=True)
    (root / "a.txt").write_bytes(b"alpha")
    (root / "data" / "b.csv").write_bytes(b"x,y\n")
    return root


@pytest.fixture(params=["best", "components"])
def workspace(request: pytest.FixtureRequest, root: Path) -> Iterator[Workspace]:
    """A workspace, once with each opener of paths."""
    workspace = Workspace(root, opener=by_components if request.param == "components" else None)
    yield workspace
    workspace.close()


def read(workspace: Workspace, path: str) -> bytes:
    """Read a small file."""
    return workspace.read_bytes(path, max_bytes=1000)


@pytest.mark.parametrize("path", ["a.txt", "./a.txt", "data/../a.txt", "data//../a.txt", "inner"])
def test_a_path_inside_is_read(workspace: Workspace, root: Path, path: str) -> None:
    """A file inside is read by any spelling of its path and by a link that stays inside."""
    (root / "inner").symlink_to("data/../a.txt")
    assert read(workspace, path) == b"alpha"


def test_an_absolute_path_inside_is_made_relative(workspace: Workspace, root: Path) -> None:
    """An absolute path below the root is accepted and named relative to it."""
    assert workspace.relative(str(root / "data" / "b.csv")) == "data/b.csv"
    assert workspace.relative(str(root)) == "."


def test_an_absolute_path_through_a_link_to_the_root_is_accepted(root: Path) -> None:
    """A root given as a link is recognised by both of its paths."""
    link = root.parent / "link"
    link.symlink_to(root)
    workspace = Workspace(link)
    assert workspace.relative(str(link / "a.txt")) == "a.txt"
    assert workspace.relative(str(root / "a.txt")) == "a.txt"
    workspace.close()


def test_a_root_is_held_as_long_as_a_workspace_has_it(root: Path) -> None:
    """Views hold it too; the last one that is dropped closes it."""
    workspace = Workspace(root)
    view, handle = workspace.lending(root.parent / "ws-evil"), workspace._root_fd
    del workspace
    assert read(view, "a.txt") == b"alpha"
    del view
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(handle)


def test_a_view_is_closed_with_its_workspace(root: Path) -> None:
    """It does not read by a number that another file may have by then."""
    workspace = Workspace(root)
    view = workspace.lending(root.parent / "ws-evil")
    workspace.close()
    workspace.close()
    others = [os.open(root, os.O_RDONLY) for _ in range(3)]
    with pytest.raises(ToolError):
        read(view, "a.txt")
    for other in others:
        os.close(other)


def test_a_relative_path_starts_at_the_given_folder(workspace: Workspace) -> None:
    """Relative paths start at the folder that is passed with them."""
    assert workspace.relative("b.csv", "data") == "data/b.csv"
    assert workspace.relative("../a.txt", "data") == "a.txt"


@each_row(
    "path",
    [
        "../secret.txt",
        "data/../../secret.txt",
        "/etc/passwd",
        "..",
        "/",
        "~",
        "~/x",
        "../ws-evil/f.txt",
    ],
)
def test_a_path_outside_is_refused(workspace: Workspace, path: str) -> None:
    """A path that leads outside is refused, and the message names path and root."""
    with pytest.raises(ToolRefusedError) as caught:
        read(workspace, path)
    assert path in str(caught.value)
    assert str(workspace.root) in str(caught.value)


def test_a_neighbour_with_the_same_prefix_is_outside(workspace: Workspace, root: Path) -> None:
    """A folder whose name only starts with the root's name is outside."""
    with pytest.raises(ToolRefusedError):
        read(workspace, f"{root}-evil/f.txt")


@pytest.mark.parametrize("target", ["../secret.txt", "/etc/passwd", "data/../../secret.txt"])
def test_a_link_to_the_outside_is_refused(workspace: Workspace, root: Path, target: str) -> None:
    """A link that leads outside is refused, both as the file and as a folder of the path."""
    (root / "link").symlink_to(target)
    (root / "up").symlink_to("..")
    for path in ("link", "up/secret.txt", "up/ws/a.txt"):
        with pytest.raises(ToolRefusedError):
            read(workspace, path)


def test_a_link_is_not_written_through(workspace: Workspace, root: Path) -> None:
    """Writing and appending refuse a link and do not change its target."""
    (root / "out").symlink_to("../secret.txt")
    (root / "in").symlink_to("a.txt")
    for path in ("out", "in"):
        with pytest.raises(ToolRefusedError):
            workspace.write_atomic(path, b"new")
        with pytest.raises(ToolRefusedError):
            workspace.append(path, b"new")
    assert (root.parent / "secret.txt").read_bytes() == SECRET
    assert (root / "a.txt").read_bytes() == b"alpha"


def test_a_folder_link_to_the_outside_allows_no_change(workspace: Workspace, root: Path) -> None:
    """No change reaches the outside through a link to a folder."""
    (root / "up").symlink_to("..")
    calls: list[Callable[[], object]] = [
        lambda: workspace.write_atomic("up/new.txt", b"x"),
        lambda: workspace.touch("up/new.txt"),
        lambda: workspace.mkdir("up/new.txt"),
        lambda: workspace.mkdir("up/new.txt/deep", parents=True),
        lambda: workspace.remove_file("up/secret.txt"),
        lambda: workspace.rename("up/secret.txt", "mine.txt"),
        lambda: workspace.rename("a.txt", "up/new.txt"),
        lambda: workspace.copy("a.txt", "up/new.txt"),
        lambda: workspace.remove_dir("up/ws-evil"),
    ]
    for call in calls:
        with pytest.raises(ToolRefusedError):
            call()
    assert sorted(p.name for p in root.parent.iterdir()) == ["secret.txt", "ws", "ws-evil"]


def test_a_hard_link_is_replaced_not_changed(workspace: Workspace, root: Path) -> None:
    """Writing and appending to a hard link do not change the file outside."""
    for name, change in (("w", workspace.write_atomic), ("a", workspace.append)):
        os.link(root.parent / "secret.txt", root / name)
        change(name, b"new")
    assert (root.parent / "secret.txt").read_bytes() == SECRET


@pytest.mark.parametrize("path", ["", "a.txt\0.png", "\0"])
def test_a_malformed_path_is_an_input_error(workspace: Workspace, path: str) -> None:
    """Empty paths and NUL characters are refused before any system call."""
    with pytest.raises(ToolInputError):
        read(workspace, path)


def test_the_kernel_opener_refuses_nul(root: Path) -> None:
    """The path "a.txt<NUL>x" is not opened as "a.txt", as C would read it."""
    handle = os.open(root, FOLDER)
    with pytest.raises(OSError, match="Invalid argument"):
        by_kernel(handle, "a.txt\0x", READ)
    os.close(handle)


def test_only_regular_files_are_read(workspace: Workspace, root: Path) -> None:
    """A FIFO is refused without waiting, and a folder is reported as a folder."""
    os.mkfifo(root / "fifo")
    with pytest.raises(ToolRefusedError, match="not a regular file"):
        read(workspace, "fifo")
    with pytest.raises(ToolRefusedError):
        workspace.write_atomic("fifo", b"x")
    with pytest.raises(ToolFailedError, match="is a folder"):
        read(workspace, "data")


def test_a_missing_file_suggests_a_similar_name(workspace: Workspace) -> None:
    """A missing file is reported as not found, with a similar name as a hint."""
    with pytest.raises(ToolNotFoundError, match=r"did you mean data/b\.csv"):
        read(workspace, "data/bb.csv")


def test_a_large_file_is_refused(workspace: Workspace) -> None:
    """A file of the maximum size is read; a file one byte larger is refused."""
    assert workspace.read_bytes("a.txt", max_bytes=5) == b"alpha"
    with pytest.raises(ToolRefusedError, match="larger than 4 bytes"):
        workspace.read_bytes("a.txt", max_bytes=4)


def test_writing_keeps_the_mode_and_leaves_no_temporary_file(
    workspace: Workspace, root: Path
) -> None:
    """A written file keeps its mode, and no temporary file remains."""
    (root / "a.txt").chmod(0o640)
    workspace.write_atomic("a.txt", b"beta")
    workspace.append("a.txt", b"!")
    assert (root / "a.txt").read_bytes() == b"beta!"
    assert stat.S_IMODE((root / "a.txt").stat().st_mode) == 0o640
    assert sorted(p.name for p in root.iterdir()) == ["a.txt", "data"]


def test_a_failed_write_leaves_the_old_content(workspace: Workspace, root: Path) -> None:
    """A write that fails midway changes no file and leaves no temporary file."""

    def chunks() -> Iterator[bytes]:
        yield b"half"
        raise OSError(errno.ENOSPC, "full")

    for path, new in (("a.txt", False), ("new.txt", True)):
        with pytest.raises(ToolFailedError, match="disk is full"):
            workspace.write_atomic(path, chunks(), new=new)
    assert (root / "a.txt").read_bytes() == b"alpha"
    assert sorted(p.name for p in root.iterdir()) == ["a.txt", "data"]


def test_readers_see_old_or_new_content(workspace: Workspace) -> None:
    """A reader during writes sees the old or the new content, never part of one or none."""
    contents = {b"a" * 50_000, b"b" * 70_000}
    workspace.write_atomic("big", b"a" * 50_000)
    seen: set[bytes] = set()
    stop = threading.Event()

    def reading() -> None:
        while not stop.is_set():
            seen.add(workspace.read_bytes("big", max_bytes=100_000))

    reader = threading.Thread(target=reading)
    reader.start()
    for _ in range(50):
        for content in contents:
            workspace.write_atomic("big", content)
    stop.set()
    reader.join()
    assert seen
    assert seen <= contents


def test_writing_a_new_file_refuses_an_existing_name(workspace: Workspace, root: Path) -> None:
    """Writing a new file refuses an existing file or dangling link of that name."""
    (root / "dangling").symlink_to("../planted.txt")
    for path in ("a.txt", "dangling"):
        with pytest.raises(ToolFailedError, match="already there"):
            workspace.write_atomic(path, b"x", new=True)
    assert not (root.parent / "planted.txt").exists()


def test_folders_are_made_with_their_parents(workspace: Workspace) -> None:
    """Mkdir creates missing parents and returns exactly the folders that it made."""
    assert workspace.mkdir("data/x/y", parents=True) == ["data/x", "data/x/y"]
    assert workspace.mkdir("data/x/y", parents=True) == []
    with pytest.raises(ToolNotFoundError):
        workspace.mkdir("no/such")


def test_files_are_moved_copied_and_removed(workspace: Workspace, root: Path) -> None:
    """Files are copied, moved and removed; a folder is not removed as a file or if full."""
    (root / "a.txt").chmod(0o700)
    workspace.copy("a.txt", "data/c.txt")
    workspace.rename("a.txt", "data/d.txt")
    workspace.remove_file("data/b.csv")
    assert [entry.path for entry in workspace.walk()] == ["data", "data/c.txt", "data/d.txt"]
    assert stat.S_IMODE((root / "data" / "c.txt").stat().st_mode) == 0o700
    with pytest.raises(ToolFailedError):
        workspace.remove_file("data")
    with pytest.raises(ToolFailedError):
        workspace.remove_dir("data")
    with pytest.raises(ToolFailedError, match="into itself"):
        workspace.rename("data", "data/inner")


@pytest.mark.parametrize("change", ["remove_dir", "remove_file", "touch"])
def test_the_root_itself_cannot_be_changed(workspace: Workspace, change: str) -> None:
    """No operation changes the root itself."""
    with pytest.raises(ToolRefusedError):
        getattr(workspace, change)(".")


def test_a_walk_is_bounded_and_follows_no_link(workspace: Workspace, root: Path) -> None:
    """A walk stops at its bounds, reports that, and never enters a link."""
    (root / "loop").symlink_to(".")
    everything = workspace.walk()
    assert [entry.path for entry in everything] == ["a.txt", "data", "data/b.csv", "loop"]
    assert not everything.cut
    short = workspace.walk(max_entries=2)
    assert len(list(short)) == 2
    assert short.cut
    flat = workspace.walk(max_depth=1)
    assert "data/b.csv" not in [entry.path for entry in flat]
    assert flat.is_deeper


@pytest.mark.parametrize("opener", [best_opener(), by_components])
def test_no_race_leads_outside(root: Path, opener: object) -> None:
    """A name that alternates between folder and outside link never gives outside content."""
    workspace = Workspace(root, opener=opener)  # type: ignore[arg-type]
    (root / "d").mkdir()
    (root / "d" / "secret.txt").write_bytes(b"inside")
    (root / "up").symlink_to("..")
    stop = threading.Event()

    def swapping() -> None:
        while not stop.is_set():
            (root / "d").rename(root / "kept")
            (root / "up").rename(root / "d")
            (root / "d").rename(root / "up")
            (root / "kept").rename(root / "d")

    swapper = threading.Thread(target=swapping)
    swapper.start()
    outcomes: set[object] = set()
    for _ in range(3000):
        try:
            outcomes.add(read(workspace, "d/secret.txt"))
        except ToolError as error:
            outcomes.add(type(error))
    stop.set()
    swapper.join()
    workspace.close()
    assert SECRET not in outcomes
    assert len(outcomes) > 1, "the swap was never seen, so the test has shown nothing"


def test_openers_agree(root: Path) -> None:
    """The opener by components follows and refuses exactly what the kernel's does."""
    if best_opener() is not by_kernel:
        pytest.skip("LAYER MISSING: openat2 does not work on this machine")
    (root / "data" / "l1").symlink_to("../a.txt")
    (root / "l2").symlink_to("data/l1")
    (root / "self").symlink_to("self")
    (root / "abs").symlink_to(root / "a.txt")
    (root / "sub").symlink_to("data")
    paths = ["a.txt", "l2", "self", "abs", "data", "..", "data/..", "sub/b.csv", "sub/../a.txt"]
    paths += ["nope", "a.txt/x", ".", "data/l1", "sub/../../secret.txt"]
    handle = os.open(root, FOLDER)

    def outcome(opener: object, path: str) -> object:
        try:
            opened = opener(handle, path, READ)  # type: ignore[operator]
        except OSError as error:
            return error.errno
        try:
            return os.fstat(opened).st_ino
        finally:
            os.close(opened)

    results = {path: (outcome(by_kernel, path), outcome(by_components, path)) for path in paths}
    os.close(handle)
    assert {path: pair for path, pair in results.items() if pair[0] != pair[1]} == {}


@each_row(
    "path",
    [
        *(".git/hooks/pre-commit", ".git/config", "sub/.GIT/Config", ".bashrc", ".ssh/id"),
        *("x/.vscode/s", "sitecustomize.py", "a/conftest.py", "x.PTH", "nb.ipynb"),
        *(
            "numpy.py",
            "json/__init__.py",
            ".config/okso/config.env",
            "a/.config/autostart/x.desktop",
        ),
        *("okso-policy.toml", "mcp.json", "config.env", ".pdbrc", "usercustomize/__init__.py"),
        *(".local/bin/ls", ".local/lib/x.py", ".devcontainer/devcontainer.json", ".gitlab-ci.yml"),
        *(".config/fish/config.fish", ".Config/OKSO/x", "tox.ini", ".pre-commit-config.yaml"),
    ],
)
def test_protected_names_are_recognised(path: str) -> None:
    """Names that other programs run or trust are protected, in any case and anywhere."""
    assert is_protected(path)


@each_row(
    "path",
    [
        *("notes.md", "main.py", "data/a.csv", ".gitignore", "git/hooks/x", "profile"),
        *("my_numpy.py", "numpy.txt", ".", "src/__init__.py"),
        *(
            "config/okso/a.txt",
            "local/bin/x",
            ".config/app.toml",
            "my-policy.toml",
            "gitlab-ci.txt",
        ),
    ],
)
def test_ordinary_names_are_not_protected(path: str) -> None:
    """Names of everyday files are not protected."""
    assert not is_protected(path)
