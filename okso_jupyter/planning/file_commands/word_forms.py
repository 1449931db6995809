"""Word forms: the words of notes and of questions, as stems and days that can be compared.

A word has its English and its German stem: nothing says in which language a note is written.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from okso_jupyter.planning.request.wording import STOP_WORDS, stem
from okso_jupyter.word_stems import german_stem

_ENGLISH: Final = (
    "january february march april may june july august september october november december".split()
)
_GERMAN: Final = (
    "januar februar märz april mai juni juli august september oktober november dezember".split()
)
#: Month by its name, as its number in two digits.
MONTH_OF: Final = {
    name: f"{number:02d}"
    for names in (_ENGLISH, _GERMAN)
    for number, name in enumerate(names, start=1)
}
MONTHS: Final = "|".join(MONTH_OF)
_DAY: Final = re.compile(
    rf"(?i)\b(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of )?(?P<month>{MONTHS})\b|"
    rf"\b(?P<month_first>{MONTHS}) (?P<day_behind>\d{{1,2}})(?:st|nd|rd|th)?\b"
)
_ISO_DAY: Final = re.compile(r"\b\d{4}-(?P<month>\d\d)-(?P<day>\d\d)\b")
_POINTED_DAY: Final = re.compile(r"\b(?P<day>\d\d?)\.(?P<month>[01]?\d)\.(?:\d{4})?")
DAYS: Final = (_ISO_DAY, _DAY, _POINTED_DAY)
#: "May" as a month: in small letters it is a verb, except behind words of time.
_VERB_MAY: Final = re.compile(r"(?<!\bin )(?<!\bof )(?<!\bby )(?<!\buntil )(?<!\bsince )\bmay\b")
WORD: Final = re.compile(r"[^\W\d_]{3,}|\b[A-Z]{2}\b|\d+(?:[.,]\d+)*")
_JOINED: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
#: "gebacken", which is of "backen".
_PARTICIPLE: Final = re.compile(r"ge[^\W\d_]{3,}(?:t|en)")
#: English verbs, each with its past forms that are no stem of it.
_VERBS: Final = (
    "become became|begin began begun|break broke broken|bring brought|build built|buy bought|"
    "catch caught|choose chose chosen|come came|draw drew drawn|drive drove driven|"
    "eat ate eaten|fall fell fallen|feel felt|find found|fly flew flown|"
    "forget forgot forgotten|give gave given|go went gone|grow grew grown|hide hid hidden|"
    "hold held|keep kept|know knew known|lead led|leave left|lend lent|lose lost|make made|"
    "mean meant|meet met|pay paid|ride rode ridden|ring rang rung|rise rose risen|run ran|"
    "see saw seen|sell sold|send sent|sit sat|sleep slept|speak spoke spoken|spend spent|"
    "stand stood|steal stole stolen|swim swam swum|take took taken|teach taught|"
    "tear tore torn|think thought|throw threw thrown|wear wore worn|win won|"
    "write wrote written|bend bent|bite bit bitten|bleed bled|blow blew blown|burn burnt|"
    "creep crept|deal dealt|dig dug|feed fed|fight fought|freeze froze frozen|hang hung|"
    "hear heard|lay laid|learn learnt|light lit|sew sewn|shake shook shaken|shoot shot|"
    "sing sang sung|sink sank sunk|spill spilt|stick stuck|sting stung|strike struck|"
    "sweep swept|swing swung|wake woke woken"
)
_PAST: Final = {past: verb for verb, *forms in map(str.split, _VERBS.split("|")) for past in forms}
#: Words of saying, which the line that tells what was said may lack.
OF_SAYING: Final = frozenset("say says said sagt sagte sagen gesagt".split())
#: Words that ask, and say nothing of what a text is about.
_ASKING: Final = (STOP_WORDS - OF_SAYING) | frozenset(
    "according told tell tells look see find know there does did have has had been "
    "will would should could much many long until till when where who whom whose which what since "
    "why how got get gets want wants wanted need needs supposed must let lets high "
    "called named name exactly next still happen happens happened take takes come comes go goes "
    "laut gemäß steht stehen hoch viel viele lange wann wer wem wen was welche gibt noch soll "
    "welcher welches welchem welchen bis seit ist sind war waren hat haben hatte wird werden der "
    "die das den dem des ein eine einen einem einer eines für mit von vom zum zur und oder auf aus "
    "bei über nach unter lautet lauten heißt heißen wie ich wir ihr sie uns mir man muss müssen "
    "sollen kann können darf dürfen will wollen unser unsere unserer unseren mein meine auch denn "
    "kommt kommen passiert passierte los eigentlich nochmal es im in am an ab um zu".split()
)


def words_in(question: str) -> dict[str, frozenset[str]]:
    """Return the words of a question that say what it is about, with their stems."""
    words = _words_of(_VERB_MAY.sub(" ", question))
    return {word: stems_of(word) for word in sorted(words) if word not in _ASKING}


def said_in(text: str) -> set[str]:
    """Return the stems of the words of a text, and its days as "10-13"."""
    return {key for word in _words_of(text) for key in stems_of(word)}


def _words_of(text: str) -> set[str]:
    """Return the words of a text in small letters, and its days as "10-13"."""
    days = {
        f"{MONTH_OF[(m['month'] or m['month_first']).lower()]}-"
        f"{int(m['day'] or m['day_behind']):02d}"
        for m in _DAY.finditer(text)
    }
    for pattern in (_ISO_DAY, _POINTED_DAY):
        days |= {f"{int(m['month']):02d}-{int(m['day']):02d}" for m in pattern.finditer(text)}
    rest = _DAY.sub(" ", text)
    joined = (word.replace("-", "") for word in _JOINED.findall(rest))
    return {word.lower() for word in (*WORD.findall(rest), *joined)} | days


@lru_cache(maxsize=65_536)
def stems_of(word: str) -> frozenset[str]:
    """Return the English and German stems of a word in small letters; a month is its number."""
    if not word[0].isalpha():
        return frozenset({word})
    if word in MONTH_OF:
        return frozenset({f"month {MONTH_OF[word]}"})
    plain = _PAST.get(word, word)
    german = {german_stem(word)}
    if _PARTICIPLE.fullmatch(word):
        german.add(german_stem(word.removeprefix("ge")))
    return frozenset(map(_american, {stem(plain), *german}))


def _american(word: str) -> str:
    """Return the American form of a stem: "colour" is "color"."""
    return re.sub(r"(?<=[^\W\d_]{3})our$", "or", word)
