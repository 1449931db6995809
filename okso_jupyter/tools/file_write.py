"""file_write: creates a file, replaces its content, or appends to it."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import Any, Final

from okso_jupyter.effects.effect import Effect, Effects
from okso_jupyter.effects.file_changes import Changes, FileChange, made_folder
from okso_jupyter.effects.named_paths import Need, Paths
from okso_jupyter.errors import ToolError, ToolFailedError, ToolInputError
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool
from okso_jupyter.workspace import Workspace, is_protected
from okso_jupyter.workspace.text_files import diff, encode_text

_MAX_PREVIEW_BYTES: Final = 1024 * 1024
_HOW_TO_REPLACE: Final = "mode replace puts the content in its place, append adds to it"
#: Former name of `replace`: accepted but never offered.
_OLDER_MODE: Final = "overwrite"


def _call(path: str, content: str, mode: str = "") -> dict[str, Any]:
    return {"path": path, "content": content, **({"mode": mode} if mode else {})}


_EXAMPLES = (
    Example("Write 'hello world' into hello.txt", _call("hello.txt", "hello world", "create")),
    Example("Create a file notes.md with the text 'to do'", _call("notes.md", "to do", "create")),
    Example("Save 'buy milk' to todo.txt", _call("todo.txt", "buy milk", "create")),
    Example("Append 'done' to log.txt", _call("log.txt", "done\n", "append")),
    Example("Append the line 'end' to list.md", _call("list.md", "end\n", "append")),
    Example("Add 'call Anna' to todo.md", _call("todo.md", "call Anna\n", "append")),
    Example("Put 'version 2' in version.txt", _call("version.txt", "version 2", "create")),
    Example("Overwrite status.txt with 'ready'", _call("status.txt", "ready", "replace")),
    Example("Replace the content of a.txt by 'new'", _call("a.txt", "new", "replace")),
    Example("Save the result over result.txt", _call("result.txt", "", "replace")),
    Example("Store the text 'a,b,c' in table.csv", _call("table.csv", "a,b,c", "create")),
    Example("Write the result to result.txt", _call("result.txt", "", "create")),
    Example("Save it as answer.txt", _call("answer.txt", "", "create")),
    Example("Store the output in output.md", _call("output.md", "", "create")),
)


def _effect(args: Mapping[str, Any]) -> Effects:
    """Return that it writes and, for a protected name, that other programs may run the file."""
    path = args.get("path") or args.get("input") or ""
    effects = frozenset({Effect.WRITES})
    trusted = isinstance(path, str) and is_protected(posixpath.normpath(path))
    return effects | {Effect.RUNS_CODE} if trusted else effects


def _paths(args: Mapping[str, Any]) -> Paths:
    """Return that it creates a file, in an existing folder unless it may create that too."""
    name = "path" if args.get("path") else "input"
    path = str(args.get(name) or "")
    folder = posixpath.dirname(path)
    has_folder = bool(folder.strip("/.")) and not args.get("create_parents")
    return Paths(needs=(Need(name, folder, "folder"),) if has_folder else (), makes=(path,))


def _preview(  # noqa: PLR0913  the tool's arguments
    context: ToolContext,
    content: str = "",
    path: str = "",
    input: str = "",  # noqa: A002  okso's name for a lone text argument
    mode: str = "create",
    *,
    create_parents: bool = False,
) -> str:
    """Return the change as a unified diff."""
    del create_parents
    try:
        name = context.workspace.relative(path or input)
        data = encode_text(content, "content")
        if context.workspace.exists(name):
            return _preview_change(context.workspace, name, data, mode)
        return diff(name, None, data)
    except ToolError as error:
        return error.message


def _preview_change(workspace: Workspace, name: str, data: bytes, mode: str) -> str:
    """Return the preview for an existing file."""
    if mode == "create":
        return f"{name} is already there; {_HOW_TO_REPLACE}"
    size_bytes = workspace.stat(name).size_bytes
    if size_bytes > _MAX_PREVIEW_BYTES:
        verb = "are added to" if mode == "append" else "take the place of"
        return f"{name}: {len(data):,} bytes {verb} the {size_bytes:,} bytes that are there"
    old = workspace.read_bytes(name, max_bytes=_MAX_PREVIEW_BYTES)
    return diff(name, old, old + data if mode == "append" else data)


@tool(
    parameters={
        "properties": {
            "path": {"type": "string", "minLength": 1, "x-ground": "path"},
            "input": {"type": "string", "minLength": 1, "x-ground": "path", "x-omit": True},
            "content": {"type": "string", "x-ground": "text", "x-fill": True},
            "mode": {
                "type": "string",
                "enum": ["create", "replace", "append", _OLDER_MODE],
                "x-choices": ["create", "append", "replace"],
                "x-file-effects": {"create": "create", "append": "add", "replace": "replace"},
            },
            "create_parents": {"type": "boolean", "x-omit": True},
        },
        "required": ["content"],
        "anyOf": [{"required": ["path"]}, {"required": ["input"]}],
    },
    effect=_effect,
    safety="Replaces what is there only with mode replace.",
    examples=_EXAMPLES,
    preview=_preview,
    paths=_paths,
    rehearses=True,
    groups=("filesystem",),
)
def file_write(  # noqa: PLR0913  one argument per property of the schema
    context: ToolContext,
    content: str,
    path: str = "",
    input: str = "",  # noqa: A002  okso's name for a lone text argument
    mode: str = "create",
    *,
    create_parents: bool = False,
) -> ToolOutput:
    """Write a text to a new file, add it at the end of one (append) or in its place (replace)."""
    workspace = context.workspace
    name = workspace.relative(path or input)
    data = encode_text(content, "content")
    folder = posixpath.dirname(name) or "."
    if not create_parents and not workspace.is_dir(folder):
        msg = f"file_write: there is no folder {folder}"
        raise ToolFailedError(msg, hint="create_parents makes it")
    made = workspace.mkdir(folder, parents=True) if create_parents and folder != "." else []
    change = _write(workspace, name, data, mode)
    created = change.before is None
    size_bytes = change.after.size_bytes if change.after else None
    verb = {"append": "added to"}.get(mode, "written to")
    return ToolOutput(
        value={
            "path": name,
            "mode": mode,
            "created": created,
            "bytes_written": len(data),
            "file_size": size_bytes,
        },
        text=f"{len(data):,} bytes {verb} {name}{' (new file)' if created else ''}",
        changes=Changes(
            created=(*made, name) if created else tuple(made),
            updated=() if created else (name,),
            details=(*map(made_folder, made), change),
        ),
    )


def _write(workspace: Workspace, name: str, data: bytes, mode: str) -> FileChange:
    match mode:
        case "append":
            return workspace.append(name, data)
        case "create":
            is_folder = workspace.is_dir(name)
            if workspace.exists(name) and not is_folder:
                msg = f"file_write: {name} is already there"
                raise ToolFailedError(msg, hint=_HOW_TO_REPLACE)
            return workspace.write_atomic(name, data, new=not is_folder)
        case "replace" | "overwrite":
            return workspace.write_atomic(name, data)
        case _:
            msg = f"file_write: the mode {mode!r} is not one of create, replace and append"
            raise ToolInputError(msg)
