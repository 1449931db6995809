"""Followed ends: a follow-up for the other end of what was ranked: "and the lightest?".

An adjective of the ranked column tells the end, one of another column also what is ranked, and one
that means none of the table's columns asks for the other end of what was ranked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from okso_jupyter.number_words import GERMAN
from okso_jupyter.planning.table_questions.adjectives import (
    ADJECTIVES,
    end_of,
    meaning_of,
    means,
    measured,
)
from okso_jupyter.planning.table_questions.cue_words import PARTS
from okso_jupyter.planning.table_questions.query_edit import QueryEdit
from okso_jupyter.planning.table_questions.table_sample import ColumnSample
from okso_jupyter.planning.table_questions.words import header_stems, row_stems
from okso_jupyter.tables.query import Function, Measure

#: Words for one end, whatever is ranked -> whether it is the largest.
_ENDS: Final[Mapping[str, bool]] = {
    **dict.fromkeys(
        "largest highest most biggest greatest maximum max top hoch commonest haufigste "
        "haufigsten".split(),
        True,
    ),
    **dict.fromkeys(
        "smallest lowest least fewest minimum min bottom rarest seltenste seltensten".split(),
        False,
    ),
}
#: Ends of an age, by the date or year that it is counted from -> whether that is the largest.
_OF_AGE: Final = {"oldest": False, "youngest": True, "newest": True}
#: Ends of a number of rows or of a sum, which compute no other function of each group.
_OF_GROUPS: Final = frozenset("most least fewest".split())
_OPPOSITES: Final[Mapping[Function, Function]] = {
    "most common": "least common",
    "least common": "most common",
    "minimum": "maximum",
    "maximum": "minimum",
}
_ENDS_OF: Final[Mapping[Function, bool]] = {
    "most common": True,
    "least common": False,
    "maximum": True,
    "minimum": False,
}
#: What leads to what rows are ranked by.
_LED: Final = frozenset({"by", "nach"})
#: Words that ask which one it is.
_WHICH: Final = frozenset("which who whose what welche welcher welches welchem welchen wer".split())
#: What stands beside them.
_BESIDE: Final = _WHICH | frozenset(
    "was wann wo when where hat hatte haben hatten am an one ones kam kamen gab got came all "
    "davon von".split()
)


@dataclass(frozen=True, slots=True)
class _Said:
    """A word for an end.

    Attributes:
        word: The word.
        places: The places of it, and of "most" or "least" before it.
        is_turned: Whether "least" is before it.
    """

    word: str
    places: frozenset[int]
    is_turned: bool = False

    @property
    def end(self) -> bool | None:
        """Whether it means the largest of whatever is ranked; None if it means one thing."""
        return _ENDS.get(self.word)

    def is_largest(self, meant: bool | None) -> bool:  # noqa: FBT001  the end of the word itself
        """Return whether the largest is meant, where the word alone has this meaning."""
        return bool(meant) != self.is_turned


def take_other_end(edit: QueryEdit) -> None:
    """Take the end of a ranking that a follow-up says, with the words that ask which one it is."""
    if any(_take(edit, said) for said in _ends_said(edit)):
        _explain(edit)


def _ends_said(edit: QueryEdit) -> Iterator[_Said]:
    """Yield the words for ends, "least expensive" as one."""
    english = edit.question.english
    for place in sorted(edit.left):
        behind = english[place + 1] if place + 1 < len(english) else ""
        if english[place] in {"most", "least"} and behind in ADJECTIVES:
            both = frozenset((place, place + 1))
            yield _Said(behind, both, is_turned=english[place] == "least")
        for form in dict.fromkeys((english[place], edit.question.raw[place])):
            if form in _ENDS or form in ADJECTIVES:
                yield _Said(form, frozenset({place}))


def rank_otherwise(edit: QueryEdit) -> None:
    """Rank the same rows by another column: "by distance instead"."""
    query = edit.query
    led = [p for p, word in enumerate(edit.question.raw) if word in _LED]
    if not led or not query.order or query.by or query.measures or not query.limit:
        return
    behind = {place for place in edit.left if place > led[0]}
    named = edit.column_in(behind)
    if named:
        column, places = named
    else:
        found = [*_columns_measured(edit, behind)]
        if len({column.name for column, _ in found}) != 1:
            return
        column, places = found[0]
    if column not in _ranked_columns(edit) or column.name == query.order:
        return
    shown = tuple(column.name if name == query.order else name for name in query.columns)
    said = f"by {column.name} instead of {query.order}"
    edit.change(places, said, order=column.name, columns=shown)


def _columns_measured(edit: QueryEdit, behind: set[int]) -> Iterator[tuple[ColumnSample, set[int]]]:
    """Yield the columns that a word behind a place may measure: "distance" for `km`."""
    for place, stems in measured(edit.question.english).items():
        if place in behind:
            yield from ((c, {place}) for c in _ranked_columns(edit) if means(stems, c))


def _take(edit: QueryEdit, said: _Said) -> bool:
    """Change a query to the end that a word means; return whether it did."""
    query = edit.query
    if query.order and not query.by and not query.measures and query.limit:
        return _take_rows(edit, said)
    if query.by and query.measures:
        return _take_group(edit, said)
    first = query.measures[0] if len(query.measures) == 1 else Measure("count")
    if query.by or first.function not in _ENDS_OF:
        return False
    was_largest = _ENDS_OF[first.function]
    is_largest = _end(edit, said, first.column, was_largest=was_largest)
    if is_largest is None or is_largest == was_largest:
        return False
    function = _OPPOSITES[first.function]
    words = f"{function} instead of {first.function}"
    edit.change(set(said.places), words, measures=(replace(first, function=function),))
    return True


def _take_rows(edit: QueryEdit, said: _Said) -> bool:
    query = edit.query
    column = query.order
    is_largest = _end(edit, said, column, was_largest=query.descending)
    if is_largest is None:
        others = [*_other_columns(edit, said.word)]
        if len(others) != 1:
            return False
        column = others[0].name
        is_largest = said.is_largest(_own_end(said.word, others[0]))
    shown = tuple(column if name == query.order else name for name in query.columns)
    words = f"the {'largest' if is_largest else 'smallest'}"
    if column != query.order:
        words = f"{words} {column} instead of {query.order}"
    _change_end(edit, said, words, order=column, descending=is_largest, columns=shown)
    return True


def _take_group(edit: QueryEdit, said: _Said) -> bool:
    query = edit.query
    is_largest = _end(edit, said, query.measures[0].column, was_largest=query.descending)
    if is_largest is None:
        return False
    words = f"the {'largest' if is_largest else 'smallest'}"
    if query.limit:
        _change_end(edit, said, words, descending=is_largest)
        return True
    asks = any(edit.question.raw[p] in _WHICH for p in edit.left)
    # "and the highest?" of the means of groups is another function of each
    if not (asks or said.word in _OF_GROUPS) or query.chart:
        return False
    parts = {"order": "", "limit": 1, "columns": (query.by,)}
    _change_end(edit, said, words, descending=is_largest, **parts)
    return True


def _change_end(edit: QueryEdit, said: _Said, words: str, **parts: object) -> None:
    """Change the end that is taken, and how many rows: "the 3 cheapest", "bottom 5"."""
    near = {min(said.places) - 1, max(said.places) + 1}
    counts = {place: GERMAN.get(word) for place, word in enumerate(edit.question.raw)}
    counts.update({place: int(value) for place, value in edit.question.numbers.items()})
    beside = [place for place in sorted(near & edit.left) if counts[place]][:1]
    for number in beside:
        parts["limit"] = counts[number]
        words = f"{words} {parts['limit']}"
    edit.change({*said.places, *beside}, words, **parts)


def _end(edit: QueryEdit, said: _Said, ranked: str, *, was_largest: bool) -> bool | None:
    """Return whether a word means the largest of what is ranked; None if it means another thing.

    Args:
        edit: The follow-up.
        said: The word.
        ranked: The column; "" where rows are counted.
        was_largest: Which end of it was taken before.
    """
    word, column = said.word, edit.table.columns.get(ranked)
    if column is not None and _is_meant(word, column):
        return said.is_largest(_own_end(word, column))
    means_other = meaning_of(word, _ranked_columns(edit)) is not None
    # the biggest of what is cheap or dear is that of another column
    is_of_one = column is not None and any(_is_meant(each, column) for each in ADJECTIVES)
    if said.end is not None and not (means_other and is_of_one):
        return said.is_largest(said.end)
    if means_other:
        return None
    if column is not None and word in _OF_AGE and (column.kind == "date" or column.is_year):
        return said.is_largest(_OF_AGE[word])
    meant = said.is_largest(ADJECTIVES[word][0][0])
    return meant if meant != was_largest else None


def _is_meant(word: str, column: ColumnSample) -> bool:
    return any(means(stems, column) for _, stems in ADJECTIVES.get(word, ()))


def _own_end(word: str, column: ColumnSample) -> bool | None:
    return end_of(word, column.meanings, is_time=column.kind == "date" or column.is_year)


def _other_columns(edit: QueryEdit, word: str) -> Iterator[ColumnSample]:
    """Yield the columns that a word means, by the first of its meanings that one has."""
    meant = meaning_of(word, _ranked_columns(edit))
    if meant is not None:
        yield from (column for column in _ranked_columns(edit) if means(meant[1], column))


def _ranked_columns(edit: QueryEdit) -> list[ColumnSample]:
    """Return the columns that rows can be ranked by."""
    columns = edit.table.columns.values()
    return [c for c in columns if c.kind in {"number", "date"} and not c.is_key]


def _explain(edit: QueryEdit) -> None:
    """Take the words that ask which one it is, and those for the rows and what is ranked."""
    query = edit.query
    named = [query.by, query.order, *query.columns, *(m.column for m in query.measures)]
    stems = {root for name in named if name for root in header_stems(name)}
    stems.update(row_stems(query.source))
    if any(name and edit.table[name].kind == "date" for name in named):
        stems.update(PARTS)
    question = edit.question
    edit.left -= {p for p in edit.left if question.raw[p] in _BESIDE or question.stems[p] in stems}
