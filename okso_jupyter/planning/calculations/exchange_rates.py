"""Amounts of money in another currency, at an exchange rate that the request states."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from okso_jupyter.planning.calculations.currencies import CURRENCY, code_of
from okso_jupyter.planning.calculations.spoken_numbers import NUMBER

_SIGN: Final = r"[$€£¥]"


def _money(name: str) -> str:
    """Return the pattern of an amount with its currency, before or behind it."""
    return (
        rf"(?:(?P<{name}_sign>{_SIGN}) ?(?P<{name}_of_sign>{NUMBER})|"
        rf"(?P<{name}_number>{NUMBER}) ?(?P<{name}_word>{CURRENCY}))"
    )


_ASKED: Final = (
    r"(?:(?:what|how much|wie ?viel|was)(?:'s)? (?:is|are|does|do|ist|sind|makes?|ergeben|ergibt) |"
    r"(?:please )?(?:convert|change|exchange|express|calculate|wechsle|tausche|wandle|rechne) )?"
)
_INTO: Final = rf"(?:in|to|into|as|nach) (?P<into>{CURRENCY})(?: um)?"
_HOW_MANY: Final = (
    rf"(?:how many|how much|wie ?viele?) (?P<into>{CURRENCY}) (?:is|are|do i get for|does|make|for|"
    r"sind|ist|bekomme ich für|kriege ich für|ergeben)"
)
_AT: Final = (
    r"(?:,? (?:at|with|using|if|bei|zu|zum|mit)(?: (?:a|an|the|einem|einer|dem))?|,(?: the| der)?)"
    r"(?: (?:exchange rate|rate|conversion rate|(?:wechsel)?kurs|umrechnungskurs))?(?: (?:of|is|"
    r"von))?"
)
#: "1.08 dollars per euro"
_PER: Final = (
    rf"(?P<rate>{NUMBER})"
    rf"(?: ?(?P<priced>{CURRENCY}) ?(?:per|for|to|a|an|each|/|pro|je|für)(?: (?:the|1))? ?"
    rf"(?P<unit>{CURRENCY}))?"
)
#: "1 euro is 1.08 dollars"
_EQUALS: Final = (
    rf"1 (?P<unit>{CURRENCY}) (?:is|=|equals|costs|buys|is worth|ist|kostet|entspricht|sind) "
    rf"{_money('rate')}"
)
#: "1 Euro 1,08 Dollar kostet"
_EQUALS_LAST: Final = (
    rf"1 (?P<unit>{CURRENCY}) {_money('rate')} (?:kostet|entspricht|ist|sind|wert ist)"
)

#: Rates that people say without currencies, for one unit of the first; others may be of either.
_PLAIN_RATES: Final[Mapping[tuple[str, str], tuple[float, float]]] = {
    ("gbp", "eur"): (1, 2),
    ("gbp", "usd"): (1, 2),
    ("eur", "usd"): (1, 2),
    ("eur", "chf"): (0.5, 2),
}
_WORTH: Final = rf"{_ASKED}{_money('amount')} (?:worth )?{_INTO}"
_MANY: Final = rf"{_HOW_MANY} {_money('amount')}"
_QUESTIONS: Final = tuple(
    re.compile(pattern)
    for asked in (_WORTH, _MANY)
    for pattern in (
        rf"{asked}{_AT} {_PER}",
        rf"{asked},? (?:at|if|when) {_EQUALS}",
        rf"{asked},? wenn {_EQUALS_LAST}",
        rf"(?:if |when )?{_EQUALS},? (?:then )?{asked}",
        rf"wenn {_EQUALS_LAST},? (?:dann )?{asked}",
    )
)


def exchange_of(text: str) -> str:
    """Return the calculation of a text in small letters that changes money alone; else ""."""
    for pattern in _QUESTIONS:
        match = pattern.fullmatch(text)
        if match:
            return _changed(match.groupdict(default=""))
    return ""


def _changed(parts: Mapping[str, str]) -> str:
    """Return an amount times its rate, or divided by it; "" if the rate is of other currencies.

    A rate without currencies tells what one unit of the amount's currency is worth, and does so
    for sure only where people quote it that way.
    """
    amount, origin = _amount(parts, "amount")
    rate, priced = (parts["rate"], parts["priced"]) if "rate" in parts else _amount(parts, "rate")
    wanted = code_of(parts["into"])
    stated = (code_of(priced), code_of(parts["unit"]))
    if code_of(origin) == wanted or not float(rate):
        return ""
    if stated == ("", ""):
        lowest, highest = _PLAIN_RATES.get((code_of(origin), wanted), (0, 0))
        return f"{amount} * {rate}" if lowest < float(rate) < highest else ""
    if stated == (wanted, code_of(origin)):
        return f"{amount} * {rate}"
    return f"{amount} / {rate}" if stated == (code_of(origin), wanted) else ""


def _amount(parts: Mapping[str, str], name: str) -> tuple[str, str]:
    """Return the number of an amount and its word or sign."""
    number = parts[f"{name}_number"] or parts[f"{name}_of_sign"]
    return number, parts[f"{name}_word"] or parts[f"{name}_sign"]
