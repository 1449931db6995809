"""Content steps: reads clauses that change a file as a whole, as the edit that does it.

What is to be written is worked out from the file while planning, so that the form shows it.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from okso_jupyter.planning.file_commands.clause import CommandClause, Found
from okso_jupyter.planning.file_commands.phrase_parts import SUFFIXES
from okso_jupyter.planning.file_commands.value_steps import KEY_UNITS
from okso_jupyter.workspace.data_formats import format_broken

#: Files of lines. A table has a header that stays, and code has an order.
_OF_LINES: Final = frozenset({".txt", ".lst", ".list", ".log"})
#: Texts that are still such a text if one is put behind the other.
_JOINABLE: Final = (".txt", ".md", ".markdown", ".rst", ".log")
#: How a program of a language prints a text.
_PRINTS: Final[Mapping[str, Callable[[str], str]]] = {
    ".py": lambda text: f"print({json.dumps(text, ensure_ascii=False)})\n",
    ".js": lambda text: f"console.log({json.dumps(text, ensure_ascii=False)});\n",
    ".sh": lambda text: "#!/bin/sh\necho '" + text.replace("'", "'\\''") + "'\n",
}
#: An open task of a list in Markdown.
_OPEN_TASK: Final = re.compile(r"(?m)^(?P<head>[ \t]*[-*+] )\[ \](?P<task>[^\n\r]*)")
_TASK: Final = re.compile(r"(?m)^(?P<head>[ \t]*[-*+] )\[[ xX]\][^\n\r]*")
_NUMBER: Final = re.compile(r"-?\d+(?:[.,]\d+)?")


def _sorted_lines(clause: CommandClause) -> Found:
    """Read "sort the lines of a.txt and save them as b.txt"."""
    how = clause.said("how").lower()
    is_reversed = re.search(r"revers|desc|z to a|absteigend", how) is not None

    def ordered(lines: list[str]) -> list[str]:
        by_number = all(_NUMBER.match(line.strip()) for line in lines if line.strip())
        key = _number_first if by_number or "numeric" in how else str.casefold
        return sorted(lines, key=key, reverse=is_reversed)

    return _rewritten(clause, ordered, "sorted")


def _number_first(line: str) -> tuple[float, str]:
    found = _NUMBER.search(line)
    return (float(found[0].replace(",", ".")) if found else 0.0, line)


def _unique_lines(clause: CommandClause) -> Found:
    """Read "remove duplicate lines from a.txt": the first of equal lines stays."""
    return _rewritten(clause, lambda lines: [*dict.fromkeys(lines)], "without repetitions")


def _rewritten(
    clause: CommandClause, changed: Callable[[list[str]], list[str]], what: str
) -> Found:
    """Return the step that writes the changed lines of a file into it, or into a new one."""
    files, before = clause.files(), clause.before
    if len(files) != 1 or not before.have(files) or not has_lines(files[0]):
        return None
    text = before.folder.text(files[0]) if not before.taken else None
    target = clause.path("to") if clause.said("to") else files[0]
    is_new = target != files[0]
    if not text or (is_new and not before.can_hold(target)):
        return None
    end = line_end(text)
    lines = changed(text.removesuffix(end).split(end))
    content = end.join(lines) + (end if text.endswith(end) else "")
    if content == text and not is_new:
        return None
    args = {"path": target, "content": content, "mode": "create" if is_new else "replace"}
    title = f"Write the lines of {files[0]}, {what}, to {target}"
    return ({"tool": "file_write", "args": args, "title": title},), before.moved((), (target,))


def _replaced_copy(clause: CommandClause) -> Found:
    """Read "replace old with new in a.txt and save it as b.txt": the file itself stays."""
    files, before, (old, new) = clause.files(), clause.before, clause.old_and_new()
    target = clause.path("to")
    text = before.folder.text(files[0]) if len(files) == 1 and not before.taken else None
    if not text or not old or old not in text or not before.can_hold(target):
        return None
    args = {"path": target, "content": text.replace(old, new), "mode": "create"}
    title = f"Write {files[0]} to {target}, with {new} for {old}"
    return ({"tool": "file_write", "args": args, "title": title},), before.moved((), (target,))


def _combined(clause: CommandClause) -> Found:
    """Read "merge a.txt and b.txt into c.txt": one text behind the other; no tables."""
    files, before, target = _combined_files(clause), clause.before, clause.path("to")
    texts = [before.folder.text(file) for file in files]
    are_texts = all(posixpath.splitext(file)[1].lower() in _JOINABLE for file in files)
    is_sure = len(files) > 1 and are_texts and not before.taken and before.can_hold(target)
    if not is_sure or not all(texts):
        return None
    content = "".join(f"{text}\n" if not text.endswith("\n") else text for text in texts if text)
    args = {"path": target, "content": content, "mode": "create"}
    title = f"Write {', '.join(files)} one after another to {target}"
    return ({"tool": "file_write", "args": args, "title": title},), before.moved((), (target,))


def _combined_files(clause: CommandClause) -> Sequence[str]:
    """Return the files that are named, or those of a kind beneath a folder."""
    if clause.said("files"):
        return clause.files()
    if not (clause.said("kind") or clause.said("within")):
        return ()  # "the reports" are not every text of the folder
    within = clause.path("within") if clause.said("within") else "."
    suffixes = SUFFIXES.get(clause.said("kind").lower(), _JOINABLE)
    return sorted(clause.before.folder.files_with(suffixes, within))


def line_end(text: str) -> str:
    """Return what ends the lines of a text."""
    return "\r\n" if "\r\n" in text else "\n"


def has_lines(path: str) -> bool:
    """Return whether a file is one of lines, by its name."""
    return posixpath.splitext(path)[1].lower() in _OF_LINES


def _value_set(clause: CommandClause) -> Found:
    """Read "set debug to false in config.json": the one place in the file that gives the value."""
    files, before = clause.files(), clause.before
    key = re.escape(clause.text("key").strip()).replace(r"\ ", "[ _-]")
    if len(files) != 1 or before.taken or not before.have(files):
        return None
    text = before.folder.text(files[0]) or ""
    # "the fee" is the key fee_eur where none is called fee
    for own in (key, rf"{key}_(?:{'|'.join(sorted(KEY_UNITS))})"):
        places = [*re.finditer(_ASSIGNED.format(key=own), text)]
        if places:
            break
    if len(places) != 1 or not _is_only_one(own, text, places[0]):
        return None
    old = places[0]["head"] + places[0]["value"]
    new = places[0]["head"] + _as_written(clause.text("value"), places[0]["value"])
    args = {"path": files[0], "old_text": old, "new_text": new, "replace_all": False}
    title = f"Set {clause.text('key')} to {clause.text('value')} in {files[0]}"
    steps = ({"tool": "file_edit", "args": args, "title": title},)
    is_sound = not format_broken(files[0], text.encode(), text.replace(old, new).encode())
    return (steps, before.moved((), files)) if new != old and is_sound else None


def _task_done(clause: CommandClause) -> Found:
    """Read "mark buy paint as done in todo.md": the one open task of a list that says so."""
    files, before = clause.files(), clause.before
    if len(files) != 1 or before.taken or not before.have(files):
        return None
    wanted = " ".join(clause.text("text").lower().split())
    text = before.folder.text(files[0]) or ""
    tasks = [found for found in _OPEN_TASK.finditer(text) if wanted in found["task"].lower()]
    if not wanted or len(tasks) != 1 or text.count(tasks[0][0]) != 1:
        return None
    old = tasks[0][0]
    new = f"{tasks[0]['head']}[x]{tasks[0]['task']}"
    args = {"path": files[0], "old_text": old, "new_text": new, "replace_all": False}
    title = f"Mark “{tasks[0]['task'].strip()}” as done in {files[0]}"
    return ({"tool": "file_edit", "args": args, "title": title},), before.moved((), files)


def _is_only_one(key: str, text: str, place: re.Match[str]) -> bool:
    """Return whether a line gives a key once, and its text with the value stands nowhere else."""
    line = text[place.start() :].split("\n", 1)[0]
    times = len(re.findall(rf"(?i)(?<![\w.-]){key}[\"']?[ \t]*[:=]", line))
    return times == 1 and text.count(place["head"] + place["value"]) == 1


#: A key with its whole value on one line: JSON, YAML, TOML, INI, .env, an assignment. What is a
#: comment, a list, a text block or only a part of an expression is none.
_ASSIGNED: Final = (
    r"(?im)^(?P<before>(?![ \t]*(?:\#|//|;|--))(?:.*[ \t,{{])?)"
    r"(?P<head>[\"']?{key}[\"']?[ \t]*[:=][ \t]*)"
    r"(?P<value>\"[^\"\\\n]*\"|'[^'\\\n]*'|[^\s,;\#{{}}\[\]()<>|&*!\"'`]+)"
    r"(?=[ \t]*(?:[,}}].*|;?[ \t]*(?:\#.*)?)$)"
)


def _as_written(value: str, old: str) -> str:
    """Return a new value in the quotation marks of the old one."""
    quote = old[:1] if old[:1] in {'"', "'"} else ""
    return f"{quote}{value.strip(quote)}{quote}" if quote else value


def _saved(clause: CommandClause) -> Found:
    """Read "... and save it as b.txt": what the step before gives is written, once it has run."""
    before, target = clause.before, clause.path("to")
    if not before.says or not before.can_hold(target):
        return None
    return (result_saved(target, before.steps),), before.moved((), (target,))


def result_saved(target: str, of_step: int) -> Mapping[str, Any]:
    """Return the step that writes the output of an earlier step to a new file."""
    # the open content is the output of the step that it waits for
    args = {"path": target, "content": "", "mode": "create"}
    title = f"Write the result to {target}"
    return {"tool": "file_write", "args": args, "title": title, "depends_on": [of_step]}


def _task_added(clause: CommandClause) -> Found:
    """Read "add the task buy paint to todo.md": behind the last task of the list."""
    files, before, task = clause.files(), clause.before, clause.text("text").strip()
    if len(files) != 1 or before.taken or not before.have(files) or not task:
        return None
    text = before.folder.text(files[0]) or ""
    tasks = [found[0] for found in _TASK.finditer(text)]
    if not tasks or text.count(tasks[-1]) != 1:
        return None
    head = _TASK.fullmatch(tasks[-1])
    new = f"{tasks[-1]}{line_end(text)}{head['head'] if head else '- '}[ ] {task}"
    args = {"path": files[0], "old_text": tasks[-1], "new_text": new, "replace_all": False}
    title = f"Add the task “{task}” to {files[0]}"
    return ({"tool": "file_edit", "args": args, "title": title},), before.moved((), files)


def _program_written(clause: CommandClause) -> Found:
    """Read "create hello.py that prints hello world"."""
    files, before = clause.files(), clause.before
    path = files[0] if len(files) == 1 else ""
    written = _PRINTS.get(posixpath.splitext(path)[1].lower())
    if written is None or not before.can_hold(path):
        return None
    args: dict[str, Any] = {"path": path, "content": written(clause.text("text")), "mode": "create"}
    return (
        ({"tool": "file_write", "args": args, "title": f"Write {path}"},),
        before.moved((), files),
    )


#: The reader of each kind of clause.
READERS: Final[Mapping[str, Callable[[CommandClause], Found]]] = {
    "sort lines": _sorted_lines,
    "unique lines": _unique_lines,
    "set value": _value_set,
    "task done": _task_done,
    "task added": _task_added,
    "saved": _saved,
    "replaced copy": _replaced_copy,
    "combined": _combined,
    "program": _program_written,
}
