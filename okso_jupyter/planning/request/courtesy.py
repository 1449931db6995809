"""Courtesy: words around a request that say nothing of it, such as "Could you please tell me".

What somebody means to do with an answer says nothing of it either.
"""

from __future__ import annotations

import re
from typing import Final

from okso_jupyter.planning.request.only_asked import without_aims

#: "Well" and "so" may begin the request itself: "well with the highest yield".
_GREETING: Final = (
    r"(?:(?:hey|hi|hello|hallo)(?: there)?[ ,:!]+|(?:ok(?:ay)?|now)[ ,:!]+|(?:well|so)[,:!]+ )"
)
_PLEASE: Final = r"(?:please|pls|kindly|bitte)"
_WISH: Final = (
    r"(?:(?:can|could|would|will) (?:you|u|ya)|i(?: would|['’]?d)? (?:like|want|need) (?:you )?to|"
    r"kannst du|könntest du|könnten sie)"
)
#: What leads to a question that is said indirectly: "tell me what the mean is".
_LEADS: Final = (
    r"(?:tell me|let me know|help me (?:to )?(?:find out|see|understand)|find out|figure out|"
    r"(?:do you )?know|i(?: was|['’]?m)? wonder(?:ing)?|ich (?:möchte|will|würde gerne?) wissen|"
    r"(?:sag(?:e|en)? mir|mir (?:bitte )?sagen|sagen)(?: bitte)?)"
)
_QUESTION: Final = (
    r"(?=(?:what|which|who|whose|when|where|how|wie|was|welche[rsnm]?|wer|wann|wo)\b)"
)
_OPENING: Final = re.compile(
    rf"(?i)^(?:{_GREETING}?(?:{_PLEASE}[ ,]+)?(?:{_WISH}[ ,]+)?(?:{_PLEASE}[ ,]+)?)"
)
_LEADING: Final = re.compile(rf"(?i)^{_LEADS}[ ,:]+{_QUESTION}")
#: "I want to know the mean" is "tell me the mean".
_LEADING_TO_NOUN: Final = re.compile(rf"(?i)^{_LEADS}[ ,:]+(?=the\b)")
#: "What the mean is" is "what is the mean", asked indirectly.
_INDIRECT: Final = re.compile(
    r"(?i)^(?P<asks>what|who|where|when|was|wer|wo|wann) (?P<about>.+?) "
    r"(?P<verb>is|are|was|were|ist|sind|war|waren)(?P<end>\W*)$"
)
_CLOSING: Final = re.compile(
    r"(?i)(?:[ ,]+(?:please|pls|bitte|for me|thanks|thank you|danke))+(?P<end>[.!?]*)$"
)


def direct(request: str) -> str:
    """Return a request as it would be said without courtesy; one of nothing else as it is."""
    said = _OPENING.sub("", without_aims(request.strip()))
    asked = _LEADING.sub("", said)
    if asked != said:
        asked = _INDIRECT.sub(r"\g<asks> \g<verb> \g<about>\g<end>", asked)
    else:
        asked = _LEADING_TO_NOUN.sub("tell me ", said)
    return _CLOSING.sub(r"\g<end>", asked) or request
