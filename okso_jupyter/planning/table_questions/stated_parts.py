"""Stated parts: what a question says outright, so that no fitted weight has to guess it.

"... per city" groups by city, "... sorted by amount" sorts by amount, and "... excluding London"
leaves rows out. Readings that do not are left out where others do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from okso_jupyter.planning.request.wording import columns_named
from okso_jupyter.planning.table_questions.beyond_queries import beyond
from okso_jupyter.planning.table_questions.confidence import (
    UNANSWERED,
    all_less_sure,
    with_confidence,
)
from okso_jupyter.planning.table_questions.fitted_weights import CERTAINTY, shipped_weights
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.stated_adjectives import stated_adjectives
from okso_jupyter.planning.table_questions.stated_direction import called_ends, stated_direction
from okso_jupyter.planning.table_questions.stated_ends import stated_ends
from okso_jupyter.planning.table_questions.stated_group_ends import stated_group_ends
from okso_jupyter.planning.table_questions.stated_order import in_order, says_order
from okso_jupyter.planning.table_questions.stated_rows import stated_rows, with_whole_rows
from okso_jupyter.planning.table_questions.stated_subject import (
    dated_by,
    meant_dates,
    stated_subject,
)
from okso_jupyter.planning.table_questions.stated_values import (
    says_none,
    says_not_done,
    stated_values,
)
from okso_jupyter.planning.table_questions.table_fit import SUPERLATIVE
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.with_and_without import says_both
from okso_jupyter.planning.table_questions.words import (
    QuestionWords,
    forms_of,
    header_stems,
    header_words,
    stem,
    tokens,
    without_rates,
)
from okso_jupyter.tables.query import Filter, Query

#: Readings that a person can choose from, what is not stated has this much less log-odds than what
#: is, and is right this often.
_FEWEST: Final = 8
_LESS: Final = 3.0
_HARDLY: Final = 0.05
#: Readings of a question that are looked through for those that can be drawn, or are stated.
LOOKED_THROUGH: Final = 600
_GROUPED: Final = re.compile(
    r"(?i)\b(?:per|(?:for|in|at|of|from|did|does|has|have) (?:each|every)|je|pro)\b(?P<named>.*)"
)
_EACH_OF: Final = re.compile(
    r"\b(?:per|for each|for every) (?!cent\b|hundred\b|percent\b|se\b|person\b)"
    r"(?:the )?(?P<named>[^\W\d_]{3,})"
)
#: Where what is asked for is in no reading, a reading is right this often at most.
_HARDLY_GROUPED: Final = 0.2
#: "Total per category" is a sum for each, also where no column is called so.
_TOTAL_PER: Final = re.compile(
    r"(?i)^(?:(?:show|give)(?: me)? )?(?:the )?(?:totals?|sums?|summen?) "
    r"(?:per|by|(?:for|of|in) (?:each|every)|pro|je|nach)\b"
)
#: "Count the members by city": what is counted, or added up, is so for each of them.
_COUNTED_BY: Final = re.compile(
    r"(?i)^(?:count|(?:the )?number of|anzahl|(?:sum|add) up|(?:the )?(?:sum|total))\b.*?"
    r"\b(?:by|nach)\b(?P<named>.*)"
)
_BY: Final = r"\b(?:by|nach)\b(?P<named>.*)"
_ONE_ROW: Final = re.compile(
    r"(?i)^(?:(?:show|display|print|give)\s+(?:me\s+)?|what\s+is\s+|zeige?\s+(?:mir\s+)?)?"
    r"(?:the\s+|die\s+)?(?P<end>first|last|erste|letzte)\s+(?:row|line|entry|record|zeile)\b"
)
_LEFT_OUT: Final = re.compile(
    r"(?i)\b(?:excluding|except(?: for)?|without|other than|not counting|ignoring|outside(?: of)?|"
    r"apart from|ohne|außer(?:halb)?)\b"
    r"(?P<named>.*)"
)
#: "Which regions are there?" asks for every value of a column.
_EVERY_VALUE: Final = re.compile(
    r"(?i)^(?:which|what|welche)\s+(?P<named>\w+(?:\s\w+)?)\s+"
    r"(?:are|exist|do(?:es)?(?: it)? have|has|have|gibt es|sind|hat)(?: there| da)?\W*$"
)
#: One row with an end of something: "which invoice has the highest total".
_WHICH_ROW: Final = re.compile(
    r"^(?:(?:for|at|in|with|of) )?which (?P<noun>\w+) .*\b(?:highest|lowest|longest|shortest)\b"
)
_AVERAGE: Final = re.compile(r"(?i)\b(?:average|im (?:durch)?schnitt|durchschnittlich)\b")
#: An average that rows are compared with is none that is asked for.
_BESIDE_AVERAGE: Final = re.compile(
    r"(?i)\b(?:above|below|over|under|beyond|than|from)\s+(?:the\s+|an?\s+)?average\b"
)
#: Asks for days: "on which dates", "an welchen Tagen".
_ON_DAYS: Final = re.compile(r"^(?:on|at) (?:which|what) (?P<noun>\w+)\b")
_DAYS: Final = frozenset({"day", "days", "date", "dates"})
#: Columns that hold averages already.
_AVERAGES: Final = frozenset(map(stem, ("average", "avg", "mean", "durchschnitt")))


def as_stated(
    question: str, readings: Sequence[QueryReading], table: TableSample
) -> tuple[QueryReading, ...]:
    """Return the readings that do what the question says outright, with their confidence.

    All are returned where none does; where few do, others follow that are hardly meant.

    Args:
        question: The question.
        readings: Its readings, best first.
        table: The table.
    """
    columns = [*table.columns]
    kept = _one_row(question, in_order(question, readings, table))
    queries = [reading.query for reading in kept]
    tests = (
        *_of_days(question, table),
        *_stated(question, columns),
        *_of_adjectives(question, table),
        *stated_group_ends(question, table),
        *_of_row(question, table),
        *stated_rows(question, columns, queries),
    )
    for is_done in tests:
        kept = [reading for reading in kept if is_done(reading.query)] or kept
    kept = _with_values(question, _of_one_date(question, kept, columns))
    most = _HARDLY_GROUPED if _lacks_groups(question, columns, kept) else 1.0
    sure = with_confidence(with_whole_rows(question, kept), shipped_weights(), most=most)
    unsaid = beyond(question, sure[0].query, table) if sure else ""
    if unsaid:
        sure = all_less_sure(sure, UNANSWERED, left_out=unsaid)
    return (*sure, *_behind(sure, readings))


def _of_adjectives(question: str, table: TableSample) -> Iterator[Callable[[Query], bool]]:
    """Yield a test for the column that an adjective means, unless it says an order."""
    asked = " ".join(in_english(tokens(question)))
    if not says_order(asked):
        yield from stated_adjectives(question, table, called_ends(asked, [*table.columns]))


def _of_row(question: str, table: TableSample) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where a row is asked for by what rows are called: no groups of another column.

    "Which invoice took longest" is one of invoices.csv, and no client with the longest mean.
    """
    asked = _WHICH_ROW.search(" ".join(in_english(tokens(question))))
    noun = stem(asked["noun"]) if asked else ""
    if noun in table.stems:
        yield lambda query: not query.by or noun in header_stems(query.by)


def _of_days(question: str, table: TableSample) -> Iterator[Callable[[Query], bool]]:
    """Yield tests where days are asked for, of which the table has one column."""
    dates = [name for name, column in table.columns.items() if column.kind == "date"]
    asked = " ".join(in_english(tokens(question)))
    found = _ON_DAYS.search(asked)
    if found and len(dates) == 1 and found["noun"] in {*_DAYS, *header_words(dates[0])}:
        yield lambda query: dates[0] in {query.by, *query.columns[:1]}
        if not SUPERLATIVE.search(asked):
            yield lambda query: not query.limit


def _lacks_groups(question: str, columns: Sequence[str], readings: Sequence[QueryReading]) -> bool:
    """Return whether a question is of groups that no column tells apart, as in "per tank"."""
    if says_both(question):
        return True
    said = _EACH_OF.search(" ".join(in_english(tokens(question))))
    if said is None or any(reading.query.by for reading in readings[:1]):
        return False
    # "price per bottle" is a column, and "per cent" a share
    return not any(stem(said["named"].lower()) in header_stems(name) for name in columns)


def _behind(
    kept: Sequence[QueryReading], readings: Sequence[QueryReading]
) -> Iterator[QueryReading]:
    """Yield further readings for a person to choose from, with fewer points than those kept."""
    if not kept:
        return
    known = {reading.query for reading in kept}
    others = [reading for reading in readings if reading.query not in known]
    most = min(sum(reading.points.values()) for reading in kept) - _LESS
    for reading in others[: max(0, _FEWEST - len(kept))]:
        less = max(0.0, sum(reading.points.values()) - most)
        points = {**reading.points, CERTAINTY: reading.points.get(CERTAINTY, 0.0) - less}
        yield replace(reading, points=points, confidence=_HARDLY)


def _one_row(question: str, readings: Sequence[QueryReading]) -> list[QueryReading]:
    """Return the reading for the first or last row as they stand, where a question asks for it.

    The enumeration takes no end of one row without an order.
    """
    asked = _ONE_ROW.search(question)
    if asked is None or not readings:
        return list(readings)
    rows = next((reading for reading in readings if _is_of_rows(reading.query)), readings[0])
    filters = rows.query.filters if _is_of_rows(rows.query) else ()
    is_last = asked["end"].lower() in {"last", "letzte"}
    query = Query(rows.query.source, filters=filters, limit=1, descending=is_last)
    return [replace(rows, query=query)]


def _of_one_date(
    question: str, readings: Sequence[QueryReading], columns: Sequence[str]
) -> list[QueryReading]:
    """Return the readings whose periods are of the dates that are meant, of several."""
    dates = meant_dates(question, columns, [reading.query for reading in readings])
    return [r for r in readings if dated_by(r.query) <= dates] or list(readings)


def _with_values(question: str, readings: Sequence[QueryReading]) -> list[QueryReading]:
    """Return the readings from the one on that adds the values in question to the best one.

    A value of a column of which the best reading says nothing is a filter: "at Harbour". Readings
    are scored by their points, so those before it, and those without the filter, are left out.
    """
    if not readings:
        return []
    best = readings[0].query

    def added(query: Query) -> int:
        more = [each for each in query.filters if each not in best.filters]
        is_same = replace(query, filters=best.filters, distinct=best.distinct) == best
        is_wider = len(query.filters) == len(best.filters) + len(more)
        has_said = all(each.column not in best.names and is_said(each, question) for each in more)
        return len(more) if is_same and is_wider and has_said else 0

    first = max(readings, key=lambda reading: added(reading.query))
    behind = readings[readings.index(first) :]
    said = set(first.query.filters) if first is not readings[0] else set()
    return [reading for reading in behind if said <= set(reading.query.filters)]


def is_said(each: Filter, question: str) -> bool:
    """Return whether a question names the value of a filter, or says that there is none."""
    if each.comparison == "is missing":
        stems = header_stems(each.column)
        return says_none(question, stems) or says_not_done(question, stems)
    if each.part == "year" and each.comparison == "=":
        return str(each.value) in tokens(question)
    if each.comparison != "=" or not isinstance(each.value, str):
        return False
    words = tokens(each.value)
    is_whole = f" {' '.join(words)} " in f" {' '.join(tokens(question))} "
    return is_whole or not forms_of(words).isdisjoint(_forms(question))


@lru_cache(maxsize=8)
def _forms(question: str) -> frozenset[str]:
    """Return the forms of all that a question names."""
    return frozenset(QuestionWords(question).forms)


def _is_of_rows(query: Query) -> bool:
    """Return whether a query shows whole rows, in their own order."""
    return query == Query(query.source, filters=query.filters)


def _stated(question: str, columns: Sequence[str]) -> Iterator[Callable[[Query], bool]]:
    """Yield a test of a query for each part that the question states."""
    grouped = _named_behind(_GROUPED, without_rates(question, columns), columns)
    grouped = grouped or _named_behind(_COUNTED_BY, question, columns)
    if grouped:
        # what a superlative asks for is grouped by that: "which city has the most per customer"
        yield lambda query: query.by == grouped or bool(query.limit or query.order)
    if _TOTAL_PER.search(question):
        yield lambda query: bool(query.by) and [m.function for m in query.measures] == ["sum"]
    every = _named_behind(_EVERY_VALUE, question, columns)
    if every:
        yield lambda query: query.columns == (every,) and query.distinct
    has_averages = any(not _AVERAGES.isdisjoint(header_stems(name)) for name in columns)
    is_compared = _BESIDE_AVERAGE.search(question)
    if _AVERAGE.search(question) and not (is_compared or has_averages):
        yield lambda query: any(measure.function == "mean" for measure in query.measures)
    left_out = _LEFT_OUT.search(question)
    if left_out:
        words = left_out["named"].lower()
        yield lambda query: any(
            each.comparison == "!=" and str(each.value).lower() in words for each in query.filters
        )
    yield from stated_values(question, columns)
    yield from stated_ends(question, columns)
    yield from stated_direction(question, columns)
    yield from stated_subject(question, columns)


def _named_behind(pattern: re.Pattern[str], question: str, columns: Sequence[str]) -> str:
    """Return the first column that is named behind a word; "" where there is none."""
    found = pattern.search(question)
    if found is None:
        return ""
    # the word itself comes first: the first word of a text is never a column
    whole = next(iter(columns_named(f"by {found['named']}", columns)), "")
    return whole or _begun_with(next(iter(tokens(found["named"])), ""), columns)


def _begun_with(word: str, columns: Sequence[str]) -> str:
    """Return the only column whose name begins with a word ("customer_id"); "" if there is none."""
    found = [name for name in columns if header_stems(name)[:1] == (stem(word),)]
    return found[0] if len(found) == 1 else ""
