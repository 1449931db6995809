"""Percentages of everyday money: tips, prices with and without VAT, more and less than a number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from okso_jupyter.planning.calculations.spoken_numbers import NUMBER

_AMOUNT: Final = rf"(?P<amount>{NUMBER})"
_RATE: Final = rf"(?:the |a |an )?(?P<rate>{NUMBER}) ?(?:%|percent|per cent|prozent|prozentige\w*)"
_VAT: Final = r"(?:vat|v\.a\.t\.|sales tax|gst|mwst\.?|mehrwertsteuer|ust\.?|umsatzsteuer)"
_TAX: Final = rf"(?:{_VAT}|tax|steuern?)"
_TIP: Final = r"(?:tip|trinkgeld)"
_DISCOUNT: Final = r"(?:discount|reduction|off|rabatt|nachlass)"
_THE_PRICE: Final = r"(?:the |der )?(?:(?:sale|new|final|reduced) )?(?:price|cost|preis)"
_ON: Final = (
    r"(?:on|for|of|to|auf|von|bei|zu)(?: (?:a|an|the|my|our|einer?|eine|der|die|meine|einem))?"
    r"(?: (?:bill|meal|dinner|lunch|cost|price|total|amount|rechnung|preis|betrag))?(?: (?:of|von|"
    r"über))?"
)
_WHAT: Final = (
    r"(?:(?:(?:what|how much|how high|was|wie ?viel|wie hoch)(?:'s| is| are| would be| does| ist|"
    r" sind| wäre)?|calculate|work out|find|berechne|give me) )?"
)
_IS: Final = r"(?:is|are|would be|ist|sind|wäre|steckt|stecken)"
_GROSS: Final = r"(?: (?:gross|brutto))?"
_NET: Final = r"(?: (?:net|netto))"
_INCLUDED: Final = (
    r"(?:including|included|inclusive of|incl\.?|with|at|inklusive|inkl\.?|mit|bei|enthält)"
)
_CONTAINS: Final = r"(?:including|inclusive of|incl\.?|inklusive|inkl\.?)"
_WITHOUT: Final = r"(?:without|excluding|excl\.?|exclusive of|before|ohne|exklusive)"
_NET_PRICE: Final = (
    r"(?:the |der |das |die )?(?:net(?: price| amount| value)?|netto(?:preis|betrag)?|"
    r"price before (?:vat|tax)|price (?:without|excluding) (?:vat|tax))"
)
_GROSS_PRICE: Final = (
    r"(?:the |der |das |die )?(?:gross(?: price| amount)?|brutto(?:preis|betrag)?|"
    r"price (?:with|including) (?:vat|tax))"
)
_OF_WHICH: Final = rf"(?:how much|what|wie ?viel|wie hoch|was) {_IS} (?:the |die )?"
#: Formulas by what stands for them; a tax that is included is one of the price without it.
#: Of a plain "tax" that is not sure: one of an income is one of the whole.
_FORMS: Final[Mapping[str, tuple[re.Pattern[str], ...]]] = {
    formula: tuple(map(re.compile, patterns))
    for formula, patterns in {
        "{amount} * {rate} / 100": (
            rf"{_WHAT}{_RATE} (?:{_TIP}|{_TAX}) {_ON} {_AMOUNT}",
            rf"(?:how much|what|wie ?viel) (?:{_TIP}|{_TAX}) {_IS} {_RATE} {_ON} {_AMOUNT}",
        ),
        "{amount} * (1 + {rate}/100)": (
            rf"{_WHAT}{_RATE} (?:more|higher|greater|mehr|höher) (?:than|als) {_AMOUNT}",
            (
                rf"{_WHAT}{_AMOUNT}{_NET} (?:with|plus|\+|mit|zuzüglich|zzgl\.?|und|and|at|bei) "
                rf"{_RATE} {_TAX}"
            ),
            rf"{_WHAT}{_AMOUNT} (?:with|mit) {_RATE} {_TAX} (?:added|on top|dazu)",
            (
                rf"{_WHAT}{_GROSS_PRICE} (?:of|for|von|für) {_AMOUNT}{_NET}? "
                rf"(?:with|plus|at|mit|bei) {_RATE} {_TAX}"
            ),
        ),
        "{amount} * (1 - {rate}/100)": (
            rf"{_WHAT}{_AMOUNT} (?:minus|less|after|nach|abzüglich) {_RATE} {_DISCOUNT}",
            (
                rf"{_WHAT}{_THE_PRICE} (?:of|for) an? {_AMOUNT}(?: [^\W\d]+){{1,3}} (?:after|with) "
                rf"{_RATE} "
                rf"{_DISCOUNT}"
            ),
            (
                rf"{_WHAT}{_THE_PRICE} (?:after|with|nach|mit) {_RATE} {_DISCOUNT} (?:on|auf) "
                rf"{_AMOUNT}"
            ),
            rf"{_WHAT}{_RATE} (?:less|lower|cheaper|weniger|niedriger) (?:than|als) {_AMOUNT}",
        ),
        "{amount} / (1 + {rate}/100)": (
            rf"{_WHAT}{_AMOUNT}{_GROSS} {_WITHOUT} {_RATE} {_VAT}",
            (
                rf"{_WHAT}{_NET_PRICE} (?:of|for|from|in|von|für|bei) {_AMOUNT}{_GROSS} "
                rf"{_INCLUDED} {_RATE} {_VAT}(?: included| inklusive)?"
            ),
            rf"{_AMOUNT}{_GROSS} {_CONTAINS} {_RATE} {_VAT},? {_OF_WHICH}{_NET_PRICE}",
        ),
        "{amount} * {rate} / (100 + {rate})": (
            (
                rf"(?:how much|what|wie ?viel|welche) {_VAT} {_IS} (?:included |contained )?in "
                rf"{_AMOUNT}"
                rf"{_GROSS} (?:at|with|bei|mit|zu) {_RATE}(?: {_VAT})?(?: enthalten)?"
            ),
            (
                rf"{_WHAT}(?:the |die )?{_VAT} (?:included |contained )?in {_AMOUNT}{_GROSS} "
                rf"(?:at|with|bei|mit) {_RATE}(?: {_VAT})?"
            ),
            rf"{_AMOUNT}{_GROSS} {_CONTAINS} {_RATE} {_VAT},? {_OF_WHICH}{_VAT}",
        ),
    }.items()
}


def percentage_of(text: str) -> str:
    """Return the calculation of a text in small letters that asks such a thing alone; else ""."""
    for formula, patterns in _FORMS.items():
        for pattern in patterns:
            match = pattern.fullmatch(text)
            if match:
                return formula.format_map(match.groupdict())
    return ""
