"""Finds the runs of words in a text that could be the value of a text parameter."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from typing import Final

from okso_jupyter.planning.request.wording import stem
from okso_jupyter.planning.slot_filling.mentions import Reading
from okso_jupyter.planning.slot_filling.proper_names import EDGES, NO_PLACE, clean, names
from okso_jupyter.planning.slot_filling.slots import PLACES, PROSE, Slot

_MOST_WORDS: Final = 7
_MOST_TOKENS: Final = 160
_PIECE: Final = re.compile(r"[^\s,;:?!()\[\]{}\"“”]+")
_BREAK: Final = re.compile(r"[?!;:()\[\]{}\n\"“”]|\.\s|\.$")
#: Words that attach a description to a name.
_INNER: Final = re.compile(
    r"\s(?:and|at|by|for|from|in|into|is|near|on|or|over|than|that|to|which|who|with)\s"
)
#: Participles: after a noun they begin a description of it.
_SAID_OF: Final = re.compile(r"^[a-z]+(?:ed|ing)$")
#: Words of parameters whose values may begin with a digit: an address, a season, a code.
_FIGURED: Final = frozenset(
    "address code date day duration id number period season size street time version year".split()
)


def options(reading: Reading, slot: Slot, taken: Iterable[str] = ()) -> list[str]:
    """Return every value that the model may choose from, likelier kinds first.

    Args:
        reading: The request.
        slot: The parameter.
        taken: Values assigned to other parameters by a cue.
    """
    gone = {value.lower() for value in taken}
    quoted = [str(quote.value) for quote in reading.quotes]
    named = [str(name.value) for name in names(reading)]
    if slot.named(*PLACES):
        named = [name for name in named if name.lower() not in NO_PLACE]
        found = [*quoted, *(_whole_and_parts(named, reading) or phrases(reading, slot))]
    elif slot.named(*PROSE):
        found = [*quoted, *spans(reading, prose=True)]
    else:
        found = [*quoted, *phrases(reading, slot), *named]
    found = [value for value in dict.fromkeys(found) if value.lower() not in gone]
    words = [
        value
        for value in found
        if re.search(r"[^\W\d_]", value)
        and (slot.says(*_FIGURED) or not re.match(r"[\d.,]+\s", value))
    ]
    return words or found or spans(reading)


def _whole_and_parts(placed: Sequence[str], reading: Reading) -> list[str]:
    """Return pairs of names joined by a comma, such as "Paris, France", then the names."""
    joined = [
        f"{one}, {two}"
        for one, two in itertools.pairwise(placed)
        if f"{one}, {two}" in reading.text
    ]
    return [*joined, *placed]


def phrases(reading: Reading, slot: Slot) -> list[str]:
    """Return the longest runs of words that could be a name, without words for their kind.

    For a food type, "Thai food" is Thai; for a material, "made of solid oak" is solid oak.
    """
    own = {stem(word) for word in [*slot.name_words, *_kinds(slot)]}
    found: dict[str, None] = {}
    for run in _runs(reading, slot):
        for phrase in (run, *re.split(r"\s+of\s+(?:the\s+|an?\s+)?", run)):
            bare = _without(phrase, own)
            if bare and bare.lower() not in EDGES:
                found[bare] = None
    return list(found)


def beside(reading: Reading, slot: Slot) -> list[str]:
    """Return the words beside a parameter's word: in "a single room" the room is single."""
    own = {stem(word) for word in slot.name_words} - {stem("name")}
    found = []
    for run in _runs(reading, slot):
        words = run.split()
        if any(stem(word) in own for word in words):
            bare = _without(run, own)
            if bare and bare != run and bare.lower() not in EDGES:
                found.append(bare)
    return found


def _kinds(slot: Slot) -> list[str]:
    """Return the kinds that a description names: "instrument" for "type of instrument"."""
    return re.findall(r"(?i)\b(?:type|kind|name|title) of (?:the |an? )?([a-z]+)", slot.description)


def _without(phrase: str, own: set[str]) -> str:
    """Return a phrase without leading and trailing words that only say its kind."""
    words = phrase.split()
    while len(words) > 1 and stem(words[-1].strip(",.")) in own:
        words.pop()
    while len(words) > 1 and words[0][0].islower() and stem(words[0]) in own:
        words.pop(0)
    while len(words) > 1 and words[0].lower() in ("a", "an", "the", "of"):
        words.pop(0)
    return clean(" ".join(words))


def _runs(reading: Reading, slot: Slot) -> list[str]:
    """Return the longest runs of words free of `EDGES`, except for "of" and "the" inside."""
    quoted = [(quote.start, quote.end) for quote in reading.quotes]
    runs: list[list[tuple[int, int]]] = [[]]
    last_end = 0
    for match in itertools.islice(_PIECE.finditer(reading.text), _MOST_TOKENS):
        start, end = match.span()
        text = match[0].strip(".'\"")
        gap = reading.text[last_end:start]
        outside = any(a < end and start < b for a, b in quoted)
        linking = text.lower() in ("of", "the") and bool(runs[-1])
        opening = not last_end or reading.text[:start].rstrip()[-1:] in ".!?:"
        said_of = bool(runs[-1]) and bool(_SAID_OF.search(text))
        edge = (
            (text.lower() in EDGES and not (text[:1].isupper() and last_end) and not linking)
            or (opening and text[:1].isupper() and text[1:].islower())
            or said_of
            or (bool(re.match(r"[\d.,]+$|\d+[a-z]+$", text)) and not slot.says(*_FIGURED))
        )
        if gap.strip() or outside or edge:
            runs.append([])
        if not (edge or outside):
            runs[-1].append((start, end))
        if match[0].endswith("."):
            runs.append([])
        last_end = end
    texts = [reading.text[run[0][0] : run[-1][1]] for run in runs if run]
    return [bare for text in texts if (bare := clean(re.sub(r"(?:\s+(?:of|the|an?))+$", "", text)))]


def spans(reading: Reading, *, prose: bool = False) -> list[str]:
    """Return the runs of words that could be a value, in the order of the text.

    Args:
        reading: The request.
        prose: Whether the value is a text rather than a name, so that it may contain any word.
    """
    quoted = [(quote.start, quote.end) for quote in reading.quotes]
    pieces = [m.span() for m in _PIECE.finditer(reading.text)][:_MOST_TOKENS]
    found: dict[str, None] = {}
    for first, (start, _) in enumerate(pieces):
        for _, end in pieces[first : first + _MOST_WORDS]:
            run = reading.text[start:end]
            if _BREAK.search(run[:-1]) or any(a < end and start < b for a, b in quoted):
                break
            if not prose and _INNER.search(run):
                break
            bare = clean(run)
            if bare and _is_value(bare, at_start=first == 0):
                found[bare] = None
    return list(found)


def _is_value(run: str, *, at_start: bool) -> bool:
    words = run.split()
    first, last = words[0].lower().strip(","), words[-1].lower().strip(",")
    if first in EDGES and (at_start or len(words) == 1 or words[0][0].islower()):
        return False
    return not (last in EDGES and len(last) > 1 and words[-1][0].islower()) and run.count(",") < 2  # noqa: PLR2004
