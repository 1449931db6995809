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

from okso_jupyter.planning.table_questions.column_words import in_words_of
from okso_jupyter.planning.table_questions.cue_words import EACH
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.readings import QueryReading
from okso_jupyter.planning.table_questions.stated_parts import as_stated
from okso_jupyter.planning.table_questions.stated_subject import NEVER_SUMMED
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import STOP, header_stems, stem, tokens
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
    r"(?i)\s+(?=(?:of|for|from|in|at|on|where|who|whose|that|with|von|f(?:ü|ue)r|aller|bei|aus|der|"
    r"mit)\b)"
)
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
    for rest, listed, fewest in _splits(question):
        parts = _parts(listed, table)
        if len(parts) >= fewest and len(tokens(rest)) >= _FEWEST_LEFT:
            return ListedParts(rest.strip(" ,:-\u2013\u2014"), parts)
    return _opening(question, table)


def _opening(question: str, table: TableSample) -> ListedParts | None:
    """Return the columns that a question begins with; None if it does not."""
    begin = _OPENS.match(question)
    first = begin.end() if begin else 0
    for behind in _BEHIND_LIST.finditer(question, first):
        parts = _parts(question[first : behind.start()], table)
        if len(parts) >= _FEWEST and all(isinstance(part, str) for part in parts):
            rest = _OF.sub("", question[behind.end() :])
            return ListedParts(f"show {rest}", parts)
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


def _parts(listed: str, table: TableSample) -> tuple[str | Measure, ...]:
    """Return what each item of a list names; () if one names nothing."""
    parts = [_part(item, table) for item in _ITEMS.split(listed.strip()) if item.strip()]
    return () if None in parts else tuple(dict.fromkeys(part for part in parts if part))


def _part(item: str, table: TableSample) -> str | Measure | None:
    """Return the column or measure that an item of a list names; None if it names none."""
    text = " ".join(in_english(tokens(item)))
    counted, measured = _COUNTED.search(text), _MEASURED.search(text)
    column = _column(item, table)
    if column:
        return column.name
    if counted:
        amount = _column(counted["what"] or "", table)
        is_amount = amount is not None and amount.is_quantity
        return Measure("sum", amount.name) if amount and is_amount else Measure("count")
    if measured and not measured["what"]:
        return _OWN_SUM if _FUNCTIONS[measured["function"]] == "sum" else None
    amount = _column(measured["what"], table) if measured else None
    if measured and amount and amount.has_numbers:
        return Measure(_FUNCTIONS[measured["function"]], amount.name)
    return None


def _column(item: str, table: TableSample) -> ColumnSample | None:
    """Return the column that an item names: the one with the fewest words beside those said."""
    words = [w for w in tokens(in_words_of(item, table)) if w not in _BEFORE]
    said = {stem(word) for word in words if word not in STOP or len(words) == 1}
    if not said or len(words) > _MOST_WORDS:
        return None
    named = [c for c in table.columns.values() if said <= {*header_stems(c.name), c.joined}]
    return min(named, key=lambda column: len(header_stems(column.name)), default=None)


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
        show = partial(_grouped, listed, table=table)
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
    if listed.measures or not _OF_EACH.isdisjoint(map(stem, tokens(listed.question))):
        return True
    best = readings[0].query if readings else Query("")
    told = {best.by, *(measure.column for measure in best.measures)}
    return bool(best.by) and set(listed.columns) <= told


def _rows(listed: ListedParts, query: Query) -> Query | None:
    """Return a query for rows with the columns that are listed; None if it is for no rows."""
    if query.by or query.measures or query.combine:
        return None
    return replace(query, columns=listed.columns, distinct=False)


def _grouped(listed: ListedParts, query: Query, table: TableSample) -> Query | None:
    """Return a query for groups with the measures that are listed; None if it has no groups."""
    groups = [name for name in listed.columns if not table.columns[name].has_numbers]
    amounts = [name for name in listed.columns if name != query.by]
    is_of_listed = not set(groups) - {query.by} and query.by not in set(amounts)
    if not query.by or query.combine or not is_of_listed:
        return None
    own = query.measures[:1]
    sums = {measure.column: measure for measure in own if measure.column in amounts}
    measures = dict.fromkeys(own) if query.order or query.descending or query.limit else {}
    for part in listed.parts:
        if part == _OWN_SUM:
            measures.update(dict.fromkeys(own))
        elif isinstance(part, Measure):
            measures[part] = None
        elif part != query.by:
            measures[sums.get(part) or _measure_of(part)] = None
    return replace(query, measures=tuple(measures), columns=()) if measures else None


def _measure_of(name: str) -> Measure:
    """Return what groups have of a column of numbers: its sum, or its mean where no sum says."""
    return Measure("mean" if NEVER_SUMMED.search(name) else "sum", name)
