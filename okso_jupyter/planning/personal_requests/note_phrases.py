"""Phrases of requests about notes: patterns of a whole request, whose groups are arguments."""

from __future__ import annotations

from typing import Final

from okso_jupyter.planning.personal_requests.said_texts import REST, TEXT, Phrase, phrase

_MY: Final = r"(?:the|my|our|that|this|der|die|das|meine[rn]?)"
_SHOW: Final = (
    r"(?:open|show|read|display|print|view|see|get|(?:pull|bring) up|öffne|zeige?|lies)"
    r"(?: me| mir)?"
)
_ADD: Final = (
    r"(?:add|append|write|put|attach|stick|scribble|pin|paste|log|record|enter|schreibe?|ergänze|"
    r"hänge?):?"
)
_TO: Final = r"(?:to|into|in|under|(?:at|to|onto) the (?:end|bottom) of|zu|zur)"
_A_NEW: Final = r"(?:an?|another|eine)(?: [a-zäöü]+)?"
_MAKE: Final = (
    r"(?:make|create|write|start|add|take|save|(?:i'd like|i (?:want|need|would like))|erstelle|"
    r"schreibe?|"
    r"mache?)(?: me| mir)?"
)
_CALLED: Final = r"(?:called|titled|named|entitled|with the title|namens|mit dem titel)"
_SAYING: Final = (
    r"(?::|,? (?:with the (?:text|content|body|words)|with|(?:that|which) says|saying|reading|"
    r"mit dem (?:text|inhalt)):?)"
)
_ABOUT: Final = (
    r"(?:about|on|for|with|mentioning|containing|(?:that|which) (?:mention|contain|say)|"
    r"über|zu|zum|zur|mit)"
)
_NOTE: Final = r"(?:note|notiz)"
_NOTES: Final = r"(?:notes|notizen)"
_EVERY: Final = rf"(?: all| alle)?(?: of)?(?: {_MY})?"
_SAYS: Final = (
    r"(?:what does|what did i (?:write|put|note)(?: down)? in|what(?:'s| is| stands) in|"
    r"was steht in)"
)
_NO_LOOKING: Final = (
    r"(?!(?:find|search|show|read|list|see|is|are|was|what|which|who|where|how|do|does|did|have|has|"
    r"delete|remove|zeige?|suche?|finde|lies|gibt|habe)\b)"
)
_DOWN: Final = (
    r"(?:(?:jot|note|write|take|put|get) (?:this |that )?down|notiere?(?: dir)?|"
    r"schreibe?(?: dir)? auf)"
)
_TITLE, _BODY, _WORDS = rf"(?P<title>{TEXT})", rf"(?P<body>{REST})", rf"(?P<input>{TEXT})"

NOTE_PHRASES: Final[tuple[Phrase, ...]] = (
    phrase("notes_append", rf"{_ADD} {_TO} {_MY} {_NOTE} {_TITLE}(?::|,? that) ?{_BODY}"),
    phrase("notes_append", rf"{_ADD} {_TO} {_MY} {_TITLE} {_NOTE}(?::|,? that) ?{_BODY}"),
    phrase("notes_append", rf"(?:in|to) {_MY} {_NOTE} {_TITLE}, ?{_ADD} {_BODY}"),
    phrase("notes_append", rf"(?:in|to) {_MY} {_TITLE} {_NOTE},? {_ADD} {_BODY}"),
    phrase("notes_append", rf"{_ADD} {_BODY} {_TO} {_MY} {_NOTE} {_TITLE}"),
    phrase("notes_append", rf"{_ADD} {_BODY} {_TO} {_MY} {_TITLE} {_NOTE}"),
    phrase(
        "notes_create",
        rf"{_MAKE} {_A_NEW} {_NOTE} {_CALLED} {_TITLE} with (?P<body>['\"].+['\"]) in it",
    ),
    phrase(
        "notes_create",
        rf"(?:{_MAKE} )?(?:{_A_NEW}|new|neue) {_NOTE} {_CALLED} {_TITLE}(?:{_SAYING} ?{_BODY})?",
    ),
    phrase("notes_create", rf"(?:an? |eine )?(?:new|neue) {_NOTE}: ?{_BODY}"),
    phrase(
        "notes_create", rf"(?:an? |eine )?(?:new|neue) {_NOTE},? {_CALLED}? ?{_TITLE}: ?{_BODY}"
    ),
    phrase("notes_create", rf"(?:remember(?: for me)?|keep in mind)(?::|,? that) ?{_BODY}"),
    phrase(
        "notes_create",
        (
            rf"{_NO_LOOKING}[a-z]+(?: down)?(?: in)? {_A_NEW} {_NOTE}(?: down| an)?(?:,? (?:that|"
            rf"dass)|:) ?{_BODY}"
        ),
    ),
    phrase(
        "notes_create",
        rf"{_NO_LOOKING}[a-z]+ {_A_NEW} {_NOTE},? (?:and )?(?:{_CALLED}|(?:call|name|title) it) "
        rf"{_TITLE}(?: an)?(?:{_SAYING}|,? (?:and )?(?:the )?(?:contents?|text|body|inhalt|put|"
        rf"write):?) ?{_BODY}",
    ),
    phrase("notes_create", rf"(?:note to self|notiz(?: an mich)?|merke?)(?::|,) ?{_BODY}"),
    phrase(
        "notes_create",
        rf"(?:save|keep|store|put)(?: this| that)? (?:as|in|into) {_A_NEW} {_NOTE}: ?{_BODY}",
    ),
    phrase("notes_create", rf"{_MAKE} {_A_NEW} {_NOTE}(?: down)?(?::| that| of:?) ?{_BODY}"),
    phrase(
        "notes_create",
        rf"{_MAKE} {_A_NEW} {_NOTE} (?:{_CALLED} )?{_TITLE},? (?:and|und) {_ADD[:-2]}"
        rf"(?: in(?:to)? it)?: ?{_BODY}",
    ),
    phrase("notes_create", rf"{_DOWN} (?:as|in) {_A_NEW} {_NOTE}(?::|,? that) ?{_BODY}"),
    phrase("notes_create", rf"{_DOWN}(?::| that|,)? ?(?<=[:, ]){_BODY}"),
    phrase("notes_list", rf"(?:{_SHOW}|list|liste){_EVERY} {_NOTES}"),
    phrase(
        "notes_list",
        rf"(?:what|which|welche) {_NOTES} "
        r"(?:do i have|are there|have i (?:got|made)|habe ich|gibt es)",
    ),
    phrase(
        "notes_list",
        rf"how many {_NOTES} (?:are there|do i have|have i (?:got|made|written))",
    ),
    phrase(
        "notes_list",
        rf"(?:{_SHOW}|give me) (?:a|the) list of (?:all (?:my |the )?|my |every )notes?"
        r"(?: (?:that )?i have)?",
    ),
    phrase(
        "notes_search",
        rf"(?:{_SHOW}|find|list|get|search|suche|finde){_EVERY} {_NOTES} {_ABOUT} {_WORDS}",
    ),
    phrase(
        "notes_search",
        rf"(?:search|look)(?: in| through)?{_EVERY} {_NOTES} for (?:the words? )?{_WORDS}",
    ),
    phrase(
        "notes_search",
        rf"(?:search for|look for|find|suche(?: nach)?|finde) {_WORDS} in{_EVERY} {_NOTES}",
    ),
    phrase(
        "notes_search",
        rf"(?:have|did) i (?:ever )?(?:written|write|noted?)(?: down)? (?:anything|something) "
        rf"{_ABOUT} {_WORDS} in{_EVERY} {_NOTES}",
    ),
    phrase(
        "notes_search",
        rf"do(?:es)? any of {_MY} {_NOTES} (?:mention|contain|talk about|speak of|say anything "
        rf"about) {_WORDS}",
    ),
    phrase("notes_search", rf"wo habe ich (?:etwas|was) (?:über|zu) {_WORDS} notiert"),
    phrase(
        "notes_search",
        rf"(?:which|what|welche){_EVERY} {_NOTES} "
        rf"(?:mention|contain|are about|talk about|speak of|erwähnen|enthalten) {_WORDS}",
    ),
    phrase(
        "notes_search",
        r"what (?:do my notes say|(?:did|have) i (?:write|note|written|noted)(?: down)?) "
        rf"(?:about|on) {_WORDS}(?: in my notes)?",
    ),
    phrase("notes_read", rf"{_SHOW} {_MY} {_NOTE} (?:{_CALLED} )?{_WORDS}"),
    phrase("notes_read", rf"{_SHOW} {_MY} {_WORDS} {_NOTE}"),
    phrase("notes_read", rf"{_SAYS} {_MY} {_NOTE} (?:on |about )?{_WORDS}(?: say| contain)?"),
    phrase("notes_read", rf"{_SAYS} {_MY} {_WORDS} {_NOTE}(?: say| contain)?"),
)
