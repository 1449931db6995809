"""Stated ends: how many results a question asks for, and whether of the largest or smallest."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from okso_jupyter.planning.request.wording import columns_named
from okso_jupyter.planning.table_questions.cue_words import PARTS, PERIOD
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.periods import PART_OF_YEAR
from okso_jupyter.planning.table_questions.stated_subject import NEVER_SUMMED
from okso_jupyter.planning.table_questions.words import (
    NUMBERINGS,
    header_words,
    is_called,
    number_word,
    stem,
    tokens,
)
from okso_jupyter.tables.query import Function, Measure, Query

_COUNT: Final = r"(?P<count>\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
COUNTED: Final = re.compile(
    rf"\b(?:top|bottom|first|last)\s+{_COUNT}\b"
    rf"|\b{_COUNT.replace('count', 'many')}\s+(?:\w+est|priciest|most|least|best|worst|top)\b"
    rf"|\b(?:\w+est|best|worst) {_COUNT.replace('count', 'number')}\b"
)
#: What asks for one result of many; without such a word none is left out.
_END: Final = re.compile(
    r"(?:est|most|least|best|worst|more|less|fewer|better|worse)\b|"
    # a comparative, and no noun
    r"\b(?!(?:number|order|customer|member|supplier|owner|driver|teacher|user|player|manager|worker|"
    r"paper|water|summer|winter|quarter|\w+ember|october|per|her|other|whether)\b)\w+er\b|"
    r"\b(?:first|last|top|bottom|max\w*|min\w*|priciest|or|than|next|previous|before|after|prior|"
    r"record|only|final|once|won|winner|win|main|leading|common|often|peak|begin\w*|start\w*|end\w*)\b"
)
#: Rows are shown that have one of two values; "who won, Ada or Bob" asks for one of them.
_SHOWS: Final = re.compile(r"^(?:show|list|display|give me)\b")
ALTERNATIVES: Final = re.compile(r"(?<=\w )or(?= \w)")
_HOW: Final = re.compile(
    r"^how (?:old|long|tall|heavy|far|big|large|high|deep|fast|hot|cold|warm|expensive)\b"
)
_EACH: Final = re.compile(r"\b(?:per|each|every|by)\s+(?:calendar\s+)?(?P<part>\w+)")
#: "Which weekday has the most departures?" ranks the weekdays of a date.
_WHICH_PART: Final = re.compile(
    r"^(?:(?:in|on) )?(?:which|what) (?P<part>weekday|month|year|quarter|hour)s?\b.*\b"
    r"(?:most|least|fewest|highest|lowest|largest|smallest|biggest|best|worst|m(?:ax|in)imum)\b"
)
_NUMBER_OF: Final = re.compile(r"^(?:the )?(?:number|count)s? of\b|^how many\b")
_COUNTS: Final = ({"count"}, {"count distinct"}, {"sum"})
_BY_NUMBER: Final = re.compile(
    r"\b(?:by|to) (?:the )?(?:number|count|frequency)\b(?: of (?:the |all )*(?P<named>\w+s)\b)?"
)
#: "The highest average price" ranks groups by their means.
_RANKED: Final = re.compile(
    r"\b(?:highest|lowest|largest|smallest|greatest|biggest|most|best|worst|longest|shortest)\s+"
    r"(?P<function>average|mean|median|total)\b"
)
#: One group at an end: "our best customer by sales".
_BEST_GROUP: Final = re.compile(
    r"\b(?:biggest|largest|best|top|smallest|worst) (?P<named>\w+(?<!s)) by\b"
)
#: "Which month had the highest fees" adds them up; "the highest temperature" does not.
_MOST_OF_GROUP: Final = re.compile(
    r"^(?:(?:in|on) )?(?:which|what) \w+ (?:has|had|have|saw|brought(?: in)?|made) (?:the )?"
    r"(?:most|least|fewest|highest|lowest|largest|smallest|biggest|best|worst) (?P<named>\w+s)\b"
)
_FUNCTION: Final = (
    r"(?:mean|average|median|min(?:imum)?|max(?:imum)?|(?:population\s+)?standard\s+deviation|std|"
    r"sum|total|variance|range|skewness|mittelwert|durchschnitt|summe|standardabweichung)"
)
#: "The mean, median and standard deviation" asks for several numbers.
_LISTED: Final = re.compile(
    rf"(?i)\b{_FUNCTION}\b(?:\s*(?:,|&|\band\b|\bund\b)\s*)+(?:the\s+)?{_FUNCTION}\b"
)
_MISSING_OF_EACH: Final = re.compile(
    r"(?is)(?=.*\b(?:missing|null|nan|empty|fehlende?)\b)"
    r".*\b(?:per|each|every|which|what|all|pro|je|jeder|welche)\s+(?:of\s+the\s+)?"
    r"(?:columns?|spalten?)\b"
)
_ANY_MISSING: Final = re.compile(
    r"(?i)^(?!.*\b(?:rows?|zeilen)\b).*\b(?:missing|null|nan|empty|blank|fehlende?)\s+"
    r"(?:values?|data|cells?|entries|werte?|daten|zellen)\b"
)
_FIRST_AND_LAST: Final = ["minimum", "maximum"]
_STATISTICS: Final[dict[str, Function]] = {
    "average": "mean",
    "mean": "mean",
    "median": "median",
    "total": "sum",
}
_SHARE: Final = re.compile(
    r"(?i)\b(?:share|percent(?:age)?|proportion|fraction|anteil|prozent)\s+"
    r"(?:of|am|an|der|des|vom)\s+(?:the\s+|all\s+|total\s+|overall\s+)*(?P<named>.*)"
)


def stated_ends(question: str, columns: Sequence[str]) -> Iterator[Callable[[Query], bool]]:
    """Yield a test of a query for each end, count, share and part of dates that is stated."""
    asked = PART_OF_YEAR.sub(" ", " ".join(in_english(tokens(question))))
    yield from _of_count(asked)
    if _HOW.search(asked):
        yield lambda query: not (query.order and query.columns and query.limit == 1)
    ranked = _RANKED.search(asked)
    if ranked and ranked["function"] not in map(str.lower, columns):
        function = _STATISTICS[ranked["function"]]
        yield lambda query: [measure.function for measure in query.measures] == [function]
    yield from _of_best_group(asked, columns)
    if _LISTED.search(question):
        yield lambda query: len(query.measures) > 1
    if PERIOD.search(question):
        yield lambda query: [measure.function for measure in query.measures] == _FIRST_AND_LAST
    if _is_of_every_missing(question, columns):
        yield _is_of_columns
    yield from stated_groups(question, columns)
    yield from _of_share(question, columns)


def _of_count(asked: str) -> Iterator[Callable[[Query], bool]]:
    """Yield a test of how many results are asked for, and of which end."""
    counted = COUNTED.search(asked)
    if counted:
        count = int(number_word(counted["count"] or counted["many"] or counted["number"]))
        is_up = not re.search(r"\b(?:bottom|last|least|worst|fewest|smallest|lowest)\b", asked)
        yield lambda query: query.limit == count
        if re.search(r"\btop\b", asked) and is_up:
            yield lambda query: query.descending
    elif _SHOWS.search(asked) and not _END.search(ALTERNATIVES.sub(" ", asked)):
        yield lambda query: not query.limit
    elif not _END.search(asked):
        yield lambda query: not (query.limit == 1 and (query.order or query.by))


def _of_best_group(asked: str, columns: Sequence[str]) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where one group is asked for, or that with most of an amount."""
    best, most = _BEST_GROUP.search(asked), _MOST_OF_GROUP.search(asked)
    if best and any(is_called(name, {best["named"]}) for name in columns):
        yield lambda query: query.limit == 1
    called = [name for name in columns if most and is_called(name, {most["named"]})]
    summed = [name for name in called if not NEVER_SUMMED.search(name)]
    if called and not summed:
        yield lambda query: all(measure.function != "sum" for measure in query.measures)
    if summed:
        yield lambda query: not query.by or query.measures[:1] == (Measure("sum", summed[0]),)


def _is_of_columns(query: Query) -> bool:
    """Return whether a query counts the missing values of several columns, in all rows."""
    return not query.by and sum(m.function == "missing" for m in query.measures) > 1


def stated_groups(question: str, columns: Sequence[str]) -> Iterator[Callable[[Query], bool]]:
    """Yield a test for the part of dates that is grouped by, and for groups that are counted.

    Args:
        question: The question.
        columns: The columns of the table.
    """
    asked = " ".join(in_english(tokens(question)))
    each, which = _EACH.search(asked), _WHICH_PART.search(asked)
    named = [found["part"] for found in (each, which) if found]
    parts = {PARTS[stem(name)] for name in named if stem(name) in PARTS}
    # a column may hold them already, also one with a German name
    held = [name for name in columns if PARTS.get(name.lower()) in parts]
    if held and which:
        yield lambda query: query.columns == (held[0],) and bool(query.order or query.measures)
    if parts.difference(PARTS[name.lower()] for name in held):
        yield lambda query: query.part in parts
    by_number = _BY_NUMBER.search(asked)
    # "by number of seats" adds up the column of seats
    counted = (by_number["named"] or "") if by_number else ""
    amounts = [name for name in columns if is_called(name, {counted})]
    if amounts:
        yield lambda query: query.measures[:1] == (Measure("sum", amounts[0]),)
    elif by_number:
        yield lambda query: bool(query.measures) and query.measures[0].function == "count"


def stated_count(question: str) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where "the number of loans per month" asks for rows, or for a sum of amounts."""
    if _NUMBER_OF.search(" ".join(in_english(tokens(question)))):
        yield (
            lambda query: (
                {m.function for m in query.measures} in _COUNTS
                and not any(NUMBERINGS.intersection(header_words(m.column)) for m in query.measures)
            )
        )


def _is_of_every_missing(question: str, columns: Sequence[str]) -> bool:
    """Return whether missing values are asked for of each column, or of none that is named."""
    if _MISSING_OF_EACH.search(question):
        return True
    return _ANY_MISSING.search(question) is not None and not columns_named(question, columns)


def _of_share(question: str, columns: Sequence[str]) -> Iterator[Callable[[Query], bool]]:
    """Yield the test of a share "of the amount"; the plural of a column's name means rows."""
    share = _SHARE.search(question)
    named = columns_named(f"of {share['named']}", columns)[:1] if share else []
    if share and named and re.match(rf"(?i){re.escape(named[0])}\b", share["named"]):
        yield lambda query: any(
            (measure.function, measure.column) == ("share percent", named[0])
            for measure in query.measures
        )
