"""Requests for a reminder by what they must have: a cue, a text, and a time, in any order.

"In 45 minutes I need to take the lasagne out, give me a nudge" has its cue at the end. This reading
comes after the phrases of `reminder_phrases`, which know the usual order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from okso_jupyter.planning.personal_requests.moments_in_texts import (
    MomentIn,
    moment_at_an_end,
    moment_of_whole,
    moments_in,
)
from okso_jupyter.planning.personal_requests.reminder_phrases import REPEATS, Call, said_when
from okso_jupyter.planning.personal_requests.said_texts import is_one_text, plain

_A: Final = r"(?:an?|another|eine?n?)(?: (?:little|quick|short|gentle|new|kleine|kurze))?"
_SIGNAL: Final = (
    r"(?:nudge|reminder|heads[- ]?up|poke|shout|buzz|ping|alert|prod|notification|"
    r"task|to-?do|aufgabe|erinnerung|hinweis)"
)
_LIST: Final = (
    r"(?:to-?do|to do|todo|task|reminder|chore|aufgaben|erinnerungs)s?[- ]?(?:list|liste)?s?"
)
_CUE: Final = re.compile(
    rf"(?i)\b(?:(?:(?<![\w ])|(?<=: ))(?:(?:an? )?new |neue )?"
    rf"(?:reminder|erinnerung|to-?do|task|aufgabe)"
    rf"(?= (?:for|on|at|to|about|in|tomorrow|tonight|am|um|für|morgen)\b|:)|"
    r"remind(?:ed)?(?: me| us)?|(?:nudge|alert|ping|poke|buzz|prod|notify) me|"
    rf"(?:give|send|set|create|make|drop|have|get|i(?:'d like| need| want))"
    rf"(?: me| us| up| it| this| that)? {_A} {_SIGNAL}(?: ready| set(?: up)?)?(?: for me)?|"
    r"(?:please )?(?:don'?t|do not) let me forget|help me remember|(?:wake|jog) my memory|"
    r"erinnere?(?: mich| uns)|erinnert werden|"
    rf"(?:(?:put|add|stick|write|get|note|schreibe?|setze?|pack)(?: (?:it|that|this|das|es))? )?"
    rf"(?:to|on|onto|in|into|auf) (?:my|the|our|die|meine) {_LIST})(?![\w-])"
)
_CONNECTOR: Final = re.compile(
    r"(?i)(?:^|(?<=\s)|(?<=,))(?:to|about|that|of|dass|daran(?:,? dass)?|ans?|zum|wegen)\b"
    r"[ :]*(?=\S)|(?<=\s)[-\u2013\u2014](?=\s)|"
    r"(?:^|(?<=[\s\d,]))so(?: that)? (?=i\b|we\b)|(?<!\d):|:(?!\d)"
)
#: Words around a cue that say nothing of the reminder.
_FRAME: Final = re.compile(
    r"(?i)(?:^|(?<=\s))(?:(?:and|so|then|also|please|pls|can you|could you|would you|"
    r"i (?:should|must|need to|want to|would like to|have to) be|i'd like to be|"
    r"i(?:'d like| want| need)(?: you to)?|"
    r"make sure i(?:'m| am)|be sure to|und|bitte|ich (?:möchte|will|muss|sollte)|"
    r"we should be|let me be|have me|to be)\b[ ,]*)+$"
)
_DUTY: Final = re.compile(
    r"(?i)^(?:(?:i|we)(?:'ve| have)? (?:(?:really )?(?:need|have|ought|want|got|am supposed|'m "
    r"supposed|are supposed) to|must|should|gotta|need)|ich (?:muss|soll(?:te)?)|wir (?:müssen|"
    r"sollten)|i(?:'ve| have) got to) (?P<what>\S.*)$"
)
#: Tells why a reminder is wanted, and asks for nothing.
_STATEMENT: Final = re.compile(
    r"(?i)^(?:i|we|my|our|the|there|it|he|she|they|i'm|we're|i've|we've|there's|it's|ich|wir|"
    r"mein\w*|unser\w*|der|die|das|es|er|sie)\b"
)
_PRONOUN: Final = re.compile(r"(?i)^(?:of |about )?(?:it|that|this|them|daran|dran)$")
_LEAD: Final = re.compile(
    r"(?i)^(?P<count>\S+(?: an?| and a half)?) (?P<unit>minute|hour|day|week|minuten|stunde|tag|"
    r"woche)(?:s|n|en|e)? (?:before(?:hand)?|earlier|ahead|prior|vorher|davor|early)"
    r"(?: (?:that|then|it|of that|of it))?$"
)
_TO: Final = re.compile(r"(?i)^(?:to|about) (?=\S)")
_ASKS: Final = re.compile(
    r"(?i)^(?:what|what's|which|who|when|where|how|why|is|are|was|do|does|did|have|has|am|any|list|"
    r"show|mark|tick|check|cross|delete|remove|find|search|was|wer|wann|wo|wie|welche\w*|zeige?|"
    r"streiche?|hake?)\b|remind me (?:what|when|where|who|how|which)\b"
)
#: The moment that is named before.
_THEN: Final = re.compile(
    r"(?i)^(?:at (?:that|the same)(?: very)? (?:moment|time|point)|right then|then)$"
)
_MOST_WORDS: Final = 45


def cued_reminder(request: str, now: datetime) -> Call | None:
    """Return the call for a new reminder; None where a part is missing or not understood.

    Args:
        request: The request without courtesy.
        now: The present local time, without a zone.
    """
    if len(request.split()) > _MOST_WORDS or _ASKS.match(request):
        return None
    for cue in _CUE.finditer(request):
        before = request[: cue.start()].strip(" :,;.-\u2013\u2014")
        after = request[cue.end() :].strip(" ,;.-\u2013\u2014")
        call = next(_calls(before, after, now), None)
        if call:
            return call
    return None


def _calls(before: str, after: str, now: datetime) -> Iterator[Call]:
    """Yield how the words before and after a cue are a reminder."""
    context = _FRAME.sub("", before).strip(" ,")
    for connector in _CONNECTOR.finditer(after):
        when, what = after[: connector.start()].strip(" ,"), after[connector.end() :]
        if not _PRONOUN.match(after[connector.start() :].strip()):
            yield from _about(what, when, context, now)
    if not _CONNECTOR.search(after) or _PRONOUN.match(after):
        yield from _told(context, "" if _PRONOUN.match(after) else after, now)


def _about(what: str, when: str, context: str, now: datetime) -> Iterator[Call]:
    """Yield the reminder about a text that follows the cue."""
    if context and not (_STATEMENT.match(context) or moment_of_whole(context, now)):
        return
    at = moment_of_whole(when, now) if when else None
    lead = _lead(when, now)
    known = [*moments_in(context, now)]
    if _THEN.match(when) and known:
        yield from _reminder(what, known[0])
    elif lead and known:
        yield from _reminder(what, _earlier(known[0], lead))
    elif at:
        yield from _reminder(what, at)
    elif when:
        return
    elif context and (whole := moment_of_whole(context, now)):
        yield from _reminder(what, whole)
    elif not context:
        found = moment_at_an_end(what, now)
        yield from _reminder(found.rest, found) if found else _reminder(what, None)


def _told(context: str, when: str, now: datetime) -> Iterator[Call]:
    """Yield the reminder about a text that stands before the cue."""
    at = moment_of_whole(when, now) if when else None
    if not context or (when and not at):
        return
    found = None if at else moment_at_an_end(context, now)
    text = _undutied(found.rest if found else context)
    inner = None if at or found else moment_at_an_end(text, now)
    yield from _reminder(inner.rest if inner else text, at or found or inner)


def _undutied(text: str) -> str:
    """Return what somebody has to do, without the words that say so."""
    duty = _DUTY.match(text.strip(" ,"))
    return duty["what"] if duty else text


def _reminder(what: str, found: MomentIn | None) -> Iterator[Call]:
    title = plain(_TO.sub("", what.strip(" ,;.-\u2013\u2014!")))
    is_whole = is_one_text(title) and not REPEATS.search(title)
    if title and is_whole and not _PRONOUN.match(title):
        yield "reminders_create", {"title": title, **said_when(found.when if found else None)}


def _lead(text: str, now: datetime) -> timedelta | None:
    """Return how much earlier a text says: "ninety minutes before that"."""
    match = _LEAD.match(text)
    if match is None:
        return None
    later = moment_of_whole(f"in {match['count']} {match['unit']}s", now)
    if later is None:
        return None
    moment = later.when[0]
    at = moment if isinstance(moment, datetime) else datetime.combine(moment, now.time())
    return at - now.replace(second=0, microsecond=0)


def _earlier(found: MomentIn, lead: timedelta) -> MomentIn | None:
    moment = found.when[0]
    if not isinstance(moment, datetime):
        return None
    return MomentIn((moment - lead, found.when[1]))
