"""Look steps: reads clauses that search files for a text, or list files of a kind, as steps."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from okso_jupyter.planning.file_commands.clause import MOST_FILES, CommandClause, Found
from okso_jupyter.planning.file_commands.phrase_parts import NUMBERS, SUFFIXES, UNITS
from okso_jupyter.tables import file_kinds

#: A word for several things, in English or in German: "names", "Namen".
_KIND: Final = re.compile(r"[a-z]{2,}[^\Wisu]s|[A-ZÄÖÜ][a-zäöüß]+en")
_ARTICLE: Final = re.compile(r"(?i)^(?:the|an?|any|my|d(?:er|ie|as|en)|eine?n?) ")
#: "TODOs" are looked for as TODO, "TODO comments" as well.
_PLURAL: Final = re.compile(
    r"((?-i:[A-Z]{3,})|todo|fixme|xxx|hack)s?(?: (?:comment|note|marker|line)s?)?", re.IGNORECASE
)


def _searched(clause: CommandClause) -> Found:
    """Read a search: in named files, in those of a kind, beneath a folder, or in all."""
    query, paths = text_sought(clause), scope(clause)
    if paths is None or not query or not _is_text(clause, query):
        return None
    args = {"query": query, "paths": paths} if paths else {"query": query}
    where = f" in {', '.join(paths)}" if paths else ""
    return _steps("file_search", args, f"Look for “{query}”{where}"), clause.before


def _word_searched(clause: CommandClause) -> Found:
    """Read "in which file does the word oil occur?": several words must be those of a text."""
    query = text_sought(clause)
    is_word = clause.is_quoted("needle") or " " not in query
    return _searched(clause) if is_word or _is_there(clause, query) else None


def _is_text(clause: CommandClause, query: str) -> bool:
    """Return whether a text itself is looked for, and nothing of a kind: "names" may be either.

    A word for several things must be one of a text, unless it is quoted or called a word.
    """
    is_text = clause.is_quoted("needle") or clause.said("as_word")
    is_kind = clause.said("several") or _KIND.fullmatch(query)
    return bool(is_text) or not is_kind or _is_there(clause, query)


def _is_there(clause: CommandClause, query: str) -> bool:
    """Return whether a text of the folder has what is looked for."""
    folder, pattern = clause.before.folder, re.compile(re.escape(query), re.IGNORECASE)
    return bool(folder.texts_with(pattern, folder.files_with(("",))))


def _about(clause: CommandClause) -> Found:
    """Read "which essay is about robots?": those of the files that are called so together."""
    folder, query = clause.before.folder, text_sought(clause)
    groups = (folder.files_called(f"{clause.said('called')}{end}") for end in ("s", "e", "n", ""))
    files = next(filter(None, groups), [])
    pattern = re.compile(re.escape(query), re.IGNORECASE)
    if not query or len(files) > MOST_FILES or not folder.texts_with(pattern, files):
        return None
    args = {"query": query, "paths": files}
    return _steps("file_search", args, f"Look for “{query}”"), clause.before


def text_sought(clause: CommandClause) -> str:
    """Return the text that is looked for: as it is quoted, or without article and plural."""
    query = clause.text("needle").strip()
    if clause.is_quoted("needle"):
        return query
    words = _PLURAL.fullmatch(query)
    return words[1] if words else _ARTICLE.sub("", query)


def _marked(clause: CommandClause) -> Found:
    """Read "the TODO lines of a.md": a word in capitals that the file has, and no "ALL lines"."""
    files, needle = clause.files(), clause.text("needle").strip()
    if not clause.before.have(files):
        return None
    is_there = any(clause.before.folder.holds(file, needle) for file in files)
    return _searched(clause) if is_there else None


def scope(clause: CommandClause) -> list[str] | None:
    """Return the files and folders that are searched, [] for all; None where there are none."""
    folder = clause.path("within") if clause.said("within") else ""
    if folder and not clause.before.is_folder(folder):
        return None
    if clause.said("files"):
        files = clause.files()
        return [*files] if clause.before.have(files) else None
    kind = clause.said("kind")
    if not kind:
        return [folder] if folder else []
    found = clause.before.folder.files_with(SUFFIXES[kind.lower()], folder or ".")
    return found if 0 < len(found) <= MOST_FILES else None


def _shown_folder(clause: CommandClause) -> Found:
    """Read a request for all that is in a folder."""
    folder = clause.path("within") if clause.said("within") else "."
    if not clause.before.is_folder(folder):
        return None
    is_here = folder == "."
    args = {"command": "ls", "args": [] if is_here else [folder]}
    title = f"List what is in {'this folder' if is_here else folder}"
    return _steps("terminal", args, title), clause.before


def _listed(clause: CommandClause) -> Found:
    """Read a request for the names of all files of a kind, or for their sizes."""
    folder = clause.path("within") if clause.said("within") else "."
    if not clause.before.is_folder(folder):
        return None
    suffixes = SUFFIXES[clause.said("kind").lower()]
    files = clause.before.folder.files_with(suffixes, folder)
    if not clause.said("size"):
        tests = [word for suffix in suffixes for word in ("-o", "-name", f"*{suffix}")][1:]
        title = f"List the {clause.said('kind')} files"
        return _steps(
            "terminal", {"command": "find", "args": [folder, *tests]}, title
        ), clause.before
    if not 0 < len(files) <= MOST_FILES:
        return None
    title = f"List the {clause.said('kind')} files with their sizes"
    return _steps("terminal", {"command": "ls", "args": ["-lh", *files]}, title), clause.before


def _lines(clause: CommandClause) -> Found:
    """Read a request for the first or last lines of a file."""
    files = clause.files()
    if len(files) != 1 or not _are_files(clause, files):
        return None
    number = clause.said("number").lower()
    count = NUMBERS.get(number) or int(number or 1)
    command = "tail" if clause.said("side").lower() == "last" else "head"
    args = {"command": command, "args": ["-n", str(count), files[0]]}
    return _steps("terminal", args, f"Show lines of {files[0]}"), clause.before


def _overview(clause: CommandClause) -> Found:
    """Read a request to describe a table: its size, columns and first row are what is read of it.

    To sum up a text takes a model.
    """
    files = clause.files()
    is_table = bool(files) and posixpath.splitext(files[0])[1].lower() in file_kinds.TABLES
    if not is_table or len(files) != 1 or not _are_files(clause, files):
        return None
    return _steps("file_read", {"path": files[0]}, f"Describe {files[0]}"), clause.before


def _size(clause: CommandClause) -> Found:
    """Read a question for the size of files, or of all that is in a folder."""
    files = clause.files()
    if clause.said("files") and _are_files(clause, files):
        args = {"command": "ls", "args": ["-l", *files]}
        return _steps("terminal", args, f"Show the size of {', '.join(files)}"), clause.before
    folder = files[0] if files else clause.path("within") if clause.said("within") else "."
    is_it = bool(clause.said("files")) and not files
    if is_it or not clause.before.is_folder(folder):
        return None
    args = {"command": "du", "args": ["-s", "-h", folder]}
    return _steps("terminal", args, f"Show the size of {folder}"), clause.before


def _counted(clause: CommandClause) -> Found:
    """Read a question for the number of words or characters of a text."""
    files = clause.files()
    if len(files) != 1 or not _are_files(clause, files):
        return None
    unit = clause.said("unit").lower()
    args = {"command": "wc", "args": [UNITS[unit], files[0]]}
    return _steps("terminal", args, f"Count the {unit} of {files[0]}"), clause.before


def _tasks(clause: CommandClause) -> Found:
    """Read a question for the open or finished tasks of a list in Markdown."""
    files = clause.files()
    if len(files) != 1 or not _are_files(clause, files):
        return None
    is_done = clause.said("done") != ""
    box = "[x]" if is_done else "[ ]"
    boxes = (f"- {box} ", f"- {box.upper()} ")
    if not any(clause.before.folder.holds(files[0], written) for written in boxes):
        return None
    title = f"Show the {'finished' if is_done else 'open'} tasks of {files[0]}"
    return _steps("file_search", {"query": f"- {box}", "paths": [*files]}, title), clause.before


def _are_files(clause: CommandClause, files: Sequence[str]) -> bool:
    return clause.before.have(tuple(files)) and not any(map(clause.before.is_folder, files))


def _steps(tool: str, args: Mapping[str, Any], title: str) -> tuple[Mapping[str, Any], ...]:
    return ({"tool": tool, "args": args, "title": title},)


#: The reader of each kind of clause.
READERS: Final[Mapping[str, Callable[[CommandClause], Found]]] = {
    "search": _searched,
    "marked lines": _marked,
    "about": _about,
    "word": _word_searched,
    "folder": _shown_folder,
    "list": _listed,
    "lines": _lines,
    "overview": _overview,
    "size": _size,
    "count": _counted,
    "tasks": _tasks,
}
