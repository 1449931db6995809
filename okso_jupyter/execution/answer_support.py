"""Answer support: checks that each sentence and number of an answer occurs in the sources."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

import snowballstemmer

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
#: Function words of answers, which make no claim.
_PLAIN: Final = frozenset(
    "the and are was were has have had does did not but for with from that this these those there "
    "their its his her they them then than which who what when where how one all any each both "
    "into about also only more most some such according based answer says said say shows show "
    "mentions mention mentioned contains contain states file files document text following found "
    "observed given result total here can been being you your "
    "der die das und ist sind war waren hat haben nicht aber für mit von aus dass diese dieser "
    "dieses ein eine einen einer laut datei steht".split()
)
#: Tolerance for binary rounding errors.
_SLACK: Final = 1e-9
_STEMMER: Final = snowballstemmer.stemmer("english")


def is_supported(answer: str, sources: Iterable[str], *, least_share: float = 1.0) -> bool:
    """Return whether every sentence of an answer is supported by the sources.

    Args:
        answer: The answer.
        sources: The observed texts and the request.
        least_share: Minimum share of a sentence's content words in the sources; all numbers must be
            there.
    """
    source = "\n".join(sources)
    known, figures = set(_stems(source)), _NUMBER.findall(source)
    return all(
        _share(sentence, known) >= least_share
        and all(_is_one_of(number, figures) for number in _NUMBER.findall(sentence))
        for sentence in _SENTENCE_END.split(answer)
    )


def _share(sentence: str, known: set[str]) -> float:
    """Return the share of a sentence's content words that are known."""
    words = _stems(sentence)
    return sum(word in known for word in words) / len(words) if words else 1.0


def _stems(text: str) -> list[str]:
    words = (word.lower() for word in _WORD.findall(text))
    return [str(stem) for stem in _STEMMER.stemWords([w for w in words if w not in _PLAIN])]


def _is_one_of(number: str, figures: Collection[str]) -> bool:
    """Return whether a number occurs in the sources, as written or rounded."""
    wanted, half = _value(number), 0.5 / 10 ** len(number.partition(".")[2])
    values = (_value(figure) for figure in figures)
    return number in figures or any(
        wanted is not None and value is not None and abs(value - wanted) <= half * (1 + _SLACK)
        for value in values
    )


def _value(number: str) -> float | None:
    """Return the value of a number, which may have thousands separators; None if it has none."""
    try:
        return float(re.sub(r",(?=\d{3}(?:\D|$))", "", number))
    except ValueError:
        return None
