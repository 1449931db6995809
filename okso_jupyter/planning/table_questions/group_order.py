"""Group order: which groups come first, where a question that computes for each says it.

"Total per client, largest first" is the total per client, and then an order. The weights are
fitted on questions without one, and read the superlative as what is computed, so it is cut out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from okso_jupyter.planning.request.wording import columns_named
from okso_jupyter.planning.table_questions.readings import QueryReading
from okso_jupyter.tables.query import Query

_DOWN: Final = r"(?:highest|largest|biggest|greatest|most|best|(?:größt|höchst|meist|best)e[nrsm]?)"
_UP: Final = (
    r"(?:lowest|smallest|fewest|least|worst|"
    r"(?:kleinst|niedrigst|geringst|wenigst|schlechtest)e[nrsm]?)"
)
_END: Final = rf"(?:(?P<down>{_DOWN})|{_UP})"
_THE: Final = r"(?:(?:the|its|their|d(?:ie|er|as|e[nm]))\s+)?"
_DIRECTION: Final = (
    r"(?:(?P<descending>desc(?:ending)?|decreasing|absteigende?[rnm]?|fallend)|"
    r"asc(?:ending)?|increasing|aufsteigende?[rnm]?|steigend)"
)
_SORTED: Final = r"(?:sort|order|rank|sortier)(?:ed|e|t)?(?:\s+(?:it|them|sie))?"
_BY: Final = rf"(?:by|nach)\s+{_THE}(?P<named>\w+(?:\s+\w+)?)"
_FROM_TO: Final = (
    rf"(?:(?:from|vo[nm])\s+)?{_THE}{_END}\s+(?:bis\s+)?(?:to|zu[mr]?)\s+{_THE}(?:{_DOWN}|{_UP})"
)
_FIRST: Final = (
    rf"{_THE}{_END}(?:\s+(?!recent)\w+)?\s+(?:first|on\s+top|at\s+the\s+top|zuerst|oben)"
)
_STARTS: Final = rf"(?:starting|beginning|angefangen)\s+(?:with|mit)\s+{_THE}{_END}"
#: What is computed, in words of its own: "sorted by total".
_AMOUNT: Final = re.compile(
    r"(?i)(?:totals?|sums?|amounts?|counts?|numbers?|averages?|means?|values?|results?|size|"
    r"frequency|revenue|sales|summen?|anzahl|umsatz|durchschnitt|werte?|größe|häufigkeit)\b"
)
#: What says an order, with the end that comes first; whole phrases before parts of them.
_ORDERS: Final = tuple(
    re.compile(rf"(?i)[\s,;(-]+(?:(?:and|und)\s+)?{pattern}[).!]*(?=\W*$|\s+(?:in|from|of)\b)")
    for pattern in (
        rf"(?:{_SORTED}\s+)?(?:{_FROM_TO})",
        rf"(?:{_SORTED}\s+)?(?:with\s+)?(?:{_FIRST})",
        rf"(?:{_SORTED}\s+)?(?:{_STARTS})",
        rf"{_SORTED}\s+(?:{_BY},?\s+)?(?:in\s+)?{_DIRECTION}(?:\s+order)?",
        rf"(?:{_BY}\s+)?{_DIRECTION}\s+sortiert",
        rf"(?:in\s+)?{_DIRECTION}(?:\s+(?:order|reihenfolge))?",
    )
)


@dataclass(frozen=True, slots=True)
class GroupOrder:
    """An order that a question says.

    Attributes:
        question: The question without it.
        descending: Whether what is largest comes first.
        named: What it says to sort by; "" where it does not say it.
    """

    question: str
    descending: bool
    named: str = ""

    @classmethod
    def of(cls, question: str) -> Self | None:
        """Return the order that a question says; None where it says none."""
        for pattern in _ORDERS:
            found = pattern.search(question)
            if found and found.start():
                said = found.groupdict()
                is_down = bool(said.get("down") or said.get("descending"))
                rest = question[: found.start()] + question[found.end() :]
                return cls(rest, is_down, said.get("named") or "")
        return None

    def puts(self, query: Query) -> Query | None:
        """Return a query with its groups so; None if it has none, or others are named."""
        if not (query.by and query.measures) or query.limit or query.combine:
            return None
        amounts = [measure.column for measure in query.measures if measure.column]
        named = columns_named(f"by {self.named}", [query.by, *amounts])
        if self.named and not named and not _AMOUNT.match(self.named):
            return None
        order = query.by if named[:1] == [query.by] else ""
        return replace(query, order=order, descending=self.descending)


def in_group_order(
    question: str, read: Callable[[str], Sequence[QueryReading]]
) -> tuple[QueryReading, ...]:
    """Return the readings of a question in the order that it says its groups are to have.

    () where it says none, or what is left of it asks for no groups.

    Args:
        question: The question.
        read: Returns the readings of a question.
    """
    asked = GroupOrder.of(question)
    readings = read(asked.question) if asked else ()
    if asked is None or not readings or asked.puts(readings[0].query) is None:
        return ()
    ordered = ((reading, asked.puts(reading.query)) for reading in readings)
    return tuple(replace(reading, query=query) for reading, query in ordered if query)
