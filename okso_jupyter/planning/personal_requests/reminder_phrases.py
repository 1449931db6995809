"""Requests about reminders, as a tool and its arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final

from okso_jupyter.personal.ical.spoken_clock import with_digits
from okso_jupyter.planning.personal_requests.moments_in_texts import is_bare_number
from okso_jupyter.planning.personal_requests.said_texts import (
    TEXT,
    Phrase,
    first_said,
    is_one_text,
    phrase,
    plain,
)
from okso_jupyter.planning.personal_requests.spoken_ranges import spoken_range
from okso_jupyter.planning.personal_requests.spoken_repeats import spoken_when

#: What would be lost from a title: how often it comes again, in words that are not read.
REPEATS: Final = re.compile(r"(?i)\b(?:every|each|jede[nrms]?) \w+|\b(?:daily|weekly|monthly)$")
_TO_AN_HOUR: Final = re.compile(
    r"(?i)\bat (?:(?:a )?quarter|five|ten|twenty(?:[ -]five)?) to \w+\b"
)
Call = tuple[str, Mapping[str, str]]

_LIST: Final = (
    r"(?:list|(?:to-?dos?|todos?|to do|task|reminder)(?:[ -]?list)?s?|reminders|tasks|erinnerungen|"
    r"aufgaben(?:liste)?)"
)
_A_REMINDER: Final = r"(?:an?|eine?) (?:new )?(?:reminder|task|to-?do|erinnerung|aufgabe)"
_NOTED: Final = r"(?:put|add|note|write|stick|get|have)"
_ABOUT: Final = r"(?:to|about|that|of|:|daran,?(?: dass)?|ans?)"
_ABOUT_WORD: Final = re.compile(rf"(?i),? {_ABOUT} ")
_OFTEN: Final = re.compile(
    r"(?i)\b(?P<often>daily|weekly|monthly|yearly) (?=(?:reminder|task|to-?do)\b)"
)
_NEW: Final = tuple(
    re.compile(rf"(?i){pattern}")
    for pattern in (
        (
            r"(?:(?:remind|ping|nudge|alert|notify) me|be reminded|erinnere? mich)"
            r"(?: (?P<when>.+?))??,? "
            rf"{_ABOUT} (?P<what>.+)"
        ),
        (
            r"(?:set(?: up)?|create|make|add|give|leave|i(?:'d like| need| want))(?: me)? "
            rf"{_A_REMINDER}(?: (?P<when>.+?))??,? ?{_ABOUT} (?P<what>.+)"
        ),
        (
            r"(?:add|put|schreibe?|setze?) (?P<what>.+?) (?:to|on|onto|in|auf) (?:my|the|meine)"
            rf" {_LIST}"
            r"(?: (?P<when>(?:for|by|due|on|until|bis) .+))?"
        ),
        r"(?:i (?:need|have) to|ich muss) (?P<what>.+), remind me(?: (?P<when>.+))?",
        (
            r"(?:i|we)(?:'ve| have)? (?:(?:need|have|ought|want|got) to|must|should|gotta) "
            rf"(?P<what>.+?)(?:,|;| -| \u2013| so| and)+ (?:please )?(?:{_NOTED} (?:it|that|this)|"
            rf"remind me|don'?t let me forget)(?: down| it| that)?(?: (?:of|about) it)?"
            rf"(?: (?:to|on|onto|in|into) (?:my|the) {_LIST})?"
        ),
        (
            rf"(?P<what>.+?)(?:,|;| -| \u2013)+ (?:please )?(?:(?:{_NOTED} (?:it|that|this)(?: "
            r"down)? "
            rf"(?:to|on|onto|in|into) (?:my|the) {_LIST})|remind me|don'?t let me forget)"
            rf"(?: (?:it|that|(?:of|about) (?:it|that)))?"
        ),
        (
            r"(?P<when>\S.*?),? (?:(?:remind|ping|nudge|alert) me|"
            rf"erinnere? mich) {_ABOUT} (?P<what>.+)"
        ),
        (
            r"(?:(?:new )?(?:reminder|to-?do|task)|(?:neue )?(?:erinnerung|aufgabe))(?: to|:) "
            r"?(?P<what>.+)"
        ),
        (
            r"(?:remember|be sure|denk daran,?|denk dran,?|vergiss nicht,?) (?:to "
            r")?(?P<what>(?!that\b|:).+)"
        ),
        rf"(?:add|put|schreibe?) (?:to|on|onto|auf) (?:my|the|meine) {_LIST}: ?(?P<what>.+)",
        r"(?:make sure|see to it) (?:that )?i (?:don'?t forget to )?(?P<what>.+)",
        r"(?:don'?t let me|i must(?: not|n'?t)|let me not) forget (?:to )?(?P<what>.+)",
    )
)
_INPUT: Final = rf"(?:the |my )?(?:reminder |task |to-?do |erinnerung |aufgabe )?(?P<input>{TEXT})"
_DONE: Final[tuple[Phrase, ...]] = (
    phrase(
        "reminders_complete",
        rf"(?:i .+?, )?(?:mark|set|put) {_INPUT} (?:as|to) (?:done|completed?|finished)",
    ),
    phrase("reminders_complete", rf"(?:i .+?, )?(?:tick|check|cross|mark) off {_INPUT}"),
    phrase(
        "reminders_complete",
        rf"(?:tick|check|cross|mark) {_INPUT} off(?: (?:of )?my (?:list|{_LIST}))?",
    ),
    phrase(
        "reminders_complete",
        rf"(?:complete|finish) (?:the|my) (?:reminder|task|to-?do)s? (?P<input>{TEXT})",
    ),
    phrase(
        "reminders_complete",
        rf"(?:the |my |die )(?:reminder|task|to-?do|erinnerung|aufgabe) (?P<input>{TEXT}) "
        r"(?:is|ist|has been) (?:done|finished|completed?|erledigt)",
    ),
    phrase("reminders_complete", r"i(?:'m| am) (?:done|finished) with (?P<input>[^,]+)"),
    phrase("reminders_complete", rf"(?:hake?|markiere?) {_INPUT} (?:ab|als erledigt)"),
)
_LISTED: Final = tuple(
    re.compile(rf"(?i){pattern}")
    for pattern in (
        (
            rf"(?:show|list|give|tell|zeige?|what are|which are)(?: me| mir)?(?: all)?(?: of)? "
            rf"(?:my|the|meine)(?: open| offenen)? {_LIST}(?: (?P<range>.+))?"
        ),
        (
            r"what (?:do i|must i|should i|have i(?: got)?)(?: still)?(?: have| need)? ?to do(?: "
            r"(?P<range>.+))?"
        ),
        rf"what(?:'s| is)(?: still)? (?:due|left to do|to do|on my {_LIST})(?: (?P<range>.+))?",
        rf"(?:which|what)(?: of my)? {_LIST} (?:are (?:due|open)|do i have)(?: (?P<range>.+))?",
        rf"what(?:'s| is)(?: still)? open on my (?:{_LIST}|list of {_LIST})(?: (?P<range>.+))?",
        r"(?:is )?(?:anything|something) due(?: (?P<range>.+))?",
        (
            r"(?:is there |do i have |have i got )?(?:anything|something) (?:still |left |open )?"
            rf"on my {_LIST}(?: (?P<range>.+))?"
        ),
        r"was (?:muss|habe) ich(?: (?P<range>.+?))? (?:noch )?(?:zu )?(?:tun|erledigen|machen)",
        r"was ist(?: (?P<range>.+?))? fällig",
    )
)


def reminder_asked(request: str, now: datetime) -> Call | None:
    """Return the call of a request about reminders; None for any other.

    Args:
        request: The request without courtesy.
        now: The present local time, without a zone.
    """
    return first_said(_DONE, request) or _listed(request, now) or _new(request, now)


def _listed(request: str, now: datetime) -> Call | None:
    for pattern in _LISTED:
        match = pattern.fullmatch(request)
        if match is None:
            continue
        if not match["range"]:
            return "reminders_list", {}
        found = spoken_range(match["range"], now)
        if found:
            return "reminders_list", {"until": found[1].isoformat()}
    return None


def _new(request: str, now: datetime) -> Call | None:
    """Return the call for a new reminder; "a weekly reminder" comes again every week."""
    adjective = _OFTEN.search(request)
    if adjective is None:
        return _made(request, now)
    call = _made(f"{request[: adjective.start()]}{request[adjective.end() :]}", now)
    return call and (call[0], {**call[1], "repeat": adjective["often"].lower()})


def _made(request: str, now: datetime) -> Call | None:
    for match in _matches(request):
        for what, when in _readings(match):
            found = spoken_when(when, now) if when else None
            if (when and found is None) or not is_one_text(what) or REPEATS.search(what):
                continue
            return "reminders_create", {"title": plain(what), **said_when(found)}
    return None


def _matches(request: str) -> Iterator[re.Match[str]]:
    """Yield how a request may be for a new reminder: as it is said, and with hours in digits."""
    in_digits = with_digits(request)
    # "at ten to six to call": "at ten" is not the whole time
    ways = (in_digits, request) if _TO_AN_HOUR.search(request) else (request, in_digits)
    for said in dict.fromkeys(ways):
        yield from filter(None, (pattern.fullmatch(said) for pattern in _NEW))


def _readings(match: re.Match[str]) -> Iterator[tuple[str, str]]:
    """Yield what a reminder may be about, and when: said before, at the end, or not at all."""
    what, when = match["what"], match.groupdict().get("when") or ""
    if when:
        # "on the 15th of December to call": the first word that may end a time need not
        for about in reversed([*_ABOUT_WORD.finditer(what)]):
            end = match.start("what") + about.start()
            yield what[about.end() :], match.string[match.start("when") : end]
        yield what, when
        return
    words = what.split()
    for start in range(1, len(words)):
        if not is_bare_number(said := " ".join(words[start:])):
            yield " ".join(words[:start]).rstrip(","), said
    yield what, ""


def said_when(found: tuple[object, str] | None, name: str = "time") -> dict[str, str]:
    """Return a time and how often it comes again as arguments.

    Args:
        found: Both; None for no time.
        name: The name of the argument for the time.
    """
    if found is None:
        return {}
    moment, repeat = found
    return {name: said_moment(moment), **({"repeat": repeat} if repeat else {})}


def said_moment(moment: object) -> str:
    """Return a day, or a local time to the minute, in ISO 8601."""
    return f"{moment:%Y-%m-%dT%H:%M}" if isinstance(moment, datetime) else str(moment)
