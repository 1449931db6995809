"""File commands: reads each clause of a request as the steps that do it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from okso_jupyter.planning.file_commands.command_phrases import (
    BEHIND_FOLDER,
    IS_FOLDER,
    NAME,
    PHRASES,
    SEAM,
    without_courtesy,
)
from okso_jupyter.planning.file_commands.folder_view import FolderView
from okso_jupyter.planning.file_commands.named_parts import PATH, NamedParts
from okso_jupyter.planning.request.facts import Facts

#: Tools that the steps call.
TOOLS: Final = ("terminal", "file_edit", "file_write")
Steps = tuple[Mapping[str, Any], ...]

_MOST_CHARS: Final = 300
#: A name in the folder that does not begin like an option of a command, and has no wildcard.
_PLAIN: Final = re.compile(r"(?!\.\.|[-~/])[^*?\[\]]+")


def commands_asked(request: str, facts: Facts, folder: FolderView) -> Steps:
    """Return the steps of a request that only says what to do with files; () for any other.

    No step replaces a file: such a request is left to the model and its checks.

    Args:
        request: The request in plain words.
        facts: What it names.
        folder: What is in the folder.
    """
    if len(request) > _MOST_CHARS or not request.isprintable():
        return ()
    parts = NamedParts.of(" ".join(request.split()), facts)
    if parts is None:
        return ()
    return next(_clauses(without_courtesy(parts.text), parts, _Before(folder=folder)), ())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Before:
    """What the clauses before have done.

    Attributes:
        folder: What is in the folder when the first of them begins.
        made: Folders that they made.
        files: Files that the last of them speaks of, as they are called after it.
        gone: Paths that are free now.
        taken: Paths of the files that they wrote.
    """

    folder: FolderView
    made: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    gone: frozenset[str] = frozenset()
    taken: frozenset[str] = frozenset()

    def is_folder(self, path: str) -> bool:
        """Return whether a folder is there now."""
        return path in self.made or self.folder.is_folder(path)

    def is_free(self, path: str) -> bool:
        """Return whether nothing is at a path now."""
        is_there = path not in self.gone and self.folder.is_there(path)
        return not (is_there or path in self.taken or path in self.made)

    def can_hold(self, path: str) -> bool:
        """Return whether nothing is at a path now, and its folder is there."""
        return self.is_free(path) and self.is_folder(posixpath.dirname(path) or ".")

    def have(self, paths: tuple[str, ...]) -> bool:
        """Return whether there are paths, and something is at each of them now."""
        return bool(paths) and not any(map(self.is_free, paths))

    def moved(self, old: tuple[str, ...], new: tuple[str, ...]) -> _Before:
        """Return the state after files got new paths; those that were there are gone."""
        gone = (self.gone | frozenset(old)) - frozenset(new)
        taken = (self.taken - frozenset(old)) | frozenset(new)
        return replace(self, files=new, gone=gone, taken=taken)


_Found = tuple[Steps, _Before] | None


@dataclass(frozen=True, slots=True)
class _Clause:
    """One clause that a pattern matches.

    Attributes:
        match: The match of its words.
        parts: The request in marks.
        before: What the clauses before have done.
    """

    match: re.Match[str]
    parts: NamedParts
    before: _Before

    def said(self, group: str) -> str:
        """Return the words of a group; "" where the pattern or the clause has none."""
        return self.match.groupdict().get(group) or ""

    def files(self) -> tuple[str, ...]:
        """Return the files that it is about: by name, or those of the clause before."""
        return tuple(self.parts.all_in(self.said("files"))) or self.before.files

    def is_sure(self) -> bool:
        """Return whether each file that is named without its folder is the only one of its name."""
        return not any(map(self.before.folder.is_one_of_several, self._by_name()))

    def _by_name(self) -> Iterator[str]:
        """Yield the files that are named without their folder."""
        for mark in re.findall(PATH, self.said("files")):
            path = self.parts.value(mark)
            name = self.parts.quoted(mark) or self.parts.original(mark)
            if "/" in path and "/" not in name:
                yield path

    def text(self, group: str) -> str:
        """Return a text to write or to replace, without its quotation marks."""
        return self.parts.quoted(self.said(group)) or self.parts.original(self.said(group))

    def is_quoted(self, group: str) -> bool:
        """Return whether a text stands in quotation marks."""
        return bool(self.parts.quoted(self.said(group)))

    def path(self, group: str) -> str:
        """Return the path at the end of a group of words; the last folder made for "it"."""
        said = BEHIND_FOLDER.sub("", self.said(group)).rpartition(" ")[2]
        if said in {"it", "there"}:
            return self.before.made[-1] if self.before.made else ""
        return self.parts.value(said).rstrip("/")


def _clauses(text: str, parts: NamedParts, before: _Before) -> Iterator[Steps]:
    """Yield the steps of all clauses of a text, for each way to take it apart."""
    whole = _clause(text, parts, before)
    if whole is not None:
        yield whole[0]
    for seam in SEAM.finditer(text):
        head = _clause(text[: seam.start()], parts, before)
        if head is not None:
            for rest in _clauses(text[seam.end() :], parts, head[1]):
                yield (*head[0], *rest)


def _clause(text: str, parts: NamedParts, before: _Before) -> _Found:
    """Return the steps of one clause, and what has been done after it."""
    for kind, pattern in PHRASES:
        match = pattern.fullmatch(text)
        clause = _Clause(match, parts, before) if match else None
        found = _READERS[kind](clause) if clause and clause.is_sure() else None
        if found is not None:
            return found
    return None


def _transferred(command: str) -> Callable[[_Clause], _Found]:
    """Return the reader of a copy or move: to a new name, or into a folder."""

    def read(clause: _Clause) -> _Found:
        files, target, before = clause.files(), clause.path("to"), clause.before
        into = _is_into(clause, target)
        if not _are_plain(*files, target) or into is None or (not into and len(files) > 1):
            return None
        if not before.have(files):
            return None
        places = tuple(
            posixpath.join(target, posixpath.basename(f)) if into else target for f in files
        )
        if any(f"{target}/".startswith(f"{file}/") for file in files):
            return None  # a folder cannot go into itself
        options = ["-r"] if command == "cp" and any(map(before.is_folder, files)) else []
        steps = [_terminal(command, *options, *files, target)]
        if into and not before.is_folder(target):
            if not before.can_hold(target):
                return None
            steps.insert(0, _terminal("mkdir", target))
            before = replace(before, made=(*before.made, target))
        if len({*places}) < len(places) or not all(map(before.can_hold, places)):
            return None
        return tuple(steps), before.moved(files if command == "mv" else (), places)

    return read


def _is_into(clause: _Clause, target: str) -> bool | None:
    """Return whether a target is a folder; None where it may be a file or a folder."""
    if clause.before.is_folder(target) or IS_FOLDER.search(clause.said("to")):
        return True
    has_suffix = bool(posixpath.splitext(target)[1])
    if clause.said("into") and not has_suffix:
        return True
    files_have = any(posixpath.splitext(file)[1] for file in clause.files())
    return None if files_have and not has_suffix else False


def _renamed(clause: _Clause) -> _Found:
    """Read a rename; the new name is in the folder of the old one unless it names another."""
    files, target = clause.files(), clause.path("to")
    if len(files) != 1 or not _are_plain(*files, target):
        return None
    if "/" not in target:
        target = posixpath.join(posixpath.dirname(files[0]), target)
    if not clause.before.have(files) or not clause.before.can_hold(target):
        return None
    return (_terminal("mv", files[0], target),), clause.before.moved(files, (target,))


def _removed(clause: _Clause) -> _Found:
    files = clause.files()
    before = clause.before
    if not _are_plain(*files) or not before.have(files) or any(map(before.is_folder, files)):
        return None
    return (_terminal("rm", *files),), clause.before.moved(files, ())


def _folders_made(clause: _Clause) -> _Found:
    names = [clause.parts.value(name) for name in re.findall(NAME, clause.said("names"))]
    within = clause.path("within") if clause.said("within") else ""
    paths = [posixpath.join(within, name.rstrip("/")) for name in names if name not in _ANDS]
    if not _are_plain(*paths) or not all(map(clause.before.is_free, paths)):
        return None
    made = (*clause.before.made, *paths)
    return (_terminal("mkdir", *paths),), replace(clause.before, made=made)


def _replaced(clause: _Clause) -> _Found:
    """Read an edit; a text without quotation marks must occur in the file."""
    files, old, new = clause.files(), clause.text("old"), clause.text("new")
    holds = clause.before.folder.holds
    known = clause.is_quoted("old") or all(holds(file, old) for file in files)
    if not known or not clause.before.have(files) or any(map(clause.before.is_folder, files)):
        return None
    args = {"old_text": old, "new_text": new, "replace_all": True}
    steps = tuple(
        {"tool": "file_edit", "args": {"path": file, **args}, "title": f"Edit {file}"}
        for file in files
    )
    return steps, replace(clause.before, files=files)


def _written(mode: str) -> Callable[[_Clause], _Found]:
    """Return the reader of a text to write: into a new file, or at the end of one."""

    def read(clause: _Clause) -> _Found:
        files = clause.files()
        if len(files) != 1 or clause.before.is_folder(files[0]):
            return None
        is_new = clause.before.is_free(files[0])
        if is_new != (mode == "create") or (is_new and not clause.before.can_hold(files[0])):
            return None
        args = {"path": files[0], "content": clause.text("text"), "mode": mode}
        title = f"{'Write' if is_new else 'Add to'} {files[0]}"
        step = {"tool": "file_write", "args": args, "title": title}
        return (step,), clause.before.moved((), files)

    return read


def _sought(clause: _Clause) -> _Found:
    files = clause.files()
    if len(files) != 1 or not _are_plain(*files):
        return None
    folder, name = posixpath.split(files[0])
    start = clause.path("within") if clause.said("within") else folder or "."
    if not clause.before.is_folder(start):
        return None
    return (_terminal("find", start, "-name", name),), replace(clause.before, files=files)


def _terminal(command: str, *args: str) -> Mapping[str, Any]:
    *sources, last = names = [arg for arg in args if not arg.startswith("-")]
    title = _TITLES[command].format(
        names=", ".join(names), sources=", ".join(sources), first=args[0], last=last
    )
    return {"tool": "terminal", "args": {"command": command, "args": list(args)}, "title": title}


def _are_plain(*names: str) -> bool:
    return bool(names) and all(map(_PLAIN.fullmatch, names))


#: What each command does, as the title of its step.
_TITLES: Final[Mapping[str, str]] = {
    "cp": "Copy {sources} to {last}",
    "mv": "Move {sources} to {last}",
    "rm": "Delete {names}",
    "mkdir": "Make the folder {names}",
    "find": "Look for {last} in {first}",
}
_ANDS: Final = frozenset({"and", "und"})
_READERS: Final[Mapping[str, Callable[[_Clause], _Found]]] = {
    "copy": _transferred("cp"),
    "move": _transferred("mv"),
    "rename": _renamed,
    "remove": _removed,
    "make folder": _folders_made,
    "replace": _replaced,
    "append": _written("append"),
    "create": _written("create"),
    "seek": _sought,
}
