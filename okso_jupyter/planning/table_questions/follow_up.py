"""Follow-ups: a request that changes the last query, such as "and in the south?"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from okso_jupyter.planning.table_questions.abbreviations import abbreviated
from okso_jupyter.planning.table_questions.chart_words import ChartAsked, chart_asked
from okso_jupyter.planning.table_questions.charted_readings import drawn
from okso_jupyter.planning.table_questions.column_words import in_words_of
from okso_jupyter.planning.table_questions.cue_words import NAMED, PARTS, TOGETHER
from okso_jupyter.planning.table_questions.filters import find_filters
from okso_jupyter.planning.table_questions.followed_ends import rank_otherwise, take_other_end
from okso_jupyter.planning.table_questions.found_filters import FoundFilter
from okso_jupyter.planning.table_questions.going_on import MOST_WORDS, may_follow
from okso_jupyter.planning.table_questions.number_filters import ORDERED
from okso_jupyter.planning.table_questions.other_periods import in_other_period
from okso_jupyter.planning.table_questions.query_edit import QueryEdit
from okso_jupyter.planning.table_questions.query_reading import FollowUp
from okso_jupyter.planning.table_questions.stated_values import stated_comparisons
from okso_jupyter.planning.table_questions.summed_rows import (
    measure_groups,
    show_counted,
    sum_rows,
)
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.word_families import are_akin
from okso_jupyter.planning.table_questions.words import QuestionWords
from okso_jupyter.tables.column_kinds import problem
from okso_jupyter.tables.labels import chart_label, group_label, label
from okso_jupyter.tables.query import Filter, Function, Measure, Part, Query
from okso_jupyter.tables.query_wording import bound_words, condition

_ABOUT: Final = re.compile(r"(?i)\b(?:what about|how about|was ist mit)\b")
#: How feedback begins that turns a plan down and goes on to say what is wanted.
_NO: Final = re.compile(r"(?i)^\W*(?:no|nope|nein|wrong|falsch)\s*[,.;:!]\s*(?=\w)")
_NOT: Final = frozenset("not nicht".split())
_ORDINALS: Final = {
    word: str(number)
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth".split(), start=1
    )
}
_FUNCTIONS: Final[Mapping[Function, frozenset[str]]] = {
    **{f: cues for f, cues in TOGETHER.items() if f != "range" and not f.startswith("quartile")},
    "range": frozenset({"range"}),
    "quartile 1": frozenset({"q1"}),
    "quartile 3": frozenset({"q3"}),
    "outliers": NAMED["outliers"],
    "count": frozenset("count anzahl how many wie viele".split()),
}
_GROUPING: Final = frozenset("by per each je pro nach group every".split())
_WHOLE: Final = frozenset("overall insgesamt altogether all everything alle".split())
_LARGEST: Final = frozenset("largest highest most biggest maximum max best top hoch".split())
_SMALLEST: Final = frozenset("smallest lowest least fewest minimum min worst bottom".split())
_UNDRAWN: Final = frozenset("table tabelle chart plot without ohne diagramm".split())
#: What leads to another value: "and when it was windy?", "on sunny days".
_LEADS: Final = frozenset(
    "when while wenn als wann bei beim day days tag tage tagen are were was war waren es".split()
)
#: What compares a number with those of a column, and its units.
_COMPARING: Final = frozenset(
    "more less fewer greater larger higher older longer bigger heavier taller later lower smaller "
    "shorter younger cheaper lighter earlier than over above under below least most up exceeding "
    "or not no nicht mehr weniger alter langer junger kurzer teurer billiger hoher niedriger oder "
    "uber unter mindestens hochstens euro euros eur dollars dollar usd pounds gbp".split()
)
_FIRST: Final = frozenset({"top", "first", "best"})
_FOUND_HOW: Final = frozenset({"value", "date", "flag", "near", "part"})


def follow_up(request: str, last: Query, table: TableSample) -> FollowUp | None:
    """Return the last query as a request changes it; None where a word stays unexplained.

    Args:
        request: The request, which names no table.
        last: The last query.
        table: The beginning of its table.
    """
    return changed_query(request, last, table) if may_follow(request) else None


def changed_query(request: str, last: Query, table: TableSample) -> FollowUp | None:
    """Return a query as feedback on it, or a follow-up, changes it; None where a word is left.

    Args:
        request: What is said about the query.
        last: The query.
        table: The beginning of its table.
    """
    request = _NO.sub("", request)
    if len(request.split()) > MOST_WORDS or not last.names <= set(table.columns):
        return None
    found = _changed(request, last, table)
    if found is None:
        # columns may be said in other words
        said = in_words_of(abbreviated(request, [*table.columns]), table)
        found = _changed(said, last, table) if said != request else None
    return found


def _changed(request: str, last: Query, table: TableSample) -> FollowUp | None:
    """Return a query as a request changes it that says its columns by their names."""
    chart = chart_asked(request, list(table.columns))
    asked = _ABOUT.sub(" ", chart.question if chart else request)
    edit = _Edit(QuestionWords(_with_digits(asked, table)), table, last)
    for change in (
        partial(show_counted, edit),
        partial(sum_rows, edit),
        edit.whole,
        edit.order,
        edit.limit,
        partial(take_other_end, edit),
        partial(rank_otherwise, edit),
        edit.group,
        partial(measure_groups, edit),
        edit.function,
        edit.compared,
        edit.filters,
        edit.column,
    ):
        change()
    edit.draw(chart)
    # a bound on six repairs is none on a fee
    is_bounded_else = bool(last.bounds) and edit.query.measures[:1] != last.measures[:1]
    if edit.left or edit.query == last or is_bounded_else:
        return None
    if problem(edit.query) or not edit.fits:
        return None
    return FollowUp(edit.query, ", ".join(edit.changed), _kept(last, edit.query))


def _with_digits(request: str, table: TableSample) -> str:
    """Return a request with "second class" as "2 Pclass", where one column's name ends so."""

    def number(match: re.Match[str]) -> str:
        named = [name for name in table.columns if name.lower().endswith(match[2].lower())]
        return f"{_ORDINALS[match[1].lower()]} {named[0]}" if len(named) == 1 else match[0]

    return re.sub(rf"(?i)\b({'|'.join(_ORDINALS)})\s+(\w{{3,}})", number, request)


class _Edit(QueryEdit):
    """The changes that a follow-up may make, one after another."""

    def whole(self) -> None:
        """Take the filters away: "and overall?"."""
        places = self.places(_WHOLE)
        if places and self.query.filters:
            self.change(places, f"not only {_conditions(self.query.filters)}", filters=())

    def order(self) -> None:
        """Sort the groups by what is measured: "highest first"."""
        if not (self.query.by and self.query.measures):
            return
        for cues, descending in ((_LARGEST, True), (_SMALLEST, False)):
            ends = {place for place in self.places(cues) if self.word_at(place + 1) == "first"}
            if ends:
                said = f"{'largest' if descending else 'smallest'} first"
                both = ends | {place + 1 for place in ends}
                self.change(both, said, order="", descending=descending)

    def limit(self) -> None:
        """Take another number of rows: "top 5"."""
        ranked = bool(self.query.order or (self.query.by and self.query.measures))
        for place in sorted(self.left & set(self.question.numbers)):
            if place and self.question.words[place - 1] in _FIRST:
                count = int(self.question.numbers[place])
                # "first 5" of what has no order, or the largest of what has one
                down = True if ranked else self.query.descending
                said = f"the first {count}"
                shown = {"columns": ()} if self.query.columns == (self.query.by,) else {}
                self.change({place, place - 1}, said, limit=count, descending=down, **shown)

    def group(self) -> None:
        """Group by another column: "now by region", "per month"."""
        led = [place for place, word in enumerate(self.question.raw) if word in _GROUPING]
        found = self._group_behind(led[0]) if led and self.query.measures else None
        if found is None:
            return
        column, part, places = found
        last = self.query
        new = {"order": column} if last.order == last.by else {}
        shown = {"columns": (column,)} if last.columns else {}
        was = f" instead of {group_label(last)}" if last.by else ""
        said = f"for each {group_label(replace(last, by=column, part=part))}{was}"
        self.change(places | set(led), said, by=column, part=part, **new, **shown)

    def _group_behind(self, first: int) -> tuple[str, Part, set[int]] | None:
        """Return column, part of its dates, and words of the group named behind a place."""
        behind = {place for place in self.left if place > first}
        parts = {place for place in behind if self.question.stems[place] in PARTS}
        dates = [column for column in self.table.columns.values() if column.kind == "date"]
        found = self.column_in(behind)
        if found is None and parts and len(dates) == 1:
            found = dates[0], set()
        if found is None:
            return None
        column, places = found
        if not parts or column.kind != "date":
            return column.name, "", places
        return column.name, PARTS[self.question.stems[min(parts)]], places | parts

    def function(self) -> None:
        """Compute something else of the same column: "the median instead"."""
        self._leave_out_the_last_function()
        for function, cues in _FUNCTIONS.items():
            places = self.places(cues)
            if not places or not self.query.measures:
                continue
            first = self.query.measures[0]
            column = "" if function == "count" else first.column
            if first.other or (not column and function != "count"):
                continue
            said = f"{function} instead of {first.function}"
            self.change(places, said, measures=(Measure(function, column),))

    def _leave_out_the_last_function(self) -> None:
        """Pass over the function of the query where another is named: "sum, not the mean"."""
        named = {f: places for f, cues in _FUNCTIONS.items() if (places := self.places(cues))}
        functions = {measure.function for measure in self.query.measures}
        if len(named) == 1:
            return
        for places in (named[function] for function in functions & named.keys()):
            denied = [place for place in self.places(_NOT) if place < min(places)]
            self.left -= {*places, *denied[-1:]}

    def draw(self, chart: ChartAsked | None) -> None:
        """Draw the result: "as a bar chart"; or draw it no more: "as a table"."""
        if chart is None:
            places = self.places(_UNDRAWN)
            if places and self.query.chart:
                limit = 0 if self.query.chart == "histogram" else self.query.limit
                self.change(places, "no chart", chart="", limit=limit)
            return
        query = drawn(self.query, chart.kind, self.table)
        if query is not None and query != self.query:
            self.query = query
            self.changed.append(f"as a {chart_label(query.chart)}")

    def compared(self) -> None:
        """Compare with another number: "and over 20?"."""
        places = self.left & set(self.question.numbers)
        ordered = [f for f in self.query.filters if f.comparison in ORDERED and not f.part]
        if len(places) != 1 or len({each.column for each in ordered}) != 1 or len(ordered) > 1:
            return
        [place], [own] = places, ordered
        number = self.question.numbers[place]
        said = stated_comparisons(self.question.text).get(number)
        if said is None and any(f.how == "date" for f in find_filters(self.question, self.table)):
            return
        value = int(number) if number == int(number) else number
        new = replace(own, comparison=said or own.comparison, value=value)
        others = tuple(new if each == own else each for each in self.query.filters)
        self.change(places, f"{condition(new)} instead of {condition(own)}", filters=others)
        self.left -= self.places({*_COMPARING, *self.table[own.column].stems})

    def filters(self) -> None:
        """Ask of other rows: "and in the south?", "only 2015"."""
        meant = list(self._meant_filters())
        if len({(found.filter.column, found.filter.part) for found in meant}) < len(meant):
            return  # two values of one column are no change of one
        for found in meant:
            own = [f for f in self.query.filters if f.column == found.filter.column]
            periods = {f: in_other_period(f, found.filter) for f in own}
            same = [f for f in own if periods[f] or _is_other_of(f, found.filter)]
            kept = [f for f in self.query.filters if f not in same]
            new = next(filter(None, periods.values()), found.filter)
            was = f" instead of {_conditions(same)}" if same else ""
            said = f"{condition(new)}{was}"
            self.change(set(found.places), said, filters=(*kept, new))
        if meant:
            self._explain_filters({found.filter.column for found in meant})

    def _explain_filters(self, columns: set[str]) -> None:
        """Take the words that lead to a value, and those of its column: "when it was", "20 ft"."""
        stems = {root for name in columns for root in self.table[name].stems}
        self.left -= self.places(_LEADS | stems)

    def _meant_filters(self) -> Iterator[FoundFilter]:
        """Yield the filter of each group of words; none where several columns have the value."""
        filtered = {each.column for each in self.query.filters}
        named = {c.name for c in self.table.columns.values() if self.mentions(c, self.left)}
        found = [f for f in find_filters(self.question, self.table) if f.how in _FOUND_HOW]
        found = [f for f in found if f.filter.comparison in {"=", "contains"}]
        for places in dict.fromkeys(f.places for f in found):
            if not places <= self.left:
                continue
            same = [f for f in found if f.places == places]
            exact = [f for f in same if f.how in {"value", "date"}] or same
            # a bare number may be anything
            sure = filtered | named
            exact = [f for f in exact if f.filter.part or _is_text(f) or f.filter.column in sure]
            preferred = (
                [f for f in exact if f.filter.column in filtered]
                or [f for f in exact if f.filter.column in named]
                or exact
            )
            if len({(f.filter.column, f.filter.value) for f in preferred}) == 1:
                yield preferred[0]
        if not found:
            yield from self._akin_values()

    def _akin_values(self) -> Iterator[FoundFilter]:
        """Yield another value of what is filtered, by a word of its family: "wind" for windy."""
        filtered = [each.column for each in self.query.filters if each.comparison == "="]
        known = {name: self.table[name] for name in filtered}
        for place in sorted(self.left):
            forms = {self.question.raw[place], self.question.english[place]}
            for name, column in known.items():
                akin = {
                    value: rows[0]
                    for value, rows in column.places.items()
                    if len(value) == 1 and any(are_akin(form, value[0]) for form in forms)
                }
                if column.kind == "text" and len(akin) == 1:
                    cell = column.cells[next(iter(akin.values()))]
                    yield FoundFilter(Filter(name, "=", cell), frozenset({place}), "near")

    def column(self) -> None:
        """Ask of another column: "and the quantity?"."""
        found = self.column_in(self.left)
        if found is None:
            return
        column, places = found
        if any(f.column == column.name for f in self.query.filters) and self.changed:
            self.left -= places  # "and for the region south": the name of what is filtered
        elif self.query.measures and not self.query.measures[0].other:
            first = self.query.measures[0]
            if first.column and first.column != column.name:
                said = f"{column.name} instead of {first.column}"
                self.change(places, said, measures=(replace(first, column=column.name),))
        elif len(self.query.columns) == 1 and not self.query.by:
            said = f"{column.name} instead of {self.query.columns[0]}"
            self.change(places, said, columns=(column.name,))


def _is_text(found: FoundFilter) -> bool:
    return isinstance(found.filter.value, str) and not found.filter.value.isdigit()


def _is_other_of(own: Filter, said: Filter) -> bool:
    """Return whether what is said of a column takes the place of a condition on it."""
    kinds = {own.comparison, said.comparison}
    return own.part == said.part and (own.comparison in {"=", "in"} or kinds == {"between"})


def _conditions(filters: Iterable[Filter]) -> str:
    return " and ".join(map(condition, filters))


def _kept(last: Query, new: Query) -> str:
    """Return what two queries have in common."""
    measures = [label(m) for m in last.measures if m in new.measures]
    shown = list(last.columns) if last.columns == new.columns and not last.measures else []
    groups = [f"for each {group_label(last)}"] if last.by and last.by == new.by else []
    bounds = [bound_words(last)] if last.bounds and last.bounds == new.bounds else []
    same = [each for each in last.filters if each in new.filters]
    where = [f"where {_conditions(same)}"] if same else []
    chart = [f"the {chart_label(last.chart)}"] if last.chart and last.chart == new.chart else []
    return ", ".join([*chart, *measures, *shown, *groups, *bounds, *where, f"in {last.source}"])
