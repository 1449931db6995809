"""Requests to list or search mails, as one call; English and German.

Such a request is a word for mails among words that only ask for them ("show me all", "are there
any"), and may go on with what the mails are about. With any other word it is left to the model.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from okso_jupyter.personal.mail.mail_addresses import ADDRESS
from okso_jupyter.planning.personal_requests.framed_words import OWN
from okso_jupyter.planning.personal_requests.mail_words import MAIL, MAILS, MY, unquoted
from okso_jupyter.planning.personal_requests.residues import left_of

_NOUNS: Final = frozenset(
    "mail mails email emails e-mail e-mails message messages inbox mailbox post postfach "
    "posteingang nachricht nachrichten".split()
)
#: These name other things as well, unless they are the user's or somebody wrote them.
_OTHER_NOUNS: Final = frozenset("message messages post nachricht nachrichten".split())
_WRITTEN: Final = frozenset(
    "sent wrote written write writes replied emailed mailed geschickt geschrieben".split()
)
_UNREAD: Final = frozenset(
    "unread new unseen unopened fresh ungelesen ungelesene ungelesenen neue neuen neues".split()
)
#: Words that ask for mails and say nothing else about them.
_FRAME: Final = (
    frozenset(
        "show list display see view print get read check open give find fetch search look scan go "
        "through into me all any some every each of my our the a an i we in to at out do does did "
        "had have has got gotten received receive is are was were there what what's which who "
        "whether if how many new yet still not newest latest recent most last first ten five "
        "twenty old "
        "came come arrived waiting that anyone anybody someone somebody write written wrote "
        "emailed mailed up now currently today want zeige zeig liste öffne lies suche such finde "
        "mir alle allen meine meinen meinem meiner die der das dem den in habe ich gibt es hat was "
        "welche wie viele neuesten neueste letzten letzte noch nicht gelesen ob liegt steht ist "
        "say says let's haven't hasn't gibt's i've ive i'm there's seen opened looked replied us "
        "few couple arrived landed sitting lately been since so far anything something "
        "eingegangen angekommen da".split()
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
        (
            r"(?:did|has|have|hat) (?P<who>\S.*?) (?:ever )?(?:write|written|send|sent|"
            r"e-?mail(?:ed)?|mail(?:ed)?|"
            r"reply|replied|gotten back|get back)(?: back)?(?: to)?(?: me| us)?"
            r"(?: (?:anything|something|a mail|an e?-?mail|a message|back))?"
            r"(?: (?:about|regarding|on|concerning) (?P<input>\S.*?))?(?: (?:yet|lately|recently))?"
        ),
        (
            r"hat (?P<who>\S.*?) (?:mir|uns)(?: schon)?(?: (?:etwas|was))?"
            r"(?: (?:über|wegen|zu|zum|zur) (?P<input>\S.*?))? (?:geschrieben|geschickt|gemailt)"
        ),
        (
            r"(?:(?:is|was) there |do i have |have i got |have we got )?any (?:word|news|reply|"
            r"answer|"
            r"response|mail|e-?mails?|messages?) (?:yet )?from (?P<who>\S.*?)"
            r"(?: (?:about|regarding|on|concerning) (?P<input>\S.*?))?(?: yet)?"
        ),
        rf"suche?(?: nach)? (?P<input>\S.*?) in {MY}[mn]? (?:{MAILS}|postfach|posteingang)",
    )
)
#: Whom a question for mails of anybody names.
_ANYBODY: Final = frozenset("anyone anybody someone somebody i we they you jemand".split())
_SELVES: Final = frozenset("i we they you".split())
#: A time anywhere: mails are searched by their words alone.
_DATED: Final = re.compile(
    rf"(?i)\b(?:in|on|since|from|before|after|of|im|am|vom|seit) {_TIME.pattern}"
)
#: Mails that have not been read, said of reading them.
_TO_READ: Final = re.compile(r"\b(?:still|have|left|yet|need) to (?:be )?(?:read|open|look at)")
_WORD: Final = re.compile(r"[^\s,]+")
#: What joins the words that mails are to have: "from Ada about the beam time".
_SAYING: Final = re.compile(
    r"(?i)\b(?:about|from|regarding|concerning|mention(?:s|ed|ing)?|talk(?:s|ed|ing)? (?:about|of)|"
    r"(?:say|write|wrote|ask|complain)(?:s|ed|ing)? (?:about|of|for)|said|says|asked|wrote|"
    r"tells? me|told me|über|wegen|von|schreibt|erwähnt)\b"
    r"(?: (?:the|a|an|my|our|der|die|das|den|dem)\b)?"
)
#: Behind these a clause says what a mail is about.
_CLAUSES: Final = frozenset({"where", "wherein", "worin"})


def reading_steps(request: str) -> tuple[Mapping[str, Any], ...]:
    """Return the call of a request that only lists or searches mails; () for any other."""
    said = " ".join(request.split()).rstrip(" ?.!")
    if _GOES_ON.search(said):
        return ()
    for pattern in _REVERSED:
        if match := pattern.fullmatch(said):
            parts = match.groupdict()
            who = parts.get("who") or ""
            if who.lower() in _ANYBODY:
                if parts["input"] and who.lower() not in _SELVES:
                    return _search(_named(parts["input"]))
                break
            return _search(" ".join(filter(None, (_named(who), _named(parts["input"] or "")))))
    words = list(_WORD.finditer(said))
    for place, word in enumerate(words):
        before = [one[0].lower() for one in words[:place]]
        if _is_connector(word[0].lower(), before):
            if _asks_for_mails(before):
                return _search(said[word.end() :].strip())
            break
    every = [word[0].lower() for word in words]
    return _listing(every) if _asks_for_mails(every) else _asked_about(said, every)


def _asked_about(said: str, words: Sequence[str]) -> tuple[Mapping[str, Any], ...]:
    """Return the call of a question about mails in words of any kind: a list, or a search."""
    is_mail = not (_NOUNS - _OTHER_NOUNS).isdisjoint(words) or not (OWN | _WRITTEN).isdisjoint(
        words
    )
    if ADDRESS.search(said) or not is_mail or _DATED.search(said):
        return ()
    left = left_of(said, _NOUNS | {"emailed"}, _UNREAD)
    if left is None:
        return ()
    if not left:
        return _listing(words)
    return () if "many" in words else _search(" ".join(left))


def _is_connector(word: str, before: Sequence[str]) -> bool:
    """Return whether what is wanted stands behind a word; "for" says so after "search"."""
    is_wanted = word == "for" and bool(_SEEKING & set(before)) and bool(_NOUNS & set(before))
    return word in _CONNECTORS | _CLAUSES or is_wanted


def _asks_for_mails(words: Sequence[str]) -> bool:
    """Return whether words ask for mails, and for nothing else."""
    rest = [word for word in words if word not in _FRAME and word != "for"]
    return bool(rest) and set(rest) <= _NOUNS


def _listing(words: Sequence[str]) -> tuple[Mapping[str, Any], ...]:
    """Return the call that lists mails: the unread ones if that is asked."""
    said = " ".join(words)
    is_unread = (
        bool(_UNREAD & set(words))
        or _TO_READ.search(said)
        or re.search(
            (
                r"(?:\bnot|haven't|hasn't) (?:i |we )?(?:yet )?(?:been )?"
                r"(?:read|opened|seen|looked)|nicht gelesen"
            ),
            said,
        )
    )
    if is_unread:
        return ({"tool": "mail_list_unread", "args": {}, "title": "List unread mails"},)
    return ({"tool": "mail_list_inbox", "args": {}, "title": "List the newest mails"},)


def _named(text: str) -> str:
    """Return a name or a thing without the article before it."""
    return _BEFORE_WANTED.sub("", text, count=1)


def _without_saying(text: str) -> str:
    """Return the words of a text without those between them that only say how they belong."""
    return " ".join(_SAYING.sub(" ", re.sub(r"(?i)^what ", "", text)).split())


def _search(wanted: str) -> tuple[Mapping[str, Any], ...]:
    """Return the call that searches mails; () for what is no word of a mail."""
    plain = _BEFORE_WANTED.sub("", _PLACE.sub("", wanted), count=1)
    words = unquoted(plain)
    if words == plain.strip():
        words = _without_saying(words)
    if not words or _TIME.match(words):
        return ()
    return (
        {"tool": "mail_search", "args": {"input": words}, "title": f"Search the mails for {words}"},
    )
