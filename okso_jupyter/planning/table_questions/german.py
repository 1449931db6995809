"""German words of questions in English: the weights are fitted on English questions.

Names of columns and values stay as they are; only words that say what is asked are translated, each
by one word, so that places in the question do not move.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from okso_jupyter.word_stems import german_stem

#: English word -> German words, without accents as tokens are.
_GERMAN: Final = {
    "how": "wie",
    "many": "viele",
    "much": "viel",
    "which": "welche welcher welches",
    "what": "was",
    "who": "wer",
    "when": "wann",
    "where": "wo",
    "the": "der die das den dem des",
    "a": "ein eine einen einem einer",
    "are": "sind gibt waren",
    "there": "es",
    "is": "ist wird",
    "was": "war wurde wurden",
    "have": "haben",
    "we": "wir",
    "us": "uns",
    "our": "unser unsere",
    "at": "bei am",
    "on": "auf",
    "high": "hoch",
    "bought": "gekauft eingekauft",
    "has": "hat",
    "show": "zeige zeig nenne liste",
    "me": "mir",
    "find": "finde",
    "count": "zähle",
    "calculate": "berechne",
    "of": "von vom",
    "in": "im",
    "from": "aus",
    "to": "nach",
    "for": "fur",
    "with": "mit",
    "without": "ohne",
    "no": "kein keine keinen",
    "not": "nicht",
    "and": "und",
    "or": "oder",
    "all": "alle",
    "per": "pro je",
    "each": "jede jeder jedes",
    "by": "nach gruppiert",
    "number": "anzahl",
    "different": "verschiedene unterschiedliche",
    "average": "durchschnitt durchschnittlich mittlere",
    "maximum": "maximal hochst",
    "minimum": "minimal mindest",
    "mean": "mittelwert",
    "total": "gesamt gesamte insgesamt",
    "sum": "summe",
    "highest": "hochste hochster hochsten maximale",
    "lowest": "niedrigste minimale",
    "largest": "großte grosste",
    "smallest": "kleinste",
    "most": "meiste meisten hochstens",
    "least": "wenigste mindestens",
    "longest": "langste",
    "shortest": "kurzeste",
    "oldest": "alteste",
    "youngest": "jungste",
    "fastest": "schnellste",
    "slowest": "langsamste",
    "heaviest": "schwerste",
    "lightest": "leichteste",
    "older": "alter",
    "younger": "junger",
    "cheapest": "billigste gunstigste",
    "priciest": "teuerste",
    "expensive": "teuer",
    "best": "beste",
    "worst": "schlechteste",
    "first": "erste zuerst fruheste",
    "last": "letzte zuletzt",
    "newest": "neueste",
    "common": "haufigste",
    "often": "oft haufig",
    "more": "mehr großer",
    "less": "weniger kleiner",
    "than": "als",
    "over": "uber",
    "under": "unter",
    "before": "vor",
    "after": "danach",
    "since": "seit",
    "between": "zwischen",
    "until": "bis",
    "rows": "zeile zeilen",
    "entries": "eintrag eintrage",
    "missing": "fehlen fehlende fehlt",
    "empty": "leer leere",
    "percent": "prozent",
    "share": "anteil",
    "correlation": "korrelation",
    "deviation": "abweichung standardabweichung",
    "range": "spanne",
    "outliers": "ausreißer",
    "year": "jahr",
    "quarter": "quartal",
    "month": "monat",
    "weekday": "wochentag",
    "day": "tag",
    "hour": "stunde",
    "hours": "stunden",
    "minutes": "minuten",
    "january": "januar",
    "february": "februar",
    "march": "marz",
    "may": "mai",
    "june": "juni",
    "july": "juli",
    "october": "oktober",
    "december": "dezember",
    "sorted": "sortiert",
    "sort": "sortiere",
    "difference": "unterschied differenz",
    "error": "fehler fehlers fehlern",
    "warning": "warnung warnungen",
    "cost": "kostet kosten kostete gekostet",
    "spent": "ausgegeben",
    "paid": "bezahlt bezahlte",
    "earns": "verdient verdienen",
    "begin": "beginnt beginnen begann",
    "old": "alt",
    "long": "lang",
    "far": "weit",
    "fast": "schnell",
    "heavy": "schwer",
    "steep": "steil",
    "deep": "tief",
    "wide": "breit",
    "thick": "dick",
    "hot": "heiß heiss",
    "cold": "kalt",
    "sunny": "sonnig",
    "windy": "windig",
}
#: English superlative -> German ones without their endings, and without accents.
_SUPERLATIVES: Final = {
    "highest": "hochst",
    "steepest": "steilst",
    "flattest": "flachst",
    "wettest": "nassest feuchtest regenreichst",
    "driest": "trockenst",
    "hottest": "heißest heissest",
    "warmest": "warmst",
    "coldest": "kaltest",
    "sunniest": "sonnigst",
    "shadiest": "schattigst",
    "windiest": "windigst sturmischst",
    "loudest": "lautest",
    "quietest": "leisest ruhigst",
    "brightest": "hellst",
    "darkest": "dunkelst",
    "widest": "breitest",
    "narrowest": "schmalst engst",
    "deepest": "tiefst",
    "thickest": "dickst",
    "thinnest": "dunnst",
    "farthest": "weitest entferntest",
    "strongest": "starkst",
    "weakest": "schwachst",
    "richest": "reichst",
    "poorest": "armst",
    "latest": "spatest",
    "sweetest": "sußest sussest",
    "sourest": "sauerst saurest",
    "fullest": "vollst",
    "fattest": "fettest",
    "worthiest": "wertvollst kostbarst",
}
_SUPERLATIVE: Final = re.compile(r"(?P<base>\w+?st)e[rsnm]?")
#: German words that are English ones as well, and so do not tell the language.
_ALSO_ENGLISH: Final = frozenset(
    "was die war hat am den des man pro alter alt lang mir im mit wer wo es bis list under "
    "were".split()
)
_BY_WORD: Final = {w: english for english, words in _GERMAN.items() for w in words.split()}
_BY_SUPERLATIVE: Final = {
    w: english for english, words in _SUPERLATIVES.items() for w in words.split()
}
#: Verbs whose stem is that of a noun: "Ware" is what is sold.
_NOT_BY_STEM: Final = frozenset({"war", "waren"})


@cache  # with the first question, not with the import
def _by_stem() -> Mapping[str, str]:
    """Return the English words by the stems of the German ones."""
    words = reversed(list(_BY_WORD.items()))
    return {german_stem(w): english for w, english in words if w not in _NOT_BY_STEM}


def in_english(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a question, those in English that say what is asked in German."""
    found = [_translated(word) for word in words]
    distinctive = [w for w, own in zip(words, found, strict=True) if own and w not in _ALSO_ENGLISH]
    if not distinctive:
        return tuple(words)
    english = [own or word for word, own in zip(words, found, strict=True)]
    for place, (word, behind) in enumerate(pairwise(words)):
        if word == "nach" and behind[0].isdigit():  # "nach 2022" is a time, "nach Ort" are groups
            english[place] = "after"
        if word == "an" and behind.startswith("welche"):  # and no article
            english[place] = "on"
    return tuple(english)


@lru_cache(maxsize=4096)  # a question is translated again for every table and reading
def _translated(word: str) -> str | None:
    """Return a German word in English, whatever its ending; None if it is not known."""
    end = _SUPERLATIVE.fullmatch(word)
    superlative = _BY_SUPERLATIVE.get(end["base"]) if end else None
    return _BY_WORD.get(word) or superlative or _by_stem().get(german_stem(word))
