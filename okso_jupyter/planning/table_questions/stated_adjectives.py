"""Stated adjectives: the column that "oldest", "most valuable" or "older than 2019" is of.

An adjective means what its column measures, whatever the column is called in either language. The
first of its meanings counts that the table has: the oldest is of an age, else of a birthday, and of
any other date only where there is neither.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import Final

from okso_jupyter.planning.table_questions.adjectives import ADJECTIVES, AGES, meaning_of, means
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import stem, tokens
from okso_jupyter.tables.query import Query

_SUPERLATIVE: Final = re.compile(r"\w+(?:est|[sß]te[rsnm]?)")
#: Adjectives whose ends are said by "most" and "least", beside those of rows that occur often.
_LED: Final = re.compile(
    r"\b(?P<end>most|least)\s+(?P<word>(?!popular|recent|often|common|productive)\w+)"
)
_COMPARATIVE: Final = re.compile(
    r"\b(?P<denied>(?:not?|t|never) )?(?:(?P<less>less )|more )?(?P<word>\w+er|expensive|valuable) "
    r"than (?P<number>\d+)"
)
#: An end of what several columns are called by.
_NAMED: Final = re.compile(
    r"\b(?P<end>highest|largest|biggest|greatest|lowest|smallest) (?P<noun>\w+)\b(?! \w+est\b)"
)
#: Words behind an adjective of which one is its noun: "the longest science episode".
_NOUN_WITHIN: Final = 2
#: One deed of somebody.
_WHO_MADE: Final = re.compile(
    r"^(?:who|which \w+) (?:made|filed|submitted|placed|offered|set|scored|achieved) the \w+est "
    r"(?!\w+s\b)"
)
_SMALL: Final = frozenset({"lowest", "smallest"})
_FIRST_YEAR, _LAST_YEAR = 1500, 2100
#: Nobody is older.
_OLDEST: Final = 150


def stated_adjectives(
    question: str, table: TableSample, called: Collection[str]
) -> Iterator[Callable[[Query], bool]]:
    """Yield a test for the one adjective of a question that means an end, and for comparatives.

    Args:
        question: The question.
        table: Its table.
        called: Columns that an end is said to be of: "the longest wing" is of no duration.
    """
    asked = " ".join(in_english(tokens(question)))
    found = [*dict.fromkeys(_ends(question, table))]
    if len(found) == 1 and not called:
        [(word, is_denied)] = found
        columns = _ordered(table)
        meaning = meaning_of(word, columns)
        if meaning is not None:
            is_largest, stems = meaning
            meant = [column.name for column in columns if means(stems, column)]
            yield partial(is_end_of, columns=meant, is_largest=is_largest != is_denied)
            if not asked.startswith("how ") and _is_of_things(asked, word, table):
                yield lambda query: bool(query.by) or not query.measures
    if not called:
        yield from _of_named_amount(asked, table)
    yield from _of_comparative(asked, table)


def _ordered(table: TableSample) -> list[ColumnSample]:
    """Return the columns whose values can be sorted: a country is not large, though it is land."""
    columns = table.columns.values()
    return [c for c in columns if c.has_numbers or c.kind == "date" or c.clock_length]


def _is_of_things(asked: str, word: str, table: TableSample) -> bool:
    """Return whether the thing with an end is asked for, and no number: "the heaviest parcel"."""
    behind = asked.partition(f" {word} ")[2].split()[:_NOUN_WITHIN] or asked.split()[1:2]
    said = set(map(stem, behind))
    columns = table.columns.values()
    if any(not said.isdisjoint(c.stems) for c in columns if c.has_numbers and not c.is_key):
        return False
    texts = [c for c in columns if c.kind == "text" or c.name in table.numberings]
    return not said.isdisjoint(table.stems) or any(not said.isdisjoint(c.stems) for c in texts)


def _of_named_amount(asked: str, table: TableSample) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where one column of amounts is called by what is said to be highest.

    "The highest offer" is of `Offer amount`, whatever else is said of offers.
    """
    found = _NAMED.search(asked)
    said = stem(found["noun"]) if found else ""
    called = [c for c in table.columns.values() if said in c.stems]
    amounts = [c for c in called if c.has_numbers and c.name not in table.numberings]
    amounts = [c for c in amounts if not (c.is_key or c.is_identifier or c.is_name)]
    if found and len(amounts) == 1 and len(called) > 1:
        is_largest = found["end"] not in _SMALL
        yield partial(is_end_of, columns=[amounts[0].name], is_largest=is_largest)
        yield lambda query: not query.by or all(m.function != "mean" for m in query.measures)
        if _WHO_MADE.search(asked):
            yield lambda query: not query.by


def _ends(question: str, table: TableSample) -> Iterator[tuple[str, bool]]:
    """Yield each adjective that means an end, and whether "least" turns it round.

    Felix Jung is not the youngest.
    """
    written = tokens(question)
    asked = in_english(written)
    for own, word in zip(written, asked, strict=True):
        is_end = _SUPERLATIVE.fullmatch(own) and word.endswith("est")
        if is_end and word in ADJECTIVES and word not in table.header_words:
            yield word, False
    for found in _LED.finditer(" ".join(asked)):
        if found["word"] in ADJECTIVES:
            yield found["word"], found["end"] == "least"


def _of_comparative(asked: str, table: TableSample) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where "older than 40" compares a column, which is the one of ages."""
    for found in _COMPARATIVE.finditer(asked):
        if found["denied"]:
            continue
        number = int(found["number"])
        for is_largest, stems in ADJECTIVES.get(found["word"], ()):
            meant = [c.name for c in _ordered(table) if means(stems, c)]
            if meant and _may_compare(found["word"], number, is_age=bool(stems & AGES)):
                is_more = is_largest != bool(found["less"])
                yield partial(_is_beyond, columns=meant, is_more=is_more)
                break


def _may_compare(word: str, number: int, *, is_age: bool) -> bool:
    """Return whether a number compares ages, or years: nothing is older than 2019 years."""
    if not any(stems & AGES for _, stems in ADJECTIVES[word]):
        return True
    return number <= _OLDEST if is_age else _FIRST_YEAR <= number <= _LAST_YEAR


def _is_beyond(query: Query, columns: Sequence[str], *, is_more: bool) -> bool:
    """Return whether a query has rows with more, or with less, than a number in these columns."""
    signs = {">", ">="} if is_more else {"<", "<="}
    found = any(each.column in columns and each.comparison in signs for each in query.filters)
    return found and not query.limit


def is_end_of(query: Query, columns: Collection[str], *, is_largest: bool) -> bool:
    """Return whether a query is for the rows, groups or values at one end of certain columns."""
    if query.limit and query.order:
        return query.order in columns and query.descending == is_largest
    measured = [measure for measure in query.measures if measure.column in columns]
    if query.limit and query.by:
        return bool(measured) and query.descending == is_largest
    end = "maximum" if is_largest else "minimum"
    return any(measure.function == end for measure in measured)


def columns_of_age(columns: Collection[ColumnSample]) -> list[ColumnSample]:
    """Return the columns that hold how old somebody is."""
    return [c for c in columns if c.has_numbers and not c.is_year and not AGES.isdisjoint(c.stems)]
