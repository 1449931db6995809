"""Parser of `grep` patterns, basic and extended, which translates them to RE2's syntax."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Final, NamedTuple, NoReturn

from okso_jupyter.errors import ToolInputError

MAX_PATTERN_CHARS: Final = 1_000
_MAX_BOUND_DIGITS: Final = 4

#: Character classes in RE2's syntax; all are unions, so that they can be combined with others.
_NAMED: Final = {
    "alpha": r"\pL",
    "digit": "0-9",
    "alnum": r"\pL\pN",
    "upper": r"\p{Lu}",
    "lower": r"\p{Ll}",
    "space": r"\pZ\t-\r\x1c-\x1f\x85",
    "blank": r" \t",
    "punct": r"\pM\pP\pS",
    "print": r" \pL\pM\pN\pP\pS",
    "graph": r"\pL\pM\pN\pP\pS",
    "cntrl": r"\x00-\x1f\x7f",
    "xdigit": "0-9a-fA-F",
}
_ESCAPED_CLASSES: Final = {"w": r"\pL\pN_", "s": _NAMED["space"], "d": _NAMED["digit"]}


class Place(NamedTuple):
    """A place between two characters of a line, or at one of its ends.

    Attributes:
        after_word: Whether the character before it is a word character.
        before_word: Whether the character after it is one.
        is_start: Whether the line starts here.
        is_end: Whether it ends here.
    """

    after_word: bool
    before_word: bool
    is_start: bool
    is_end: bool


_FIRST_MARK: Final = 0xFDD0
#: The mark for each kind of place in a marked line: Unicode noncharacters, which no text uses.
MARKS: Final = {
    Place(*flags): chr(_FIRST_MARK + number)
    for number, flags in enumerate(product((False, True), repeat=4))
}
_ALL_MARKS: Final = "".join(MARKS.values())
_SKIPPED: Final = f"[{_ALL_MARKS}]*"


def _marks(is_wanted: Callable[[Place], bool]) -> str:
    return "".join(mark for place, mark in MARKS.items() if is_wanted(place))


_START: Final = _marks(lambda place: place.is_start)
_END: Final = _marks(lambda place: place.is_end)
_NOT_AFTER_WORD: Final = _marks(lambda place: not place.after_word)
_NOT_BEFORE_WORD: Final = _marks(lambda place: not place.before_word)
_PLACES: Final = {
    "b": _marks(lambda place: place.after_word != place.before_word),
    "B": _marks(lambda place: place.after_word == place.before_word),
    "<": _marks(lambda place: not place.after_word and place.before_word),
    ">": _marks(lambda place: place.after_word and not place.before_word),
}


class Translation:
    """Patterns as one RE2 expression, which matches a line if any of them does.

    Args:
        extended: Whether to use the syntax of `grep -E` instead of plain `grep`.
        marked: Whether the lines have marks. Without them, word boundaries are not tested, and more
            may match.
    """

    def __init__(self, *, extended: bool, marked: bool) -> None:
        self._extended = extended
        self._skipped = _SKIPPED if marked else ""
        self._marks = _ALL_MARKS if marked else ""
        #: Whether the expression tests word boundaries.
        self.has_places = False
        self._text, self._at = "", 0
        self._out: list[str] = []
        self._groups: list[int] = []
        #: Index in the output of the item that a repetition would repeat; None if there is none.
        self._item: int | None = None
        self._is_first = True

    def read(self, text: str) -> str:
        """Return the expression for a pattern.

        Raises:
            ToolInputError: It is malformed, too long, or asks for a back-reference.
        """
        if len(text) > MAX_PATTERN_CHARS:
            msg = f"grep: a pattern has at most {MAX_PATTERN_CHARS:,} characters"
            raise ToolInputError(msg)
        self._text, self._at, self._out = text, 0, []
        self._start_sequence()
        while self._at < len(text):
            self._take_next()
        if self._groups:
            self._fail("a bracket is not closed")
        return "".join(self._out)

    def fixed(self, text: str) -> str:
        """Return the expression for literal text."""
        return "".join(self._one(_char(char)) for char in text)

    def whole_word(self, expression: str) -> str:
        """Return an expression whose matches are whole words."""
        start, end = self._place(_NOT_AFTER_WORD), self._place(_NOT_BEFORE_WORD)
        return f"{start}(?:{expression}){end}"

    def whole_line(self, expression: str) -> str:
        """Return an expression whose matches are whole lines."""
        return f"{self._edge(_START)}(?:{expression}){self._edge(_END)}"

    def _start_sequence(self) -> None:
        self._item, self._is_first = None, True

    def _take_next(self) -> None:
        """Translate the next part of the pattern."""
        operator = self._operator()
        if operator == "(":
            self._take(operator)
            self._groups.append(len(self._out))
            self._out.append("(?:")
            self._start_sequence()
        elif operator == ")":
            self._take(operator)
            self._end_group()
        elif operator == "|":
            self._take(operator)
            self._out.append("|")
            self._start_sequence()
        elif operator and self._item is not None:
            self._take(operator)
            self._repeat(self._bounds() if operator == "{" else operator)
        elif operator in {"*", "+", "?"} and self._extended:
            # like GNU grep: a repetition of nothing is ignored
            self._at += 1
        else:
            self._add_item()

    def _operator(self) -> str:
        """Return the operator at this position in extended syntax, or an empty string."""
        here = self._text[self._at : self._at + 2]
        if here[0] == "*":
            return "*"
        if self._extended:
            is_brace = here[0] == "{" and (here[1:].isdigit() or here[1:] == ",")
            return here[0] if here[0] in "|()+?" or is_brace else ""
        return here[1] if here[0] == "\\" and here[1:] and here[1] in "|()+?{" else ""

    def _take(self, operator: str) -> None:
        self._at += 1 if self._extended or operator == "*" else 2

    def _end_group(self) -> None:
        if not self._groups:
            self._fail("a bracket is closed that was not opened")
        self._out.append(")")
        self._item, self._is_first = self._groups.pop(), False

    def _repeat(self, operator: str) -> None:
        """Repeat the last item; a repeated item is one item."""
        self._out.insert(self._item or 0, "(?:")
        self._out.append(f"){operator}")

    def _bounds(self) -> str:
        """Parse the rest of a repetition with bounds."""
        close = "}" if self._extended else "\\}"
        end = self._text.find(close, self._at)
        least, comma, most = self._text[self._at : max(end, self._at)].partition(",")
        numbers = [number for number in (least, most) if number]
        if end < 0 or not all(n.isascii() and n.isdigit() for n in numbers):
            self._fail("a repetition is malformed")
        if any(len(number) > _MAX_BOUND_DIGITS for number in numbers):
            self._fail("a repetition has a bound that is too large")
        if least and most and int(most) < int(least):
            self._fail("a repetition ends below its start")
        self._at = end + len(close)
        return f"{{{int(least or 0)}{comma}{most}}}"

    def _add_item(self) -> None:
        """Translate a character, a class or an anchor."""
        char, is_first = self._text[self._at], self._is_first
        self._at += 1
        start = len(self._out)
        self._item, self._is_first = start, False
        if char == "[":
            self._out.append(self._bracket())
        elif char == "\\":
            self._out.append(self._escape())
        elif char == "^" and (self._extended or is_first):
            self._out.append(self._edge(_START))
            # in the basic syntax "^*" is an anchor and a literal star
            self._item = start if self._extended else None
        elif char == "$" and (self._extended or self._is_at_end()):
            self._out.append(self._edge(_END))
        else:
            self._out.append(self._any() if char == "." else self._one(_char(char)))

    def _is_at_end(self) -> bool:
        return self._at == len(self._text) or self._operator() in {"|", ")"}

    def _one(self, members: str, *, negated: bool = False) -> str:
        """Return an expression for one character in a class, or not in it."""
        if negated:
            return f"{self._skipped}[^{members}{self._marks}]"
        return f"{self._skipped}[{members}]"

    def _any(self) -> str:
        return f"{self._skipped}[^{self._marks}]" if self._marks else "."

    def _place(self, marks: str) -> str:
        """Return an expression for a word boundary given by its marks."""
        self.has_places = True
        return f"[{marks}]" if self._marks else "(?:)"

    def _edge(self, marks: str) -> str:
        """Return an expression for the start or end of a line."""
        if self._marks:
            return f"[{marks}]"
        return r"\A" if marks == _START else r"\z"

    def _escape(self) -> str:
        if self._at == len(self._text):
            self._fail("it ends in a backslash")
        char = self._text[self._at]
        self._at += 1
        if char.lower() in _ESCAPED_CLASSES:
            return self._one(_ESCAPED_CLASSES[char.lower()], negated=char.isupper())
        if char in _PLACES:
            return self._place(_PLACES[char])
        if char.isdigit() and char != "0":
            self._fail("back-references are not supported")
        return self._one(r"\t" if char == "t" else _char(char))

    def _bracket(self) -> str:
        negated = self._text[self._at : self._at + 1] == "^"
        self._at += negated
        members: list[str] = []
        while not members or self._text[self._at : self._at + 1] != "]":
            if self._at >= len(self._text):
                self._fail("a [ is not closed")
            members.append(self._member())
        self._at += 1
        return self._one("".join(members), negated=negated)

    def _member(self) -> str:
        """Parse one member of a [...]: a class, a range or a character."""
        text, at = self._text, self._at
        if text.startswith("[:", at):
            end = text.find(":]", at)
            name = text[at + 2 : max(end, at)]
            if name not in _NAMED:
                self._fail(f"there is no character class [:{name}:]")
            self._at = end + 2
            return _NAMED[name]
        if text[at + 1 : at + 2] == "-" and text[at + 2 : at + 3] not in {"", "]"}:
            if text[at + 2] < text[at]:
                self._fail("a range ends below its start")
            self._at += 3
            return f"{_char(text[at])}-{_char(text[at + 2])}"
        self._at += 1
        return _char(text[at])

    def _fail(self, reason: str) -> NoReturn:
        msg = f"grep: the pattern {self._text!r} is malformed: {reason}"
        raise ToolInputError(msg, hint="with -F a pattern stands for itself")


def _char(char: str) -> str:
    """Return a character as an RE2 escape, which is always literal."""
    return rf"\x{{{ord(char):x}}}"
