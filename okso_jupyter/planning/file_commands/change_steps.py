"""Change steps: reads clauses that copy, move, delete, make, replace or write, as steps."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from okso_jupyter.planning.file_commands.clause import CommandClause, Found
from okso_jupyter.planning.file_commands.command_phrases import IS_FOLDER, NAME
from okso_jupyter.planning.request.written_fragments import describes_content

#: A name in the folder that does not begin like an option of a command, and has no wildcard.
_PLAIN: Final = re.compile(r"(?!\.\.|[-~/])[^*?\[\]]+")
_ARTICLE: Final = re.compile(r"(?i)(?:the|an?|my|our|d(?:er|ie|as|en|em)|eine?n?|unsere?)\s")


def _transferred(command: str) -> Callable[[CommandClause], Found]:
    """Return the reader of a copy or move: to a new name, or into a folder."""

    def read(clause: CommandClause) -> Found:
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
        folder = target if into else posixpath.dirname(target)
        if folder and not before.is_folder(folder):
            if not before.can_hold(folder):
                return None
            steps.insert(0, _terminal("mkdir", folder))
            before = replace(before, made=(*before.made, folder))
        if len({*places}) < len(places) or not all(map(before.can_hold, places)):
            return None
        after = before.copied(places) if command == "cp" else before.moved(files, places)
        return tuple(steps), after

    return read


def _backed_up(clause: CommandClause) -> Found:
    """Read a request for a backup without a place: beside the file, under its name with .bak.

    Where the folder has one called backup, it goes there.
    """
    files, before = clause.files(), clause.before
    if len(files) != 1 or not before.have(files) or any(map(before.is_folder, files)):
        return None
    target, place = f"{files[0]}.bak", clause.path("to")
    if before.is_folder(place):
        target = posixpath.join(place, posixpath.basename(files[0]))
    elif place not in {"", "backup"}:
        return None
    if not _are_plain(*files, target) or not before.can_hold(target):
        return None
    return (_terminal("cp", files[0], target),), before.copied((target,))


def _is_into(clause: CommandClause, target: str) -> bool | None:
    """Return whether a target is a folder; None where it may be a file, or no name."""
    is_there = clause.before.is_folder(target)
    if target.lower() in _NO_NAMES and not is_there:
        return None
    if is_there or IS_FOLDER.search(clause.said("to")):
        return True
    has_suffix = bool(posixpath.splitext(target)[1])
    if (clause.said("into") or clause.said("kind")) and not has_suffix:
        return True
    files_have = any(posixpath.splitext(file)[1] for file in clause.files())
    return None if files_have and not has_suffix else False


def _renamed(clause: CommandClause) -> Found:
    """Read a rename; the new name is in the folder of the old one unless it names another."""
    files, target = clause.files(), clause.path("to")
    if len(files) != 1 or not _are_plain(*files, target):
        return None
    if "/" not in target:
        target = posixpath.join(posixpath.dirname(files[0]), target)
    if not clause.before.have(files) or not clause.before.can_hold(target):
        return None
    return (_terminal("mv", files[0], target),), clause.before.moved(files, (target,))


def _removed(clause: CommandClause) -> Found:
    files = clause.files()
    before = clause.before
    if not _are_plain(*files) or not before.have(files):
        return None
    # behind a copy, "delete it" may mean the file or its copy
    is_named = bool(clause.parts.all_in(clause.said("files")))
    if not is_named and not before.copies.isdisjoint(files):
        return None
    if all(before.is_folder(file) and before.folder.is_empty(file) for file in files):
        return (_terminal("rmdir", *files),), before.moved(files, ())
    if any(map(before.is_folder, files)):
        return None
    return (_terminal("rm", *files),), before.moved(files, ())


def _folders_made(clause: CommandClause) -> Found:
    names = [clause.parts.value(name) for name in re.findall(NAME, clause.said("names"))]
    within = clause.path("within") if clause.said("within") else ""
    paths = [posixpath.join(within, name.rstrip("/")) for name in names if name not in _ANDS]
    if not _are_plain(*paths) or not all(map(clause.before.is_free, paths)):
        return None
    made = (*clause.before.made, *paths)
    return (_terminal("mkdir", *paths),), replace(clause.before, made=made)


def _replaced(clause: CommandClause) -> Found:
    """Read an edit; a text without quotation marks must occur in the file."""
    return _replacing(clause, *clause.old_and_new())


def _replacing(clause: CommandClause, old: str, new: str) -> Found:
    """Return the steps that replace a text in each of a clause's files."""
    files, holds = clause.files(), clause.before.folder.holds
    if len(files) == 1 and not clause.is_quoted("old") and not holds(files[0], old):
        old, new = as_spelt(clause.before.folder.text(files[0]) or "", old, new)
    if clause.said("kind"):
        files = tuple(file for file in files if holds(file, old))
    known = clause.is_quoted("old") or all(holds(file, old) for file in files)
    if (
        not old
        or not known
        or not clause.before.have(files)
        or any(map(clause.before.is_folder, files))
    ):
        return None
    args = {"old_text": old, "new_text": new, "replace_all": True}
    steps = tuple(
        {"tool": "file_edit", "args": {"path": file, **args}, "title": f"Edit {file}"}
        for file in files
    )
    return steps, replace(clause.before, files=files)


def _words_changed(clause: CommandClause) -> Found:
    """Read "change coffee to tea in list.txt": words that stand in a text as such.

    "Change the date to 5 May" gives a value to what the text has as a key, and is none of these.
    """
    files, (old, new) = clause.files(), clause.old_and_new()
    is_text = len(files) == 1 and files[0].lower().endswith((".txt", ".md", ".markdown"))
    text = clause.before.folder.text(files[0]) if is_text and old else None
    if text is None:
        return None
    old, new = as_spelt(text, old, new)
    words = rf"(?<!\w){re.escape(old)}(?!\w)(?![ \t]*[:=])"
    are_words = 0 < len(re.findall(words, text)) == text.count(old)
    is_sure = are_words and _has_digit(old) == _has_digit(new) and old != new
    return _replacing(clause, old, new) if is_sure else None


def as_spelt(text: str, old: str, new: str) -> tuple[str, str]:
    """Return an old text as a text spells it, where it has it in one other case, and the new one.

    Words that stay are spelt as before: "15 november" and "30 november" of "15 November".
    """
    spellings = {*re.findall(rf"(?i)(?<!\w){re.escape(old)}(?!\w)", text)}
    # "the meeting" is a thing, and no text that begins with "The"
    if old in text or len(spellings) != 1 or _ARTICLE.match(old):
        return old, new
    (spelt,) = spellings
    if spelt == old.capitalize() and new.islower():
        return spelt, new.capitalize()
    words = {word.lower(): word for word in spelt.split()}
    return spelt, " ".join(words.get(word.lower(), word) for word in new.split(" "))


def _has_digit(text: str) -> bool:
    return re.search(r"\d", text) is not None


def _written(mode: str) -> Callable[[CommandClause], Found]:
    """Return the reader of a text to write: into a new file, or at the end of one."""

    def read(clause: CommandClause) -> Found:
        files = clause.files()
        if len(files) != 1 or clause.before.is_folder(files[0]):
            return None
        is_new = clause.before.is_free(files[0])
        if is_new != (mode == "create") or (is_new and not clause.before.can_hold(files[0])):
            return None
        text = clause.text("text")
        if not clause.is_quoted("text") and describes_content(text):
            return None
        if not is_new:
            # the last line ends afterwards as it did before
            ends_within = clause.before.folder.ends_within_line(files[0])
            text = f"\n{text}" if ends_within else f"{text.rstrip()}\n"
        args = {"path": files[0], "content": text, "mode": mode}
        title = f"{'Write' if is_new else 'Add to'} {files[0]}"
        step = {"tool": "file_write", "args": args, "title": title}
        return (step,), clause.before.moved((), files)

    return read


def _sought(clause: CommandClause) -> Found:
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
    "rmdir": "Delete the empty folder {names}",
    "mkdir": "Make the folder {names}",
    "find": "Look for {last} in {first}",
}
#: "Into a new folder" names none.
_NO_NAMES: Final = frozenset(
    "a an the my our one another other same new empty separate own folder directory subfolder "
    "parent root home current main top ein einen anderen gleichen selben aktuellen neuen neuer "
    "neues leeren eigenen übergeordneten ordner unterordner verzeichnis".split()
)
_ANDS: Final = frozenset({"and", "und"})
#: The reader of each kind of clause.
READERS: Final[Mapping[str, Callable[[CommandClause], Found]]] = {
    "copy": _transferred("cp"),
    "backup": _backed_up,
    "move": _transferred("mv"),
    "rename": _renamed,
    "remove": _removed,
    "make folder": _folders_made,
    "replace": _replaced,
    "words changed": _words_changed,
    "append": _written("append"),
    "create": _written("create"),
    "seek": _sought,
}
