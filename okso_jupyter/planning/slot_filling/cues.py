"""Cues that assign a text of the request to a parameter: one function each, best first.

Examples: a date for a date parameter, a quote after the parameter's name, a name after "by" for
an author. Without a cue, the model chooses among the phrases of the request.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from okso_jupyter.planning.request.wording import outside_quotes, stem
from okso_jupyter.planning.slot_filling.mentions import Mention, Reading
from okso_jupyter.planning.slot_filling.proper_names import chain, clean, names
from okso_jupyter.planning.slot_filling.slots import (
    FIRST_OF_PAIR,
    HOLLOW,
    PLACES,
    PROSE,
    SECOND_OF_PAIR,
    Slot,
    words_of,
)

#: Relative dates.
_RELATIVE: Final = re.compile(
    r"(?i)\b(?:today|tonight|tomorrow|yesterday|(?:this|next|last|coming|past|upcoming)\s+"
    r"(?:weekend|week|month|year|night|evening|morning|afternoon|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)|"
    r"weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
)
#: A description that gives the notation of a date, without a time of day.
_AS_DATE: Final = re.compile(
    r"(?i)\b(?:yyyy[-/.]mm[-/.]dd|(?:mm|dd)[-/.](?:dd|mm)[-/.]yyyy)\b(?!.?(?:T|HH))"
)
_CODE: Final = re.compile(r"\b[A-Za-z0-9][\w/-]{3,}\b")
_AT: Final = re.compile(r"\b(in|at|near|around|of|for|to|from)\s+(?:the\s+)?(?:city of\s+)?")
#: A word for somebody by what they do: painter, editor, pianist.
_PERSON: Final = re.compile(r"(?i)\b(?:name|names) of (?:the |an? )?([a-z]+)")
_AGENT: Final = re.compile(r"[a-z]{2,}(?:er|or|ist|ian)s?")
#: A description of a text that names one thing among many: "the docket number of the case".
_KEY: Final = re.compile(
    r"(?i)^(?:the |an? |its |your )?(?:[\w-]+ ){0,2}(?:number|identifier|code|id)\b"
    r"(?! of [a-z]+s\b)"
)
#: Last words of parameters that are a file or folder, and of those that may be a folder.
_FILES: Final = frozenset("file filename filepath".split())
_FOLDERS: Final = frozenset("path directory folder dir".split())
#: A path that begins as one, or ends in a file's extension; not a part of a web address.
_PATH: Final = re.compile(
    r"(?<![\w@:/\\.~-])(?:(?:~|\.{1,2})?/[\w./-]*\w|(?:[\w-]+[./])*[\w-]+\.[A-Za-z]\w{0,5})(?![\w@:/\\])"
)
#: The folder that the tools work in.
_HERE: Final = re.compile(
    r"(?i)\bhere\b|\b(?:this|the|my|our) (?:(?:current|working|whole|git|project) )*"
    r"(?:folder|directory|repository|repo|project)\b"
)
_FIGURES: Final = frozenset("1 a first one 2 b second two".split())
_ORIGIN: Final = FIRST_OF_PAIR - _FIGURES
_TARGET: Final = SECOND_OF_PAIR - _FIGURES


def signed(reading: Reading, slot: Slot) -> list[str]:
    """Return the values that the best cue gives a parameter; empty without a cue."""
    for sign in (
        _dated,
        _web,
        _filed,
        _coded,
        _named_quote,
        _between,
        _after_name,
        _by_preposition,
        _holding,
        _behind_word,
        _placed,
    ):
        found = sign(reading, slot)
        if found:
            return list(dict.fromkeys(found))
    return []


def _dated(reading: Reading, slot: Slot) -> list[str]:
    """Return dates for a date parameter, in the notation that the description asks for."""
    dated = takes_dates(slot)
    if slot.named("time") and reading.clocks and not slot.named("date", "zone"):
        return [clock.text for clock in reading.clocks]
    if not dated and not slot.named("when", "time", "period"):
        return []
    if not reading.dates or not dated:
        return [] if slot.named("zone") else [m[0] for m in _RELATIVE.finditer(reading.text)]
    dates = list(reading.dates)
    if len(dates) > 1:
        if slot.named("end", "to", "checkout", "return", "out", "until"):
            dates = dates[1:2]
        elif slot.named("start", "from", "begin", "checkin", "in", "departure"):
            dates = dates[:1]
    return [written(date, slot.description) for date in dates]


def written(date: Mention, description: str) -> str:
    """Return a date in the notation that a description asks for, else as written."""
    iso = re.fullmatch(r"(\d{4})-(\d{2})-(\d{2})", str(date.value))
    if iso is None:
        return date.text
    year, month, day = iso.groups()
    notation = description.lower()
    if re.search(r"yyyy[-/.]mm[-/.]dd|\b\d{4}-\d{2}-\d{2}\b|iso ?8601", notation):
        return f"{year}-{month}-{day}"
    if re.search(r"mm[-/.]dd[-/.]yyyy", notation):
        mark = "/" if "mm/dd" in notation else "-"
        return mark.join((month, day, year))
    if re.search(r"dd[-/.]mm[-/.]yyyy", notation):
        mark = "/" if "dd/mm" in notation else "-"
        return mark.join((day, month, year))
    return date.text


def _web(reading: Reading, slot: Slot) -> list[str]:
    """Return mail addresses for a mail parameter, web addresses for a URL parameter."""
    mail = slot.named("email", "mail") or (slot.named("address") and slot.says("email"))
    if mail or slot.named("url", "uri", "link", "website", "endpoint"):
        return [str(web.value) for web in reading.webs if ("@" in web.text) == mail]
    return []


def _filed(reading: Reading, slot: Slot) -> list[str]:
    """Return paths for a parameter that is one; the working folder where it alone is meant."""
    own, last = {*words_of(slot.name)}, words_of(slot.name)[-1:]
    found = [match[0] for match in _PATH.finditer(outside_quotes(reading.text))]
    if len(found) == 2 and own & (_ORIGIN | _TARGET):  # noqa: PLR2004  a pair
        return found[:1] if own & _ORIGIN else found[1:]
    if found or reading.quotes:
        return found if (_FILES | _FOLDERS).intersection(last) else []
    is_here = _HERE.search(reading.text) or own & {"repo", "repository"}
    return ["."] if is_here and _FOLDERS.intersection(last) else []


def _coded(reading: Reading, slot: Slot) -> list[str]:
    """Return words with digits for a parameter that is an id, a code or a number."""
    return codes(reading) if takes_codes(slot) else []


def takes_codes(slot: Slot) -> bool:
    """Return whether a text parameter is an id, a code or a number."""
    return slot.named("id", "code") or (
        slot.type == "string" and (slot.named("number", "no") or _is_key(slot))
    )


def _is_key(slot: Slot) -> bool:
    """Return whether a parameter's description calls it a number or identifier."""
    return bool(_KEY.search(slot.description))


def takes_dates(slot: Slot) -> bool:
    """Return whether a text parameter is a date."""
    by_name = slot.named("date", "day", "dates", "checkin", "checkout")
    return slot.type == "string" and (by_name or bool(_AS_DATE.search(slot.description)))


def codes(reading: Reading) -> list[str]:
    """Return the words with digits outside dates, times and addresses."""
    inside = [(m.start, m.end) for m in (*reading.dates, *reading.clocks, *reading.webs)]
    return [
        match[0]
        for match in _CODE.finditer(reading.text)
        if re.search(r"\d", match[0])
        and not any(start <= match.start() < end for start, end in inside)
    ]


def _named_quote(reading: Reading, slot: Slot) -> list[str]:
    """Return quotes next to a word of the parameter's name: the player 'Sam', the 'fast' mode."""
    own = {stem(word) for word in words_of(slot.name) if word not in HOLLOW}
    found = []
    for side in (_words_before, _words_behind):
        found = [str(q.value) for q in reading.quotes if own & set(side(reading, q))]
        if found:
            break
    return found


def _words_before(reading: Reading, quote: Mention) -> list[str]:
    return [str(t.value) for t in reading.tokens if t.end <= quote.start][-2:]


def _words_behind(reading: Reading, quote: Mention) -> list[str]:
    behind = [t for t in reading.tokens if t.start >= quote.end][:2]
    return [
        str(t.value) for t in behind if not re.search(r"[,.;]", reading.text[quote.end : t.start])
    ]


def _between(reading: Reading, slot: Slot) -> list[str]:
    """One of the two things that something is between, or from and to."""
    words = {*words_of(slot.name)}
    first, second = bool(words & FIRST_OF_PAIR), bool(words & SECOND_OF_PAIR)
    match = re.search(r"(?i)\bbetween\s+(?:the\s+)?", reading.text)
    if first == second or match is None:
        return []
    named = sorted([*reading.quotes, *names(reading)], key=lambda mention: mention.start)
    named = [mention for mention in named if mention.start >= match.end()][:2]
    if len(named) < 2 or named[0].start > match.end() + 1:  # noqa: PLR2004  a pair
        return []
    if not re.search(r"\band\b", reading.text[named[0].end : named[1].start]):
        return []
    return [str(named[0 if first else 1].value)]


def _after_name(reading: Reading, slot: Slot) -> list[str]:
    """Return what follows a text parameter's name in its sentence: the command dir /s."""
    own = [word for word in slot.name_words if word in PROSE]
    for word in own:
        match = re.search(
            rf"(?i)\b{word}(?:\s+is)?\s*:?\s+(?!to\b|and\b|for\b|of\b|in\b|from\b|with\b|that\b)([^?!\n]+?)(?=[.?!]?\s*$|\.\s|,\s)",
            reading.text,
        )
        if match and not reading.quotes:
            return [clean(match[1])]
    return []


def _by_preposition(reading: Reading, slot: Slot) -> list[str]:
    """Return the name after "by" for a person, "from" for an origin, "to" for a target."""
    if _is_person(slot):
        return list(_behind(reading, r"by"))
    pair = {*words_of(slot.name)}
    both = re.search(r"(?i)\bfrom\b.+\b(?:in)?to\b", reading.text)
    if both and pair & _ORIGIN:
        return list(_behind(reading, r"from"))[:1]
    if both and pair & _TARGET:
        return list(_behind(reading, r"(?:in)?to"))[:1]
    return []


def _is_person(slot: Slot) -> bool:
    """Return whether a text parameter is somebody by what they do: "author", "directed_by"."""
    kinds = [*words_of(slot.name), *_PERSON.findall(slot.description)]
    return slot.type == "string" and (slot.named("by") or any(map(_AGENT.fullmatch, kinds)))


def _behind(reading: Reading, preposition: str) -> Iterator[str]:
    for match in re.finditer(rf"(?i)\b{preposition}\s+(?:the\s+)?['\"“]?", reading.text):
        name = next((name for name in names(reading) if name.start == match.end()), None)
        if name is not None:
            yield str(name.value)


def _placed(reading: Reading, slot: Slot) -> list[str]:
    """Return names after "in" or "near" for a place; of "Paris, France" the part asked for."""
    if not slot.named(*PLACES) or slot.named(*(_ORIGIN | _TARGET)):
        return []
    places = []
    for match in _AT.finditer(reading.text):
        joined = chain(reading, match.end())
        if not joined:
            continue
        if slot.named("location", "loc", "address", "place", "region", "destination", "origin"):
            value = ", ".join(joined)
        elif len(joined) > 1 and slot.named("country", "state", "province"):
            value = joined[-1]
        else:
            value = joined[0]
        places.append((match[1] in ("in", "at", "near", "around"), value))
    return [value for strong, value in places if strong] or [value for _, value in places]


def _holding(reading: Reading, slot: Slot) -> list[str]:
    """Return names that contain the parameter's word: the Premier League is a league."""
    own = {stem(word) for word in slot.name_words} - {stem("name")}
    return [
        str(name.value)
        for name in names(reading)
        if len(str(name.value).split()) > 1
        and any(stem(word) in own for word in re.findall(r"[^\W\d_]+", str(name.value))[1:])
    ]


def _behind_word(reading: Reading, slot: Slot) -> list[str]:
    """Return names right after the parameter's word: the company Apple, patient ID P12."""
    own = {stem(word) for word in slot.name_words} - {stem("name")}
    found = []
    for name in names(reading):
        before = [token for token in reading.tokens if token.end <= name.start][-1:]
        gap = reading.text[before[0].end : name.start] if before else "."
        if before and before[0].value in own and gap.strip(" :=#") == "":
            found.append(str(name.value))
    return found
