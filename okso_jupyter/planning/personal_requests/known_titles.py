"""Which title of the user's stores a request means: as it stands there, or by its words inflected.

"I watered the tomatoes" means the reminder "water the tomatoes": their content words have a base
form in common, whatever the tense or the number, in English and German.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from okso_jupyter.word_stems import english_stem, german_stem

Kind = Literal["notes", "reminders", "calendar"]
#: Returns the titles of a kind that exist, of reminders those that are open.
TitlesOf = Callable[[Kind], Sequence[str]]

#: Past forms that no rule gives, and the form that a title has.
_IRREGULAR: Final = dict(
    pair.split("/")
    for pair in (
        "paid/pay bought/buy sent/send wrote/write written/write got/get gotten/get gave/give "
        "given/give took/take taken/take made/make did/do done/do brought/bring built/build "
        "found/find kept/keep left/leave met/meet read/read said/say saw/see seen/see sold/sell "
        "spoke/speak spoken/speak taught/teach told/tell thought/think went/go gone/go rang/ring "
        "rung/ring ran/run drew/draw drawn/draw drove/drive driven/drive ate/eat eaten/eat "
        "fed/feed "
        "chose/choose chosen/choose cut/cut put/put set/set hung/hang swept/sweep lent/lend "
        "spent/spend began/begin begun/begin broke/break broken/break threw/throw thrown/throw "
        "geschrieben/schreiben geschickt/schicken gebracht/bringen gegangen/gehen genommen/nehmen"
    ).split()
)
_PARTICIPLE: Final = re.compile(
    r"(ab|an|auf|aus|bei|ein|mit|nach|vor|weg|zu|zurück|um|her|hin)?ge(\w{2,}?)(?:e?t|en)"
)
#: A shorter word that ends so is no past form: "need", "feed".
_LEAST_CHARS: Final = 5
_WORD: Final = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
#: Words that name no thing: of the grammar, or of any thing at all.
_SMALL: Final = frozenset(
    "a an the this that these those it its my our your his her their i we you he she they me "
    "us is are was were be been am has have had having s ve d ll m re t and or but so as at by "
    "for from in of off on onto out over to up with about can could will would may just "
    "already finally now then please one thing things stuff all both back sorted dealt handled "
    "care done finished complete completed today yesterday morning evening afternoon off list "
    "todo reminder task der die das den dem des ein eine einen einem einer ich wir habe hab "
    "haben hat ist sind war und oder mit von zu zum zur im am auf schon jetzt heute gestern "
    "mein meine meinen bin es erledigt fertig".split()
)


@dataclass(frozen=True, slots=True)
class Meant:
    """A title that a request means.

    Attributes:
        title: The title.
        hits: How many of its content words the request has.
        is_whole: Whether it has all of them.
        is_past: Whether one of them is said in the past: "watered".
        extra: How many content words the request has beside them.
    """

    title: str
    hits: int
    is_whole: bool
    is_past: bool
    extra: int


def content_words(text: str) -> list[str]:
    """Return the words of a text that name things or doings, in lower case."""
    return [word for word in _WORD.findall(text.casefold()) if word not in _SMALL]


def is_past(word: str) -> bool:
    """Return whether a word is a past form."""
    is_regular = len(word) >= _LEAST_CHARS and word.endswith(("ed", "iert"))
    return word in _IRREGULAR or is_regular or _PARTICIPLE.fullmatch(word) is not None


@lru_cache(maxsize=4096)
def base_forms(word: str) -> frozenset[str]:
    """Return what a word may be a form of; two words are one if these have one in common."""
    plain = _IRREGULAR.get(word, word)
    found = {plain, english_stem(plain), german_stem(plain)}
    if match := _PARTICIPLE.fullmatch(plain):
        found.add(f"{match[1] or ''}{match[2]}")
    if plain.endswith("iert"):
        found.add(german_stem(f"{plain[:-1]}en"))
    return frozenset(found)


def meant_title(said: str, titles: Collection[str]) -> Meant | None:
    """Return the title that has most content words of a text; None where two have as many."""
    words = content_words(said)
    found = sorted(
        (one for title in titles if (one := _compared(words, title)) is not None),
        key=_rank,
        reverse=True,
    )
    if not found or (len(found) > 1 and _rank(found[0]) == _rank(found[1])):
        return None
    return found[0]


def _rank(one: Meant) -> tuple[int, bool]:
    return one.hits, one.is_whole


def _compared(words: Sequence[str], title: str) -> Meant | None:
    """Return how a title fits words; None if it has none of them."""
    wanted = content_words(title)
    used = [w for w in words if any(base_forms(w) & base_forms(other) for other in wanted)]
    hits = sum(any(base_forms(w) & base_forms(other) for w in used) for other in wanted)
    if not hits:
        return None
    return Meant(
        title=title,
        hits=hits,
        is_whole=hits == len(wanted),
        is_past=any(map(is_past, used)),
        extra=len(words) - len(used),
    )


def mentioned(request: str, titles: Collection[str]) -> re.Match[str] | None:
    """Return where the longest title that stands in a request does; letter case does not count."""
    for title in sorted(titles, key=len, reverse=True):
        quoted = rf"(?<![\w.])['\"\u201c\u201e]?{re.escape(title)}['\"\u201d\u201c]?(?![\w]|\.\w)"
        if title.strip() and (match := re.search(rf"(?i){quoted}", request)):
            return match
    return None
