"""Pattern steps: reads clauses that look for lines with a text, for a word, or for addresses."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from okso_jupyter.planning.file_commands.clause import MOST_FILES, CommandClause, Found
from okso_jupyter.planning.file_commands.content_steps import result_saved
from okso_jupyter.planning.file_commands.described_texts import TEXTS
from okso_jupyter.planning.file_commands.look_steps import scope, text_sought
from okso_jupyter.planning.file_commands.phrase_parts import (
    DEFINITIONS,
    EXTRACTS,
    LEVELS,
    NUMBERS,
)
from okso_jupyter.planning.file_commands.steps import Steps
from okso_jupyter.tables import file_kinds

#: What is counted of a file, and is no text in it.
_PARTS: Final = frozenset(
    "line lines row rows column columns entry entries record records item items word words file "
    "files character characters letter letters sentence sentences paragraph paragraphs page pages "
    "function functions class classes task tasks heading headings section sections".split()
)
#: Of a longer output only the beginning would be saved.
_MOST_BYTES: Final = 60_000
#: What a line has in many forms.
_ONE_OF_MANY: Final = ("a ", "an ", "any ", "ein ", "eine ", "einem ", "einer ", "einen ")
_SORTS_OF_TEXT: Final = frozenset(
    "number numbers date dates price prices amount amounts digits zahl zahlen datum preis preise "
    "betrag beträge nummer nummern".split()
)
_MARKERS: Final = frozenset(("todo", "fixme"))
_MATCHES: Final = """\
import re
from pathlib import Path

text = Path({file!r}).read_text("utf-8")
found = dict.fromkeys(re.findall({pattern!r}, text))
"""
_LISTED: Final = """\
print("\\n".join(found) or "there is none")
"""
_COUNTED: Final = """\
print(len(found))
"""
_TIMES: Final = """\
import re
from pathlib import Path

text = Path({file!r}).read_text("utf-8")
print(len(re.findall({pattern!r}, text)))
"""
_EACH_COUNTED: Final = """\
from pathlib import Path

lines = Path({file!r}).read_text("utf-8").splitlines()
for level in {levels!r}:
    print(f"{{level}}: {{sum(level in line for line in lines)}}")
"""
_AT_END: Final = """\
from pathlib import Path

lines = Path({file!r}).read_text("utf-8").splitlines()
found = [line for line in lines if {level!r} in line]
print("\\n".join(found[{part}]))
"""


def _log_lines(clause: CommandClause) -> Found:
    """Read a request for all, the first or the last lines of a level or two, or for their number.

    A level is looked for as the file writes it, in capitals.
    """
    files, before = clause.files(), clause.before
    text = before.folder.text(files[0]) if len(files) == 1 and before.have(files) else None
    levels = _levels(clause)
    if text is None or not any(level in text for level in levels):
        return None
    (file,), side = files, clause.said("side").lower()
    if clause.said("count"):
        return (_counted(file, levels),), before
    if side:
        return (_at_end(clause, file, levels[0]), before) if len(levels) == 1 else None
    return (_searched(file, levels),), before


def _levels(clause: CommandClause) -> list[str]:
    """Return the levels that a clause names, as files write them."""
    said = [clause.said(group).lower() for group in ("level", "other_level")]
    return list(dict.fromkeys(LEVELS[level] for level in said if level))


def _searched(file: str, levels: Sequence[str]) -> Mapping[str, Any]:
    title = f"Look for {' or '.join(levels)} in {file}"
    if len(levels) == 1:
        args = {"query": levels[0], "paths": [file], "case_sensitive": True}
        return {"tool": "file_search", "args": args, "title": title}
    patterns = [part for level in levels for part in ("-e", level)]
    args = {"command": "grep", "args": ["-n", "-F", *patterns, file]}
    return {"tool": "terminal", "args": args, "title": title}


def _counted(file: str, levels: Sequence[str]) -> Mapping[str, Any]:
    title = f"Count the lines of {file} with {' and with '.join(levels)}"
    if len(levels) == 1:
        args = {"command": "grep", "args": ["-c", levels[0], file]}
        return {"tool": "terminal", "args": args, "title": title}
    code = _EACH_COUNTED.format(file=file, levels=tuple(levels))
    return {"tool": "python_repl", "args": {"input": code}, "title": title}


def _at_end(clause: CommandClause, file: str, level: str) -> Steps:
    side, number = clause.said("side").lower(), clause.said("number").lower()
    count = NUMBERS.get(number) or int(number or 1) or 1
    part = f":{count}" if side == "first" else f"-{count}:"
    args = {"input": _AT_END.format(file=file, level=level, part=part)}
    title = f"Show the {side} lines of {file} with {level}"
    return ({"tool": "python_repl", "args": args, "title": title},)


def _definitions(clause: CommandClause) -> Found:
    """Read "which functions does a.py define?": the lines that begin their definitions."""
    files, before = clause.files(), clause.before
    if len(files) != 1 or not before.have(files) or not files[0].endswith(".py"):
        return None
    what = clause.said("defined").lower()
    args = {"query": DEFINITIONS[what], "paths": [*files], "case_sensitive": True}
    title = f"Look for the {what} in {files[0]}"
    return ({"tool": "file_search", "args": args, "title": title},), before


def _is_part(words: str) -> bool:
    """Return whether words name a part of any file, such as its lines."""
    return not _PARTS.isdisjoint(re.findall(r"\w+", words.lower()))


def _is_table(path: str) -> bool:
    return posixpath.splitext(path)[1].lower() in file_kinds.TABLES


def _saved_lines(clause: CommandClause) -> Found:
    """Read "save the lines of a.log with ERROR to b.txt": the lines as they are, no places."""
    files, before, target = clause.files(), clause.before, clause.path("to")
    needles = _levels(clause) or [clause.text("needle").strip()]
    text = before.folder.text(files[0]) if len(files) == 1 and before.have(files) else None
    if text is None or not any(needle and needle in text for needle in needles):
        return None
    if not before.can_hold(target):
        return None
    patterns = [part for needle in needles for part in ("-e", needle)]
    args = {"command": "grep", "args": ["-F", *patterns, files[0]]}
    title = f"Find the lines of {files[0]} with “{'” or “'.join(needles)}”"
    found = {"tool": "terminal", "args": args, "title": title}
    return (found, result_saved(target, before.steps + 1)), before.moved((), (target,))


def _found_lines(clause: CommandClause) -> Found:
    """Read "find all TODO lines and save them to b.txt": of every text, or of those that are named.

    Case counts for what is quoted or in capitals: todo.txt in a line is no TODO.
    """
    before, target, needle = clause.before, clause.path("to"), text_sought(clause)
    places = scope(clause)
    if places is None or before.taken or before.gone or _is_no_text(clause):
        return None
    if not target.lower().endswith(TEXTS) or not before.can_hold(target):
        return None
    needle = needle.upper() if needle.lower() in _MARKERS else needle
    is_exact = clause.is_quoted("needle") or needle.isupper()
    pattern = re.compile(re.escape(needle), 0 if is_exact else re.IGNORECASE)
    files = before.folder.texts_with(pattern, _files_of(clause, places))
    lines = [line for text in files.values() for line in text.splitlines() if pattern.search(line)]
    is_whole = len("\n".join(lines).encode()) < _MOST_BYTES
    if not (0 < len(files) <= MOST_FILES and is_whole):
        return None
    options = ["-h", "-F"] if is_exact else ["-h", "-F", "-i"]
    args = {"command": "grep", "args": [*options, "-e", needle, *files]}
    title = f"Find the lines of {', '.join(files)} with “{needle}”"
    found = {"tool": "terminal", "args": args, "title": title}
    return (found, result_saved(target, before.steps + 1)), before.moved((), (target,))


def _is_no_text(clause: CommandClause) -> bool:
    """Return whether lines are to have something of a kind, as "a price" and "numbers" are."""
    if clause.is_quoted("needle"):
        return False
    said, text = clause.text("needle").strip().lower(), text_sought(clause)
    is_one_of_many = said.startswith(_ONE_OF_MANY) and not text.isupper()
    return not text or is_one_of_many or text.lower() in _SORTS_OF_TEXT


def _files_of(clause: CommandClause, places: Sequence[str]) -> list[str]:
    """Return the files beneath folders and those that are named; all where no place is."""
    folder = clause.before.folder
    return [
        file
        for place in places or (".",)
        for file in (folder.files_with(("",), place) if folder.is_folder(place) else [place])
    ]


def _extracted(clause: CommandClause) -> Found:
    """Read "extract the email addresses from a.txt": each is printed once."""
    files, before = clause.files(), clause.before
    if len(files) != 1 or not before.have(files) or before.folder.text(files[0]) is None:
        return None
    what = clause.said("what").lower()
    plain = re.sub(r"[ -]", "", what)
    pattern = next(regex for words, regex in EXTRACTS.items() if plain.startswith(words))
    is_counted = clause.said("count") != ""
    code = _MATCHES + (_COUNTED if is_counted else _LISTED)
    args = {"input": code.format(file=files[0], pattern=pattern)}
    title = f"{'Count' if is_counted else 'Find'} the {what} in {files[0]}"
    return ({"tool": "python_repl", "args": args, "title": title},), before


def _matching_lines(clause: CommandClause) -> Found:
    """Read "how many lines of a.txt contain bread?"; case counts where the file has it so."""
    files, needle = clause.files(), clause.text("needle").strip()
    if len(files) != 1 or not clause.before.have(files) or not needle:
        return None
    text = clause.before.folder.text(files[0])
    if text is None:
        return None
    options = ["-c", "-F"] if needle in text else ["-c", "-F", "-i"]
    args = {"command": "grep", "args": [*options, "-e", needle, files[0]]}
    title = f"Count the lines of {files[0]} with “{needle}”"
    return ({"tool": "terminal", "args": args, "title": title},), clause.before


def _occurrences(clause: CommandClause) -> Found:
    """Read "how often does bread occur in a.txt?": as a word, in any case."""
    files, needle = clause.files(), clause.text("needle").strip()
    if len(files) != 1 or not clause.before.have(files) or not needle:
        return None
    if not clause.is_quoted("needle") and (_is_part(needle) or _is_table(files[0])):
        return None
    pattern = rf"(?i)(?<!\w){re.escape(needle)}(?!\w)"
    if not re.search(pattern, clause.before.folder.text(files[0]) or ""):
        return None  # it may be no text of the file, but what its lines stand for
    args = {"input": _TIMES.format(file=files[0], pattern=pattern)}
    title = f"Count “{needle}” in {files[0]}"
    return ({"tool": "python_repl", "args": args, "title": title},), clause.before


#: The reader of each kind of clause.
READERS: Final[Mapping[str, Callable[[CommandClause], Found]]] = {
    "log lines": _log_lines,
    "definitions": _definitions,
    "matching lines": _matching_lines,
    "occurrences": _occurrences,
    "saved lines": _saved_lines,
    "found lines": _found_lines,
    "extract": _extracted,
}
