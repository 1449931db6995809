"""A forecast predicts exactly what happens, and leaves the folder unchanged."""

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
    """Create two files and a subfolder with one more, and return the folder."""
    (root / "sub").mkdir(parents=True)
    (root / "a.txt").write_text("one\ntwo\n")
    (root / "b.txt").write_text("")
    (root / "sub" / "c.txt").write_text("three")
    return root


def tree(space: Workspace) -> dict[str, bytes | None]:
    """Return the entries of a workspace: file contents, and None for folders."""
    return {
        entry.path: None if entry.is_dir else space.read_bytes(entry.path, max_bytes=99)
        for entry in space.walk()
    }


def outcome(act: str, space: Workspace, path: str, other: str) -> bool:
    """Perform an action and return whether it succeeded."""
    try:
        ACTS[act](space, path, other)
    except (ToolError, OSError):
        return False
    return True


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(calls=[("move", "sub", "fresh"), ("write", "fresh/c.txt", "a.txt"), ("rmdir", "sub", "")])
@given(calls=CALLS)
def test_a_forecast_predicts_what_happens(
    tmp_path: Path, calls: list[tuple[str, str, str]]
) -> None:
    """Calls succeed, fail and change files in a forecast as they do in a folder."""
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
    """The workspace of a filled folder."""
    return Workspace(fill(tmp_path / "real"))


def test_extents_and_losses_are_reported(space: Workspace) -> None:
    """A forecast reports size and lines before and after a change, and what is lost.

    Replacing an empty file, or one that the run made, is not a loss.
    """
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


@pytest.mark.parametrize(
    ("path", "content", "act", "said"),
    [
        ("a.json", '{"a": 1}', lambda s: s.append("a.json", b"dan"), "adds to a.json so that it"),
        ("a.toml", "a = 1", lambda s: s.write_atomic("a.toml", b"a ="), "replaces 1 line"),
        ("a.json", '{"a": 1}', lambda s: s.append("a.json", b"\n"), ""),
        ("a.json", "{a: 1}", lambda s: s.append("a.json", b"dan"), ""),  # it was none before
        ("a.csv", "x;y\n1;2\n", lambda s: s.append("a.csv", b"dan"), "adds to a.csv so that it"),
        ("a.csv", "x,y\n1,2\n", lambda s: s.append("a.csv", b'3,"4,5"\n'), ""),
        ("a.csv", "x,y\n1,2\n", lambda s: s.append("a.csv", "3,a\u2028b\n".encode()), ""),
        ("a.csv", "x\n1\n", lambda s: s.append("a.csv", b"a, b\n"), ""),  # one column of texts
        ("a.csv", "x,y\n1\n", lambda s: s.append("a.csv", b"dan"), ""),
        ("a.tsv", "x\ty\n1\t2\n", lambda s: s.append("a.tsv", b"3,4\n"), "adds to a.tsv so"),
        ("a.yaml", "a: 1", lambda s: s.append("a.yaml", b"{"), ""),
    ],
)
def test_a_file_that_cannot_be_parsed_any_more_is_a_loss(
    space: Workspace, path: str, content: str, act: Callable[[Workspace], object], said: str
) -> None:
    """By the format that its name tells, and only if it could be parsed before."""
    space.write_atomic(path, content.encode())
    forecast = Forecast(space)
    forecast.begin()
    act(forecast)
    words = " ".join(map(str, forecast.rehearsal().losses))
    assert words.startswith(said)
    assert ("no longer valid" in words) == bool(said)


def test_files_made_by_the_run_may_be_replaced(space: Workspace) -> None:
    """Replacing a file made by the run is not a loss, unless others have changed it."""
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


def test_unknown_content_is_reported_as_unknown(space: Workspace) -> None:
    """Content that an earlier step will write cannot be read, but can be appended to."""
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


def test_a_forecast_does_not_write_through_links(space: Workspace) -> None:
    """A forecast refuses a path that the folder would refuse, such as a link or a folder."""
    (space.root / "link").symlink_to("a.txt")
    forecast = Forecast(space)
    for path in ("link", "sub", "../out", "no/such/folder"):
        with pytest.raises(ToolError):
            forecast.write_atomic(path, b"x")
    assert forecast.rehearsal().effects == ()
