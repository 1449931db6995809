"""Number filters: comparisons of a column of numbers with those in a question."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from okso_jupyter.planning.table_questions.computed_words import STOCK
from okso_jupyter.planning.table_questions.found_filters import FoundFilter
from okso_jupyter.planning.table_questions.stated_values import stated_comparisons
from okso_jupyter.planning.table_questions.table_sample import ColumnSample
from okso_jupyter.planning.table_questions.words import QuestionWords
from okso_jupyter.tables.query import Comparison, Filter

#: What a question may mean by a number that it does not compare.
ORDERED: Final[tuple[Comparison, ...]] = (">", ">=", "<", "<=")
#: How it is said that there is none of what a column of stock counts.
_SOLD_OUT: Final = (
    ("out", "of", "stock"), ("sold", "out"), ("ausverkauft",), ("nicht", "mehr", "vorratig"),
    ("nicht", "vorratig"),
)  # fmt: skip


def number_filters(question: QuestionWords, column: ColumnSample) -> Iterator[FoundFilter]:
    """Yield comparisons of a numeric column with the numbers in the question."""
    if not column.has_numbers:
        return
    known = [value for value in column.numbers if value is not None]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)
    numbers = list(question.numbers.items())
    said = stated_comparisons(question.text)
    for place, written in numbers:
        value = int(written) if written == int(written) else written
        if low <= value <= high:
            for comparison in [said[value]] if value in said else ORDERED:
                yield FoundFilter(
                    Filter(column.name, comparison, value), frozenset({place}), "number"
                )
            is_other = value in said or (question.raw[place],) in column.places
            if value in known and column.kind == "number" and not is_other:
                yield FoundFilter(Filter(column.name, "=", value), frozenset({place}), "number")
    for (first, a), (second, b) in combinations(numbers, 2):
        if a < b and not (b < low or a > high):
            ends = tuple(int(x) if x == int(x) else x for x in (a, b))
            yield FoundFilter(
                Filter(column.name, "between", ends), frozenset({first, second}), "number"
            )


def sold_out_filters(question: QuestionWords, column: ColumnSample) -> Iterator[FoundFilter]:
    """Yield that there is none left, of a column of what there is: "out of stock"."""
    if not column.has_numbers or STOCK.isdisjoint(column.stems):
        return
    for place in range(len(question.raw)):
        words = next((w for w in _SOLD_OUT if question.raw[place : place + len(w)] == w), ())
        if words:
            places = frozenset(range(place, place + len(words)))
            yield FoundFilter(Filter(column.name, "=", 0), places)
