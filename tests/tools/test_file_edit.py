"""file_edit: exact replacements, and every way in which an edit is ambiguous or empty."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.errors import (
    ToolError,
    ToolFailedError,
    ToolInputError,
    ToolNotFoundError,
    ToolRefusedError,
)
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.tool import ToolOutput
from okso_jupyter.tools.file_edit import file_edit


def edit(context: ToolContext, old: str, new: str, **more: Any) -> ToolOutput:
    """Edit a.txt."""
    return file_edit.call(context, {"path": "a.txt", "old_text": old, "new_text": new, **more})


@pytest.fixture(autouse=True)
def text(root: Path) -> Path:
    """A file with a word that occurs three times."""
    file = root / "a.txt"
    file.write_bytes(b"one two\r\none three\none\n")
    return file


def test_a_single_place_is_replaced(context: ToolContext, text: Path) -> None:
    """A text that occurs once is replaced, and every other byte stays."""
    output = edit(context, "two", "2")
    assert text.read_bytes() == b"one 2\r\none three\none\n"
    assert output.value == {
        "path": "a.txt",
        "replacements": 1,
        "total_matches": 1,
        "file_size": 21,
    }
    assert output.changes.updated == ("a.txt",)
    assert output.text == "changed 1 place in a.txt"


def test_all_places_are_replaced(context: ToolContext, text: Path) -> None:
    """replace_all changes each place once, even where the new text holds the old one."""
    assert edit(context, "one", "oneone", replace_all=True).value["replacements"] == 3
    assert text.read_bytes() == b"oneone two\r\noneone three\noneone\n"


@pytest.mark.parametrize(
    ("occurrence", "content"),
    [
        (1, b"1 two\r\none three\none\n"),
        (2, b"one two\r\n1 three\none\n"),
        (3, b"one two\r\none three\n1\n"),
    ],
)
def test_one_of_several_places_is_replaced(
    context: ToolContext, text: Path, occurrence: int, content: bytes
) -> None:
    """Occurrence picks the place, counted from 1."""
    assert edit(context, "one", "1", occurrence=occurrence).value["total_matches"] == 3
    assert text.read_bytes() == content


def test_a_text_can_be_removed(context: ToolContext, text: Path) -> None:
    """An empty new text removes the old one."""
    edit(context, " two\r", "")
    assert text.read_bytes() == b"one\none three\none\n"


@pytest.mark.parametrize(
    ("args", "error", "words"),
    [
        ({"old": "four", "new": "4"}, ToolFailedError, "does not hold"),
        ({"old": "ONE", "new": "1"}, ToolFailedError, "does not hold"),
        ({"old": "one", "new": "1"}, ToolFailedError, "ambiguous"),
        ({"old": "one", "new": "1", "occurrence": 4}, ToolFailedError, "only 3 times"),
        ({"old": "two", "new": "two"}, ToolInputError, "nothing would change"),
        (
            {"old": "one", "new": "1", "occurrence": 1, "replace_all": True},
            ToolInputError,
            "exclude",
        ),
        ({"old": "two", "new": "2", "path": "nope.txt"}, ToolNotFoundError, "no such file"),
        ({"old": "outside", "new": "2", "path": "../secret.txt"}, ToolRefusedError, "outside"),
        ({"old": "outside", "new": "2", "path": "out"}, ToolRefusedError, "outside"),
        ({"old": "two", "new": "2", "path": "link"}, ToolRefusedError, "is a link"),
    ],
)
def test_an_edit_that_cannot_be_meant_changes_nothing(
    context: ToolContext, text: Path, args: dict[str, Any], error: type[ToolError], words: str
) -> None:
    """Missing, ambiguous, empty and outside edits are errors that leave the file alone."""
    root = text.parent
    (root / "out").symlink_to("../secret.txt")
    (root / "link").symlink_to("a.txt")
    with pytest.raises(error, match=words):
        edit(context, **args)
    assert text.read_bytes() == b"one two\r\none three\none\n"
    assert (root.parent / "secret.txt").read_text() == "outside\n"


def test_the_preview_is_a_diff(context: ToolContext, text: Path) -> None:
    """The preview shows the lines that would change, or why none would."""
    args = {"path": "a.txt", "old_text": "three", "new_text": "3"}
    lines = file_edit.preview_of(context, args).splitlines()
    assert "-one three" in lines
    assert "+one 3" in lines
    assert "ambiguous" in file_edit.preview_of(context, {**args, "old_text": "one"})
    assert text.read_bytes() == b"one two\r\none three\none\n"


def test_a_result_is_bounded_before_it_is_made(context: ToolContext, text: Path) -> None:
    """Neither preview nor edit makes gigabytes of a megabyte; one long line is told in words."""
    text.write_bytes(b"x" * (1 << 20))
    args = {"path": "a.txt", "old_text": "x", "new_text": "y" * 5000, "replace_all": True}
    tracemalloc.start()
    try:
        said = file_edit.preview_of(context, args)
        with pytest.raises(ToolFailedError, match="would have 5,242,880,000 bytes"):
            file_edit.call(context, args)
        long = file_edit.preview_of(context, {**args, "new_text": "yyy"})
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert "would have 5,242,880,000 bytes" in said
    assert len(long) < 500
    assert peak < 64 << 20
    assert text.stat().st_size == 1 << 20


def test_effects_name_protected_files() -> None:
    """An edit reads and writes; one of a protected file may make others run code."""
    args = {"old_text": "a", "new_text": "b"}
    assert file_edit.effect_of({"path": "a.txt", **args}) == {"reads", "writes"}
    assert "runs_code" in file_edit.effect_of({"path": ".bashrc", **args})


def test_the_schema_wants_an_old_text() -> None:
    """An empty old text is refused; the examples keep to the schema."""
    assert file_edit.violations({"path": "x", "old_text": "", "new_text": "x"})
    assert file_edit.violations({"old_text": "a", "new_text": "x"})
    assert not any(file_edit.violations(example.args) for example in file_edit.examples)


def test_a_text_can_be_deleted(context: ToolContext, text: Path) -> None:
    """An empty new text is a value: the old text goes, and the change is on record."""
    (change,) = edit(context, " two", "").changes.details
    assert text.read_bytes() == b"one\r\none three\none\n"
    assert (change.kind, change.after and change.after.size_bytes) == ("overwritten", 19)
