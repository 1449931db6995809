"""Charted readings: what a question may mean if its answer is to be drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from okso_jupyter.planning.table_questions.chart_words import ChartAsked, ChartKind
from okso_jupyter.planning.table_questions.fitted_weights import CERTAINTY
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.stated_parts import is_said
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import QuestionWords, stem
from okso_jupyter.tables.column_kinds import OF_CELLS
from okso_jupyter.tables.query import Chart, Filter, Measure, Query

_PAIR: Final = 2
#: How much less certain a chart is that takes up less than another, as log-odds.
_TAKES_UP_LESS: Final = 2.0
#: "price against weight": what stands first is drawn upwards.
_UPWARDS_FIRST: Final = re.compile(
    r"(?i)\b(?:against|versus|vs|over|as a function of|gegen|über)\b"
)

#: What names the only column of dates.
_OVER_TIME: Final = re.compile(
    r"(?i)\b(?:over|through|across|with) (?:the )?(?:time|days|weeks|months|years)\b|"
    r"\bzeitverlauf\b"
)
#: "Revenue per week" is of groups, also where the weeks are numbers.
_PER: Final = re.compile(r"(?i)\b(?:per|pro|je|each|every)\s+(?P<key>[^\W\d_]+)")


def charted(
    readings: Sequence[QueryReading], asked: ChartAsked, table: TableSample, most: int
) -> tuple[QueryReading, ...]:
    """Return the readings of a question as queries whose results are drawn, best first.

    Readings that give the same chart are one. Charts that take up more of the columns that the
    question names come first, and the fitted points decide between the others.

    Args:
        readings: The readings of the question, best first.
        asked: The question and the chart.
        table: The table.
        most: The most readings that are wanted.
    """
    if not readings:
        return ()
    charts = _Charts(asked, table)
    found: dict[Query, QueryReading] = {}
    for reading in readings:
        query = charts.of(reading.query)
        if query is None:
            continue
        if query in found:
            first = found[query]
            share = first.probability + reading.probability
            found[query] = replace(first, probability=share)
        else:
            found[query] = replace(reading, query=query)
    fullest = max(readings, key=lambda reading: charts.values_taken_up(reading.query))
    named = charts.of_names(fullest.query.filters)
    if named is not None and named not in found:
        found[named] = replace(readings[0], query=named, probability=0.0)
    ranked = sorted(
        found.values(), key=lambda reading: charts.taken_up(reading.query), reverse=True
    )
    return _as_sure(readings[0], ranked[:most], charts)


def _as_sure(
    best: QueryReading, ranked: Sequence[QueryReading], charts: _Charts
) -> tuple[QueryReading, ...]:
    """Return charts of which the first one is as sure as the words are, and those behind are less.

    It has the points of the best reading; one that takes up less of the question has fewer.
    """
    if not ranked:
        return ()
    first, *others = ranked
    most = charts.taken_up(first.query)
    behind = [one if charts.taken_up(one.query) == most else _less_sure(one) for one in others]
    return (replace(first, points=best.points, confidence=best.confidence), *behind)


def _less_sure(reading: QueryReading) -> QueryReading:
    """Return a reading with fewer points for its certainty."""
    certainty = reading.points.get(CERTAINTY, 0.0) - _TAKES_UP_LESS
    return replace(reading, points={**reading.points, CERTAINTY: certainty})


def drawn(query: Query, kind: ChartKind, table: TableSample) -> Query | None:
    """Return a query whose result is drawn as a kind of chart; None where nothing can be."""
    return _Charts(ChartAsked(kind, ""), table).of(query)


@dataclass(frozen=True, slots=True)
class _Charts:
    """Charts of one table.

    Attributes:
        asked: The question and the chart.
        table: The table.
    """

    asked: ChartAsked
    table: TableSample

    def of(self, query: Query) -> Query | None:
        """Return the chart that shows most of what a query is about; None if there is none."""
        if query.combine or query.shift:
            return None
        if query.by and query.measures and self._draws_groups(self.table[query.by]):
            return self._of_groups(query)
        shown = query.columns if query.columns != (query.by,) else ()
        measured = [name for m in query.measures for name in (m.column, m.other)]
        names = list(dict.fromkeys(filter(None, (query.order, query.by, *shown, *measured))))
        return self._of_columns(names, query.filters)

    def _draws_groups(self, key: ColumnSample) -> bool:
        """Return whether the groups of a column are drawn: of numbers, only where they are few."""
        said = {stem(found["key"].lower()) for found in _PER.finditer(self.asked.question)}
        is_per = key.repeats and not said.isdisjoint(key.stems)
        is_of_numbers = key.has_numbers and not key.is_year and key.grouping != "kinds"
        is_scattered = is_of_numbers and not is_per
        return self.asked.kind in {"bar", "line", "pie"} or (
            self.asked.kind == "any" and not is_scattered
        )

    def taken_up(self, query: Query) -> tuple[int, int]:
        """Return how many columns, and how many values, that the question names a query has."""
        return len(query.names & set(self._named())), self.values_taken_up(query)

    def values_taken_up(self, query: Query) -> int:
        """Return how many filters of a query have a value that the question names."""
        return sum(is_said(each, self.asked.question) for each in query.filters)

    def of_names(self, filters: tuple[Filter, ...]) -> Query | None:
        """Return the chart of the columns that the question names; None if it names too few."""
        kept = tuple(f for f in filters if not f.comparison.startswith("is "))
        own = [name for name in self._named() if not any(f.column == name for f in kept)]
        return self._of_columns(own, kept)

    def _named(self) -> list[str]:
        """Return the columns whose whole name stands in the question, in its order."""
        question = QuestionWords(self.asked.question, self.table.header_words)
        found = [
            (place, column.name)
            for column in self.table.columns.values()
            for place in _mentions(question.stems, column.stems)
        ]
        spans = [(first, first + len(self.table[name].stems), name) for first, name in found]
        spans += self._named_in_part(question, {name for *_, name in spans})
        outer = [
            (first, name)
            for first, behind, name in spans
            if not any(a <= first and behind <= b and b - a > behind - first for a, b, _ in spans)
        ]
        return list(dict.fromkeys(name for _, name in sorted(outer)))

    def _named_in_part(
        self, question: QuestionWords, whole: set[str]
    ) -> Iterator[tuple[int, int, str]]:
        """Yield the columns of which one word stands in the question, and no other has it.

        Time is the only column of dates.
        """
        dates = [c.name for c in self.table.columns.values() if c.kind == "date" or c.is_year]
        over_time = _OVER_TIME.search(self.asked.question)
        if over_time and len(dates) == 1 and dates[0] not in whole:
            place = len(QuestionWords(self.asked.question[: over_time.end()]).stems) - 1
            yield place, place + 1, dates[0]
        for place, root in enumerate(question.stems):
            own = [column for column in self.table.columns.values() if root in column.stems]
            if len(own) == 1 and own[0].name not in whole:
                yield place, place + 1, own[0].name

    def _of_groups(self, query: Query) -> Query | None:
        if any(self._is_cell(measure) for measure in query.measures):
            return None
        limit = query.limit if query.limit > 1 else 0
        measures = tuple(map(self._of_rows, query.measures))
        whole = replace(query, measures=measures, columns=(), limit=limit, distinct=False)
        if self.asked.kind == "pie" and len(query.measures) > 1:
            return None
        runs_on = self.table[query.by].kind == "date" or self.table[query.by].is_year
        if self.asked.kind == "line" or (self.asked.kind == "any" and runs_on and not limit):
            return replace(whole, order=query.by, descending=False, limit=0, chart="line")
        if runs_on and not limit:
            whole = replace(whole, order=query.by, descending=False)
        elif self.asked.kind == "pie" and not limit:
            whole = replace(whole, order="", descending=True)
        return replace(whole, chart="pie" if self.asked.kind == "pie" else "bar")

    def _of_rows(self, measure: Measure) -> Measure:
        """Return the number of rows for what is computed of a column that numbers them.

        The column `order` of orders.csv is such a one.
        """
        column = self.table[measure.column] if measure.column else None
        if column is None or not column.is_key:
            return measure
        return measure if set(self.table.stems).isdisjoint(column.stems) else Measure("count")

    def _is_cell(self, measure: Measure) -> bool:
        """Return whether a measure is a text or date, which has no height."""
        if measure.function in {"minimum", "maximum"}:
            return self.table[measure.column].kind == "date"
        return measure.function in OF_CELLS

    def _of_columns(self, names: Sequence[str], filters: tuple[Filter, ...]) -> Query | None:
        """Return a chart of one or two columns."""
        columns = [self.table[name] for name in names]
        kind = self.asked.kind
        if len(columns) == 1:
            return self._of_one(columns[0], filters)
        if len(columns) != _PAIR or kind == "histogram":
            return None
        across, up = self._directed(columns)
        if not up.has_numbers:
            return None
        if kind == "scatter" or (kind == "any" and across.has_numbers and not across.is_year):
            return self._rows(across, up, filters, "scatter") if across.has_numbers else None
        is_line = kind == "line" or (kind == "any" and across.kind != "text")
        if is_line and across.kind == "text" and across.repeats:
            return None
        return self._over(across, up, filters, self._chart(is_line=is_line))

    def _chart(self, *, is_line: bool) -> Chart:
        """Return the kind of a chart over one column, unless the question says that it is a pie."""
        if self.asked.kind == "pie":
            return "pie"
        return "line" if is_line or self.asked.kind == "line" else "bar"

    def _directed(self, columns: Sequence[ColumnSample]) -> tuple[ColumnSample, ColumnSample]:
        """Return what a pair is drawn over, and what is drawn upwards."""
        first, second = columns
        question = self._named()
        if first.name in question and second.name in question:
            first, second = sorted(columns, key=lambda column: question.index(column.name))
        if not first.has_numbers or not second.has_numbers:
            return (first, second) if second.has_numbers else (second, first)
        if first.is_year != second.is_year:
            return (first, second) if first.is_year else (second, first)
        return (second, first) if _UPWARDS_FIRST.search(self.asked.question) else (first, second)

    def _of_one(self, column: ColumnSample, filters: tuple[Filter, ...]) -> Query | None:
        """Return the distribution of one column."""
        kind = self.asked.kind
        if column.has_numbers and kind in {"any", "histogram"}:
            return self._query(filters, columns=(column.name,), chart="histogram")
        if kind == "scatter" or not column.repeats:
            return None
        chart: Chart = self._chart(is_line=column.kind == "date")
        order = column.name if column.kind != "text" else ""
        count = (Measure("count"),)
        return self._query(
            filters, by=column.name, measures=count, order=order, descending=not order, chart=chart
        )

    def _over(
        self, across: ColumnSample, up: ColumnSample, filters: tuple[Filter, ...], chart: Chart
    ) -> Query:
        """Return one column over another; where its values repeat, their sums or means."""
        if len(across.places) == sum(map(len, across.places.values())):
            return self._rows(across, up, filters, chart)
        # parts of a whole are sums
        is_sum = up.is_quantity or chart == "pie"
        measure = self._of_rows(Measure("sum" if is_sum else "mean", up.name))
        order = across.name if chart == "line" or across.kind != "text" else ""
        return self._query(filters, by=across.name, measures=(measure,), order=order, chart=chart)

    def _rows(
        self, across: ColumnSample, up: ColumnSample, filters: tuple[Filter, ...], chart: Chart
    ) -> Query:
        # the days of a week stand in their own order
        order = across.name if chart == "line" and across.kind != "text" else ""
        return self._query(filters, columns=(across.name, up.name), order=order, chart=chart)

    def _query(self, filters: tuple[Filter, ...], **parts: object) -> Query:
        return replace(Query(self.table.source, filters), **parts)  # type: ignore[arg-type]  # fields of a query


def _mentions(question: Sequence[str], stems: Sequence[str]) -> Iterator[int]:
    """Yield the places where a question has these stems one after the other."""
    size = len(stems)
    for place in range(len(question) - size + 1):
        if tuple(question[place : place + size]) == tuple(stems):
            yield place
