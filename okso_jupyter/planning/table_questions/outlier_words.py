"""Outlier words: which outliers a question leaves out or asks for, and the question without them.

"mean price without outliers" is the mean of the rows that are none; how outliers are told apart,
"(|z| > 3)" or "by the IQR method", is said in the same sentence or in another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from okso_jupyter.planning.request.wording import columns_named
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.tables.query import Filter, Measure, Query

_NAME: Final = r"(?:outliers?|outlying\s+(?:values?|rows?|points?)|ausreißern?)"
_HOW: Final = r"""
    (?:\s*[,(]?\s*(?:(?:using|with|by|via|through|based\s+on|where|having|that\s+have|mit)\s+)?
    (?:(?:the|an?|their|its)\s+)*(?:absolute\s+)?(?:1\.5\s*(?:\*|x|times)?\s*(?:the\s+)?)?
    (?:iqr|interquartile[\s-]+ranges?|z[\s-]?scores?|\|\s*z\s*\|)
    (?:(?!\.\s|\?|\))(?!,?\s+(?:then|and|what|how)\b)[^;])*\)?)
"""
_HOW_SAID: Final = re.compile(rf"(?ix){_HOW}")
_LEFT_OUT: Final = re.compile(
    rf"""(?ix)
    (?:,?\s*\b(?:after|by|when|while|if\s+you|and)\s+)?
    \b(?:without|exclud(?:e|ing)|except(?:\s+for)?|ignor(?:e|ing)|omit(?:ting)?|not\s+counting|
        remov(?:e|ing)|dropp?(?:ing)?|eliminat(?:e|ing)|filter(?:ing)?\s+out|ohne)\s+
    (?:(?:the|any|all|its|their|die)\s+)*{_NAME}(?!\w)
    (?P<of>\s+(?:of|in|from|for|by)\s+(?:the\s+)?[^,.?;()]*?
        (?=\s+(?:in|from|using|with|by|based|where|then)\b|[,.?;()]|$))?
    {_HOW}?
    """
)
#: "Remove the outliers and then compute the mean" is one question.
_THEN: Final = re.compile(r"(?i),?\s*(?:\band\s+)?\bthen\b,?")
_ASKS_FOR: Final = re.compile(rf"(?i)\b{_NAME}(?!\w)")
#: What a request that begins with leaving them out has to go on with, to be a question.
_GOES_ON: Final = re.compile(
    r"(?i)\b(?:what|how|which|find|calculate|compute|determine|give|report|tell|show|list|count|"
    r"mean|average|median|sum|total|correlation|standard\s+deviation|minimum|maximum)\b"
)
_COUNTED: Final = re.compile(r"(?i)\b(?:how\s+many|number\s+of|count|wie\s+viele|anzahl)\b")
_LISTED: Final = re.compile(r"(?i)\b(?:which|list|show|display|give|find|welche|zeige?|nenne)\b")
_Z_SCORE: Final = re.compile(r"(?i)\bz[\s-]?scores?\b|\|\s*z\s*\|")
_OTHER_FENCE: Final = re.compile(
    r"(?i)(?<![\d.])(?!1\.5\b)\d+(?:\.\d+)?\s*(?:\*|x|times)?\s*(?:the\s+)?(?:iqr|interquartile)"
)
_LIMITS: Final = (
    re.compile(r"(?i)\b(?:threshold|cut-?off|limit)\D{0,12}(\d+(?:\.\d+)?)"),
    re.compile(
        r"(?i)(?:>=?|\b(?:above|over|beyond|exceed(?:s|ing)?|\w+er\s+than|more\s+than))"
        r"\s*(\d+(?:\.\d+)?)"
    ),
)
_USUAL_LIMIT: Final = 3.0


@dataclass(frozen=True, slots=True)
class OutliersAsked:
    """What a request says of outliers.

    Attributes:
        question: The request without the words that say it.
        kind: Whether they are left out, counted, or shown.
        columns: The columns whose outliers they are; () if it is not said.
        z_score: The z-score that they exceed; None for 1.5 interquartile ranges.
    """

    question: str
    kind: Literal["left out", "counted", "shown"]
    columns: tuple[str, ...]
    z_score: float | None


def outliers_asked(request: str, columns: Sequence[str]) -> OutliersAsked | None:
    """Return what a request says of outliers; None if it says nothing, or by another measure.

    Args:
        request: The request.
        columns: The columns of the table that it names.
    """
    if not _ASKS_FOR.search(request) or _OTHER_FENCE.search(request):
        return None
    z_score = _limit(request) if _Z_SCORE.search(request) else None
    left_out = _LEFT_OUT.search(request)
    if left_out:
        if not left_out.start() and not _GOES_ON.search(request[left_out.end() :]):
            return None
        of = columns_named(f"of {left_out['of'] or ''}", columns)
        behind = _THEN.sub(" ", request[left_out.end() :], count=1)
        rest = f"{request[: left_out.start()]} {behind}"
        return OutliersAsked(_tidy(rest), "left out", tuple(of)[:1], z_score)
    rest = _tidy(_HOW_SAID.sub(" ", request))
    if _COUNTED.search(request):
        return OutliersAsked(rest, "counted", (), z_score)
    if _LISTED.search(request):
        return OutliersAsked(rest, "shown", _nearest(rest, columns), z_score)
    return None


def without_outliers(
    readings: Sequence[QueryReading], asked: OutliersAsked, columns: Sequence[str]
) -> tuple[QueryReading, ...]:
    """Return readings that do what a request says of outliers; the others are left out.

    Args:
        readings: The readings of the request without these words, best first.
        asked: What it says.
        columns: The columns of the table.
    """
    if not readings:
        return ()
    if asked.kind == "shown":
        return _shown(readings[0], asked, columns)
    change = _counted if asked.kind == "counted" else _left_out
    changed = [(reading, change(reading.query, asked)) for reading in readings]
    kept = {query: replace(reading, query=query) for reading, query in changed[::-1] if query}
    pairs = zip([*kept.values()][::-1], readings, strict=False)
    return tuple(replace(one, confidence=place.confidence) for one, place in pairs)


def _counted(query: Query, asked: OutliersAsked) -> Query | None:
    """Return a query for the number of outliers, by z-score where that is said."""
    match query.measures:
        case (Measure(function="outliers", column=column),):
            if asked.z_score is None:
                return query
            if query.by:
                return None
            met = (*query.filters, Filter(column, "is an outlier", asked.z_score))
            return replace(query, filters=met, measures=(Measure("count"),))
        case _:
            return None


def _left_out(query: Query, asked: OutliersAsked) -> Query | None:
    """Return a query without the outliers of the column that is said, else of its measures."""
    measured = [name for m in query.measures for name in (m.column, m.other) if name]
    names = asked.columns or tuple(dict.fromkeys(measured))
    if not names:
        return None
    limit = asked.z_score or ""
    met = (Filter(name, "is no outlier", limit) for name in names)
    return replace(query, filters=(*query.filters, *met))


def _shown(
    best: QueryReading, asked: OutliersAsked, columns: Sequence[str]
) -> tuple[QueryReading, ...]:
    """Return the reading that shows the rows that are outliers, of the columns that are named."""
    if not asked.columns:
        return ()
    named = columns_named(asked.question, columns)
    shown = tuple(name for name in named if name not in asked.columns)
    kept = tuple(each for each in best.query.filters if each.column not in {*shown, *asked.columns})
    met = (Filter(name, "is an outlier", asked.z_score or "") for name in asked.columns)
    query = Query(best.query.source, filters=(*kept, *met), columns=shown)
    return (replace(best, query=query),)


def _limit(request: str) -> float:
    found = next((match for pattern in _LIMITS if (match := pattern.search(request))), None)
    return float(found[1]) if found else _USUAL_LIMIT


def _nearest(question: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the column that is named behind the word for outliers, else the last before it."""
    word = _ASKS_FOR.search(question)
    place = word.start() if word else 0
    behind = columns_named(f"of {question[place:].partition('?')[0]}", columns)
    before = columns_named(question[:place], columns)
    return tuple(behind[:1] or before[-1:])


def _tidy(text: str) -> str:
    """Return a text without doubled blanks, and without what begins it for nothing."""
    return " ".join(text.split()).strip(" ,.")
