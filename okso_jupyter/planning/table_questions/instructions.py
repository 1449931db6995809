"""Instructions: what the sentences around a question say about how it is to be computed.

"Calculate the mean of the 'price' column. Use the population standard deviation." are no questions
of their own, but name a column and a variant of a function.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from okso_jupyter.planning.request.wording import columns_named
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.tables.query import Function, Measure, Query

#: More columns than this are a list of what there is.
_MOST_HINTED: Final = 2
#: A function, what asks for its variant, and the variant.
_VARIANTS: Final[tuple[tuple[Function, str, Function], ...]] = (
    ("correlation", r"\bspearman|\brank(?:ed)? correlation", "rank correlation"),
    (
        "standard deviation",
        r"\bpopulation (?:standard deviation|std)|\bddof ?= ?0|\bnp\.std\b|\bpstdev\b",
        "population standard deviation",
    ),
)
#: What asks whether a correlation is one, or may have come about by chance; and the level for it.
_TESTED: Final = re.compile(r"(?i)\bp[\s-]?values?\b|\b(?:in)?significan\w*|\bsignifikan\w*")
_LEVEL: Final = re.compile(
    r"(?ix)\(?(?:\b(?:at|using|with)\s+)?(?:an?\s+|the\s+)?"
    r"\b(?:alpha|significance\s+level|level\s+of\s+significance|p[\s-]?value)s?"
    r"\s*(?:of|=|<=?|>=?|:|is|below|under|(?:less|greater)\s+than)\s*\d*\.\d+\)?"
)
_DENIED: Final = re.compile(r"(?i)\b(?:not|instead of|rather than|don['’]t)\b[^.;!?]*")
#: A sentence, or a line of a list, that forbids something.
_FORBIDS: Final = re.compile(
    r"(?im)(?:^|(?<=[.!?;{(])\s)[\s\-*]*(?:please\s+)?(?:do\s+not|don['’]t|never|no\s+need\s+to)\b"
    r"(?:[^.!?;\n]|\.(?!\s+(?-i:[A-Z])|\s*$))*[.!?;]?"
)


def hinted(question: str, request: str, columns: Sequence[str]) -> str:
    """Return a question with the columns that the rest of its request quotes, where it names none.

    Args:
        question: The question alone.
        request: The whole request.
        columns: The columns of the table.
    """
    known = {name.lower(): name for name in columns}
    quoted = [known[q.lower()] for q in _quoted(_DENIED.sub(" ", request)) if q.lower() in known]
    found = list(dict.fromkeys(quoted))
    missing = [name for name in found if name not in columns_named(question, columns)]
    if not missing or len(found) > _MOST_HINTED:
        return question
    return f"{question.rstrip(' ?.')} ({', '.join(missing)})"


def without_denied(request: str) -> str:
    """Return a request without the sentences that say what is not to be done.

    "Do not remove any outliers." asks for no answer without outliers.
    """
    return _FORBIDS.sub(" ", request).strip() or request


def without_level(question: str) -> str:
    """Return a question without the level of a test: "(alpha = 0.05)" is no value of a column."""
    return " ".join(_LEVEL.sub(" ", question).split())


def as_instructed(request: str, readings: Sequence[QueryReading]) -> tuple[QueryReading, ...]:
    """Return readings that compute the variant of a function that the request names."""
    said = _DENIED.sub(" ", request)
    if _TESTED.search(said):
        readings = [replace(each, query=_tested(each.query)) for each in readings]
    variants = {
        function: variant
        for function, pattern, variant in _VARIANTS
        if re.search(rf"(?i){pattern}", said)
    }
    if not variants:
        return tuple(readings)
    changed = [replace(each, query=_varied(each.query, variants)) for each in readings]
    return tuple({each.query: each for each in reversed(changed)}.values())[::-1]


def _tested(query: Query) -> Query:
    """Return a query for a correlation with its p-value beside it; others as they are."""
    match query.measures:
        case (Measure(function="correlation", column=one, other=other),):
            test = Measure("correlation p-value", one, other)
            return replace(query, measures=(*query.measures, test))
        case _:
            return query


def _varied(query: Query, variants: dict[Function, Function]) -> Query:
    measures = [replace(m, function=variants.get(m.function, m.function)) for m in query.measures]
    return replace(query, measures=tuple(dict.fromkeys(measures)))


def _quoted(text: str) -> list[str]:
    """Return what stands in quotation marks, none of which is an apostrophe."""
    found = re.findall(r"(?<!\w)(['\"`])([^'\"`\n]{1,60})\1(?!\w)", text)
    return [content for _, content in found]
