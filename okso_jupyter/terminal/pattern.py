r"""Patterns of `grep` that take linear time, whatever the pattern and the text.

A backtracking engine such as `re` can be made to run for hours by a short pattern, and cannot be
stopped while it does. RE2 cannot, and its memory is bounded.

RE2 knows the words of ASCII alone. Where a pattern asks for places in or around words, as `\<` and
-w do, a line is first searched without them, and if it matches once more with marks written
between its characters: what stands before and after each place.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final

from okso_jupyter.errors import ToolInputError
from okso_jupyter.terminal.pattern_syntax import MARKS, Translation

#: For a pattern's program and what RE2 remembers of the texts it has seen.
_MAX_MEMORY_BYTES: Final = 8 << 20
#: How often each mark stands at its place: so many demands may be made of one. In an empty line
#: -x and -w make two each.
_MARKS_PER_PLACE: Final = 6
_MARKS_BYTES: Final = _MARKS_PER_PLACE * len("\ufdd0".encode())
_MARKS: Final[dict[tuple[bool, ...], str]] = {
    place: mark * _MARKS_PER_PLACE for place, mark in MARKS.items()
}
_INNER: Final = {is_word: _MARKS[is_word, is_word, False, False] for is_word in (False, True)}
_WORDS: Final = re.compile(r"(\w+)")
#: What no text means becomes what stands for unreadable text.
_NO_MARKS: Final = str.maketrans(dict.fromkeys(MARKS.values(), "\ufffd"))


def _no_tick() -> None:
    """Let it run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a pattern is read.

    Attributes:
        extended: `grep -E`: "+", "(" and the like are operators without a backslash.
        fixed: `grep -F`: the pattern stands for itself.
        ignore_case: Upper and lower case are the same.
        word: A match must be a whole word.
        line: A match must be a whole line.
    """

    extended: bool = False
    fixed: bool = False
    ignore_case: bool = False
    word: bool = False
    line: bool = False


class Pattern:
    """One or several patterns; a line matches if any of them does.

    Args:
        texts: The patterns.
        options: How they are read.
        tick: Called at each search; raises to end it.

    Raises:
        ToolInputError: A pattern is malformed, too large, or asks for a back-reference.
    """

    def __init__(
        self, texts: Sequence[str], options: Options, tick: Callable[[], None] = _no_tick
    ) -> None:
        self._tick = tick
        expression, has_places = _translated(texts, options, marked=False)
        self._plain = _compiled(expression, options)
        self._marked: Any = None
        if has_places:
            expression, _ = _translated(texts, options, marked=True)
            self._marked = _compiled(expression, options)

    def search(self, line: str) -> bool:
        """Say whether a line, given without its end, holds a match."""
        self._tick()
        if self._plain.search(line.encode()) is None:
            return False
        return self._marked is None or self._marked.search(_with_marks(line).encode()) is not None

    def spans(self, line: str) -> Iterator[tuple[int, int]]:
        """Yield start and end of the matches that do not overlap, longest first at each place."""
        for start, end in self._found(line):
            self._tick()
            if end > start:
                yield start, end

    def _found(self, line: str) -> Iterator[tuple[int, int]]:
        """Yield every match, those of nothing too."""
        if self._marked is not None:
            yield from _spans_with_marks(self._marked, line)
            return
        for match in self._plain.finditer(line):
            yield match.span()


def _spans_with_marks(expression: Any, line: str) -> Iterator[tuple[int, int]]:  # noqa: ANN401  the library ships no types
    """Yield start and end of the matches in a line that is marked for it."""
    text = _with_marks(line).encode()
    # where the marks of each place start, in bytes
    steps = (_MARKS_BYTES + len(char.encode()) for char in _without_marks(line))
    places = [0, *accumulate(steps)]
    at = 0
    while at <= len(line) and (match := expression.search(text, places[at])):
        start, end = (bisect_right(places, edge) - 1 for edge in match.span())
        yield start, end
        # from the first mark on: those that this match asked for may be asked for again
        at = max(end, start + 1)


def _translated(texts: Sequence[str], options: Options, *, marked: bool) -> tuple[str, bool]:
    """Return what RE2 is to look for, and whether places in and around words matter."""
    translation = Translation(extended=options.extended, marked=marked)
    read = translation.fixed if options.fixed else translation.read
    expression = "|".join(read(text.translate(_NO_MARKS)) for text in texts)
    if options.word:
        expression = translation.whole_word(expression)
    if options.line:
        expression = translation.whole_line(expression)
    return expression, translation.has_places


def _compiled(expression: str, options: Options) -> Any:  # noqa: ANN401  the library ships no types
    """Return a compiled expression; ToolInputError if it is too large."""
    import re2  # noqa: PLC0415  native code that only grep needs

    how = re2.Options()
    how.max_mem = _MAX_MEMORY_BYTES
    how.case_sensitive = not options.ignore_case
    how.longest_match = True
    how.dot_nl = True
    how.log_errors = False
    # patterns of before would stay in its cache, each with its memory
    re2.purge()
    try:
        return re2.compile(expression, how)
    except re2.error as error:
        msg = "grep: the pattern is too large"
        raise ToolInputError(msg, hint="repeat fewer times") from error


def _with_marks(line: str) -> str:
    """Return a line with marks before each character and after the last one."""
    parts: list[str] = []
    before = False
    # words, and what is between them: the first of these may be empty
    for number, run in enumerate(_WORDS.split(_without_marks(line))):
        if run:
            is_word = number % 2 == 1
            parts += _MARKS[before, is_word, not parts, False], _INNER[is_word].join(run)
            before = is_word
    parts.append(_MARKS[before, False, not parts, True])
    return "".join(parts)


def _without_marks(line: str) -> str:
    """Return a line in which what looks like a mark is unreadable text."""
    return line if line.isascii() else line.translate(_NO_MARKS)
