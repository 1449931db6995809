"""Nothing is moved or copied onto itself, by whatever name, in a folder and in a forecast of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from okso_jupyter.errors import ToolError, ToolFailedError, ToolRefusedError
from okso_jupyter.workspace import Forecast, Workspace

Kind = Callable[[Workspace], Workspace]


def picture(root: Path) -> dict[str, str]:
    """Return each path with where its link leads, or what it holds."""
    return {
        str(path.relative_to(root)): str(path.readlink())
        if path.is_symlink()
        else ("" if path.is_dir() else path.read_text())
        for path in root.rglob("*")
    }


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Files with further names: links to a file and a folder, a hard link, a link to nothing."""
    root = tmp_path / "ws"
    (root / "d" / "sub").mkdir(parents=True)
    (root / "data.txt").write_text("precious\n")
    (root / "same.txt").write_text("precious\n")
    (root / "d" / "f.txt").write_text("in d\n")
    os.link(root / "data.txt", root / "hard")
    for name, target in {
        "link": "data.txt", "again": "link", "dl": "d", "gone": "nowhere", "d/up": "../data.txt"
    }.items():  # fmt: skip
        (root / name).symlink_to(target)
    return root


@pytest.fixture(params=[lambda real: real, Forecast], ids=["folder", "forecast"])
def space(root: Path, request: pytest.FixtureRequest) -> Workspace:
    """The folder itself, and a forecast of it."""
    kind: Kind = request.param
    return kind(Workspace(root))


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("data.txt", "./data.txt"),
        ("link", "data.txt"),
        ("again", "data.txt"),
        ("d/up", "data.txt"),
        ("hard", "data.txt"),
        ("link", "hard"),
        ("d/f.txt", "dl/f.txt"),
        ("dl/f.txt", "d/f.txt"),
        ("dl/up", "d/up"),
    ],
)
@pytest.mark.parametrize("act", ["rename", "copy"])
def test_a_file_stays_where_its_target_is_the_file_itself(
    space: Workspace, root: Path, act: str, source: str, target: str
) -> None:
    """By its name, a link to it, a link in the path, or a hard link."""
    before = picture(root)
    with pytest.raises(ToolFailedError, match=r"same file|onto itself"):
        getattr(space, act)(source, target)
    assert picture(root) == before
    assert {entry.path for entry in space.walk()} == set(before)


@pytest.mark.parametrize("target", ["d", "d/new", "d/sub/new", "dl/new", "dl/sub/new"])
def test_a_folder_is_not_moved_into_itself(space: Workspace, root: Path, target: str) -> None:
    """Nor beneath itself, and not by a link that leads there."""
    before = picture(root)
    with pytest.raises(ToolFailedError, match="into itself"):
        space.rename("d", target)
    assert picture(root) == before


@pytest.mark.parametrize("source", ["data.txt", "d/f.txt", "gone", "d"])
@pytest.mark.parametrize("target", ["link", "dl", "gone"])
def test_nothing_is_moved_onto_a_link(
    space: Workspace, root: Path, source: str, target: str
) -> None:
    """As nothing is written through one: which of both is meant is not known."""
    before = picture(root)
    with pytest.raises(ToolError):
        space.rename(source, target)
    assert picture(root) == before
    with pytest.raises(ToolRefusedError, match="gone is a link: nothing is moved onto it"):
        space.rename("same.txt", "gone")


@pytest.mark.parametrize("target", ["same.txt", "d/f.txt"])
def test_a_link_in_place_of_a_file_loses_its_content(root: Path, target: str) -> None:
    """Also where the link leads to the same content as that of the file."""
    forecast = Forecast(Workspace(root))
    forecast.begin()
    forecast.rename("link", target)
    assert [effect.path for effect in forecast.rehearsal().losses] == [target]


def test_moved_links_are_predicted_as_links(root: Path) -> None:
    """They lead on from their new place, and a file that an earlier step made is found by one."""
    forecast = Forecast(Workspace(root))
    forecast.rename("link", "d/link")
    forecast.rename("again", "moved")
    forecast.write_atomic("nowhere", b"made")
    forecast.rename("gone", "found")
    assert forecast.stat("d/link", follow=False).kind == "link"
    assert forecast.read_bytes("found", max_bytes=9) == b"made"
    for path in ("d/link", "moved"):
        with pytest.raises(ToolError):
            forecast.read_bytes(path, max_bytes=9)
        with pytest.raises(ToolRefusedError, match="is a link"):
            forecast.write_atomic(path, b"x")
    forecast.rename("d/link", "link")
    assert forecast.read_bytes("moved", max_bytes=9) == b"precious\n"


def test_a_link_to_its_own_new_name_leads_nowhere(root: Path) -> None:
    """A link to a free name that is moved there cannot be followed, as in the folder."""
    forecast = Forecast(Workspace(root))
    forecast.rename("gone", "nowhere")
    with pytest.raises(ToolRefusedError, match="cannot be followed"):
        forecast.read_bytes("nowhere", max_bytes=9)


def test_a_name_may_change_its_case(space: Workspace) -> None:
    """Names that differ by case are two, where a folder has both; else the name changes."""
    space.rename("same.txt", "Same.txt")
    assert space.exists("Same.txt")
    assert "same.txt" not in {entry.path for entry in space.walk()}
