"""Spoken formulas: how a question says that a column is computed of others.

"pace = minutes / distance_km", "a column called total by adding a and b", "the mean of price times
quantity" and "the average difference between high and low".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import STOP, header_words
from okso_jupyter.tables.query import ComputedColumn, Filter, Operator

_SIGNS: Final[Mapping[str, Operator]] = {
    "+": "+", "plus": "+", " - ": "-", "minus": "-", "*": "*", "x": "*",
    "times": "*", "multiplied by": "*", "mal": "*", "/": "/", "divided by": "/",
    "geteilt durch": "/",
}  # fmt: skip
#: What a column is called that has no name.
_RESULTS: Final[Mapping[Operator, str]] = {
    "+": "combined", "-": "gap", "*": "product", "/": "quotient"
}  # fmt: skip
#: What is done with two columns: "adding a and b", "the ratio of a to b".
_DONE: Final[Mapping[str, Operator]] = {
    "adding": "+", "summing": "+", "sum of": "+", "total of": "+", "combining": "+",
    "subtracting": "-", "difference between": "-", "difference of": "-",
    "multiplying": "*", "product of": "*", "dividing": "/", "ratio of": "/", "quotient of": "/",
}  # fmt: skip
#: What says in each pattern which operation is meant.
_OPERATION: Final = re.compile(
    "|".join(re.escape(said) for said in (*_SIGNS, *_DONE)), re.IGNORECASE
)
_NAMED: Final = (
    r"(?:(?:an?|the)\s+)?(?:new\s+|extra\s+|computed\s+)?(?:column|feature|variable|field)\s+"
    r"(?:called\s+|named\s+)?"
)
_STATISTICS: Final = (
    r"(?:total|sum|average|mean|median|maximum|minimum|largest|smallest|greatest|"
    r"standard\s+deviation)"
)
_NUMBER: Final = r"\d+(?:\.\d+)?"
_NEW_COLUMN: Final = re.compile(
    r"(?i)\b(?:add|create|creating|generate|make|insert|append|compute|calculate)\s+"
    r"(?:(?:an?|the|new|another)\s+)+"
    r"(?:column|feature|variable|field)\b|\bnew\s+(?:column|feature|variable|field)\b"
)
_FORMULA: Final = re.compile(
    r"(?i)[=*+/]|\s-\s|\b(?:plus|minus|times|multiplied|divided|product|ratio|quotient|difference|"
    r"sum\s+of|mal|geteilt)\b"
)
#: What asks for a product of all rows together.
_IN_ALL: Final = re.compile(
    r"(?i)\b(?:worth|how\s+much|(?:bring|brought|take|took)\s+in|altogether|in\s+all|wert|"
    r"insgesamt)\b"
)
_STATISTIC: Final = re.compile(rf"(?i)\b{_STATISTICS}\b")
#: What a further sentence calls the column.
_OF_COLUMN: Final = re.compile(
    r"(?i)\b(?:its|(?:the|this|that)\s+(?:new\s+|computed\s+)?(?:column|feature|variable|field))\b"
)
#: The end of the sentence that says how a column is computed.
_FURTHER: Final = re.compile(
    r"(?i)[^.?!;]*?[.?!;]\s+(?:(?:and\s+)?(?:then|next|after\s+(?:that|this)|afterwards)\b,?\s*)?"
)
#: A question that only adds columns to a table, and shows it.
_ADDS: Final = (
    r"\W*(?:please\s+)?(?:add|create|make|compute|calculate|show|insert|append)(?:\s+me)?\s+"
    r"(?:{names})(?:\s+(?:to|in|into))?(?:\W+(?:and\s+)?(?:then\s+)?(?:show|display|print)(?:\s+me)?\s+(?:it|them|all|"
    r"(?:the\s+)?(?:table|rows|result|data)))?\W*"
)
#: Returns both operands and what is done with them.
_Reader = Callable[[re.Match[str]], tuple[str, Operator, str]]


@dataclass(frozen=True, slots=True)
class ComputedQuestion:
    """A question about a table with further columns.

    Attributes:
        computed: The columns that are computed.
        question: The question, in which their names stand for how they are computed.
        known: What rows must have to be among those that are measured or sorted by them.
    """

    computed: tuple[ComputedColumn, ...]
    question: str
    known: tuple[Filter, ...] = ()


def only_adds(question: str, computed: Sequence[ComputedColumn]) -> bool:
    """Return whether a question only wants to see computed columns: "add pace = a / b"."""
    names = "|".join(re.escape(column.name) for column in computed)
    return bool(computed and re.fullmatch(_ADDS.format(names=names), question, re.IGNORECASE))


def may_compute(question: str) -> bool:
    """Return whether a question can want a column computed; the table is not looked at."""
    return bool(_NEW_COLUMN.search(question) or _FORMULA.search(question))


def wants_column(question: str) -> bool:
    """Return whether a question says that a column is to be computed."""
    return bool(_NEW_COLUMN.search(question))


def by_formula(
    question: str, numbers: Sequence[ColumnSample], table: TableSample
) -> ComputedQuestion | None:
    """Return a question that says how a column is computed; None if it does not."""
    dates = [column for column in table.columns.values() if column.kind == "date"]
    names = {form: c.name for c in (*numbers, *dates) for form in _forms(c.name)}
    if not names or not _OPERATION.search(question):  # no pattern is made for nothing
        return None
    short = called_forms(numbers)
    products = [_product(short)] if short else []  # "more than 6 times" multiplies nothing
    for pattern, read in (*_patterns(names), *products):
        found = pattern.search(question)
        if found is None:
            continue
        left, sign, right = read(found)
        operands = [short.get(each.lower(), each) for each in (left, right)]
        are_dates = {each in {form for c in dates for form in _forms(c.name)} for each in operands}
        is_number = all(re.fullmatch(_NUMBER, each) for each in operands)
        if is_number or (True in are_dates and (False in are_dates or sign != "-")):
            continue
        made = [float(each) if re.fullmatch(_NUMBER, each) else each for each in operands]
        named = found.groupdict()
        name = named.get("name") or named.get("word") or _RESULTS[sign]
        if name in table.columns:
            return None
        column = ComputedColumn(name, made[0], sign, made[1])
        is_added = sign == "*" and _IN_ALL.search(question) and not _STATISTIC.search(question)
        said = f"sum of {name}" if is_added else name
        return ComputedQuestion((column,), _rest(question, found, said))
    return None


def _rest(question: str, found: re.Match[str], name: str) -> str:
    """Return what a question asks beside how a column is computed, which may be a sentence."""
    behind = _OF_COLUMN.sub(f"the {name}", question[found.end() :])
    further = _FURTHER.match(behind)
    if further and "name" in found.groupdict() and behind[further.end() :].strip():
        before = question[: found.start()]
        return f"{before[: _sentence_start(before)]}{behind[further.end() :]}".strip()
    before = question[: found.end("asked") if "asked" in found.groupdict() else found.start()]
    return " ".join(f"{before} {name}{behind}".split())


def _sentence_start(text: str) -> int:
    """Return where the last sentence of a text begins."""
    ends = [found.end() for found in re.finditer(r"[.?!]\s+", text)]
    return ends[-1] if ends else 0


def _forms(name: str) -> set[str]:
    """Return how a column's name may be written in a question, in lower case."""
    return {name.lower(), name.lower().replace("_", " ")}


def called_forms(numbers: Sequence[ColumnSample]) -> dict[str, str]:
    """Return the columns by all that they may be called: "price" where only seat_price has it."""
    words = {column.name: set(header_words(column.name)) - STOP for column in numbers}
    counts = Counter(word for own in words.values() for word in own)
    short = {
        word: name
        for name, own in words.items()
        for word in own
        if counts[word] == 1 or len(own) == 1
    }
    return {**short, **{form: column.name for column in numbers for form in _forms(column.name)}}


def _product(names: Mapping[str, str]) -> tuple[re.Pattern[str], _Reader]:
    """Return the pattern of a product of two columns that may be called by one word each."""
    forms = "|".join(re.escape(form) for form in sorted(names, key=len, reverse=True))
    signs = "|".join(re.escape(sign) for sign, operator in _SIGNS.items() if operator == "*")
    words = rf"(?P<left>{forms})\s*\b(?P<sign>{signs})\b\s*(?:the\s+)?(?P<right>{forms})"
    return re.compile(rf"(?i)(?<!\w){words}(?!\w)"), _signed


def _patterns(names: Mapping[str, str]) -> Iterator[tuple[re.Pattern[str], _Reader]]:
    forms = "|".join(re.escape(form) for form in sorted(names, key=len, reverse=True))
    operand = rf"[\"'`]?(?:{forms}|{_NUMBER})[\"'`]?"
    left, right = rf"(?P<left>{operand})", rf"(?P<right>{operand})"
    signs = "|".join(re.escape(sign) for sign in sorted(_SIGNS, key=len, reverse=True))
    done = "|".join(re.escape(verb) for verb in _DONE)
    formula = rf"{left}\s*(?P<sign>{signs})\s*{right}(?!\w)"
    between = r"(?:\s+(?:column|values?))?\s+(?:and|by|to|from|with)\s+(?:the\s+)?"
    verbal = (
        rf"(?:(?:calculating|computing|taking|finding)\s+)?(?:the\s+)?(?P<verb>{done})\s+(?:the\s+)?"
        rf"{left}{between}{right}(?:\s+(?:columns?|values?))?(?!\w)"
    )
    name = r"(?:[\"'`](?P<name>[^\"'`]+)[\"'`]|(?P<word>[^\W\d]\w*))"
    is_made = (
        r"\s*,?\s*(?:(?:that|which)\s+(?:is|represents|holds)\s+)?(?:calculated\s+|computed\s+)?"
    )
    by = r"(?:=|as|by|from|using\s+the\s+formula:?)?\s*"
    yield re.compile(rf"(?i)(?:{_NAMED})?{name}{is_made}(?:=|as)\s*{formula}"), _signed
    yield re.compile(rf"(?i){_NAMED}{name}{is_made}{by}{verbal}"), _verbal
    yield re.compile(rf"(?i){_NAMED}(?P<name>)(?P<word>){is_made}{by}{verbal}"), _verbal
    yield re.compile(rf"(?i)(?<!\w){formula}"), _signed
    yield (
        re.compile(rf"(?i)(?<!\w)(?P<asked>{_STATISTICS}\s+(?:of\s+)?(?:the\s+)?){verbal}"),
        _verbal,
    )


def _signed(found: re.Match[str]) -> tuple[str, Operator, str]:
    return _plain(found["left"]), _SIGNS[found["sign"].lower()], _plain(found["right"])


def _verbal(found: re.Match[str]) -> tuple[str, Operator, str]:
    left, right = _plain(found["left"]), _plain(found["right"])
    verb = found["verb"].lower()
    # "subtracting a from b" is b - a
    if verb == "subtracting" and re.search(r"(?i)\sfrom\s", found[0]):
        left, right = right, left
    return left, _DONE[verb], right


def _plain(operand: str) -> str:
    return operand.strip("\"'`")
