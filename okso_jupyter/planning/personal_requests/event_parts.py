"""An event by its parts: title, time, length and place, in any order, among words of it alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from okso_jupyter.personal.ical.spoken_moments import spoken_moment
from okso_jupyter.planning.personal_requests.moments_in_texts import MomentIn, moments_in
from okso_jupyter.planning.personal_requests.reminder_phrases import (
    REPEATS,
    Call,
    said_moment,
    said_when,
)
from okso_jupyter.planning.personal_requests.said_texts import is_one_text, plain
from okso_jupyter.planning.personal_requests.spoken_repeats import spoken_when

_TIME: Final = r"\d{1,2}(?:[:.]\d\d)?(?: ?(?:am|pm|uhr|h))?|noon|midnight"
_FROM_TO: Final = re.compile(
    rf"(?i),? ?\b(?:(?:from|between|von|zwischen) )?(?P<from>{_TIME}) "
    r"?(?:to|until|till|and|-|\u2013|bis|und) ?"
    rf"(?P<to>{_TIME})(?![\w.:])(?: (?:the next (?:morning|day)|am nächsten (?:morgen|tag)))?"
)
_FROM_MOMENT: Final = re.compile(
    r"(?i)(?P<title>.+?),? (?:from|beginning|starting|von|vom) (?P<from>.+?) "
    r"(?:to|until|till|through|(?:and )?(?:ending|finishing)|bis)(?: zum)? "
    r"(?P<to>.+)"
)
#: "2 to 6 January", which is no time of day.
_DAYS_OF_MONTH: Final = re.compile(
    r"(?i),? ?(?:\b(?:from|von|vom) )?(?P<from>(?<![\d:.])\b\d{1,2})(?:st|nd|rd|th|\.)? ?"
    r"(?P<joined>to|until|till|through|and|-|\u2013|bis|und)(?: zum)? ?"
    r"(?P<to>(?P<last>\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?"
    r"(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-z]*\.?(?:,? \d{4})?)"
)
#: The month, and the year if it is said, of "16 december 2026".
_MONTH_OF: Final = re.compile(r"(?i)[a-zä]{3,}\.?(?:,? \d{4})?$")
#: "Wednesday 16", which has its month from the day behind it.
_ENDS_WITH_DAY: Final = re.compile(r"(?:^|\s)\d{1,2}(?:st|nd|rd|th|\.)?$")
_TO: Final = re.compile(r"(?i)\s(?:-|\u2013|to|until|till|through|bis)\s")
#: "From 2 to 4pm" is from 2pm.
_SIGNED: Final = re.compile(
    r"(?i)\b(\d{1,2}(?:[:.]\d\d)?)(?P<rest> ?(?:to|until|till|and|-|\u2013) ?\d{1,2}(?:[:.]\d\d)? ?"
    r"(?P<sign>am|pm)\b)"
)
_UNIT: Final = r"(?P<unit>hours?|hrs?|minutes?|mins?|h|stunden?|minuten?|std|min)\b"
_LASTING: Final = re.compile(
    r"(?i),? (?:for|lasting|takes|taking|für|dauert|dauer)(?: about| around| ca\.?| etwa)? "
    r"(?P<count>an?|one|half an|one and a half|two|three|four|\d+(?:[.,]\d+)?|eine|eine halbe|"
    rf"anderthalb|zwei|drei)[ -]?{_UNIT}(?: long| lang)?"
)
#: "..., 45 minutes, ...": a length between commas.
_BETWEEN_COMMAS: Final = re.compile(
    rf"(?i), (?P<count>an?|one|half an|two|three|four|\d+(?:\.\d+)?|eine|eine halbe|zwei|drei)"
    rf"[ -]?{_UNIT}(?: long| lang)?(?=,|$)"
)
#: "A 45 minute catch-up".
_LONG: Final = re.compile(
    r"(?i)\b(?P<count>\d+|one|two|three|half an?)[ -](?P<unit>hour|minute|min)s?(?:[ -]long)? "
    r"(?=[a-z])"
)
_COUNTS: Final[Mapping[str, float]] = {
    "a": 1, "an": 1, "one": 1, "half an": 0.5, "half a": 0.5, "one and a half": 1.5, "two": 2,
    "three": 3, "four": 4, "eine": 1, "eine halbe": 0.5, "anderthalb": 1.5, "zwei": 2, "drei": 3,
}  # fmt: skip
_AT: Final = r"(?:in|at|im|am|beim|bei|@)"
_ROOM: Final = (
    r"(?:room|raum|building|lab|office|hall|zoom|teams|library|café|cafe|büro|saal|aula|"
    r"seminar room|lecture hall)\b"
)
_PLACE: Final = re.compile(
    rf"(?i)^,? ?(?:(?:in|at|im|@) |(?={_ROOM}))(?P<place>(?!(?:{_TIME})\b).+)$"
)
_PLACE_AT_END: Final = re.compile(
    rf"^(?P<title>.+?),? (?:in|at|im|@) (?P<place>(?:the |our |der |dem |den )?"
    rf"(?:(?i:{_ROOM})|[^\W\d_a-zäöü])[^,]*)$"
)
#: A name behind a comma: "..., Town Square".
_NAMED_PLACE: Final = re.compile(
    rf"^,(?P<place>(?: [^\W\d_a-zäöü][\w'\u2019.-]*| \d+| of| the){{1,5}}|"
    rf"(?: \w+){{0,3}} (?i:{_ROOM}))$"
)
#: What an event is with or about, said behind its time, and the place behind that.
_MORE: Final = re.compile(
    r"(?i)^(?P<more>(?:with|about|for|re|regarding|on|to|of|mit|über|wegen|von|zu|zum|zur|für) .+?)"
    rf"(?:,? {_AT} (?P<place>[^\W\d_a-zäöü].*))?$"
)
#: A title that ends so lacks what was taken for its time.
_OPEN_END: Final = re.compile(r"(?i)\b(?:from|to|until|till|and|between|von|bis|und)$")
_LOOSE: Final = re.compile(r"(?i)[ ,]+(?:for|on|at|in|um|am|für|den)$")
_NAMED: Final = re.compile(
    r"(?i)^(?:(?:an? |the |eine?n? )?(?:appointment|meeting|termin|event) (?:called|titled|named|"
    r"namens) |"
    r"(?:called|titled|named|namens) |(?:an?|einen?|eine) (?=\S))"
)
_DAY_PARTS: Final = frozenset({"morning", "afternoon", "evening", "night", "abend"})
_NOON: Final = 12
#: An hour of which it is not said whether it comes before noon.
_OPEN_HOUR: Final = re.compile(r"([1-9]|1[0-2])(?:[:.]\d\d)?$")
_EDGES: Final = " ,:;-\u2013\u2014"


@dataclass(frozen=True, slots=True)
class _Length:
    """How long an event is: its count of units, or the two times of a day that it lies between."""

    lasting: re.Match[str] | None = None
    span: re.Match[str] | None = None


def event_said(said: str, now: datetime) -> Call | None:
    """Return the call for an event with title, time, length and place, in any order.

    Args:
        said: The words of the event alone.
        now: The present local time, without a zone.
    """
    if days := _of_two_moments(said, now):
        return days
    text, length = _without_length(said)
    for found in _moments(text, now):
        args = _placed(found.before, found.after)
        if args is None or REPEATS.search(args["title"]):
            continue
        end = _end(found.when[0], length, now)
        times = {**said_when(found.when, "start"), **({"end": said_moment(end)} if end else {})}
        return "calendar_create", {"title": args["title"], **times, **args}
    return None


def _without_length(said: str) -> tuple[str, _Length]:
    """Return the words of an event without those of its length, and the length."""
    text = _SIGNED.sub(r"\g<1>\g<sign>\g<rest>", said)
    long = _LONG.search(text)
    if long and not _LASTING.search(text):
        text = f"{text[: long.start()]}{text[long.end() :]} for {long['count']} {long['unit']}s"
    lasting = _LASTING.search(text) or _BETWEEN_COMMAS.search(text)
    if lasting:
        return text[: lasting.start()] + text[lasting.end() :], _Length(lasting=lasting)
    span = _FROM_TO.search(text)
    if span:
        text = f"{text[: span.start()]} at {_clock(span['from'])}{text[span.end() :]}"
    return text, _Length(span=span)


def _moments(text: str, now: datetime) -> Iterator[MomentIn]:
    """Yield the times that an event may have, a day and a time of day in two places first."""
    for found in moments_in(text, now):
        if _begins_with_part(found):
            continue
        yield from _with_other(found, now)
        yield found


def _begins_with_part(found: MomentIn) -> bool:
    """Return whether a part of the day may belong to the words before: "parents' evening"."""
    return bool(found.before) and found.time_text.split()[0].lower().strip(",") in _DAY_PARTS


def _with_other(found: MomentIn, now: datetime) -> Iterator[MomentIn]:
    """Yield a time together with another one before or after it: a day, or a time of day."""
    for part, is_before in ((found.before, True), (found.after, False)):
        for other in moments_in(part, now):
            both = spoken_when(f"{other.time_text} {found.time_text}", now)
            if both in (None, found.when, other.when) or _begins_with_part(other):
                continue
            if is_before:
                yield MomentIn(both, other.before, f"{other.after} {found.after}".strip())
            else:
                yield MomentIn(both, f"{found.before} {other.before}".strip(), other.after)
            return


def _of_two_moments(said: str, now: datetime) -> Call | None:
    """Return the call for an event from one day to another, or between two days with times."""
    month_days = _DAYS_OF_MONTH.search(said)
    if month_days and _is_range(month_days):
        rest = f"{said[: month_days.start()]}{said[month_days.end() :]}"
        return _spanning(rest, month_days["from"], month_days["to"], now)
    match = _FROM_MOMENT.fullmatch(said)
    if match:
        return _spanning(match["title"], match["from"], match["to"], now)
    return next(filter(None, (_around(said, to, now) for to in _TO.finditer(said))), None)


def _is_range(days: re.Match[str]) -> bool:
    """Return whether two days of a month are the ends of a range: "9 and 11 May" are two days."""
    joined = days["joined"].lower() not in {"and", "und"}
    return joined or int(days["last"]) == int(days["from"]) + 1


def _around(said: str, to: re.Match[str], now: datetime) -> Call | None:
    """Return the call for an event between the moments before and behind a word."""
    before = (one for one in moments_in(said[: to.start()], now) if not one.after)
    behind = (one for one in moments_in(said[to.end() :], now) if not one.before)
    first, last = next(before, None), next(behind, None)
    if first is None or last is None or not (_has_day(first) and _has_day(last)):
        return None
    title = f"{first.before} {last.after}".strip()
    return _spanning(title, first.time_text, last.time_text, now)


def _has_day(found: MomentIn) -> bool:
    """Return whether a time names its day, and is no time of the clock alone."""
    return not re.fullmatch(rf"(?:(?:at|for|from|um|von|ab) )*(?:{_TIME})", found.time_text.lower())


def _spanning(title: str, first_day: str, last_day: str, now: datetime) -> Call | None:
    """Return the call for an event between two moments, of which the first may lack its month."""
    if re.fullmatch(_TIME, first_day.lower()) and not first_day.isdigit():
        return None  # of one day: see `_FROM_TO`
    args = _placed(title, "")
    month = _MONTH_OF.search(last_day) if _ENDS_WITH_DAY.search(first_day) else None
    since = spoken_moment(f"{first_day}{f' {month[0]}' if month else ''}", now)
    if since is None or args is None:
        return None
    first = since.date() if isinstance(since, datetime) else since
    # "from Friday to Tuesday" is to the Tuesday after that Friday
    until = spoken_moment(last_day, datetime.combine(first, now.time()))
    if until is None or isinstance(since, datetime) != isinstance(until, datetime):
        return None
    last = until.date() if isinstance(until, datetime) else until
    if first >= last:
        return None
    times = {"start": said_moment(since), "end": said_moment(until)}
    return "calendar_create", {"title": args["title"], **times, **args}


def _clock(text: str) -> str:
    """Return a time so that it cannot be taken for anything else: "10" is 10:00."""
    return f"{text}:00" if text.isdigit() else text


def _placed(before: str, after: str) -> dict[str, str] | None:
    """Return title and place from the words around the time; None where they are neither."""
    title, place, rest = before.strip(_EDGES), "", after.rstrip(_EDGES).strip()
    if not title:
        title, rest = rest.strip(_EDGES), ""
    if rest and (match := _PLACE.match(rest) or _NAMED_PLACE.match(rest)):
        place = match["place"].strip()
    elif rest and (match := _MORE.match(rest.lstrip(_EDGES))):
        title, place = f"{title} {match['more']}", match["place"] or ""
    elif rest:
        return None
    if not place and (ended := _PLACE_AT_END.match(title)) is not None:
        title, place = ended["title"], ended["place"]
    title = plain(_NAMED.sub("", _LOOSE.sub("", title)).strip(_EDGES))
    if not title or not is_one_text(f"{title} {place}") or _OPEN_END.search(title):
        return None
    return {"title": title, **({"location": plain(place)} if place else {})}


def _end(start: date | datetime, length: _Length, now: datetime) -> date | datetime | None:
    """Return when an event ends, from its length or its second time."""
    if not isinstance(start, datetime):
        return None
    if length.lasting:
        count = length.lasting["count"].lower()
        number = _COUNTS[count] if count in _COUNTS else float(count.replace(",", "."))
        is_minutes = length.lasting["unit"].lower().startswith("m")
        return start + timedelta(minutes=number if is_minutes else 60 * number)
    if length.span is None:
        return None
    end = spoken_moment(f"at {_clock(length.span['to'])}", now)
    if not isinstance(end, datetime):
        return None
    return _next_end(start, end.time(), length.span)


def _next_end(start: datetime, end: time, span: re.Match[str]) -> datetime:
    """Return when an event ends: at the next such time, by a clock's face if nothing says more."""
    hour = _OPEN_HOUR.match(span["to"])
    if hour is None:
        return _next_time(start, [end])
    # "from 12 to 1", "from 10 to 2", "from 2 to 4 in the morning"
    either = [end.replace(hour=int(hour[1]) % 12 + more) for more in (0, 12)]
    is_of_24_hours = ":" in span["to"] and not _OPEN_HOUR.match(span["from"])
    return _next_time(start, either[:1] if is_of_24_hours and int(hour[1]) < _NOON else either)


def _next_time(start: datetime, times: Iterable[time]) -> datetime:
    """Return the first of some times that comes on the day of a start, else the next day's."""
    ends = [datetime.combine(start.date(), at) for at in times]
    return next((end for end in ends if end > start), ends[0] + timedelta(days=1))
