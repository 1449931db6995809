"""Stated group ends: "which exhibition has the most visitors" adds up the rows of each.

What has many rows has most of something by their sum, and is rated best by their mean; no single
row tells it. "Which voice has the fewest members" counts the rows of members.csv.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.stated_subject import NEVER_SUMMED
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import stem, tokens
from okso_jupyter.tables.query import Measure, Query

_MOST: Final = re.compile(
    r"^(?:(?:in|at|on|for|with) )?(?:which|what) (?P<group>\w+)\b(?P<between>.*?)"
    r"(?<!at )\b(?P<end>most|least|fewest) (?P<amount>\w+)(?P<behind>.*)"
)
_RATED: Final = re.compile(
    r"^(?:which|what) (?P<group>\w+)\b.*\b(?P<end>best|highest|worst|lowest)\b"
    r"(?=.*\b(?:rated|bewertet|benotet|ratings?|bewertung(?:en)?)\b)|"
    r"^(?:which|what) (?P<rated>\w+)\b.*\b(?:rated|bewertet|benotet)\b.*?"
    r"\b(?P<last>best|highest|worst|lowest)\b"
)
#: One row is asked for, or how it is compared: "in a single day", "per visit".
_OF_ONE_ROW: Final = re.compile(
    r"\b(?:single|once|einzeln\w*|einmal|per|pro|each|every|average|mean|median|or|at a time|"
    r"in one|on one|in a|on a|in an|maximum|minimum)\b"
)
_RATINGS: Final = re.compile(
    r"(?i)(?<![^\W\d_])(?:ratings?|bewertung(?:en)?|stars?|sterne?|score|note|grade)(?![a-z])"
)


def stated_group_ends(question: str, table: TableSample) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where the group with the most of something is asked for.

    Args:
        question: The question.
        table: Its table.
    """
    asked = " ".join(in_english(tokens(question)))
    if _OF_ONE_ROW.search(asked):
        return
    rated = _RATED.search(asked)
    if rated:
        group = _group_called(rated["group"] or rated["rated"], table)
        ratings = [c for c in _own_numbers(table) if _RATINGS.search(c.name)]
        if group and len(ratings) == 1:
            end = rated["end"] or rated["last"]
            mean = Measure("mean", ratings[0].name)
            yield partial(_is_end, group=group, measure=mean, is_most=end in {"best", "highest"})
        return
    found = _MOST.search(asked)
    group = _group_called(found["group"], table) if found else ""
    measure = _measure(found["amount"], table) if found else None
    if found and group and measure is not None:
        yield partial(_is_end, group=group, measure=measure, is_most=found["end"] == "most")


def _group_called(noun: str, table: TableSample) -> str:
    """Return the only column of texts that is called so, if its values come in several rows."""
    called = [c for c in table.columns.values() if stem(noun) in c.stems]
    is_group = len(called) == 1 and called[0].kind == "text" and called[0].repeats
    return called[0].name if is_group and stem(noun) not in table.stems else ""


def _measure(noun: str, table: TableSample) -> Measure | None:
    """Return what there is most of: a sum of the only column that is called so, or the rows."""
    said = stem(noun)
    called = [c for c in table.columns.values() if said in c.stems]
    if not called:
        return Measure("count") if said in table.stems and not table.made_of.joins else None
    summed = [c for c in called if c in _own_numbers(table) and not NEVER_SUMMED.search(c.name)]
    return Measure("sum", summed[0].name) if len(called) == len(summed) == 1 else None


def _own_numbers(table: TableSample) -> list[ColumnSample]:
    """Return the columns of amounts, but those of joined tables, which repeat them."""
    return [
        column
        for name, column in table.columns.items()
        if column.has_numbers and name not in table.made_of.joined_by
        if not (column.is_key or column.is_year or column.is_name or column.is_identifier)
    ]


def _is_end(query: Query, group: str, measure: Measure, *, is_most: bool) -> bool:
    """Return whether a query is for the group with the most, or the least, of a measure."""
    is_one = query.by == group and query.limit == 1
    return is_one and query.measures == (measure,) and query.descending == is_most
