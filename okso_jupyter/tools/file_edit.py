"""file_edit: replaces a text in an existing file."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from okso_jupyter.effects.effect import Effect, Effects
from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.errors import ToolError, ToolFailedError, ToolInputError
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool
from okso_jupyter.workspace import is_protected
from okso_jupyter.workspace.text_files import diff, encode_text

_MAX_BYTES: Final = 16 * 1024 * 1024


def _call(path: str, old: str, new: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401  JSON
    return {"path": path, "old_text": old, "new_text": new, **more}


_EXAMPLES = (
    Example(
        "Replace 'foo' with 'bar' in main.py", _call("main.py", "foo", "bar", replace_all=True)
    ),
    Example(
        "Change 'old' to 'new' in notes.txt", _call("notes.txt", "old", "new", replace_all=True)
    ),
    Example(
        "Change every 'colour' to 'color' in essay.md",
        _call("essay.md", "colour", "color", replace_all=True),
    ),
    Example(
        "In config.yaml set 'debug: true' to 'debug: false'",
        _call("config.yaml", "debug: true", "debug: false"),
    ),
    Example("Fix the typo 'teh' to 'the' in letter.txt", _call("letter.txt", "teh", "the")),
    Example(
        "Replace all occurrences of '2023' by '2024' in report.txt",
        _call("report.txt", "2023", "2024", replace_all=True),
    ),
    Example("Remove the text 'draft' from notes.md", _call("notes.md", "draft", "")),
    Example("Delete 'TODO' from plan.txt", _call("plan.txt", "TODO", "")),
    Example("Edit notes.md so that 'draft' reads 'final'", _call("notes.md", "draft", "final")),
    Example(
        "Update 'version 1' to 'version 2' in setup.txt",
        _call("setup.txt", "version 1", "version 2"),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edit:
    """The outcome of an edit.

    Attributes:
        path: The file, relative to the root.
        old: Its content before the edit.
        new: Its content after the edit.
        replacements: Number of places that change.
        total: Number of places that hold the text.
    """

    path: str
    old: bytes
    new: bytes
    replacements: int
    total: int


def _effect(args: Mapping[str, Any]) -> Effects:
    """Return that it writes and, for a protected name, that other programs may run the file."""
    path = args.get("path") or args.get("input") or ""
    effects = frozenset({Effect.READS, Effect.WRITES})
    trusted = isinstance(path, str) and is_protected(posixpath.normpath(path))
    return effects | {Effect.RUNS_CODE} if trusted else effects


def _plan(  # noqa: PLR0913  the tool's arguments
    context: ToolContext,
    path: str,
    old_text: str,
    new_text: str,
    *,
    replace_all: bool,
    occurrence: int | None,
) -> _Edit:
    """Compute an edit without writing it.

    Raises:
        ToolInputError: The arguments contradict each other, or nothing would change.
        ToolFailedError: The text is not in the file, or not at the given occurrence.
    """
    if replace_all and occurrence is not None:
        msg = "file_edit: replace_all and occurrence exclude each other"
        raise ToolInputError(msg)
    if old_text == new_text:
        msg = "file_edit: old_text and new_text are the same, nothing would change"
        raise ToolInputError(msg)
    name = context.workspace.relative(path)
    content = context.workspace.read_bytes(name, max_bytes=_MAX_BYTES)
    old, new = encode_text(old_text, "old_text"), encode_text(new_text, "new_text")
    total = content.count(old)
    _check_total(name, total, replace_all=replace_all, occurrence=occurrence)
    places = total if replace_all else 1
    _check_size(name, len(content) + places * (len(new) - len(old)))
    if replace_all:
        changed = content.replace(old, new)
        return _Edit(path=name, old=content, new=changed, replacements=total, total=total)
    start = _place_of(content, old, occurrence or 1)
    changed = content[:start] + new + content[start + len(old) :]
    return _Edit(path=name, old=content, new=changed, replacements=1, total=total)


def _check_size(name: str, size_bytes: int) -> None:
    """Raise ToolFailedError if a result would be larger than what can be edited."""
    if size_bytes > _MAX_BYTES:
        msg = (
            f"file_edit: {name} would have {size_bytes:,} bytes, and at most {_MAX_BYTES:,} may be"
        )
        raise ToolFailedError(msg, hint="edit fewer places, or put a shorter text there")


def _place_of(content: bytes, old: bytes, occurrence: int) -> int:
    """Return the offset of an occurrence (from 1) of the text; occurrences do not overlap."""
    place = content.find(old)
    for _ in range(occurrence - 1):
        place = content.find(old, place + len(old))
    return place


def _check_total(name: str, total: int, *, replace_all: bool, occurrence: int | None) -> None:
    if total == 0:
        msg = f"file_edit: {name} does not hold old_text"
        raise ToolFailedError(msg, hint="upper and lower case and spaces count")
    if total > 1 and not replace_all and occurrence is None:
        msg = f"file_edit: {name} holds old_text {total} times, which is ambiguous"
        raise ToolFailedError(msg, hint="set replace_all or occurrence, or quote more of the text")
    if occurrence is not None and occurrence > total:
        msg = f"file_edit: {name} holds old_text only {total} times, not {occurrence}"
        raise ToolFailedError(msg)


def _preview(  # noqa: PLR0913  the tool's arguments
    context: ToolContext,
    old_text: str = "",
    new_text: str = "",
    path: str = "",
    input: str = "",  # noqa: A002  okso's name for a lone text argument
    *,
    replace_all: bool = False,
    occurrence: int | None = None,
) -> str:
    """Return the change as a unified diff."""
    if not old_text:
        return ""
    try:
        edit = _plan(
            context,
            path or input,
            old_text,
            new_text,
            replace_all=replace_all,
            occurrence=occurrence,
        )
    except ToolError as error:
        return error.message
    return diff(edit.path, edit.old, edit.new)


@tool(
    parameters={
        "properties": {
            "path": {"type": "string", "minLength": 1, "x-ground": "file"},
            "input": {"type": "string", "minLength": 1, "x-ground": "file", "x-omit": True},
            "old_text": {"type": "string", "minLength": 1, "x-ground": "text"},
            "new_text": {"type": "string", "x-ground": "text", "x-empty": True},
            "replace_all": {"type": "boolean"},
            "occurrence": {"type": "integer", "minimum": 1, "x-omit": True},
        },
        "required": ["old_text", "new_text"],
        "anyOf": [{"required": ["path"]}, {"required": ["input"]}],
    },
    effect=_effect,
    safety="The text must occur once, unless replace_all or occurrence is set.",
    examples=_EXAMPLES,
    preview=_preview,
    rehearses=True,
    groups=("filesystem",),
)
def file_edit(  # noqa: PLR0913  one argument per property of the schema
    context: ToolContext,
    old_text: str,
    new_text: str,
    path: str = "",
    input: str = "",  # noqa: A002  okso's name for a lone text argument
    *,
    replace_all: bool = False,
    occurrence: int | None = None,
) -> ToolOutput:
    """Replace a text in a file by another one."""
    edit = _plan(
        context,
        path or input,
        old_text,
        new_text,
        replace_all=replace_all,
        occurrence=occurrence,
    )
    change = context.workspace.edit(edit.path, edit.new)
    places = "1 place" if edit.replacements == 1 else f"{edit.replacements} places"
    return ToolOutput(
        value={
            "path": edit.path,
            "replacements": edit.replacements,
            "total_matches": edit.total,
            "file_size": len(edit.new),
        },
        text=f"changed {places} in {edit.path}",
        changes=Changes(updated=(edit.path,), details=(change,)),
    )
