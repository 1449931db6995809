"""Bounded groups: "which customers had more than 6 repairs" is of groups with so many rows.

The number is cut out: "which customers had the most repairs" is read, for which the weights are
fitted, and all of its groups are kept that are within the bound. What a column holds the numbers
of, as of "cities with more than 100000 inhabitants", stays a condition on rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.planning.table_questions.cue_words import PARTS
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.said_bounds import (
    SaidBound,
    is_within,
    said_bound,
)
from okso_jupyter.planning.table_questions.stated_parts import is_said
from okso_jupyter.planning.table_questions.stated_subject import DEALS, PERSONS
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.unused_words import unused_words
from okso_jupyter.planning.table_questions.word_meanings import meanings_of, parts_of
from okso_jupyter.planning.table_questions.words import (
    MONTHS,
    NUMBERINGS,
    STOP,
    header_stems,
    header_words,
    stem,
    tokens,
)
from okso_jupyter.tables.query import Filter, Measure, Query
from okso_jupyter.word_stems import german_stem

#: What asks for groups, and the groups: "show me all customers with", "wer hat".
_LEAD: Final = re.compile(
    r"(?i)^\W*(?:(?:(?:tell|sage?)\s+(?:me|mir),?\s+)?(?:which|what|welche[rsn]?)\s+|(?P<who>who|wer)\b|"
    r"(?:(?:please|bitte)\s+)?(?:(?:show|list|find|give|name|display|zeige?|nenne?|liste|finde)\s+"
    r"(?:(?:me|us|mir|uns)\s+)?)?(?:(?:all|the|those|every|alle|d(?:ie|en))\s+)*)"
)
#: What asks for something else of such groups, or of others: their number or average.
_OTHER: Final = re.compile(
    r"(?i)\b(?:how|wie|many|much|viele?|numbers?|counts?|anzahl|averages?|means?|medians?|totals?|"
    r"sums?|summen?|durchschnitt\w*|shares?|percent\w*|anteil|prozent|most|least|highest|lowest|"
    r"meisten|wenigsten|per|each|pro|je|and|or|und|oder|not|never|no|nicht|nie|kein\w*|than|als|"
    r"top|first|last|ersten?|letzten?)\b"
)
#: "Invoices of clients with" asks for invoices; a number before the bound is of something else.
_PART_OF: Final = re.compile(r"(?i)\S\s+(?:of|by|von|vom)\s|\d")
#: "Customers who came", "Kunden, die".
_RELATIVE: Final = re.compile(r"(?i),?\s+(?:who|that|which|die|der|das)(?=\s|$)")
_ARTICLE: Final = r"(?:\s+(?:an?|the|eine[rmn]?|de[rmn]|die))?\s*$"
_HAS: Final = re.compile(rf"(?i)\s+(?:with|having|mit){_ARTICLE}")
_HAD: Final = re.compile(rf"(?i){_ARTICLE}")
_WHOSE: Final = re.compile(r"(?i),?\s+(?:whose|deren)\s*$")
_VERB_LAST: Final = re.compile(
    r"(?i)(?<=\S)\s+(?:haben|hatten|hat|liegt|ist|sind|is|are|have|has|had)\s*$"
)
#: "Who did more than 3 repairs" is of no customer, whom a column names.
_DOES: Final = re.compile(r"(?i)\b(?:did|does|do|made|makes?|machten?|macht)\b")
_DONE_BY: Final = re.compile(r"(?i)_by$")
#: What ends the name of a column of numbers: `Kundennr`.
_NUMBERED: Final = re.compile(r"(?<=[^\W\d_]{3})(?:nr|nummer)$")
#: A vowel with the e that stands for its dots.
_SPELT_OUT: Final = re.compile(r"([ao]|(?<![aeq])u)e")
_DATE: Final = re.compile(r"(?i)(?:date|datum|day|tag|time|zeit)$")
#: What stands before where or when something was, or whom it was for.
_PREPOSITIONS: Final = frozenset(
    "in on at from with by for during within im am aus von bei an auf mit fur wahrend".split()
)
_ARTICLES: Final = frozenset("a an the der die das den dem des ein eine einem einer einen".split())
#: Letters of the shortest noun that is a part of a compound.
_LEAST_NOUN: Final = 4
#: Functions of measures that count rows, or different values.
_COUNTS: Final = frozenset({"count", "count distinct"})


@dataclass(frozen=True, slots=True)
class _Asked:
    """Groups within bounds that a question asks for.

    Attributes:
        bound: What it says of their bounds.
        groups: Its words before that.
        table: The table.
    """

    bound: SaidBound
    groups: str
    table: TableSample

    def questions(self) -> Iterator[tuple[str, str]]:
        """Yield the question in words without a bound, and one for the rows that are counted.

        Those that are read best come first; the last is of the groups alone.
        """
        lead = _LEAD.match(self.groups)
        rest = self.groups[lead.end() :] if lead else self.groups
        who = lead["who"] if lead else None
        rest = rest if who else _RELATIVE.sub("", rest, count=1)
        has = " haben" if self.bound.is_german else " have"
        had = _HAD.sub("", _WHOSE.sub(has, _HAS.sub(has, f" {rest}"))).strip()
        behind = _VERB_LAST.sub("", self.bound.behind)
        asked = who or ("welche" if self.bound.is_german else "which")
        rows = f"number of {'rows' if self.bound.function else self.bound.noun or 'rows'}"
        yield f"{asked} {had} {self.bound.most}{behind}", f"{rows}{behind}"
        named = self._group_word(rest)
        if named:
            other = _VERB_LAST.sub("", _WHOSE.sub("", _HAS.sub("", rest[named.end() :])))
            yield f"{self.bound.number} per {named[0]}{other}{behind}", f"{rows}{behind}"
            yield f"{asked} {named[0]}{has} {self.bound.most}", f"{rows}{other}{behind}"

    def _group_word(self, text: str) -> re.Match[str] | None:
        """Return the first word that is a column of values that repeat, or a part of dates."""
        for found in re.finditer(r"[^\W\d_]+", text):
            texts = (c.name for c in self.table.columns.values() if c.kind == "text")
            said = found[0].lower()
            if stem(said) in PARTS or any(_is_called(name, said) for name in texts):
                return found
        return None

    def answered_by(
        self, reading: QueryReading, rows: Callable[[], Sequence[QueryReading]]
    ) -> QueryReading | None:
        """Return a reading of the groups as one of those within the bounds; None if it is another.

        Args:
            reading: The reading of one of `questions`.
            rows: Returns the readings of the question for the rows that are counted.
        """
        query = reading.query
        is_plain = not (query.combine or query.shift or query.chart or query.limit > 1)
        is_whole = not (reading.also or reading.left_out)
        if not (is_plain and is_whole and query.by and len(query.measures) == 1):
            return None
        if not (self._is_of_groups(query) and self._is_measured(query)):
            return None
        if not self._keeps_all(query) or self._dates_groups(query):
            query = self._with_rows(query, rows())
        return replace(reading, query=self._bounded(query)) if self._keeps_all(query) else None

    def _bounded(self, query: Query) -> Query:
        measures = query.measures
        if self.bound.is_of_different:
            measures = (Measure("count distinct", self._different(query)[0]),)
        return replace(
            query, measures=measures, order=query.by, descending=False, limit=0, columns=(),
            distinct=False, bounds=self.bound.bounds,
        )  # fmt: skip

    def _different(self, query: Query) -> Sequence[str]:
        """Return the columns of a query whose different values can be what is counted."""
        last = (tokens(self.bound.noun) or ("",))[-1]
        needed = self.table.made_of.joined_by
        texts = (c.name for c in self.table.columns.values() if c.kind == "text")
        there = [name for name in texts if set(needed.get(name, ())) <= set(query.joins)]
        return [name for name in there if _is_called(name, last)]

    def _dates_groups(self, query: Query) -> bool:
        """Return whether a query is of dates of a joined table: when customers came, not repairs.

        That is asked for behind the groups alone.
        """
        joined = self.table.made_of.joined_by
        return any(each.column in joined and self._is_date(each) for each in query.filters)

    def _is_date(self, each: Filter) -> bool:
        column = self.table.columns.get(each.column)
        return column is not None and column.kind == "date"

    def _with_rows(self, query: Query, readings: Sequence[QueryReading]) -> Query:
        """Return a query of groups with the conditions of what is counted."""
        rows = readings[0].query if readings else query
        if rows.by or rows.source != query.source or not set(rows.joins) <= set(query.joins):
            return query
        is_dated = any(map(self._is_date, rows.filters))
        own = [f for f in query.filters if f not in rows.filters]
        own = [f for f in own if not (is_dated and self._is_date(f))]
        return replace(query, filters=(*own, *rows.filters))

    def _keeps_all(self, query: Query) -> bool:
        """Return whether a query has all that the question names, and counts what it does."""
        said = f"{self.groups} {self.bound.behind}"
        if unused_words(said, query, self.table) or self._leaves_value(tokens(said), query):
            return False
        if self._leaves_word(query):
            return False
        return bool(self.bound.function) or self._is_counted(query)

    def _leaves_value(self, words: Sequence[str], query: Query) -> bool:
        """Return whether one of these words is a value of a column, and of no condition."""
        columns = [c for c in self.table.columns.values() if c.kind == "text" and c.repeats]
        named = [word for word in words if len(word) >= _LEAST_NOUN and word not in STOP]
        return any(
            not self._is_condition(word, query)
            for word in {*named} - self.table.header_words
            if any((word,) in column.places for column in columns)
        )

    def _leaves_word(self, query: Query) -> bool:
        """Return whether what describes the groups, or where rows were, is of no condition."""
        lead = _LEAD.match(self.groups)
        words = tokens(self.groups[lead.end() :] if lead else self.groups)
        place = next((p for p, w in enumerate(words) if self._names_groups(w, query)), 0)
        if any(self._is_noun(word, query) for word in words[place + 1 : place + 2]):
            return True  # "insured patients" are not grouped by `insurance`
        said = (*words[place + 1 :], "", *tokens(self.bound.behind))
        where = [word for before, word in pairwise(_bare(said)) if before in _PREPOSITIONS]
        coded = [word for word in said if word.isalnum() and not (word.isalpha() or word.isdigit())]
        doubted = [word for word in (*words[:place], *where, *coded) if word and word not in STOP]
        return not all(self._is_taken_up(word, query) for word in doubted)

    def _names_groups(self, word: str, query: Query) -> bool:
        return _is_called(query.by, word) or (bool(query.part) and stem(word) in PARTS)

    def _is_noun(self, word: str, query: Query) -> bool:
        """Return whether a word is what another column, or a value of a condition, is called."""
        if self._is_condition(word, query):
            return True
        others = [name for name in self.table.columns if name != query.by]
        return not word.endswith("ed") and any(_is_called(name, word) for name in others)

    def _is_taken_up(self, word: str, query: Query) -> bool:
        """Return whether a word is of a condition, or of a time that one of them is about."""
        named = (*tokens(query.source), *header_words(query.by))
        if self._is_condition(word, query) or stem(word) in map(stem, named):
            return True
        (english,) = in_english((word,))
        is_time = word.isdigit() or english in MONTHS or stem(english) in PARTS
        return is_time and any(map(self._is_date, query.filters))

    def _is_of_groups(self, query: Query) -> bool:
        """Return whether the groups of a query are those that the question names."""
        words = tokens(self.groups)
        if query.part:
            return any(PARTS.get(stem(word)) == query.part.split()[-1] for word in words)
        column = self.table.columns.get(query.by)
        if column is not None and (column.kind == "date" or column.names_rows):
            return False
        lead = _LEAD.match(self.groups)
        if lead and lead["who"]:
            is_person = not PERSONS.isdisjoint(header_stems(query.by))
            is_done_by = _DONE_BY.search(query.by) is not None
            return is_done_by or (is_person and not _DOES.search(self.groups))
        return any(_is_called(query.by, word) for word in words)

    def _is_measured(self, query: Query) -> bool:
        (measure,) = query.measures
        if self.bound.function:
            own, said = header_words(measure.column), tokens(self.bound.noun)
            is_named = any(_is_called(part, word) for part in own for word in said)
            return measure.function == self.bound.function and is_named
        if query.joins and is_within(0, self.bound.bounds):
            return False  # those without any are in no group
        return measure.function in _COUNTS or measure.column in self._quantities

    @property
    def _quantities(self) -> list[str]:
        return [column.name for column in self.table.columns.values() if column.is_quantity]

    def _is_counted(self, query: Query) -> bool:
        """Return whether the rows of a query, or its different values, are what is counted."""
        *others, last = tokens(self.bound.noun) or ("",)
        if not all(self._is_condition(word, query) for word in others):
            return False
        (measure,) = query.measures
        if self.bound.is_of_different:
            return bool(self._different(query))
        if measure.function == "count distinct":
            return _is_called(measure.column, last)
        if measure.column in self._quantities or not self._names_rows(last, query):
            # "more than 20 teas" are their quantity, where there is one
            is_counted = measure.column in self._quantities or not self._quantities
            return is_counted and self._is_condition(last, query)
        return True

    def _is_condition(self, word: str, query: Query) -> bool:
        return any(is_said(each, word) for each in query.filters)

    def _names_rows(self, noun: str, query: Query) -> bool:
        """Return whether rows of a query are called by a noun; "" stands for how often."""
        if not noun or any(stem(word) in DEALS for word in (noun, *in_english((noun,)))):
            return True
        files = header_words(PurePosixPath(query.source).stem)
        columns = self.table.columns.values()
        named = [c.name for c in columns if c.names_rows or c.is_key]
        dates = [c.name for c in columns if c.kind == "date"]
        is_named = any(_is_called(each, noun) for each in (*files, *named))
        return is_named or self._is_done_by(query) or any(_is_dated(each, noun) for each in dates)

    def _is_done_by(self, query: Query) -> bool:
        """Return whether the question asks who did what a column tells: `borrowed_by`."""
        done = query.by.removesuffix("_by") if _DONE_BY.search(query.by) else ""
        return bool(done) and stem(done.lower()) in map(stem, tokens(self.groups))


def within_bounds(
    question: str, table: TableSample, read: Callable[[str], Sequence[QueryReading]]
) -> tuple[QueryReading, ...]:
    """Return the readings of a question for groups within a bound; () if it asks for no such.

    Args:
        question: The question.
        table: The table.
        read: Returns the readings of a question.
    """
    asked = _asked(question.rstrip(" ?.!"), table)
    if asked is None:
        return ()
    for groups, rows in asked.questions():
        of_rows = cache(partial(read, rows))
        found = [asked.answered_by(each, of_rows) for each in read(groups)]
        # the most and the fewest of groups are the same groups
        answered = {one.query: one for one in reversed(found) if one}
        if answered:
            return tuple(reversed(answered.values()))
    return ()


def _asked(question: str, table: TableSample) -> _Asked | None:
    """Return the groups within bounds that a question asks for; None if it asks for none."""
    bound = said_bound(question)
    if bound is None or _OTHER.search(bound.before) or _OTHER.search(bound.behind):
        return None
    if _PART_OF.search(bound.before):
        return None
    numbers = [c for c in table.columns.values() if c.has_numbers and not c.is_key]
    words = tokens(bound.names_column)
    if any(_is_of(word, column) for word in words for column in numbers):
        return None  # a condition on rows
    return _Asked(bound, bound.before, table)


def _is_of(word: str, column: ColumnSample) -> bool:
    """Return whether a column of numbers may be one of what a word names."""
    return stem(word) in column.meanings or _is_called(column.name, word)


def _is_called(name: str, word: str) -> bool:
    """Return whether a word is what a column, or the rows of a file, are called by.

    Of several words the last one tells what it is: a `customer_type` is no customer.
    """
    own = [each for each in header_words(name) if each not in NUMBERINGS and each != "name"]
    if not own:
        return False
    last = _NUMBERED.sub("", own[-1])
    is_same = stem(last) == stem(word) or _german(last) == _german(word)
    return is_same or not meanings_of(_tail(last)).isdisjoint(meanings_of(_tail(word)))


def _german(word: str) -> str:
    """Return the German stem of a word; `verkaeufe` is written for Verkäufe."""
    return german_stem(_SPELT_OUT.sub(r"\1", word))


def _bare(words: Sequence[str]) -> Sequence[str]:
    return [word for word in words if word not in _ARTICLES]


def _is_dated(name: str, noun: str) -> bool:
    """Return whether a column has the dates of what a noun names: `Buchungsdatum` of Buchungen."""
    words = header_words(name)
    if not words or len(noun) < _LEAST_NOUN or not _DATE.search(words[-1]):
        return False
    return words[0].startswith(german_stem(noun.lower()))


def _tail(word: str) -> str:
    return parts_of(word)[-1]
