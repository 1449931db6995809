"""Patterns of `grep` that take linear time, whatever the pattern and the text.

A backtracking engine such as `re` can be made to run for hours by a short pattern, and cannot
be stopped while it does. This one follows all ways at once (an automaton whose states are made
as the text needs them), so that the time grows with the text and the clock can end it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from okso_jupyter.errors import ToolInputError
from okso_jupyter.toolkit.commands.pattern_syntax import (
    Alt,
    Assert,
    Cat,
    Char,
    Node,
    Repeat,
    parse,
)

_MAX_STATES: Final = 2_000
_MAX_CACHED: Final = 2_000


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
        tick: Called now and then during a search; raises to end it.

    Raises:
        ToolInputError: A pattern is malformed, too large, or asks for a back-reference.
    """

    def __init__(
        self,
        texts: Sequence[str],
        options: Options,
        tick: Callable[[], None] = _no_tick,
    ) -> None:
        tree: Node = Alt(tuple(_tree(text, options) for text in texts))
        if options.word:
            tree = Cat((Assert("not_after_word"), tree, Assert("not_before_word")))
        if options.line:
            tree = Cat((Assert("start"), tree, Assert("end")))
        program = _Program(tree, ignore_case=options.ignore_case)
        self._anywhere = _Automaton(program, tick, anywhere=True)
        self._here = _Automaton(program, tick, anywhere=False)

    def search(self, line: str) -> bool:
        """Say whether a line, given without its end, holds a match."""
        automaton = self._anywhere
        node = automaton.start("")
        for char in line:
            move = node.moves.get(char) or automaton.move(node, char)
            if move.matched:
                return True
            node = move.node
        return automaton.move(node, "").matched

    def spans(self, line: str) -> Iterator[tuple[int, int]]:
        """Yield start and end of the matches that do not overlap, longest first at each place."""
        start = 0
        while start <= len(line):
            end = self._longest(line, start)
            if end is not None and end > start:
                yield start, end
                start = end
            else:
                start += 1

    def _longest(self, line: str, start: int) -> int | None:
        """Return the end of the longest match that starts at a place, or None."""
        automaton = self._here
        node = automaton.start(line[start - 1] if start else "")
        end = None
        for place in range(start, len(line) + 1):
            char = line[place : place + 1]
            move = node.moves.get(char) or automaton.move(node, char)
            if move.matched:
                end = place
            node = move.node
            if not node.states:
                break
        return end


def _tree(text: str, options: Options) -> Node:
    if options.fixed:
        return Cat(tuple(Char(char.__eq__) for char in text))
    return parse(text, extended=options.extended)


class _Program:
    """A pattern as numbered states: each takes a character, makes a demand, or branches."""

    def __init__(self, tree: Node, *, ignore_case: bool) -> None:
        self.tests: dict[int, Callable[[str], bool]] = {}
        self.demands: dict[int, str] = {}
        self.nexts: list[list[int]] = []
        self._ignore_case = ignore_case
        self.match = self._state()
        self.first = self._compile(tree, self.match)

    def _state(self, *nexts: int) -> int:
        if len(self.nexts) >= _MAX_STATES:
            msg = "grep: the pattern is too large"
            raise ToolInputError(msg, hint="repeat fewer times")
        self.nexts.append(list(nexts))
        return len(self.nexts) - 1

    def _compile(self, node: Node, then: int) -> int:
        """Add a node's states and return the first; the last ones go on at `then`."""
        match node:
            case Char(test, negated):
                state = self._state(then)
                wide = _either_case(test) if self._ignore_case else test
                self.tests[state] = _unless(wide) if negated else wide
                return state
            case Assert(demand):
                state = self._state(then)
                self.demands[state] = demand
                return state
            case Cat(items):
                for item in reversed(items):
                    then = self._compile(item, then)
                return then
            case Alt(options):
                return self._state(*(self._compile(option, then) for option in options))
            case Repeat(item, least, most):
                return self._repeat(item, least, most, then)

    def _repeat(self, item: Node, least: int, most: int | None, then: int) -> int:
        if most is None:
            loop = self._state(then)
            self.nexts[loop].append(self._compile(item, loop))
            then = loop
        else:
            end = then
            for _ in range(most - least):
                then = self._state(self._compile(item, then), end)
        for _ in range(least):
            then = self._compile(item, then)
        return then


@dataclass(slots=True, eq=False)
class _Node:
    """The states that a text can be in at one place, and where each character leads."""

    states: frozenset[int]
    before: str
    moves: dict[str, _Move] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Move:
    matched: bool
    node: _Node


class _Automaton:
    """Follows a program through a text, and remembers every move it has worked out."""

    def __init__(self, program: _Program, tick: Callable[[], None], *, anywhere: bool) -> None:
        self._program = program
        self._tick = tick
        self._anywhere = anywhere
        self._nodes: dict[tuple[frozenset[int], str], _Node] = {}

    def start(self, before: str) -> _Node:
        """Return where a text stands that `before` precedes; "" is the start of the line."""
        return self._node(frozenset({self._program.first}), _kind(before))

    def move(self, node: _Node, char: str) -> _Move:
        """Return where a character leads; "" is the end of the line."""
        known = node.moves.get(char)
        if known is not None:
            return known
        self._tick()
        reached = self._closure(node, _kind(char))
        program = self._program
        states = {
            program.nexts[state][0]
            for state in reached
            if char and state in program.tests and program.tests[state](char)
        }
        if self._anywhere:
            states.add(program.first)
        move = _Move(program.match in reached, self._node(frozenset(states), _kind(char)))
        node.moves[char] = move
        return move

    def _node(self, states: frozenset[int], before: str) -> _Node:
        if len(self._nodes) > _MAX_CACHED:
            self._nodes.clear()
        return self._nodes.setdefault((states, before), _Node(states, before))

    def _closure(self, node: _Node, after: str) -> set[int]:
        """Return every state that is reached from a node without taking a character."""
        program = self._program
        reached: set[int] = set()
        todo = list(node.states)
        while todo:
            state = todo.pop()
            if state in reached:
                continue
            reached.add(state)
            demand = program.demands.get(state)
            if state not in program.tests and (
                demand is None or _DEMANDS[demand](node.before, after)
            ):
                todo += program.nexts[state]
        return reached


#: What an assertion demands of the kinds of character before and after a place.
_DEMANDS: Final[dict[str, Callable[[str, str], bool]]] = {
    "start": lambda before, _after: before == "edge",
    "end": lambda _before, after: after == "edge",
    "boundary": lambda before, after: (before == "word") != (after == "word"),
    "inside": lambda before, after: (before == "word") == (after == "word"),
    "word_start": lambda before, after: before != "word" and after == "word",
    "word_end": lambda before, after: before == "word" and after != "word",
    "not_after_word": lambda before, _after: before != "word",
    "not_before_word": lambda _before, after: after != "word",
}


def _kind(char: str) -> str:
    if not char:
        return "edge"
    return "word" if char.isalnum() or char == "_" else "other"


def _either_case(test: Callable[[str], bool]) -> Callable[[str], bool]:
    return lambda char: test(char) or test(char.lower()) or test(char.upper())


def _unless(test: Callable[[str], bool]) -> Callable[[str], bool]:
    return lambda char: not test(char)
