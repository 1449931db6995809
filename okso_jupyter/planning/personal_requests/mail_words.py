"""Words of requests about mail, and texts in quotation marks."""

from __future__ import annotations

import re
from typing import Final

#: Mail in general, one mail, several mails.
MAIL: Final = r"(?:e-?mail|mail|post)"
ONE_MAIL: Final = r"(?:e-?mail|mail|message|letter|note|line|word|something|nachricht)"
MAILS: Final = r"(?:e-?mails?|mails|messages|nachrichten)"
MY: Final = r"(?:my|the|our|meinen?|meiner?|meinem?|der|die|das|dem|den|unser(?:en?)?)"
_PAIRS: Final = ("''", '""', "\u2018\u2019", "\u201c\u201d", "\u201e\u201c", "\u00ab\u00bb")
#: A text in quotation marks; an apostrophe inside a word does not end it.
QUOTED: Final = "|".join(f"{a}(?:[^{a}{b}]|(?<=\\w){b}(?=\\w))+{b}" for a, b in _PAIRS)
_QUOTED: Final = re.compile(QUOTED)


def unquoted(text: str) -> str:
    """Return a text without the quotation marks around it and the blanks in them."""
    said = text.strip()
    return said[1:-1].strip() if _QUOTED.fullmatch(said) else said


def is_quoted(text: str) -> bool:
    """Return whether a text stands in quotation marks."""
    return bool(_QUOTED.fullmatch(text.strip()))
