"""Listed parts: what a question lists of the rows or groups that it asks for.

"Which jobs are not paid? Show me date, client and fee" has three columns of these jobs, and "top 5
clients by fee: client, number of jobs, total" two measures of each client. The list is cut out of
the question, and what it names is shown of the reading that is left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from okso_jupyter.planning.table_questions.adjectives import PRICES, means
from okso_jupyter.planning.table_questions.column_words import in_words_of
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.stated_subject import NEVER_SUMMED
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import (
    header_stems,
    one_letter_apart,
    stem,
    tokens,
)
from okso_jupyter.tables.query import Function, Measure

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
    r"what\s+d(?:id|o|oes)\s+(?:they|it|these|those|all|that)\s+(?:cost|add\s+up\s+to|sum\s+up\s+to|"
    r"come\s+to|total)\b|what(?:\s+is|['\u2019]s)\s+(?:their|its|the)\s+(?:total|sum)\b|"
    r"was\s+(?:ergibt|ergeben|macht|machen|kosten|kostet)\s+(?:das|die|sie|es)\b|"
    r"wie\s+hoch\s+ist\s+(?:die|deren|ihre)\s+(?:gesamt)?summe\b|wie\s*viel\b)[^,.?]*$"
)
#: A number is asked for, and no rows.
_NUMBER_ASKED: Final = re.compile(
    r"^(?:what (?:is|was|are|were) )?(?:the )?(?:how (?:many|much)|number of|count|average|mean|"
    r"median|total|sum)\b"
)
PER: Final = re.compile(r"\b(?:per|each|every|by|vs|versus)\b")
HOW_MANY: Final = re.compile(r"(?i)^\W*(?:how\s+many|(?:the\s+)?number\s+of|wie\s*viele)\b")
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
OWN_SUM: Final = Measure("sum")
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
    return is_of_columns and bool(_NUMBER_ASKED.search(asked)) and not PER.search(asked)


def _count_and_amount(question: str, table: TableSample) -> ListedParts | None:
    """Return the number of rows and their sum of money, where a question asks for both."""
    found, money = _AND_AMOUNT.search(question), money_of(table)
    if found is None or money is None or not HOW_MANY.search(question):
        return None
    return ListedParts(question[: found.start()], (Measure("count"), Measure("sum", money)))


def money_of(table: TableSample) -> str | None:
    """Return the only column of money that is added up; None if there is none, or several."""
    found = [c.name for c in table.columns.values() if c.has_numbers and means(PRICES, c)]
    return found[0] if len(found) == 1 and not NEVER_SUMMED.search(found[0]) else None


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
        return OWN_SUM
    if counted:
        amount = _column(counted["what"] or "", rest, table)
        is_amount = amount is not None and amount.is_quantity
        return Measure("sum", amount.name) if amount and is_amount else Measure("count")
    if measured and not measured["what"]:
        return OWN_SUM if _FUNCTIONS[measured["function"]] == "sum" else None
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
    said = set(header_stems(" ".join(words)))
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
