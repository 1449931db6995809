"""Problems of a request's own numbers: "If 3 pens cost 4.50 and I buy 5, what do I pay?".

Such a request states what its answer is computed from; no table has it, whatever words it shares.
"""

from __future__ import annotations

import re
from typing import Final

#: A number that is no year, no part of a date and no part of a name.
_NUMBER: Final = re.compile(
    r"(?<![\w.,/-])[$€£]?(?!(?:1\d|20)\d\d\b)\d+(?:[.,]\d+)*(?![\w/-]|\.\d)"
)
_ENOUGH: Final = 2
_ASKING: Final = (
    r"(?:how (?:much|many|long|far|fast|old)|what|wie ?(?:viele?|lange|weit|schnell)|was)\b"
)
#: What is given before what is asked, and the other way round.
_GIVEN: Final = (
    re.compile(
        rf"(?i)^\W*(?P<given>(?:if|when|suppose|assuming|wenn|angenommen|an?|the|i|we|my|our|"
        rf"eine?|der|die|das|ich|wir|meine?|unsere?)\b.+?)[,.;:]\s+(?:(?:then|dann|and|und) )?"
        rf"{_ASKING}"
    ),
    re.compile(rf"(?i)^\W*{_ASKING}.+?,? (?:if|when|wenn) (?P<given>.+)$"),
    # a statement that begins with what it is about: "coach costs 2380 and 28 people go, ..."
    re.compile(
        rf"(?i)^\W*(?!(?:{_ASKING}|which|who|whose|show|list|count|give|tell|find|sum|average|of|in|"
        r"for|per|welche\w*|wer|zeige?|liste|zähle?|nenne?|von|in|pro)\b)(?P<given>[^?]+?)"
        rf"[,.;:]\s+(?:(?:then|dann|and|und|so|also) )?(?:for |für |in )?{_ASKING}"
    ),
)
#: What some cost at a price that is said: "9 nights for 28 euros", "3 tickets at 12 each".
_COSTS: Final = r"(?:costs?|pay|kosten|kostet|zahlen?|bezahlen?|machen)"
_PRICED: Final = (
    r"(?<![\w.,/-])\d+ [^\W\d_]+(?: [^\W\d_]+)? "
    r"(?:for|at|à|für|zu|mit)(?: je| jeweils)? [$€£]?\d"
)
_OF_PRICES: Final = re.compile(rf"(?i)^(?=.*\b{_COSTS}\b)\W*{_ASKING}.*{_PRICED}")
#: What a time of somebody's or something's use costs, which is some times what a row says.
_OF_TIMES: Final = re.compile(
    rf"(?i)^(?=.*\b{_COSTS}\b)\W*{_ASKING}.*(?<![\w.,/-])(?!1 )\d+(?:[.,]\d+)? "
    r"(?:hours?|days?|nights?|weeks?|months?|stunden|tage|nächte|wochen|monate) "
    r"(?:of|with|by|from|at|von|mit|bei|auf) [^\W\d]"
)
#: Something is stated that no row is; "the quantity is 3" may choose rows.
_STATES: Final = re.compile(
    r"(?i)\b(?:costs?|needs?|takes?|holds?|shares?|split|pays?|paid|earns?|reads?|drives?|runs?|"
    r"uses?|buy|bought|drink|eat|makes?|gets?|spend|spent|save|kosten|kostete?n?|kostet|"
    r"brauch\w+|teilen|fahre|fährt|lese|liest|verdiene|zahle|kaufe|dauert|spare|trinke|esse|"
    r"(?:i|we|there) (?:am|are|were|have|had)|"
    r"(?:ich|wir|es) (?:bin|sind|waren|habe|haben|hatten))\b"
)
#: Rows are chosen by a bound, by what is said of them, or compared with a change of all.
_CHOOSES: Final = re.compile(
    r"(?i)\b(?:more|less|fewer|greater|higher|lower|above|below|over|under|at least|at most|"
    r"exactly|than|before|after|who|which|whose|that (?:has|have|are|is|were|was)|mehr|weniger|"
    r"über|unter|"
    r"mindestens|höchstens|als|welche\w*|deren|dessen|rows?|columns?|table|zeilen|spalten?|tabelle)\b"
)
_CURRENCY: Final = r"(?:[$€£]|euros?|dollars?|pounds?|eur|usd|gbp|pfund|franken|francs?)(?!\w)"
#: Money in another currency: "3450 euros in dollars".
_EXCHANGED: Final = re.compile(
    rf"(?i)(?:\d ?{_CURRENCY}|[$€£] ?\d[\d.,]*) (?:in|to|into|nach) {_CURRENCY}|"
    rf"{_CURRENCY} (?:per|pro) {_CURRENCY}"
)
#: The same of what is charged for such a time: "the rent of plot A2 for 6 months".
_CHARGED: Final = re.compile(
    rf"(?i)^\W*(?:{_ASKING}|wie hoch).*\b(?:rent|price|cost|fee|charge|miete|pacht|preis|gebühr)\b"
    r".* (?:for|für|über) (?!1 )\d+ (?:hours|days|nights|weeks|months|stunden|tage|nächte|wochen|"
    r"monate)\W*$"
)
#: An age on a birthday that is stated.
_BORN: Final = re.compile(
    r"(?i)\b(?:born|geboren)\b.*\d.*\b(?:how old|wie alt)\b|"
    r"\b(?:how old|wie alt)\b.*\b(?:born|geboren)\b.*\d"
)


def is_of_own_numbers(request: str) -> bool:
    """Return whether a request states the numbers that its answer is computed from."""
    if _EXCHANGED.search(request) or _OF_TIMES.search(request) or _CHARGED.search(request):
        return True
    if _OF_PRICES.search(request) or _BORN.search(request):
        return True
    if len(_NUMBER.findall(request)) < _ENOUGH or _CHOOSES.search(request):
        return False
    given = (match["given"] for match in (p.search(request) for p in _GIVEN) if match)
    return any(_NUMBER.search(said) and _STATES.search(said) for said in given)
