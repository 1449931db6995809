"""The grammar of `grep` patterns, basic and extended, as a tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NoReturn

from okso_jupyter.errors import ToolInputError

MAX_PATTERN_CHARS: Final = 1_000
_MAX_DEPTH: Final = 50
_MAX_REPEATS: Final = 255

CharTest = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Char:
    """One character that passes a test, or with `negated` one that does not."""

    test: CharTest
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Assert:
    """A demand on the place between two characters, such as "start" or "boundary"."""

    demand: str


@dataclass(frozen=True, slots=True)
class Cat:
    """One node after the other."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Alt:
    """Any one of the nodes."""

    options: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A node several times; `most` is None for any number."""

    item: Node
    least: int
    most: int | None


Node = Char | Assert | Cat | Alt | Repeat


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


_NAMED: Final[dict[str, CharTest]] = {
    "alpha": str.isalpha,
    "digit": lambda char: "0" <= char <= "9",
    "alnum": str.isalnum,
    "upper": str.isupper,
    "lower": str.islower,
    "space": str.isspace,
    "blank": lambda char: char in " \t",
    "punct": lambda char: char.isprintable() and not char.isalnum() and not char.isspace(),
    "print": str.isprintable,
    "graph": lambda char: char.isprintable() and not char.isspace(),
    "cntrl": lambda char: ord(char) < ord(" ") or ord(char) == 0x7F,  # noqa: PLR2004  DEL
    "xdigit": lambda char: char in "0123456789abcdefABCDEF",
}
_ESCAPED_CLASSES: Final[dict[str, CharTest]] = {
    "w": _is_word,
    "W": lambda char: not _is_word(char),
    "s": str.isspace,
    "S": lambda char: not char.isspace(),
    "d": _NAMED["digit"],
    "D": lambda char: not "0" <= char <= "9",
}
_ESCAPED_PLACES: Final = {"b": "boundary", "B": "inside", "<": "word_start", ">": "word_end"}
_REPEATS: Final[dict[str, tuple[int, int | None]]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


def parse(text: str, *, extended: bool) -> Node:
    """Return the tree of a pattern.

    Args:
        text: The pattern.
        extended: Read it as `grep -E` does, else as plain `grep`.

    Raises:
        ToolInputError: It is malformed, too long, or asks for a back-reference.
    """
    if len(text) > MAX_PATTERN_CHARS:
        msg = f"grep: a pattern has at most {MAX_PATTERN_CHARS:,} characters"
        raise ToolInputError(msg)
    return _Reader(text, extended=extended).read()


class _Reader:
    """Reads a pattern from left to right."""

    def __init__(self, text: str, *, extended: bool) -> None:
        self._text = text
        self._extended = extended
        self._at = 0
        self._depth = 0

    def read(self) -> Node:
        """Return the tree of the whole pattern."""
        tree = self._alternatives()
        if self._at < len(self._text):
            self._fail("a bracket is closed that was not opened")
        return tree

    def _alternatives(self) -> Node:
        options = [self._sequence()]
        while self._take_operator("|"):
            options.append(self._sequence())
        return options[0] if len(options) == 1 else Alt(tuple(options))

    def _sequence(self) -> Node:
        items: list[Node] = []
        while self._at < len(self._text) and self._operator() not in {"|", ")"}:
            item = self._item(is_first=not items)
            # in the basic grammar "^*" is a start and a star
            is_anchor = not self._extended and item == Assert("start")
            items.append(item if is_anchor else self._repeated(item))
        return Cat(tuple(items))

    def _operator(self) -> str:
        """Return the operator at this place, as the extended grammar writes it, or nothing."""
        here = self._text[self._at : self._at + 2]
        if self._extended:
            return here[0] if here and here[0] in "|()+?{" else ""
        return here[1] if here[:1] == "\\" and here[1:] and here[1] in "|()+?{" else ""

    def _take_operator(self, operator: str) -> bool:
        if self._operator() != operator:
            return False
        self._at += 1 if self._extended else 2
        return True

    def _item(self, *, is_first: bool) -> Node:
        if self._take_operator("("):
            return self._group()
        char = self._text[self._at]
        self._at += 1
        if char == "[":
            return self._bracket()
        if char == "\\":
            return self._escape()
        return self._plain(char, is_first=is_first)

    def _plain(self, char: str, *, is_first: bool) -> Node:
        """Return what a character means that opens nothing."""
        if char == "^" and (self._extended or is_first):
            return Assert("start")
        if char == "$" and (self._extended or self._is_at_end()):
            return Assert("end")
        if self._extended and char in "*+?" and is_first:
            # as the usual grep: what repeats nothing is overlooked
            return Cat(())
        return Char((lambda _char: True) if char == "." else char.__eq__)

    def _is_at_end(self) -> bool:
        return self._at == len(self._text) or self._operator() in {"|", ")"}

    def _group(self) -> Node:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            self._fail("its brackets are nested too deeply")
        tree = self._alternatives()
        if not self._take_operator(")"):
            self._fail("a bracket is not closed")
        self._depth -= 1
        return tree

    def _repeated(self, item: Node) -> Node:
        while self._at < len(self._text):
            operator = self._operator()
            if self._text[self._at] == "*":
                self._at += 1
                bounds: tuple[int, int | None] = _REPEATS["*"]
            elif operator in {"+", "?"}:
                self._take_operator(operator)
                bounds = _REPEATS[operator]
            elif operator == "{" and self._has_bounds():
                self._take_operator("{")
                bounds = self._bounds()
            else:
                break
            item = Repeat(item, *bounds)
        return item

    def _has_bounds(self) -> bool:
        """Say whether a brace starts a repetition; "{" alone stands for itself."""
        after = self._text[self._at + (1 if self._extended else 2) :]
        return not self._extended or after[:1].isdigit() or after[:1] == ","

    def _bounds(self) -> tuple[int, int | None]:
        close = "}" if self._extended else "\\}"
        end = self._text.find(close, self._at)
        least, comma, most = self._text[self._at : max(end, self._at)].partition(",")
        numbers = [number for number in (least, most) if number]
        if end < 0 or not all(n.isascii() and n.isdigit() and len(n) <= 3 for n in numbers):  # noqa: PLR2004  three digits reach the bound
            self._fail("a repetition is malformed")
        self._at = end + len(close)
        first = int(least or 0)
        last = (int(most) if most else None) if comma else first
        if max(first, last or 0) > _MAX_REPEATS or (last is not None and last < first):
            self._fail(f"a repetition goes from 0 to {_MAX_REPEATS}")
        return first, last

    def _escape(self) -> Node:
        if self._at == len(self._text):
            self._fail("it ends in a backslash")
        char = self._text[self._at]
        self._at += 1
        if char in _ESCAPED_CLASSES:
            return Char(_ESCAPED_CLASSES[char])
        if char in _ESCAPED_PLACES:
            return Assert(_ESCAPED_PLACES[char])
        if char.isdigit() and char != "0":
            self._fail("back-references are not supported")
        return Char({"t": "\t"}.get(char, char).__eq__)

    def _bracket(self) -> Node:
        negated = self._text[self._at : self._at + 1] == "^"
        self._at += negated
        tests: list[CharTest] = []
        while not tests or self._text[self._at : self._at + 1] != "]":
            if self._at >= len(self._text):
                self._fail("a [ is not closed")
            tests.append(self._member())
        self._at += 1
        return Char(lambda char: any(test(char) for test in tests), negated=negated)

    def _member(self) -> CharTest:
        """Return the test of one member of a [...]: a class, a range or a character."""
        text, at = self._text, self._at
        if text.startswith("[:", at):
            end = text.find(":]", at)
            name = text[at + 2 : max(end, at)]
            if name not in _NAMED:
                self._fail(f"there is no character class [:{name}:]")
            self._at = end + 2
            return _NAMED[name]
        if text[at + 1 : at + 2] == "-" and text[at + 2 : at + 3] not in {"", "]"}:
            low, high = text[at], text[at + 2]
            self._at += 3
            return lambda char: low <= char <= high
        self._at += 1
        return text[at].__eq__

    def _fail(self, reason: str) -> NoReturn:
        msg = f"grep: the pattern {self._text!r} is malformed: {reason}"
        raise ToolInputError(msg, hint="with -F a pattern stands for itself")
