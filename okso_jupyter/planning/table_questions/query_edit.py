"""Query edits: a query with the changes of a follow-up, and the words that none explains yet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import STOP, QuestionWords
from okso_jupyter.tables.column_kinds import OF_ANY
from okso_jupyter.tables.query import Query

#: Words that ask for something of their own, or join two things.
_ASKING: Final = frozenset(
    "what which who when where how many much or was wie viele viel welche welcher welches wer "
    "wo".split()
)
#: Words that go on and say nothing else.
FILLERS: Final = (STOP - _ASKING) | frozenset(
    "and und about only just nur now jetzt same instead stattdessen please bitte then dann but "
    "also auch me it them those these rows row ones one fur mit value values as als show zeig "
    "zeige use take compute nimm verwende".split()
)


@dataclass(slots=True)
class QueryEdit:
    """The changes of one query, and the words of the request that none of them explains yet."""

    question: QuestionWords
    table: TableSample
    query: Query
    changed: list[str] = field(default_factory=list)
    left: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.left = {p for p, word in enumerate(self.question.raw) if word not in FILLERS}

    @property
    def fits(self) -> bool:
        """Whether the measured columns have numbers where the functions need them."""
        return all(
            self.table[name].kind != "text" or measure.function in OF_ANY
            for measure in self.query.measures
            for name in (measure.column, measure.other)
            if name
        )

    def word_at(self, place: int) -> str:
        """Return the word at a place; "" behind the last one."""
        return self.question.raw[place] if place < len(self.question.raw) else ""

    def column_in(self, places: set[int]) -> tuple[ColumnSample, set[int]] | None:
        """Return the column whose whole name these words have; None for none or several."""
        whole = [
            (column, own)
            for column in self.table.columns.values()
            if (own := self.mentions(column, places))
        ]
        longest = max((len(own) for _, own in whole), default=0)
        best = [(column, own) for column, own in whole if len(own) == longest]
        return best[0] if len(best) == 1 else None

    def mentions(self, column: ColumnSample, places: set[int]) -> set[int]:
        """Return the places of all words of a column's name; none if one is missing."""
        by_stem = {self.question.stems[p]: p for p in places}
        own = {by_stem[stem] for stem in column.stems if stem in by_stem}
        return own if len(own) == len(column.stems) else set()

    def places(self, cues: Iterable[str]) -> set[int]:
        """Return the places of the unexplained words that are one of some cues."""
        known = set(cues)
        raw, stems = self.question.raw, self.question.stems
        return {p for p in self.left if raw[p] in known or stems[p] in known}

    def change(self, places: set[int], said: str, **parts: Any) -> None:  # noqa: ANN401  fields of a query
        """Change fields of the query, which explains the words at some places."""
        self.query = replace(self.query, **parts)
        self.left -= places
        self.changed.append(said)
