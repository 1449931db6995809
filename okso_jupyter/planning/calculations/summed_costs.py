"""Summed costs: what some of each of several priced things cost, per night or each.

A text is the question, priced things joined by "plus" or "and", and how long it is for. Each must
say whether its price is of one or of all: "2 cakes for 4" beside another price leaves it open.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from okso_jupyter.planning.calculations.spoken_numbers import NUMBER

#: Units of time that prices are for, by the words for one or several of them.
_PERIODS: Final = {
    word: unit
    for unit, words in {
        "hour": "hour hours stunde stunden",
        "day": "day days tag tage tagen",
        "night": "night nights nacht nächte nächten",
        "week": "week weeks woche wochen",
        "month": "month months monat monate monaten",
        "year": "year years jahr jahre jahren",
    }.items()
    for word in words.split()
}
_PERIOD: Final = "|".join(sorted(_PERIODS, key=len, reverse=True))
_ASKS: Final = (
    r"(?:(?:how much|what)(?: (?:do|does|would|will|are|is|must)(?: (?:i|we|you) pay for)?)?|"
    r"(?:was|wie ?viel) (?:kosten|kostet|machen|macht|würden|sind|zahlen wir für|zahle ich für)|"
    r"what(?: is|'s) the (?:total|price|cost)(?: of| for)?)"
)
_ENDS: Final = (
    r"(?:,? (?:cost|be|kosten|in total|together|altogether|in all|zusammen|insgesamt|"
    r"all together))*"
)
_NO_NAME: Final = (
    r"(?:and|und|plus|or|oder|per|pro|je|jeweils|each|for|für|at|zu|à|mit|with|off|percent|"
    r"prozent|minus|less|without|ohne|more|mehr|than|als|every|jede\w*)"
)
_WORD: Final = rf"(?!{_NO_NAME}\b)[^\W\d_]+(?:[-'][^\W\d_]+)*"
_NAME: Final = rf"{_WORD}(?: {_WORD}){{0,2}}"
_EACH: Final = r"each|apiece|a piece|je|jeweils|pro (?:stück|person|kopf)|per (?:person|head|piece)"
_PER: Final = (
    rf"(?: (?:per|pro|je|a|an|each|every|die|am|jede[nrs]?|in der|im) (?P<per>{_PERIOD}))?"
)
_PRICED: Final = re.compile(
    rf"(?P<count>[1-9]\d*) (?P<name>{_NAME}?) "
    rf"(?P<by>at|für je|zu je|je|jeweils|à|a|zu|for|für|mit je) (?P<price>{NUMBER})"
    rf"(?: (?P<each>{_EACH}))?{_PER}(?: (?P<each_too>{_EACH}))?"
)
#: What is paid once, so that a number before it is its price: "3 lamps" have another one.
_PAID_ONCE: Final = (
    r"(?:[^\W\d_]+ )?[^\W\d_]*(?:fee|deposit|charge|cleaning|delivery|postage|shipping|tax|entry|"
    r"insurance|gebühr|kaution|reinigung|versand|lieferung|anfahrt|pauschale|eintritt|porto|"
    r"versicherung|steuer|trinkgeld|tip)"
)
_ONCE: Final = re.compile(
    rf"(?:(?:an?|the|eine?|die|der|einmalig|once|einmal) )*(?:(?P<price>{NUMBER}) "
    rf"(?:(?:for (?:the )?|für (?:die |den |das )?|of )(?P<name>{_NAME})|(?P<fee>{_PAID_ONCE}))|"
    rf"(?P<name_first>{_NAME}) (?:of|for|von|für) (?P<price_last>{NUMBER}))"
)
_FOR: Final = re.compile(
    rf" (?:for|für|over|über) (?P<count>[1-9]\d*) (?P<period>{_PERIOD})(?!\w)"
    r"(?! (?:at|zu|à|for|für))"
)
_AND: Final = re.compile(r",? (?:plus|and|und|sowie|as well as|zuzüglich) | ?\+ ?|, ")
#: Words that say a price is one of each.
_BY_ONE: Final = frozenset({"at", "für je", "zu je", "je", "jeweils", "à", "zu", "mit je"})
_MOST: Final = 6


@dataclass(frozen=True, slots=True)
class _Cost:
    """A priced thing of a sum.

    Attributes:
        count: How many there are; "" for what is paid once.
        period: The unit of time that is counted itself: of "9 nights", "night".
        price: The price.
        is_each: Whether it is said to be the price of one.
        per: The unit of time that the price is for; "" if none is said.
    """

    count: str
    period: str
    price: str
    is_each: bool
    per: str


def summed_cost(text: str) -> str:
    """Return the calculation of what several priced things cost together; "" for another text."""
    asked = re.fullmatch(rf"{_ASKS} (?P<things>.+?){_ENDS}", text)
    if asked is None:
        return ""
    lengths = [*_FOR.finditer(asked["things"])]
    things = _FOR.sub("", asked["things"])
    costs = [*map(_cost_of, _AND.split(things))]
    if not 0 < len(costs) <= _MOST or len(lengths) > 1:
        return ""
    known = [cost for cost in costs if cost]
    if len(known) < len(costs) or (len(known) == 1 and not lengths):
        return ""  # one price alone is another calculation
    if not any(cost.count for cost in known):
        return ""
    stays = {_PERIODS[m["period"]]: m["count"] for m in lengths}
    return _sum_of(known, stays)


def _cost_of(said: str) -> _Cost | None:
    """Return what a part of a sum says; None where it is no price."""
    if found := _PRICED.fullmatch(said):
        is_each = found["by"] in _BY_ONE or bool(found["each"] or found["each_too"])
        period = _PERIODS.get(found["name"], "")
        return _Cost(
            found["count"], period, found["price"], is_each, _PERIODS.get(found["per"], "")
        )
    found = _ONCE.fullmatch(said)
    if found is None or (found["name"] or found["fee"] or found["name_first"]) in _PERIODS:
        return None
    return _Cost("", "", found["price"] or found["price_last"], is_each=False, per="")


def _sum_of(costs: Sequence[_Cost], stays: dict[str, str]) -> str:
    """Return the sum of costs; "" where a price may be of one or of all.

    What is counted in nights says how many nights the other prices are for. A price per night at
    the end of a sum says the same of its nights.
    """
    counted = [cost for cost in costs if cost.period]
    stays = {**stays, **{cost.period: cost.count for cost in counted}}
    if len(stays) > 1 or len(counted) > 1:
        return ""
    last = costs[-1].per
    parts = [_part_of(cost, stays, last) for cost in costs]
    is_used = all(any(unit in {cost.per, cost.period} for cost in costs) for unit in stays)
    return " + ".join(parts) if all(parts) and is_used else ""


def _part_of(cost: _Cost, stays: dict[str, str], last: str) -> str:
    """Return a part of the sum; "" where it is not sure."""
    if not cost.count:
        return cost.price
    if cost.period:
        is_one = cost.is_each or cost.period in {cost.per, last}
        return f"{cost.count} * {cost.price}" if is_one and cost.per in {"", cost.period} else ""
    if not (cost.is_each or cost.per) or cost.per not in {"", *stays}:
        return ""
    times = f" * {stays[cost.per]}" if cost.per else ""
    is_of_one = cost.is_each or cost.count == "1"
    return f"{cost.count} * {cost.price}{times}" if is_of_one else ""
