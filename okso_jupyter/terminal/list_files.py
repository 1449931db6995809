"""status, pwd, cd, ls, stat, du: the working folder and its content."""

from __future__ import annotations

import math
import stat
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Final

from okso_jupyter.effects.effect import NO_EFFECTS
from okso_jupyter.effects.named_paths import Need, Paths
from okso_jupyter.errors import ToolFailedError
from okso_jupyter.terminal.command import Command, Invocation, places_needed
from okso_jupyter.terminal.command_run import MAX_WALK_DEPTH, CommandRun
from okso_jupyter.workspace import FolderEntry

_STATUS_ENTRIES: Final = 20
_KIB: Final = 1024
_UNITS: Final = "KMGT"
#: Smaller sizes are shown with a decimal.
_SHORT: Final = 10


def human_size(size_bytes: int) -> str:
    """Return a human-readable size, such as "12", "1.5K" or "20M"."""
    if size_bytes < _KIB:
        return str(size_bytes)
    power = min(int(math.log2(size_bytes)) // 10, len(_UNITS))
    size = size_bytes / _KIB**power
    return f"{size:.{1 if size < _SHORT else 0}f}{_UNITS[power - 1]}"


def run_status(session: CommandRun, call: Invocation, names: tuple[str, ...]) -> None:
    """Write the session, the folder, the allowed commands and a short listing."""
    del call
    session.line(f"Session: {session.name}")
    session.line(f"Working directory: {session.shown()}")
    session.line(f"Allowed commands: {' '.join(names)}")
    entries = session.workspace.listdir(session.folder)
    for entry in entries[:_STATUS_ENTRIES]:
        session.line(f"  {entry.name}{'/' if entry.is_dir else ''}")
    if len(entries) > _STATUS_ENTRIES:
        session.line(f"  ... and {len(entries) - _STATUS_ENTRIES} more")


def _pwd(session: CommandRun, _call: Invocation) -> None:
    session.line(session.shown())


def _cd(session: CommandRun, call: Invocation) -> None:
    folder = session.path(call.operands[0])
    if not session.workspace.stat(folder).is_dir:
        msg = f"{folder} is not a folder"
        raise ToolFailedError(msg)
    session.folder = folder
    session.line(session.shown())


def _ls(session: CommandRun, call: Invocation) -> None:
    is_bare = not call.flags and not call.operands
    flags = frozenset({"-l", "-a"}) if is_bare else call.flags
    names = call.operands or (".",)
    session.remark = "the folder is empty"

    def show(name: str) -> None:
        path = session.path(name)
        entry = session.workspace.stat(path, follow="-l" not in flags)
        if not entry.is_dir:
            _ls_lines(session, [entry], flags, lambda _entry: name)
            return
        if len(names) > 1 or "-R" in flags:
            session.line(f"{name}:")
        _ls_folder(session, path, name, flags)

    session.each(names, show)


def _ls_folder(session: CommandRun, path: str, shown: str, flags: frozenset[str]) -> None:
    """List one folder, and with -R the folders beneath it."""
    todo = [(path, shown, 0)]
    while todo:
        session.tick()
        folder, title, depth = todo.pop(0)
        if depth:
            session.line(f"\n{title}:")
        entries = session.workspace.listdir(folder)
        hidden_too = bool(flags & {"-a", "-A"})
        visible = [entry for entry in entries if hidden_too or not entry.name.startswith(".")]
        _ls_lines(session, _sorted(visible, flags), flags, lambda entry: entry.name)
        if "-R" in flags and depth < MAX_WALK_DEPTH:
            below = [entry for entry in visible if entry.is_dir]
            todo = [(e.path, f"{title}/{e.name}", depth + 1) for e in below] + todo


def _sorted(entries: list[FolderEntry], flags: frozenset[str]) -> list[FolderEntry]:
    if "-S" in flags:
        entries = sorted(entries, key=lambda entry: -entry.size_bytes)
    elif "-t" in flags:
        entries = sorted(entries, key=lambda entry: -entry.info.st_mtime_ns)
    return entries[::-1] if "-r" in flags else entries


def _ls_lines(
    session: CommandRun,
    entries: list[FolderEntry],
    flags: frozenset[str],
    name_of: Callable[[FolderEntry], str],
) -> None:
    sizes = [
        human_size(entry.size_bytes) if "-h" in flags else str(entry.size_bytes)
        for entry in entries
    ]
    width = max(map(len, sizes), default=0)
    for entry, size in zip(entries, sizes, strict=True):
        name = name_of(entry)
        if "-l" in flags:
            changed = datetime.fromtimestamp(entry.modified_s).astimezone()
            mode = stat.filemode(entry.info.st_mode)
            name = f"{mode} {size:>{width}} {changed:%Y-%m-%d %H:%M} {name}"
        session.line(name)


def _stat(session: CommandRun, call: Invocation) -> None:
    def show(name: str) -> None:
        entry = session.workspace.stat(session.path(name), follow=False)
        changed = datetime.fromtimestamp(entry.modified_s).astimezone()
        session.line(f"  File: {name}")
        session.line(f"  Size: {entry.size_bytes} bytes")
        session.line(f"  Type: {entry.kind}")
        session.line(f"Access: {stat.filemode(entry.info.st_mode)}")
        session.line(f"Modify: {changed:%Y-%m-%d %H:%M:%S %z}")

    session.each(call.operands, show)


def _du(session: CommandRun, call: Invocation) -> None:
    is_bare = not call.flags and not call.values and not call.operands
    flags = frozenset({"-s", "-h"}) if is_bare else call.flags
    depth = 0 if "-s" in flags else call.number("-d", MAX_WALK_DEPTH, most=MAX_WALK_DEPTH)

    def show(name: str) -> None:
        path = session.path(name)
        for entry, size_bytes, level in _sizes(session, path):
            if level > depth or (entry is not None and entry.is_file and "-a" not in flags):
                continue
            # whole KiB like `du`, but of the data: disk blocks differ between systems
            size = human_size(size_bytes) if "-h" in flags else str(-(-size_bytes // _KIB))
            session.line(f"{size}\t{entry.path if entry is not None else name}")

    session.each(call.operands or (".",), show)


def _sizes(session: CommandRun, path: str) -> Iterator[tuple[FolderEntry | None, int, int]]:
    """Yield every entry beneath a path with its size and level; the path itself last, as None."""
    top = session.workspace.stat(path, follow=False)
    if not top.is_dir:
        yield None, top.size_bytes, 0
        return
    walk = session.walk(path)
    entries = list(walk)
    totals: dict[str, int] = {}
    prefix = "" if path == "." else path + "/"
    for entry in reversed(entries):
        session.tick()
        size_bytes = totals.pop(entry.path, 0) if entry.is_dir else entry.size_bytes
        parent = entry.path.rpartition("/")[0] or "."
        totals[parent] = totals.get(parent, 0) + size_bytes
        yield entry, size_bytes, entry.path.removeprefix(prefix).count("/") + 1
    session.end_walk(walk)
    yield None, totals.get(path, 0), 0


def _entered(call: Invocation) -> Paths:
    """Return the paths of a call that needs the new working folder."""
    (folder,) = call.operands
    return Paths(needs=(Need("", folder, "folder"),), folder=folder)


COMMANDS: Final = (
    Command(name="pwd", usage="pwd", run=_pwd, operands=(0, 0), effects=NO_EFFECTS),
    Command(
        name="ls",
        usage="ls [-aAlh1tSrR] [NAME...]",
        run=_ls,
        flags="aAlh1tSrR",
        paths=places_needed,
    ),
    Command(name="cd", usage="cd FOLDER", run=_cd, operands=(1, 1), paths=_entered),
    Command(name="stat", usage="stat NAME...", run=_stat, operands=(1, None), paths=places_needed),
    Command(
        name="du",
        usage="du [-s] [-h] [-a] [-d N] [NAME...]",
        run=_du,
        flags="sha",
        valued=frozenset({"-d"}),
        paths=places_needed,
    ),
)
