"""Requests about the calendar, as a tool and its arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Final

from okso_jupyter.personal.ical.spoken_moments import spoken_moment
from okso_jupyter.planning.personal_requests.reminder_phrases import (
    REPEATS,
    Call,
    said_moment,
    said_when,
)
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

_CALENDAR: Final = r"(?:(?:my|the|our|meine[nm]?|den|dem|im) )?(?:calendar|agenda|diary|kalender)"
_EVENTS: Final = r"(?:appointments?|events?|meetings?|schedule|calendar|agenda|termine?|kalender)"
_RANGE: Final = r"(?P<range>.+?)"
_ON: Final = r"(?: (?:on|up|happening|scheduled|planned|going on))?"
_LISTED: Final = tuple(
    re.compile(rf"(?i){pattern}")
    for pattern in (
        rf"what(?:'s| is){_ON}(?: (?:in|on|for))? {_CALENDAR}(?: {_RANGE})?",
        rf"what(?:'s| is) (?:on|up|happening|scheduled|planned|going on) {_RANGE}",
        rf"what (?:do i have|have i got|am i doing){_ON} {_RANGE}",
        rf"(?:what|which|how many) {_EVENTS} (?:do i have|are there|have i got){_ON} {_RANGE}",
        (
            r"(?:show|list|give|zeige?)(?: me| mir)?(?: all)?(?: of)? (?:my|the|meine[n]?) "
            rf"{_EVENTS}"
            rf"(?: {_RANGE})?"
        ),
        (
            rf"(?:do i have|is there|have i got) (?:anything|something|any {_EVENTS}|an? {_EVENTS})"
            rf"{_ON}(?: in {_CALENDAR})? {_RANGE}"
        ),
        rf"am i (?:free|busy) {_RANGE}",
        rf"(?:who|whom) (?:am i|do i) meet(?:ing)? {_RANGE}",
        rf"how does (?:my )?{_RANGE} look(?: like)?(?: in {_CALENDAR})?",
        rf"what does (?:my )?{_RANGE} look like(?: in {_CALENDAR})?",
        rf"(?:is there )?anything on {_RANGE}",
        rf"was (?:steht|ist|liegt|habe ich) {_RANGE} (?:an|los|vor|in meinem kalender)",
    )
)
_GATHERING: Final = (
    r"(?:meeting|appointment|seminar|lecture|call|lunch|dinner|party|birthday|exam|deadline|talk|"
    r"meet|class|visit|flight|trip|conference|workshop|session|review|dentist|doctor|interview|"
    r"haircut|checkup|check-up|appointment|rehearsal|game|match|concert|"
    r"\w*termin|\w*besprechung|treffen|vorlesung|prüfung)"
)
_WORDS: Final = rf"(?P<input>{TEXT})"
_SEARCHED: Final[tuple[Phrase, ...]] = (
    phrase(
        "calendar_search",
        rf"(?:find|search for|look for|look up|suche|finde) {_WORDS} in {_CALENDAR}",
    ),
    phrase("calendar_search", rf"(?:search|look in|durchsuche) {_CALENDAR} (?:for|nach) {_WORDS}"),
    phrase(
        "calendar_search",
        rf"(?:when|at what time|wann) (?:is|are|does|ist|geht|beginnt|startet) "
        rf"(?:my|our|mein[e]?) (?:next )?{_WORDS}",
    ),
    phrase(
        "calendar_search",
        rf"(?:when|at what time|wann) (?:is|are|ist) (?:the|der|die|das) (?:next )?"
        rf"(?P<input>(?=.*\b{_GATHERING}s?\b){TEXT})",
    ),
    phrase(
        "calendar_search",
        rf"(?:when|at what time) (?:do|will|am) i (?:meet(?:ing)?|see(?:ing)?|have) "
        rf"(?:the |my )?{_WORDS}",
    ),
    phrase("calendar_search", rf"is there (?:an? |the )?{_WORDS} in {_CALENDAR}"),
    phrase(
        "calendar_search",
        rf"on (?:what|which) day is (?:the |my )?(?P<input>(?=.*\b{_GATHERING}s?\b){TEXT})",
    ),
)
_OPENING: Final = re.compile(
    r"(?i)^(?P<verb>trage?(?=.* ein$)|put (?:me|us) down for|put|add|enter|schedule|book|create|"
    r"make|set up|plan|arrange|organi[sz]e|trage?|"
    r"pencil in|slot in|save the date:|(?:calendar|kalender|termin):|(?:neuer|new) (?:termin|"
    r"event|appointment|entry):?)(?: "
    r"me| mir)?(?: for me| bitte)? "
)
#: What stands at the end of a German sentence that puts something into a calendar.
_AT_END: Final = re.compile(r"(?i) (?:ein|eintragen|anlegen|notieren|hinzufügen|vormerken)$")
#: Any verb before an article, where the calendar is named: "stick a haircut".
_ANY_VERB: Final = re.compile(r"(?i)^[^\W\d]+(?= (?:an?|the|my|our|in:?) ) ")
#: "Lunch with Sara on Friday at noon": a time, and no verb; no question, and no command.
_BARE: Final = re.compile(
    r"(?i)^(?P<verb>)(?!(?:what|which|who|when|where|how|why|is|are|was|were|do|does|did|am|have|has|"
    r"can|find|search|show|list|open|read|remove|delete|cancel|move|count|compute|plot|sum|write|"
    r"tell|give|get|change|remind|send|draft|mail|e-?mail|note|block|reserve|keep|rename|copy|print|"
    r"mark|tick|check|cross|wann|was|wo|wie|welche|zeige?|finde?|suche?|lösche?|verschiebe?)\b)"
)
_SURE: Final = frozenset(
    {
        "schedule",
        "book",
        "arrange",
        "pencil in",
        "slot in",
        "put me down for",
        "put us down for",
        "save the date:",
        "trag",
        "trage",
    }
)
#: "I have a dentist appointment on Tuesday at 3pm, put it in my calendar".
_TOLD: Final = re.compile(
    r"(?i)(?:(?:i|we) have|(?:i|we)'ve got|there(?:'s| is)|(?:i'm|we're) (?:having|at|seeing)) "
    r"(?P<event>.+?)(?:,|;| -| and)? "
    rf"(?:please )?(?:put|add|enter|write|stick|pencil|get|book|schedule) (?:it|that|this)"
    rf"(?: down| in)?(?: (?:in|to|into|on|onto) {_CALENDAR})?"
)
_ADDED: Final = re.compile(
    r"(?i)(?P<event>.+?)(?:,|;|\.| -| \u2013)+ (?:please )?"
    r"(?:put|add|enter|stick|pencil|save|block)(?: (?:it|that|this))? "
    rf"(?:in|to|into|on|onto) {_CALENDAR}"
)
_INTO: Final = re.compile(rf"(?i),? (?:in|to|into|on|onto) {_CALENDAR}(?: ein)?\b")
_ALL_DAY: Final = re.compile(r"(?i)\ball[- ]day |,? all[- ]day$|\bganztägig(?:e[nrs]?)? ")
_NOUN: Final = re.compile(
    r"(?i)^(?:an?|einen?|eine) (?:new )?(?:(?:event|calendar entry|entry)(?: called| titled|"
    r" named|:| for)? )?"
    r"|^(?:event|the event|new|neue[rs]?) "
)
_ENTRY: Final = re.compile(r"(?i)(?:an? |the )?(?:new )?(?:event|calendar entry)\b")
_NAMED: Final = re.compile(r"(?i)^(?:appointment|meeting|termin) (?:called|titled|named|namens) ")
_TIME: Final = r"\d{1,2}(?:[:.]\d\d)?(?: ?(?:am|pm|uhr|h))?|noon|midnight"
_FROM_TO: Final = re.compile(
    rf"(?i),? ?\b(?:(?:from|between|von|zwischen) )?(?P<from>{_TIME}) "
    r"?(?:to|until|till|and|-|\u2013|bis|und) ?"
    rf"(?P<to>{_TIME})(?![\w.:])(?: (?:the next (?:morning|day)|am nächsten (?:morgen|tag)))?"
)
_FROM_MOMENT: Final = re.compile(
    r"(?i)(?P<title>.+?),? (?:from|von|vom) (?P<from>.+?) (?:to|until|till|bis)(?: zum)? (?P<to>.+)"
)
#: The month, and the year if it is said, of "16 december 2026".
_MONTH_OF: Final = re.compile(r"(?i)[a-zä]{3,}\.?(?:,? \d{4})?$")
#: "From 2 to 4pm" is from 2pm.
_SIGNED: Final = re.compile(
    r"(?i)\b(\d{1,2}(?:[:.]\d\d)?)(?P<rest> ?(?:to|until|till|and|-|\u2013) ?\d{1,2}(?:[:.]\d\d)? ?"
    r"(?P<sign>am|pm)\b)"
)
_LASTING: Final = re.compile(
    r"(?i),? (?:for|lasting|für) (?P<count>an?|one|half an|one and a half|two|three|four|\d+"
    r"(?:\.\d+)?|"
    r"eine|eine halbe|zwei|drei)[ -]?(?P<unit>hours?|minutes?|mins?|h|stunden?|minuten?)\b"
)
#: "A 45 minute catch-up".
_LONG: Final = re.compile(
    r"(?i)\b(?P<count>\d+|one|two|three|half an?)[ -](?P<unit>hour|minute|min)s?(?:[ -]long)? "
    r"(?=[a-z])"
)
_COUNTS: Final[Mapping[str, float]] = {
    "a": 1, "an": 1, "one": 1, "half an": 0.5, "half a": 0.5, "one and a half": 1.5, "two": 2,
    "three": 3, "four": 4, "eine": 1, "eine halbe": 0.5, "zwei": 2, "drei": 3,
}  # fmt: skip
_PLACE: Final = re.compile(
    rf"(?i)^,? ?(?:(?:in|at|im|@) |(?=(?:room|raum|building|lab|office|hall|zoom|teams)\b))"
    rf"(?P<place>(?!(?:{_TIME})\b).+)$"
)
_PLACE_AT_END: Final = re.compile(
    r"(?i)^(?P<title>.+?),? (?:in|at|im) (?P<place>(?:the |our )?(?:room|building|lab|office|"
    r"hall|raum|"
    r"büro|library|café|cafe|seminar room|lecture hall)\b.*)$"
)
_BLOCKED: Final = re.compile(
    r"(?i)(?:block|reserve|keep)(?: off| out)? (?P<when>.+?)(?: free)? for "
    r"(?P<title>(?!an? |one |\d)[^,:]+)"
)
#: A title that ends so lacks what was taken for its time.
_OPEN_END: Final = re.compile(r"(?i)\b(?:from|to|until|till|and|between|von|bis|und)$")
_DAY_PARTS: Final = frozenset({"morning", "afternoon", "evening", "night", "abend"})
_MOST_WORDS: Final = 40
_HALF_DAY: Final = timedelta(hours=12)


def event_asked(request: str, now: datetime) -> Call | None:
    """Return the call of a request about the calendar; None for any other.

    Args:
        request: The request without courtesy.
        now: The present local time, without a zone.
    """
    blocked = _BLOCKED.fullmatch(request)
    if blocked:
        # "an hour for gym tomorrow at 6" tells the length first
        lasting = f" for {blocked['when']}"
        when = lasting if _LASTING.fullmatch(lasting) else f" {blocked['when']}"
        return _event(f"{blocked['title']}{when}", now)
    told = _TOLD.fullmatch(request) or _ADDED.fullmatch(request)
    if told:
        return _event(told["event"], now)
    return _listed(request, now) or first_said(_SEARCHED, request) or _new(request, now)


def _listed(request: str, now: datetime) -> Call | None:
    for pattern in _LISTED:
        match = pattern.fullmatch(request)
        if match is None:
            continue
        if not match["range"]:
            return "calendar_list", {}
        found = spoken_range(match["range"], now)
        if found:
            start, end = found
            return "calendar_list", {"start": start.isoformat(), "end": end.isoformat()}
    return None


def _new(request: str, now: datetime) -> Call | None:
    opening = _OPENING.match(request) or _BARE.match(request)
    if opening is None or len(request.split()) > _MOST_WORDS:
        return None
    said = request[opening.end() :]
    verb = opening["verb"].lower()
    said = said.strip(" :")
    rest = _AT_END.sub("", _INTO.sub("", f" {said}").strip(" :"))
    if not verb and rest != said:
        rest = _ANY_VERB.sub("", rest)
    is_sure = (
        rest != said
        or (bool(_NOUN.match(rest)) and bool(_ENTRY.match(rest)))
        or verb in _SURE
        or verb.endswith(("termin", "appointment", ":"))
    )
    if not verb:
        call = _event(rest, now) if is_sure or re.search(rf"(?i)\b{_GATHERING}\b", said) else None
        return call if call and ("T" in call[1]["start"] or is_sure) else None
    if not is_sure and not re.match(rf"(?i)an? (?:new )?(?:[\w-]+ )?{_GATHERING}\b", said):
        return None
    return _event(rest, now)


def _event(said: str, now: datetime) -> Call | None:
    """Return the call for an event with title, time, length and place, in any order."""
    if days := _of_two_moments(said, now):
        return days
    text = _SIGNED.sub(r"\g<1>\g<sign>\g<rest>", _ALL_DAY.sub("", said))
    long = _LONG.search(text)
    if long and not _LASTING.search(text):
        text = f"{text[: long.start()]}{text[long.end() :]} for {long['count']} {long['unit']}s"
    lasting, span = _LASTING.search(text), _FROM_TO.search(text)
    if lasting:
        text = text[: lasting.start()] + text[lasting.end() :]
    elif span:
        text = f"{text[: span.start()]} at {_clock(span['from'])}{text[span.end() :]}"
    for before, when, after in _split(text):
        found = spoken_when(when, now)
        args = _placed(before, after) if found is not None else None
        if args is None or found is None or REPEATS.search(args["title"]):
            continue
        end = _end(found[0], lasting, span, now)
        times = {**said_when(found, "start"), **({"end": said_moment(end)} if end else {})}
        return "calendar_create", {"title": args["title"], **times, **args}
    return None


def _of_two_moments(said: str, now: datetime) -> Call | None:
    """Return the call for an event from one day to another, or between two days with times."""
    match = _FROM_MOMENT.fullmatch(said)
    args = _placed(match["title"], "") if match else None
    if match is None or args is None:
        return None
    month = _MONTH_OF.search(match["to"]) if match["from"].isdigit() else None
    since = spoken_moment(f"{match['from']}{f' {month[0]}' if month else ''}", now)
    if since is None:
        return None
    first = since.date() if isinstance(since, datetime) else since
    # "from Friday to Tuesday" is to the Tuesday after that Friday
    until = spoken_moment(match["to"], datetime.combine(first, now.time()))
    if until is None or isinstance(since, datetime) != isinstance(until, datetime):
        return None
    last = until.date() if isinstance(until, datetime) else until
    if first >= last:
        return None  # of one day: see `_FROM_TO`
    times = {"start": said_moment(since), "end": said_moment(until)}
    return "calendar_create", {"title": args["title"], **times, **args}


def _clock(text: str) -> str:
    """Return a time so that it cannot be taken for anything else: "10" is 10:00."""
    return f"{text}:00" if text.isdigit() else text


def _split(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the words before a time, those of the time and those after it, the longest first."""
    words = text.split()
    for length in range(len(words), 0, -1):
        for start in range(len(words) - length + 1):
            end = start + length
            if start and words[start].lower() in _DAY_PARTS:
                continue  # "parents' evening on Thursday"
            yield " ".join(words[:start]), " ".join(words[start:end]), " ".join(words[end:])


def _placed(before: str, after: str) -> dict[str, str] | None:
    """Return title and place from the words around the time; None where they are neither."""
    title, place = before.strip(" ,:"), ""
    if not title:
        title, after = after.strip(" ,:"), ""
    match = _PLACE.match(after) if after else None
    if after and match is None:
        return None
    if match:
        place = match["place"]
    elif (ended := _PLACE_AT_END.match(title)) is not None:
        title, place = ended["title"], ended["place"]
    title = plain(_NAMED.sub("", _NOUN.sub("", title)).strip(" ,:"))
    if not title or not is_one_text(title) or _OPEN_END.search(title):
        return None
    return {"title": title, **({"location": plain(place)} if place else {})}


def _end(
    start: date | datetime,
    lasting: re.Match[str] | None,
    span: re.Match[str] | None,
    now: datetime,
) -> date | datetime | None:
    """Return when an event ends, from its length or its second time."""
    if not isinstance(start, datetime):
        return None
    if lasting:
        count = lasting["count"].lower()
        number = _COUNTS[count] if count in _COUNTS else float(count)
        is_minutes = lasting["unit"].lower().startswith("m")
        return start + timedelta(minutes=number if is_minutes else 60 * number)
    if span is None:
        return None
    end = spoken_moment(f"at {_clock(span['to'])}", now)
    if not isinstance(end, datetime):
        return None
    at = datetime.combine(start.date(), end.time())
    if at <= start < at + _HALF_DAY and span["to"].isdigit():
        return at + _HALF_DAY  # "from 12 to 1", "from 10 to 2"
    return at if at > start else at + timedelta(days=1)
