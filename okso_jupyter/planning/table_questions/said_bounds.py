"""Said bounds: "more than 6 repairs", "an average price below 10", "zwischen 3 und 5 Artikel"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from okso_jupyter.number_words import ENGLISH, GERMAN
from okso_jupyter.tables.query import Bound, BoundComparison, Function
from okso_jupyter.tables.signs import COMPARE

_WORDS: Final = {**ENGLISH, **GERMAN, "a dozen": 12, "einem": 1, "einen": 1, "eine": 1, "ein": 1}
_NUMBER: Final = rf"(?:\d[\d.,]*(?<![.,])|{'|'.join(sorted(_WORDS, key=len, reverse=True))})\b"
#: What compares, in both languages; that with "not" first.
_COMPARED: Final[Mapping[BoundComparison, str]] = {
    "<=": r"(?:no|not)\s+more\s+than|at\s+most|up\s+to|nicht\s+mehr\s+als|höchstens|maximal",
    ">=": r"(?:no|not)\s+(?:fewer|less)\s+than|at\s+least|mindestens|nicht\s+weniger\s+als",
    ">": r"(?:more|greater|higher)\s+than|over|above|exceeding|(?:mehr|öfter|höher)\s+als|über",
    "<": r"(?:fewer|less|lower)\s+than|under|below|(?:weniger|niedriger)\s+als|unter",
    "=": r"exactly|genau",
}
_COMPARISON: Final = "|".join(_COMPARED.values())
_RANGE: Final = rf"(?:between|zwischen)\s+(?P<low>{_NUMBER})\s+(?:and|und)\s+(?P<high>{_NUMBER})"
_OR_MORE: Final = rf"(?P<least>{_NUMBER})\s+(?:or|oder)\s+(?P<way>more|mehr|fewer|less|weniger)"
_BOUND: Final = (
    rf"(?:(?P<comparison>{_COMPARISON})\s+[€$£]?(?P<value>{_NUMBER})|{_RANGE}|{_OR_MORE})"
    r"(?:\s*(?:€|\$|£|(?:euros?|eur|dollars?|pounds?)\b))?"
)
_TWICE: Final = {"once": 1, "twice": 2, "einmal": 1, "zweimal": 2, "dreimal": 3, "viermal": 4}
#: Words behind what is counted: where and when it was.
_REST: Final = (
    r"(?:in|on|at|from|for|by|with|of|to|during|since|before|after|between|each|per|within|"
    r"im|am|an|aus|bei|von|vom|mit|für|seit|vor|nach|zwischen|pro|je|last|this|letzte\w*|diese\w*|"
    r"haben|hatten|hat|have|has|and|or|und|oder|bestellt|gekauft|ausgeliehen|gemacht|sold|made|paid|"
    r"worden|were|was|are|is|wurden?|sind|waren|ist|who|which|that|whose)\b"
)
_NOUN: Final = rf"(?P<noun>(?!{_REST})[^\W\d_]+(?:\s+(?!{_REST})[^\W\d_]+){{0,2}})"
_DIFFERENT: Final = r"(?P<different>(?:different|distinct|verschiedenen?|unterschiedlichen?)\s+)?"
_OF_ROWS: Final = re.compile(rf"(?i)\b{_BOUND}\s+{_DIFFERENT}{_NOUN}(?=\s|$)")
_OFTEN: Final = re.compile(
    rf"(?i)\b(?:{_BOUND}\s*(?:times|mal)|(?P<compared>{_COMPARISON})\s+(?P<twice>{'|'.join(_TWICE)}))\b"
)
_BESIDE: Final = re.compile(
    r"(?i)\b(?:(?P<before>insgesamt|durchschnittlich|im\s+(?:durch)?schnitt|an?\s+(?:total|average)\s+of)\s+)?"
    rf"{_BOUND}\s+{_NOUN}(?(before)|\s+(?:in\s+total|altogether|overall|combined|on\s+average|"
    r"insgesamt|zusammen|im\s+(?:durch)?schnitt))(?=\s|$)"
)
_AVERAGE: Final = re.compile(r"(?i)average|schnitt")
_FUNCTION: Final = (
    r"(?:(?P<sum>total|overall|combined|gesamt(?:e[rnsm]?\s+|(?=\w)))|"
    r"(?P<mean>average|mean|avg|durchschnittliche?[rnsm]?\s+|mittlere[rnsm]?\s+|durchschnitts?(?=\w))|"
    r"(?P<median>median))"
)
_COMPUTED: Final = re.compile(
    rf"(?i)\b(?P<computed>{_FUNCTION}\s*(?P<noun>(?!of\b|{_COMPARISON}\b)[^\W\d_]+(?:[\s_](?!{_REST}|{_COMPARISON}\b)"
    rf"[^\W\d_]+){{0,2}}?))\s+(?:(?:is|was|are|of|von|that\s+is)\s+)?{_BOUND}(?=\W|$)"
)
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_GERMAN_THOUSANDS: Final = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?")
_DECIMAL: Final = re.compile(r"\d+(?:[.,]\d+)?")
_GERMAN: Final = re.compile(
    r"(?i)\b(?:welche\w*|wer|mit|mehr|weniger|mindestens|wenigstens|höchstens|genau|zwischen|über|"
    r"unter|haben|deren|mal)\b"
)


@dataclass(frozen=True, slots=True)
class SaidBound:
    """A bound on groups, in the words of a question.

    Attributes:
        before: The words before it.
        behind: The words behind it.
        bounds: The bounds.
        is_german: Whether the question is a German one.
        noun: What is counted or computed with; "" for how often something was.
        function: What is computed; None where rows are counted.
        computed: The words for that, such as "average price".
        names_column: The words of a column that would hold the number of each row.
        is_of_different: Whether different values are counted.
    """

    before: str
    behind: str
    bounds: tuple[Bound, ...]
    is_german: bool
    noun: str = ""
    function: Function | None = None
    computed: str = ""
    names_column: str = "times mal"
    is_of_different: bool = False

    @property
    def most(self) -> str:
        """The words for most of it, such as "the most repairs"."""
        if self.function:
            return f"{'den höchsten' if self.is_german else 'the highest'} {self.computed}"
        if self.noun:
            return f"{'die meisten' if self.is_german else 'the most'} {self.noun}"
        return "am häufigsten" if self.is_german else "most often"

    @property
    def number(self) -> str:
        """The words for how much of it there is, such as "number of repairs"."""
        return self.computed or f"number of {self.noun or 'rows'}"


def is_within(value: float, bounds: Sequence[Bound]) -> bool:
    """Return whether a number meets all bounds."""
    return all(COMPARE[bound.comparison](value, bound.value) for bound in bounds)


def said_bound(question: str) -> SaidBound | None:
    """Return the bound on groups that a question may say; None if it says none."""
    said = _of_computed(question) or _of_beside(question) or _of_rows(question)
    return said if said and said.bounds else None


def _of_computed(question: str) -> SaidBound | None:
    """Return the bound on a measure that is named: "an average price below 10"."""
    found = _COMPUTED.search(question)
    if found is None:
        return None
    function: Function = "sum" if found["sum"] else "mean" if found["mean"] else "median"
    named = (found["sum"] or found["mean"] or found["median"]).strip()
    return replace(
        _said(question, found),
        noun=found["noun"],
        function=function,
        computed=found["computed"],
        names_column=named,
    )


def _of_beside(question: str) -> SaidBound | None:
    """Return the bound on a sum or average: "more than 40 hours in total"."""
    found = _BESIDE.search(question)
    if found is None:
        return None
    function: Function = "mean" if _AVERAGE.search(found[0]) else "sum"
    named, noun = "average" if function == "mean" else "total", found["noun"]
    computed = f"{named} {noun}"
    said = _said(question, found)
    return replace(said, noun=noun, function=function, computed=computed, names_column=named)


def _of_rows(question: str) -> SaidBound | None:
    """Return the number of rows that groups must have: "more than 6 repairs", "at least twice"."""
    often = _OFTEN.search(question)
    if often:
        return _said(question, often)
    found = _OF_ROWS.search(question)
    if found is None:
        return None
    noun, is_of_different = found["noun"], bool(found["different"])
    said = _said(question, found)
    return replace(said, noun=noun, names_column=noun, is_of_different=is_of_different)


def _said(question: str, found: re.Match[str]) -> SaidBound:
    before, behind = question[: found.start()].rstrip(), question[found.end() :]
    is_german = _GERMAN.search(question) is not None
    known = [(sign, _number(said, is_german=is_german)) for sign, said in _said_bounds(found)]
    bounds = tuple(Bound(sign, value) for sign, value in known if value is not None)
    return SaidBound(before, behind, bounds if len(bounds) == len(known) else (), is_german)


def _said_bounds(found: re.Match[str]) -> Sequence[tuple[BoundComparison, str]]:
    """Return the signs of bounds, and their numbers in words or digits."""
    said = found.groupdict()
    if said["low"]:
        return (">=", said["low"]), ("<=", said["high"])
    if said["least"]:
        is_more = said["way"].lower() in {"more", "mehr"}
        return ((">=" if is_more else "<=", said["least"]),)
    if said.get("twice"):
        return ((_comparison(said["compared"]), said["twice"]),)
    return ((_comparison(said["comparison"]), said["value"]),)


def _comparison(said: str) -> BoundComparison:
    """Return the sign of a comparison in words."""
    return next(sign for sign, words in _COMPARED.items() if re.fullmatch(f"(?i){words}", said))


def _number(said: str, *, is_german: bool) -> float | None:
    """Return the value of a number; None of a date, such as 01.09.2024.

    Of "1.125" the point stands between thousands in German, and before decimals in English.
    """
    known = {**_WORDS, **_TWICE}.get(said.lower())
    if known is not None:
        return known
    if _THOUSANDS.fullmatch(said):
        said = said.replace(",", "")
    elif _GERMAN_THOUSANDS.fullmatch(said) and (is_german or said.count(".") > 1):
        said = said.replace(".", "").replace(",", ".")
    elif _DECIMAL.fullmatch(said):
        said = said.replace(",", ".")
    else:
        return None
    value = float(said)
    return int(value) if value.is_integer() else value
