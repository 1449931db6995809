"""Cue words: stems without which some kinds of query are never meant, English and German.

They only keep the enumeration small. Which query is meant is decided by the fitted weights.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from okso_jupyter.tables.query import Function, Part

ROWS: Final = frozenset(
    "row rows show list entri entry record sort top order rank zeig zeil".split()
)
DIFFERENT: Final = frozenset("differ uniqu distinct all".split())
SHARE: Final = frozenset("percent percentag share proport prozent anteil fraction".split())
EACH: Final = frozenset(
    "each per by everi every group respect pro je jede across breakdown distribut".split()
)
MISSING: Final = frozenset("miss null nan blank empti fehl leer no without".split())
RELATED: Final = frozenset("correl relationship pearson korrel relat spearman".split())
#: What asks for the first and the last date.
PERIOD: Final = re.compile(
    r"(?i)\bbetween (?:which|what)\b|\b(?:date|time) ?(?:range|span)\b|"
    r"\bfrom when (?:to|until) when\b|"
    r"\b(?:which|what) (?:period|time ?frame|dates)\b.*\b(?:covers?|spans?|includes?|covered)\b|"
    r"\b(?:first|earliest) and (?:the )?(?:last|latest) (?:date|day)\b|"
    r"\b(?:von wann bis wann|welche[nr]? zeitraum)\b"
)
#: Functions of numbers that have names of their own.
NAMED: Final[Mapping[Function, frozenset[str]]] = {
    "median": frozenset({"median", "zentralwert"}),
    "range": frozenset("rang differ spread between gap spann".split()),
    "standard deviation": frozenset("deviat std stdev stddev standardabweichung".split()),
    "population standard deviation": frozenset({"popul"}),
    "variance": frozenset({"varianc", "varianz"}),
    "skewness": frozenset({"skew", "schief"}),
    "outliers": frozenset({"outlier", "ausreiss", "ausreißer"}),
    "quartile 1": frozenset("quartil percentil 25th q1".split()),
    "quartile 3": frozenset("quartil percentil 75th q3".split()),
    "normality": frozenset("normal shapiro gaussian".split()),
}
#: Functions of any column.
OF_ANY: Final[Mapping[Function, frozenset[str]]] = {
    "missing": MISSING,
    "missing percent": SHARE,
    "count distinct": frozenset(
        "differ uniqu distinct mani number total count verschieden".split()
    ),
}
#: Functions that are asked for together: "mean and standard deviation".
TOGETHER: Final[Mapping[Function, frozenset[str]]] = {
    "mean": frozenset("mean averag avg durchschnitt mittelwert".split()),
    "minimum": frozenset("minimum min lowest smallest".split()),
    "maximum": frozenset("maximum max highest largest".split()),
    "sum": frozenset({"sum", "total"}),
    **NAMED,
}
PARTS: Final[Mapping[str, Part]] = {
    "year": "year",
    "annual": "year",
    "jahr": "year",
    "quarter": "quarter",
    "quartal": "quarter",
    "month": "month",
    "monat": "month",
    "weekday": "weekday",
    "wochentag": "weekday",
    "day": "day",
    "tag": "day",
    "hour": "hour",
    "stund": "hour",
}
#: Every cue but those of dates, which other requests have too.
CUES: Final = frozenset().union(
    ROWS, DIFFERENT, SHARE, EACH, MISSING, RELATED, *TOGETHER.values(), *OF_ANY.values()
)
