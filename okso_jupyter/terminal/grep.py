"""grep: the lines of files that match a pattern."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Final

from okso_jupyter.effects.named_paths import Kind, Need, Paths
from okso_jupyter.errors import ToolFailedError, ToolInputError
from okso_jupyter.terminal.command import Command, Invocation
from okso_jupyter.terminal.command_run import CommandRun
from okso_jupyter.terminal.pattern import Options, Pattern
from okso_jupyter.workspace import FolderEntry

_MAX_CONTEXT_LINES: Final = 1_000
_SNIFF_BYTES: Final = 1024
_ANY_NUMBER: Final = 1_000_000_000


def _pattern(call: Invocation, session: CommandRun | None = None) -> Pattern:
    texts = call.values.get("-e") or call.operands[:1]
    options = Options(
        extended="-E" in call.flags,
        fixed="-F" in call.flags,
        ignore_case="-i" in call.flags,
        word="-w" in call.flags,
        line="-x" in call.flags,
    )
    lines = [line for text in texts for line in text.split("\n")]
    return Pattern(lines, options, session.tick) if session else Pattern(lines, options)


def _names(call: Invocation) -> tuple[str, ...]:
    names = call.operands if call.value("-e") is not None else call.operands[1:]
    return names or ((".",) if "-r" in call.flags else ())


def _check(call: Invocation) -> None:
    if not call.operands and call.value("-e") is None:
        msg = "grep: the pattern is missing"
        raise ToolInputError(msg, hint=f"usage: {call.command.usage}")
    if not _names(call):
        msg = "grep: no file is named"
        raise ToolInputError(msg, hint="name a file, or search a folder with -r")
    for option in ("-m", "-A", "-B", "-C"):
        call.number(option, 0)
    _pattern(call)


def _run(session: CommandRun, call: Invocation) -> None:
    # 1 means that no line matches, and is not a failure
    session.exit_code = 1
    search = _Search(session, call)
    session.each(_names(call), search.name)
    if search.found and not session.has_failed:
        session.exit_code = 0
    if not search.found:
        session.remark = "no line matches"


@dataclass(slots=True)
class _Search:
    """One run of grep over all its files."""

    session: CommandRun
    call: Invocation
    found: bool = False
    pattern: Pattern = field(init=False)
    with_name: bool = field(init=False)

    def __post_init__(self) -> None:
        self.pattern = _pattern(self.call, self.session)
        flags = self.call.flags
        several = len(_names(self.call)) > 1 or "-r" in flags
        self.with_name = (several or "-H" in flags) and "-h" not in flags

    def name(self, name: str) -> None:
        """Search a file, or with -r the files beneath a folder."""
        path = self.session.path(name)
        if not self.session.workspace.is_dir(path):
            self._file(path, name)
            return
        if "-r" not in self.call.flags:
            msg = f"grep: {name} is a folder"
            raise ToolFailedError(msg, hint="use grep -r")
        walk = self.session.workspace.walk(path, skip=self._is_left_out)
        for entry in walk:
            if entry.is_file:
                self._file(entry.path, entry.path)
        self.session.end_walk(walk)

    def _is_left_out(self, entry: FolderEntry) -> bool:
        values = self.call.values
        if entry.is_dir:
            return any(fnmatchcase(entry.name, g) for g in values.get("--exclude-dir", ()))
        wanted = values.get("--include", ())
        if any(fnmatchcase(entry.name, glob) for glob in values.get("--exclude", ())):
            return True
        return bool(wanted) and not any(fnmatchcase(entry.name, glob) for glob in wanted)

    def _file(self, path: str, name: str) -> None:
        flags = self.call.flags
        with self.session.open(path) as file:
            is_binary = b"\0" in file.read(_SNIFF_BYTES)
            file.seek(0)
            lines = (
                line.rstrip(b"\r\n").decode("utf-8", "replace") for line in self.session.lines(file)
            )
            prefix = f"{name}:" if self.with_name else ""
            if "-c" in flags:
                count = sum(1 for _ in self._matches(lines))
                self.session.line(f"{prefix}{count}")
            elif "-l" in flags:
                if next(self._matches(lines), None):
                    self.session.line(name)
            elif is_binary:
                if next(self._matches(lines), None):
                    self.session.line(f"{name}: binary file matches")
            else:
                self._show(lines, name)

    def _matches(self, lines: Iterable[str]) -> Iterator[str]:
        """Yield the matching lines (with -v the others), up to -m of them."""
        most = self.call.number("-m", _ANY_NUMBER)
        return itertools.islice(filter(self._is_wanted, lines), most)

    def _is_wanted(self, line: str) -> bool:
        wanted = self.pattern.search(line) != ("-v" in self.call.flags)
        self.found |= wanted
        return wanted

    def _show(self, lines: Iterable[str], name: str) -> None:
        """Show the selected lines of one file, and their context."""
        around = self.call.number("-C", 0, most=_MAX_CONTEXT_LINES)
        after = self.call.number("-A", around, most=_MAX_CONTEXT_LINES)
        earlier = deque[tuple[int, str]](
            maxlen=self.call.number("-B", around, most=_MAX_CONTEXT_LINES)
        )
        left = self.call.number("-m", _ANY_NUMBER)
        last_shown = 0
        until = 0
        for number, line in enumerate(lines, 1):
            if left and self._is_wanted(line):
                left -= 1
                first = earlier[0][0] if earlier else number
                if last_shown and first > last_shown + 1 and (after or earlier.maxlen):
                    self.session.line("--")
                for place, text in earlier:
                    self._line(name, place, text, "-")
                earlier.clear()
                self._match(name, number, line)
                last_shown, until = number, number + after
            elif number <= until:
                self._line(name, number, line, "-")
                last_shown = number
            elif not left:
                return
            else:
                earlier.append((number, line))

    def _match(self, name: str, number: int, line: str) -> None:
        if "-o" not in self.call.flags:
            self._line(name, number, line, ":")
            return
        for start, end in self.pattern.spans(line):
            self._line(name, number, line[start:end], ":")

    def _line(self, name: str, number: int, text: str, mark: str) -> None:
        prefix = f"{name}{mark}" if self.with_name else ""
        prefix += f"{number}{mark}" if "-n" in self.call.flags else ""
        self.session.line(prefix + text)


def _searched(call: Invocation) -> Paths:
    """Return the paths of a call that needs what it searches."""
    kind: Kind = "place" if "-r" in call.flags else "file"
    return Paths(needs=tuple(Need("", name, kind) for name in _names(call)))


COMMANDS: Final = (
    Command(
        name="grep",
        usage="grep [-inrlcvwxFEohH] [-m N] [-A N] [-B N] [-C N] PATTERN FILE...",
        run=_run,
        flags="inrlcvwxFEohH",
        valued=frozenset({"-m", "-A", "-B", "-C", "-e", "--include", "--exclude", "--exclude-dir"}),
        check=_check,
        paths=_searched,
    ),
)
