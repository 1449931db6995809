"""Features: what speaks for or against a query as the meaning of a question, by named rule.

Each feature is a name of the form "rule:...", so that its fitted weight can be read, and the
points of a rule are the sum of the weights of its features.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from okso_jupyter.planning.table_questions.adjectives import (
    ADJECTIVES,
    end_of,
    meaning_of,
    means,
    measured,
)
from okso_jupyter.planning.table_questions.answers import Cell
from okso_jupyter.planning.table_questions.cue_words import CUES, TOGETHER
from okso_jupyter.planning.table_questions.enumeration import PossibleQuery
from okso_jupyter.planning.table_questions.fitted_weights import RULES
from okso_jupyter.planning.table_questions.found_filters import FoundFilter
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import (
    STOP,
    QuestionWords,
    one_letter_apart,
    tokens,
)
from okso_jupyter.tables.cells import number_of
from okso_jupyter.tables.query import Query

#: A role and the column that has it; features with the places of the words that they explain.
_Role = tuple[str, str]
_Found = tuple[tuple[str, ...], frozenset[int]]
_MANY: Final = 4
_FEW: Final = 5
_HALF: Final = 0.5
_FIRST_YEAR, _LAST_YEAR = 1800, 2100
_LONGEST_NUMBER: Final = 12
_SHORTEST_MISSPELT: Final = 6
_TWO: Final = 2
#: The share of a column's name that a word for what it measures stands for.
_MEANT: Final = 0.4
#: The features that count the words left, and of these the rare ones.
LEFT: Final = "unexplained:words "
RARE: Final = "unexplained:rare "
MOST_LEFT: Final = 6
#: The noun of an adjective stands within so many words: "the longest average delay".
_NOUN_WITHIN: Final = 2
_TIMES: Final = frozenset("when day date year month time".split())
#: Stands for a word of the file's name, such as "orders" in a question about orders.csv.
ROWS: Final = "ROWS"


@lru_cache(maxsize=20_000)
def _known(word: str, vocabulary: frozenset[str]) -> str:
    """Return a word if it is known, the known word that it misspells, or "*"."""
    if word in vocabulary or len(word) < _SHORTEST_MISSPELT:
        return word if word in vocabulary else "*"
    return next((near for near in sorted(vocabulary) if one_letter_apart(word, near)), "*")


def form_of(query: Query) -> str:
    """Return the form of a query: what it asks, without columns and values."""
    if query.shift:
        return "row after" if query.shift > 0 else "row before"
    if query.combine:
        return f"{query.combine} of {query.measures[0].function if query.measures else 'values'}"
    return _measured_form(query) if query.measures else _shown_form(query)


def _shown_form(query: Query) -> str:
    """Return the form of a query that shows rows or values."""
    if query.order:
        ends = "largest" if query.descending else "smallest"
        if query.limit == 1:
            return f"{ends} row" if not query.columns else ends
        return f"{ends} few" if query.limit else "sorted"
    what = "rows" if not query.columns else ("distinct" if query.distinct else "values")
    if not query.limit:
        return what
    end = "last" if query.descending else "first"
    return f"{end} {what}" if query.limit > 1 else end


def _measured_form(query: Query) -> str:
    functions = str(query.measures[0].function) if len(query.measures) == 1 else "several"
    if query.measures[0].function == "count" and query.measures[0].column:
        functions = "count present"
    if not query.by:
        return functions
    if query.limit == 1:
        return f"{'most' if query.descending else 'least'} {functions}"
    return f"{functions} by" if not query.limit else f"top {functions} by"


def _roles(query: Query) -> Iterator[_Role]:
    """Yield each column in a query with its role."""
    for name in query.columns[:1]:
        yield "show", name
    if query.by:
        yield "by", query.by
    for measure in query.measures[:1]:
        if measure.column:
            yield "measure", measure.column
        if measure.other:
            yield "measure", measure.other
    if query.order and query.order != query.by:
        yield "order", query.order


def words_left(features: Mapping[str, Sequence[str]]) -> tuple[int, int]:
    """Return how many words of the question a query does not take up, and how many rare ones."""
    left, _, rare, *_ = features["unexplained"]
    return int(left.removeprefix(LEFT)), int(rare.removeprefix(RARE))


class Features:
    """Makes the features of the candidates of one question."""

    def __init__(
        self, question: QuestionWords, table: TableSample, vocabulary: frozenset[str]
    ) -> None:
        self.question, self.table, self.vocabulary = question, table, vocabulary
        words = question.english
        known = [
            ROWS if own in table.stems else _known(word, vocabulary)
            for word, own in zip(words, question.stems, strict=True)
        ]
        self.first = " ".join(known[:2])
        self.word = known[0] if known else ""
        self.known = ["^", *known, "$"]
        self.content = frozenset(
            place for place, word in enumerate(words) if word not in STOP and known[place] != ROWS
        )
        self.bag = sorted({w for w in known if w != "*"})
        self.pairs = sorted({(a, b) for a, b in pairwise(known) if "*" not in (a, b)})
        self.functions = sum(not cues.isdisjoint(question.cues) for cues in TOGETHER.values())
        self.asks_time = not _TIMES.isdisjoint(question.cues)
        self.counted = words.index("many") + 1 if "many" in words else -1
        self.has_quantity = any(column.is_quantity for column in table.columns.values())
        self.in_values = self._in_values()
        self.measured = measured(words)
        self.adjectives = frozenset(
            p
            for p, word in enumerate(words)
            if word in ADJECTIVES and not (p and words[p - 1] == "how")
        )
        self.values = self._exact_values()
        self._mentions: dict[str, tuple[frozenset[int], float]] = {}
        found = [self._meaning(place) for place in sorted(self.adjectives)]
        self.meanings = [meaning for meaning in found if meaning is not None]
        self._of_form = cache(self._form_found)
        self._of_columns = cache(self._columns_found)
        self._of_filters = cache(self._filters_found)

    @property
    def is_about_table(self) -> bool:
        """Whether a word of the question is known, or names a column or value of the table."""
        columns = self.table.columns.values()
        cues = CUES.intersection(self.question.cues)
        named = bool(cues) or any(self.mention(column.name)[0] for column in columns)
        known = any(
            said != "*" and word not in STOP
            for said, word in zip(self.known[1:-1], self.question.english, strict=True)
        )
        return (
            named
            or known
            or bool(self.meanings)
            or any(span in c.places for c in columns for span in self.question.spans)
        )

    def _meaning(self, place: int) -> tuple[bool, frozenset[str]] | None:
        """Return what the adjective at a place means: an end of the columns with these stems.

        "The longest average delay" is of the delay that it names, not of what can be long.
        """
        word = self.question.english[place]
        columns = list(self.table.columns.values())
        own = meaning_of(word, columns)
        for column in columns:
            if not column.has_numbers and column.kind != "date":
                continue
            places, _ = self.mention(column.name)
            follows = any(0 <= p - place <= _NOUN_WITHIN for p in places)
            if places and (follows or own is None):
                is_time = column.kind == "date" or column.is_year
                end = end_of(word, column.stems, is_time=is_time)
                named = frozenset((*column.stems, *(["date"] if is_time else [])))
                return None if end is None else (end, named)
        return own

    def mention(self, name: str) -> tuple[frozenset[int], float]:
        """Return the places of the words that name a column, and the share of its name they are."""
        if name not in self._mentions:
            self._mentions[name] = self._mention(self.table[name])
        return self._mentions[name]

    def _mention(self, column: ColumnSample) -> tuple[frozenset[int], float]:
        raw = self.question.raw
        for first, word in enumerate(raw):  # as one word or as two: "totaleur", "wind speed"
            if word == column.joined:
                return frozenset({first}), 1.0
            if first and raw[first - 1] + word == column.joined:
                return frozenset({first - 1, first}), 1.0
        places: dict[str, int] = {}
        for place, (word, own) in enumerate(zip(raw, self.question.stems, strict=True)):
            if column.is_done and word.endswith("s"):
                continue  # "orders" are not when something was "ordered"
            for part in column.stems:
                if part in {own, word}:
                    places.setdefault(part, place)
        if not places and (column.has_numbers or column.kind == "date"):
            meant = frozenset(p for p, stems in self.measured.items() if means(stems, column))
            return meant, _MEANT if meant else 0.0
        share = len(places) / len(column.stems) if column.stems else 0.0
        return frozenset(places.values()), share

    def _exact_values(self) -> frozenset[int]:
        """Return the places of the words that are values of texts."""
        spans = [
            span
            for column in self.table.columns.values()
            if not column.has_numbers
            for value in column.places
            if value[0] not in STOP and (span := self.question.spans.get(value))
        ]
        return frozenset(place for first, behind in spans for place in range(first, behind))

    def _in_values(self) -> frozenset[int]:
        """Return the places of the words that stand in a value of several words."""
        spans = [
            span
            for column in self.table.columns.values()
            for value in column.places
            if len(value) > 1 and (span := self.question.spans.get(value))
        ]
        return frozenset(place for first, behind in spans for place in range(first, behind))

    def _implied(self, column: ColumnSample, *, descending: bool) -> str:
        """Return whether an adjective of the question means a column, and this end of it."""
        for means_largest, meant in self.meanings:
            if means(meant, column):
                return "meant" if means_largest == descending else "meant, other end"
        return "not meant" if self.adjectives else ""

    def of(
        self, candidate: PossibleQuery, answer: Sequence[tuple[Cell, ...]]
    ) -> dict[str, tuple[str, ...]]:
        """Return the features of one candidate that gives `answer`, by the rule they belong to.

        Those of a form, of columns and of filters are made once: many candidates share them.
        """
        query = candidate.query
        form = form_of(query)
        columns, named = self._of_columns(form, tuple(_roles(query)), query.descending)
        filters, filtered = self._of_filters(form, candidate.found)
        found = (
            self._of_form(form, len(query.measures)),
            columns,
            filters,
            tuple(self._of_rest(named | filtered, query, form)),
            tuple(self._of_answer(answer, form)),
            (f"size:{min(5, len(query.names) + len(query.filters))}",),
        )
        return dict(zip(RULES, found, strict=True))

    def _form_found(self, form: str, measures: int) -> tuple[str, ...]:
        """Return the features of a form and a number of measures with the question's words."""
        made = [
            f"operation:{form}",
            f"operation:{form}|start {self.first}",
            f"operation:{form}|first {self.word}",
        ]
        made += [f"operation:{form}|{word}" for word in self.bag]
        made += [f"operation:{form}|{a} {b}" for a, b in self.pairs]
        if measures > 1:
            made.append(f"operation:several|{measures - self.functions}")
        return tuple(made)

    def _columns_found(self, form: str, roles: tuple[_Role, ...], descending: bool) -> _Found:  # noqa: FBT001  of a cached call
        """Return the features of the columns' roles, and the places that name the columns."""
        found: list[str] = []
        explained: frozenset[int] = frozenset()
        for role, name in roles:
            places, share = self.mention(name)
            explained |= places
            size = (
                "whole" if share == 1 else "half" if share >= _HALF else "some" if share else "none"
            )
            column = self.table[name]
            found.append(f"columns:{role} {size}")
            found.append(f"columns:{form}|{role} {size}")
            found.append(f"columns:{form}|{role} is {column.kind}")
            found.append(f"columns:{form}|{role} repeats {column.repeats}")
            found.append(f"columns:{form}|{role} shared by {column.grouping}")
            if role in {"order", "measure"}:
                is_largest = descending or "maximum" in form
                explained |= self._of_measured(form, role, column, found, is_largest=is_largest)
            if role == "show":
                found.append(f"columns:show {column.kind}|first {self.word}")
                found.append(f"columns:show {column.kind}|start {self.first}")
                found.append(f"columns:{form}|show date {column.kind == 'date'} {self.asks_time}")
                position = list(self.table.columns).index(name)
                found.append(f"columns:show at {min(position, 3)}|{size == 'none'}")
                found += [
                    f"columns:show {s}|first {self.word}"
                    for s in column.stems
                    if s in self.vocabulary
                ]
            if role in {"order", "measure"}:
                found += [
                    f"columns:{form}|{role} {s}" for s in column.stems if s in self.vocabulary
                ]
            if places:
                start = min(places)
                found.append(f"columns:{role} after {self.known[start]}")
                found.append(f"columns:{form}|{role} after {self.known[start]}")
                found.append(f"columns:{role} before {self.known[max(places) + 2]}")
                found.append(f"columns:{role} starts {min(start, 3)}")
                found.append(f"columns:{role} before a value {max(places) + 1 in self.values}")
        by, measure = (
            next((self.mention(name)[0] for own, name in roles if own == role), None)
            for role in ("by", "measure")
        )
        if by and measure:
            between = "by" in self.question.english[min(measure) : min(by)]
            found.append(f"columns:{form}|by first {min(by) < min(measure)}|by {between}")
        return tuple(found), explained

    def _of_measured(
        self, form: str, role: str, column: ColumnSample, found: list[str], *, is_largest: bool
    ) -> frozenset[int]:
        """Add the features of a column that is computed with or sorted by; return the places."""
        found.append(f"columns:{role} is key {column.is_key}")
        if column.is_name:
            found.append(f"columns:{role} is of names")
        if self.has_quantity:
            found.append(f"columns:{form}|{role} is quantity {column.is_quantity}")
        meant = self._implied(column, descending=is_largest)
        if not meant:
            return frozenset()
        found.append(f"columns:{role} {meant}")
        found.append(f"columns:{form}|{role} {meant}")
        return self.adjectives

    def _filters_found(self, form: str, filters: tuple[FoundFilter, ...]) -> _Found:
        """Return the features of the filters, and the places that they explain."""
        explained: frozenset[int] = frozenset()
        found = [f"filters:{form}|{len(filters)}", *self._order_of(filters)]
        for each in filters:
            explained |= each.places
            comparison = each.filter.comparison
            own = f"{each.how} {comparison}{' of ' + each.filter.part if each.filter.part else ''}"
            found.append(f"filters:{own}")
            found.append(f"filters:{own}|{form}")
            start = min(each.places)
            places, share = self.mention(each.filter.column)
            explained |= places
            if each.how in {"value", "near", "part"}:
                is_counted = self.counted in each.places
                found.append(f"filters:{form}|counted {is_counted} {self.has_quantity}")
            near = min((abs(p - q) for p in places for q in each.places), default=9)
            found.append(f"filters:{each.how}|named {share > 0}")
            found.append(f"filters:{each.how}|name at {near if near < _MANY else 'far'}")
            found.append(f"filters:words {min(len(each.places), _MANY)}|{each.how}")
            if each.how in {"value", "part", "near"}:
                says = min(2, sum(self.known[p + 1] != "*" for p in each.places))
                size = min(3, len(each.places))
                found.append(f"filters:{each.how} of known words {says} of {size}")
            elif each.how == "number":
                found.append(
                    f"filters:number in a value {not self.in_values.isdisjoint(each.places)}"
                )
            before = " ".join(self.known[max(0, start - 1) : start + 1])
            found.append(f"filters:{own} after {self.known[start]}")
            found.append(f"filters:{own} after {before}")
            found.append(f"filters:{own} before {self.known[max(each.places) + 2]}")
            kind = self.table[each.filter.column].kind
            found.append(f"filters:{own}|is {kind}")
            number = self.question.numbers.get(start)
            if number is not None:
                looks_like_year = _FIRST_YEAR <= number <= _LAST_YEAR
                header = "year" in self.table[each.filter.column].stems or kind == "date"
                found.append(f"filters:{comparison} year {looks_like_year} {header}")
        return tuple(found), explained

    def _order_of(self, filters: Sequence[FoundFilter]) -> Iterator[str]:
        """Yield whether two values stand in the order of their columns: "from Oslo to Rome"."""
        values = [each for each in filters if each.how in {"value", "near", "part"}]
        if len(values) == _TWO == len(filters):
            names = list(self.table.columns)
            first, second = sorted(values, key=lambda each: min(each.places))
            is_same = names.index(first.filter.column) < names.index(second.filter.column)
            from_to = {"from", "to"} <= set(self.question.english)
            yield f"filters:in order of columns {is_same}"
            yield f"filters:in order of columns {is_same}|from to {from_to}"

    def _of_rest(self, explained: frozenset[int], query: Query, form: str) -> Iterator[str]:
        """Yield the features of what the query leaves unexplained."""
        numbers = {
            p for p, n in self.question.numbers.items() if query.limit != n or query.limit <= 1
        }
        left = self.content - explained
        yield f"{LEFT}{min(MOST_LEFT, len(left))}"
        yield f"unexplained:numbers {min(2, len(numbers & left))}"
        values = sum(1 for p in left if self.known[p + 1] == "*")
        yield f"{RARE}{min(5, values)}"
        for place in left:
            if self.known[place + 1] != "*":
                yield f"unexplained:{form}|{self.known[place + 1]}"

    def _of_answer(self, answer: Sequence[tuple[Cell, ...]], form: str) -> Iterator[str]:
        """Yield the features of what the query gives."""
        count = len(answer)
        size = "0" if not count else "1" if count == 1 else "few" if count <= _FEW else "many"
        yield f"answer:{size}|{form}"
        yield f"answer:{size}|first {self.word}"
        if not count:
            return
        value = answer[0][0]
        if value is None:
            yield f"answer:none|{form}"
            return
        text = str(value)
        is_number = not isinstance(value, str) or (
            number_of(text) is not None and len(text) < _LONGEST_NUMBER
        )
        yield f"answer:number {is_number}|start {self.first}"
        yield f"answer:number {is_number}|first {self.word}"
        said = tokens(text)
        is_said = said in self.question.spans
        yield f"answer:said {is_said}|{form}"
        yield f"answer:said {is_said}|{'or' in self.question.raw}"
        yield f"answer:words {min(_FEW, len(said))}|first {self.word}"
        if value == 0:
            yield f"answer:zero|{form}"
