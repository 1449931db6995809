"""Extractive summaries: the most informative sentences of a text, quoted word for word.

A sentence scores high if its words are frequent in the text or occur in its headings or the
request. Words of a chosen sentence count less in later ones, so that quotes do not repeat.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from okso_jupyter.word_stems import english_stem

_LEAST_SENTENCES: Final = 2
_MOST_SENTENCES: Final = 5
#: One sentence is quoted for so many sentences of the text.
_SENTENCES_PER_QUOTE: Final = 5
_MOST_CHARS: Final = 900
_LEAST_WORDS: Final = 4
_LEAST_WORD_CHARS: Final = 3
#: Longer sentences are not quoted.
_LONGEST_SENTENCE_CHARS: Final = 400
_HEADING_WEIGHT: Final = 2.0
_ASKED_WEIGHT: Final = 6.0
_FIRST_OF_ALL: Final = 2.0
_FIRST_OF_PARAGRAPH: Final = 1.2
#: Factor on a word's weight once a chosen sentence has used it.
_SAID: Final = 0.3

_HEADING: Final = re.compile(r"^\s{0,3}#+\s+(.*)|^(.+)\n[=-]{3,}$")
_ITEM: Final = re.compile(r"^\s*(?:[-*+•]|\d+[.)](?=\s+[A-ZÄÖÜ]))\s+")
#: The end of a sentence: not in "17. August", but in "a factor of 3.2. In".
_END: Final = re.compile(
    r"(?<=[.!?])(?<![\s(]\d\.)(?<![\s(]\d\d\.)[\"'”’)]*\s+(?=[\"'“‘(]*[A-ZÄÖÜ0-9])"
)
_ABBREVIATED: Final = re.compile(
    r"\b(?:Mr|Mrs|Ms|Dr|Prof|St|Nr|No|vs|ca|bzw|z\.\s?B|e\.g|i\.e|Inc|Ltd|Fig|[A-Z])\.$"
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_EMPTY: Final = frozenset(
    "all and any are but can did for get got had has her him his how its let may new not now off "
    "one our out own per put say see she the too two use was way who why yet you "
    "als auf aus bei bin bis das dem den der des die dir ein für hat ich ihm ihn ihr ist man mit "
    "nun nur sie uns und von vor war was weg wer wie wir "
    "about above after again against also although another because been before being below between "
    "both cannot could does doing down during each either every from further have having here hers "
    "himself herself however into itself just like made make many more most much must never only "
    "other ours over same shall should since some still such than that their theirs them "
    "themselves then there therefore these they this those through under until upon very were "
    "what when where whether which while whom whose will with within without would your yours "
    "aber alle allem allen aller alles also andere anderen auch beim bitte damit dann dass dein "
    "deine dem denn deren diese diesem diesen dieser dieses doch dort durch eine einem einen einer "
    "eines euch gegen haben hatte hier ihnen ihre ihrem ihren ihrer immer jede jeden jeder jetzt "
    "kann können mehr mein meine mich muss nach nicht noch oder ohne schon sehr sein seine seinem "
    "seinen sich sind solange über unser unter viel vom wenn werden wird wurde wurden zum zur "
    "zwischen".split()
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Sentence:
    """One sentence of a text.

    Attributes:
        text: The sentence, on one line.
        place: Its number in the text, from 0.
        opens: Whether it begins a paragraph.
        words: Stems of its content words.
    """

    text: str
    place: int
    opens: bool
    words: frozenset[str]


def telling_sentences(text: str, asked: str = "") -> list[str]:
    """Return the most informative sentences of a text, in text order.

    Args:
        text: Prose or Markdown.
        asked: A question about the text; sentences about it are preferred, and none is returned if
            the text does not mention it. Empty for a general summary.
    """
    headings, sentences = _read(text)
    weights = _weights(headings, sentences)
    wanted = {stem for stem in _stems(asked) if stem in weights}
    if asked and not wanted:
        return []
    weights.update({stem: weights[stem] * _ASKED_WEIGHT for stem in wanted})
    most = len(sentences) // _SENTENCES_PER_QUOTE
    chosen = _chosen(
        [s for s in sentences if not wanted or s.words & wanted],
        weights,
        min(max(most, _LEAST_SENTENCES), _MOST_SENTENCES),
    )
    return [sentence.text for sentence in sorted(chosen, key=lambda s: s.place)]


def _chosen(
    sentences: Sequence[_Sentence], weights: dict[str, float], most: int
) -> list[_Sentence]:
    """Return the best sentences, chosen greedily; words already used count less."""
    left, chosen, room = list(sentences), list[_Sentence](), _MOST_CHARS
    while left and len(chosen) < most:
        best = max(left, key=lambda sentence: _points(sentence, weights))
        left.remove(best)
        if len(best.text) > room or not best.words:
            continue
        chosen.append(best)
        room -= len(best.text)
        weights.update({word: weights[word] * _SAID for word in best.words})
    return chosen


def _points(sentence: _Sentence, weights: dict[str, float]) -> float:
    """Return the score of a sentence, normalized by its length."""
    total = sum(weights[word] for word in sentence.words) / math.sqrt(len(sentence.words) + 3)
    factor = _FIRST_OF_ALL if sentence.place == 0 else 1.0
    return total * factor * (_FIRST_OF_PARAGRAPH if sentence.opens else 1.0)


def _weights(headings: Sequence[str], sentences: Sequence[_Sentence]) -> dict[str, float]:
    """Return the weight of each word, by its frequency and its use in headings."""
    counts = Counter(word for sentence in sentences for word in sentence.words)
    titles = {word for heading in headings for word in _stems(heading)}
    return {
        word: math.log2(1 + count) * (_HEADING_WEIGHT if word in titles else 1.0)
        for word, count in counts.items()
    }


def _read(text: str) -> tuple[list[str], list[_Sentence]]:
    """Return the headings and the sentences of a text."""
    headings: list[str] = []
    sentences: list[_Sentence] = []
    for paragraph in _paragraphs(text):
        heading = _HEADING.match(paragraph)
        if heading:
            headings.append(heading[1] or heading[2])
            continue
        for number, sentence in enumerate(_sentences(paragraph)):
            if _can_be_quoted(sentence):
                words = frozenset(_stems(sentence))
                sentences.append(_Sentence(sentence, len(sentences), number == 0, words))
    return headings, sentences


def _can_be_quoted(sentence: str) -> bool:
    """Return whether a sentence can be quoted alone: complete, and neither short nor too long."""
    is_whole = not sentence.endswith((",", ";", ":"))
    is_short = len(sentence) <= _LONGEST_SENTENCE_CHARS
    return is_whole and is_short and len(sentence.split()) >= _LEAST_WORDS


def _paragraphs(text: str) -> Iterator[str]:
    """Yield paragraphs separated by blank lines; headings and list items are separate ones."""
    lines: list[str] = []
    for line in [*text.splitlines(), ""]:
        if lines and (not line.strip() or _HEADING.match(line) or _ITEM.match(line)):
            yield "\n".join(lines)
            lines = []
        if line.strip():
            lines.append(line.strip())
        if lines and _HEADING.match(line):
            yield lines.pop()


def _sentences(paragraph: str) -> Iterator[str]:
    """Yield the sentences of a paragraph, each on one line."""
    begun = ""
    for piece in _END.split(" ".join(paragraph.split())):
        begun = f"{begun} {piece}".strip()
        if not _ABBREVIATED.search(begun):
            yield _ITEM.sub("", begun)
            begun = ""
    if begun:
        yield _ITEM.sub("", begun)


def _stems(text: str) -> list[str]:
    words = (word.lower() for word in _WORD.findall(text))
    telling = [w for w in words if len(w) >= _LEAST_WORD_CHARS and w not in _EMPTY]
    return [english_stem(word) for word in telling]
