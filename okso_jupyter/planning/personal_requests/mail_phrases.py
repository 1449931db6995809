"""Requests to list or search mails, as one call; English and German."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from okso_jupyter.planning.personal_requests.mail_words import MAIL, MAILS, MY, unquoted

_SHOW: Final = (
    r"(?:show|list|display|see|view|print|get|read|check|open|give|zeige?|liste|öffne|lies)"
    r"(?: me| mir)?(?: all| alle)?(?: of)?"
)
_HAVE: Final = (
    r"(?:do i have|have i got|have i received|have i gotten|did i get|did i receive|are there|"
    r"is there|got|habe ich|gibt es)"
)
_PLACE: Final = rf"(?: (?:in|to) {MY} (?:inbox|mailbox|mail|e-?mails?|postfach|posteingang))"
_THAT_CAME: Final = (
    r"(?: (?:that )?(?:i (?:have )?(?:got|received)|(?:have )?(?:arrived|come in|came in)))"
)
_NEWEST: Final = r"(?:newest|latest|most recent|recent|last|neuesten?|letzten?)"
_UNREAD: Final = r"(?:unread|new|unseen|unopened|ungelesenen?|neuen?)"
_INBOX: Final = r"(?:inbox|mailbox|postfach|posteingang)"
_ABOUT: Final = (
    r"(?:about|on|with|from|by|regarding|concerning|containing|mentioning|that (?:mention|contain|"
    r"are about|came from)s?|which (?:mention|contain)|über|von|zu|zum|zur|mit)"
)
_DID_ANYBODY_WRITE: Final = (
    r"(?:did|has) (?:anyone|anybody|someone|somebody) "
    r"(?:e-?mail|write|mail|written|e-?mailed)(?: to)?"
)
_CHECK_WHETHER: Final = (
    r"(?:check|see|look) (?:whether|if) (?:i have|there is|there are|i got)(?: any| an?| some)?"
    rf"(?: {_UNREAD})?"
)
_WANTED: Final = r"(?P<input>\S.*)"

_UNREAD_PHRASES: Final = (
    rf"(?:{_HAVE} )?(?:any |some )?{_UNREAD} (?:{MAILS}|{MAIL}){_PLACE}?",
    rf"{_SHOW}(?: for)?(?: {MY})?(?: any)? {_UNREAD} (?:{MAILS}|{MAIL}){_PLACE}?",
    rf"how many {_UNREAD} {MAILS} (?:{_HAVE}|are (?:there|waiting)){_PLACE}?",
    rf"wie viele {_UNREAD} {MAILS} (?:{_HAVE}){_PLACE}?",
    (
        rf"(?:which|what|welche)(?: of {MY})? {MAILS} (?:are|have i|sind|habe ich)"
        r"(?: still)? (?:unread|not (?:yet )?read|not read yet|new|ungelesen|noch nicht gelesen)"
    ),
    rf"what(?:'s| is) (?:unread|new){_PLACE}",
    rf"(?:what|which) {_UNREAD} (?:{MAILS}|{MAIL}) {_HAVE}{_PLACE}?",
    rf"(?:what|which) {_UNREAD} (?:{MAILS}|{MAIL}) (?:is|are) there{_PLACE}?",
)
_INBOX_PHRASES: Final = (
    rf"what(?:'s| is| lies) in {MY} {_INBOX}",
    rf"was (?:ist|liegt|steht) in {MY}[mn]? {_INBOX}",
    rf"{_SHOW} what(?:'s| is) in {MY} {_INBOX}",
    rf"{_SHOW}(?: {MY})?(?: {_NEWEST})?(?: {MY})? (?:{_INBOX}|{MAILS}){_PLACE}?{_THAT_CAME}?",
    rf"{_SHOW} {MY}(?: {_NEWEST})? {MAIL}",
    rf"(?:what|which) (?:are|were) {MY} {_NEWEST} {MAILS}",
    rf"(?:what|which) {MAILS} (?:{_HAVE}|came in|arrived|came){_PLACE}?",
)
_SEARCH_PHRASES: Final = (
    (
        rf"(?:search|scan|go)(?: through| in)?(?: all)?(?: {MY})? (?:{MAILS}|{MAIL}|{_INBOX}) "
        rf"(?:for|about) {_WANTED}"
    ),
    rf"look(?: through| in| into)(?: all)? {MY} (?:{MAILS}|{MAIL}|{_INBOX}) for {_WANTED}",
    (
        rf"(?:search for|look for|find|search|get) (?P<input>\S.*?) (?:in|among) (?:all )?{MY} "
        rf"(?:{MAILS}|{MAIL}|{_INBOX})"
    ),
    rf"suche?(?: bitte)?(?: in)? (?:allen )?{MY}[mn]? (?:{MAILS}|{_INBOX}) nach {_WANTED}",
    rf"suche?(?: nach)? (?P<input>\S.*?) in {MY}[mn]? (?:{MAILS}|{_INBOX})",
    (
        rf"(?:{_SHOW}|find(?: me)?(?: all)?|search(?: for)?|finde(?: alle)?)(?: any| every| each)?"
        rf"(?: {MY})?(?: {_UNREAD}| old)? (?:{MAILS}|{MAIL}|messages?) {_ABOUT} {_WANTED}"
    ),
    (
        rf"(?:which|what|welche)(?: of)?(?: {MY})? {MAILS} (?:mention|contain|are about|are from|"
        rf"talk about|come from|came from|erwähnen|enthalten|sind von) {_WANTED}"
    ),
    rf"{_DID_ANYBODY_WRITE} me (?:about|regarding|concerning) {_WANTED}",
    rf"{_CHECK_WHETHER} (?:{MAILS}|{MAIL}) {_ABOUT} {_WANTED}",
    rf"{_HAVE}(?: any| an?| some)?(?: {_UNREAD})? (?:{MAILS}|{MAIL}) {_ABOUT} {_WANTED}",
)
_PHRASES: Final = tuple(
    (tool, re.compile(pattern, re.IGNORECASE))
    for tool, patterns in (
        ("mail_list_unread", _UNREAD_PHRASES),
        ("mail_list_inbox", _INBOX_PHRASES),
        ("mail_search", _SEARCH_PHRASES),
    )
    for pattern in patterns
)
_ARTICLE: Final = re.compile(
    r"(?:the|a|an|my|our|der|die|das|den|dem|meiner?|einer?) ", re.IGNORECASE
)
#: What only another step can do with the mails that are found.
_GOES_ON: Final = re.compile(
    r"(?i)\b(?:and|then|und|dann) (?:send|reply|answer|forward|delete|write|save|summari[sz]e|tell|"
    r"draft|move|add|make|create|sende|schreibe?|lösche?|speichere?)\b|\b(?:into|to) \S+\.\w+$"
)


def reading_steps(request: str) -> tuple[Mapping[str, Any], ...]:
    """Return the call of a request that only lists or searches mails; () for any other."""
    said = " ".join(request.split()).rstrip(" ?.!")
    if _GOES_ON.search(said):
        return ()
    for tool, pattern in _PHRASES:
        match = pattern.fullmatch(said)
        if match:
            return tuple(_steps(tool, match.groupdict().get("input")))
    return ()


def _steps(tool: str, wanted: str | None) -> Iterator[Mapping[str, Any]]:
    """Yield the call, with its words if it searches."""
    titles = {"mail_list_unread": "List unread mails", "mail_list_inbox": "List the newest mails"}
    if wanted is None:
        yield {"tool": tool, "args": {}, "title": titles[tool]}
        return
    words = unquoted(_ARTICLE.sub("", wanted, count=1) if _ARTICLE.match(wanted) else wanted)
    if words:
        yield {"tool": tool, "args": {"input": words}, "title": f"Search the mails for {words}"}
