"""Requests for a new event: a word for a calendar or a gathering, a title and a time, in any order.

"I'm seeing the notary on the 15th at ten, record that as an appointment" says last what it is for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from okso_jupyter.planning.personal_requests.event_parts import event_said
from okso_jupyter.planning.personal_requests.reminder_phrases import Call
from okso_jupyter.planning.personal_requests.written_parts import at_colon

#: Nouns for what people meet for.
GATHERING: Final = (
    r"(?:meeting|appointment|seminar|lecture|call|lunch|dinner|breakfast|brunch|party|birthday|exam|"
    r"deadline|talk|meet|class|visit|flight|trip|conference|workshop|session|review|dentist|doctor|"
    r"interview|haircut|checkup|check-up|rehearsal|game|match|concert|"
    r"\w*termin|\w*besprechung|treffen|vorlesung|prüfung)"
)
_ADJECTIVE: Final = r"(?:work |family |shared |new |neuen? |google |team )?"
_CALENDAR: Final = (
    r"(?:(?:my|the|our|his|her|an?|meine[nm]?|den|dem|einen?) )?"
    rf"{_ADJECTIVE}(?:calendar|agenda|diary|planner|appointments?|events?|schedule|entry|"
    r"kalender(?:eintrag)?|termin(?:kalender)?)(?: entry)?"
)
_VERB: Final = (
    r"(?:put|have|add|enter|stick|pencil|save|block|record|note|write|mark|log|get|pop|jot|schedule|"
    r"register|slot|book|set(?: up)?|make|create|plan|arrange|organi[sz]e|reserve|keep|drop|throw|"
    r"trage?|setze?|schreibe?|notiere?|erstelle?|lege?|plane?|mache?|buche?)"
)
#: Says that what stands before it goes into a calendar: "record that as an appointment".
_REFERRING: Final = re.compile(
    r"(?i)(?:[,;.]| [-\u2013\u2014])*(?: and| so| und)?,? "
    rf"(?:please |can you |could you |bitte )*{_VERB}"
    rf"(?: (?:it|that|this|them|das|es|ihn))?(?: (?:down|up|in|aside|ein))?"
    rf"(?: (?:in|to|into|on|onto|as|for|als) {_CALENDAR})?(?: ein)?(?: for me)?(?: please| bitte)?$"
)
#: "Into the calendar with it".
_WITH_IT: Final = re.compile(
    rf"(?i)(?:[,;.]| [-\u2013\u2014])* (?:in|into|on|onto|to) {_CALENDAR} with (?:it|that|this)$"
)
#: A verb that stands last must say what it is about, or where it is put.
_REFERS: Final = re.compile(rf"(?i)(?:it|that|this|them|das|es|ihn|{_CALENDAR})\b")
#: Names the place where an event is put.
_INTO: Final = re.compile(
    rf"(?i)(?:[,;]| [-\u2013\u2014])* ?\b(?:in|to|into|on|onto|auf) {_CALENDAR}\b(?: ein\b)?"
)
_OPENING: Final = re.compile(
    r"(?i)^(?:please |then |also |let's |(?:could|can|shall|should|may) (?:we|i) )*"
    rf"(?:(?:calendar|kalender|termin|event|save the date)(?=:|$)|{_VERB})(?: (?:me|us|mir|uns))?"
    r"(?: (?:down|up|in|off|out|ein))?(?: for me)?"
    r"(?: (?:for|für)(?= ))?(?= |:|$)"
)
#: What stands at the end of a German sentence that puts something into a calendar.
_AT_END: Final = re.compile(r"(?i) (?:ein|eintragen|anlegen|notieren|hinzufügen|vormerken)$")
_A_NEW: Final = re.compile(
    r"(?i)^,? ?(?:an? |the |one |eine?n? )?(?:new |neue[nr]? )?(?:all[- ]day |whole[- ]day |"
    r"ganztägige[ns]? )?(?:new )?(?:calendar )?(?:event|entry|slot|eintrag|kalendereintrag|"
    r"(?:appointment|termin)(?= (?:called|titled|named|namens|for|für)|:|$))"
    r"(?: (?:called|titled|named|for|namens|für|with the title|entitled|saying))?(?=[ :]|$)"
)
_OF_IT: Final = r"(?: (?:an?|the|eine?n?))?"
#: Stands before what one has or does.
_HAVING: Final = re.compile(
    rf"(?i)^(?:(?:i|we)(?:'ve got| have got|'ll have| will have|'ve| have| got){_OF_IT}|"
    rf"there(?:'s| is| will be){_OF_IT}|(?:i'm|i am|we're|we are|i'll be|we'll be) "
    rf"(?:having|at|going to|in|seeing|meeting|doing){_OF_IT}|"
    rf"(?:ich habe|wir haben|es gibt|ich treffe|wir treffen){_OF_IT}) (?=\S)"
)
_WHOLE_DAYS: Final = re.compile(
    r"(?i)[,;]? ?\b(?:all[- ]day(?: long)?|(?:for )?(?:the )?(?:whole|entire|full) days?|"
    r"ganztägige?[ns]?|den ganzen tag)\b(?: please| bitte)?"
)
#: "Mark the 8th of January as a day off".
_MARKED: Final = re.compile(
    r"(?i)(?:mark|block|reserve|keep|book|set)(?: off| out)? (?:off )?"
    r"(?P<when>(?=.*\d|.*day|.*morrow|.*tag)[^:;]+?) as (?!done|complete|finished|read|paid)"
    r"(?P<title>[^,:;]+)"
)
_GOES: Final = re.compile(r"(?i) (?:goes|comes|should go|needs to go|gehört|kommt)$")
#: Names no event in particular.
_ANY_EVENT: Final = re.compile(r"(?i)^(?:appointment|meeting|event|termin)\b ?")
#: "My parents are here from 11 to 13 December, block that as Parents visit".
_AS: Final = re.compile(
    rf"(?i)^.*?\b(?P<when>(?:from|on|at|this|next|tomorrow|today|am|vom|um|nächste\w*) .+?)"
    rf"(?:[,;.]| [-\u2013\u2014])+ (?:please )?{_VERB} (?:it|that|this|das|es)"
    rf"(?: (?:in|to|into|on|onto) {_CALENDAR})? (?:(?:as|als)|an? (?:[\w-]+ )?(?:entry|event|"
    rf"appointment) (?:called|named|titled)) (?!{_CALENDAR}$)(?P<title>[^,;:]+)$"
)
_ARTICLE: Final = re.compile(r"(?i)^(?:(?:an?|eine?n?) )?(?:new |neue[nr]? )?(?=\S)")
#: Words that say that an event is meant.
_SURE: Final = re.compile(
    r"(?i)\b(?:calendar|agenda|diary|planner|appointment|kalender\w*|termin\w*|event|"
    r"calendar entry|eintragen)\b|"
    r"^(?:schedule|book|arrange|pencil in|slot in|put (?:me|us) down for|trage?|save the date)\b"
)
#: Requests for something else, and questions.
_OTHERWISE: Final = re.compile(
    r"(?i)^(?:any|anything|something|what|which|who|when|where|how|why|is|are|was|were|do|does|"
    r"did|am|have|has|can|find|search|show|list|open|read|remove|delete|cancel|move|count|compute|plot|sum|tell|give|change|"
    r"remind|send|draft|mail|e-?mail|rename|copy|print|tick|check|cross|look|reschedule|postpone|"
    r"wann|was|wo|wie|welche\w*|zeige?|finde?|suche?|lösche?|verschiebe?|stehen|gibt)\b|"
    r"\bremind me\b"
)
_BLOCKED: Final = re.compile(
    r"(?i)(?:block|reserve|keep)(?: off| out)? (?P<when>.+?)(?: free)? for "
    r"(?P<title>(?!an? |one |\d)[^,:]+)"
)
_MOST_WORDS: Final = 45


def new_event_asked(request: str, now: datetime) -> Call | None:
    """Return the call for a new event; None where a part is missing or not understood.

    Args:
        request: The request without courtesy.
        now: The present local time, without a zone.
    """
    if _OTHERWISE.search(request) or len(request.split()) > _MOST_WORDS:
        return None
    is_marked = bool(_MARKED.fullmatch(_INTO.sub("", f" {request}").strip()))
    is_held = _HAVING.match(request) or re.match(rf"(?i){GATHERING}\b", request)
    is_told = is_marked or (bool(is_held) and _without_reference(request) != request)
    is_sure = is_told or bool(_SURE.search(request) or _BLOCKED.fullmatch(request))
    if not is_sure and not re.search(rf"(?i)\b{GATHERING}\b", request):
        return None
    for text in dict.fromkeys(_texts(request)):
        call = event_said(text, now)
        if call and (is_sure or "T" in call[1]["start"]):
            return call
    return None


def _texts(request: str) -> Iterator[str]:
    """Yield the words of an event: what a request says but that it is one."""
    placed = _INTO.sub("", f" {request}").strip(" ,;-\u2013")
    if blocked := _BLOCKED.fullmatch(placed):
        # "an hour for gym tomorrow at 6" tells the length first
        yield f"{blocked['title']} for {blocked['when']}"
        yield f"{blocked['title']} {blocked['when']}"
    if named := _AS.match(request):
        yield f"{named['title']} {named['when']}"
    if marked := _MARKED.fullmatch(placed):
        yield f"{_ARTICLE.sub('', marked['title'])} on {marked['when']}"
    told = _WHOLE_DAYS.sub("", _without_reference(request))
    before, behind = at_colon(told) or (told.strip(), "")
    opened = _OPENING.sub("", _INTO.sub("", f" {before}").strip(" ,;"))
    head = _A_NEW.sub("", _AT_END.sub("", opened.strip())).strip(" ,:")
    for words in (_HAVING.sub("", head), head):
        plain = _ARTICLE.sub("", words)
        if not behind:
            yield plain
        elif words and opened == before:
            yield f"{_GOES.sub('', plain)}, {behind}"  # no verb: the title comes first
        elif words:
            yield f"{behind} {_ANY_EVENT.sub('', plain)}"
            yield f"{behind} {plain}"  # "for Friday at 7: choir practice"
            yield f"{plain} {behind}"
        else:
            yield behind


def _without_reference(request: str) -> str:
    """Return a request without the clause that says that it goes into a calendar."""
    request = _WITH_IT.sub("", request)
    match = _REFERRING.search(request)
    if match is None or not match.start() or not _REFERS.search(match[0]):
        return request
    return request[: match.start()]
