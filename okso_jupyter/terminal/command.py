"""Command and Invocation: the declaration of a terminal command, and one parsed call of it.

Options are allowed by exact name, without abbreviations and only before the first operand: a file
called "-rf" can then never become an option.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from okso_jupyter.effects.effect import Effect, Effects
from okso_jupyter.effects.named_paths import Need, Paths
from okso_jupyter.errors import ToolInputError, ToolRefusedError

if TYPE_CHECKING:
    from okso_jupyter.terminal.command_run import CommandRun

READS: Final[Effects] = frozenset({Effect.READS})
WRITES: Final[Effects] = frozenset({Effect.WRITES})
MAX_WORDS: Final = 200
MAX_WORD_CHARS: Final = 4_096
#: Shell operators, and the quoted parts of a line where they have no meaning.
_SHELL: Final = re.compile(r"[;|&<>]+")
_QUOTED: Final = re.compile(r"""\\.|'[^']*'|"(?:\\.|[^"\\])*\"""", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """One parsed call of a command.

    Attributes:
        command: The command.
        flags: Options without a value, such as "-l".
        values: Options with a value, such as "-n": every value given.
        operands: The words after the options.
    """

    command: Command
    flags: frozenset[str]
    values: Mapping[str, tuple[str, ...]]
    operands: tuple[str, ...]

    def value(self, option: str) -> str | None:
        """Return the last value given for an option, or None."""
        given = self.values.get(option)
        return given[-1] if given else None

    def number(self, option: str, default: int, *, most: int = 1_000_000_000) -> int:
        """Return the value of an option as an integer from 0 to `most`.

        Raises:
            ToolInputError: It is not an integer.
        """
        text = self.value(option)
        if text is None:
            return default
        if not (text.isascii() and text.isdigit() and len(text) <= len(str(most))):
            msg = f"{self.command.name} {option}: {text!r} is not a whole number"
            raise ToolInputError(msg)
        return min(int(text), most)


def _nothing_to_check(_call: Invocation) -> None:
    """Accept every call."""


def _names_nothing(_call: Invocation) -> Paths:
    """Return no paths."""
    return Paths()


def files_needed(call: Invocation) -> Paths:
    """Return the paths of a call that needs every operand as a file."""
    return Paths(needs=tuple(Need("", name, "file") for name in call.operands))


def places_needed(call: Invocation) -> Paths:
    """Return the paths of a call that needs every operand, as a file or a folder."""
    return Paths(needs=tuple(Need("", name, "place") for name in call.operands))


def _no_paths(_session: CommandRun, _call: Invocation) -> list[str]:
    """Return no changes."""
    return []


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command of the terminal.

    Attributes:
        name: Its name.
        usage: Its synopsis, for messages.
        run: Runs the command and writes into the session.
        flags: Letters of the options without a value.
        valued: Options with a value, with their dashes.
        digits: The option that "-5" is short for, if any.
        operands: Minimum and maximum number of names; None for no maximum.
        effects: Its effects.
        raw: Pass all words as operands: the command has its own grammar.
        check: Raises ToolInputError or ToolRefusedError for an invalid call.
        touches: Returns one line for every path that a call would change.
        paths: Returns what a call needs, creates and removes.
    """

    name: str
    usage: str
    run: Callable[[CommandRun, Invocation], None]
    flags: str = ""
    valued: frozenset[str] = frozenset()
    digits: str = ""
    operands: tuple[int, int | None] = (0, None)
    effects: Effects = READS
    raw: bool = False
    check: Callable[[Invocation], None] = _nothing_to_check
    touches: Callable[[CommandRun, Invocation], list[str]] = _no_paths
    paths: Callable[[Invocation], Paths] = _names_nothing

    def parse(self, words: Sequence[str]) -> Invocation:
        """Parse the words of one call.

        Raises:
            ToolInputError: A value is missing, or there are too few or too many names.
            ToolRefusedError: An option is not allowed, or comes after a name.
        """
        if self.raw:
            call = Invocation(command=self, flags=frozenset(), values={}, operands=tuple(words))
        else:
            call = _Parser(self, words).parse()
        self._check_count(call)
        self.check(call)
        return call

    def _check_count(self, call: Invocation) -> None:
        least, most = self.operands
        count = len(call.operands)
        if count < least or (most is not None and count > most):
            few = "too few" if count < least else "too many"
            msg = f"{self.name}: {few} names"
            raise ToolInputError(msg, hint=f"usage: {self.usage}")


class _Parser:
    """Parses the words of one call, from left to right."""

    def __init__(self, command: Command, words: Sequence[str]) -> None:
        self._command = command
        self._left = list(reversed(words))
        self._flags: set[str] = set()
        self._values: dict[str, list[str]] = {}

    def parse(self) -> Invocation:
        """Return the parsed call."""
        while self._left and _is_option(self._left[-1]):
            word = self._left.pop()
            if word == "--":
                break
            self._take(word)
        else:
            self._refuse_late_options()
        return Invocation(
            command=self._command,
            flags=frozenset(self._flags),
            values={name: tuple(given) for name, given in self._values.items()},
            operands=tuple(reversed(self._left)),
        )

    def _take(self, word: str) -> None:
        name, equals, value = word.partition("=")
        valued = self._command.valued
        if word.startswith("--"):
            if name not in valued:
                self._refuse(word)
            self._store(name, value if equals else self._next(name))
        elif word[:2] in valued:
            self._store(word[:2], word[2:] or self._next(word))
        elif word[1:].isdigit() and self._command.digits:
            self._store(self._command.digits, word[1:])
        elif all(letter in self._command.flags for letter in word[1:]):
            self._flags.update("-" + letter for letter in word[1:])
        else:
            self._refuse(word)

    def _store(self, name: str, value: str) -> None:
        self._values.setdefault(name, []).append(value)

    def _next(self, option: str) -> str:
        if not self._left:
            msg = f"{self._command.name} {option}: the value is missing"
            raise ToolInputError(msg, hint=f"usage: {self._command.usage}")
        return self._left.pop()

    def _refuse(self, word: str) -> None:
        msg = f"{self._command.name}: the option {word} is not allowed"
        raise ToolRefusedError(msg, hint=f"usage: {self._command.usage}")

    def _refuse_late_options(self) -> None:
        for word in self._left:
            if _is_option(word):
                msg = f"{self._command.name}: {word} stands after a name"
                hint = "options come first; put -- before a name that starts with a dash"
                raise ToolRefusedError(msg, hint=hint)


def _is_option(word: str) -> bool:
    return word.startswith("-") and word != "-"


def words_of(command: str, args: Iterable[str]) -> list[str]:
    """Return the words of a call: those of `command`, split as a shell does, then `args`.

    Args:
        command: A name such as "ls", or a line such as "ls -la"; empty means "status".
        args: More words, taken literally.

    Raises:
        ToolInputError: A quote is not closed, or the call is too long.
        ToolRefusedError: The line asks for a shell: a pipe, a redirection, a second command.
    """
    try:
        first = _split(command)
    except ValueError as error:
        msg = f"terminal: {command!r} cannot be split into words: {error}"
        raise ToolInputError(msg) from error
    operator = _SHELL.search(_QUOTED.sub(" ", command))
    if operator:
        msg = f"terminal: {operator[0]!r} asks for a shell, and there is none"
        raise ToolRefusedError(msg, hint="one command a call; file_write writes files")
    words = [*(first or ["status"]), *args]
    if len(words) > MAX_WORDS or any(len(word) > MAX_WORD_CHARS for word in words):
        msg = f"terminal: at most {MAX_WORDS} words of {MAX_WORD_CHARS} characters"
        raise ToolInputError(msg)
    return words


def _split(line: str) -> list[str]:
    """Split a line as a shell does; an unquoted operator becomes a separate word."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    return list(lexer)
