"""find: the files and folders beneath a path that pass a test.

Only tests and `-print` are supported, nothing that deletes, writes or runs something.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final, NoReturn

from okso_jupyter.effects.named_paths import Need, Paths
from okso_jupyter.errors import ToolInputError, ToolRefusedError
from okso_jupyter.terminal.command import Command, Invocation
from okso_jupyter.terminal.command_run import MAX_WALK_DEPTH, CommandRun
from okso_jupyter.workspace import FolderEntry

Test = Callable[[CommandRun, FolderEntry], bool]

_USAGE: Final = "find [PATH...] [-name GLOB] [-type f|d|l] [-size N] [-mtime N] [-maxdepth N]"
_KINDS: Final = {"f": "file", "d": "folder", "l": "link"}
_SIZE_UNITS: Final = {"c": 1, "b": 512, "k": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_DAY_S: Final = 86_400
_MAX_DEPTH_OF_BRACKETS: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class _Query:
    starts: tuple[str, ...]
    test: Test
    min_depth: int
    max_depth: int


class _Reader:
    """Parses the words of a find call from left to right."""

    def __init__(self, words: Sequence[str]) -> None:
        self._left = list(reversed(words))
        self._min_depth = 0
        self._max_depth: int | None = None
        self._brackets = 0

    def read(self) -> _Query:
        """Return the parsed query."""
        starts = []
        while self._left and not self._is_expression():
            starts.append(self._left.pop())
        test = self._any_of() if self._left else _always
        if self._left:
            self._fail(f"{self._left[-1]!r} is not expected there")
        return _Query(
            starts=tuple(starts) or (".",),
            test=test,
            min_depth=self._min_depth,
            max_depth=MAX_WALK_DEPTH if self._max_depth is None else self._max_depth,
        )

    def _is_expression(self) -> bool:
        word = self._left[-1]
        return word in {"(", ")", "!"} or (word.startswith("-") and len(word) > 1)

    def _any_of(self) -> Test:
        tests = [self._all_of()]
        while self._left and self._left[-1] == "-o":
            self._left.pop()
            tests.append(self._all_of())
        return tests[0] if len(tests) == 1 else lambda s, e: any(test(s, e) for test in tests)

    def _all_of(self) -> Test:
        tests = [self._one()]
        while self._left and self._left[-1] not in {"-o", ")"}:
            if self._left[-1] == "-a":
                self._left.pop()
            tests.append(self._one())
        return lambda session, entry: all(test(session, entry) for test in tests)

    def _one(self) -> Test:
        word = self._next("a test")
        if word in {"!", "-not"}:
            test = self._one()
            return lambda session, entry: not test(session, entry)
        if word == "(":
            return self._bracketed()
        if word in {"-maxdepth", "-mindepth"}:
            self._set_depth(word)
            return _always
        if word == "-print":
            return _always
        if word == "-empty":
            return _is_empty
        if word in _TESTS:
            return _TESTS[word](self._next(f"the value of {word}"))
        msg = f"find: {word} is not allowed"
        raise ToolRefusedError(msg, hint=f"usage: {_USAGE}")

    def _bracketed(self) -> Test:
        self._brackets += 1
        if self._brackets > _MAX_DEPTH_OF_BRACKETS:
            self._fail("too many brackets")
        test = self._any_of()
        if self._next("a closing bracket") != ")":
            self._fail("a closing bracket is missing")
        return test

    def _set_depth(self, word: str) -> None:
        depth = min(_whole_number(word, self._next(f"the value of {word}")), MAX_WALK_DEPTH)
        if word == "-maxdepth":
            self._max_depth = depth
        else:
            self._min_depth = depth

    def _next(self, wanted: str) -> str:
        if not self._left:
            self._fail(f"{wanted} is missing")
        return self._left.pop()

    def _fail(self, reason: str) -> NoReturn:
        msg = f"find: {reason}"
        raise ToolInputError(msg, hint=f"usage: {_USAGE}")


def _always(_session: CommandRun, _entry: FolderEntry) -> bool:
    return True


def _is_empty(session: CommandRun, entry: FolderEntry) -> bool:
    if entry.is_dir:
        return not session.workspace.listdir(entry.path, max_entries=1)
    return entry.is_file and entry.size_bytes == 0


def _name(glob: str) -> Test:
    return lambda _session, entry: fnmatchcase(entry.name or ".", glob)


def _iname(glob: str) -> Test:
    folded = glob.casefold()
    return lambda _session, entry: fnmatchcase(entry.name.casefold(), folded)


def _path(glob: str) -> Test:
    return lambda _session, entry: fnmatchcase(entry.path, glob.removeprefix("./"))


def _type(letter: str) -> Test:
    if letter not in _KINDS:
        msg = f"find -type: {letter!r} is not one of f, d and l"
        raise ToolInputError(msg)
    return lambda _session, entry: entry.kind == _KINDS[letter]


def _size(text: str) -> Test:
    unit = _SIZE_UNITS.get(text[-1:], 0)
    compare = _comparison("-size", text[:-1] if unit else text)
    unit = unit or _SIZE_UNITS["b"]
    return lambda _session, entry: compare(-(-entry.size_bytes // unit))


def _mtime(text: str) -> Test:
    compare = _comparison("-mtime", text)
    return lambda _session, entry: compare(int((time.time() - entry.modified_s) // _DAY_S))


def _newer(name: str) -> Test:
    def is_newer(session: CommandRun, entry: FolderEntry) -> bool:
        other = session.workspace.stat(session.path(name))
        return entry.info.st_mtime_ns > other.info.st_mtime_ns

    return is_newer


_TESTS: Final[dict[str, Callable[[str], Test]]] = {
    "-name": _name,
    "-iname": _iname,
    "-path": _path,
    "-type": _type,
    "-size": _size,
    "-mtime": _mtime,
    "-newer": _newer,
}


def _comparison(option: str, text: str) -> Callable[[int], bool]:
    """Return the test for "+N" (more), "-N" (less) or "N"."""
    number = _whole_number(option, text.removeprefix("+").removeprefix("-"))
    if text.startswith("+"):
        return lambda value: value > number
    if text.startswith("-"):
        return lambda value: value < number
    return lambda value: value == number


def _whole_number(option: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 16):  # noqa: PLR2004  bytes of any disk
        msg = f"find {option}: {text!r} is not a whole number"
        raise ToolInputError(msg)
    return int(text)


def _check(call: Invocation) -> None:
    _Reader(call.operands).read()


def _run(session: CommandRun, call: Invocation) -> None:
    query = _Reader(call.operands).read()
    session.remark = "nothing found"
    session.each(query.starts, lambda start: _below(session, query, start))


def _below(session: CommandRun, query: _Query, start: str) -> None:
    path = session.path(start)
    top = session.workspace.stat(path, follow=False)
    shown = start.rstrip("/") or start
    if query.min_depth == 0 and query.test(session, top):
        session.line(shown)
    if not top.is_dir or query.max_depth == 0:
        return
    walk = session.walk(path, max_depth=query.max_depth)
    prefix = "" if path == "." else path + "/"
    for entry in walk:
        session.tick()
        below = entry.path.removeprefix(prefix)
        if below.count("/") + 1 >= query.min_depth and query.test(session, entry):
            session.line(f"{shown}/{below}")
    session.end_walk(walk, to_the_bottom=query.max_depth == MAX_WALK_DEPTH)


def _starts(call: Invocation) -> Paths:
    """Return the paths of a call that needs the starting points of the search."""
    starts = _Reader(call.operands).read().starts
    return Paths(needs=tuple(Need("", start, "place") for start in starts))


COMMANDS: Final = (
    Command(name="find", usage=_USAGE, run=_run, raw=True, check=_check, paths=_starts),
)
