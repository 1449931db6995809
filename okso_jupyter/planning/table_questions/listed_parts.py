"""Listed parts: what a question lists of the rows or groups that it asks for.

"Which jobs are not paid? Show me date, client and fee" has three columns of these jobs, and "top 5
clients by fee: client, number of jobs, total" two measures of each client. The list is cut out of
the question, and what it names is shown of the reading that is left.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from okso_jupyter.planning.table_questions.adjectives import PRICES, means
from okso_jupyter.planning.table_questions.column_words import in_words_of
from okso_jupyter.planning.table_questions.cue_words import EACH
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.readings import QueryReading
from okso_jupyter.planning.table_questions.stated_parts import as_stated
from okso_jupyter.planning.table_questions.stated_subject import NEVER_SUMMED
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import (
    STOP,
    header_stems,
    one_letter_apart,
    stem,
    tokens,
)
from okso_jupyter.tables.query import Function, Measure, Query

#: A wish to see something, and no condition.
_WISH: Final = (
    r"(?:(?:and\s+|und\s+)?(?:(?:please|pls|bitte|just)\s+)?(?:(?:can|could)\s+you\s+)?"
    r"(?:show|give|list|tell|print|send|zeige?|gib|nenne?)\s+(?:me\s+|us\s+|mir\s+|uns\s+)?|"
    r"i\s+(?:just\s+)?(?:want|need|would\s+like)(?:\s+to\s+(?:see|know))?\s+|"
    r"i['’]d\s+like(?:\s+to\s+(?:see|know))?\s+|ich\s+(?:brauche|m(?:ö|oe)chte|will)\s+|"
    r"(?:each\s+|jeweils\s+)?(?:with|mit|including|inklusive|samt)\s+)"
)
#: Where a list begins: after a sentence, a colon or a dash, after a wish, and after a comma.
_AFTER_SENTENCE: Final = re.compile(
    rf"(?:(?<=[?.!;:])|\s[-\u2013\u2014])\s*(?i:{_WISH})?(?=[^\s?.!;:])"
)
_AFTER_WISH: Final = re.compile(rf"(?i)(?:,\s*|\s){_WISH}")
_AFTER_COMMA: Final = re.compile(r",\s*")
#: A question that begins with its list: "date, client and fee of all repairs".
_OPENS: Final = re.compile(
    rf"(?i)^\W*(?:{_WISH}|what\s+(?:is|are|was|were)\s+|was\s+(?:ist|sind|war|waren)\s+)?"
)
_BEHIND_LIST: Final = re.compile(
    r"(?i)\s+(?=(?:of|for|from|in|at|on|where|who|whose|that|with|per|by|each|von|f(?:ü|ue)r|aller|"
    r"bei|aus|der|mit|pro|je|nach)\b)"
)
#: A number of rows, and what they are together: "how many orders, and how much was it?".
_AND_AMOUNT: Final = re.compile(
    r"(?i),?\s+(?:and|und)\s+(?:(?:for\s+)?how\s+much\b|"
    r"what\s+(?:are|is|were|was)\s+(?:they|it|these|those)\s+worth\b|"
    r"what\s+d(?:id|o|oes)\s+(?:they|it|these|those|all)\s+cost\b|wie\s*viel\b)[^,.?]*$"
)
#: A number is asked for, and no rows.
_NUMBER_ASKED: Final = re.compile(
    r"^(?:what (?:is|was|are|were) )?(?:the )?(?:how (?:many|much)|number of|count|average|mean|"
    r"median|total|sum)\b"
)
_PER: Final = re.compile(r"\b(?:per|each|every|by|vs|versus)\b")
_HOW_MANY: Final = re.compile(r"(?i)^\W*(?:how\s+many|(?:the\s+)?number\s+of|wie\s*viele)\b")
#: Rows of a kind that a column tells: "which animals".
_WHICH: Final = re.compile(r"(?i)^\W*(?:which|what|welche[rs]?)\s+(?P<named>[^\W\d_]+)")
#: What stands for the amount or the day that a question is about.
_AMOUNT: Final = frozenset({"amount", "value", "betrag", "wert"})
_DAY: Final = frozenset({"date", "day", "datum", "tag"})
_OF: Final = re.compile(r"(?i)^(?:of|for|from|von|f(?:ü|ue)r|aus)\s+")
_ITEMS: Final = re.compile(r"(?i)\s*(?:,\s*(?:and|und|plus)?\b|\b(?:and|und|sowie|plus)\b|[&+])\s*")
_END: Final = re.compile(r"(?i)[\s,]*(?:\b(?:please|pls|plz|bitte|thanks|danke)\b)?[\s.?!()]*$")
#: What stands before a name in a list and says nothing.
_BEFORE: Final = frozenset(
    "the their its his her my our also just only all each a an der die das den dem des ihr ihre "
    "ihren seine seinen jeweils auch this that".split()
)
#: Rows or groups are asked for, and no statistic of them that commas could list.
_OF_ROWS: Final = re.compile(
    r"^(?:please )?(?:(?:the|my|our|all) )*(?:(?:show|list|give me) )?(?:(?:the|my|our|all) )*"
    r"(?:which|who|top|bottom|last|first|\w{2,}est|"
    r"(?:\d+|two|three|four|five|ten) (?:\w+est|most))\b"
)
_COUNTED: Final = re.compile(
    r"^(?:(?:the )?(?:number|count|amount) of(?: (?:the|all))?|how (?:many|often)|count|number)"
    r"(?: (?P<what>[\w ]+))?$"
)
_FUNCTIONS: Final[dict[str, Function]] = {
    "total": "sum",
    "sum": "sum",
    "average": "mean",
    "avg": "mean",
    "mean": "mean",
    "median": "median",
    "lowest": "minimum",
    "smallest": "minimum",
    "minimum": "minimum",
    "highest": "maximum",
    "largest": "maximum",
    "maximum": "maximum",
}
_MEASURED: Final = re.compile(
    rf"^(?:the )?(?P<function>{'|'.join(_FUNCTIONS)})(?: of)?(?: (?:the|all))?(?: (?P<what>.+))?$"
)
#: "Total" alone: the sum that a reading has.
_OWN_SUM: Final = Measure("sum")
#: What asks for groups whatever is listed; "the biggest job by fee" does not.
_OF_EACH: Final = EACH - {"by"}
_FEWEST: Final = 2
_SHORTEST_NEAR: Final = 5
#: Words of an item, and of the question that is left.
_MOST_WORDS, _FEWEST_LEFT = 5, 2


@dataclass(frozen=True, slots=True)
class ListedParts:
    """What a question lists.

    Attributes:
        question: The question without its list.
        parts: The columns and measures in their order.
    """

    question: str
    parts: tuple[str | Measure, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are listed."""
        return tuple(part for part in self.parts if isinstance(part, str))

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures that are listed."""
        return tuple(part for part in self.parts if isinstance(part, Measure))


def parts_listed(question: str, table: TableSample) -> ListedParts | None:
    """Return what a question lists of its rows or groups; None if it lists nothing.

    Args:
        question: The question.
        table: The table, of which the list names columns.
    """
    question = _END.sub("", question)
    counted = _count_and_amount(question, table)
    if counted:
        return counted
    for rest, listed, fewest in _splits(question):
        parts = _parts(listed, rest, table)
        if _loses_number(rest, parts):
            continue
        if len(parts) >= fewest and len(tokens(rest)) >= _FEWEST_LEFT:
            return ListedParts(rest.strip(" ,:-\u2013\u2014"), _with_subject(rest, parts, table))
    return _opening(question, table)


def _loses_number(question: str, parts: Sequence[str | Measure]) -> bool:
    """Return whether columns are listed behind a question for a number, which would be lost."""
    is_of_columns = any(isinstance(part, str) for part in parts)
    asked = " ".join(in_english(tokens(question)))
    return is_of_columns and bool(_NUMBER_ASKED.search(asked)) and not _PER.search(asked)


def _count_and_amount(question: str, table: TableSample) -> ListedParts | None:
    """Return the number of rows and their sum of money, where a question asks for both."""
    found, money = _AND_AMOUNT.search(question), _money(table)
    if found is None or money is None or not _HOW_MANY.search(question):
        return None
    return ListedParts(question[: found.start()], (Measure("count"), Measure("sum", money)))


def _money(table: TableSample) -> str | None:
    """Return the only column of money; None if there is none, or several."""
    found = [c.name for c in table.columns.values() if c.has_numbers and means(PRICES, c)]
    return found[0] if len(found) == 1 else None


def _with_subject(
    question: str, parts: tuple[str | Measure, ...], table: TableSample
) -> tuple[str | Measure, ...]:
    """Return what is listed of "which animals" with the column of animals before it."""
    asked = _WHICH.search(question)
    is_of_columns = all(isinstance(part, str) for part in parts)
    column = _column(asked["named"], question, table) if asked and is_of_columns else None
    if column is None or column.has_numbers or column.kind == "date" or column.name in parts:
        return parts
    return (column.name, *parts)


def _opening(question: str, table: TableSample) -> ListedParts | None:
    """Return the columns that a question begins with; None if it does not."""
    begin = _OPENS.match(question)
    first = begin.end() if begin else 0
    # the longest list: "name and date of birth", "sum and number of gifts"
    for behind in reversed([*_BEHIND_LIST.finditer(question, first)]):
        rest = question[behind.end() :]
        parts = _parts(question[first : behind.start()], rest, table)
        kinds = {type(part) for part in parts}
        if len(parts) < _FEWEST or len(kinds) > 1:
            continue
        if kinds == {str}:
            return ListedParts(f"show {_OF.sub('', rest)}", parts)
        return ListedParts(f"number of rows {rest}", parts)
    return None


def _splits(question: str) -> Iterator[tuple[str, str, int]]:
    """Yield a question parted where a list may begin, with the fewest parts of such a list."""
    for pattern, fewest in ((_AFTER_SENTENCE, 1), (_AFTER_WISH, _FEWEST)):
        for found in pattern.finditer(question):
            is_wish = bool(found[0].strip(" -\u2013\u2014"))
            yield question[: found.start()], question[found.end() :], fewest if is_wish else _FEWEST
    if _OF_ROWS.search(" ".join(in_english(tokens(question)))):
        for found in _AFTER_COMMA.finditer(question):
            yield question[: found.start()], question[found.end() :], _FEWEST


def _parts(listed: str, rest: str, table: TableSample) -> tuple[str | Measure, ...]:
    """Return what each item of a list names; () if one names nothing.

    Args:
        listed: The list.
        rest: The question without it.
        table: The table.
    """
    parts = [_part(item, rest, table) for item in _ITEMS.split(listed.strip()) if item.strip()]
    return () if None in parts else tuple(dict.fromkeys(part for part in parts if part))


def _part(item: str, rest: str, table: TableSample) -> str | Measure | None:
    """Return the column or measure that an item of a list names; None if it names none."""
    text = " ".join(_function_meant(word) for word in in_english(tokens(item)))
    counted, measured = _COUNTED.search(text), _MEASURED.search(text)
    column = _column(item, rest, table)
    if column:
        return column.name
    if text in _AMOUNT:
        return _OWN_SUM
    if counted:
        amount = _column(counted["what"] or "", rest, table)
        is_amount = amount is not None and amount.is_quantity
        return Measure("sum", amount.name) if amount and is_amount else Measure("count")
    if measured and not measured["what"]:
        return _OWN_SUM if _FUNCTIONS[measured["function"]] == "sum" else None
    amount = _column(measured["what"], rest, table) if measured else None
    if measured and amount and amount.has_numbers:
        return Measure(_FUNCTIONS[measured["function"]], amount.name)
    return None


def _function_meant(word: str) -> str:
    """Return the function that a word misspells by one letter; other words as they are."""
    is_near = len(word) >= _SHORTEST_NEAR
    return next((name for name in _FUNCTIONS if is_near and one_letter_apart(word, name)), word)


def _column(item: str, rest: str, table: TableSample) -> ColumnSample | None:
    """Return the column that an item names: the one with the fewest words beside those said.

    "Date" is that of which the question speaks: "due in 2025" is of `next_due`.
    """
    words = [w for w in tokens(in_words_of(item, table)) if w not in _BEFORE]
    said = {stem(word) for word in words if word not in STOP or len(words) == 1}
    if not said or len(words) > _MOST_WORDS:
        return None
    if not _DAY.isdisjoint(words):
        asked = {stem(word) for word in tokens(rest)}
        days = [c for c in table.columns.values() if c.kind == "date"]
        of_question = [c for c in days if not asked.isdisjoint(set(c.stems) - {"date"})]
        if said <= {stem(word) for word in _DAY} and of_question:
            return of_question[0]
    named = [c for c in table.columns.values() if said <= {*header_stems(c.name), c.joined}]
    named = named or [c for c in table.columns.values() if _is_date_of(words, c)]
    return min(named, key=lambda column: len(header_stems(column.name)), default=None)


def _is_date_of(words: Sequence[str], column: ColumnSample) -> bool:
    """Return whether a German compound names a column of dates: `Aufnahmedatum`, "Aufnahme am"."""
    what = words[0].removesuffix("datum")[:_SHORTEST_NEAR]
    is_compound = len(words) == 1 and len(what) == _SHORTEST_NEAR and words[0].endswith("datum")
    return is_compound and column.kind == "date" and column.joined.startswith(what)


def as_listed(
    listed: ListedParts, question: str, readings: Sequence[QueryReading], table: TableSample
) -> tuple[QueryReading, ...]:
    """Return the readings that do what a question states, with what it lists of rows or groups.

    Args:
        listed: What is listed.
        question: The question without its list, in words of the table.
        readings: Its readings, best first.
        table: The table.
    """
    if _is_of_groups(listed, readings):
        show = partial(_measured, listed, table=table)
        kept = tuple(reading for reading in readings if show(reading.query))
    else:
        show = partial(_rows, listed)
        # rows that differ in what they show are the same, and no doubt
        kept = _changed(readings, show)
    stated = as_stated(question, kept or readings, table)
    return _changed(stated, show) or stated


def _changed(
    readings: Sequence[QueryReading], change: Callable[[Query], Query | None]
) -> tuple[QueryReading, ...]:
    """Return readings with their queries changed, those that become the same as one."""
    changed: dict[Query, QueryReading] = {}
    for reading in readings:
        query = change(reading.query)
        if query is None:
            continue
        first = changed.get(query)
        share = reading.probability + (first.probability if first else 0.0)
        changed[query] = replace(first or reading, query=query, probability=share)
    return tuple(changed.values())


def _is_of_groups(listed: ListedParts, readings: Sequence[QueryReading]) -> bool:
    """Return whether a list is of groups: it has measures, or the column and amount of groups."""
    stems = map(stem, tokens(listed.question))
    if {*listed.measures} - {_OWN_SUM} or not _OF_EACH.isdisjoint(stems):
        return True
    best = readings[0].query if readings else Query("")
    told = {best.by, *(measure.column for measure in best.measures)}
    return bool(best.by) and set(listed.columns) <= told


def _rows(listed: ListedParts, query: Query) -> Query | None:
    """Return a query for rows with the columns that are listed; None if it is for no rows."""
    if query.by or query.measures or query.combine:
        return None
    columns = (part if isinstance(part, str) else query.order for part in listed.parts)
    shown = tuple(dict.fromkeys(name for name in columns if name))
    return replace(query, columns=shown, distinct=False)


def _measured(listed: ListedParts, query: Query, table: TableSample) -> Query | None:
    """Return a query with the measures that are listed, of its rows or of its groups.

    None if it counts no rows, and has no groups of what is listed.
    """
    is_number = bool(_HOW_MANY.search(listed.question)) and not _PER.search(listed.question)
    if query.measures == (Measure("count"),) and not query.by and not listed.columns:
        own = query.measures if is_number else ()
        numbers = dict.fromkeys((*own, *_with_money(listed.measures, table)))
        return replace(query, measures=tuple(numbers))
    if is_number:
        return None
    groups = [name for name in listed.columns if not table.columns[name].has_numbers]
    amounts = [name for name in listed.columns if name != query.by]
    is_of_listed = not set(groups) - {query.by} and query.by not in set(amounts)
    if not query.by or query.combine or not is_of_listed:
        return None
    measures = tuple(dict.fromkeys(_of_groups(listed, query, table)))
    return replace(query, measures=measures, columns=()) if measures else None


def _of_groups(listed: ListedParts, query: Query, table: TableSample) -> Iterator[Measure]:
    """Yield the measures of groups: what they are ranked by, and what is listed."""
    (own,) = query.measures[:1] or (_OWN_SUM,)
    if query.order != query.by and (query.descending or query.limit):
        yield own
    for part in listed.parts:
        if part == _OWN_SUM:
            yield from [own] if own.function == "sum" else _with_money((_OWN_SUM,), table)
        elif isinstance(part, Measure):
            yield part
        elif part != query.by:
            yield own if own.column == part else _measure_of(part)


def _with_money(measures: Sequence[Measure], table: TableSample) -> list[Measure]:
    """Return measures with the sum of the only column of money for "total"."""
    money = _money(table)
    known = (Measure("sum", money or "") if each == _OWN_SUM else each for each in measures)
    return [each for each in known if each.column or each.function == "count"]


def _measure_of(name: str) -> Measure:
    """Return what groups have of a column of numbers: its sum, or its mean where no sum says."""
    return Measure("mean" if NEVER_SUMMED.search(name) else "sum", name)
