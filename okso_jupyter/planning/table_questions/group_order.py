"""Group order: the order that a question asks for the groups of its result.

"Total per client, largest first" is the total per client, and then an order. The weights are
fitted on questions without one, and read the superlative as what is computed, so it is cut out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from okso_jupyter.planning.request.wording import columns_named
from okso_jupyter.planning.table_questions.confidence import UNANSWERED, less_sure
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.words import tokens
from okso_jupyter.tables.query import Query

#: What is best may be most or least, as of grades.
_DOWN: Final = r"(?:highest|largest|biggest|greatest|most|(?:größt|höchst|meist)e[nrsm]?)"
_UP: Final = r"(?:lowest|smallest|fewest|least|(?:kleinst|niedrigst|geringst|wenigst)e[nrsm]?)"
_END: Final = rf"(?:(?P<down>{_DOWN})|{_UP})"
_THE: Final = r"(?:(?:the|its|their|d(?:ie|er|as|e[nm]))\s+)?"
_DIRECTION: Final = (
    r"(?:(?P<descending>desc(?:ending)?|absteigende?[rnm]?)|asc(?:ending)?|aufsteigende?[rnm]?)"
)
_SORTED: Final = (
    r"(?:sort(?:ed)?|ordered|rank(?:ed)?|sortiert?|order(?=\s+(?:it|them|by)\b))"
    r"(?:\s+(?:it|them|sie))?"
)
_ALPHABET: Final = (
    r"(?P<descending>(?:reversed?|descending|umgekehrte?[rn]?)\s+)?(?P<alphabet>alphabet\w+)"
    r"(?:\s+(?:order|reihenfolge))?(?P<down>\s+(?:descending|backwards|rückwärts|absteigend))?"
)
_BY: Final = rf"(?:by|nach)\s+{_THE}(?P<named>\w+(?:\s+\w+)?)"
_TO: Final = rf"(?:bis\s+)?(?:to|zu[mr]?|nach)\s+{_THE}"
_FROM_TO: Final = (
    rf"(?:(?:from|vo[nm])\s+)?{_THE}(?:{_END}\s+{_TO}(?:{_DOWN}|{_UP})|"
    rf"(?:(?P<large>high|large|big|groß)|low|small|klein)\s+{_TO}(?:high|large|big|groß|low|small|klein))"
)
_FIRST: Final = (
    rf"{_THE}{_END}(?:\s+(?P<named>\w+))?\s+(?:first|on\s+top|at\s+the\s+top|zuerst|oben)"
)
_STARTS: Final = rf"(?:starting|beginning|angefangen)\s+(?:with|mit)\s+{_THE}{_END}"
#: What says an order at the end of a question, or before its table; whole phrases before parts.
_ORDERS: Final = tuple(
    re.compile(rf"(?i)[\s,;(-]+(?:(?:and|und)\s+)?{pattern}[).!]*(?=\W*$|\s+(?:in|from)\b)")
    for pattern in (
        rf"(?:{_SORTED}\s+)?(?:{_FROM_TO})",
        rf"(?:{_SORTED}\s+)?(?:with\s+)?(?:{_FIRST})",
        rf"(?:{_SORTED}\s+)?(?:{_STARTS})",
        rf"(?:{_SORTED}\s+)?(?:in\s+)?{_ALPHABET}(?:\s+sortiert)?",
        rf"{_SORTED}\s+(?:{_BY},?\s+)?(?:in\s+)?{_DIRECTION}(?:\s+order)?",
        rf"(?<=,\s){_BY}\s+{_DIRECTION}(?:\s+sortiert)?",
        rf"{_DIRECTION}\s+sortiert",
        rf"(?:in\s+)?{_DIRECTION}(?:\s+(?:order|reihenfolge))?",
        r"in\s+(?:(?P<descending>decreasing)|increasing)\s+order",
    )
)
#: What is computed, in words of its own: "sorted by total".
_COMPUTED: Final = re.compile(
    r"(?i)(?:totals?|sums?|counts?|numbers?|averages?|means?|results?|frequency|"
    r"summen?|anzahl|durchschnitt|häufigkeit)\b"
)
_REVENUE: Final = re.compile(r"(?i)(?:revenue|sales|turnover|umsatz)\b")


@dataclass(frozen=True, slots=True)
class GroupOrder:
    """An order that a question says.

    Attributes:
        question: The question without it.
        said: The words that say it.
        descending: Whether the largest comes first.
        named: What it says to sort by; "" where it does not say it.
        is_alphabetical: Whether it sorts by what the groups are called.
    """

    question: str
    said: str
    descending: bool
    named: str = ""
    is_alphabetical: bool = False

    def applied_to(self, reading: QueryReading) -> QueryReading:
        """Return a reading with its groups in this order.

        It is left out where it is by something else than the groups or what is computed of them.
        """
        query = reading.query
        if self.is_alphabetical or self._names_groups(query):
            order = query.by
        elif self._names_measure(query):
            order = ""
        else:
            return replace(less_sure(reading, UNANSWERED), left_out=self.said)
        return replace(reading, query=replace(query, order=order, descending=self.descending))

    def _names_groups(self, query: Query) -> bool:
        is_part = bool(query.part) and query.part.split()[-1] in in_english(tokens(self.named))
        return is_part or columns_named(f"by {self.named}", [query.by]) == [query.by]

    def _names_measure(self, query: Query) -> bool:
        first, *others = query.measures
        columns = [measure.column for measure in query.measures if measure.column]
        named = columns_named(f"by {self.named}", columns)
        is_alone = not others and _COMPUTED.match(self.named)
        is_revenue = first.function == "sum" and _REVENUE.match(self.named)
        return not self.named or named[:1] == [first.column] or bool(is_alone or is_revenue)


def in_group_order(
    question: str, read: Callable[[str], Sequence[QueryReading]]
) -> tuple[QueryReading, ...]:
    """Return the readings of a question in the order that it says its groups are to have.

    () where it says none, or what is left of it asks for no groups.

    Args:
        question: The question.
        read: Returns the readings of a question.
    """
    asked = _order(question)
    readings = read(asked.question) if asked else ()
    if asked is None or not readings or not _shows_groups(readings[0].query):
        return ()
    return tuple(asked.applied_to(each) for each in readings if _shows_groups(each.query))


def _shows_groups(query: Query) -> bool:
    """Return whether a query computes something of each group, and shows all of them.

    A line over time has its own order.
    """
    is_over_time = query.chart == "line" and bool(query.part)
    is_of_groups = bool(query.by and query.measures)
    return is_of_groups and not (query.limit or query.combine or is_over_time)


def _order(question: str) -> GroupOrder | None:
    """Return the order that a question says; None if it says none."""
    for pattern in _ORDERS:
        found = pattern.search(question)
        if found and found.start():
            parts = found.groupdict()
            is_down = any(parts.get(part) for part in ("down", "large", "descending"))
            rest = question[: found.start()] + question[found.end() :]
            named, is_alphabetical = parts.get("named") or "", bool(parts.get("alphabet"))
            return GroupOrder(rest, found[0].strip(" ,"), is_down, named, is_alphabetical)
    return None
