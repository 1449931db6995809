"""Requests to write a note by what they must have: a word for notes, and the text, in any order.

The text stands behind a colon, behind "that", or in the clause that "save this as a note" refers
to. A title stands behind a word such as "called", or is that of a note that exists.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from okso_jupyter.planning.personal_requests.known_titles import mentioned
from okso_jupyter.planning.personal_requests.mail_words import QUOTED
from okso_jupyter.planning.personal_requests.reminder_phrases import Call
from okso_jupyter.planning.personal_requests.said_texts import is_one_text, plain
from okso_jupyter.planning.personal_requests.written_parts import at_colon

_NOTE: Final = re.compile(
    r"(?i)\b(?:notes?|memo|notiz(?:en|zettel)?|jot|scribble|"
    r"(?:write|put|take|get|note) (?:\w+ )?down|notiere?|aufschreiben|vermerke?)\b"
)
_TITLED: Final = re.compile(
    r"(?i)\b(?:called|titled|named|entitled|headed|headlined|"
    r"(?:with|under|by|of) the (?:title|name|heading)|title|name|namens|betitelt|"
    r"(?:unter|mit) dem (?:titel|namen)|titel|überschrift)"
    r"(?: it| is| should be|:)? "
    r"(?P<title>\S.*?)(?: an| (?:an?|eine) (?:new )?(?:note|notiz|memo))?"
    r"(?:,? (?:and|with|und|mit|saying|that says|reading|containing)\b.*)?$"
)
_QUOTED_TITLE: Final = re.compile(
    rf"(?i)(?:\b(?:an?|new|another|neue|eine)|^(?:create|make|start|erstelle?|lege?|mache?) "
    rf"(?:the|die)) (?:\w+ )?(?:note|memo|notiz):? (?P<title>{QUOTED})"
)
#: Verbs that write, wherever they stand in what leads to a text.
_WRITING: Final = re.compile(
    r"(?i)\b(?:add|append|put|write|stick|jot|note|record|enter|log|tack|pin|paste|scribble|save|"
    r"keep|store|make|create|start|take|new|include|extend|update|insert|leave|drop|pop|"
    r"schreibe?|füge?|ergänze?|notiere?|trage?|setze?|leg|lege|erstelle?|mache?|neue|speichere?|"
    r"hänge?|vermerke?)\b"
)
#: Looks for something, or takes it away.
_OTHERWISE: Final = re.compile(
    r"(?i)^(?:find|search|look|show|list|open|read|delete|remove|erase|copy|move|rename|what|which|"
    r"who|where|when|did|do|does|is|are|has|have|how|remind|send|draft|e?-?mail|suche?|finde|"
    r"zeige?|lies|öffne|lösche?|was|wer|wo|wann|welche\w*)\b"
)
_LEAD: Final = (
    r"(?:(?:(?:an?|new|quick|short|another|eine|neue|kurze) )*(?:note|memo|notiz)"
    r"(?: to self| for me| an mich)?|halte? fest|festhalten|(?:please )?remember(?: this)?|"
    r"(?:i (?:need|want|have) to )?(?:keep|save|store|note) (?:this|that)"
    r"(?: somewhere| down| for me| for later)?)"
)
_A_NOTE: Final = re.compile(_LEAD, re.IGNORECASE)
#: "Quick memo - the scooter takes 95 octane".
_DASHED: Final = re.compile(rf"(?i){_LEAD} [-\u2013\u2014] (?P<body>\S.*)")
#: "File a note, heading: Violin, wording: the bridge is warped".
_LABELLED: Final = re.compile(
    r"(?i)\b(?:note|memo|notiz)\b.*?\b(?:title|heading|headline|titel|überschrift):? "
    r"(?P<title>[^,;:]+)[,;.] (?:and |und )?(?:the |der )?"
    r"(?:text|body|wording|contents?|inhalt)(?: is)?:? (?P<body>\S.+)"
)
#: "My reading list needs Middlemarch on it".
_NEEDS: Final = re.compile(
    r"(?i)(?P<title>.+?) (?:also |still |noch )?(?:needs|should (?:have|say|include)|braucht) "
    r"(?P<body>[^:]*?[^:\s])(?: on it| in it| as well| too| added)?"
)
_NEW: Final = re.compile(r"(?i)\b(?:an?|new|another|neue|eine)\b(?: \w+)? (?:note|memo|notiz)\b")
#: "Note down under 'Choir tour' that the coach leaves from gate B".
_UNDER: Final = re.compile(
    r"(?i)^(?:note|write|put|jot|notiere?|schreibe?)(?: down| auf)? (?:under|unter) "
    rf"(?:the (?:title|name) )?(?P<title>{QUOTED}|[^:,]+?),? (?:that|dass) (?P<body>\S.*)$"
)
#: A note in quotation marks, and its text in others.
_TWO_QUOTED: Final = re.compile(
    rf"(?i)\b(?:an?|new|fresh|another|neue|eine) (?:\w+ )?(?:note|memo|notiz)(?: called| named| "
    rf"titled)?:?,? (?P<title>{QUOTED})[^:]{{0,40}}? (?P<body>{QUOTED})$"
)
_THAT: Final = re.compile(
    r"(?i)^(?P<head>(?:(?:make|write|take|leave|keep|add|put|schreibe?|mache?|notiere?|note|jot|get)\b"
    r"[^,:]{0,40}?\b)?(?:note|down|memo|notiz|notiere?|auf))(?: for me| somewhere| dir| an)?,? "
    r"(?:that|saying|dass) (?P<body>\S.*)$"
)
#: Says of another clause that it is a note: "save this as a note", "stick them on the X note".
_REFERRING: Final = (
    r"(?:please |pls |can you |could you |bitte )*(?:save|keep|store|put|write|stick|add|note|jot|"
    r"record|append|get|pop|log|speichere?|schreibe?|notiere?|setze?|pack)(?: down)? "
    r"(?:this|that|it|them|those|das|es|sie|die)(?: down)?"
    r"(?P<where> (?:as|in|into|to|on|onto|under|at the (?:end|bottom) of|als|in|auf|zu|unter)\b"
    r"[^,:;]*?)?(?: for me| please| pls| bitte)?"
)
_BEFORE: Final = re.compile(rf"(?i)^{_REFERRING}(?:[,:;]| [-\u2013\u2014])+ ?(?P<body>\S.*)$")
_BEHIND: Final = re.compile(rf"(?i)^(?P<body>\S.*?)(?:[,;.]| [-\u2013\u2014])+ {_REFERRING}$")
#: Words that may stand beside the title of a note where none of them says that it is written.
_MOST_LEADING: Final = 4
#: Says at the end of a text that it is to be added.
_ADD_IT: Final = re.compile(
    r"(?i)[.;,] (?:please |bitte )?(?:add|append|note|put|füge?|schreibe?|hänge?) "
    r"(?:it|that|this|das|es)(?: (?:an|hinzu|dazu|there|in))?(?: please| bitte)?[.!]?$"
)
_LED_IN: Final = re.compile(
    r"(?i)^(?:(?:the|die|den) )?(?:following |folgende[ns]? )?"
    r"(?:line|text|sentence|item|entry|point|zeile|satz|eintrag):? "
)

_Titles = Callable[[], Sequence[str]]


def cued_note(request: str, titles: _Titles) -> Call | None:
    """Return the call that writes a note or adds to one; None for any other request.

    Args:
        request: The request without courtesy.
        titles: Returns the titles of the notes; read only where the request may name one.
    """
    if _OTHERWISE.match(request):
        return None
    return next(filter(None, (read(request, titles) for read in _READERS)), None)


def _outright(request: str, titles: _Titles) -> Call | None:
    """Return the call of a request that says title and text, or the text alone, behind a word."""
    found = next(filter(None, (p.search(request) for p in (_UNDER, _TWO_QUOTED, _LABELLED))), None)
    if found:
        return _written(found["title"], found["body"])
    dashed = _DASHED.fullmatch(request)
    if dashed:
        return _written("", dashed["body"])
    that = _THAT.match(request)
    if that is None:
        return None
    known = "" if _NEW.search(that["head"]) else _known(that["head"], titles)
    return _added(known, that["body"]) if known else _written("", that["body"])


def _lacking(request: str, titles: _Titles) -> Call | None:
    """Return the call of a request that says what a note that exists needs."""
    needs = _NEEDS.fullmatch(request)
    known = _known(needs["title"], titles) if needs else ""
    return _added(known, needs["body"]) if needs and known else None


def _behind_any_colon(request: str, titles: _Titles) -> Call | None:
    parts = at_colon(_ADD_IT.sub("", request))
    if parts:
        return _behind_colon(*parts, titles)
    head, dash, body = request.partition(" - ")
    known = _known(head, titles) if dash else ""
    return _added(known, body) if known and _is_lead(head, known) else None


def _referred(request: str, titles: _Titles) -> Call | None:
    """Return the call of a request of which one clause says that the other is a note."""
    for match in filter(None, (_BEFORE.match(request), _BEHIND.match(request))):
        where = match["where"] or ""
        known = _known(where, titles) if where else ""
        if known or _NOTE.search(where):
            return _added(known, match["body"]) if known else _written("", match["body"])
    return None


def _behind_colon(head: str, body: str, titles: _Titles) -> Call | None:
    is_note = bool(_NOTE.search(head))
    titled = (_TITLED.search(head) or _QUOTED_TITLE.search(head)) if is_note else None
    if titled:
        return _written(titled["title"], body)
    if _A_NOTE.fullmatch(head):
        return _written("", body)
    known = "" if _NEW.search(head) else _known(head, titles)
    return _added(known, body) if known and _is_lead(head, known) else None


def _is_lead(head: str, title: str) -> bool:
    """Return whether what stands before a colon leads to a text for a note: little beside it."""
    rest = re.sub(re.escape(title), " ", head, flags=re.IGNORECASE).split()
    return bool(_WRITING.search(head)) or len(rest) <= _MOST_LEADING


def _known(text: str, titles: _Titles) -> str:
    """Return the title of a note that a text names; "" for none."""
    every = titles()
    found = mentioned(text, every)
    return next((t for t in every if found and t.casefold() == plain(found[0]).casefold()), "")


def _written(title: str, body: str) -> Call | None:
    named = plain(title.strip(" ,.:"))
    text = plain(body)
    if not text or not is_one_text(body) or (named and not is_one_text(named)):
        return None
    return "notes_create", {**({"title": named} if named else {}), "body": text}


def _added(title: str, body: str) -> Call | None:
    text = plain(_LED_IN.sub("", body))
    return ("notes_append", {"title": title, "body": text}) if is_one_text(body) else None


_READERS: Final = (_outright, _lacking, _behind_any_colon, _referred)
