"""Value filters: the values of a column that a question names, whole, in part or misspelt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from okso_jupyter.planning.table_questions.found_filters import FoundFilter
from okso_jupyter.planning.table_questions.table_sample import ColumnSample
from okso_jupyter.planning.table_questions.words import (
    GROUPING,
    JOINING,
    NEGATIONS,
    NO_VALUES,
    STOP,
    QuestionWords,
    is_compared,
    one_letter_apart,
)
from okso_jupyter.tables.query import Filter

#: Words for women and for men, of which a column has one each.
_SEXES: Final = (
    frozenset("f w female females woman women girl girls frau frauen weiblich".split()),
    frozenset("m male males man men boy boys mann männer maenner männlich".split()),
)
_PAIR: Final = 2
_MOST_PAIRS: Final = 6
#: Share of a value's words that the question must name.
_PART: Final = 0.5
_SHORTEST_NEAR: Final = 5
#: Columns with more values are not searched for misspelt ones.
_MOST_NEAR: Final = 300
_SHORTEST_PART: Final = 3


def value_filters(question: QuestionWords, column: ColumnSample) -> Iterator[FoundFilter]:
    """Yield filters for the column's values that stand in the question, whole or in part."""
    said = set(question.raw)
    denying = {place for place, word in enumerate(question.english) if word in NEGATIONS}
    column_is_named = not set(column.stems).isdisjoint(question.stems)
    named: list[tuple[str, frozenset[int]]] = []
    parts: list[FoundFilter] = []
    for value, cell in column.values.items():
        if value in question.spans:
            if len(value) == 1 and (
                (value[0] in NO_VALUES and not _is_in_capitals(cell, column, question.text))
                or (value[0] in NEGATIONS and not column_is_named)
                or (len(value[0]) == 1 and not value[0].isalnum())
            ):
                continue
            places = frozenset(range(*question.spans[value]))
            named.append((cell, places))
            wanted = typed_value(column, cell)
            yield FoundFilter(Filter(column.name, "=", wanted), places)
            if denying - places:  # a "no" does not deny itself
                yield FoundFilter(Filter(column.name, "!=", wanted), places)
        elif not column.has_numbers and said.intersection(value):
            parts += _of_part(question, column, value)
    near = [*_of_near(question, column)] if _is_short_text(column) else []
    whole = {each.places for each in near}
    yield from (part for part in parts if part.places not in whole)
    named += [(str(each.filter.value), each.places) for each in near]
    yield from _of_several(question, column, named)
    yield from near


def _is_in_capitals(cell: str, column: ColumnSample, question: str) -> bool:
    """Return whether a question writes a cell such as "IT" in capitals, and not all else.

    One letter alone is a value behind its column only: "in ward A".
    """
    if not cell.isupper() or question.isupper():
        return False
    led = rf"(?i:{re.escape(column.name)})\s+" if len(cell) == 1 else ""
    return re.search(rf"(?<!\w){led}{re.escape(cell)}(?!\w)", question) is not None


def _of_several(
    question: QuestionWords, column: ColumnSample, named: Sequence[tuple[str, frozenset[int]]]
) -> Iterator[FoundFilter]:
    """Yield the filter of a list of three values or more, "A, B or C", else those of pairs."""
    listed = _listed(question, named)
    several = [listed] if listed else list(combinations(named, _PAIR))[:_MOST_PAIRS]
    for values in several:
        places = frozenset().union(*(own for _, own in values))
        if len(places) == sum(len(own) for _, own in values):
            cells = tuple(cell for cell, _ in values)
            yield FoundFilter(Filter(column.name, "in", cells), places)


def _listed(
    question: QuestionWords, named: Sequence[tuple[str, frozenset[int]]]
) -> tuple[tuple[str, frozenset[int]], ...]:
    """Return the values, three or more, that stand behind each other in a question; else ()."""
    runs: list[list[tuple[str, frozenset[int]]]] = []
    for value in sorted(named, key=lambda each: min(each[1])):
        before = max(runs[-1][-1][1]) if runs else -1
        between = question.raw[before + 1 : min(value[1])]
        if runs and before < min(value[1]) and JOINING.issuperset(between):
            runs[-1].append(value)
        else:
            runs.append([value])
    longest = max(runs, key=len, default=[])
    return tuple(longest) if len(longest) > _PAIR else ()


def _is_short_text(column: ColumnSample) -> bool:
    return column.kind == "text" and len(column.places) <= _MOST_NEAR


def typed_value(column: ColumnSample, cell: str) -> str | float:
    """Return a value as the column compares it: a number only where the cell is nothing else."""
    if column.kind != "number":
        return cell
    number = column.numbers[column.cells.index(cell)] if cell in column.cells else None
    if number is None:
        return cell
    return int(number) if number == int(number) else number


def _of_part(
    question: QuestionWords, column: ColumnSample, value: tuple[str, ...]
) -> Iterator[FoundFilter]:
    content = [word for word in value if word not in STOP and len(word) >= _SHORTEST_PART]
    # "fines per member" is not of Per Lind
    content = [w for w in content if w not in GROUPING or w.capitalize() in question.text]
    if column.kind == "date":
        content = [word for word in content if not word[0].isdigit()]  # see date_filters
    hit = [word for word in content if word in question.raw]
    if hit and len(hit) >= _PART * len(content):
        places = frozenset(question.raw.index(word) for word in hit)
        run = _longest_run(value, frozenset(hit))
        yield FoundFilter(Filter(column.name, "contains", " ".join(run)), places, "part")


def _longest_run(value: tuple[str, ...], hit: frozenset[str]) -> tuple[str, ...]:
    """Return the longest run of words of a value that are all in the question."""
    best: tuple[str, ...] = ()
    run: tuple[str, ...] = ()
    for word in value:
        run = (*run, word) if word in hit or (run and word in STOP) else ()
        trimmed = run[:-1] if run and run[-1] in STOP else run
        best = trimmed if len(trimmed) > len(best) else best
    return best


def _of_near(question: QuestionWords, column: ColumnSample) -> Iterator[FoundFilter]:
    """Yield filters for values that the question names with other letters: "great tits"."""
    for value, rows in column.places.items():
        if value in question.spans:
            continue
        found = Filter(column.name, "=", column.cells[rows[0]])
        runs = {*question.places_of(value), *_misspelt(question, value)}
        yield from (FoundFilter(found, run, "near") for run in sorted(runs, key=sorted))


def _misspelt(question: QuestionWords, value: tuple[str, ...]) -> Iterator[frozenset[int]]:
    """Yield the place of each word that a value of one word is with one letter wrong."""
    if len(value) == 1 and len(value[0]) >= _SHORTEST_PART:
        for place, word in enumerate(question.raw):
            # "larger" misspells no "large"
            is_long = len(word) >= _SHORTEST_NEAR and word not in STOP and not is_compared(word)
            forms = {word, word.removesuffix("s")}  # "croisants" of a croissant
            if is_long and any(one_letter_apart(form, value[0]) for form in forms):
                yield frozenset({place})


def named_places(question: QuestionWords, column: ColumnSample) -> Iterator[frozenset[int]]:
    """Yield the places of each value of a column that a question names, in whatever form."""
    is_short_text = _is_short_text(column)
    for value in column.values:
        if value in question.spans:
            yield frozenset(range(*question.spans[value]))
        elif not column.has_numbers:
            yield from question.places_of(value)
            yield from _misspelt(question, value) if is_short_text else ()


def sex_filters(question: QuestionWords, column: ColumnSample) -> Iterator[FoundFilter]:
    """Yield filters for men and women where a column tells them by another word or a letter."""
    if not column.repeats or not {(word,) for word in _SEXES[0]} & column.places.keys():
        return
    for own in _SEXES:
        values = [column.places[(word,)] for word in own if (word,) in column.places]
        places = frozenset(
            p for p, word in enumerate(question.raw) if word in own and len(word) > 1
        )
        if len(values) == 1 and places:
            cell = column.cells[values[0][0]]
            yield FoundFilter(Filter(column.name, "=", typed_value(column, cell)), places)
