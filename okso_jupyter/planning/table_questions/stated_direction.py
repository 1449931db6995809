"""Stated directions: "the most" is the largest of the groups or rows, "the fewest" the smallest."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from okso_jupyter.planning.table_questions.adjectives import PRICES
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.stated_adjectives import is_end_of
from okso_jupyter.planning.table_questions.stated_order import says_order
from okso_jupyter.planning.table_questions.words import header_stems, is_called, stem, tokens
from okso_jupyter.tables.query import Query

_MOST: Final = re.compile(r"(?<!at )\b(?:most|highest|largest|biggest)\b|\bsells? best\b")
_FEWEST: Final = re.compile(r"(?<!at )\b(?:fewest|least|lowest|smallest)\b|\bsells? worst\b")
#: An end of what one column is called: "the most plays".
_NAMED_END: Final = re.compile(
    r"(?<!at )\b(?:most|fewest|least|highest|lowest|largest|smallest|longest|shortest|heaviest|"
    r"lightest|greatest|biggest)\s+(?P<named>\w+)\b|"
    r"\b(?!(?:the|an?|of|with|has|had|have)\b)(?P<before>\w+)(?: (?:was|is|were|are|at|the))* "
    r"(?:highest|lowest|largest|smallest)\b"
)
_MOST_OFTEN: Final = re.compile(r"\b(?:most|least) (?:often|frequently)\b")
_NEWEST: Final = re.compile(r"\b(?:newest|most recent(?:ly)?)\b")
_THERE_LONGEST: Final = re.compile(r"\bbeen\b.*\blongest\b|\blongest (?:serving|standing)\b")
#: Stems of the names of columns that tell since when somebody is there.
_BEGUN: Final = frozenset(
    map(stem, "joined since started hired registered entered eintritt beitritt seit".split())
)
_OF_NUMBERS: Final = frozenset({"sum", "mean", "median", "maximum", "minimum"})
_COMMON: Final = re.compile(r"\b(?:most (?:common|frequent|popular|often)|common(?:est)?)\b")
_BILL: Final = r"(?:bills?|invoices?|expenses?|payments?|charges?)"
#: Money without the name of its column: "the lowest electricity bill", "the bill was lowest".
_MONEY_END: Final = re.compile(
    rf"\b(?:highest|lowest) (?:\w+ )?(?P<behind>{_BILL})\b|"
    rf"\b(?P<before>{_BILL})(?: was| is)?(?: the)? (?:highest|lowest)\b"
)
#: Of what these columns hold the smallest is the best, or the earliest.
_RANKS: Final = frozenset(
    "rank place posit date year time day start finish rang platz datum jahr zeit".split()
)


def stated_direction(
    question: str, columns: Sequence[str] = ()
) -> Iterator[Callable[[Query], bool]]:
    """Yield a test of a query's direction where the question says one end, and only one.

    Args:
        question: The question.
        columns: The columns of the table.
    """
    asked = " ".join(in_english(tokens(question)))
    if not says_order(asked):
        yield from _of_seniority(asked, columns)
    yield from _of_named_end(asked, columns)
    is_most, is_fewest = _MOST.search(asked), _FEWEST.search(asked)
    yield from _of_often(asked, columns)
    if _COMMON.search(asked) and not is_fewest:
        yield _is_most_common
    yield from _of_money(asked, columns)
    if bool(is_most) != bool(is_fewest):
        yield lambda query: not _is_end(query) or query.descending == bool(is_most)
        yield lambda query: not _is_of_place(query)


def _of_money(asked: str, columns: Sequence[str]) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where the highest bill is meant, of the only column of money.

    A column that is itself called so is found by its name.
    """
    money = _MONEY_END.search(asked)
    prices = frozenset(name for name in columns if not PRICES.isdisjoint(header_stems(name)))
    if money is None or len(prices) != 1:
        return
    said = stem(money["behind"] or money["before"])
    if not any(said in header_stems(name) for name in columns):
        yield lambda query: not prices.isdisjoint(query.names)


def _of_seniority(asked: str, columns: Sequence[str]) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where somebody is the newest, or is there longest: by when they joined."""
    begun = [name for name in columns if not _BEGUN.isdisjoint(header_stems(name))]
    is_newest, is_longest = _NEWEST.search(asked), _THERE_LONGEST.search(asked)
    if begun and (is_newest or is_longest):
        yield partial(is_end_of, columns=begun, is_largest=bool(is_newest))


def _of_named_end(asked: str, columns: Sequence[str]) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where a column is called what there is most of: its numbers, and no count."""
    called = called_ends(asked, columns)
    if called:
        yield partial(_is_of_amounts, columns=called)


def called_ends(asked: str, columns: Sequence[str]) -> list[str]:
    """Return the columns that are called what an end is of, a unit beside the name or none."""
    named = {found["named"] or found["before"] for found in _NAMED_END.finditer(asked)}
    return [name for name in columns if is_called(name, named)]


def _of_often(asked: str, columns: Sequence[str]) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where a column holds how often it was done: "has visited most often"."""
    said = {(stem(word),) for word in asked.split()}
    called = [name for name in columns if header_stems(name) in said]
    if _MOST_OFTEN.search(asked) and called:
        yield partial(_is_of_amounts, columns=called)


def _is_of_amounts(query: Query, columns: Sequence[str]) -> bool:
    """Return whether a query ranks rows by one of these columns, or computes with its numbers."""
    if query.order in columns:
        return True
    return any(m.column in columns and m.function in _OF_NUMBERS for m in query.measures)


def _is_most_common(query: Query) -> bool:
    """Return whether a query is for the value of the most rows."""
    functions = [measure.function for measure in query.measures]
    return functions == ["most common"] or (functions[:1] == ["count"] and bool(query.by))


def _is_of_place(query: Query) -> bool:
    """Return whether a query is for the first rows as they stand in the table."""
    return bool(query.limit) and not (query.order or query.by or query.measures)


def _is_end(query: Query) -> bool:
    """Return whether a query is for the first of groups or rows that are sorted by an amount."""
    is_ranked = not _RANKS.isdisjoint(header_stems(query.order)) if query.order else False
    is_sorted = bool(query.by and query.measures) or bool(query.order)
    return bool(query.limit) and is_sorted and not is_ranked
