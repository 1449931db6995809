"""Splits a request into requests for one call each.

A request for the weather of two cities, or for circles of three radii, needs as many calls. The
text is cut where a parameter would get a second value, and repeated for each item of a list whose
parameter takes one item: each part reads as if it were the whole request.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from okso_jupyter.planning.slot_filling import quantities
from okso_jupyter.planning.slot_filling.lists import joined
from okso_jupyter.planning.slot_filling.mentions import Mention, Reading, read, unquoted
from okso_jupyter.planning.slot_filling.proper_names import NO_PLACE, names
from okso_jupyter.planning.slot_filling.slots import (
    FIRST_OF_PAIR,
    SECOND_OF_PAIR,
    Slot,
    parameters_of,
    slots_of,
)
from okso_jupyter.planning.slot_filling.tool_match import NEED, fits
from okso_jupyter.toolkit.tool import Tool

#: Least fit at which a stretch of a request is assigned to another tool.
_CLEAR_FIT: Final = 0.4
#: The model chooses among the tools that have at least this share of the best fit.
_NEAR_SHARE: Final = 0.8
#: A stretch stays with the previous stretch's tool at this share of its best fit.
_SAME_SHARE: Final = 0.95
_MOST: Final = 12
#: Least nearness to a parameter's words at which a number is its value.
_SURE: Final = 1.2
#: Patterns at which a text may be cut, strongest first.
_SEAMS: Final = (
    re.compile(r"(?<=[.!?;])[\"']?\s+"),
    re.compile(r",?\s+(?:and\s+)?(?:then|also|finally|lastly|plus|followed by|as well as)\s+"),
    re.compile(r",\s+and\s+"),
    re.compile(r"\s+and\s+"),
    re.compile(r",\s+"),
)
_SENTENCE: Final = _SEAMS[0]
_STRONG: Final = _SEAMS[:4]
_PLACE_IN_LINE: Final = (
    r"first|firstly|second|secondly|third|thirdly|fourth|fourthly|fifth|lastly|finally|after that|"
    r"also|additionally|then|next"
)
#: Words that enumerate tasks.
_LISTED: Final = re.compile(
    rf"(?i)(?:(?<=[.!?;,]\s)|(?<=[.!?;]\s\"))(?:and )?(?:{_PLACE_IN_LINE})\b,?"
)
#: Beginnings of a sentence or clause that asks for something more.
_MORE: Final = re.compile(
    r"(?i)(?:(?<=[.!?;]\s)|(?<=[.!?;]\s\")|(?<=,\s)|\band\s)"
    rf"(?:{_PLACE_IN_LINE}|what if|how (?:would|does|about)|could you also|can you also)\b"
)
_BETWEEN: Final = re.compile(r"(?i)\b(?:between|from)\s*(?:the\s+)?$")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a request that asks for one call.

    Attributes:
        text: The part as a request.
        tools: The tools that it may be for, best first; empty if none fits.
    """

    text: str
    tools: tuple[str, ...]


def split(request: str, tools: Mapping[str, Tool]) -> list[Part]:
    """Return the parts of a request that ask for one call each.

    Args:
        request: A request.
        tools: Tools without examples, by name.
    """
    parts = []
    for text, fitting in _by_tool(unquoted(request), tools):
        pieces = split_for(text, parameters_of(tools[fitting[0]])) if fitting else [text]
        parts += [Part(piece, fitting) for piece in pieces]
    return parts[:_MOST]


def _by_tool(request: str, tools: Mapping[str, Tool]) -> list[tuple[str, tuple[str, ...]]]:
    """Return the stretches of a request for one tool each, with the tools that fit them."""
    overall = fits(request, tools.values())
    if max(overall.values(), default=0.0) < NEED:
        return [(request, ())]
    if len(tools) == 1:
        return [(request, tuple(tools))]
    stretches: list[tuple[str, str]] = []
    for atom in _atoms(request):
        found = fits(atom, tools.values(), whole=False)
        best = max(found, key=lambda name: found[name])
        name = best if found[best] >= _CLEAR_FIT else ""
        last = stretches[-1] if stretches else ("", "")
        if last[1] and found[last[1]] >= _SAME_SHARE * found[best]:
            name = last[1]
        if stretches and (not name or name == last[1] or not last[1]):
            stretches[-1] = (last[0] + atom, last[1] or name)
        else:
            stretches.append((atom, name))
    if len(stretches) == 1:
        return [(request, _near(overall))]
    return [(text, (name,) if name else _near(overall)) for text, name in stretches]


def _near(found: Mapping[str, float]) -> tuple[str, ...]:
    """Return the tools that fit about as well as the best one."""
    best = max(found.values())
    order = sorted(found, key=lambda name: -found[name])
    return tuple(name for name in order if found[name] >= _NEAR_SHARE * best)


def _atoms(request: str) -> list[str]:
    """Return the pieces of a text cut after every strong seam, the seams included."""
    listed = [match.start() for match in _LISTED.finditer(request)]
    cuts = sorted({m.end() for seam in _STRONG for m in seam.finditer(request)})
    if len(listed) > 1:  # the tasks are enumerated: each is one piece
        cuts = listed
    places = [0, *cuts, len(request)]
    return [request[start:end] for start, end in itertools.pairwise(places) if start < end]


def split_for(request: str, parameters: Mapping[str, Any]) -> list[str]:
    """Return the requests for the single calls of one tool that a request asks for.

    Args:
        request: A request, or the part of one that is for this tool.
        parameters: The tool's parameters, an object schema.
    """
    slots = slots_of(parameters)
    parts = (part for written in _written_out(request, slots) for part in _cut(written, slots))
    return list(itertools.islice(parts, _MOST))


# --- cutting where a parameter repeats ------------------------------------------------------


def _cut(text: str, slots: Sequence[Slot]) -> list[str]:
    """Return a text cut between the values of a parameter that has several."""
    reading = read(text)
    for find, seams in (
        (_rows, _SEAMS),
        (_numbers, _SEAMS),
        (_quotes, _SEAMS),
        (_anchored, _STRONG),
        (_tasks, _STRONG[:2]),
    ):
        pieces = _between(text, find(reading, slots), seams)
        if len(pieces) > 1:
            return pieces
    return [text]


def _between(
    text: str, groups: Sequence[Sequence[Mention]], seams: Sequence[re.Pattern[str]]
) -> list[str]:
    """Return a text cut between groups of mentions; uncut if a seam is missing."""
    cuts = [
        _seam(text, one[-1].end, two[0].start, seams) for one, two in itertools.pairwise(groups)
    ]
    if not cuts or None in cuts:
        return [text]
    places = [0, *(cut for cut in cuts if cut is not None), len(text)]
    return [text[start:end].strip() for start, end in itertools.pairwise(places)]


def _seam(text: str, start: int, end: int, seams: Sequence[re.Pattern[str]]) -> int | None:
    """Return the best position to cut a text between `start` and `end`; None without a seam."""
    for seam in seams:
        found = list(seam.finditer(text, start, end))
        if found:
            return found[0 if seam is _SENTENCE else -1].end()
    return None


def _numbers(reading: Reading, slots: Sequence[Slot]) -> list[list[Mention]]:
    """Return the numbers grouped by call, if there are more than one call can take."""
    numeric = [slot for slot in slots if slot.is_number]
    if not numeric or any(slot.takes("integer", "number") for slot in slots):
        return []
    free = [number for number in reading.numbers if not number.inside and not number.counts]
    needed = sum(slot.required for slot in numeric) or 1
    if len(free) <= len(numeric):
        return []
    most = _most_often(reading, free, numeric)
    if needed == 1 and len(most) > 1 and len(numeric) > 1:
        return [[number] for number in most]
    for each in (needed, *range(len(numeric), needed, -1)):
        if len(free) % each == 0:
            return _chunks(free, each)
    return [[number] for number in most]


def _most_often(
    reading: Reading, numbers: Sequence[Mention], slots: Sequence[Slot]
) -> list[Mention]:
    """Return the numbers of the parameter whose words are near most of them."""
    near: dict[str, list[Mention]] = {}
    for number in numbers:
        strength, name = max(
            (quantities.nearness(reading, slot, number, numbers), slot.name) for slot in slots
        )
        if strength >= _SURE:
            near.setdefault(name, []).append(number)
    return max(near.values(), key=len, default=[])


def _chunks(mentions: Sequence[Mention], size: int) -> list[list[Mention]]:
    return [list(mentions[place : place + size]) for place in range(0, len(mentions), size)]


def _rows(reading: Reading, slots: Sequence[Slot]) -> list[list[Mention]]:
    """Return the rows of numbers grouped by call, if there are more than one call can take."""
    takers = [slot for slot in slots if slot.takes("integer", "number")]
    needed = sum(slot.required for slot in takers) or 1
    if not takers or len(reading.runs) <= len(takers) or len(reading.runs) % needed:
        return []
    rows = [*reading.runs]
    return [
        [number for row in rows[place : place + needed] for number in row]
        for place in range(0, len(rows), needed)
    ]


def _quotes(reading: Reading, slots: Sequence[Slot]) -> list[list[Mention]]:
    """Return the quotes grouped by call, if there are more than one call can take."""
    plain = [slot for slot in slots if slot.type == "string" and "enum" not in slot.schema]
    needed = sum(slot.required for slot in plain) or 1
    if len(reading.quotes) <= len(plain) or any(slot.takes("string", "") for slot in slots):
        return []
    for each in (needed, *range(len(plain), needed, -1)):
        if len(reading.quotes) % each == 0:
            return _chunks(reading.quotes, each)
    return []


def _anchored(reading: Reading, slots: Sequence[Slot]) -> list[list[Mention]]:
    """Return the names after the preposition that introduces most of them: "in X ... in Y"."""
    if not any(slot.type == "string" and "enum" not in slot.schema for slot in slots):
        return []
    if any(slot.takes("string", "") for slot in slots):
        return []
    found: dict[str, list[list[Mention]]] = {}
    for name in names(reading):
        if name.text.split()[0].lower() in NO_PLACE:
            continue
        anchor = re.search(
            r"\b(in|at|near|for|of|between|from|by)\s+(?:the\s+)?$", reading.text[: name.start]
        )
        if anchor and not re.match(r"\d", name.text):
            found.setdefault(anchor[1], []).append([name])
    return max(found.values(), key=len, default=[])


def _tasks(reading: Reading, _slots: Sequence[Slot]) -> list[list[Mention]]:
    """Return the mentions grouped by task; empty if a task mentions nothing."""
    starts = [0, *(match.start() for match in _MORE.finditer(reading.text)), len(reading.text)]
    named = sorted(
        [*names(reading), *reading.quotes, *(n for n in reading.numbers if not n.counts)],
        key=lambda mention: mention.start,
    )
    groups = [
        [mention for mention in named if start <= mention.start < end]
        for start, end in itertools.pairwise(starts)
    ]
    return groups if all(groups) else []


# --- repeating a text for each item of a list -----------------------------------------------


def _written_out(text: str, slots: Sequence[Slot]) -> Iterator[str]:
    """Yield a text once per item of its longest lists; lists of equal length advance together."""
    lists = [run for run in _lists(read(text)) if _one_each(text, run, slots)]
    if not lists:
        yield text
        return
    longest = max(len(run) for run in lists)
    together = [run for run in lists if len(run) == longest]
    for place in range(longest):
        yield _replaced(text, [(run, run[place]) for run in together])


def _replaced(text: str, choices: Sequence[tuple[Sequence[Mention], Mention]]) -> str:
    """Return a text with each list replaced by one of its items."""
    for run, item in sorted(choices, key=lambda choice: -choice[0][0].start):
        text = text[: run[0].start] + item.text + text[run[-1].end :]
    return re.sub(r",?\s+respectively\b", "", text)


def _lists(reading: Reading) -> list[tuple[Mention, ...]]:
    """Return the lists of numbers, of names and of quotes in a text."""
    runs: list[tuple[Mention, ...]] = list(reading.runs)
    runs += joined(reading, names(reading))
    runs += joined(reading, reading.quotes)
    return runs


def _one_each(text: str, run: Sequence[Mention], slots: Sequence[Slot]) -> bool:
    """Return whether a list is for a parameter that takes one of its items."""
    if _BETWEEN.search(text[: run[0].start]):
        return False
    numeric = isinstance(run[0].value, (int, float))
    if numeric:
        if any(slot.takes("integer", "number") for slot in slots):
            return False
        free = [number for number in read(text).numbers if not number.inside and not number.counts]
        takers = sum(slot.is_number for slot in slots)
        return len(free) > takers and len(free) - len(run) + 1 <= takers
    if any(slot.takes("string", "") for slot in slots):
        return False
    wanting = [
        slot
        for slot in slots
        if slot.type == "string" and "enum" not in slot.schema and slot.required
    ]
    roots = [re.sub(r"\d+", "", slot.name) for slot in wanting]
    ends = [slot for slot in wanting if slot.named(*FIRST_OF_PAIR, *SECOND_OF_PAIR)]
    paired = len(roots) != len(set(roots)) or len(ends) > 1
    return bool(wanting) and not paired
