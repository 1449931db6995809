"""Groups listed: "the suppliers with their number of articles" is a number for each supplier."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.word_meanings import header_meanings
from okso_jupyter.planning.table_questions.words import stem

_COMPUTED: Final = (
    r"(?:(?:total|overall|average|mean|median)\s+\w|(?:number|count|sum)\s+of\b|"
    r"(?:anzahl|summe|durchschnitt\w*|gesamt\w*)\b)"
)
_LISTED: Final = re.compile(
    r"(?i)^\W*(?:(?:list|show|name|zeige?|nenne|liste)\s+(?:(?:me|mir)\s+)?)?"
    r"(?:(?:all|the|every|each|alle|jede[nrs]?|d(?:ie|en|er))\s+)*(?P<groups>[^\W\d_]+)\s+"
    r"(?:(?:with|and|mit|und)\s+(?:their|its|ihre[nrm]?|seine[nrm]?)|with(?:\s+the)?|mit(?:\s+der)?)"
    rf"\s+(?P<computed>{_COMPUTED}.*)$"
)
#: A condition on the number keeps some of the groups: "customers with a total amount over 500".
_CONDITION: Final = re.compile(
    r"(?i)\d|[<>=]|\b(?:over|under|above|below|more|less|fewer|than|least|most|between|"
    r"über|unter|mehr|weniger|als|mindestens|höchstens)\b"
)


def with_listed_groups(
    question: str, read: Callable[[str], Sequence[QueryReading]]
) -> tuple[QueryReading, ...]:
    """Return the readings of a question that lists groups with what is computed of each.

    () where it lists none, or no column has these groups.

    Args:
        question: The question.
        read: Returns the readings of a question.
    """
    listed = _LISTED.search(question)
    if listed is None or _CONDITION.search(listed["computed"]):
        return ()
    computed = listed["computed"].rstrip(" ?.!")
    readings = read(f"{computed} per {listed['groups']}")
    named = stem(listed["groups"].lower())
    is_of_groups = bool(readings) and named in header_meanings(readings[0].query.by)
    return tuple(readings) if is_of_groups else ()
