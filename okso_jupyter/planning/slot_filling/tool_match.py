"""Matches a request with tools without examples, by name, description and parameters.

The best tool is found by words that are rare among the tools' texts (a tool's "card"). Whether it
fits at all depends on how many words of its name and description the request has, and on whether
the request has the numbers that the tool requires.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from okso_jupyter.planning.request.intent import is_small_talk
from okso_jupyter.planning.request.wording import outside_quotes, stem
from okso_jupyter.planning.slot_filling import choices
from okso_jupyter.planning.slot_filling.call_weights import shipped_weights
from okso_jupyter.planning.slot_filling.mentions import Reading, read
from okso_jupyter.planning.slot_filling.slots import HOLLOW, Slot, parameters_of, slots_of, words_of
from okso_jupyter.planning.slot_filling.split_cost import lacking
from okso_jupyter.toolkit.tool import Tool

#: Least fit: a request that fits no tool this well needs none.
NEED: Final = 0.3

_NAME_WEIGHT: Final = 2.5
_DESCRIPTION_WEIGHT: Final = 1.0
_PARAMETER_WEIGHT: Final = 0.7
_OPTION_WEIGHT: Final = 0.6
_DETAIL_WEIGHT: Final = 0.25
_MOST_WEIGHT: Final = 3.5
#: Factor for a word that only begins like one of the card.
_ALIKE: Final = 0.5
_STEM_CHARS: Final = 5
#: A tool whose words have a smaller share of the best rank does not fit; nothing more is looked at.
_LEAST_SHARE: Final = 0.25
#: Words that occur in many tools' names.
_COMMON: Final = frozenset(
    "calculate compute create details fetch find get info information list retrieve search "
    "set".split()
)
_QUESTIONS: Final = frozenset("how what when where which who whom whose why".split())
_ENGLISH: Final = frozenset(
    "a an and are at be by can could do does find for from give has have how i in is it me my of "
    "on or please that the this to was were what who will with would you your".split()
)
_LEAST_ENGLISH: Final = 0.1
#: Fewer words than this do not reveal their language.
_FEW_WORDS: Final = 5


def fits(request: str, tools: Iterable[Tool], *, whole: bool = True) -> dict[str, float]:
    """Return how well every tool fits a request, from 0 to 1.

    Args:
        request: A request, or a stretch of one.
        tools: The tools.
        whole: Whether the text is the whole request, so that a missing number counts against a
            tool.
    """
    reading = read(request)
    catalogue = list(tools)
    if is_small_talk(request):
        return {tool.name: 0.0 for tool in catalogue}
    scores = _ranked(reading, catalogue)
    best = max(scores.values(), default=0.0)
    shares = {tool.name: scores[tool.name] / best if best else 1.0 for tool in catalogue}
    return {
        tool.name: share * _fit(reading, tool, whole=whole) if share >= _LEAST_SHARE else 0.0
        for tool in catalogue
        for share in [shares[tool.name]]
    }


def best_ranked(reading: Reading, tools: list[Tool]) -> Tool:
    """Return the tool that a request's words rank first."""
    scores = _ranked(reading, tools)
    return max(tools, key=lambda tool: scores[tool.name])


def _ranked(reading: Reading, tools: list[Tool]) -> dict[str, float]:
    """Return a score for each card: its words in the request, weighted by their rarity."""
    cards = {tool.name: _card(tool) for tool in tools}
    seen = Counter(word for card in cards.values() for word in card)
    rarity = {word: math.log(1 + (len(cards) + 1) / count) for word, count in seen.items()}
    said = _said(reading)
    scores = {}
    for name, card in cards.items():
        points = sum(_points(word, card, rarity) for word in said)
        # normalized, because a long card matches more words by chance
        scores[name] = points / math.sqrt(math.sqrt(sum(min(w, 3) for w in card.values())) or 1)
    return scores


def _said(reading: Reading) -> set[str]:
    """Return the stems of a request's words, without quoted texts of several words."""
    return {stem(word) for word in _words(outside_quotes(reading.text))}


def _points(word: str, card: Mapping[str, float], rarity: Mapping[str, float]) -> float:
    if word in card:
        return min(card[word], _MOST_WEIGHT) * rarity[word]
    alike = [other for other in card if _begin_alike(word, other)]
    return max((_ALIKE * min(card[w], _MOST_WEIGHT) * rarity[w] for w in alike), default=0.0)


def _begin_alike(one: str, other: str) -> bool:
    return min(len(one), len(other)) >= _STEM_CHARS and one[:_STEM_CHARS] == other[:_STEM_CHARS]


def _card(tool: Tool) -> Mapping[str, float]:
    """Return the stems of a tool's name, description and parameters, weighted by origin."""
    return _card_of(tool.name, tool.description, _frozen(tool))


def _frozen(tool: Tool) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    return tuple(
        (name, str(part.get("description") or ""), tuple(str(v) for v in part.get("enum") or ()))
        for name, part in tool.properties.items()
    )


@lru_cache(maxsize=1024)
def _card_of(
    name: str, description: str, parameters: tuple[tuple[str, str, tuple[str, ...]], ...]
) -> Mapping[str, float]:
    card: dict[str, float] = defaultdict(float)
    for word in words_of(name):
        card[stem(word)] += _NAME_WEIGHT
    for word in _words(description):
        card[stem(word)] += _DESCRIPTION_WEIGHT
    for parameter, detail, options in parameters:
        for word in words_of(parameter):
            if word not in HOLLOW:
                card[stem(word)] += _PARAMETER_WEIGHT
        for word in set(_words(detail)):
            card[stem(word)] += _DETAIL_WEIGHT
        for word in _words(" ".join(options).replace("_", " ")):
            card[stem(word)] += _OPTION_WEIGHT
    return dict(card)


def _words(text: str) -> list[str]:
    return [w for w in re.findall(r"[^\W\d_]+", text.lower()) if w not in HOLLOW]


def _fit(reading: Reading, tool: Tool, *, whole: bool) -> float:
    """Return how likely a tool fits at all, 0 to 1: a logistic function of weighted signs."""
    weights = shipped_weights().need
    found = signs(reading, tool, whole=whole)
    total = weights["bias"] + sum(weights[sign] * value for sign, value in found.items())
    return 1 / (1 + math.exp(-total))


def signs(reading: Reading, tool: Tool, *, whole: bool = True) -> dict[str, float]:
    """Return the signs that a request needs a tool, whose weights `make fit-calls` fits.

    Args:
        reading: A request, or a stretch of one.
        tool: The tool.
        whole: Whether it is a whole request, which should lack no value and may be a question.
    """
    said, card = _said(reading), _card(tool)
    name = {stem(w) for w in words_of(tool.name) if w not in HOLLOW | _COMMON and not w.isdigit()}
    slots = slots_of(parameters_of(tool))
    texts = any(slot.type == "string" for slot in slots)
    known = sum(_is_known(word, card) for word in said)
    return {
        "name": _share(name, said),
        "nothing of the name": float(not name & said),
        "known words": math.log1p(known),
        "share of known words": known / len(said) if said else 0.0,
        "parameters": _share({stem(word) for slot in slots for word in slot.name_words}, said),
        "says a choice": float(any(choices.said(reading, slot) for slot in slots)),
        "web address": float(bool(reading.webs) and texts),
        "other language": float(_is_foreign(reading)),
        "lacks numbers": float(whole and _lacks_numbers(reading, slots)),
        "lacking values": float(len(lacking(reading.text, slots)) if whole else 0),
        "question": float(whole and _is_question(reading)),
    }


def _is_known(word: str, card: Mapping[str, float]) -> bool:
    return word in card or any(_begin_alike(word, other) for other in card)


def _is_question(reading: Reading) -> bool:
    """Return whether a request begins with a question word."""
    first = reading.tokens[0].text.lower() if reading.tokens else ""
    return re.split(r"['’]", first)[0] in _QUESTIONS


def _is_foreign(reading: Reading) -> bool:
    """Return whether a request is not in English, so that its words cannot match a card."""
    words = [token.text.lower() for token in reading.tokens]
    if len(words) < _FEW_WORDS and reading.text.isascii():
        return False
    return sum(word in _ENGLISH for word in words) < _LEAST_ENGLISH * len(words)


def _share(words: set[str], others: set[str]) -> float:
    """Return the share of words that are in `others`, or begin like one of them, 0 to 1."""
    hits = sum(w in others or any(_begin_alike(w, other) for other in others) for w in words)
    return hits / len(words) if words else 0.0


def _lacks_numbers(reading: Reading, slots: Sequence[Slot]) -> bool:
    """Return whether required parameters need more numbers than a request has."""
    needed = [slot for slot in slots if slot.required and "default" not in slot.schema]
    wanted = sum(slot.is_number or slot.takes("integer", "number") for slot in needed)
    return wanted > len(reading.numbers) + len(reading.clocks) + len(reading.dates)
