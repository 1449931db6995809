"""How well the values of some texts fill the parameters of one call each.

A value that no parameter takes tells of another call, a required parameter without a value of a
text that is cut too short. What all texts share is counted once, since no split could part it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from okso_jupyter.planning.slot_filling import quantities
from okso_jupyter.planning.slot_filling.choices import said
from okso_jupyter.planning.slot_filling.cues import codes, takes_codes, takes_dates
from okso_jupyter.planning.slot_filling.mentions import Mention, Reading, read
from okso_jupyter.planning.slot_filling.proper_names import identifiers, names
from okso_jupyter.planning.slot_filling.slots import Slot

#: Cost of a value that no parameter takes, by kind.
_SURPLUS: Final = {
    "number": 1.0,
    "row": 1.0,
    "quote": 1.0,
    "name": 0.6,
    "date": 1.0,
    "code": 1.0,
    "choice": 0.8,
}
#: Cost of a required parameter without a value, and of one that only the whole request fills.
_LACKING: Final = 0.7
_CARRIED: Final = 0.2
#: Cost where no parameter has a value in every text: the texts do not repeat a call.
_UNLIKE: Final = 3.0
#: Kinds of values that any text parameter takes.
_TEXTS: Final = frozenset({"quote", "name"})
_EACH: Final = 0.02
_MOST_NUMBERS: Final = 30


@dataclass(frozen=True, slots=True)
class _Kind:
    """The values of one kind in a text, and how many of them a call takes.

    Attributes:
        name: The kind.
        values: The distinct values.
        room: How many a call takes.
    """

    name: str
    values: frozenset[str]
    room: int


@dataclass(frozen=True, slots=True)
class _Filling:
    """What a text gives the parameters of one call.

    Attributes:
        kinds: Its values by kind.
        lacking: Names of required parameters without a value.
        given: Names of parameters with one.
    """

    kinds: tuple[_Kind, ...]
    lacking: frozenset[str]
    given: frozenset[str]

    @property
    def values(self) -> frozenset[tuple[str, str]]:
        """All values with their kinds."""
        return frozenset((kind.name, value) for kind in self.kinds for value in kind.values)


def cost(
    parts: Sequence[str], slots: Sequence[Slot], whole: str, *, by_sentence: bool = False
) -> float:
    """Return how badly the values of some texts fill the parameters; 0 if each has its own.

    Args:
        parts: Texts for one call each.
        slots: The parameters of the call.
        whole: The text that they were made of.
        by_sentence: Whether the parts are whole sentences. Names and quotes in two sentences do not
            show that the second asks for another call.
    """
    if any(slot.type == "object" or slot.takes("object") for slot in slots):
        return _EACH * len(parts)
    fillings = [_filling(part, slots) for part in parts]
    shared = frozenset[tuple[str, str]]()
    if len(parts) > 1:
        shared = frozenset.intersection(*(one.values for one in fillings))
    everywhere = _filling(whole, slots).given
    total = _EACH * len(parts) + sum(_of_kinds(fillings, shared))
    total += _LACKING * len(frozenset[str]().union(*(f.lacking for f in fillings)) - everywhere)
    for one in fillings:
        own = one.values - shared
        each = _CARRIED if own and one.given else _LACKING
        total += each * len(one.lacking & everywhere)
    return total + _UNLIKE * (not _alike(fillings, shared, by_sentence=by_sentence))


def _alike(
    fillings: Sequence[_Filling], shared: frozenset[tuple[str, str]], *, by_sentence: bool
) -> bool:
    """Return whether some parameter has a value of its own in each of several texts."""
    own = [
        frozenset("text" if kind in _TEXTS else kind for kind, _ in _keys(one.values - shared))
        for one in fillings
    ]
    if by_sentence:
        own = [kinds - {"text"} for kinds in own]
    apart = len({one.values for one in fillings}) == len(fillings)
    return len(fillings) == 1 or (apart and bool(frozenset.intersection(*own)))


def _keys(values: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield values with the parameter that a number is for as their kind."""
    for kind, value in values:
        yield (value.partition("=")[0], value) if kind == "number given" else (kind, value)


def fills_required(text: str, slots: Sequence[Slot]) -> bool:
    """Return whether a text has a value for a required parameter."""
    needed = {slot.name for slot in slots if slot.required}
    return bool(_filling(text, slots).given & needed)


def lacking(text: str, slots: Sequence[Slot]) -> frozenset[str]:
    """Return the names of required parameters without a default that a text has no value for.

    None of a text with very many numbers: it is pasted, and judging it takes long.
    """
    if len(read(text).numbers) > _MOST_NUMBERS:
        return frozenset()
    return _filling(text, slots).lacking


def _of_kinds(fillings: Sequence[_Filling], shared: frozenset[tuple[str, str]]) -> Iterable[float]:
    """Yield the cost of the values of each kind that no parameter takes."""
    for kinds in zip(*(one.kinds for one in fillings), strict=True):
        common = {value for kind, value in shared if kind == kinds[0].name}
        left = [kind.room - len(kind.values - common) for kind in kinds]
        over = sum(max(-room, 0) for room in left) + max(len(common) - max(min(left), 0), 0)
        yield _SURPLUS[kinds[0].name.split()[0]] * over


def _filling(text: str, slots: Sequence[Slot]) -> _Filling:
    reading = read(text)
    rows = [slot for slot in slots if slot.takes("integer", "number")]
    takers = [slot for slot in slots if slot.is_number]
    plain = [s for s in slots if s.type in ("string", "") and "enum" not in s.schema]
    numbers = quantities.assign(
        reading, takers, [n for run in reading.runs for n in run] if rows else []
    )
    chosen = {slot.name: said(reading, slot) for slot in slots}
    kinds = [
        *_numeric(reading, rows, takers, numbers),
        *_textual(reading, slots, plain, chosen),
        *(
            _Kind(f"choice {name}", frozenset(str(m.value) for m in mentions), 1)
            for name, mentions in chosen.items()
        ),
    ]
    given, lacking = _given(reading, slots, plain, numbers)
    return _Filling(tuple(kinds), lacking, given)


def _numeric(
    reading: Reading, rows: Sequence[Slot], takers: Sequence[Slot], numbers: dict[str, Mention]
) -> list[_Kind]:
    """Return numbers that no parameter takes, and rows of numbers."""
    runs = reading.runs if rows else ()
    kept = [*numbers.values(), *(number for run in runs for number in run)]
    extra = [
        number
        for number in reading.numbers
        if not (number.inside or number.counts or number in kept or _in_brackets(reading, number))
    ]
    if not takers and len(runs) < max(len(rows), 1):
        extra = []
    used = frozenset(
        f"{_nearest(reading, takers, number, name)}={number.value}"
        for name, number in numbers.items()
    )
    return [
        _Kind("number", frozenset(number.text for number in extra), 0),
        _Kind("number given", used, len(takers)),
        _Kind("row", frozenset(reading.text[r[0].start : r[-1].end] for r in runs), len(rows)),
    ]


def _nearest(reading: Reading, takers: Sequence[Slot], number: Mention, given: str) -> str:
    """Return the parameter whose words are nearest to a number, else the one it is given to."""
    near = {s.name: quantities.nearness(reading, s, number, reading.numbers) for s in takers}
    best = max(near, key=lambda name: near[name])
    return best if near[best] > near[given] else given


def _in_brackets(reading: Reading, number: Mention) -> bool:
    """Return whether a number is one of a list in square brackets."""
    before, behind = reading.text[: number.start], reading.text[number.end :]
    return before.rfind("[") > before.rfind("]") and re.match(r"[^\[]*\]", behind) is not None


def _textual(
    reading: Reading,
    slots: Sequence[Slot],
    plain: Sequence[Slot],
    chosen: dict[str, list[Mention]],
) -> list[_Kind]:
    """Return quotes, names, dates and codes."""
    dated = [slot for slot in slots if takes_dates(slot)]
    coded = [slot for slot in plain if takes_codes(slot)]
    many = any(s.takes("string", "") and "enum" not in s.schema.get("items", {}) for s in slots)
    # one value of a parameter's examples is like any other name
    several = [s for s in slots if len({m.value for m in chosen[s.name]}) > 1 or s not in plain]
    listed = [mention for slot in several for mention in chosen[slot.name]]
    gone = [*listed, *(reading.dates if dated else ()), *_whole_numbers(reading)]
    ids = codes(reading) if coded else []
    quotes = [] if many else [q for q in _outside(reading.quotes, gone) if q.value not in ids]
    named = [] if many or not plain else _outside(_apart(reading), [*gone, *reading.quotes])
    named = [name for name in named if name.value not in ids]
    room = len(plain) - len(dated) - sum(slot in plain for slot in several)
    room -= min(len(coded), len(ids))
    return [
        _Kind("quote", frozenset(str(q.value) for q in quotes), max(room, 0)),
        _Kind("name", frozenset(str(n.value) for n in named), max(room - len(quotes), 0)),
        _Kind("date", frozenset(str(d.value) for d in reading.dates if dated), len(dated)),
        _Kind("code", frozenset(ids), len(coded)),
    ]


def _whole_numbers(reading: Reading) -> list[Mention]:
    """Return the quotes that hold a number and nothing else."""
    return [q for q in reading.quotes if re.fullmatch(r"[-+]?[\d.,]+%?", str(q.value))]


def _outside(mentions: Iterable[Mention], others: Sequence[Mention]) -> list[Mention]:
    return [m for m in mentions if not any(o.start < m.end and m.start < o.end for o in others)]


def _given(
    reading: Reading, slots: Sequence[Slot], plain: Sequence[Slot], numbers: dict[str, Mention]
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of required parameters with a value and of those without one."""
    texts, dates = len(reading.quotes) + len(_apart(reading)), len(reading.dates)
    given: set[str] = set(numbers)
    lacking: set[str] = set()
    for slot in slots:
        if not slot.required or "default" in slot.schema:
            continue
        if slot.is_number:
            lacking |= {slot.name} - numbers.keys()
        elif slot.takes("integer", "number"):
            (given if reading.runs or reading.numbers else lacking).add(slot.name)
        elif takes_dates(slot):
            (given if dates else lacking).add(slot.name)
            dates -= bool(dates)
        elif slot in plain:
            (given if texts else lacking).add(slot.name)
            texts -= bool(texts)
    return frozenset(given), frozenset(lacking)


def _apart(reading: Reading) -> list[Mention]:
    """Return the names outside quotes; a town and its country, joined by a comma, are one."""
    found: list[Mention] = []
    both = sorted([*names(reading), *identifiers(reading)], key=lambda name: name.start)
    for name in _outside(both, reading.quotes):
        if not name.start and " " not in name.text:
            continue  # a verb that begins the request
        if found and reading.text[found[-1].end : name.start] == ", ":
            found[-1] = name
            continue
        found.append(name)
    return found
