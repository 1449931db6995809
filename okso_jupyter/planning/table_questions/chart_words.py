"""Chart words: which chart a request asks for, and the question without the words that ask for it.

English and German. A chart of another kind, such as a box plot, is asked for in vain here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from okso_jupyter.planning.table_questions.words import spoken_names, stem

#: "any": a chart whose kind follows from what is drawn.
ChartKind = Literal["any", "bar", "line", "pie", "scatter", "histogram"]

_NOUN: Final = r"(?:charts?|plots?|graphs?|diagrams?|diagramme?)"
_BEFORE: Final = r"""
    (?:\b(?:please|bitte)\s+)?
    (?:\b(?:show|draw|make|create|plot|generate|produce|give|display|render|want|need|
        zeige?|zeichne|erstelle?|mache?|plotte)\s+(?:me\s+|us\s+|mir\s+|uns\s+)?)?
    (?:\b(?:as|in|into|on|with|using|als|mit)\s+)?
    (?:\b(?:an?|the|ein(?:e[nmr]?)?|das|dem)\s+)?
    (?:\b(?:simple|nice|quick)\s+)?
"""
_BEHIND: Final = r"(?:\s+(?:of|for|showing|that\s+shows|about|von|für|zu|des|der|über)\b)?"
_DISTRIBUTION: Final = r"^\W*(?:show|display|plot|draw)(?:\s+me)?\s+the\s+distribution(?=\s+of\b)"
_WORDS: Final[tuple[tuple[ChartKind, str], ...]] = (
    ("histogram", r"\bhistogramm?(?:e|s)?\b"),
    ("bar", rf"\b(?:bar|column)[\s-]*{_NOUN}\b | \bbars\b | \b(?:balken|säulen)diagramme?\b"),
    ("line", rf"\blines?[\s-]*{_NOUN}\b | ^\W*(?:an?\s+)?line(?=\s+of\b) | \bliniendiagramme?\b"),
    (
        "pie",
        rf"\bpie[\s-]*{_NOUN}\b | (?<=\bas\ a\ )pie\b | \b(?:kreis|torten|kuchen)diagramme?\b",
    ),
    ("scatter", rf"\bscatter[\s-]*(?:{_NOUN})?\b | \b(?:streu|punkt)(?:ungs)?diagramme?\b"),
    (
        "any",
        (
            rf"{_DISTRIBUTION} | \b{_NOUN}\b | "
            r"\b(?:visuali[sz]e|(?<!\ba\s)(?<!\bdid\swe\s)(?<!\bdid\sthey\s)draw|plotte|zeichne|"
            r"visualisiere)\b | \bgrafik\b"
        ),
    ),
)
_PATTERNS: Final = tuple(
    (kind, re.compile(rf"(?ix){_BEFORE}(?:{words}){_BEHIND}")) for kind, words in _WORDS
)
_OTHER_KINDS: Final = re.compile(
    rf"""(?ix)\b(?:box|violin|heat\s*map|donut|doughnut|area|radar|bubble|stacked|flow|gantt|
    tree|network|3d|contour|density|surface)[\s-]*{_NOUN} |
    \b(?:boxplots?|heat\s*maps?)\b | \bdraw\s+(?:a\s+)?conclu |
    \b(?:without|no|not\s+as|ohne|kein)\s+(?:(?:an?|the|any|ein|das)\s+)?(?:\w+\s+)?{_NOUN}\b"""
)
#: Before a noun that rows are called by as well: here it is one of a chart.
_DRAWN: Final = re.compile(
    r"(?i)(?:^\W*(?:please\W+)?|\b(?:draw|make|create|generate|produce|as|into|zeichne|erstelle?|"
    r"mache?|als)\s+(?:me\s+|mir\s+)?(?:(?:an?|ein(?:e[nmr]?)?)\s+)?(?:simple\s+|nice\s+|quick\s+)?|"
    r"\b(?:please|you|to|bar|column|line|pie|scatter)\s+)$"
)
#: "Show me the plot of rent by owner", but "show me the plots of Haas".
_SHOWN: Final = re.compile(
    r"(?i)\b(?:show|give|want|need|see|display|like|zeige?|gib|will|brauche)\s+"
    r"(?:me\s+|us\s+|to\s+see\s+|mir\s+|uns\s+)?(?:an?|the|ein(?:e[nmr]?)?|d(?:as|en|ie))\s+$"
)
_OF_WHAT: Final = re.compile(r"(?i)(?:of|for|showing|von|der|des|für)\b")
_ONE_NOUN: Final = re.compile(rf"(?i)\b{_NOUN}\b")
#: A file's name, and quoted text.
_NAMES: Final = re.compile(r"[\w./-]*\.\w+|\"[^\"]*\"|'[^']*'|`[^`]*`")


@dataclass(frozen=True, slots=True)
class ChartAsked:
    """A request for a chart.

    Attributes:
        kind: The kind that it names.
        question: The request without the words that ask for it.
    """

    kind: ChartKind
    question: str


def chart_asked(
    request: str, columns: Sequence[str] = (), called: Collection[str] = ()
) -> ChartAsked | None:
    """Return which chart a request asks for; None if it asks for none, or for an unknown kind.

    Args:
        request: The request in plain words.
        columns: The columns of the tables that it names: "chart" asks for nothing if it is one.
        called: Stems of what rows are called: of plots.csv "the plots over 150 m2" are rows.
    """
    masked = _NAMES.sub(_mask, request)
    names = {form for name in columns for form in spoken_names(name) if form == name or " " in form}
    for name in sorted(names, key=len, reverse=True):
        masked = re.sub(rf"(?i)(?<!\w){re.escape(name)}(?!\w)", _mask, masked)
    masked = _ONE_NOUN.sub(lambda noun: _of_rows(noun, called), masked)
    if _OTHER_KINDS.search(masked):
        return None
    for kind, pattern in _PATTERNS:
        found = pattern.search(masked)
        if found:
            rest = f"{request[: found.start()]} {request[found.end() :]}"
            left = f"{masked[: found.start()]} {masked[found.end() :]}"
            # "plot a bar chart of": the verb stood apart from the noun
            again = _PATTERNS[-1][1].search(left)
            if again:
                rest = f"{rest[: again.start()]} {rest[again.end() :]}"
            return ChartAsked(kind, " ".join(rest.split()).strip(" ,;:"))
    return None


def _of_rows(noun: re.Match[str], called: Collection[str]) -> str:
    """Return the noun of a chart, masked where rows are meant by it."""
    if stem(noun[0].lower()) not in called:
        return noun[0]
    before, behind = noun.string[: noun.start()], noun.string[noun.end() :]
    is_one = not noun[0].lower().endswith("s")
    is_shown = is_one and _SHOWN.search(before) and _OF_WHAT.match(behind.lstrip())
    return noun[0] if is_shown or _DRAWN.search(before) else _mask(noun)


def _mask(match: re.Match[str]) -> str:
    """Return a text of the same length without words."""
    return "_" * len(match[0])
