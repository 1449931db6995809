"""Word stems: what is the same for words with other endings, in English and German.

A stemmer keeps the word that it works on, so each thread has its own: plans are made in several.
Any package may import this.
"""

from __future__ import annotations

import threading
from functools import cached_property
from typing import Protocol


class _Stemmer(Protocol):
    """A stemmer of one language."""

    def stemWord(self, word: str) -> str:  # noqa: N802  the library's name
        """Return the stem of a word in lower case."""


class _Stemmers(threading.local):
    """The stemmers of one thread, made when it first needs them."""

    @cached_property
    def english(self) -> _Stemmer:
        """The English one."""
        return _stemmer("english")

    @cached_property
    def german(self) -> _Stemmer:
        """The German one."""
        return _stemmer("german")


def _stemmer(language: str) -> _Stemmer:
    import snowballstemmer  # noqa: PLC0415  it imports the stemmers of all languages

    stemmer: _Stemmer = snowballstemmer.stemmer(language)
    return stemmer


_OWN = _Stemmers()


def english_stem(word: str) -> str:
    """Return the English stem of a word in lower case."""
    return _OWN.english.stemWord(word)


def german_stem(word: str) -> str:
    """Return the German stem of a word in lower case."""
    return _OWN.german.stemWord(word)
