"""Found filters: conditions that a question may mean, and which of them may stand together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from okso_jupyter.tables.query import Filter

#: Filters of which pairs and triples are made, and of these the most of one column.
_COMBINED: Final = 8
_OF_ONE_COLUMN: Final = 3


@dataclass(frozen=True, slots=True)
class FoundFilter:
    """A filter and why it was found.

    Attributes:
        filter: The filter.
        places: Places of the question's words that it explains.
        how: "value", "part" (some words of a value), "near" (misspelt), "number", "date",
            "missing", "flag" (yes), "flag no".
    """

    filter: Filter
    places: frozenset[int] = field(default_factory=frozenset)
    how: str = "value"


def combined_filters(found: list[FoundFilter]) -> Iterator[tuple[FoundFilter, ...]]:
    """Yield no filter, each filter, and pairs and triples that explain different words.

    Those that are said come first, with what combines them: a number that may compare with every
    column in every way makes many, and what is made of filters has an end.
    """
    said = _said(found)
    best = _first_of_each(found)[:_COMBINED]
    pairs = [pair for pair in combinations(best, 2) if _fit_together(pair)]
    yield ()
    yield from ((each,) for each in found if each in said)
    yield from (pair for pair in pairs if said.issuperset(pair))
    exact = [each for each in best if each.how in {"value", "date", "flag"}]
    yield from (triple for triple in combinations(exact, 3) if _fit_together(triple))
    yield from ((each,) for each in found if each not in said)
    yield from (pair for pair in pairs if not said.issuperset(pair))


def _said(found: Sequence[FoundFilter]) -> set[FoundFilter]:
    """Return the filters but those of a number that may compare with its column in several ways."""
    numbers = Counter((f.filter.column, f.filter.value) for f in found if f.how == "number")
    return {
        each
        for each in found
        if each.how != "number" or numbers[each.filter.column, each.filter.value] == 1
    }


def _first_of_each(found: list[FoundFilter]) -> list[FoundFilter]:
    """Return filters without all but the first few of each column: a date is read in many ways."""
    counts: Counter[str] = Counter()
    first = []
    for each in found:
        counts[each.filter.column] += 1
        if counts[each.filter.column] <= _OF_ONE_COLUMN:
            first.append(each)
    return first


def _fit_together(filters: tuple[FoundFilter, ...]) -> bool:
    columns = {(each.filter.column, each.filter.part) for each in filters}
    places = sum(len(each.places) for each in filters)
    together = frozenset().union(*(each.places for each in filters))
    return len(columns) == len(filters) and len(together) == places
