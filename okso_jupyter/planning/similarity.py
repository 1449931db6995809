"""Which examples, and so which tools, a request resembles.

Words are stemmed and weighted by how rare they are among all examples; neighbouring pairs count
as words of their own. What a request names is masked first, so that "lines of a.csv" and "lines
of b.csv" are the same question.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import snowballstemmer

from okso_jupyter.planning.facts import Facts, mask
from okso_jupyter.toolkit.tool import Example, Tool

_WORD = re.compile(r"[a-z_]+")
_STEMMER: Final = snowballstemmer.stemmer("english")
#: A pair of neighbours says less than a word and is rarer by nature.
_PAIR_WEIGHT: Final = 0.5

Vector = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Match:
    """An example and how much a request resembles it, from 0 to 1."""

    tool: str
    example: Example
    similarity: float


@dataclass(frozen=True)
class ExampleIndex:
    """All examples of a catalogue, ready to be compared with requests."""

    tools: Mapping[str, Tool]

    @cached_property
    def _documents(self) -> list[tuple[str, Example, Counter[str]]]:
        return [
            (tool.name, example, _terms(mask(example.request, ())))
            for tool in self.tools.values()
            for example in tool.examples
        ]

    @cached_property
    def _cards(self) -> dict[str, Counter[str]]:
        return {
            tool.name: _terms(f"{tool.name.replace('_', ' ')} {tool.description}")
            for tool in self.tools.values()
        }

    @cached_property
    def _rarity(self) -> dict[str, float]:
        """Weight of every known term: the rarer, the heavier."""
        documents = [set(terms) for _, _, terms in self._documents]
        documents += [set(terms) for terms in self._cards.values()]
        seen = Counter(term for terms in documents for term in terms)
        return {term: math.log(1 + len(documents) / count) for term, count in seen.items()}

    @cached_property
    def _example_vectors(self) -> list[tuple[str, Example, Vector]]:
        return [(name, example, self._weigh(terms)) for name, example, terms in self._documents]

    @cached_property
    def _card_vectors(self) -> dict[str, Vector]:
        return {name: self._weigh(terms) for name, terms in self._cards.items()}

    def _weigh(self, terms: Counter[str]) -> Vector:
        """Return the terms as a vector of length 1."""
        unknown = math.log(1 + len(self._documents) + len(self._cards))
        weights = {
            term: (1 + math.log(count))
            * self._rarity.get(term, unknown)
            * (_PAIR_WEIGHT if " " in term else 1.0)
            for term, count in terms.items()
        }
        length = math.sqrt(sum(weight**2 for weight in weights.values()))
        return {term: weight / length for term, weight in weights.items()} if length else {}

    def nearest(self, facts: Facts) -> list[Match]:
        """Return every example, the most similar one first."""
        vector = self._weigh(_terms(mask(facts.request, facts.files)))
        matches = [
            Match(name, example, _cosine(vector, other))
            for name, example, other in self._example_vectors
        ]
        return sorted(matches, key=lambda match: -match.similarity)

    def rank(self, facts: Facts) -> dict[str, float]:
        """Return how well every tool fits, from 0 to 1, the best one first.

        A tool is as near as its nearest example; its name and description count where they say
        more than that.
        """
        vector = self._weigh(_terms(mask(facts.request, facts.files)))
        scores = {name: _cosine(vector, card) for name, card in self._card_vectors.items()}
        for match in self.nearest(facts):
            scores[match.tool] = max(scores[match.tool], match.similarity)
        return dict(sorted(scores.items(), key=lambda item: -item[1]))


def _terms(text: str) -> Counter[str]:
    """Return the stemmed words of a text and their neighbouring pairs."""
    words = _STEMMER.stemWords(_WORD.findall(text.lower()))
    pairs = [" ".join(pair) for pair in zip(words, words[1:], strict=False)]
    return Counter([*words, *pairs])


def _cosine(one: Vector, other: Vector) -> float:
    small, large = sorted((one, other), key=len)
    return sum(weight * large.get(term, 0.0) for term, weight in small.items())


def clauses(request: str, index: Iterable[Example]) -> list[str]:
    """Split "do X and then Y" into its parts; a request without such a seam is one part.

    A bare "and" is a seam only where a word follows with which some example begins, so that
    "the mean and the sum" stays whole.
    """
    verbs = {example.request.split()[0].lower() for example in index if example.request}
    parts = [request]
    for seam in (r"(?<=[.!?])\s+(?=[A-Z])", r"[,;]?\s+(?:and\s+)?then\s+", r"[,;]?\s+and\s+"):
        parts = [piece for part in parts for piece in _split(part, seam, verbs)]
    return [part.strip() for part in parts if part.strip(" .,;")]


def _split(text: str, seam: str, verbs: set[str]) -> list[str]:
    """Split where the seam is followed by a verb that some example begins with."""
    pieces, start = [], 0
    for match in re.finditer(seam, text):
        following = re.match(r"[\w']+", text[match.end() :])
        inside_quotes = text[: match.start()].count('"') % 2 or text[: match.start()].count("'") % 2
        if following and following[0].lower() in verbs and not inside_quotes:
            pieces.append(text[start : match.start()])
            start = match.end()
    return [*pieces, text[start:]]
