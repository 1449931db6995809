"""Requests to list or search mails, as one call; English and German.

Such a request is a word for mails among words that only ask for them ("show me all", "are there
any"), and may go on with what the mails are about. With any other word it is left to the model.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from okso_jupyter.planning.personal_requests.mail_words import MAIL, MAILS, MY, unquoted

_NOUNS: Final = frozenset(
    "mail mails email emails e-mail e-mails message messages inbox mailbox post postfach "
    "posteingang nachricht nachrichten".split()
)
_UNREAD: Final = frozenset(
    "unread new unseen unopened ungelesen ungelesene ungelesenen neue neuen".split()
)
#: Words that ask for mails and say nothing else about them.
_FRAME: Final = (
    frozenset(
        "show list display see view print get read check open give find fetch search look scan go "
        "through into me all any some every each of my our the a an i we in to at out do does did "
        "have has got gotten received receive is are was were there what what's which who whether "
        "if how many new yet still not newest latest recent most last first ten five twenty old "
        "came come arrived waiting that anyone anybody someone somebody write written wrote "
        "emailed mailed up now currently today want zeige zeig liste öffne lies suche such finde "
        "mir alle allen meine meinen meinem meiner die der das dem den in habe ich gibt es hat was "
        "welche wie viele neuesten neueste letzten letzte noch nicht gelesen ob liegt steht ist "
        "say says".split()
    )
    | _UNREAD
)
#: Words behind which stands what mails are about, or who wrote them.
_CONNECTORS: Final = frozenset(
    "about regarding concerning from by with containing contain contains mentioning mention "
    "mentions über von zu zum zur mit nach erwähnen enthalten".split()
)
_SEEKING: Final = frozenset("search look scan go find suche such".split())
#: What may stand between such a word and what is wanted.
_BEFORE_WANTED: Final = re.compile(
    r"(?:(?:anything|something|those|ones|messages?|mails?|e-?mails?|any) (?:about|from|with) )?"
    r"(?:(?:the|a|an|my|our|der|die|das|den|dem|meiner?|einer?) )?(?:words? (?=\S))?",
    re.IGNORECASE,
)
_PLACE: Final = re.compile(
    rf" in {MY} (?:inbox|mailbox|mail|e-?mails?|postfach|posteingang)$", re.IGNORECASE
)
#: Times, which are no words of a mail.
_TIME: Final = re.compile(
    r"(?:last|this|next|the past|the last|today|yesterday|tomorrow|since|before|after|between|\d|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|"
    r"september|october|november|december|heute|gestern|letzte|diese)\b",
    re.IGNORECASE,
)
#: What only another step can do with the mails that are found, or another place.
_GOES_ON: Final = re.compile(
    r"(?i)\b(?:and|then|und|dann) (?:send|reply|answer|forward|delete|write|save|summari[sz]e|tell|"
    r"draft|move|add|make|create|count|sende|schreibe?|lösche?|speichere?)\b|(?:^|\s)[^\s@]+\.[a-z]\w{0,4}\b"
)
#: Requests that name what is wanted before the mails.
_REVERSED: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        (
            rf"(?:search for|look for|find|search|get|look up) (?P<input>\S.*?) (?:in|among) "
            rf"(?:all )?{MY} (?:{MAILS}|{MAIL}|inbox|mailbox)"
        ),
        rf"suche?(?: nach)? (?P<input>\S.*?) in {MY}[mn]? (?:{MAILS}|postfach|posteingang)",
    )
)
_WORD: Final = re.compile(r"[^\s,]+")


def reading_steps(request: str) -> tuple[Mapping[str, Any], ...]:
    """Return the call of a request that only lists or searches mails; () for any other."""
    said = " ".join(request.split()).rstrip(" ?.!")
    if _GOES_ON.search(said):
        return ()
    for pattern in _REVERSED:
        if match := pattern.fullmatch(said):
            return _search(match["input"])
    words = list(_WORD.finditer(said))
    for place, word in enumerate(words):
        before = [one[0].lower() for one in words[:place]]
        if _is_connector(word[0].lower(), before):
            return _search(said[word.end() :].strip()) if _asks_for_mails(before) else ()
    every = [word[0].lower() for word in words]
    return _listing(every) if _asks_for_mails(every) else ()


def _is_connector(word: str, before: Sequence[str]) -> bool:
    """Return whether what is wanted stands behind a word; "for" says so after "search"."""
    is_wanted = word == "for" and bool(_SEEKING & set(before)) and bool(_NOUNS & set(before))
    return word in _CONNECTORS or is_wanted


def _asks_for_mails(words: Sequence[str]) -> bool:
    """Return whether words ask for mails, and for nothing else."""
    rest = [word for word in words if word not in _FRAME and word != "for"]
    return bool(rest) and set(rest) <= _NOUNS


def _listing(words: Sequence[str]) -> tuple[Mapping[str, Any], ...]:
    """Return the call that lists mails: the unread ones if that is asked."""
    said = " ".join(words)
    is_unread = bool(_UNREAD & set(words)) or re.search(r"\bnot (?:yet )?read|nicht gelesen", said)
    if is_unread:
        return ({"tool": "mail_list_unread", "args": {}, "title": "List unread mails"},)
    return ({"tool": "mail_list_inbox", "args": {}, "title": "List the newest mails"},)


def _search(wanted: str) -> tuple[Mapping[str, Any], ...]:
    """Return the call that searches mails; () for what is no word of a mail."""
    plain = _BEFORE_WANTED.sub("", _PLACE.sub("", wanted), count=1)
    words = unquoted(plain)
    if not words or _TIME.match(words):
        return ()
    return (
        {"tool": "mail_search", "args": {"input": words}, "title": f"Search the mails for {words}"},
    )
