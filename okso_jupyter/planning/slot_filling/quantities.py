"""Assigns the numbers of a request to parameters.

A number goes to the parameter whose words are nearest to it. Words beyond a comma, another
number or the end of a sentence count less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from okso_jupyter.planning.request.wording import stem
from okso_jupyter.planning.slot_filling.mentions import Mention, Reading
from okso_jupyter.planning.slot_filling.slots import Slot, words_of

_WORDS_BEFORE: Final = 9
_WORDS_BEHIND: Final = 7
_FADE: Final = 0.25
#: Penalty for a count, such as "two" in "the two numbers 12 and 15"; outweighs near words.
_COUNTS_ONLY: Final = 5.0
#: Penalty for each position by which the orders of parameters and numbers differ.
_OUT_OF_ORDER: Final = 0.15
_YEARS: Final = range(1500, 2101)
#: Least strength at which an optional parameter takes a number.
_LEAST_FOR_OPTIONAL: Final = 1.0
#: Words of parameters that take a percentage.
_SHARE: Final = frozenset(
    "rate percent percentage probability interest ratio return share discount fraction".split()
)
#: Words of names of parameters in pairs, such as "min" and "max": first, then second.
_FIRSTS: Final = frozenset("start begin min minimum lower initial first from low lowest".split())
_SECONDS: Final = frozenset("end stop max maximum upper final second to high highest last".split())


def assign(
    reading: Reading, slots: Sequence[Slot], taken: Sequence[Mention] = ()
) -> dict[str, Mention]:
    """Return the numbers assigned to parameters, by parameter name.

    Args:
        reading: The request.
        slots: The parameters that take one number.
        taken: Numbers that are not available.
    """
    free = [number for number in reading.numbers if number not in taken and not number.inside]
    years = [n for n in reading.numbers if n.inside and n not in taken and n.value in _YEARS]
    free = sorted([*free, *years], key=lambda number: number.start)
    claims = sorted(_claims(reading, slots, free), key=lambda claim: -claim[0])
    found: dict[str, Mention] = {}
    for strength, slot, number in claims:
        if slot.name in found or number in found.values():
            continue
        if slot.required or strength >= _LEAST_FOR_OPTIONAL:
            found[slot.name] = number
    return _in_order(reading, slots, found)


def _in_order(
    reading: Reading, slots: Sequence[Slot], found: dict[str, Mention]
) -> dict[str, Mention]:
    """Return the numbers with those of sibling parameters (side1, side2) in text order.

    If the request itself says which is which, the assignment by nearness is kept.
    """
    ordered = dict(found)
    for slot in slots:
        group = [other for other in _siblings(slot, slots) if other.name in found]
        apart = {
            stem(w) for other in group for w in words_of(other.name) if w in _FIRSTS | _SECONDS
        }
        if len(group) > 1 and len(apart & reading.stems) <= 1:
            numbers = sorted((found[other.name] for other in group), key=lambda n: n.start)
            ordered.update(zip((other.name for other in group), numbers, strict=True))
    return ordered


def _claims(
    reading: Reading, slots: Sequence[Slot], numbers: Sequence[Mention]
) -> Iterator[tuple[float, Slot, Mention]]:
    """Yield the strength of every possible assignment of a number to a parameter."""
    said = _order_said(reading, slots)
    wanted = sum(slot.required for slot in slots)
    counted = sum(not number.inside for number in numbers)
    for place, slot in enumerate(slots):
        for order, number in enumerate(numbers):
            if slot.type == "integer" and not float(number.value).is_integer():
                continue
            if number.inside and not slot.named("year"):
                continue
            strength = nearness(reading, slot, number, numbers) + _fitness(slot, number)
            # parameters without a better criterion are filled in order: x1, y1, x2, y2
            strength -= _OUT_OF_ORDER * abs(place - order)
            if number.counts and number.value != 1 and counted > max(wanted, 1):
                strength -= _COUNTS_ONLY
            strength += _order_bonus(reading, slot, number, said)
            yield strength, slot, number


def _order_said(reading: Reading, slots: Sequence[Slot]) -> dict[str, int]:
    """Return where a request first has a word unique to each parameter's name."""
    found: dict[str, int] = {}
    for slot in slots:
        others = {stem(w) for other in slots if other is not slot for w in other.name_words}
        own = {stem(word) for word in slot.name_words} - others
        place = next((token.start for token in reading.tokens if token.value in own), None)
        if place is not None:
            found[slot.name] = place
    return found


def _order_bonus(reading: Reading, slot: Slot, number: Mention, said: dict[str, int]) -> float:
    """Return points for parallel lists of names and numbers: "base and height as 6 and 10"."""
    run = next((run for run in reading.runs if number in run), ())
    names = sorted((place, name) for name, place in said.items() if run and place < run[0].start)[
        -len(run) :
    ]
    order = [name for _, name in names]
    if len(order) != len(run) or slot.name not in order:
        return 0.0
    return 2.5 if order.index(slot.name) == run.index(number) else -1.0


def _rank(slot: Slot, slots: Sequence[Slot]) -> int:
    """Return the sort key of a parameter: first of a pair, second of a pair, else schema order."""
    if slot.named(*_FIRSTS):
        return 0
    return 1 if slot.named(*_SECONDS) else slots.index(slot)


def _siblings(slot: Slot, slots: Sequence[Slot]) -> list[Slot]:
    """Return the parameters whose names differ only by digits or a word such as "first"."""
    group = [other for other in slots if _root(other) == _root(slot)]
    return sorted(group, key=lambda other: _rank(other, group))


def _root(slot: Slot) -> frozenset[str]:
    words = {re.sub(r"\d+", "", word) for word in words_of(slot.name)}
    return frozenset(words - _FIRSTS - _SECONDS)


def _fitness(slot: Slot, number: Mention) -> float:
    """Return points for how well a number's notation fits a parameter."""
    points = 0.3 if slot.required else 0.0
    if slot.named("year") and not slot.named("years"):
        points += 2.0 if number.value in _YEARS else -2.0
    elif number.value in _YEARS and not number.money and not slot.says("year"):
        points -= 1.0
    if number.percent:
        points += 2.0 if slot.says(*_SHARE) else -3.0
    return points


def nearness(reading: Reading, slot: Slot, number: Mention, others: Sequence[Mention]) -> float:
    """Return how near a parameter's words are to a number, summed by weight over words."""
    best: dict[str, float] = {}
    before = [token for token in reading.tokens if token.end <= number.start][-_WORDS_BEFORE:]
    behind = [token for token in reading.tokens if token.start >= number.end][:_WORDS_BEHIND]
    for side in (list(reversed(before)), behind):
        for distance, token in enumerate(side):
            weight = slot.weights.get(str(token.value), 0.0)
            if not weight:
                continue
            near = weight * _permeability(reading, token, number, others) / (1 + _FADE * distance)
            best[str(token.value)] = max(best.get(str(token.value), 0.0), near)
    return sum(best.values())


def _permeability(
    reading: Reading, word: Mention, number: Mention, others: Sequence[Mention]
) -> float:
    """Return a factor from 0 to 1, reduced by each separator between a word and a number."""
    start, end = sorted((word, number), key=lambda mention: mention.start)
    gap = reading.text[start.end : end.start]
    between = sum(1 for other in others if start.end <= other.start < end.start)
    return float(
        0.5 ** gap.count(",")
        * 0.3 ** len(re.findall(r"[.;?!]\s", gap))
        * 0.6 ** len(re.findall(r"\band\b", gap))
        * 0.45**between
    )


def as_value(slot: Slot, number: Mention) -> float | int:
    """Return a number in a parameter's unit: 8% is 0.08 unless it takes a percentage."""
    value = number.value
    assert not isinstance(value, str)  # noqa: S101  numbers have numbers
    said = f"{slot.name} {slot.description}".lower()
    as_percentage = "percent" in said and "decimal" not in said
    if number.percent and slot.type == "number" and not as_percentage:
        return round(value / 100, 10)
    return value
