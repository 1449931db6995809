"""File commands: reads each clause of a request as the steps that do it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import PurePosixPath
from typing import Any, Final

from okso_jupyter.planning.file_commands import (
    change_steps,
    code_steps,
    content_steps,
    conversion_steps,
    list_steps,
    look_steps,
    pattern_steps,
    value_steps,
)
from okso_jupyter.planning.file_commands.clause import ClausesBefore, CommandClause, Found
from okso_jupyter.planning.file_commands.command_phrases import CHANGES, SEAM
from okso_jupyter.planning.file_commands.folder_view import FolderView
from okso_jupyter.planning.file_commands.look_phrases import LOOKS
from okso_jupyter.planning.file_commands.named_parts import NamedParts
from okso_jupyter.planning.file_commands.opening import read_first, without_opening
from okso_jupyter.planning.file_commands.phrase_parts import (
    ARE,
    DIFFERENT,
    LEVEL_WORDS,
    MORE_THAN_ONCE,
    SIDE,
    SUFFIXES,
)
from okso_jupyter.planning.file_commands.rewrite_phrases import REWRITES
from okso_jupyter.planning.file_commands.spoken_files import with_compared_pair, with_spoken_text
from okso_jupyter.planning.file_commands.steps import Steps
from okso_jupyter.planning.request.facts import Facts
from okso_jupyter.planning.request.wording import paths, stem

_MOST_CHARS: Final = 300
#: A file that is called by its kind: a log is one, of the others "file" is said.
_THE_FILE: Final = re.compile(
    r"(?i)\bthe (?:(?P<log>log)(?: ?file)?|"
    r"(?P<kind>csv|json|markdown|toml|yaml|pdf|notebook|html|sql) file)"
    r"\b(?! (?:called|named)|[./_-]\w)"
)
#: Words behind the verb that say nothing: "Setz bitte Milch auf die Liste".
_ASIDE: Final = re.compile(r"(?i)^(\w+)(?: (?:bitte|please|doch|mal|noch|auch))+(?= )")
#: A question for entries of a list, and the word for them.
_OF_ENTRIES: Final = re.compile(
    rf"(?i)^(?:(?:which|what)(?= .*\b{MORE_THAN_ONCE})|(?:how many|count) (?:the )?{DIFFERENT}) "
    r"(\w+)\b"
)
#: A list that is called by what is on it: "the shopping list".
_NAMED_LIST: Final = re.compile(
    r"(?i)\b(?P<on>on )?(?:the|my|our) (?P<of>\w+) list\b(?! (?:of|called))"
)
#: A question for entries of a log by their level, which names no log.
_OF_LEVEL: Final = re.compile(
    rf"(?i)^(?P<asked>(?:how many|count|what (?:is|was|are|were)|show|list|print|which) (?:me )?"
    rf"(?:all )?(?:the )?(?:{SIDE})?{LEVEL_WORDS})"
    rf"(?: (?:{ARE}|were|was|occurred|happened))?(?: there)?\W*$"
)
_READERS: Final = {
    **change_steps.READERS,
    **content_steps.READERS,
    **conversion_steps.READERS,
    **list_steps.READERS,
    **look_steps.READERS,
    **code_steps.READERS,
    **pattern_steps.READERS,
    **value_steps.READERS,
}
#: Kinds of clauses whose output answers something, so that it can be saved.
_SAYING: Final = frozenset(
    (*look_steps.READERS, *pattern_steps.READERS, *value_steps.READERS, *code_steps.READERS)
)


def commands_asked(request: str, facts: Facts, folder: FolderView) -> Steps:
    """Return the steps of a request that only says what to do with files; () for any other.

    No step replaces another file than one whose lines are to be sorted or made unique: any other
    such request is left to the model and its checks.

    Args:
        request: The request in plain words.
        facts: What it names.
        folder: What is in the folder.
    """
    if len(request) > _MOST_CHARS or not request.isprintable():
        return ()
    named = _ASIDE.sub(r"\1", " ".join(request.split()))
    for name in (
        _with_only_file,
        _with_only_list,
        _with_named_list,
        _with_only_log,
        with_spoken_text,
        with_compared_pair,
    ):
        named = name(named, folder)
    parts = NamedParts.of(named, facts)
    if parts is None:
        return ()
    before, text = ClausesBefore(folder=folder), parts.text.rstrip(" ,.!?")
    ways = without_opening(text)
    steps = next((steps for way in ways for steps in _clauses(way, parts, before)), ())
    file = parts.value(read_first(text))
    has_places = any("depends_on" in step for step in steps)
    if has_places or not any(_changes(step, file) for step in steps):
        return steps
    # it is to be seen as it was
    return ({"tool": "file_read", "args": {"path": file}, "title": f"Read {file}"}, *steps)


def _changes(step: Mapping[str, Any], file: str) -> bool:
    """Return whether a step changes, moves or deletes a file."""
    args = step["args"]
    if step["tool"] == "terminal":
        return args["command"] in {"rm", "mv"} and file in args["args"]
    return step["tool"] in {"file_edit", "file_write"} and args["path"] == file


def _with_only_file(request: str, folder: FolderView) -> str:
    """Return a request with the name of the only file of a kind for "the log"."""
    found = _THE_FILE.search(request)
    if found is None:
        return request
    known = folder.files_with(SUFFIXES[(found["kind"] or found["log"]).lower()])
    return _THE_FILE.sub(lambda _: known[0], request) if len(known) == 1 else request


def _with_only_list(request: str, folder: FolderView) -> str:
    """Return a request with the name of the list of the entries that it is about.

    They are called as the list: "which tool is listed twice" is about tools.txt.
    """
    found = _OF_ENTRIES.match(request)
    if found is None or paths(request):
        return request
    known = folder.files_with((".txt",))
    called = [path for path in known if stem(PurePosixPath(path).stem) == stem(found[1])]
    return f"{request.rstrip('?! .')} in {called[0]}" if len(called) == 1 else request


def _with_named_list(request: str, folder: FolderView) -> str:
    """Return a request with the name of the text that is "the shopping list"."""
    found = _NAMED_LIST.search(request)
    if found is None or paths(request):
        return request
    word = found["of"].lower()
    names = {word, f"{word}list", f"{word}-list", f"{word}_list"}
    known = folder.files_with((".txt", ".md"))
    called = [path for path in known if PurePosixPath(path).stem.lower() in names]
    name = f"in {called[0]}" if called and found["on"] else "".join(called[:1])
    return _NAMED_LIST.sub(lambda _: name, request, count=1) if len(called) == 1 else request


def _with_only_log(request: str, folder: FolderView) -> str:
    """Return a question for the errors with the name of the only log."""
    asked = _OF_LEVEL.match(request)
    logs = folder.files_with((".log",)) if asked and not paths(request) else []
    return f"{asked['asked']} in {logs[0]}" if asked and len(logs) == 1 else request


def _clauses(text: str, parts: NamedParts, before: ClausesBefore) -> Iterator[Steps]:
    """Yield the steps of all clauses of a text, for each way to take it apart."""
    whole = _clause(text, parts, before)
    if whole is not None:
        yield whole[0]
    for seam in SEAM.finditer(text):
        head = _clause(text[: seam.start()], parts, before)
        if head is not None:
            for rest in _clauses(text[seam.end() :], parts, head[1]):
                yield (*head[0], *rest)


@cache
def _phrases() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the kind of each clause and its pattern, which matches one clause as a whole.

    They are compiled when a request is first read: it takes a twentieth of the package's import.
    """
    phrases = (*CHANGES, *REWRITES, *LOOKS)
    return tuple((kind, re.compile(f"(?i){words}")) for kind, words in phrases)


def _clause(text: str, parts: NamedParts, before: ClausesBefore) -> Found:
    """Return the steps of one clause, and what has been done after it."""
    for kind, pattern in _phrases():
        match = pattern.fullmatch(text)
        clause = CommandClause(match, parts, before) if match else None
        found = _READERS[kind](clause) if clause and clause.is_sure() else None
        if found is not None:
            steps, after = found
            count = before.steps + len(steps)
            return steps, replace(after, steps=count, says=kind in _SAYING)
    return None
