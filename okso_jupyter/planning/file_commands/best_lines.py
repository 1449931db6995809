"""Best lines: the text whose lines have most of what a question asks about.

Words that few lines have count more (inverse document frequency, Spärck Jones 1972), in any of
their English or German forms. A line beneath a heading has its words and those of its file's name,
and a day is found in the forms of texts and of logs. One word is enough where the line tells what
is asked of it: "how high is the deposit?" by "Deposit: 300 euros".
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from okso_jupyter.planning.file_commands.answer_kinds import AnswerKind, key_of, kind_asked
from okso_jupyter.planning.file_commands.word_forms import (
    DAYS,
    MONTH_OF,
    OF_SAYING,
    WORD,
    said_in,
    stems_of,
    words_in,
)

_HEADING: Final = re.compile(r"#+ ")
#: A few words in the first line, which are the title of a text.
_TITLE: Final = re.compile(r"[^\W\d_]+(?: [^\W\d_]+){0,3}")
#: A share of the weight of a question's words that its best line must have, and how many of them.
_ENOUGH: Final = 0.4
_FEWEST: Final = 2
#: The share that one word must have that stands alone in its line.
_ALONE: Final = 0.6
#: How much a word counts that is a part of another: "Pacht" in "Pachtvertrag".
_PART: Final = 0.7
_PART_CHARS: Final = 5
#: Lines of a text that together may answer, and the share of the words that they must have.
_SHORT: Final = 12
_TOGETHER: Final = 0.75
_FEWEST_TOGETHER: Final = 3


@dataclass(frozen=True, slots=True)
class BestLines:
    """Where a question is answered.

    Attributes:
        path: The text.
        word: The word of the best line that fewest lines have, as it stands there; "" where only
            the lines of the whole text answer together.
        share: The share of the weight of the question's words that is there, 0 to 1.
        elsewhere: That of the words that the texts are compared with.
    """

    path: str
    word: str
    share: float = field(default=1.0, compare=False)
    elsewhere: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line and what it says: by itself, and with its headings and the name of its file."""

    path: str
    text: str
    own: frozenset[str]
    said: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Asked:
    """The words of a question.

    Attributes:
        forms: Each word with its forms in the texts, and how much these count.
        weights: How much each word counts.
        times: The words that a line must have: days, months and numbers.
        kind: What is asked for.
    """

    forms: Mapping[str, Mapping[str, float]]
    weights: Mapping[str, float]
    times: frozenset[str]
    kind: AnswerKind

    def found(self, said: Collection[str]) -> dict[str, float]:
        """Return the weights of the words that are said."""
        shares = {
            word: max((share for form, share in forms.items() if form in said), default=0.0)
            for word, forms in self.forms.items()
        }
        return {word: share * self.weights[word] for word, share in shares.items() if share}

    def written(self, word: str, line: str) -> str:
        """Return a word as a line has it."""
        forms = self.forms[word]
        shares = {
            own: max(forms.get(key, 0.0) for key in stems_of(own.lower()))
            for own in WORD.findall(line)
        }
        return max(shares, key=lambda own: shares[own], default="")

    def share(self, found: Mapping[str, float]) -> float:
        """Return the share of the weight that was found; words that only ask need not be there."""
        may_lack = self.kind.hints | OF_SAYING
        asked = [word for word in self.weights if word in found or word not in may_lack]
        whole = sum(self.weights[word] for word in asked)
        return sum(found.values()) / whole if whole else 0.0


def best_lines(
    question: str, texts: Mapping[str, str], elsewhere: Collection[str] = ()
) -> BestLines | None:
    """Return the text with the best line for a question; None where none fits, or several do.

    Args:
        question: The question.
        texts: The texts by path.
        elsewhere: Texts that the share of the question's words is told of as well.
    """
    lines = [line for path, text in texts.items() for line in _lines(path, text)]
    asked = _asked(question, lines)
    if not lines or not asked.weights:
        return None
    line, text = _best_of(asked, lines), _best_text(asked, lines)
    best = text if text and (line is None or line[-1] < _ALONE) else line
    if best is None:
        return None
    path, word, share = best
    other = {form for text in elsewhere for form in said_in(text)}
    return BestLines(path, word, share, asked.share(asked.found(other)))


def asks_bare(words: str, texts: Mapping[str, str]) -> bool:
    """Return whether a few words without a verb ask for something: "wifi password".

    They do where one line has them all in front of its colon, and where the last of them says what
    is asked for: "office phone number".
    """
    last = words.lower().rstrip("?.! ").rpartition(" ")[2]
    return last in kind_asked(words).hints or _is_a_key(words, texts)


def _is_a_key(words: str, texts: Mapping[str, str]) -> bool:
    """Return whether one line gives the value of what some words say."""
    asked = [keys for word, keys in words_in(words).items() if word[0].isalpha()]
    keys = (key for text in texts.values() for line in text.splitlines() if (key := key_of(line)))
    return bool(asked) and any(
        all(not own.isdisjoint(said_in(key)) for own in asked) for key in keys
    )


def says_some_of(text: str, question: str, but: str) -> bool:
    """Return whether a text has a word of a question beside one of them, or there is no other."""
    others = {word: keys for word, keys in words_in(question).items() if word != but}
    known = said_in(text)
    return not others or any(_forms(w, keys, known).keys() & known for w, keys in others.items())


def lines_of(path: str, text: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the lines of a text with the stems of what they, their headings and its name say."""
    return ((line.text, line.said) for line in _lines(path, text))


def _asked(question: str, lines: Sequence[_Line]) -> _Asked:
    """Return the words of a question, weighed by the lines that have them."""
    known = frozenset[str]().union(*(line.said for line in lines))
    words = words_in(question)
    forms = {word: _forms(word, keys, known) for word, keys in words.items()}
    weights = {}
    for word, own in forms.items():
        held = sum(not line.said.isdisjoint(own) for line in lines)
        weights[word] = math.log(1 + len(lines) / max(held, 1))
    times = frozenset(word for word in words if word in MONTH_OF or word[0].isdigit())
    return _Asked(forms, weights, times, kind_asked(question))


def _best_of(asked: _Asked, lines: Sequence[_Line]) -> tuple[str, str, float] | None:
    """Return text, word and share of the best line that tells what is asked for."""
    fitting = [line for line in lines if asked.kind.is_in(line.text)]
    found = [(line, there) for line in fitting if (there := asked.found(line.said))]
    scores = [sum(there.values()) for _, there in found]
    most = max(scores, default=0.0)
    best = [each for each, score in zip(found, scores, strict=True) if math.isclose(score, most)]
    if not best or len({line.path for line, _ in best}) != 1:
        return None
    line, there = next((each for each in best if asked.found(each[0].own)), best[0])
    others = [each.text for each in lines if each.path == line.path and each is not line]
    word, share = _rarest(asked, line, others), asked.share(there)
    if not word or not asked.times <= there.keys() or share < _ENOUGH:
        return None
    is_alone = len(there) < _FEWEST
    if is_alone and (share < _ALONE or not _tells(asked, word, line.text)):
        return None
    return line.path, word, share


def _tells(asked: _Asked, word: str, line: str) -> bool:
    """Return whether a line tells what is asked of its one word; of a day it tells all it says."""
    if asked.times:
        return asked.kind.gives is None and any("-" in time for time in asked.times)
    return asked.kind.is_told_of(word, line)


def _best_text(asked: _Asked, lines: Sequence[_Line]) -> tuple[str, str, float] | None:
    """Return the short text whose lines have most of the words together, and their share."""
    found = []
    for path in {line.path for line in lines}:
        own = [line for line in lines if line.path == path]
        there = asked.found(frozenset[str]().union(*(line.own for line in own)))
        is_told = any(asked.kind.is_in(line.text) for line in own if asked.found(line.own))
        if len(own) <= _SHORT and is_told and asked.times <= there.keys():
            found.append((asked.share(there), len(there), path))
    share, count, path = max(found, default=(0.0, 0, ""))
    is_enough = share >= _TOGETHER and count >= _FEWEST_TOGETHER
    is_clear = [each[0] for each in found].count(share) == 1
    return (path, "", share) if is_enough and is_clear else None


def _rarest(asked: _Asked, line: _Line, others: Sequence[str]) -> str:
    """Return the word of a line that fewest other lines have, as it stands there."""
    found = [word for word in asked.found(line.own) if word[0].isalpha()]
    words = [word for word in found if word not in MONTH_OF] or found
    if not words:
        day = next((m for pattern in DAYS if (m := pattern.search(line.text))), None)
        return day[0] if day else ""

    def is_had_by(word: str) -> int:
        written = asked.written(word, line.text).lower()
        return sum(written in other.lower() for other in others)

    rarest = min(words, key=lambda word: (is_had_by(word), -asked.weights[word], word))
    return asked.written(rarest, line.text)


def _forms(word: str, keys: frozenset[str], known: Collection[str]) -> dict[str, float]:
    """Return the forms that a word has in the texts, with how much each counts."""
    exact = dict.fromkeys(keys, 1.0)
    if len(word) < _PART_CHARS or not word.isalpha() or not keys.isdisjoint(known):
        return exact
    parts = [key for key in known if key.startswith(word) or key.endswith(word)]
    return {**dict.fromkeys(parts, _PART), **exact}


def _lines(path: str, text: str) -> Iterator[_Line]:
    """Yield the lines of a text that say something, with what they and their headings say."""
    named = frozenset(said_in(re.sub(r"[_/.-]", " ", path.rpartition(".")[0])))
    above: frozenset[str] = frozenset()
    for place, line in enumerate(text.splitlines()):
        said = frozenset(said_in(line))
        is_heading = _HEADING.match(line)
        if is_heading or (place == 0 and _TITLE.fullmatch(line)):
            above = said
        if said and not is_heading:
            yield _Line(path, line, said, said | above | named)
