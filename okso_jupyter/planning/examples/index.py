"""Example index: ranks examples, and thereby tools, by similarity to a request (TF-IDF, cosine).

Terms are stemmed words and pairs of adjacent words, weighted by their rarity among all examples.
The values that a request names are masked first, so that "lines of a.csv" and "lines of b.csv"
are the same question.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Final

from okso_jupyter.effects.effect import LASTING, Effect
from okso_jupyter.plan.plan import FINAL_TOOL
from okso_jupyter.planning.request.facts import Facts
from okso_jupyter.planning.request.only_asked import only_asks
from okso_jupyter.planning.request.synonyms import in_words_of_examples
from okso_jupyter.planning.request.wording import (
    NUMBER,
    PLAIN_KIND,
    THING,
    kind_of,
    mask,
    paths,
    stem,
    stems,
    urls,
)
from okso_jupyter.planning.slot_filling.tool_match import fits
from okso_jupyter.planning.table_questions.query_tool import READ_TOOLS
from okso_jupyter.toolkit.tool import Example, Tool

_PLAIN = re.compile(r"[^\W_]\w*")
#: String literals in code.
_LITERAL = re.compile(r"'([^'\\]*)'")
#: Factor for a pair of words: it is less informative than a word, but rarer.
_PAIR_WEIGHT: Final = 0.5

#: Factor for an example about another type of file, or without a number if the request has one.
_OTHER_KIND: Final = 0.85
#: Factor for an example about a file, number or address if the request names none.
_NOT_NAMED: Final = 0.5

#: Factor for a placeholder, which carries little information.
_THING_WEIGHT: Final = 0.5

#: Punctuation around a name in a request.
_MARKS: Final = "?.,!;:'\""

Vector = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Match:
    """An example and its similarity to a request.

    Attributes:
        tool: Name of the example's tool.
        example: The example.
        similarity: 0 to 1.
        whole: Whether every value in the example was replaced by one of the request.
    """

    tool: str
    example: Example
    similarity: float
    whole: bool = False


@dataclass(frozen=True)
class ExampleIndex:
    """All examples of a catalogue, indexed for comparison with requests."""

    tools: Mapping[str, Tool]

    @cached_property
    def _documents(self) -> list[tuple[str, Example, Counter[str]]]:
        return [
            (tool.name, example, _terms_of(example))
            for tool in self.tools.values()
            for example in tool.examples
        ]

    @cached_property
    def always_have_effects(self) -> frozenset[str]:
        """Names of the tools whose examples all change something or use the network."""
        return frozenset(name for name, tool in self.tools.items() if _always_has_effects(tool))

    @cached_property
    def always_change(self) -> frozenset[str]:
        """Names of the tools whose examples all command a change."""
        return frozenset(
            name
            for name, tool in self.tools.items()
            if tool.examples and all(map(partial(_commands_change, tool), tool.examples))
        )

    @cached_property
    def without_examples(self) -> frozenset[str]:
        """Names of the tools without examples, which are matched by their description."""
        return frozenset(name for name, tool in self.tools.items() if not tool.examples)

    @cached_property
    def common_words(self) -> frozenset[str]:
        """Stems of the examples' words: they say what to do, not what it is about."""
        words = {term for _, _, terms in self._documents for term in terms if " " not in term}
        return frozenset(words - {THING})

    def things(self, facts: Facts) -> tuple[str, ...]:
        """Return the words of a request that occur in no example, without its numbers.

        They are what the request is about.
        """
        known = self.common_words.union(facts.numbers)
        meant = {word: stem(in_words_of_examples(word.lower())) for word in facts.words}
        return tuple(word for word in facts.words if not {word, meant[word]} & known)

    def subjects(self, facts: Facts) -> tuple[str, ...]:
        """Return what a request is about: the columns that it names, else its `things`."""
        return facts.named_columns or self.things(facts)

    def subjects_of(self, example: Example) -> tuple[str, ...]:
        """Return the words of an example's request that occur in its arguments, in order."""
        return _subjects(example.request, _values(example))

    @cached_property
    def _cards(self) -> dict[str, Counter[str]]:
        return {
            tool.name: Counter(_terms(stems(f"{tool.name.replace('_', ' ')} {tool.description}")))
            for tool in self.tools.values()
        }

    @cached_property
    def _rarity(self) -> dict[str, float]:
        """Weight of every known term (inverse document frequency)."""
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
            * (_THING_WEIGHT if THING in term.split() else 1.0)
            for term, count in terms.items()
        }
        length = math.sqrt(sum(weight**2 for weight in weights.values()))
        return {term: weight / length for term, weight in weights.items()} if length else {}

    def _vector(self, facts: Facts) -> Vector:
        """Return a request as a vector, with its values and unknown words masked."""
        request = _without_folders(facts)
        words = stems(mask(request, facts.files, facts.columns))
        known = [word if word in self._known else THING for word in words]
        return self._weigh(Counter(_terms(known)))

    @cached_property
    def _known(self) -> frozenset[str]:
        """Stems of the examples and tool descriptions, and the placeholder."""
        cards = {term for terms in self._cards.values() for term in terms}
        return self.common_words | cards | {THING}

    def nearest(self, facts: Facts) -> tuple[Match, ...]:
        """Return every example, most similar first."""
        return self._nearest(facts)

    @cached_property
    def _nearest(self) -> Callable[[Facts], tuple[Match, ...]]:
        return lru_cache(maxsize=8)(self._compared)  # planning asks for the same several times

    def _compared(self, facts: Facts) -> tuple[Match, ...]:
        vector = self._vector(facts)
        matches = [
            Match(name, example, alike * self._likeness(facts, name, example) if alike else 0.0)
            for name, example, other in self._example_vectors
            for alike in [_cosine(vector, other)]
        ]
        return tuple(sorted(matches, key=lambda match: -match.similarity))

    @cached_property
    def _places(self) -> Mapping[tuple[str, str], tuple[str, ...]]:
        return {
            (tool.name, example.request): _places_of(tool, example)
            for tool in self.tools.values()
            for example in tool.examples
        }

    def places_of(self, match: Match) -> tuple[str, ...]:
        """Return the paths in an example's request where its call takes a folder, too."""
        return self._places[match.tool, match.example.request]

    def _likeness(self, facts: Facts, name: str, example: Example) -> float:
        """Return 1, or less if an example needs a value or folder the request does not name."""
        places = self._places[name, example.request]
        if facts.files and not facts.folders:
            is_other = any("." not in place for place in places)
        else:
            is_other = bool(facts.folders) and not (facts.files or facts.new_paths or places)
        return _likeness(facts, example) * (_NOT_NAMED if is_other else 1)

    def rank(self, facts: Facts) -> dict[str, float]:
        """Return how well every tool fits, from 0 to 1, best first.

        A tool's score is the similarity of its nearest example or, if higher, of its name and
        description. A tool without examples is scored by `tool_match.fits`.
        """
        vector = self._vector(facts)
        scores = {
            name: min(_cosine(vector, card), 1)
            for name, card in self._card_vectors.items()
            if self.tools[name].examples
        }
        scores |= fits(facts.request, (t for t in self.tools.values() if not t.examples))
        for match in self.nearest(facts):
            scores[match.tool] = max(scores[match.tool], match.similarity)
        return dict(sorted(scores.items(), key=lambda item: -item[1]))


def _places_of(tool: Tool, example: Example) -> tuple[str, ...]:
    words = {word.strip(_MARKS) for word in example.request.split()}
    needs = tool.paths_of(example.args).needs
    return tuple(dict.fromkeys(n.path for n in needs if n.kind != "file" and n.path in words))


def _without_folders(facts: Facts) -> str:
    """Return a request with the placeholder of a thing for every folder that it names."""
    request = facts.request
    for folder in sorted(facts.folders, key=len, reverse=True):
        request = re.sub(rf"(?i)(?<![\w/.]){re.escape(folder)}/?(?![\w/])", THING, request)
    return request


def _terms_of(example: Example) -> Counter[str]:
    return Counter(_terms(stems(_without_things(example.request, _values(example)))))


def _terms(words: list[str]) -> list[str]:
    """Return the words and the pairs of adjacent words."""
    return [*words, *(" ".join(pair) for pair in itertools.pairwise(words))]


@lru_cache(maxsize=4096)  # every request is compared with every example, several times
def _subjects(request: str, values: str) -> tuple[str, ...]:
    pairs = zip(mask(request).split(), _without_things(request, values).split(), strict=True)
    return tuple(
        dict.fromkeys(word.strip("?.,") for word, seen in pairs if seen.strip("?.,") == THING)
    )


def _without_things(request: str, values: str) -> str:
    """Return an example's request with the words masked that occur in its arguments' values."""
    values_stems = set(stems(values))
    return _PLAIN.sub(
        lambda match: THING if stem(match[0]) in values_stems else match[0], mask(request)
    )


def _values(example: Example) -> str:
    return " ".join(_values_of(list(example.args.values())))


def _values_of(value: object) -> list[str]:
    """Return the texts among argument values; of code, only its string literals."""
    if isinstance(value, list | tuple):
        return [text for item in value for text in _values_of(item)]
    if not isinstance(value, str):
        return []
    return _LITERAL.findall(value) if "(" in value else [value]


def _likeness(facts: Facts, example: Example) -> float:
    """Return 1, or less if an example needs a kind of value that the request does not name.

    "What is the capital of France?" shares words with "What is the total of price in sales.csv?"
    but names no file, so the two are different questions.
    """
    theirs = _named(example.request)
    factor = _same_kind(facts, theirs)
    if theirs.has_path and not (facts.files or facts.new_paths or facts.folders):
        factor *= _NOT_NAMED
    if theirs.has_url != bool(facts.urls):
        factor *= _NOT_NAMED
    if theirs.has_number and not facts.numbers:
        factor *= _NOT_NAMED
    if facts.numbers and not theirs.has_number:
        factor *= _OTHER_KIND
    return factor


@dataclass(frozen=True, slots=True)
class _Named:
    """What the request of an example names.

    Attributes:
        kinds: The kinds of the files, without plain ones.
        has_path: Whether it names a file or folder.
        has_url: Whether it names a web address.
        has_number: Whether it has a number.
    """

    kinds: frozenset[str]
    has_path: bool
    has_url: bool
    has_number: bool


@lru_cache(maxsize=4096)  # every request is compared with every example, several times
def _named(request: str) -> _Named:
    found = paths(request)
    return _Named(
        kinds=frozenset(kind_of(path) for path in found) - {PLAIN_KIND},
        has_path=bool(found),
        has_url=bool(urls(request)),
        has_number=NUMBER in mask(request).split(),
    )


def _same_kind(facts: Facts, theirs: _Named) -> float:
    """Return 1, or less for an example about a table or JSON that the request does not name.

    An example about a plain text file applies to any file.
    """
    if not theirs.kinds:
        return 1.0
    ours = {kind_of(path) for path in (*facts.files, *facts.new_paths)}
    return 1.0 if not ours or theirs.kinds & ours else _OTHER_KIND


def _cosine(one: Vector, other: Vector) -> float:
    if one.keys().isdisjoint(other):  # most are, and this is found out without a loop
        return 0.0
    small, large = sorted((one, other), key=len)
    return sum(weight * large.get(term, 0.0) for term, weight in small.items())


def clauses(request: str, index: Iterable[Example]) -> list[str]:
    """Return the parts of a request such as "do X and then Y"; one part if there is no seam.

    A seam counts only if the next word is the first word of some example, so that "the mean and
    the sum" stays whole.
    """
    verbs = {example.request.split()[0].lower() for example in index if example.request}
    parts = [request]
    for seam in (r"(?<=[.!?])\s+(?:then\s+)?", r"[,;]?\s+(?:and\s+)?then\s+", r"[,;]?\s+and\s+"):
        parts = [piece for part in parts for piece in _split(part, seam, verbs)]
    return [part.strip() for part in parts if part.strip(" .,;")]


def _split(text: str, seam: str, verbs: set[str]) -> list[str]:
    """Split at each seam outside quotes that is followed by one of the verbs."""
    pieces, start = [], 0
    for match in re.finditer(f"(?i){seam}", text):
        following = re.match(r"[\w']+", text[match.end() :])
        inside_quotes = text[: match.start()].count('"') % 2 or text[: match.start()].count("'") % 2
        if following and following[0].lower() in verbs and not inside_quotes:
            pieces.append(text[start : match.start()])
            start = match.end()
    return [*pieces, text[start:]]


def index_of(tools: Mapping[str, Tool]) -> ExampleIndex:
    """Return the index of a catalogue's examples.

    It leaves out `final_answer`, and the tools whose calls are read from the request.
    """
    left_out = {FINAL_TOOL, *READ_TOOLS}
    return _index_of(tuple(tool for name, tool in tools.items() if name not in left_out))


@lru_cache(maxsize=8)  # a request asks for the same index five times; sessions have one catalogue
def _index_of(tools: tuple[Tool, ...]) -> ExampleIndex:
    return ExampleIndex({tool.name: tool for tool in tools})


def _commands_change(tool: Tool, example: Example) -> bool:
    return bool(tool.effect_of(example.args) & LASTING) and not only_asks(example.request)


def _always_has_effects(tool: Tool) -> bool:
    reaching = LASTING | {Effect.NETWORK}
    return bool(tool.examples) and all(tool.effect_of(e.args) & reaching for e in tool.examples)
