"""Filters that a question may mean, each with the words of the question that it explains."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from okso_jupyter.planning.table_questions.clock_times import clock_times
from okso_jupyter.planning.table_questions.date_filters import date_filters, time_filters
from okso_jupyter.planning.table_questions.flag_filters import flag_filters, missing_filters
from okso_jupyter.planning.table_questions.found_filters import FoundFilter
from okso_jupyter.planning.table_questions.number_filters import number_filters, sold_out_filters
from okso_jupyter.planning.table_questions.said_units import columns_of_units
from okso_jupyter.planning.table_questions.stated_values import stated_comparisons
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.value_filters import sex_filters, value_filters
from okso_jupyter.planning.table_questions.words import NONE, QuestionWords

_MOST: Final = 24
#: A cell that is rather a duration than a time of day.
_DURATION: Final = re.compile(r"\d{1,3}:[0-5]\d(?::[0-5]\d)?")
#: The few words before a condition that tell its column.
_BEFORE: Final = 4
#: What finds filters of a column, in the order in which those alike are taken.
_KINDS: Final = (
    value_filters,
    number_filters,
    date_filters,
    time_filters,
    missing_filters,
    sold_out_filters,
    flag_filters,
    sex_filters,
)


def find_filters(question: QuestionWords, table: TableSample) -> list[FoundFilter]:
    """Return the filters that a question may mean, those that explain most words first.

    Of filters alike those of columns come first that the question names.
    """
    found: list[FoundFilter] = []
    said = frozenset(question.stems)
    for column in sorted(table.columns.values(), key=lambda c: said.isdisjoint(c.stems)):
        for kind in _KINDS:
            found += kind(question, column)
    found = _in_units_said(_without_times_of_others(found, question, table), question, table)
    if any(column.clock_length for column in table.columns.values()):
        # the 18 of "18:00" is no number
        clock = frozenset(place for time in clock_times(question) for place in time.places)
        found = [each for each in found if each.how != "number" or clock.isdisjoint(each.places)]
    found = _without_parts_of_dates(_without_said_otherwise(found, question, table))
    found.sort(
        key=lambda f: (-len(f.places), f.how not in {"value", "date", "flag"}, f.how == "number")
    )
    return found[:_MOST]


def _in_units_said(
    found: list[FoundFilter], question: QuestionWords, table: TableSample
) -> list[FoundFilter]:
    """Return filters without those of a number by columns in other units than the one it has."""
    columns = columns_of_units(question, table.columns.values())
    return [
        each
        for each in found
        if each.how != "number"
        or all(each.filter.column in columns.get(p, (each.filter.column,)) for p in each.places)
    ]


def _without_times_of_others(
    found: list[FoundFilter], question: QuestionWords, table: TableSample
) -> list[FoundFilter]:
    """Return filters without times of dates that are durations of another column.

    "Runtime over 2:00" is of the column `runtime`.
    """
    lengths = {
        own
        for column in table.columns.values()
        if any(_DURATION.fullmatch(cell.strip()) for cell in column.cells)
        for own in column.stems
    }
    timed = [each for each in found if each.filter.part == "time"]
    others = [each for each in timed if not lengths.isdisjoint(_stems_before(question, each))]
    taken = frozenset(place for each in timed if each not in others for place in each.places)
    return [
        each
        for each in found
        if each not in others and (each.how != "number" or taken.isdisjoint(each.places))
    ]


def _stems_before(question: QuestionWords, each: FoundFilter) -> Sequence[str]:
    """Return the stems of the few words before a condition."""
    first = min(each.places)
    return question.stems[max(0, first - _BEFORE) : first]


def _without_said_otherwise(
    found: list[FoundFilter], question: QuestionWords, table: TableSample
) -> list[FoundFilter]:
    """Return filters without values that are said as something else.

    "Tickets opened after May" are not those that are open where a column is called so, "no paid on
    date" is not Paid, "more than 3" is not 3, and "Monday" is a value where a column has it;
    "parts" are a column `part`, and not the supplier Nordic Parts.
    """
    none = {place for place, word in enumerate(question.english) if word in NONE}
    gaps = [f.places for f in found if f.how == "missing" and not none.isdisjoint(f.places)]
    numbers = list(question.numbers.values())
    compared = {n for n in stated_comparisons(question.text) if numbers.count(n) == 1}
    names = frozenset(table.header_words)
    values = {place for each in found if each.how == "value" for place in each.places}
    stems = frozenset(own for column in table.columns.values() for own in column.stems)
    return [
        each
        for each in found
        if not (each.filter.part == "weekday" and not values.isdisjoint(each.places))
        if not (each.how == "near" and all(question.raw[p] in names for p in each.places))
        if not (each.how == "part" and all(question.stems[p] in stems for p in each.places))
        if each.how == "missing" or not any(each.places <= places for places in gaps)
        if not (each.how == "value" and each.filter.value in compared)
    ]


def _without_parts_of_dates(found: list[FoundFilter]) -> list[FoundFilter]:
    """Return filters without those of a part of a date: the 31 or 18:00 of "31 May 2024 18:00".

    "Since 2024-05-31 18:00" is not that moment alone where a row has it.
    """
    dates = [each for each in found if each.how == "date" and len(each.places) > 1]
    moments = [each for each in dates if not each.filter.part]
    return [
        each
        for each in found
        if not (each.how == "number" and any(each.places <= date.places for date in dates))
        if not (each.filter.part == "time" and any(each.places < date.places for date in dates))
        if not (
            each.how == "value"
            and any(
                each.places < moment.places and each.filter.column == moment.filter.column
                for moment in moments
            )
        )
    ]
