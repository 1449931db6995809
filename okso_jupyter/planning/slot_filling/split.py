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

from okso_jupyter.planning.request.wording import NO_TITLE
from okso_jupyter.planning.slot_filling import quantities
from okso_jupyter.planning.slot_filling.choices import said
from okso_jupyter.planning.slot_filling.coordination import halves
from okso_jupyter.planning.slot_filling.lists import joined
from okso_jupyter.planning.slot_filling.mentions import Mention, Reading, read, unquoted
from okso_jupyter.planning.slot_filling.proper_names import NO_PLACE, identifiers, names
from okso_jupyter.planning.slot_filling.slots import (
    Slot,
    parameters_of,
    slots_of,
)
from okso_jupyter.planning.slot_filling.split_cost import cost, fills_required
from okso_jupyter.planning.slot_filling.tool_match import NEED, fits
from okso_jupyter.toolkit.tool import Tool

#: Least fit at which a stretch of a request is assigned to another tool; a lower one makes calls of
#: what people tell beside their request.
_CLEAR_FIT: Final = 0.7
#: The model chooses among the tools that have at least this share of the best fit.
_NEAR_SHARE: Final = 0.8
#: The same among many tools, of which words alone tell less well which one is meant.
_NEAR_SHARE_OF_MANY: Final = 0.3
_MANY: Final = 16
_MOST_NEAR: Final = 5
#: A stretch stays with the previous stretch's tool at this share of its best fit.
_SAME_SHARE: Final = 0.95
_MOST: Final = 12
#: A longer text is one part: most of it is pasted, and each way to split it takes long to judge.
_MOST_CHARS: Final = 1200
_MOST_NUMBERS: Final = 30
_MOST_SENTENCES: Final = 12
#: Cost of a split by its way: a list has sure ends, two constituents less so; the pieces of a text
#: that is cut within a sentence lose what they share.
_WAYS: Final = {"list": 0.0, "sentences": 0.0, "constituents": 0.08, "cut": 0.12}
#: A split must lower the cost by more than this.
_GAIN: Final = 0.3
#: Least nearness to a parameter's words at which a number is its value.
_SURE: Final = 1.2
#: Patterns at which a text may be cut, strongest first.
_SEAMS: Final = (
    re.compile(rf"(?<=[.!?;]){NO_TITLE}[\"']?\s+"),
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
#: Words at the end of a piece that join it to the next one.
_JOINING: Final = re.compile(r"(?i)(?:[,;]?\s+(?:and|also|then|as well as|followed by)\b)+,?$")
_MOST_LISTS: Final = 4
#: A word that pairs the items of two lists.
_PAIRWISE: Final = re.compile(r"(?i)\brespectively\b|\bin (?:that|this|the same) order\b")
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
    stretches = list(_without_recaps(stretches))
    if len(stretches) == 1:
        return [(request, _near(overall))]
    if len(tools) > _MANY:
        return [(text, _near(fits(text, tools.values(), whole=False))) for text, _ in stretches]
    return [(text, (name,) if name else _near(overall)) for text, name in stretches]


def _without_recaps(stretches: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield stretches, without those that only ask again for what another one gave the values of.

    "Can you compute both of these?" at the end of a request asks for nothing new.
    """
    told = {name for text, name in stretches if _has_values(text)}
    for text, name in stretches:
        if _has_values(text) or name not in told:
            yield text, name


def _has_values(text: str) -> bool:
    reading = read(text)
    numbers = [n for n in reading.numbers if not n.counts]
    return bool(numbers or reading.quotes or names(reading) or identifiers(reading))


def _near(found: Mapping[str, float]) -> tuple[str, ...]:
    """Return the tools that fit about as well as the best one."""
    best = max(found.values())
    share = _NEAR_SHARE if len(found) <= _MANY else _NEAR_SHARE_OF_MANY
    order = sorted(found, key=lambda name: -found[name])
    return tuple(name for name in order if found[name] >= share * best)[:_MOST_NEAR]


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
    return _best_parts(request, slots, _MOST)


def _best_parts(text: str, slots: Sequence[Slot], most: int) -> list[str]:
    """Return the parts whose values fill the parameters best, each split again in turn."""
    best, least = [text], cost([text], slots, text) if _is_short(text) else 0.0
    if least <= _GAIN:
        return best
    for way, parts in _ways(text, slots):
        if 1 < len(parts) <= most:
            by_sentence = way == "sentences"
            spent = _WAYS[way] + cost(parts, slots, text, by_sentence=by_sentence)
            if spent < least - (_GAIN if best == [text] else 0):
                best, least = parts, spent
    if len(best) == 1:
        return best
    found = [piece for part in best for piece in _best_parts(part, slots, most - len(best) + 1)]
    return list(dict.fromkeys(found))[:most]


def _is_short(text: str) -> bool:
    return len(text) <= _MOST_CHARS and len(read(text).numbers) <= _MOST_NUMBERS


def _ways(text: str, slots: Sequence[Slot]) -> Iterator[tuple[str, list[str]]]:
    """Yield the ways to split a text with their kind, surer ones first."""
    reading = read(text)
    yield from (("list", parts) for parts in _written_out(reading, slots))
    for find, seams in (
        (_rows, _SEAMS),
        (_numbers, _SEAMS),
        (_quotes, _SEAMS),
        (_anchored, _STRONG),
        (_tasks, _STRONG[:2]),
    ):
        yield "cut", _between(text, find(reading, slots), seams)
    yield from (("constituents", list(pair)) for pair in halves(text))
    sentences = [piece.strip() for piece in _cut_at(text, _SENTENCE)]
    for place in range(1, min(len(sentences), _MOST_SENTENCES)):
        yield "sentences", [" ".join(sentences[:place]), " ".join(sentences[place:])]
    yield "sentences", _framed(sentences, slots)


def _cut_at(text: str, seam: re.Pattern[str]) -> list[str]:
    places = [0, *(match.end() for match in seam.finditer(text)), len(text)]
    return [text[start:end] for start, end in itertools.pairwise(places)]


def _framed(sentences: Sequence[str], slots: Sequence[Slot]) -> list[str]:
    """Return each sentence that fills a required parameter, with all those that fill none."""
    frame = [sentence for sentence in sentences if not fills_required(sentence, slots)]
    return [
        " ".join(s for s in sentences if s is own or s in frame)
        for own in sentences
        if own not in frame
    ]


# --- cutting where a parameter repeats ------------------------------------------------------


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
    pieces = [text[start:end].strip() for start, end in itertools.pairwise(places)]
    return [*(_JOINING.sub("", piece) for piece in pieces[:-1]), *pieces[-1:]]


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


def _written_out(reading: Reading, slots: Sequence[Slot]) -> Iterator[list[str]]:
    """Yield the ways to write a text once per item of its lists.

    Lists of numbers advance together, and others with "respectively"; else every item of one list
    goes with every item of another.
    """
    found = sorted(_lists(reading, slots), key=lambda run: -len(run))[:_MOST_LISTS]
    for run in found:
        yield [_replaced(reading.text, [(run, item)]) for item in run]
    together = [run for run in found if len(run) == len(found[0])]
    if len(together) > 1 and (_PAIRWISE.search(reading.text) or all(map(_is_numeric, together))):
        yield [_replaced(reading.text, items) for items in _in_step(together)]
        return
    for pair in itertools.combinations(found, 2):
        yield [
            _replaced(reading.text, list(zip(pair, items, strict=True)))
            for items in itertools.product(*pair)
        ]


def _is_numeric(run: Sequence[Mention]) -> bool:
    return all(isinstance(item.value, int | float) for item in run)


def _in_step(lists: Sequence[Sequence[Mention]]) -> list[list[tuple[Sequence[Mention], Mention]]]:
    """Return the first items of all lists, then the second ones, and so on."""
    return [list(zip(lists, items, strict=True)) for items in zip(*lists, strict=True)]


def _replaced(text: str, choices: Sequence[tuple[Sequence[Mention], Mention]]) -> str:
    """Return a text with each list replaced by one of its items."""
    for run, item in sorted(choices, key=lambda choice: -choice[0][0].start):
        text = text[: run[0].start] + item.text + text[run[-1].end :]
    return re.sub(r",?\s+respectively\b", "", text)


def _lists(reading: Reading, slots: Sequence[Slot]) -> list[tuple[Mention, ...]]:
    """Return the lists of numbers, names, quotes and dates, and of values that a parameter lists.

    The two ends of a range and numbers in brackets are values of one call.
    """
    runs: list[tuple[Mention, ...]] = list(reading.runs)
    kinds = [
        names(reading),
        identifiers(reading),
        reading.quotes,
        reading.dates,
        *(said(reading, slot) for slot in slots),
    ]
    for mentions in kinds:
        runs += joined(reading, mentions)
    apart: list[tuple[Mention, ...]] = []
    for run in runs:
        before, behind = reading.text[: run[0].start], reading.text[run[-1].end :]
        if _BETWEEN.search(before) or (before[-1:] in "([" and behind[:1] in ")]" and before):
            continue
        if not any(
            run[0].start < other[-1].end and other[0].start < run[-1].end for other in apart
        ):
            apart.append(run)
    return apart
