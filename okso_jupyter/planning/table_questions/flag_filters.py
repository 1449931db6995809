"""Flag filters: rows of which a column says yes, says no, or has no value."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from okso_jupyter.planning.table_questions.found_filters import FoundFilter
from okso_jupyter.planning.table_questions.stated_values import says_none, says_not_done
from okso_jupyter.planning.table_questions.table_sample import ColumnSample
from okso_jupyter.planning.table_questions.value_filters import typed_value
from okso_jupyter.planning.table_questions.words import (
    GROUPING,
    JOINING,
    NEGATIONS,
    NONE,
    QuestionWords,
    header_words,
    stem,
    tokens,
)
from okso_jupyter.tables.cells import is_missing
from okso_jupyter.tables.query import Filter

_LEAST_STEM: Final = 4
#: What turns a word into its opposite: "unpaid", "non-smoking" (one word as tokens go).
_OPPOSITES: Final = ("un", "in", "non")
#: What is still to be done, by the stem of the column that says whether it is.
UNDONE: Final = {"paid": frozenset(map(stem, "outstanding owing owed owes unsettled".split()))}
_MISSING: Final = frozenset("missing null nan blank empty unknown".split())
#: Before and behind what has not happened.
_DENYING: Final = frozenset("not never yet".split())
_AND: Final = frozenset("and but".split())
#: A word this far behind a negation is not surely denied by it.
_FAR: Final = 4


def missing_filters(question: QuestionWords, column: ColumnSample) -> Iterator[FoundFilter]:
    """Yield the filter of rows without a value: "missing", "no fee", "not paid yet".

    "No key" of a column of yes and no is a no, and no gap.
    """
    places = frozenset(p for p, word in enumerate(question.english) if word in _MISSING)
    has_missing = any(map(is_missing, column.cells))
    if places and has_missing:
        yield FoundFilter(Filter(column.name, "is missing"), places, "missing")
        return
    if column.flags is not None:
        return
    is_none = says_none(question.text, column.stems)
    is_not_done = column.kind == "date" and says_not_done(question.text, column.stems)
    has_nothing = column.has_numbers and 0.0 in column.numbers
    if not (is_none or is_not_done) or not (has_missing or (is_none and has_nothing)):
        return
    denying = NONE if is_none else _DENYING
    denied = frozenset(
        place
        for place, (word, own) in enumerate(zip(question.english, question.stems, strict=True))
        if word in denying or own in column.stems or stem(word.removeprefix("un")) in column.stems
    )
    # "days without rain" have none of it
    empty = Filter(column.name, "is missing") if has_missing else Filter(column.name, "=", 0)
    yield FoundFilter(empty, denied, "missing")


def flag_filters(question: QuestionWords, column: ColumnSample) -> Iterator[FoundFilter]:
    """Yield filters of a column of yes and no that the question names: "passed", "not passed"."""
    if column.flags is None:
        return
    opposite = {stem(f"{prefix}{own}") for own in column.stems for prefix in _OPPOSITES}
    opposite.update(*(UNDONE.get(own, ()) for own in column.stems))
    opposed = frozenset(p for p, word in enumerate(question.raw) if stem(word) in opposite)
    if opposed:
        found = Filter(column.name, "=", typed_value(column, column.flags[1]))
        yield FoundFilter(found, opposed, "flag no")
    places = frozenset(
        p for p, own in enumerate(question.stems) if any(_is_of(own, name) for name in column.stems)
    )
    if said := _value_behind(question, places, column.flags):
        value, place = said
        found = Filter(column.name, "=", typed_value(column, value))
        yield FoundFilter(found, places | {place}, "flag")
    elif places and not _is_grouped(question, min(places), column.name):
        yes, no = column.flags
        denied = frozenset(p for p, word in enumerate(question.english) if word in NEGATIONS)
        if not _is_denied(question, min(places), denied):
            yield FoundFilter(Filter(column.name, "=", typed_value(column, yes)), places, "flag")
        if denied and not _is_of_another(question, max(places), denied):
            yield FoundFilter(
                Filter(column.name, "=", typed_value(column, no)), places | denied, "flag no"
            )


def _value_behind(
    question: QuestionWords, places: Collection[int], flags: Collection[str]
) -> tuple[str, int] | None:
    """Return the yes or no behind a column's name, and its place: "delivered no", "paid is yes"."""
    if not places:
        return None
    cells = {tokens(cell): cell for cell in flags}
    behind = max(places) + 1
    behind += question.english[behind : behind + 1] in {("is",), ("are",)}
    cell = cells.get(question.raw[behind : behind + 1])
    return (cell, behind) if cell else None


def _is_of(own: str, name: str) -> bool:
    """Return whether a stem is that of a column's name, or of who it is said of: a survivor."""
    return own == name or (len(name) >= _LEAST_STEM and own in {f"{name}or", f"{name}er"})


def _is_denied(question: QuestionWords, place: int, denied: Collection[int]) -> bool:
    """Return whether a word is denied by one right before it, as in "no bath"."""
    last = max((p for p in denied if p < place), default=-_FAR)
    return place - last < _FAR and JOINING.isdisjoint(question.english[last + 1 : place])


def _is_of_another(question: QuestionWords, place: int, denied: Collection[int]) -> bool:
    """Return whether only what is joined behind a word is denied: "a balcony and no bath"."""
    first = min(denied)
    return first > place and not _AND.isdisjoint(question.english[place + 1 : first])


def _is_grouped(question: QuestionWords, place: int, name: str) -> bool:
    """Return whether rows are grouped by the column named at a place.

    "Paid by card" is no group.
    """
    while place and question.raw[place - 1] in header_words(name):
        place -= 1
    before = ("", "", *question.english[:place])[-2:]
    return before[1] in GROUPING or (
        before[1] == "by" and not before[0].endswith(("ed", "id", "by"))
    )
