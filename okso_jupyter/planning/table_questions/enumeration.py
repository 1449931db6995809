"""Candidates: every small query over a table that a question may mean.

The grammar is small and typed: numbers are summed, texts are counted, and every column and value
is one of the table. Columns that the question does not name take part in narrow tables only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, product
from typing import Final

from okso_jupyter.planning.table_questions.adjectives import meaning_of, means, measured
from okso_jupyter.planning.table_questions.cue_words import (
    DIFFERENT,
    EACH,
    MISSING,
    NAMED,
    OF_ANY,
    PARTS,
    PERIOD,
    RELATED,
    ROWS,
    SHARE,
    TOGETHER,
)
from okso_jupyter.planning.table_questions.filters import find_filters
from okso_jupyter.planning.table_questions.found_filters import FoundFilter, combined_filters
from okso_jupyter.planning.table_questions.single_row_groups import single_row_groups
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import QuestionWords, stem
from okso_jupyter.tables.query import Filter, Function, Measure, Part, Query

_MOST: Final = 4500
#: Columns beyond which only those that the question names take part.
_NARROW: Final = 12
_FEW_NAMED: Final = 6
_SHIFTED: Final = 6
_STATISTICS: Final[tuple[Function, ...]] = ("sum", "mean", "maximum", "minimum")
_ENDS: Final[tuple[Function, ...]] = ("minimum", "maximum")
#: Statistics of a group that do not only name one of its rows.
_OF_GROUPS: Final[tuple[Function, ...]] = ("sum", "mean", "maximum", "minimum", "median")
_ADDING: Final[tuple[Function, ...]] = ("sum", "mean")
_MOST_ROWS_ASKED: Final = 100
_MOST_COMPARED: Final = 4
_BY: Final = "by"
#: What asks for something of each column, and the most columns that are looked into.
_OF_COLUMNS: Final = frozenset({"column", "columns", "spalt", "spalte", "spalten"})
_MOST_COLUMNS: Final = 40
#: What is done by somebody, beside words that end with "ed"; and what is done to a table by groups.
_DONE: Final = frozenset(
    "paid made sold won given held bought sent written built taken spent done lost run".split()
)
_DIVIDED: Final = frozenset("grouped sorted ordered divided separated ranked aggregated".split())
#: Stems of the names of columns of years.
_YEARS: Final = frozenset(
    "year yr jahr join joined sinc seit found gegrundet built build baujahr vintag jahrgang "
    "born geboren releas publish hire eintritt beitritt establish member".split()
)
#: What "by" groups by is named within so many words.
_NAMED_WITHIN: Final = 3


@dataclass(frozen=True, slots=True)
class PossibleQuery:
    """A query that a question may mean, and the filters it was made of."""

    query: Query
    found: tuple[FoundFilter, ...] = ()


def candidates(
    question: QuestionWords, table: TableSample, *, is_drawn: bool = False
) -> list[PossibleQuery]:
    """Return the queries that a question may mean, each once.

    Args:
        question: The question.
        table: The table.
        is_drawn: Whether the result is to be drawn: rows are, without groups of one row.
    """
    maker = _Maker(question, table, is_drawn=is_drawn)
    seen: dict[Query, PossibleQuery] = {}
    for candidate in maker.all():
        if not (_is_of_nothing(candidate.query) or maker.adds_keys(candidate.query)):
            seen.setdefault(candidate.query, candidate)
        if len(seen) == _MOST:
            break
    return list(seen.values())


class _Maker:
    """Makes the candidates of one question."""

    def __init__(self, question: QuestionWords, table: TableSample, *, is_drawn: bool) -> None:
        self.question, self.table = question, table
        self.stems = question.cues
        columns = list(table.columns.values())
        said = self.stems | {a + b for a, b in pairwise(question.raw)}
        self.named = [c for c in columns if said.intersection((*c.stems, c.joined))]
        wide = len(columns) > _NARROW
        self.columns = self._told(columns)[: 2 * _NARROW] if wide else columns
        unsaid = [c for c in self.columns if c not in self.named]
        # telephones are no amounts, and nobody adds up years
        no_amounts = [c for c in unsaid if c.is_identifier]
        no_sums = [*no_amounts, *(c for c in unsaid if c.is_year and _YEARS & {*c.stems})]
        numeric = [c for c in self.columns if c.has_numbers and not c.is_name]
        self.numeric = [c for c in numeric if c not in no_sums]
        self.sorting = [
            c
            for c in self.columns
            if (c.has_numbers or c.kind == "date" or c.clock_length) and c not in no_amounts
        ]
        self.keys = frozenset() if self._says_sum_or_mean() else table.numberings
        self.found = find_filters(question, table)
        self.rows = [] if is_drawn else single_row_groups(question.text, table)
        self.groups = [c for c in self.columns if c.repeats or c.kind == "date" or c in self.rows]
        self.is_grouped = self._is_grouped()
        # the day of a date is no number of rows
        dated = {place for each in self.found if each.how == "date" for place in each.places}
        self.limits = [
            int(n)
            for place, n in question.numbers.items()
            if n == int(n) and 1 < n <= _MOST_ROWS_ASKED and place not in dated
        ]

    def _told(self, columns: Sequence[ColumnSample]) -> list[ColumnSample]:
        """Return the columns that the question names, and those that its words measure."""
        words = self.question.english
        meanings = [own for word in words if (own := meaning_of(word, columns))]
        meant = [*measured(words).values(), *(stems for _, stems in meanings)]
        measuring = [c for c in columns if any(means(stems, c) for stems in meant)]
        return [*self.named, *(c for c in measuring if c not in self.named)]

    def all(self) -> Iterator[PossibleQuery]:
        """Yield every candidate; some twice."""
        yield from self._compared(of_years=True)
        for found in combined_filters(self.found):
            query = Query(self.table.source, tuple(each.filter for each in found))
            for made in self._of_base(query, is_wide=len(found) <= 1):
                yield PossibleQuery(made, found)
        yield from self._neighbours()
        yield from self._compared(of_years=False)

    def _of_base(self, base: Query, *, is_wide: bool) -> Iterator[Query]:
        """Yield the queries over the rows that pass given filters."""
        yield replace(base, measures=(Measure("count"),))
        yield from self._shown(base)
        yield from self._measured(base)
        if is_wide:
            yield from self._grouped(base)
            yield from self._several_by(base)

    def _shown(self, base: Query) -> Iterator[Query]:
        """Yield queries that show rows or values."""
        shown = [c.name for c in self.columns if c.name not in _fixed(base)]
        if base.filters or self._says(ROWS):
            yield from self._limited(base)
        for name in shown:
            yield from self._values(replace(base, columns=(name,)))
        for column, descending in product(self.sorting, (True, False)):
            ordered = replace(base, order=column.name, descending=descending)
            if self._says(ROWS):
                yield from (replace(ordered, limit=limit) for limit in (1, *self.limits, 0))
            others = [name for name in shown if name != column.name]
            for name, limit in product(others, (1, *self.limits[:2])):
                yield replace(ordered, columns=(name,), limit=limit)

    def _limited(self, base: Query) -> Iterator[Query]:
        """Yield whole rows: all, and as many as the question says from both ends."""
        yield base
        for limit, descending in product(self.limits, (False, True)):
            yield replace(base, limit=limit, descending=descending)

    def _values(self, one: Query) -> Iterator[Query]:
        """Yield the values of one column: all, different ones, and from both ends."""
        if one.filters:
            yield one
        if not one.filters or self._says(DIFFERENT):
            yield replace(one, distinct=True)
        yield replace(one, limit=1)
        yield replace(one, limit=1, descending=True)
        yield from (replace(one, limit=limit) for limit in self.limits[:2])

    def _measured(self, base: Query) -> Iterator[Query]:
        """Yield queries that compute one number, or several of one column."""
        for measure in self._measures(base):
            yield replace(base, measures=(measure,))
        yield from self._several(base)

    def _measures(self, base: Query) -> Iterator[Measure]:
        """Yield what may be computed of the rows of a query."""
        numeric = [column.name for column in self.numeric]
        named = [function for function, cues in NAMED.items() if self._says(cues)]
        yield from (Measure(f, name) for name, f in product(numeric, (*_STATISTICS, *named)))
        if base.filters and self._says(SHARE):
            yield from (Measure("share percent", name) for name in ("", *numeric))
        dates = [column.name for column in self.sorting if column.kind == "date"]
        yield from (Measure(f, name) for name, f in product(dates, _ENDS))
        yield from (Measure(f, c.name) for c, f in product(self.columns, self._of_any()))
        if self._says(RELATED):
            related = [c.name for c in self.named if c.has_numbers][:_FEW_NAMED]
            yield from (Measure("correlation", a, b) for a, b in combinations(related, 2))

    def _of_any(self) -> list[Function]:
        """Return the functions of any column that the question may mean."""
        said: list[Function] = [f for f, cues in OF_ANY.items() if self._says(cues)]
        if "missing percent" in said and "missing" not in said:
            said.remove("missing percent")
        return [*said, "most common", "least common"]

    def _several(self, base: Query) -> Iterator[Query]:
        """Yield two or more statistics of one column where their words stand in the question.

        Of missing values: their number in every column. Of dates: the first and the last one.
        """
        # a word of a column's name is no such word: "the mean max_c", "the mean total"
        names = frozenset(own for column in self.table.columns.values() for own in column.stems)
        said = [function for function, cues in TOGETHER.items() if self._says(cues - names)]
        if len(said) > 1:
            for column in self.numeric:
                yield replace(base, measures=tuple(Measure(f, column.name) for f in said))
        if self._says(MISSING) and (self._says(_OF_COLUMNS) or not self.named) and not base.filters:
            every = list(self.table.columns)[:_MOST_COLUMNS]
            yield replace(base, measures=tuple(Measure("missing", name) for name in every))
        if PERIOD.search(self.question.text):
            dates = [column.name for column in self.sorting if column.kind == "date"]
            yield from (
                replace(base, measures=tuple(Measure(f, name) for f in _ENDS)) for name in dates
            )

    def _grouped(self, base: Query) -> Iterator[Query]:
        """Yield queries with one result for each value of a column."""
        functions = [f for f in _OF_GROUPS if f not in NAMED or self._says(NAMED[f])]
        measures = [Measure(f, column.name) for f, column in product(functions, self.numeric)]
        for column in self.groups:
            if column.name in _fixed(base):
                continue
            for part, measure in product(self._parts(column), (Measure("count"), *measures)):
                is_one_each = column in self.rows and not measure.column
                if measure.column != column.name and not is_one_each:
                    grouped = replace(base, by=column.name, part=part, measures=(measure,))
                    yield from self._ranked(grouped)

    def _several_by(self, base: Query) -> Iterator[Query]:
        """Yield two or more statistics of one column for each value of another."""
        for column in self.groups:
            if self.is_grouped and column.repeats and column.name not in _fixed(base):
                for several in self._several(base):
                    if several.measures[0].column != column.name:
                        yield replace(several, by=column.name, order=column.name)

    def _ranked(self, grouped: Query) -> Iterator[Query]:
        """Yield a grouped query as a table, and its largest and smallest groups."""
        if self.is_grouped:
            yield replace(grouped, order=grouped.by)
        if grouped.measures[0].function in _ENDS:
            return  # the row with the largest value says the same
        for descending in (True, False):
            yield replace(grouped, descending=descending, columns=(grouped.by,), limit=1)
            for limit in self.limits[:2]:
                yield replace(grouped, descending=descending, limit=limit)

    def _parts(self, column: ColumnSample) -> list[Part]:
        """Return the parts of a date to group by; the value itself for other columns."""
        whole: list[Part] = [""] if column.repeats or column in self.rows else []
        if column.kind != "date":
            return whole
        parts = dict.fromkeys(PARTS[s] for s in sorted(self.stems) if s in PARTS)
        return [*whole, *(part for part in parts if part != "hour" or column.has_times)]

    def _neighbours(self) -> Iterator[PossibleQuery]:
        """Yield queries for the row before or after the row of a value."""
        for found in [f for f in self.found if f.how in {"value", "part", "date"}][:_SHIFTED]:
            for shift in (1, -1):
                base = Query(self.table.source, (found.filter,), shift=shift, limit=1)
                for column in self.columns:
                    yield PossibleQuery(replace(base, columns=(column.name,)), (found,))

    def _compared(self, *, of_years: bool) -> Iterator[PossibleQuery]:
        """Yield queries that compare the rows or groups of two values of one column, or years."""
        pairs = [f for f in self.found if f.filter.comparison == "in"]
        for found in [f for f in pairs if bool(f.filter.part) == of_years][:_MOST_COMPARED]:
            for others in ((), *((each,) for each in self._beside(found))):
                filters = (*(each.filter for each in others), found.filter)
                for made in self._of_two(Query(self.table.source, filters), found.filter):
                    yield PossibleQuery(made, (*others, found))

    def _beside(self, years: FoundFilter) -> Iterator[FoundFilter]:
        """Yield the filters of which two years are compared: of one title, in one town."""
        if years.filter.part:
            yield from (
                each
                for each in self.found
                if each.how == "value" or each.filter.part == "year"
                if each.filter.comparison == "=" and each.filter.part != years.filter.part
                if each.places.isdisjoint(years.places)
            )

    def _of_two(self, base: Query, two: Filter) -> Iterator[Query]:
        """Yield comparisons of two values of a column, or of two years of its dates."""
        name = two.column
        for column in self.sorting:
            if column.name != name:
                for descending in (True, False):
                    ordered = replace(base, order=column.name, descending=descending)
                    yield replace(ordered, columns=(name,), limit=1)
                yield replace(base, columns=(column.name,), combine="difference")
        numeric = [column.name for column in self.numeric if column.name != name]
        # "difference" is that of the two groups, and no range
        named = [f for f, cues in NAMED.items() if f != "range" and self._says(cues)]
        measures = [Measure(f, other) for other, f in product(numeric, (*_ADDING, *named))]
        for measure in (Measure("count"), *measures):
            grouped = replace(base, by=name, part=two.part, measures=(measure,))
            yield replace(grouped, combine="difference")
            yield replace(grouped, order=name)
            for descending in (True, False):
                yield replace(grouped, descending=descending, columns=(name,), limit=1)

    def _is_grouped(self) -> bool:
        """Return whether the question asks for groups; "paid by the passengers" says who paid."""
        words = self.question.english
        # "price per bottle" is a column
        columns = self.table.columns.values()
        named = frozenset().union(*(self.question.places_of_name(c.name) for c in columns))
        left = [(at, word) for at, word in enumerate(words) if at not in named]
        if any(not EACH.isdisjoint({word, stem(word)} - {_BY}) for _, word in left):
            return True
        return any(word == _BY and not self._says_who(at) for at, word in left)

    def _says_who(self, by: int) -> bool:
        """Return whether the "by" at a place says who did something: no groups follow it."""
        before = self.question.english[by - 1] if by else ""
        is_done = before in _DONE or (before.endswith("ed") and before not in _DIVIDED)
        stems = self.question.stems[by + 1 : by + 1 + _NAMED_WITHIN]
        named = {stem for column in self.groups for stem in (*column.stems, column.joined)}
        return is_done and named.union(PARTS).isdisjoint(stems)

    def _says_sum_or_mean(self) -> bool:
        """Return whether a sum or mean is asked for, and not by the name of a column: "total"."""
        names = frozenset(own for column in self.table.columns.values() for own in column.stems)
        return any(self._says(TOGETHER[function] - names) for function in _ADDING)

    def adds_keys(self, query: Query) -> bool:
        """Return whether a query adds up numbers that only number the rows."""
        return any(m.function in _ADDING and m.column in self.keys for m in query.measures)

    def _says(self, cues: frozenset[str]) -> bool:
        """Return whether a cue word stands in the question."""
        return not self.stems.isdisjoint(cues)


def _fixed(query: Query) -> frozenset[str]:
    """Return the columns that have one value in all rows of a query; a year has many dates."""
    return frozenset(f.column for f in query.filters if f.comparison == "=" and not f.part)


def _is_of_nothing(query: Query) -> bool:
    """Return whether a query sorts by a column, or measures one, that has nothing in its rows."""
    gaps = {f.column for f in query.filters if f.comparison == "is missing"}
    return not gaps.isdisjoint({query.order, *(measure.column for measure in query.measures)})
