"""file_write: new files, new contents, additions, and what is shown before."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.errors import ToolError, ToolFailedError, ToolInputError, ToolRefusedError
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.tool import ToolOutput
from okso_jupyter.tools.file_write import file_write


def write(context: ToolContext, **args: Any) -> ToolOutput:
    """Write."""
    return file_write.call(context, args)


def test_a_new_file_holds_exactly_the_content(context: ToolContext, root: Path) -> None:
    """The bytes are the content's, with no line end added, and the report counts them."""
    output = write(context, path="new.txt", content="grüße")
    assert (root / "new.txt").read_bytes() == "grüße".encode()
    assert output.value == {
        "path": "new.txt",
        "mode": "create",
        "created": True,
        "bytes_written": 7,
        "file_size": 7,
    }
    assert output.changes.created == ("new.txt",)
    assert output.text == "7 bytes written to new.txt (new file)"


@pytest.mark.parametrize("mode", ["replace", "overwrite"])
def test_replace_takes_the_place_of_what_is_there(
    context: ToolContext, root: Path, mode: str
) -> None:
    """Mode replace writes over a file; its older name is read still."""
    output = write(context, input="notes.md", content="x", mode=mode)
    assert (root / "notes.md").read_text() == "x"
    assert output.value["created"] is False
    assert output.changes.updated == ("notes.md",)


def test_append_adds_or_makes(context: ToolContext, root: Path) -> None:
    """Mode append adds to a file and makes a missing one."""
    assert write(context, path="log", content="a\n", mode="append").value["created"] is True
    value = write(context, path="log", content="b\n", mode="append").value
    assert (value["bytes_written"], value["file_size"]) == (2, 4)
    assert (root / "log").read_text() == "a\nb\n"


def test_create_refuses_a_file_that_is_there(context: ToolContext, root: Path) -> None:
    """Mode create, which is the default, never touches an existing file."""
    with pytest.raises(ToolFailedError, match="already there"):
        write(context, path="notes.md", content="x")
    assert (root / "notes.md").read_text().startswith("# Plan")
    write(context, path="fresh.md", content="x")
    assert (root / "fresh.md").read_text() == "x"


def test_missing_folders_are_made_only_if_asked_for(context: ToolContext, root: Path) -> None:
    """A missing folder is an error unless create_parents is set; then it is reported."""
    with pytest.raises(ToolFailedError, match="no folder a/b"):
        write(context, path="a/b/c.txt", content="x")
    output = write(context, path="a/b/c.txt", content="x", create_parents=True)
    assert output.changes.created == ("a", "a/b", "a/b/c.txt")
    assert (root / "a" / "b" / "c.txt").exists()


@pytest.mark.parametrize("mode", ["replace", "append", "create"])
@pytest.mark.parametrize("path", ["../x", "/x.okso", "out", "up/x", "docs", "x\0y"])
def test_nothing_else_is_written(context: ToolContext, root: Path, path: str, mode: str) -> None:
    """Paths outside, links, folders and malformed names are refused in every mode."""
    (root / "out").symlink_to("../secret.txt")
    (root / "up").symlink_to("..")
    with pytest.raises(ToolError):
        write(context, path=path, content="x", mode=mode)
    assert (root.parent / "secret.txt").read_text() == "outside\n"
    assert sorted(p.name for p in root.parent.iterdir()) == ["secret.txt", "ws"]


def test_text_that_no_file_can_hold_is_an_input_error(context: ToolContext) -> None:
    """Half of a character is refused."""
    with pytest.raises(ToolInputError):
        write(context, path="x", content="\ud800")


def test_the_preview_is_a_diff(context: ToolContext, root: Path) -> None:
    """The preview shows what would change, for each mode, and changes nothing."""

    def preview(**args: str) -> list[str]:
        return file_write.preview_of(context, args).splitlines()

    assert preview(path="new.txt", content="a\n") == [
        "--- /dev/null",
        "+++ new.txt",
        "@@ -0,0 +1 @@",
        "+a",
    ]
    assert preview(path="docs/guide.txt", content="end\n", mode="append")[-1] == "+end"
    assert "-install it" in preview(path="docs/guide.txt", content="", mode="replace")
    assert "outside the root" in preview(path="../x", content="a")[0]
    assert not (root / "new.txt").exists()


def test_a_long_change_is_summed_up(context: ToolContext, root: Path) -> None:
    """A file of many lines is shown by size: comparing it would take too long."""
    (root / "long.txt").write_text("a\n" * 6_000)
    args = {"path": "long.txt", "content": "b", "mode": "replace"}
    preview = file_write.preview_of(context, args)
    assert re.fullmatch(
        r"long.txt: 1 bytes \(sha256 3e23\w{12}\) in place of 12,000 bytes \(sha256 \w{16}\)",
        preview,
    )


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (b"a\n", "a", "\\ No newline at end of file"),
        (b"a\r\n", "a\n", "-a\r"),
        (b"a\n", "a\u2028\n", "+a\u2028"),
        (b"\xff", "\xfe", "(sha256 a8100ae6aa1940d0)"),
        (b"a\0", "a\0b", "3 bytes"),
        (b"a\n", "a\n", "no change"),
    ],
)
def test_a_preview_never_calls_different_contents_equal(
    context: ToolContext, root: Path, old: bytes, new: str, told: str
) -> None:
    """Line ends, a missing last one, and bytes that are not text are part of a change."""
    (root / "a.txt").write_bytes(old)
    preview = file_write.preview_of(context, {"path": "a.txt", "content": new, "mode": "replace"})
    assert told in preview
    assert ("no change" in preview) is (old == new.encode())


def test_what_was_there_before_is_on_record(context: ToolContext, root: Path) -> None:
    """Created and overwritten files are told apart, with size and hash before and after."""
    before = (root / "notes.md").read_bytes()
    (change,) = write(context, path="notes.md", content="x", mode="replace").changes.details
    assert change.kind == "overwritten"
    assert change.before is not None
    assert change.after is not None
    assert change.before.sha256 == hashlib.sha256(before).hexdigest()
    assert (change.before.size_bytes, change.after.size_bytes) == (len(before), 1)
    made = write(context, path="a/b/new.txt", content="", create_parents=True).changes.details
    assert [(one.kind, one.path, one.before) for one in made] == [
        ("created", "a", None),
        ("created", "a/b", None),
        ("created", "a/b/new.txt", None),
    ]


def test_effects_name_protected_files() -> None:
    """A file that other programs run counts as running code; a plain one does not."""
    assert file_write.effect_of({"path": "notes.md", "content": "x"}) == {"writes"}
    for name in (".git/hooks/pre-commit", "a/../.git/config", "sitecustomize.py"):
        assert file_write.effect_of({"path": name, "content": "x"}) == {"writes", "runs_code"}
        assert file_write.effect_of({"input": name, "content": "x"}) == {"writes", "runs_code"}


def test_the_schema_wants_path_and_content() -> None:
    """Path and content are needed and modes are known; the examples keep to the schema."""
    assert file_write.violations({"path": "x"})
    assert file_write.violations({"content": "x"})
    assert file_write.violations({"path": "x", "content": "x", "mode": "patch"})
    assert not any(file_write.violations(example.args) for example in file_write.examples)


def test_a_folder_is_refused_as_a_file(context: ToolContext) -> None:
    """Writing to a folder says that it is one."""
    with pytest.raises(ToolFailedError, match="is a folder"):
        write(context, path="docs", content="x")
    with pytest.raises(ToolRefusedError):
        write(context, path=".", content="x")
