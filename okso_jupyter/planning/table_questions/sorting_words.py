"""Sorting words: "order" and "ordered" where they say how rows are sorted, and name no table."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from okso_jupyter.planning.table_questions.table_sample import ColumnSample
from okso_jupyter.planning.table_questions.words import STOP, QuestionWords

#: What an order is, in "in alphabetical order".
KINDS_OF_ORDER: Final = frozenset(
    "alphabetical alphabetic chronological numerical numeric ascending descending increasing "
    "decreasing rising falling reverse reversed sorted random alphabetisch alphabetischer "
    "chronologisch chronologischer aufsteigend absteigend".split()
)
#: "Orders by city" sorts nothing, and neither does "was ordered by Ada".
_SORTING: Final = frozenset({"order", "ordered"})
_WAS: Final = frozenset("was were been is are".split())
#: What rows are sorted by, whatever table has it.
_SORTED_BY: Final = frozenset("name date price amount time age size number id".split())


def sorting_places(question: QuestionWords, columns: Iterable[ColumnSample]) -> set[int]:
    """Return the places of "order" and "ordered" where they say how rows are sorted."""
    places = {place for place, word in enumerate(question.raw) if word in _SORTING}
    named = {root for column in columns for root in column.stems} if places else set()
    return {place for place in places if _sorts(question, place, named | _SORTED_BY)}


def _sorts(question: QuestionWords, place: int, named: Collection[str]) -> bool:
    """Return whether "order" stands in "in order of", "in date order" or "ordered by name"."""
    raw, stems = question.raw, question.stems
    first = place
    while first and (raw[first - 1] in KINDS_OF_ORDER or stems[first - 1] in named):
        first -= 1
    if raw[place] == "order" and raw[first - 1 : first] == ("in",):
        return first < place or place + 1 not in question.numbers
    if raw[place - 1 : place] and raw[place - 1] in _WAS:
        return False  # "ordered by Ada", which says who did it
    by = next((at for at in range(place + 2, len(raw)) if raw[at] not in STOP), None)
    return raw[place + 1 : place + 2] == ("by",) and by is not None and stems[by] in named
