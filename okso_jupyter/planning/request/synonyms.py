"""Synonyms for words of the tools' examples: other spellings, near synonyms, German words.

A request is compared with examples by its words. Only unambiguous words are listed, so that an
English text without them is not changed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

_ENGLISH: Final[Mapping[str, str]] = {
    "summarise": "summarize",
    "summarising": "summarizing",
    "summarised": "summarized",
    "describe": "summarize",
    "outline": "summarize",
    "recap": "summarize",
    "tl;dr": "summarize",
    "tldr": "summarize",
    "analyse": "summarize",
    "analyze": "summarize",
    "sum up": "summarize",
    "boil down": "summarize",
    "tally": "count",
    "peek at": "show",
    "look into": "show",
    "order": "sort",
    "arrange": "sort",
    "rank": "sort",
    "check": "show",
    "view": "show",
    "inspect": "show",
    "examine": "show",
    "what time is it": "what is today",
    "whats": "what is",
    "hows": "how is",
    "wats": "what is",
}
#: German words and their translation, without words that are also English words.
_GERMAN: Final[Mapping[str, str]] = {
    "wie spät ist es": "what is today",
    "wie viele": "how many",
    "wieviele": "how many",
    "wieviel": "how much",
    "wie viel": "how much",
    "wie groß": "how big",
    "wie lang": "how long",
    "welche": "which",
    "welcher": "which",
    "welches": "which",
    "worum geht es": "what is",
    "worum geht's": "what is",
    "was steht": "what is",
    "wer": "who",
    "zeige": "show",
    "zeig": "show",
    "lies": "read",
    "lese": "read",
    "öffne": "open",
    "zähle": "count",
    "zähl": "count",
    "liste": "list",
    "suche": "search",
    "finde": "find",
    "schreibe": "write",
    "schreib": "write",
    "speichere": "save",
    "lösche": "delete",
    "kopiere": "copy",
    "verschiebe": "move",
    "ersetze": "replace",
    "überschreibe": "overwrite",
    "benenne": "rename",
    "erkläre": "explain",
    "erklär": "explain",
    "leere": "empty",
    "alles": "everything",
    "ganzen": "whole",
    "gesamten": "whole",
    "berechne": "calculate",
    "sortiere": "sort",
    "fasse": "summarize",
    "fass": "summarize",
    "beschreibe": "summarize",
    "zusammen": "",
    "zusammenfassung": "summary",
    "erwähnt": "mention",
    "enthält": "contain",
    "enthalten": "contain",
    "steht": "say",
    "zeile": "line",
    "zeilen": "lines",
    "wort": "word",
    "wörter": "words",
    "zeichen": "characters",
    "spalte": "column",
    "spalten": "columns",
    "datei": "file",
    "dateien": "files",
    "ordner": "folder",
    "verzeichnis": "directory",
    "inhalt": "content",
    "mittelwert": "mean",
    "durchschnitt": "average",
    "summe": "sum",
    "höchste": "highest",
    "höchsten": "highest",
    "größte": "largest",
    "größten": "largest",
    "niedrigste": "lowest",
    "kleinste": "smallest",
    "erste": "first",
    "ersten": "first",
    "letzte": "last",
    "letzten": "last",
    "fehler": "error",
    "warnungen": "warnings",
    "heute": "today",
    "datum": "date",
}
#: German stop words.
_SMALL: Final = frozenset(
    "der dem den des ein eine einen einem einer eines und oder ist sind hat haben gibt es im von "
    "vom zu zur zum mit für über nach aus auf um sich mir mich bitte mal alle".split()
)
_KNOWN: Final[Mapping[str, str]] = {**_ENGLISH, **_GERMAN}
_WORDS: Final = re.compile(
    r"(?<![\w./-])(?:"
    + "|".join(re.escape(word) for word in sorted(_KNOWN, key=len, reverse=True))
    + r")(?![\w/-]|\.\w)"
)
_IS_GERMAN: Final = re.compile(
    r"(?<![\w./-])(?:" + "|".join(map(re.escape, _GERMAN)) + r")(?![\w/-]|\.\w)"
)


@lru_cache(maxsize=4096)
def in_words_of_examples(text: str) -> str:
    """Return a lower-case text with synonyms replaced by the words that examples use."""
    known = _WORDS.sub(lambda match: _KNOWN[match[0]], text)
    if not _IS_GERMAN.search(text):
        return known
    return " ".join(word for word in known.split() if word.strip("?.,!") not in _SMALL)
