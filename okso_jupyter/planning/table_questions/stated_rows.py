"""Stated rows: what a question says of the rows that it wants, by the name of their file.

"Show expenses over 800" beside expenses.csv asks for rows, and "the sum of expenses" for no number
of them. How a number compares, and the order of groups, are stated as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.planning.request.wording import columns_named
from okso_jupyter.planning.table_questions.adjectives import ADJECTIVES, measured
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.periods import LAST_PERIOD, PART_OF_YEAR
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.stated_ends import ALTERNATIVES
from okso_jupyter.planning.table_questions.stated_values import stated_comparisons
from okso_jupyter.planning.table_questions.word_meanings import header_meanings
from okso_jupyter.planning.table_questions.words import (
    NUMBERINGS,
    header_stems,
    header_words,
    row_stems,
    stem,
    tokens,
)
from okso_jupyter.tables.query import Filter, Measure, Query

#: Stems of the names of columns of times, which say nothing of a row alone.
_TIMES: Final = frozenset(map(stem, "date day time datetime timestamp month year datum".split()))
_WHEN: Final = re.compile(r"\b(?:when|wann|since|latest|earliest|newest|oldest|last|first|next)\b")
#: A column that is called by a plural holds amounts: "how many seats".
_HOW_MANY: Final = re.compile(r"^how many (?P<named>\w+(?:s|en|e|er))\b")
_STATISTIC: Final = re.compile(r"\b(?:median|average|mean|maximum|minimum)\b")
_SUM_OF_ROWS: Final = re.compile(
    r"\b(?:sum|total) (?:amount )?(?:of )?(?:all )?(?:the )?(?P<named>\w+)"
)
#: Columns that rows are called by.
_TITLES: Final = frozenset((stem(word),) for word in ("name", "title", "titel"))
#: What may compare a number although it is no phrase that is known.
_COMPARES: Final = re.compile(
    r"\b(?:\w{3,}er|more|less|over|under|above|below|least|most|before|after|since|until|till|than|"
    r"from|to|up|down|between|exceed\w*|beyond|within|past|max\w*|min\w*|ab|bis|vor|nach|seit)\b"
)
#: What asks for a date or a part of it, and not for an amount.
_OF_PERIOD: Final = re.compile(r"^(?:in|on) (?:which|what) (?:month|year|quarter|week|day|date)\b")
#: "Which suppliers ...", "How many days ..." ask for all of them, unless one end is asked for.
_EVERY: Final = re.compile(
    r"^(?:which|what) \w{3,}s\b(?! is\b| was\b| has\b)|^how many\b|"
    r"^who(?:se)?\b(?! s\b| is\b| was\b)"
)
_ONE_END: Final = re.compile(
    r"\b(?:\w{2,}est|(?<!at )(?:most|least)|best|worst|first|last|top|bottom|maximum|minimum|"
    r"leading|winn\w+|peak|record|final|one|two|three|four|five|or|only|priciest|common|often)\b"
)
#: What asks for the row before or behind another one.
_BESIDE: Final = re.compile(
    r"\b(?:before|after|next|previous\w*|prior|follow\w*|preced\w*|above|below|later|earlier|"
    r"immediately|directly|listed|come|comes|came|succe\w*|vor|nach|nächste\w*|vorige\w*)\b"
)
#: "Before March 2027" compares, and asks for no row beside another one.
_DATED: Final = re.compile(
    r"\b(?:before|after|earlier than|later than|vor|nach) (?:the )?(?:(?:end|start|beginning) of )?"
    r"(?:\d[\w-]*|january|february|march|april|may|june|july|august|september|october|november|"
    r"december|noon|midnight)\b"
)
#: What asks for more than the amount: "the highest price and when".
_AND_ASKED: Final = re.compile(
    r"^(?:what|which|how)\b.*\b(?:\w{2,}est|most|least)\b(?:(?!\band\b).)*"
    r"\band (?:when|where|who|(?:on )?wh(?:at|ich))\b"
)
_SHOWS: Final = re.compile(r"^(?:please )?(?:show|list|display|find|give me|which|zeige?)\b")
_SHOWN: Final = re.compile(
    r"^(?:please )?(?:show|list|display|find|give me) (?:me )?(?:all )?(?:the )?(?P<noun>\w+)\b"
)
_WHICH_ROWS: Final = re.compile(r"^(?:which|what) (?P<noun>\w{2,}s)\b")
#: "Basses and altos who missed a rehearsal": rows that something is said of.
_RELATIVE: Final = re.compile(r"\b(?:who|whose|without|where|ohne)\b")
#: Rows at an end of an order, by what they are: "the biggest order", "top 3 orders".
_EXTREME: Final = re.compile(
    r"\b(?:top (?:\d+|one|two|three|four|five|ten)|\w{2,}est|most (?:expensive|recent|costly)|"
    r"priciest) (?P<noun>\w+)"
)
_OF_EACH: Final = re.compile(r"\b(?:per|each|every|number of)\b")
#: Numbers of rows or groups, and not the rows themselves.
_OF_GROUPS: Final = re.compile(
    r"\b(?:per|each|every|by|number|count|total|sum|average|mean|median|share|percent\w*|compar\w*|"
    r"vs|versus|and the \w+est)\b"
)
_RANGES: Final = frozenset({"<", "<=", ">", ">="})
_UP: Final = (
    r"(?:lowest|smallest|fewest|least|cheapest|shortest|lightest|earliest|youngest|slowest)"
)
_FIRST: Final = re.compile(rf"\b(?:(?P<down>(?!{_UP})(?:\w+est|most))|{_UP}) (?:ones? )?first\b")
_END_OF_GROUP: Final = re.compile(
    r"\b(?:max\w*|min\w*|(?:high|low|larg|small|great|bigg|long|short|heavi|tall|old|young)est)\b"
)
#: "How much more does a dog weigh than a cat?" is one number of two groups.
_DIFFERENCE: Final = re.compile(
    r"\b(?:how (?:much|many) (?:\w+ )?(?:more|less|fewer|\w{3,}er)\b.*\bthan|"
    r"by how (?:much|many)|(?:the )?(?:difference|gap) (?:in|of|between))\b"
)
#: Two groups beside each other, and not one number of both.
_SIDE_BY_SIDE: Final = re.compile(
    r"^compare (?!.*\b(?:difference|more|less|than)\b)|^(?!how|which|who)[^?]*\b(?:vs|versus)\b"
)
_HOW_MUCH: Final = re.compile(r"^(?:by )?how much\b")
_MORE_OF: Final = re.compile(r"\bhow (?:much|many) (?P<word>\w{3,}er)\b")
#: One of two has more: "did we earn more in May or in June".
_MORE_OR: Final = re.compile(
    r"^(?:did|do|does|have|has|was|were|is|are) .*\b(?:more|less|fewer|higher|lower)\b.* or\b"
)
_MUCH_MORE: Final = re.compile(r"^(?:by )?how much (?:more|less) (?P<named>\w+)\b")
_MORE_NAMED: Final = re.compile(r"^how many (?:more|fewer|less) (?P<named>\w+)\b")
#: What is compared is so of each row, and not the more of it the more rows there are.
_OF_STATE: Final = re.compile(
    r"\b(?:average|mean|median)\b|"
    r"^(?:by )?how much (?:\w+er|more \w+)(?: \w+)? (?:is|are|was|were)\b"
)
#: Without such a word two groups are not subtracted.
_COMPARED: Final = re.compile(
    r"\b(?:differ\w*|more|less|fewer|than|gap|compar\w*|versus|vs|ratio|times|exceed\w*|out\w{4,}|"
    r"\w{2,}er|spread|between|how (?:long|much|far|many (?:years|months|weeks|days|hours|minutes))|"
    r"unterschied\w*|beyond|apart|minus|ahead|behind|lead\w*|passed|elapsed|took|change\w*)\b"
)
_WHICH: Final = re.compile(
    r"^(?:show )?(?:wh?ich|what) (?P<noun>\w{3,})\b(?! (?:date|day|month|year)\b)"
)
#: Says that amounts are taken together: "altogether" is a sum, or a number of rows.
_TOGETHER: Final = re.compile(
    r"\b(?:whole|entire|altogether|together|in all|in total|all in all|insgesamt|zusammen)\b"
)
_SUMS: Final = (["sum"], ["count"], ["count distinct"])


def stated_rows(
    question: str, columns: Sequence[str], queries: Sequence[Query]
) -> Iterator[Callable[[Query], bool]]:
    """Yield a test of a query for what a question says of its rows.

    Args:
        question: The question.
        columns: The columns of the table.
        queries: What the question may mean, of one table.
    """
    asked = PART_OF_YEAR.sub(" ", " ".join(in_english(tokens(question))))
    said = {stem(word) for word in asked.split()}
    file = PurePosixPath(queries[0].source).stem if queries else ""
    yield from _of_number(asked, columns, header_words(file))
    rows = header_stems(file)
    yield from _of_titles(asked, columns, rows)
    yield from _of_shown(asked, rows)
    yield from _of_last_period(asked)
    yield from _of_extreme_rows(asked, columns, rows)
    if not stated_comparisons(question) and not _COMPARES.search(asked):
        yield lambda query: not _compares_numbers(query)
    filters = [each for query in queries for each in query.filters]
    yield from _of_compared(said, filters)
    if any(_is_range_of_parts(each) for each in filters):
        yield lambda query: any(map(_is_range_of_parts, query.filters))
    filtered = {each.column for each in filters if each.value and isinstance(each.value, str)}
    told = {name for name in filtered if said.isdisjoint(header_stems(name))}
    if told:
        # "the most expensive Software purchase" names the value, and does not ask for it
        yield lambda query: not _asks_for(query, told)
    summed = {m.column for query in queries for m in query.measures if m.function == "sum"}
    yield from _of_amounts(asked, columns, summed)
    if alike := _alike(asked, columns):
        yield lambda query: alike.isdisjoint(query.columns)
    if _AND_ASKED.search(asked):
        yield lambda query: query.limit == 1 and query.order != ""
    if _OF_PERIOD.search(asked):
        yield lambda query: bool(query.by or query.columns)
    # "Who weighs less than 40 kg?" is of all who do, as "Which suppliers ..." is
    is_of_all = _EVERY.search(asked) or stated_comparisons(question)
    is_beside = _BESIDE.search(_DATED.sub(" ", asked))
    if is_of_all and not (_ONE_END.search(asked) or is_beside):
        yield lambda query: not query.limit
    if not is_beside:
        yield lambda query: not query.shift
    yield from _of_numbered(asked, columns)


def _of_number(
    asked: str, columns: Sequence[str], rows: Sequence[str]
) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where amounts are added up, or rows counted, by what they are called.

    "How many spenden" beside spenden.csv is of no column `Spender`.

    Args:
        asked: The question.
        columns: The columns of the table.
        rows: The words of the name of its file.
    """
    counted = _HOW_MANY.search(asked)
    amounts = [name for name in columns if counted and tokens(name) == (counted["named"],)]
    if amounts and not _STATISTIC.search(asked):
        yield lambda query: query.measures == (Measure("sum", amounts[0]),)
    elif (
        counted
        and counted["named"] in rows
        and not any(counted["named"] in header_words(name) for name in columns)
    ):
        yield lambda query: [measure.function for measure in query.measures] == ["count"]
    stems = {stem(word) for word in rows}
    if any(stem(found["named"]) in stems for found in _SUM_OF_ROWS.finditer(asked)):
        yield lambda query: [measure.function for measure in query.measures] == ["sum"]


def _of_shown(asked: str, rows: Sequence[str]) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where rows are to be shown, by what they are or what is said of them."""
    asked = ALTERNATIVES.sub(" ", asked)
    shown = _SHOWN.search(asked)
    is_of_rows = shown and (stem(shown["noun"]) in rows or _RELATIVE.search(asked))
    if is_of_rows and not (_OF_GROUPS.search(asked) or _ONE_END.search(asked)):
        yield lambda query: not (query.by or query.measures)


def _of_extreme_rows(
    asked: str, columns: Sequence[str], rows: Sequence[str]
) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where rows are asked for by what they are, as in "the biggest order"."""
    found = _EXTREME.search(asked)
    noun = stem(found["noun"]) if found else ""
    is_column = any(noun in header_stems(name) for name in columns)
    if found is None or noun not in rows or is_column or _OF_EACH.search(asked):
        return
    yield lambda query: not (query.by or query.measures) and query.order != ""
    _, by, behind = asked[found.end() :].partition(" by ")
    ranked = next(iter(columns_named(f"by {behind}", columns)), "") if by else ""
    if ranked:
        yield lambda query: query.order == ranked


def _of_last_period(asked: str) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where "in the last month" is a time, and the last row is not asked for."""
    if LAST_PERIOD.search(asked) and not _ONE_END.search(LAST_PERIOD.sub(" ", asked)):
        yield lambda query: not query.limit


def _of_compared(said: set[str], filters: Sequence[Filter]) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where a number may be compared with a column that the question names."""
    compared = {each.column for each in filters if _is_of_number_or_year(each)}
    named = {name for name in compared if not said.isdisjoint(header_stems(name))}
    if named and named != compared:
        yield lambda query: all(
            each.column in named for each in query.filters if _is_of_number_or_year(each)
        )


def _is_range_of_parts(each: Filter) -> bool:
    """Return whether a filter is of all months, or weekdays, between two: "March and June"."""
    return each.comparison == "between" and bool(each.part)


def _is_of_number_or_year(each: Filter) -> bool:
    return each.comparison in _RANGES and isinstance(each.value, int | float)


def _alike(asked: str, columns: Sequence[str]) -> set[str]:
    """Return the columns that only sound like what is asked for: `planted`, of which plant.

    There are none where no other column has that word itself, as `plant_id`.
    """
    found = _WHICH.search(asked)
    noun = found["noun"] if found else ""
    words = {name: header_words(name) for name in columns}
    if not any(noun in own or f"{noun}s" in own for own in words.values()):
        return set()
    return {
        name
        for name, own in words.items()
        if noun not in own and f"{noun}s" not in own and stem(noun) in header_stems(name)
    }


def _of_amounts(
    asked: str, columns: Sequence[str], amounts: Collection[str]
) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where the difference of two amounts, or all of them together, is asked for.

    Args:
        asked: The question.
        columns: The columns of the table.
        amounts: Those that can be added up.
    """
    if _SIDE_BY_SIDE.search(asked):
        yield lambda query: bool(query.by) and not (query.combine or query.limit)
    elif _DIFFERENCE.search(asked):
        yield lambda query: query.combine == "difference"
        # "how much more does it weigh" is of weights, and not of prices
        words = asked.split()
        meant = [stems for place, stems in measured(words).items() if words[place] != "much"]
        meant += _compared_by(asked, columns)
        more = _MUCH_MORE.search(asked)
        meant += [frozenset({stem(more["named"])})] if more else []
        named = [n for n in columns if any(not s.isdisjoint(header_meanings(n)) for s in meant)]
        if named:
            yield lambda query: any(measure.column in named for measure in query.measures)
        counted = _MORE_NAMED.search(asked)
        if counted and not any(stem(counted["named"]) in header_stems(name) for name in amounts):
            yield lambda query: [measure.function for measure in query.measures] == ["count"]
        if _HOW_MUCH.search(asked):
            yield lambda query: [measure.function for measure in query.measures] != ["count"]
            function = "mean" if _OF_STATE.search(asked) else "sum"
            yield lambda query: [measure.function for measure in query.measures] == [function]
    elif _MORE_OR.search(asked):
        yield lambda query: any(each.comparison == "in" for each in query.filters)
        yield lambda query: query.limit == 1 and query.by in {f.column for f in query.filters}
        if not _STATISTIC.search(asked):
            yield lambda query: [measure.function for measure in query.measures] in _SUMS
    elif not _COMPARED.search(asked):
        yield lambda query: query.combine not in {"difference", "ratio"}
    if _TOGETHER.search(asked):
        sums = _SUMS if re.search(r"\bhow many\b", asked) else _SUMS[:1]
        yield lambda query: [measure.function for measure in query.measures] in sums


def _compared_by(asked: str, columns: Sequence[str]) -> list[frozenset[str]]:
    """Return the stems of what "how much further" compares, of the first meaning that there is."""
    found = _MORE_OF.search(asked)
    meanings = [stems for _, stems in ADJECTIVES.get(found["word"], ())] if found else []
    kept = (s for s in meanings if any(not s.isdisjoint(header_meanings(n)) for n in columns))
    return list(islice(kept, 1))


def _of_titles(
    asked: str, columns: Sequence[str], rows: Sequence[str]
) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where one row is asked for by what the rows are: "which concert", by its title.

    Args:
        asked: The question.
        columns: The columns of the table; none is called so.
        rows: The stems of the name of its file.
    """
    found = _WHICH.search(asked)
    noun = stem(found["noun"]) if found else ""
    is_column = any(noun in header_stems(name) for name in columns)
    if noun in rows and _ONE_END.search(asked) and not is_column:
        titles = {name for name in columns if header_stems(name) in _TITLES}
        yield lambda query: not (query.by or query.measures)
        yield lambda query: not titles.isdisjoint(query.columns)


def _of_numbered(asked: str, columns: Sequence[str]) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where a number stands behind its column: "customer 5", "order no. 17"."""
    for name in columns if re.search(r"\d", asked) else ():
        words = [word for word in header_words(name) if word not in NUMBERINGS]
        called = re.escape(" ".join(words))
        found = re.search(rf"\b{called} (?:(?:no|nr|number|id) )?(?P<number>\d+)$", asked)
        found = found or re.search(
            rf"\b{called} (?:(?:no|nr|number|id) )?(?P<number>\d+) (?!\w+s\b)", asked
        )
        if words and found and not stated_comparisons(asked):
            yield partial(_is_of_number, column=name, number=int(found["number"]))


def _is_of_number(query: Query, column: str, number: int) -> bool:
    """Return whether a query has the rows with one number in a column, and no others."""
    own = [each for each in query.filters if each.column == column]
    return [(each.comparison, str(each.value)) for each in own] == [("=", str(number))]


def with_whole_rows(question: str, readings: Sequence[QueryReading]) -> list[QueryReading]:
    """Return readings that show whole rows where only times or gaps would be shown unasked.

    Groups are in the order that the question ends with: "highest first".
    """
    asked = " ".join(in_english(tokens(question)))
    said = {stem(word) for word in asked.split()}
    found = _FIRST.search(asked) if not re.search(r"\b\d{1,3}\b", asked) else None

    def stated(query: Query) -> Query:
        if (
            _shows_gaps_alone(query)
            or (not _WHEN.search(asked) and _shows_times_alone(query, said))
            or (_SHOWS.search(asked) and _shows_its_range(query))
            or _shows_rows(asked, query, said)
        ):
            return replace(query, columns=())
        if _SIDE_BY_SIDE.search(asked):
            return _beside_each_other(query)
        if _AND_ASKED.search(asked) and query.limit == 1 and query.order and query.columns:
            shown = dict.fromkeys((query.order, *query.columns))
            return replace(query, columns=tuple(shown))
        if found and query.by and query.measures:
            is_down = found["down"] is not None
            measures = _without_ends(asked, query.measures)
            return replace(
                query, measures=measures, order="", descending=is_down, limit=0, columns=()
            )
        return query

    changed: dict[Query, QueryReading] = {}
    for reading in readings:
        query = stated(reading.query)
        changed.setdefault(query, replace(reading, query=query))
    return list(changed.values())


def _beside_each_other(query: Query) -> Query:
    """Return a query for the numbers of two values or more as one for each of them."""
    several = [each.column for each in query.filters if each.comparison == "in"]
    if query.by or query.columns or not (several and query.measures):
        return query
    return replace(query, by=several[0], order=several[0])


def _shows_rows(asked: str, query: Query, said: set[str]) -> bool:
    """Return whether rows are asked for by what they are, but only columns unasked for are shown.

    "Show trips delayed by more than 90 minutes" of trips.csv asks for no codes.
    """
    found = _SHOWN.search(asked) or _WHICH_ROWS.search(asked)
    rows = row_stems(query.source)
    if found is None or stem(found["noun"]) not in rows or query.by or query.measures:
        return False
    if any(header_stems(name) in _TITLES for name in query.columns):
        return False
    return not (query.distinct or any(not said.isdisjoint(header_stems(n)) for n in query.columns))


def _shows_gaps_alone(query: Query) -> bool:
    """Return whether a query shows nothing but a column that has nothing in these rows."""
    gaps = {each.column for each in query.filters if each.comparison == "is missing"}
    return bool(query.columns) and not query.measures and gaps.issuperset(query.columns)


def _without_ends(asked: str, measures: tuple[Measure, ...]) -> tuple[Measure, ...]:
    """Return the measures of ordered groups: "largest first" asks for no maximum beside a sum."""
    if _END_OF_GROUP.search(_FIRST.sub(" ", asked)):
        return measures
    return tuple(m for m in measures if m.function not in {"maximum", "minimum"}) or measures


def _asks_for(query: Query, told: set[str]) -> bool:
    """Return whether a query answers with columns whose value the question gives already."""
    is_listed = bool(query.limit or query.distinct)
    return is_listed and bool(query.columns) and told.issuperset(query.columns)


def _shows_times_alone(query: Query, said: set[str]) -> bool:
    """Return whether a query shows one column of times, and the question asks for none.

    "Which day had the most rain?" asks for a time, also where the column is called date.
    """
    stems = set(header_stems(query.columns[0])) if len(query.columns) == 1 else set()
    is_unasked = not stems.isdisjoint(_TIMES) and said.isdisjoint(stems | _TIMES)
    return is_unasked and not (query.measures or query.distinct)


def _shows_its_range(query: Query) -> bool:
    """Return whether a query shows one column alone, the numbers of which are compared."""
    compared = {each.column for each in query.filters if each.comparison in _RANGES}
    is_plain = not (query.measures or query.distinct or query.limit)
    return is_plain and len(query.columns) == 1 and compared.issuperset(query.columns)


def _compares_numbers(query: Query) -> bool:
    """Return whether a query has rows with more or less than a number, or of years around one."""
    return any(
        each.comparison in _RANGES and isinstance(each.value, int | float) for each in query.filters
    )
