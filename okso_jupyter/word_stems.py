"""Word stems: what is the same for words with other endings, in English and German.

A stemmer keeps the word that it works on, so each thread has its own: plans are made in several.
Any package may import this.
"""

from __future__ import annotations

import threading

import snowballstemmer


class _Stemmers(threading.local):
    """The stemmers of one thread."""

    def __init__(self) -> None:
        self.english = snowballstemmer.stemmer("english")
        self.german = snowballstemmer.stemmer("german")


_OWN = _Stemmers()


def english_stem(word: str) -> str:
    """Return the English stem of a word in lower case."""
    return str(_OWN.english.stemWord(word))


def german_stem(word: str) -> str:
    """Return the German stem of a word in lower case."""
    return str(_OWN.german.stemWord(word))
