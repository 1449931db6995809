"""Forecast: what is predicted is what happens, and the folder stays as it is."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.errors import ToolError
from okso_jupyter.workspace import Forecast, MadeFiles, UnknownContentError, Workspace

PATHS = ("a.txt", "b.txt", "new.txt", "sub", "sub/c.txt", "fresh", "fresh/d.txt")
ACTS: dict[str, Callable[[Workspace, str, str], object]] = {
    "write": lambda space, path, other: space.write_atomic(path, other.encode()),
    "create": lambda space, path, _: space.write_atomic(path, b"new", new=True),
    "append": lambda space, path, other: space.append(path, other.encode()),
    "copy": lambda space, path, other: space.copy(path, other),
    "move": lambda space, path, other: space.rename(path, other),
    "remove": lambda space, path, _: space.remove_file(path),
    "mkdir": lambda space, path, _: space.mkdir(path),
    "parents": lambda space, path, _: space.mkdir(path, parents=True),
    "rmdir": lambda space, path, _: space.remove_dir(path),
    "touch": lambda space, path, _: space.touch(path),
}
CALLS = st.lists(
    st.tuples(st.sampled_from(sorted(ACTS)), st.sampled_from(PATHS), st.sampled_from(PATHS)),
    max_size=6,
)


def fill(root: Path) -> Path:
    """Return a folder with two files and one below it."""
    (root / "sub").mkdir(parents=True)
    (root / "a.txt").write_text("one\ntwo\n")
    (root / "b.txt").write_text("")
    (root / "sub" / "c.txt").write_text("three")
    return root


def tree(space: Workspace) -> dict[str, bytes | None]:
    """Return what lies in a workspace: contents of files, None for folders."""
    return {
        entry.path: None if entry.is_dir else space.read_bytes(entry.path, max_bytes=99)
        for entry in space.walk()
    }


def outcome(act: str, space: Workspace, path: str, other: str) -> bool:
    """Do something and say whether it went well."""
    try:
        ACTS[act](space, path, other)
    except (ToolError, OSError):
        return False
    return True


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(calls=[("move", "sub", "fresh"), ("write", "fresh/c.txt", "a.txt"), ("rmdir", "sub", "")])
@given(calls=CALLS)
def test_what_is_predicted_happens(tmp_path: Path, calls: list[tuple[str, str, str]]) -> None:
    """The same calls succeed and fail, and leave the same, on the forecast and on the folder."""
    for name in ("real", "other"):
        shutil.rmtree(tmp_path / name, ignore_errors=True)
    looked_at, changed = Workspace(fill(tmp_path / "real")), Workspace(fill(tmp_path / "other"))
    before = tree(looked_at)
    forecast = Forecast(looked_at)
    for act, path, other in calls:
        forecast.begin()
        assert outcome(act, forecast, path, other) == outcome(act, changed, path, other)
        assert tree(forecast) == tree(changed)
    assert tree(looked_at) == before
    looked_at.close()
    changed.close()


@pytest.fixture
def space(tmp_path: Path) -> Workspace:
    """Return the folder."""
    return Workspace(fill(tmp_path / "real"))


def test_extents_and_losses_are_told(space: Workspace) -> None:
    """Size and lines before and after; an empty file, and one of the run's own, is no loss."""
    forecast = Forecast(space)
    forecast.begin()
    forecast.write_atomic("a.txt", b"x")
    forecast.write_atomic("b.txt", b"x")
    forecast.write_atomic("new.txt", b"x")
    forecast.write_atomic("new.txt", b"y")
    found = forecast.rehearsal()
    assert [str(effect) for effect in found.losses] == [
        "replaces 2 lines (8 bytes) of a.txt by 1 line (1 byte)"
    ]
    assert [effect.kind for effect in found.effects] == ["replace", "replace", "create", "replace"]
    assert set(found.looked) == {"a.txt", "b.txt", "new.txt"}
    assert found.looked["new.txt"] == ""


def test_what_the_run_made_is_its_own_until_others_change_it(space: Workspace) -> None:
    """A file that the run made may be replaced; after somebody else's change it may not."""
    made = MadeFiles()
    made.take_in(Changes(details=(space.write_atomic("new.txt", b"mine"),)))

    def losses() -> int:
        forecast = Forecast(space, made.is_own)
        forecast.begin()
        forecast.write_atomic("new.txt", b"x")
        return len(forecast.rehearsal().losses)

    assert losses() == 0
    (space.root / "new.txt").write_text("theirs")
    assert losses() == 1


def test_an_unknown_content_is_told_as_one(space: Workspace) -> None:
    """What an earlier step writes and nobody knows yet cannot be read, and can be added to."""
    forecast = Forecast(space)
    forecast.is_vague = True
    forecast.write_atomic("new.txt", b"")
    forecast.is_vague = False
    with pytest.raises(UnknownContentError, match="not known yet"):
        forecast.read_bytes("new.txt", max_bytes=9)
    forecast.begin()
    forecast.append("new.txt", b"more")
    forecast.copy("new.txt", "a.txt")
    assert [str(effect) for effect in forecast.rehearsal().effects] == [
        "adds to new.txt",
        "replaces 2 lines (8 bytes) of a.txt by what an earlier step gives",
    ]


def test_a_link_and_a_folder_are_not_written_through(space: Workspace) -> None:
    """What the folder would refuse, the forecast refuses."""
    (space.root / "link").symlink_to("a.txt")
    forecast = Forecast(space)
    for path in ("link", "sub", "../out", "no/such/folder"):
        with pytest.raises(ToolError):
            forecast.write_atomic(path, b"x")
    assert forecast.rehearsal().effects == ()
