"""Day spans: "between 10 and 20 February" names two days of February, and no two numbers."""

from __future__ import annotations

import re
from typing import Final

from okso_jupyter.planning.calculations.spoken_dates import MONTH

_DAY: Final = r"\d{1,2}(?:st|nd|rd|th|\.)?"
#: The first day has no month of its own.
_SPAN: Final = re.compile(
    rf"(?i)\b(?P<opens>between|from|zwischen|vom|von)\s+(?P<first>{_DAY})\s*"
    rf"(?P<joins>and|to|until|till|und|bis|-|\u2013)\s*(?P<last>{_DAY})\s*(?:of\s+)?"
    rf"(?P<month>(?:{MONTH})\b\.?(?:\s+\d{{4}}\b)?)"
)
#: What may stand before a day of a span: "zwischen dem 10. und dem 20.", "bis zum 20.".
_ARTICLE: Final = re.compile(
    r"(?i)\b(?P<before>between|from|and|to|until|till|zwischen|von|und|bis)\s+(?:the|dem|den|zum)\s+"
    r"(?=\d{1,2}(?:st|nd|rd|th|\.))"
)


def with_whole_days(question: str) -> str:
    """Return a question in which each day of a span has its month, and no article."""
    plain = _ARTICLE.sub(r"\g<before> ", question)
    return _SPAN.sub(_whole, plain)


def _whole(found: re.Match[str]) -> str:
    joins = "to" if found["joins"] in {"-", "\u2013"} else found["joins"]
    opens, first, last, month = found.group("opens", "first", "last", "month")
    return f"{opens} {first} {month} {joins} {last} {month}"
