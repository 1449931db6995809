"""Table request: a request read as a question about tables, in four stages.

What says how an answer is computed or shown is cut out of the request; its table is found, alone or
with those it refers to; columns that it wants computed are added; and the readings of what is left
are ranked, kept if they do what is stated, and completed with what was cut out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from okso_jupyter.number_words import ENGLISH, GERMAN
from okso_jupyter.planning.request.facts import Facts, gather
from okso_jupyter.planning.table_questions.abbreviations import abbreviated
from okso_jupyter.planning.table_questions.asked_persons import of_persons
from okso_jupyter.planning.table_questions.beside_asked import with_beside
from okso_jupyter.planning.table_questions.both_ends import of_both_ends, says_both_ends
from okso_jupyter.planning.table_questions.bounded_groups import within_bounds
from okso_jupyter.planning.table_questions.calendar_periods import of_calendar, with_known_periods
from okso_jupyter.planning.table_questions.called_rows import with_called_rows, with_called_things
from okso_jupyter.planning.table_questions.chart_words import ChartAsked, chart_asked
from okso_jupyter.planning.table_questions.charted_readings import charted
from okso_jupyter.planning.table_questions.column_words import in_words_of
from okso_jupyter.planning.table_questions.compared_columns import of_columns
from okso_jupyter.planning.table_questions.computed_words import (
    computed_asked,
    in_words_of_revenue,
    with_amount,
    with_quantity,
)
from okso_jupyter.planning.table_questions.confidence import with_confidence
from okso_jupyter.planning.table_questions.counted_tables import counted_table
from okso_jupyter.planning.table_questions.cross_tables import crossed, of_named_values
from okso_jupyter.planning.table_questions.day_spans import with_whole_days
from okso_jupyter.planning.table_questions.dealt_amounts import with_dealt_amount
from okso_jupyter.planning.table_questions.denied_rest import with_denied_rest
from okso_jupyter.planning.table_questions.done_by import with_done, with_those_who_did
from okso_jupyter.planning.table_questions.end_and_row import end_and_row
from okso_jupyter.planning.table_questions.end_of_groups import with_end_of_groups
from okso_jupyter.planning.table_questions.fitted_weights import shipped_weights
from okso_jupyter.planning.table_questions.gaps_asked import gaps_asked
from okso_jupyter.planning.table_questions.group_order import in_group_order
from okso_jupyter.planning.table_questions.groups_listed import with_listed_groups
from okso_jupyter.planning.table_questions.held_values import with_held
from okso_jupyter.planning.table_questions.instructions import (
    as_instructed,
    hinted,
    without_denied,
    without_level,
)
from okso_jupyter.planning.table_questions.joined_sample import with_computed
from okso_jupyter.planning.table_questions.largest_rows import (
    LargestAsked,
    amount_computed,
    largest_asked,
    unsure_of_largest,
    with_largest,
)
from okso_jupyter.planning.table_questions.listed_parts import ListedParts, parts_listed
from okso_jupyter.planning.table_questions.listed_readings import as_listed
from okso_jupyter.planning.table_questions.meant_table import (
    frame_meant,
    may_mean_table,
    table_meant,
    table_within,
)
from okso_jupyter.planning.table_questions.most_dealt import with_dealt
from okso_jupyter.planning.table_questions.outlier_words import (
    OutliersAsked,
    outliers_asked,
    without_outliers,
)
from okso_jupyter.planning.table_questions.parts_of_months import in_part_of_month
from okso_jupyter.planning.table_questions.prices_per_row import over_rows
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.readings import readings_of
from okso_jupyter.planning.table_questions.recognition import (
    as_asked,
    database_named,
    question_of,
    table_named,
    without_source,
)
from okso_jupyter.planning.table_questions.referred_persons import with_person_named
from okso_jupyter.planning.table_questions.related_tables import (
    heads_of,
    of_tables,
    related_tables,
    table_of_formula,
)
from okso_jupyter.planning.table_questions.said_ages import with_said_ages
from okso_jupyter.planning.table_questions.single_row_groups import mean_of_rows
from okso_jupyter.planning.table_questions.sorted_rows import sorts_others, with_sort
from okso_jupyter.planning.table_questions.spoken_formulas import (
    ComputedQuestion,
    only_adds,
    wants_column,
)
from okso_jupyter.planning.table_questions.stated_ends import stated_count, stated_groups
from okso_jupyter.planning.table_questions.stated_measures import of_several
from okso_jupyter.planning.table_questions.stated_parts import LOOKED_THROUGH, as_stated
from okso_jupyter.planning.table_questions.stated_subject import stated_spent
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.planning.table_questions.two_questions import TwoQuestions, both_read
from okso_jupyter.planning.table_questions.two_tables import never_asked, two_tables_asked
from okso_jupyter.planning.table_questions.with_and_without import with_both
from okso_jupyter.planning.table_questions.words import header_words, spoken_names, stem
from okso_jupyter.tables.query import Filter, Query

#: How often rows that "never" tells are those without a row of another table.
_LIKELY: Final = 0.8
#: The sign where it asks, and stands in no column's name: "what % of the guests".
_PERCENT: Final = re.compile(r"(?i)(?<=\bwhat )%|(?<=\bin )%|(?<=\bas )%")
#: Each finds a phrase in a request, reads the request without it or in other words, and adds what
#: the phrase says to the readings; () where the request has no such phrase.
_CUTS: Final = (in_group_order, with_denied_rest, in_part_of_month, with_listed_groups)
#: Readings for each one that is wanted: some are the same once periods are those of the calendar.
_MORE: Final = 4
_TWENTY: Final = 20
#: Question words as they are often misspelt where a question begins; misspelt words of the table
#: are mended later.
_SPELLINGS: Final = tuple(
    (re.compile(rf"(?i)(?:(?<=[.?!,;:]\s)|^){pattern}(?![\w.'\"`])"), word)
    for pattern, word in (
        (r"wie(viele?n?)", r"wie \1"),
        (r"(?:wich|whch|whcih|wihch|whitch)", "which"),
        (r"(?:hwo|hw|hoe|how) (?:many|mnay|manny)", "how many"),
        (r"(?:hwo|hw|hoe) much", "how much"),
        (r"wha?ts", "what is"),
        (r"(?:whta|waht|wat)", "what"),
    )
)


#: How many of the largest are asked for, in words: "the three cheapest", "die fünf größten".
_COUNTS: Final = {
    word: value for word, value in {**ENGLISH, **GERMAN}.items() if 1 < value <= _TWENTY
}
_COUNTED: Final = re.compile(
    rf"(?i)\b(?P<count>{'|'.join(_COUNTS)})"
    r"(?=\s+(?:most|least|best|worst|[^\W\d_]{3,}(?:est|[sß]te[nrs]?)\b|"
    r"[^\W\d_]{3,}\s+(?:with|mit)\s+(?:the|de[nmr])\s+[^\W\d_]{3,}(?:est|[sß]te[nrs]?)\b))"
)
#: German superlatives that name what is measured: "die umsatzstärksten Monate".
_STRONGEST: Final = re.compile(
    r"(?i)\b(?P<of>(?!umsatz|zweit|dritt|viert|fünft)[^\W\d_]{3,})(?P<end>st(?:ä|ae)rkste|schw(?:ä|ae)chste)[nrsm]?\b"
    r"(?P<what>\s+[^\W\d_]+)?"
)


@dataclass(frozen=True, slots=True)
class _Words:
    """A request without what says how its answer is computed or shown.

    Attributes:
        request: The request as it is.
        question: What is left of it.
        facts: What that names.
        chart: The chart that is asked for; None if none is.
        outliers: What is to be done with outliers; None if nothing is.
        formula: Columns that are computed of the file that is named; None if none are.
    """

    request: str
    question: str
    facts: Facts
    chart: ChartAsked | None
    outliers: OutliersAsked | None
    formula: ComputedQuestion | None


@dataclass(frozen=True, slots=True)
class _Subject:
    """The table that a question is about.

    Attributes:
        source: Its file or variable.
        table: Its beginning, with what is joined to it.
        question: The question, without that name.
        listed: What it lists of the rows or groups that it asks for; None if it lists nothing.
        known: What rows must have for the columns that are computed.
    """

    source: str
    table: TableSample
    question: str
    listed: ListedParts | None = None
    known: tuple[Filter, ...] = ()


def readings_asked(
    request: str, sources: TableSources, most: int, *, is_named: bool = False
) -> tuple[QueryReading, ...]:
    """Return what a request may mean as a question about tables, best first; () if it is none.

    Args:
        request: The request in plain words.
        sources: The tables that it can be about.
        most: The most readings that are wanted.
        is_named: Whether the request must name its table.
    """
    request = with_whole_days(_spelt(_PERCENT.sub("percent", request)))
    request = with_those_who_did(request)
    heads = partial(heads_of, sources)
    request = with_sort(in_words_of_revenue(with_said_ages(request, heads), heads), heads)
    both = two_tables_asked(request, heads)
    if both is not None:
        return (QueryReading.of_statement(both),)
    never = never_asked(request, heads)
    if never is not None:
        return (replace(QueryReading.of_statement(never), confidence=_LIKELY),)
    read = partial(readings_asked, sources=sources, most=most, is_named=is_named)
    for cut in _CUTS:
        found = cut(request, read)
        if found:
            return found
    return _readings(request, sources, most, is_named=is_named)


def _readings(
    request: str, sources: TableSources, most: int, *, is_named: bool
) -> tuple[QueryReading, ...]:
    """Return the readings of a request that has no phrase of `_CUTS`."""
    words = _words_of(request, sources)
    subject = _subject(words, sources, is_named=is_named)
    if subject is None:
        return ()
    if words.chart is None and words.formula is None and words.outliers is None:
        read = partial(readings_asked, sources=sources, most=most, is_named=is_named)
        named = with_person_named(words.question, subject.table, partial(heads_of, sources))
        otherwise = named or with_end_of_groups(words.question, subject.table)
        otherwise = otherwise or with_done(words.question, subject.table)
        if otherwise:
            return read(otherwise)
        parted = TwoQuestions.of(words.question)
        if parted:
            answered = both_read(parted, subject.source or subject.table.source, read)
            if answered:
                return answered
        found = within_bounds(words.question, subject.table, read)
        found = found or crossed(words.question, subject.table, read)
        found = found or with_held(words.question, subject.table, read)
        found = found or end_and_row(words.question, subject.table, read)
        if found:
            return found
        words, subject = _without_list(words, subject)
    subject = _with_computed(words, subject)
    if subject is None:
        return ()
    ranked = _of_known(_ranked(words, subject, most), subject)
    if words.chart is None:
        ranked = of_named_values(words.question, ranked)
    whole = of_tables([_in_one_case(each, subject.table) for each in ranked], subject.table)
    return over_rows(whole, partial(heads_of, sources))


def _in_one_case(reading: QueryReading, table: TableSample) -> QueryReading:
    """Return a reading that takes "ULM" and "Ulm" for one town where the table has both."""
    known = filter(None, map(table.columns.get, reading.query.told_apart))
    if not any(column.has_cases for column in known):
        return reading
    return replace(reading, query=replace(reading.query, ignore_case=True))


def _spelt(request: str) -> str:
    """Return a request with its question words as they are written, and its count in digits."""
    for pattern, word in _SPELLINGS:
        request = pattern.sub(word, request)
    request = _STRONGEST.sub(_with_highest, request)
    return _COUNTED.sub(lambda said: str(_COUNTS[said["count"].lower()]), request)


def _with_highest(said: re.Match[str]) -> str:
    """Return "Monate mit den höchsten umsatz" for "umsatzstärksten Monate"."""
    end = "höchsten" if said["end"].lower().startswith("st") else "niedrigsten"
    return f"{(said['what'] or '').strip()} mit den {end} {said['of']}".strip()


def _words_of(request: str, sources: TableSources) -> _Words:
    """Cut out of a request what says how its answer is computed or shown."""
    request = without_denied(request)
    facts = gather(request, sources.workspace)
    columns = [*facts.columns, *(name for own in sources.frames.values() for name in own)]
    chart = chart_asked(request, columns)
    if chart:
        more = [] if facts.files else _phrases_of_columns(sources)
        chart = chart_asked(request, [*columns, *more], _called_in(facts, sources))
    question = chart.question if chart else request
    question = with_known_periods(question, partial(_columns_known, columns, facts, sources))
    outliers = outliers_asked(question, columns)
    question = outliers.question if outliers else question
    formula = table_of_formula(question, facts, sources)
    question = formula.question if formula else question
    facts = gather(question, sources.workspace) if question != request else facts
    return _Words(request, question, facts, chart, outliers, formula)


def _columns_known(named: Sequence[str], facts: Facts, sources: TableSources) -> list[str]:
    """Return the columns that a request names, or may name without the file of its table."""
    heads = [] if facts.files else heads_of(sources)
    return [*named, *(name for head in heads for name in head.columns)]


def _phrases_of_columns(sources: TableSources) -> list[str]:
    """Return columns' names of several words: the "plot size" of a garden asks for no plot."""
    names = {name for head in heads_of(sources) for name in head.columns}
    return [form for name in names for form in spoken_names(name) if " " in form]


def _called_in(facts: Facts, sources: TableSources) -> frozenset[str]:
    """Return the stems of what the tables that may be meant and their columns are called by."""
    named = sources.heads(facts.files) if facts.files else heads_of(sources)
    words = {word for head in named for name in head.columns for word in header_words(name)}
    return frozenset(map(stem, words)).union(*(head.stems for head in named))


def _subject(words: _Words, sources: TableSources, *, is_named: bool) -> _Subject | None:
    """Return the table of a question; None if it is about none."""
    facts, is_chart = words.facts, words.chart is not None
    named = table_named(facts, sources.frames) or database_named(facts, sources.database)
    is_meant = not (named or is_named)
    source = _meant(facts, sources, is_chart=is_chart) if is_meant else named
    if is_meant and source:
        source = counted_table(facts.request, source, partial(heads_of, sources))
    question = question_of(words.question, source)
    question = as_asked(question) if is_meant and not is_chart else question
    source = table_within(source, question, sources) if source else ""
    table = sources.sample(source) if source else None
    if source or may_mean_table(facts, is_chart=is_chart):
        table = related_tables(question, table, sources) or table
    if table is None or (is_meant and sorts_others(words.request, table)):
        return None
    return _Subject(source, table, with_known_periods(question, lambda: table.columns))


def _meant(facts: Facts, sources: TableSources, *, is_chart: bool) -> str:
    """Return the table that a question is about without naming it; "" if it is about none."""
    frame = frame_meant(facts, sources, is_chart=is_chart)
    return frame or table_meant(facts, sources, is_chart=is_chart)


def _without_list(words: _Words, subject: _Subject) -> tuple[_Words, _Subject]:
    """Cut out of a question what it lists of its rows or groups."""
    listed = parts_listed(without_source(words.question, subject.source), subject.table)
    if listed is None or says_both_ends(listed.question):
        return words, subject
    question = as_asked(question_of(listed.question, subject.source))
    return (
        replace(words, question=listed.question),
        replace(subject, question=question, listed=listed),
    )


def _with_computed(words: _Words, subject: _Subject) -> _Subject | None:
    """Add the columns that a question wants computed; None if one of them is not understood."""
    computed = words.formula or computed_asked(words.question, subject.table)
    if computed is None:
        if wants_column(words.question):
            return None
        amount = None if words.chart else amount_computed(subject.question, subject.table)
        if amount:
            return replace(subject, table=with_computed(subject.table, (amount,)))
        question = with_amount(subject.question, subject.table)
        question = with_dealt_amount(with_both(question, subject.table), subject.table)
        question = with_called_rows(with_dealt(question, subject.table), subject.table)
        return replace(subject, question=with_quantity(question, subject.table))
    table = with_computed(subject.table, computed.computed)
    # the days that weeks are computed of are not asked for
    table = table.without([column.name for column in computed.computed[:-1]])
    question = question_of(computed.question, subject.source)
    return replace(subject, table=table, question=question, known=computed.known)


def _largest(asked: LargestAsked, table: TableSample) -> Sequence[QueryReading]:
    """Return readings of a question for the largest rows; none if the rest is not understood."""
    rest = asked.question
    readings = readings_of(rest, table, shipped_weights(), LOOKED_THROUGH) if rest else ()
    return with_largest(asked, as_stated(rest, readings, table) if rest else ())


def _of_known(readings: Sequence[QueryReading], subject: _Subject) -> Sequence[QueryReading]:
    """Return readings that leave out rows without what a computed column is made of, and say so.

    No row without it passes a condition on that column, and all of them are shown in a list.
    """
    made = {column.name for column in subject.table.made_of.computed}

    def with_known(query: Query) -> Query:
        used = {query.order, *(measure.column for measure in query.measures)}
        if made.isdisjoint(used) or any(each.column in made for each in query.filters):
            return query
        more = tuple(each for each in subject.known if each not in query.filters)
        return replace(query, filters=(*query.filters, *more))

    return [replace(each, query=with_known(each.query)) for each in readings]


def _ranked(words: _Words, subject: _Subject, most: int) -> Sequence[QueryReading]:
    """Return the best readings of a question that do what it states."""
    table, columns = subject.table, [*subject.table.columns]
    if only_adds(subject.question, table.made_of.computed):
        return [QueryReading.of_statement(Query(table.source))]
    gaps = gaps_asked(subject.question, table)
    if gaps is not None:
        return [QueryReading.of_statement(gaps)]
    short = abbreviated(without_level(table.with_points(subject.question)), columns)
    asked = mean_of_rows(in_words_of(with_called_things(short, table), table), table)
    question = hinted(asked, words.question, columns)
    largest = None if words.chart or words.outliers else largest_asked(question, table)
    if largest and (rows := _largest(largest, table)):
        return as_instructed(words.question, rows)[:most]
    readings = readings_of(
        question, table, shipped_weights(), LOOKED_THROUGH, is_drawn=words.chart is not None
    )
    if words.chart:
        readings = with_confidence(readings, shipped_weights())
        tests = (
            *stated_groups(question, columns),
            *stated_count(question),
            *stated_spent(words.question, columns),
        )
        for is_done in tests:
            readings = tuple(r for r in readings if is_done(r.query)) or readings
        wanted = replace(words.chart, question=question)
        drawn = charted(readings, wanted, table, _MORE * most)
        return of_calendar(words.request, drawn, table)[:most]
    if subject.listed:
        readings = as_listed(subject.listed, question, readings, table)
        return of_calendar(words.request, as_instructed(words.question, readings)[:most], table)
    readings = of_both_ends(question, as_stated(question, readings, table), table)
    readings = of_persons(words.question, readings, table)
    readings = with_beside(question, readings, table)
    if words.outliers:
        readings = without_outliers(readings, words.outliers, columns)
    else:
        readings = of_several(question, of_columns(question, readings, table), table)
    readings = unsure_of_largest(question, readings, table)
    best = as_instructed(words.question, readings)[: _MORE * most]
    return of_calendar(words.request, best, table)[:most]
