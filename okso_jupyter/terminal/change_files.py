"""mkdir, rmdir, mv, cp, touch, rm: the commands that change files, and their previews."""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Final

from okso_jupyter.effects.effect import Effect, Effects
from okso_jupyter.effects.file_changes import FileChange, FileState
from okso_jupyter.effects.named_paths import Kind, Need, Paths
from okso_jupyter.errors import ToolError, ToolFailedError, ToolRefusedError
from okso_jupyter.terminal.command import WRITES, Command, Invocation
from okso_jupyter.terminal.command_run import CommandRun
from okso_jupyter.workspace import FolderEntry

#: Hash of an empty file.
NOTHING_SHA256: Final = hashlib.sha256(b"").hexdigest()
_REMOVES: Final[Effects] = WRITES | {Effect.IRREVERSIBLE}
_SHOWN_PATHS: Final = 500
#: Bytes of a copy's sources that are hashed for its preview.
_HASHED_BYTES: Final = 64 << 20
#: Digits of that hash: enough to prevent a second content with the same digits.
_SHOWN_DIGITS: Final = 32


def _mkdir(session: CommandRun, call: Invocation) -> None:
    def make(name: str) -> None:
        # as in `mkdir -p`, missing folders above are created too, and an existing one is accepted
        session.guard(session.path(name))
        made = session.workspace.mkdir(session.path(name), parents=True)
        session.made(made)
        for folder in made:
            session.line(f"made folder {folder}")
        if not made:
            session.line(f"folder {session.path(name)} was there already")

    session.each(call.operands, make)


def _rmdir(session: CommandRun, call: Invocation) -> None:
    def remove(name: str) -> None:
        path = session.path(name)
        session.guard(path)
        session.details.append(session.workspace.remove_dir(path))
        session.deleted.append(path)
        session.line(f"removed folder {path}")

    session.each(call.operands, remove)


def _touch(session: CommandRun, call: Invocation) -> None:
    def touch(name: str) -> None:
        path = session.path(name)
        session.guard(path)
        is_new = session.workspace.touch(path)
        (session.created if is_new else session.updated).append(path)
        if is_new:
            after = FileState(size_bytes=0, sha256=NOTHING_SHA256)
            session.details.append(FileChange(kind="created", path=path, after=after))
        session.line(f"{'made' if is_new else 'touched'} {path}")

    session.each(call.operands, touch)


def _pairs(session: CommandRun, call: Invocation) -> list[tuple[str, str]]:
    """Return each source with its target path.

    The content of a folder ("data/.") has the folder that it goes into as its target.

    Raises:
        ToolFailedError: There are several sources, and the target is not a folder or would hold
            two entries of the same name.
    """
    *names, last = call.operands
    target = session.path(last)
    into = session.workspace.is_dir(target)
    if len(names) > 1 and not into:
        msg = f"{call.command.name}: {last} is not a folder, and there are {len(names)} sources"
        raise ToolFailedError(msg)
    sources = [session.path(name) for name in names]
    if not into:
        return [(source, target) for source in sources]
    names_in = [
        "" if _is_content(name) else posixpath.basename(source)
        for name, source in zip(names, sources, strict=True)
    ]
    written = [name for name in names_in if name]
    if len(set(written)) < len(written):
        msg = f"{call.command.name}: two of the sources have the same name"
        raise ToolFailedError(msg)
    return [
        (source, posixpath.normpath(posixpath.join(target, name)))
        for source, name in zip(sources, names_in, strict=True)
    ]


def _is_content(operand: str) -> bool:
    """Return whether an operand means what is in a folder, such as "data/."."""
    return posixpath.basename(operand.rstrip("/")) == "."


def _check_contents(call: Invocation) -> None:
    """Refuse what `mv` and `-n` would have to do with each entry of a folder's content."""
    name = next(filter(_is_content, call.operands[:-1]), "")
    if name and (call.command.name == "mv" or "-n" in call.flags):
        act = "not moved" if call.command.name == "mv" else "not copied with -n"
        msg = f"{call.command.name}: {name}, the content of a folder, is {act}"
        raise ToolFailedError(msg, hint="name the folder, or what is in it")


def _transfer(
    session: CommandRun, call: Invocation, act: Callable[[str, str], None], verb: str
) -> None:
    """Move or copy each source to its target."""
    _check_contents(call)
    pairs = _pairs(session, call)

    def transfer(source: str) -> None:
        target = dict(pairs)[source]
        if "-n" in call.flags and session.workspace.exists(target):
            session.line(f"left {target} as it is")
            return
        session.guard(target)
        act(source, target)
        session.line(f"{verb} {source} to {target}")

    session.each([source for source, _ in pairs], transfer)


def _mv(session: CommandRun, call: Invocation) -> None:
    def move(source: str, target: str) -> None:
        session.guard(source)
        was_there = session.workspace.exists(target)
        below = [path.removeprefix(source) for path in _moved_along(session, source, target)]
        session.details.append(session.workspace.rename(source, target))
        session.deleted += [source, *(source + path for path in below)]
        (session.updated if was_there else session.created).append(target)
        session.created += [target + path for path in below]

    _transfer(session, call, move, "moved")


def _moved_along(session: CommandRun, source: str, target: str) -> list[str]:
    """Return the paths beneath a folder that moves; none may become protected by the move."""
    if not session.workspace.stat(source, follow=False).is_dir:
        return []
    walk = session.walk(source)
    paths = [entry.path for entry in walk]
    for path in paths:
        _guard_copy(session, path, target + path.removeprefix(source))
    session.end_walk(walk)
    return paths


def _guard_copy(session: CommandRun, source: str, target: str) -> None:
    """Refuse a protected target if the source is not protected."""
    if not session.workspace.protected(source):
        session.guard(target)


def _cp(session: CommandRun, call: Invocation) -> None:
    def copy(source: str, target: str) -> None:
        if not session.workspace.stat(source).is_dir:
            _copy_file(session, source, target)
        elif "-r" in call.flags:
            _copy_folder(session, source, target)
        else:
            msg = f"cp: {source} is a folder"
            raise ToolFailedError(msg, hint="use cp -r")

    _transfer(session, call, copy, "copied")


def _copy_file(session: CommandRun, source: str, target: str) -> None:
    was_there = session.workspace.exists(target)
    session.details.append(session.workspace.copy(source, target))
    (session.updated if was_there else session.created).append(target)


def _copy_folder(session: CommandRun, source: str, target: str) -> None:
    session.workspace.check_apart(source, target, act="copied")
    walk = session.walk(source)
    copies = [(entry, target + entry.path.removeprefix(source)) for entry in walk]
    for entry, copy in copies:
        _guard_copy(session, entry.path, copy)
    session.made(session.workspace.mkdir(target, parents=True))
    for entry, copy in copies:
        session.tick()
        if entry.is_dir:
            session.made(session.workspace.mkdir(copy, parents=True))
        elif entry.is_file:
            _copy_file(session, entry.path, copy)
        else:
            session.fail(f"{entry.path} was not copied: it is a {entry.kind}")
    session.end_walk(walk)


def _rm(session: CommandRun, call: Invocation) -> None:
    def remove(name: str) -> None:
        path = session.path(name)
        session.guard(path)
        if not session.workspace.stat(path, follow=False).is_dir:
            _remove(session, path, session.workspace.remove_file)
        elif "-r" in call.flags:
            _remove_folder(session, path)
        else:
            msg = f"rm: {path} is a folder and was not removed"
            raise ToolFailedError(msg, hint="rm -r removes folders, rmdir empty ones")

    session.each(call.operands, remove)


def _remove(session: CommandRun, path: str, act: Callable[[str], FileChange]) -> None:
    session.details.append(act(path))
    session.deleted.append(path)
    session.line(f"removed {path}")


def _remove_folder(session: CommandRun, path: str) -> None:
    """Remove a folder from the leaves up; entries that cannot be removed are reported."""
    workspace = session.workspace
    if path == "." or f"{session.folder}/".startswith(f"{path}/"):
        msg = f"rm: {path} holds the working folder and was not removed"
        raise ToolRefusedError(msg)
    walk = session.walk(path)
    entries: list[FolderEntry] = [workspace.stat(path, follow=False), *walk]
    if walk.cut or walk.is_deeper:
        msg = f"rm: {path} holds more than can be listed first, and nothing was removed"
        raise ToolRefusedError(msg, hint="remove its folders one by one")
    for entry in reversed(entries):
        session.tick()
        try:
            _remove(
                session, entry.path, workspace.remove_dir if entry.is_dir else workspace.remove_file
            )
        except ToolError as error:
            session.fail(f"not removed: {error}")


# --- previews: what a call would change ---------------------------------------------------


def _operand_paths(session: CommandRun, call: Invocation) -> list[str]:
    return [session.path(name) for name in call.operands]


def _pair_paths(session: CommandRun, call: Invocation) -> list[str]:
    lines = []
    for source, target in _pairs(session, call):
        note = " (replaces what is there)" if session.workspace.exists(target) else ""
        lines.append(f"{source} -> {target}{note}")
        below = _below(session, source)
        lines += [f"{path} -> {target}{path.removeprefix(source)}" for path in below]
    return lines


def _copied_paths(session: CommandRun, call: Invocation) -> list[str]:
    """Return the target of each source, and its content: an approval covers exactly these."""
    lines = _pair_paths(session, call)
    sources = [source for source, _ in _pairs(session, call) if session.workspace.exists(source)]
    return [*lines, *(f"{source} holds {_content(session, source)}" for source in sources)]


def _content(session: CommandRun, path: str) -> str:
    """Return the size and a hash of all files at and beneath a path.

    Beyond `_HASHED_BYTES`, the modification time is hashed in place of the content.
    """
    workspace, digest, size_bytes = session.workspace, hashlib.sha256(), 0
    entries = [*session.walk(path)] if workspace.is_dir(path) else [workspace.stat(path)]
    for entry in entries:
        session.tick()
        name = f"{entry.path.removeprefix(path)}\0{entry.kind}\0"
        digest.update(name.encode("utf-8", "surrogatepass"))
        if not entry.is_file:
            continue
        digest.update(f"{entry.size_bytes}\0".encode())
        size_bytes += entry.size_bytes
        if size_bytes > _HASHED_BYTES:
            digest.update(str(entry.info.st_mtime_ns).encode())
            continue
        with workspace.open(entry.path) as opened:
            for part in iter(partial(opened.read, 1 << 20), b""):
                digest.update(part)
    return f"{size_bytes:,} bytes (sha256 {digest.hexdigest()[:_SHOWN_DIGITS]})"


def _removed_paths(session: CommandRun, call: Invocation) -> list[str]:
    lines = []
    for path in _operand_paths(session, call):
        lines.append(path)
        if "-r" in call.flags:
            lines += _below(session, path)
    return lines


def _below(session: CommandRun, path: str) -> list[str]:
    """Return the paths beneath a folder, as many as can be shown."""
    if not session.workspace.exists(path):
        return []
    if not session.workspace.stat(path, follow=False).is_dir:
        return []
    paths = [entry.path for entry in session.walk(path)]
    more = len(paths) - _SHOWN_PATHS
    return paths[:_SHOWN_PATHS] + ([f"... and {more} more below {path}"] if more > 0 else [])


def _made(call: Invocation) -> Paths:
    """Return the paths of a call that creates every operand and the folders above it."""
    return Paths(makes=call.operands)


def _touched(call: Invocation) -> Paths:
    """Return the paths of a call that creates every operand in an existing folder."""
    return Paths(needs=_parents(call.operands), makes=call.operands)


def _removed(call: Invocation) -> Paths:
    """Return the paths of a call that needs every operand and removes it."""
    return Paths(needs=_each(call.operands, "place"), takes=call.operands)


def _removed_folders(call: Invocation) -> Paths:
    """Return the paths of a call that needs every operand as a folder and removes it."""
    return Paths(needs=_each(call.operands, "folder"), takes=call.operands)


def _copied(call: Invocation) -> Paths:
    """Return the paths of a copy: it needs sources and a target folder, and creates targets."""
    *sources, last = call.operands
    into = [posixpath.join(last, posixpath.basename(source)) for source in sources]
    target = _each([last], "folder") if len(sources) > 1 else _parents([last])
    return Paths(needs=(*_each(sources, "place"), *target), makes=(last, *into))


def _moved(call: Invocation) -> Paths:
    """Return the paths of a move: those of a copy, with the sources removed."""
    return replace(_copied(call), takes=call.operands[:-1])


def _each(names: Iterable[str], kind: Kind) -> tuple[Need, ...]:
    return tuple(Need("", name, kind) for name in names)


def _parents(names: Iterable[str]) -> tuple[Need, ...]:
    """Return the parent folders of the names as needs."""
    folders = (posixpath.dirname(posixpath.normpath(name)) for name in names)
    return _each(filter(None, folders), "folder")


COMMANDS: Final = (
    Command(
        name="mkdir",
        usage="mkdir [-p] FOLDER...",
        run=_mkdir,
        flags="p",
        operands=(1, None),
        effects=WRITES,
        touches=_operand_paths,
        paths=_made,
    ),
    Command(
        name="rmdir",
        usage="rmdir FOLDER...",
        run=_rmdir,
        operands=(1, None),
        effects=WRITES,
        touches=_operand_paths,
        paths=_removed_folders,
    ),
    Command(
        name="mv",
        usage="mv [-n] SOURCE... TARGET",
        run=_mv,
        flags="n",
        operands=(2, None),
        effects=WRITES,
        touches=_pair_paths,
        paths=_moved,
    ),
    Command(
        name="cp",
        usage="cp [-r] [-n] SOURCE... TARGET",
        run=_cp,
        flags="rn",
        operands=(2, None),
        effects=WRITES | {Effect.READS},
        touches=_copied_paths,
        paths=_copied,
    ),
    Command(
        name="touch",
        usage="touch FILE...",
        run=_touch,
        operands=(1, None),
        effects=WRITES,
        touches=_operand_paths,
        paths=_touched,
    ),
    Command(
        name="rm",
        usage="rm [-r] NAME...",
        run=_rm,
        flags="r",
        operands=(1, None),
        effects=_REMOVES,
        touches=_removed_paths,
        paths=_removed,
    ),
)
