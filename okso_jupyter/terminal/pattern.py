r"""Patterns of `grep` that take linear time, whatever the pattern and the text.

A short pattern can make a backtracking engine such as `re` run for hours without a way to stop
it. RE2 takes linear time and bounded memory.

RE2 knows only ASCII words. If a pattern has word boundaries, as with `\<` and -w, a line is first
searched without them; if it matches, it is searched again with marks written between its
characters, which encode what is before and after each place.
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

#: Memory for a pattern's program and RE2's cache of searched texts.
_MAX_MEMORY_BYTES: Final = 8 << 20
#: How often each mark is repeated at its place: this many assertions may apply to one. In an empty
#: line -x and -w make two each.
_MARKS_PER_PLACE: Final = 6
_MARKS_BYTES: Final = _MARKS_PER_PLACE * len("\ufdd0".encode())
_MARKS: Final[dict[tuple[bool, ...], str]] = {
    place: mark * _MARKS_PER_PLACE for place, mark in MARKS.items()
}
_INNER: Final = {is_word: _MARKS[is_word, is_word, False, False] for is_word in (False, True)}
_WORDS: Final = re.compile(r"(\w+)")
#: Mark characters in a text are replaced by the replacement character.
_NO_MARKS: Final = str.maketrans(dict.fromkeys(MARKS.values(), "\ufffd"))


def _no_tick() -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a pattern is interpreted.

    Attributes:
        extended: `grep -E`: "+", "(" and the like are operators without a backslash.
        fixed: `grep -F`: the pattern is literal text.
        ignore_case: Letter case is ignored.
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
        options: How they are interpreted.
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
        """Return whether a line, given without its end, has a match."""
        self._tick()
        if self._plain.search(line.encode()) is None:
            return False
        return self._marked is None or self._marked.search(_with_marks(line).encode()) is not None

    def spans(self, line: str) -> Iterator[tuple[int, int]]:
        """Yield start and end of non-overlapping matches, longest first at each place."""
        for start, end in self._found(line):
            self._tick()
            if end > start:
                yield start, end

    def _found(self, line: str) -> Iterator[tuple[int, int]]:
        """Yield every match, including empty ones."""
        if self._marked is not None:
            yield from _spans_with_marks(self._marked, line)
            return
        for match in self._plain.finditer(line):
            yield match.span()


def _spans_with_marks(expression: Any, line: str) -> Iterator[tuple[int, int]]:  # noqa: ANN401  the library ships no types
    """Yield start and end of the matches in a line after adding marks to it."""
    text = _with_marks(line).encode()
    # byte offsets of the marks of each place
    steps = (_MARKS_BYTES + len(char.encode()) for char in _without_marks(line))
    places = [0, *accumulate(steps)]
    at = 0
    while at <= len(line) and (match := expression.search(text, places[at])):
        start, end = (bisect_right(places, edge) - 1 for edge in match.span())
        yield start, end
        # from the first mark on: the next match may test the same marks again
        at = max(end, start + 1)


def _translated(texts: Sequence[str], options: Options, *, marked: bool) -> tuple[str, bool]:
    """Return the expression for RE2, and whether it has word boundaries."""
    translation = Translation(extended=options.extended, marked=marked)
    read = translation.fixed if options.fixed else translation.read
    expression = "|".join(read(text.translate(_NO_MARKS)) for text in texts)
    if options.word:
        expression = translation.whole_word(expression)
    if options.line:
        expression = translation.whole_line(expression)
    return expression, translation.has_places


def _compiled(expression: str, options: Options) -> Any:  # noqa: ANN401  the library ships no types
    """Return a compiled expression; raise ToolInputError if it is too large."""
    import re2  # noqa: PLC0415  native code that only grep needs

    how = re2.Options()
    how.max_mem = _MAX_MEMORY_BYTES
    how.case_sensitive = not options.ignore_case
    how.longest_match = True
    how.dot_nl = True
    how.log_errors = False
    # earlier patterns would stay in its cache, with their memory
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
    # words, and the text between them; the first part may be empty
    for number, run in enumerate(_WORDS.split(_without_marks(line))):
        if run:
            is_word = number % 2 == 1
            parts += _MARKS[before, is_word, not parts, False], _INNER[is_word].join(run)
            before = is_word
    parts.append(_MARKS[before, False, not parts, True])
    return "".join(parts)


def _without_marks(line: str) -> str:
    """Return a line with mark characters replaced."""
    return line if line.isascii() else line.translate(_NO_MARKS)
