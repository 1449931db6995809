"""Denied rest: "how many are open, and how many are not" is of a condition and of its opposite."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from okso_jupyter.planning.table_questions.confidence import UNANSWERED, less_sure
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.with_and_without import says_both
from okso_jupyter.planning.table_questions.words import STOP, forms_of, tokens
from okso_jupyter.tables.query import OPPOSITES, Filter, Query

_NOT: Final = (
    r"(?:(?:are|is|do|does|did|have|has|had|were|was)(?:\s+not|n['’]?t)|not|"
    r"(?:(?:sind|ist|haben|hat|waren|war)\s+)?nicht)(?:\s+(?:yet|noch))?"
)
#: The second question, which says no more than that: nothing follows.
_DENIED: Final = re.compile(
    r"(?i)(?:\?|,|\s+(?:and|und|or|oder))+\s+"
    rf"(?P<said>(?:how\s+(?:many|much)|wie\s?viele?|which(?:\s+ones)?|welche|who|wer)\s+{_NOT})\W*$"
)
_DAY: Final = re.compile(r"\d{4}-\d\d(?:-\d\d)?")
_FILE: Final = re.compile(r"(?:\b(?:in|from|of)\s+)?\S+\.\w{2,7}\s*$")


def with_denied_rest(
    question: str, read: Callable[[str], Sequence[QueryReading]]
) -> tuple[QueryReading, ...]:
    """Return the readings of a question with the query of what it denies beside each.

    () where it denies nothing, or is of the two groups of a column.

    Args:
        question: The question.
        read: Returns the readings of a question.
    """
    denied = _DENIED.search(question)
    if denied is None or says_both(question):
        return ()
    first = question[: denied.start()]
    return tuple(_with_rest(reading, first, denied["said"]) for reading in read(first))


def _with_rest(reading: QueryReading, first: str, said: str) -> QueryReading:
    """Return a reading with the query of its denied condition; it is told where there is none."""
    rest = _denied(reading.query, first)
    if rest is None:
        return replace(less_sure(reading, UNANSWERED), left_out=said)
    return replace(reading, also=(*reading.also, rest))


def _denied(query: Query, question: str) -> Query | None:
    """Return a query with the opposite of the condition that is denied; None if that is not known.

    It is the one that the question says last. Nothing may be said behind it: that could be what is
    denied, and not be understood.
    """
    if not query.filters or query.limit or query.by:
        return None
    places = {each: _place(each, question) for each in query.filters}
    last = max(places, key=lambda each: places[each])
    comparison = OPPOSITES.get(last.comparison)
    is_known = len(places) == 1 or all(place >= 0 for place in places.values())
    if comparison is None or not is_known or _says_more(question, places[last]):
        return None
    opposite = replace(last, comparison=comparison)
    return replace(query, filters=tuple(opposite if f is last else f for f in query.filters))


def _place(each: Filter, question: str) -> int:
    """Return the place of the last word of a question that is of a condition; -1 if none is.

    That of a date is not known: it is said in other words.
    """
    if each.part or (isinstance(each.value, str) and _DAY.fullmatch(each.value)):
        return -1
    said = [forms_of((word,)) for word in tokens(question)]
    own = {form for word in tokens(f"{each.column} {each.value}") for form in forms_of((word,))}
    return max((place for place, forms in enumerate(said) if not own.isdisjoint(forms)), default=-1)


def _says_more(question: str, place: int) -> bool:
    """Return whether a question has words behind a place that name something, and no file."""
    behind = tokens(_FILE.sub("", question))[place + 1 :]
    return any(word.isalpha() and word not in STOP for word in behind)
