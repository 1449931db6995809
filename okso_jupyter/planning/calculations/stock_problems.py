"""Stock problems: how long something lasts of which so much is used in each unit of time.

The stock, its use and the question are a clause each, in any order; a clause that says anything
else leaves the text to the model.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from typing import Final

from okso_jupyter.planning.calculations.named_things import is_same_thing, may_be_left_out
from okso_jupyter.planning.calculations.spoken_numbers import NUMBER

_CLAUSE_END: Final = re.compile(
    r"(?:\s*[,;:?.!](?=\s|$)|\s+(?:and|und|if|wenn|when|but|aber|then|dann|so|also)(?=\s)|"
    r"^(?:if|wenn|when|suppose|angenommen)(?=\s))+\s*"
)
#: Units of time by the words for them, and how many days the ones of a known length have.
_PERIODS: Final = {
    word: unit
    for unit, words in {
        "day": "day days tag tage tagen",
        "week": "week weeks woche wochen",
        "month": "month months monat monate monaten",
        "year": "year years jahr jahre jahren",
        "hour": "hour hours stunde stunden",
    }.items()
    for word in words.split()
}
_LENGTHS: Final[Mapping[tuple[str, str], str]] = {
    ("day", "week"): " / 7",
    ("week", "day"): " * 7",
    ("hour", "day"): " / 24",
    ("day", "hour"): " * 24",
}
_PERIOD: Final = "|".join(sorted(_PERIODS, key=len, reverse=True))
_NO_NAME: Final = (
    r"(?:per|pro|je|jeweils|each|every|jede\w*|a|an|am|and|und|more|less|mehr|weniger|last|lasts|"
    r"reicht|reichen|left|percent|prozent|in|for|für|that|which|who|die|der|das)"
)
_WORD: Final = rf"(?!{_NO_NAME}\b)[^\W\d_]+(?:[-'][^\W\d_]+)*"
_THING: Final = rf"{_WORD}(?: {_WORD}){{0,3}}"
_WHO: Final = (
    r"(?:i|we|he|she|it|they|you|one|ich|wir|er|sie|es|man|(?:the|my|our|der|die|das|mein\w*|"
    r"unser\w*) [^\W\d_]+)"
)
_HAVE: Final = r"(?:have|has|had|got|bought|habe|haben|hat|gibt|are|is|sind|ist|kaufe|kaufen)"
_USES: Final = (
    r"(?:uses?|needs?|eats?|drinks?|burns?|takes?|consumes?|feeds?|gives?|gets?|spends?|goes? "
    r"through|go through|verbrauch\w*|brauch\w*|trink\w*|ess\w*|isst|frisst|fressen|benutz\w*|"
    r"verwend\w*|nehm\w*|nimmt|geb\w*|gibt|bekomm\w*)"
)
_A: Final = r"(?:a|an|per|each|every|pro|am|im|in der|die|jede[nrs]?|je)"
_RATE: Final = rf"(?P<rate>{NUMBER})(?: (?:of (?:them|it|these)|davon|(?P<used>{_THING})))??"
_EACH_TIME: Final = rf"(?:{_A} (?P<period>{_PERIOD})|(?P<daily>daily|täglich))"
_STOCKS: Final = (
    rf"(?:(?:{_WHO}|there) {_HAVE} |{_HAVE} )?(?:(?:a|an|the|1|eine?n?) "
    rf"[^\W\d_]+ (?:of|with|von|mit) )?(?P<stock>{NUMBER}) (?P<thing>{_THING})(?: left| übrig)?"
)
_HOW_LONG: Final = rf"how (?:many (?P<asked>{_PERIOD})|long)"
_WIE_LANGE: Final = rf"wie (?:viele? (?P<asked>{_PERIOD})|lange)"
_IT: Final = (
    r"(?:it|they|that|these|this|es|sie|das|die|we|(?:the|die|der|das|unser\w*|our|my) "
    rf"(?P<again>{_THING}))"
)
_PATTERNS: Final[Mapping[str, tuple[re.Pattern[str], ...]]] = {
    kind: tuple(map(re.compile, patterns))
    for kind, patterns in {
        "stock": (_STOCKS,),
        "use": (
            rf"(?:{_WHO} )?{_USES} {_RATE} {_EACH_TIME}",
            rf"{_WHO} {_EACH_TIME} {_RATE} {_USES}",
            rf"{_WHO} {_USES} {_EACH_TIME} {_RATE}",
            rf"{_WHO} {_RATE} {_EACH_TIME} {_USES}",
            rf"(?:at|with|using|bei|mit) {_RATE} {_EACH_TIME}",
        ),
        "asks": (
            (
                rf"(?:for )?{_HOW_LONG} (?:do|does|will|would|can|is|are) "
                rf"{_IT} (?:last|be enough|suffice|make do)(?: (?:us|me|him|her|them))?"
            ),
            (
                rf"(?:für )?{_WIE_LANGE} (?:reicht|reichen|hält|halten) "
                rf"{_IT}(?: (?:uns|mir|aus|noch))*"
            ),
            (
                rf"(?:in )?wie (?:viele?n? (?P<asked>{_PERIOD})|lange) (?:komme|kommen) "
                r"(?:ich|wir) (?:damit )?(?:hin|aus)"
            ),
        ),
    }.items()
}
#: The question with its stock: "how long do 500 bags last".
_ASKS_OF_STOCK: Final = tuple(
    map(
        re.compile,
        (
            (
                rf"(?:for )?how (?:many (?P<asked>{_PERIOD})|long) (?:do|does|will|would|can) "
                rf"(?:the |my |our )?(?P<stock>{NUMBER}) (?P<thing>{_THING}) last"
                r"(?: (?:us|me|him|her|them))?"
            ),
            (
                rf"(?:für )?wie (?:viele? (?P<asked>{_PERIOD})|lange) (?:reicht|reichen|halten) "
                rf"(?:die |unsere |meine )?(?P<stock>{NUMBER}) (?P<thing>{_THING})"
            ),
        ),
    )
)


def lasting_time(text: str) -> str:
    """Return the calculation of how long a stock lasts, of a text in small letters; "" for others.

    It is told in the unit that is asked for, else in that of the use.
    """
    clauses = [clause for clause in _CLAUSE_END.split(text) if clause]
    if not 2 <= len(clauses) <= 3:  # noqa: PLR2004  use and question, and perhaps a stock of its own
        return ""
    found = {_of_kinds(said) for said in itertools.product(*map(_readings, clauses))} - {""}
    return found.pop() if len(found) == 1 else ""


def _readings(clause: str) -> list[tuple[str, dict[str, str | None]]]:
    """Return what a clause may say: its kind and what it names."""
    patterns = {**_PATTERNS, "both": _ASKS_OF_STOCK}
    return [
        (kind, match.groupdict())
        for kind, known in patterns.items()
        for match in (pattern.fullmatch(clause) for pattern in known)
        if match
    ]


def _of_kinds(said: tuple[tuple[str, dict[str, str | None]], ...]) -> str:
    kinds = sorted(kind for kind, _ in said)
    if kinds not in (["asks", "stock", "use"], ["both", "use"]):
        return ""
    named = {name: value for _, each in said for name, value in each.items() if value}
    return _time_of(named)


def _time_of(named: Mapping[str, str]) -> str:
    """Return stock by rate, in the unit asked for; "" where the things or units do not agree."""
    things = [named[name] for name in ("used", "again") if name in named]
    if "used" not in named and not may_be_left_out(named["thing"]):
        return ""  # of boxes of pills, "3 a day" may be either
    if not all(_is_of(named["thing"], other) for other in things):
        return ""
    used_in = "day" if "daily" in named else _PERIODS[named["period"]]
    asked = _PERIODS[named["asked"]] if "asked" in named else used_in
    if asked != used_in and (used_in, asked) not in _LENGTHS:
        return ""
    return f"{named['stock']} / {named['rate']}{_LENGTHS.get((used_in, asked), '')}"


def _is_of(thing: str, other: str) -> bool:
    """Return whether another name is of the stock's thing: "bags" of "poo bags", "kg" of "kg rice".

    Pills are not what boxes of pills are counted in, and 150 g is in another measure than 2 kg.
    """
    is_shorter = may_be_left_out(thing) and thing.endswith(f" {other}")
    return is_shorter or is_same_thing(thing, other) or thing.startswith(f"{other} ")
