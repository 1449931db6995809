"""Filters that a question may mean, each with the words of the question that it explains."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, groupby
from typing import Final

from okso_jupyter.planning.table_questions.clock_times import clock_filters, clock_times
from okso_jupyter.planning.table_questions.computed_words import STOCK
from okso_jupyter.planning.table_questions.periods import period_filters
from okso_jupyter.planning.table_questions.spoken_parts import SpokenPart, spoken_parts
from okso_jupyter.planning.table_questions.stated_values import (
    says_none,
    says_not_done,
    stated_comparisons,
)
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import (
    NO_VALUES,
    STOP,
    QuestionWords,
    header_words,
    one_letter_apart,
    stem,
)
from okso_jupyter.tables.cells import is_missing
from okso_jupyter.tables.query import Comparison, Filter, Part

_MOST: Final = 24
_COMBINED: Final = 8
_OF_ONE_COLUMN: Final = 3
_LEAST_STEM: Final = 4
#: Words for women and for men, of which a column has one each.
_SEXES: Final = (
    frozenset("f w female females woman women girl girls frau frauen weiblich".split()),
    frozenset("m male males man men boy boys mann männer maenner männlich".split()),
)
NEGATIONS: Final = frozenset(
    "not except excluding other without no outside besides hasn hasnt haven havent hadn hadnt isn "
    "isnt aren arent wasn wasnt weren werent didn didnt doesn doesnt".split()
)
#: What turns a word into its opposite: "unpaid", "non-smoking" (one word as tokens go).
_OPPOSITES: Final = ("un", "in", "non")
#: What is still to be done, by the stem of the column that says whether it is.
UNDONE: Final = {"paid": frozenset(map(stem, "outstanding owing owed owes unsettled".split()))}
_MISSING: Final = frozenset("missing null nan blank empty unknown".split())
#: What stands before a year that is meant itself, and before one that others are compared with.
_OF_YEAR: Final = frozenset("in of during for month quarter".split())
_BESIDE_YEAR: Final = frozenset(
    "before after since until till from through than vor nach seit ab bis later earlier".split()
)
#: Words before a year that may compare it: "before the end of 2023".
_COMPARED_WITHIN: Final = 5
#: Before a word of a column's name.
_NONE: Final = frozenset({"no", "without"})
#: Before and behind what has not happened.
_DENYING: Final = frozenset("not never yet".split())
_FIRST_YEAR, _LAST_YEAR = 1000, 2200
#: Years before or after all of a column that may be asked for.
_FAR_YEARS: Final = 100
_PAIR: Final = 2
#: What compares two times, or joins them.
_COMPARING: Final = frozenset("than vs versus compare compared or difference against".split())
_BETWEEN: Final = frozenset("between zwischen".split())
_MOST_PAIRS: Final = 6
#: Rows are grouped by what follows.
_EACH: Final = frozenset("per each every".split())
#: What may stand between the values of a list.
_JOINING: Final = frozenset("or and und oder the".split())
_AND: Final = frozenset("and but".split())
#: A word this far behind a negation is not surely denied by it.
_FAR: Final = 4
#: Share of a value's words that the question must name.
_PART: Final = 0.5
#: A cell that is rather a duration than a time of day.
_DURATION: Final = re.compile(r"\d{1,3}:[0-5]\d(?::[0-5]\d)?")
#: How it is said that there is none of what a column of stock counts.
_SOLD_OUT: Final = (
    ("out", "of", "stock"), ("sold", "out"), ("ausverkauft",), ("nicht", "mehr", "vorratig"),
    ("nicht", "vorratig"),
)  # fmt: skip
_SHORTEST_NEAR: Final = 5
#: Columns with more values are not searched for misspelt ones.
_MOST_NEAR: Final = 300
_SHORTEST_PART: Final = 3


@dataclass(frozen=True, slots=True)
class FoundFilter:
    """A filter and why it was found.

    Attributes:
        filter: The filter.
        places: Places of the question's words that it explains.
        how: "value", "part" (some words of a value), "near" (misspelt), "number", "date",
            "missing", "flag" (yes), "flag no".
    """

    filter: Filter
    places: frozenset[int] = field(default_factory=frozenset)
    how: str = "value"


def find_filters(question: QuestionWords, table: TableSample) -> list[FoundFilter]:
    """Return the filters that a question may mean, those that explain most words first.

    Of filters alike those of columns come first that the question names.
    """
    found: list[FoundFilter] = []
    said = frozenset(question.stems)
    for column in sorted(table.columns.values(), key=lambda c: said.isdisjoint(c.stems)):
        found += _of_values(question, column)
        found += _of_numbers(question, column)
        found += _of_dates(question, column)
        found += _of_clock(question, column)
        found += _of_missing(question, column)
        found += _of_sold_out(question, column)
        found += _of_flag(question, column)
        found += _of_sexes(question, column)
    found = _without_times_of_others(found, question, table)
    if any(column.clock_length for column in table.columns.values()):
        # the 18 of "18:00" is no number
        clock = frozenset(place for time in clock_times(question) for place in time.places)
        found = [each for each in found if each.how != "number" or clock.isdisjoint(each.places)]
    found = _without_parts_of_dates(_without_said_otherwise(found, question, table))
    found.sort(
        key=lambda f: (-len(f.places), f.how not in {"value", "date", "flag"}, f.how == "number")
    )
    return found[:_MOST]


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
    return question.stems[max(0, first - _FAR) : first]


def _without_said_otherwise(
    found: list[FoundFilter], question: QuestionWords, table: TableSample
) -> list[FoundFilter]:
    """Return filters without values that are said as something else.

    "Tickets opened after May" are not those that are open where a column is called so, "no paid on
    date" is not Paid, "more than 3" is not 3, and "Monday" is a value where a column has it;
    "parts" are a column `part`, and not the supplier Nordic Parts.
    """
    none = {place for place, word in enumerate(question.english) if word in _NONE}
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


def combined_filters(found: list[FoundFilter]) -> Iterator[tuple[FoundFilter, ...]]:
    """Yield no filter, each filter, and pairs and triples that explain different words.

    Those that are said come first, with what combines them: a number that may compare with every
    column in every way makes many, and what is made of filters has an end.
    """
    said = _said(found)
    best = _first_of_each(found)[:_COMBINED]
    pairs = [pair for pair in combinations(best, 2) if _fit_together(pair)]
    yield ()
    yield from ((each,) for each in found if each in said)
    yield from (pair for pair in pairs if said.issuperset(pair))
    exact = [each for each in best if each.how in {"value", "date", "flag"}]
    yield from (triple for triple in combinations(exact, 3) if _fit_together(triple))
    yield from ((each,) for each in found if each not in said)
    yield from (pair for pair in pairs if not said.issuperset(pair))


def _said(found: Sequence[FoundFilter]) -> set[FoundFilter]:
    """Return the filters but those of a number that may compare with its column in several ways."""
    numbers = Counter((f.filter.column, f.filter.value) for f in found if f.how == "number")
    return {
        each
        for each in found
        if each.how != "number" or numbers[each.filter.column, each.filter.value] == 1
    }


def _first_of_each(found: list[FoundFilter]) -> list[FoundFilter]:
    """Return filters without all but the first few of each column: a date is read in many ways."""
    counts: Counter[str] = Counter()
    first = []
    for each in found:
        counts[each.filter.column] += 1
        if counts[each.filter.column] <= _OF_ONE_COLUMN:
            first.append(each)
    return first


def _fit_together(filters: tuple[FoundFilter, ...]) -> bool:
    columns = {(each.filter.column, each.filter.part) for each in filters}
    places = sum(len(each.places) for each in filters)
    together = frozenset().union(*(each.places for each in filters))
    return len(columns) == len(filters) and len(together) == places


def _is_in_capitals(cell: str, column: ColumnSample, question: str) -> bool:
    """Return whether a question writes a cell such as "IT" in capitals, and not all else.

    One letter alone is a value behind its column only: "in ward A".
    """
    if not cell.isupper() or question.isupper():
        return False
    led = rf"(?i:{re.escape(column.name)})\s+" if len(cell) == 1 else ""
    return re.search(rf"(?<!\w){led}{re.escape(cell)}(?!\w)", question) is not None


def _of_values(question: QuestionWords, column: ColumnSample) -> Iterator[FoundFilter]:
    """Yield filters for the column's values that stand in the question, whole or in part."""
    said = set(question.raw)
    denied = not NEGATIONS.isdisjoint(question.english)
    column_is_named = not set(column.stems).isdisjoint(question.stems)
    named: list[tuple[str, frozenset[int]]] = []
    parts: list[FoundFilter] = []
    for value, cell in column.values.items():
        if value in question.spans:
            if len(value) == 1 and (
                (value[0] in NO_VALUES and not _is_in_capitals(cell, column, question.text))
                or (value[0] in NEGATIONS and not column_is_named)
                or (len(value[0]) == 1 and not value[0].isalnum())
            ):
                continue
            places = frozenset(range(*question.spans[value]))
            named.append((cell, places))
            wanted = _typed(column, cell)
            yield FoundFilter(Filter(column.name, "=", wanted), places)
            if denied:
                yield FoundFilter(Filter(column.name, "!=", wanted), places)
        elif not column.has_numbers and said.intersection(value):
            parts += _of_part(question, column, value)
    near = [*_of_near(question, column)] if _is_short_text(column) else []
    whole = {each.places for each in near}
    yield from (part for part in parts if part.places not in whole)
    named += [(str(each.filter.value), each.places) for each in near]
    yield from _of_several(question, column, named)
    yield from near


def _of_several(
    question: QuestionWords, column: ColumnSample, named: Sequence[tuple[str, frozenset[int]]]
) -> Iterator[FoundFilter]:
    """Yield the filter of a list of three values or more, "A, B or C", else those of pairs."""
    listed = _listed(question, named)
    several = [listed] if listed else list(combinations(named, _PAIR))[:_MOST_PAIRS]
    for values in several:
        places = frozenset().union(*(own for _, own in values))
        if len(places) == sum(len(own) for _, own in values):
            cells = tuple(cell for cell, _ in values)
            yield FoundFilter(Filter(column.name, "in", cells), places)


def _listed(
    question: QuestionWords, named: Sequence[tuple[str, frozenset[int]]]
) -> tuple[tuple[str, frozenset[int]], ...]:
    """Return the values, three or more, that stand behind each other in a question; else ()."""
    runs: list[list[tuple[str, frozenset[int]]]] = []
    for value in sorted(named, key=lambda each: min(each[1])):
        before = max(runs[-1][-1][1]) if runs else -1
        between = question.raw[before + 1 : min(value[1])]
        if runs and before < min(value[1]) and _JOINING.issuperset(between):
            runs[-1].append(value)
        else:
            runs.append([value])
    longest = max(runs, key=len, default=[])
    return tuple(longest) if len(longest) > _PAIR else ()


def _is_short_text(column: ColumnSample) -> bool:
    return column.kind == "text" and len(column.places) <= _MOST_NEAR


def _typed(column: ColumnSample, cell: str) -> str | float:
    """Return a value as the column compares it: a number only where the cell is nothing else."""
    if column.kind != "number":
        return cell
    number = column.numbers[column.cells.index(cell)] if cell in column.cells else None
    if number is None:
        return cell
    return int(number) if number == int(number) else number


def _of_part(
    question: QuestionWords, column: ColumnSample, value: tuple[str, ...]
) -> Iterator[FoundFilter]:
    content = [word for word in value if word not in STOP and len(word) >= _SHORTEST_PART]
    # "fines per member" is not of Per Lind
    content = [w for w in content if w not in _EACH or w.capitalize() in question.text]
    if column.kind == "date":
        content = [word for word in content if not word[0].isdigit()]  # see _of_dates
    hit = [word for word in content if word in question.raw]
    if hit and len(hit) >= _PART * len(content):
        places = frozenset(question.raw.index(word) for word in hit)
        run = _longest_run(value, frozenset(hit))
        yield FoundFilter(Filter(column.name, "contains", " ".join(run)), places, "part")


def _longest_run(value: tuple[str, ...], hit: frozenset[str]) -> tuple[str, ...]:
    """Return the longest run of words of a value that are all in the question."""
    best: tuple[str, ...] = ()
    run: tuple[str, ...] = ()
    for word in value:
        run = (*run, word) if word in hit or (run and word in STOP) else ()
        trimmed = run[:-1] if run and run[-1] in STOP else run
        best = trimmed if len(trimmed) > len(best) else best
    return best


def _of_near(question: QuestionWords, column: ColumnSample) -> Iterator[FoundFilter]:
    """Yield filters for values that the question names with other letters: "great tits"."""
    for value, rows in column.places.items():
        if value in question.spans:
            continue
        found = Filter(column.name, "=", column.cells[rows[0]])
        runs = {*question.places_of(value), *_misspelt(question, value)}
        yield from (FoundFilter(found, run, "near") for run in sorted(runs, key=sorted))


def _misspelt(question: QuestionWords, value: tuple[str, ...]) -> Iterator[frozenset[int]]:
    """Yield the place of each word that a value of one word is with one letter wrong."""
    if len(value) == 1 and len(value[0]) >= _SHORTEST_PART:
        for place, word in enumerate(question.raw):
            is_long = len(word) >= _SHORTEST_NEAR and word not in STOP
            forms = {word, word.removesuffix("s")}  # "croisants" of a croissant
            if is_long and any(one_letter_apart(form, value[0]) for form in forms):
                yield frozenset({place})


def named_places(question: QuestionWords, column: ColumnSample) -> Iterator[frozenset[int]]:
    """Yield the places of each value of a column that a question names, in whatever form."""
    is_short_text = _is_short_text(column)
    for value in column.values:
        if value in question.spans:
            yield frozenset(range(*question.spans[value]))
        elif not column.has_numbers:
            yield from question.places_of(value)
            yield from _misspelt(question, value) if is_short_text else ()


_ORDERED: Final[tuple[Comparison, ...]] = (">", ">=", "<", "<=")


def _of_numbers(question: QuestionWords, column: ColumnSample) -> Iterator[FoundFilter]:
    """Yield comparisons of a numeric column with the numbers in the question."""
    if not column.has_numbers:
        return
    known = [value for value in column.numbers if value is not None]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)
    numbers = list(question.numbers.items())
    said = stated_comparisons(question.text)
    for place, written in numbers:
        value = int(written) if written == int(written) else written
        if low <= value <= high:
            for comparison in [said[value]] if value in said else _ORDERED:
                yield FoundFilter(
                    Filter(column.name, comparison, value), frozenset({place}), "number"
                )
            is_other = value in said or (question.raw[place],) in column.places
            if value in known and column.kind == "number" and not is_other:
                yield FoundFilter(Filter(column.name, "=", value), frozenset({place}), "number")
    for (first, a), (second, b) in combinations(numbers, 2):
        if a < b and not (b < low or a > high):
            ends = tuple(int(x) if x == int(x) else x for x in (a, b))
            yield FoundFilter(
                Filter(column.name, "between", ends), frozenset({first, second}), "number"
            )


def _of_dates(question: QuestionWords, column: ColumnSample) -> Iterator[FoundFilter]:
    """Yield comparisons of the dates of a column, or of their year or month."""
    if column.kind != "date":
        return
    taken: set[int] = set()
    latest = max((date for date in column.dates if date is not None), default=None)
    known = _years_of_months(column)
    for found, own in period_filters(
        question, column.name, known, latest, with_times=column.has_times
    ):
        yield FoundFilter(found, own, "date")
        taken |= own
    spoken = [*spoken_parts(question)]
    yield from _of_two_parts(question, column, spoken, taken)
    yield from _of_years(question, column, taken)
    for each in spoken:
        if taken.isdisjoint(each.places):
            part = Filter(column.name, "=", each.value, each.part)
            yield FoundFilter(part, each.places, "date")


def _of_years(
    question: QuestionWords, column: ColumnSample, taken: set[int]
) -> Iterator[FoundFilter]:
    """Yield comparisons of the years of a column with those in the question."""
    years = {date.year for date in column.dates if date is not None}
    for place, number in question.numbers.items():
        if place in taken or number != int(number) or not _FIRST_YEAR <= number <= _LAST_YEAR:
            continue
        year, places = int(number), frozenset({place})
        if not years or not min(years) - _FAR_YEARS <= year <= max(years) + _FAR_YEARS:
            continue  # "over 1,000" of an amount is no year
        is_that_year = _is_that_year(question, place)
        if year in years or is_that_year:
            yield FoundFilter(Filter(column.name, "=", year, "year"), places, "date")
        if is_that_year:
            continue
        for comparison in _ORDERED:
            yield FoundFilter(Filter(column.name, comparison, year, "year"), places, "number")


def _is_that_year(question: QuestionWords, place: int) -> bool:
    """Return whether a year is no end of several: "in 2023", "which month of 2023"."""
    before = [word for word in question.english[:place] if word not in {"the", "year"}]
    is_led = bool(before) and before[-1] in _OF_YEAR
    return is_led and _BESIDE_YEAR.isdisjoint(before[-_COMPARED_WITHIN:])


def _of_two_parts(
    question: QuestionWords, column: ColumnSample, spoken: Sequence[SpokenPart], taken: set[int]
) -> Iterator[FoundFilter]:
    """Yield the filter of two years, quarters, months or weekdays that are compared.

    "In 2024 than in 2023", "March or April", "Q1 vs Q2"; "between March and June" is a range.

    Args:
        question: The question.
        column: A column of dates.
        spoken: The quarters, months and weekdays that the question names.
        taken: The places of words that name days: "between 1 March and 3 June" is of no months.
    """
    is_range = not _BETWEEN.isdisjoint(question.raw) and _COMPARING.isdisjoint(question.english)
    if _COMPARING.isdisjoint(question.english) and not is_range:
        return
    years = {date.year for date in column.dates if date is not None}
    said = [
        SpokenPart("year", int(number), frozenset({place}))
        for place, number in question.numbers.items()
        if number in years
    ]
    for part, found in groupby((*said, *spoken), key=lambda each: each.part):
        two = [*found]
        places = frozenset().union(*(each.places for each in two))
        if len({each.value for each in two}) == _PAIR and not (is_range and places & taken):
            values = tuple(dict.fromkeys(each.value for each in two))
            kind: Comparison = "between" if is_range else "in"
            yield FoundFilter(Filter(column.name, kind, values, part), places, "date")


def _of_clock(question: QuestionWords, column: ColumnSample) -> Iterator[FoundFilter]:
    """Yield comparisons of a column of times of day, or of dates that have some."""
    if column.clock_length or column.has_times:
        part: Part = "" if column.clock_length else "time"
        for found, own in clock_filters(question, column.name, column.clock_length, part):
            yield FoundFilter(found, own, "date")


def _of_sold_out(question: QuestionWords, column: ColumnSample) -> Iterator[FoundFilter]:
    """Yield that there is none left, of a column of what there is: "out of stock"."""
    if not column.has_numbers or STOCK.isdisjoint(column.stems):
        return
    for place in range(len(question.raw)):
        words = next((w for w in _SOLD_OUT if question.raw[place : place + len(w)] == w), ())
        if words:
            places = frozenset(range(place, place + len(words)))
            yield FoundFilter(Filter(column.name, "=", 0), places)


def _years_of_months(column: ColumnSample) -> dict[int, int]:
    """Return the year of each month, if a column has dates of that month in only one year."""
    found = {(date.month, date.year) for date in column.dates if date is not None}
    months = Counter(month for month, _ in found)
    return {month: year for month, year in found if months[month] == 1}


def _is_of(own: str, name: str) -> bool:
    """Return whether a stem is that of a column's name, or of who it is said of: a survivor."""
    return own == name or (len(name) >= _LEAST_STEM and own in {f"{name}or", f"{name}er"})


def _of_sexes(question: QuestionWords, column: ColumnSample) -> Iterator[FoundFilter]:
    """Yield filters for men and women where a column tells them by another word or a letter."""
    if not column.repeats or not {(word,) for word in _SEXES[0]} & column.places.keys():
        return
    for own in _SEXES:
        values = [column.places[(word,)] for word in own if (word,) in column.places]
        places = frozenset(
            p for p, word in enumerate(question.raw) if word in own and len(word) > 1
        )
        if len(values) == 1 and places:
            cell = column.cells[values[0][0]]
            yield FoundFilter(Filter(column.name, "=", _typed(column, cell)), places)


def _of_missing(question: QuestionWords, column: ColumnSample) -> Iterator[FoundFilter]:
    places = frozenset(p for p, word in enumerate(question.english) if word in _MISSING)
    has_missing = any(map(is_missing, column.cells))
    if places and has_missing:
        yield FoundFilter(Filter(column.name, "is missing"), places, "missing")
        return
    is_none = says_none(question.text, column.stems)
    is_not_done = column.kind == "date" and says_not_done(question.text, column.stems)
    has_nothing = column.has_numbers and 0.0 in column.numbers
    if not (is_none or is_not_done) or not (has_missing or (is_none and has_nothing)):
        return
    denying = _NONE if is_none else _DENYING
    denied = frozenset(
        place
        for place, (word, own) in enumerate(zip(question.english, question.stems, strict=True))
        if word in denying or own in column.stems or stem(word.removeprefix("un")) in column.stems
    )
    # "days without rain" have none of it
    empty = Filter(column.name, "is missing") if has_missing else Filter(column.name, "=", 0)
    yield FoundFilter(empty, denied, "missing")


def _of_flag(question: QuestionWords, column: ColumnSample) -> Iterator[FoundFilter]:
    """Yield filters of a column of yes and no that the question names: "passed", "not passed"."""
    if column.flags is None:
        return
    opposite = {stem(f"{prefix}{own}") for own in column.stems for prefix in _OPPOSITES}
    opposite.update(*(UNDONE.get(own, ()) for own in column.stems))
    opposed = frozenset(p for p, word in enumerate(question.raw) if stem(word) in opposite)
    if opposed:
        found = Filter(column.name, "=", _typed(column, column.flags[1]))
        yield FoundFilter(found, opposed, "flag no")
    places = frozenset(
        p for p, own in enumerate(question.stems) if any(_is_of(own, name) for name in column.stems)
    )
    if places and not _is_grouped(question, min(places), column.name):
        yes, no = column.flags
        denied = frozenset(p for p, word in enumerate(question.english) if word in NEGATIONS)
        if not _is_denied(question, min(places), denied):
            yield FoundFilter(Filter(column.name, "=", _typed(column, yes)), places, "flag")
        if denied and not _is_of_another(question, max(places), denied):
            yield FoundFilter(
                Filter(column.name, "=", _typed(column, no)), places | denied, "flag no"
            )


def _is_denied(question: QuestionWords, place: int, denied: Collection[int]) -> bool:
    """Return whether a word is denied by one right before it, as in "no bath"."""
    last = max((p for p in denied if p < place), default=-_FAR)
    return place - last < _FAR and _JOINING.isdisjoint(question.english[last + 1 : place])


def _is_of_another(question: QuestionWords, place: int, denied: Collection[int]) -> bool:
    """Return whether only what is joined behind a word is denied: "a balcony and no bath"."""
    first = min(denied)
    return first > place and not _AND.isdisjoint(question.english[place + 1 : first])


def _is_grouped(question: QuestionWords, place: int, name: str) -> bool:
    """Return whether rows are grouped by the column named at a place.

    "Paid by card" is no group.
    """
    while place and question.raw[place - 1] in header_words(name):
        place -= 1
    before = ("", "", *question.english[:place])[-2:]
    return before[1] in _EACH or (before[1] == "by" and not before[0].endswith(("ed", "id", "by")))
