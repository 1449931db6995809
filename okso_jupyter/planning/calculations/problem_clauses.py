"""Clauses of word problems: what one may say as a whole, as patterns by its kind.

A clause states something ("bundle": "3 pens cost 4"), or asks for something ("what_one").
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from okso_jupyter.planning.calculations.spoken_numbers import NUMBER

_CLAUSE_END: Final = re.compile(
    r"(?:\s*[,;:?.!](?=\s|$)|\s+(?:and|und|if|wenn|when|with|mit|then|dann|so|also)(?=\s)|"
    r"^(?:if|wenn|when|suppose|say|angenommen)(?=\s))+\s*"
)
_COUNT: Final = r"[1-9]\d*"
_AMOUNT: Final = r"(?:[1-9]\d*(?:\.\d+)?|0\.\d*[1-9]\d*)"
#: An amount of more or less than one.
_SOME: Final = rf"(?!1(?!\.?\d)){_AMOUNT}"
#: Words that say how often or of what a number is, which a name of a thing has not.
_NO_NAME: Final = (
    r"(?:per|pro|je|jeweils|each|every|jede[rsnm]?|half|halbe[rsn]?|double|twice|only|more|less|"
    r"mehr|weniger|another|percent|prozent|off|and|und|or|oder|day|week|month|year|tag|woche|monat|"
    r"jahr|between|from|average|total|sum|durchschnitt|summe|dozens?|dutzende?)"
)
_WORD: Final = rf"(?!{_NO_NAME}\b)[^\W\d_]+(?:['-][^\W\d_]+)*"
_THING: Final = rf"{_WORD}(?: {_WORD}){{0,3}}"
#: Things that have a price each, as no gram has.
_PIECES: Final = rf"(?!(?:m?g|grams?|gramm|[mc]l|oz|ounces?)\b){_THING}"
#: Nights and hours are counted, but they do not pay.
_NO_PAYER: Final = (
    r"(?!(?:nights?|days|weeks|months|years|hours?|nächten?|tagen?|wochen|stunden?)\b)"
)
_WHO: Final = rf"{_NO_PAYER}(?P<who>{_WORD}(?: (?!sich\b){_WORD})?)"
_COSTS: Final = (
    r"(?:costs?|cost us|will cost|sells? for|comes? to|came to|is|are|was|were|kostet|kosten|"
    r"kostete|kosteten|beträgt|betrug|ist|sind|war|macht|machte)(?: insgesamt| a total of| "
    r"zusammen)?"
)
_BILL: Final = r"(?:bill|cost|costs|price|total|sum|rechnung|kosten|betrag|summe)"
_SHARE: Final = r"(?:share|shared|split|divide|are sharing|are splitting|teilen|teilten)"
#: Says who shares what something costs for all who are there.
_TAKE_PART: Final = (
    r"(?:(?:are |will )?(?:go|going|come|coming|join|joining|travel|travelling|take part|"
    r"taking part|sign up|signed up|ride|attend)(?: (?:along|with us|in|on it))?|"
    r"(?:fahren|kommen|gehen|machen|reisen|nehmen|sind)(?: (?:mit|teil|dabei))?|"
    r"mitfahren|mitkommen|mitgehen|mitmachen|teilnehmen)"
)
_EVENLY: Final = r"(?: (?:equally|evenly|fairly|gleichmäßig|gerecht))?"
_ITEM: Final = (
    rf"(?:sich|(?P<shared>it|this|that|them|ihn|sie|es|das)|(?:(?:the|die|den) )?{_BILL}|"
    rf"(?:the|die|den|das|diese|diesen) (?P<dealt>{_WORD}))"
)
_PERCENT: Final = rf"(?P<percent>{NUMBER}) ?(?:%|percent|per cent|prozent)"
_EACH_ONE: Final = (
    rf"(?:each|everyone|everybody|every 1|"
    rf"(?:each|every) (?:of (?:us|them|you)|1|(?P<head>{_WORD}))|"
    rf"jede[rs]?(?: (?:von (?:uns|ihnen)|einzelne|(?P<kopf>{_WORD})))?)"
)
_TO_PAY: Final = (
    r"(?:(?: (?:have|has) to)? (?:pay|owe|cost|give|contribute|get|zahlen|bezahlen|geben))?"
)
_PER_HEAD: Final = (
    rf"(?:(?:per|for each|for every|pro|je|für jede[nrs]?) (?P<head>{_WORD})|a head|a person)"
)
_SINGLE: Final = (
    r"(?:1|a|an|a single|each|eine?[rns]?|jede[rs]?|das|(?:ein|eine|der|die|das) einzelne[rs]?)"
)
_HOW_MUCH: Final = r"(?:how much|what|wie ?viel|was)"
_VERB: Final = r"(?:is|are|does|do|did|must|should|will|would|can|has|have|ist|sind|muss|müsste)"
_PRONOUN: Final = r"(?:it|that|this|they|i|we|he|she|er|sie|es|das|ich|wir)"
_SUBJECT: Final = rf"(?:{_PRONOUN}|(?:the|der|die|das) (?P<item>{_THING}))"
_PERIOD: Final = r"(?:second|minute|hour|day|week|month|year|stunde|tag|woche|monat|jahr)"
_DOER: Final = rf"(?:i|we|he|she|it|ich|wir|er|sie|(?:an?|the|my|ein|eine|mein|der|die) {_WORD})"
_DOES: Final = (
    r"(?:earns?|makes?|saves?|reads?|drinks?|eats?|walks?|runs?|writes?|uses?|pays?|spends?|"
    r"learns?|verdiene|spare|lese|trinke|esse|laufe|zahle|brauche|schreibe)"
)
_NOW: Final = r"(?: (?:now|then|jetzt|nun|dann|noch))?"

#: What a clause may say, by its kind; a kind may be said in several ways.
_CLAUSES: Final[Mapping[str, tuple[re.Pattern[str], ...]]] = {
    kind: tuple(map(re.compile, patterns))
    for kind, patterns in {
        "price": (
            rf"(?P<thing>{_THING}) {_COSTS} (?P<total>{NUMBER})",
            rf"(?P<thing>{_THING}) (?P<total>{NUMBER}) (?:kostet|kostete|beträgt)",
            (
                rf"(?:(?:the|a|an|our|die|der|eine|ein|unsere) )?{_BILL} (?:of|von|über) "
                rf"(?P<total>{NUMBER})"
            ),
            rf"{_HOW_MUCH} (?:is|does|would) (?:an?|the) (?P<total>{NUMBER}) {_THING}(?: cost)?",
            (
                rf"{_HOW_MUCH} (?:is|does|would|kostet) {_THING} (?:for|at|für|zu) "
                rf"(?P<total>{NUMBER})(?: cost)?"
            ),
            rf"(?:{_HOW_MUCH} (?:is|are|ist|sind) )?(?P<total>{NUMBER})",
        ),
        "single": (
            rf"(?:1|eine?) (?P<thing>{_THING}) (?P<total>{NUMBER}) kostet",
            (
                rf"(?:1|an?|each|every|eine?|jede[rs]?) (?P<thing>{_THING}) {_COSTS} "
                rf"(?P<total>{NUMBER})"
            ),
        ),
        "bundle": (
            rf"(?P<count>{_AMOUNT}) (?P<thing>{_THING}) {_COSTS} (?P<total>{NUMBER})",
            rf"(?P<count>{_COUNT}) (?P<thing>{_THING}) (?P<total>{NUMBER}) kosten",
            (
                rf"(?:an?|the|eine?) {_WORD} (?:of|von) (?P<count>{_COUNT}) (?P<thing>{_THING}) "
                rf"{_COSTS} (?P<total>{NUMBER})"
            ),
            rf"(?P<count>{_COUNT})(?: (?P<thing>{_THING}))? (?:for|für) (?P<total>{NUMBER})",
            (
                rf"{_PRONOUN} (?:buy|bought|get|got|pay for|kaufe|kaufen|kaufte|bekomme) "
                rf"(?P<count>{_COUNT}) (?P<thing>{_THING}) (?:for|für) (?P<total>{NUMBER})"
            ),
            (
                rf"{_PRONOUN} (?:pay|paid|zahle|zahlte|bezahle) (?P<total>{NUMBER}) (?:for|für) "
                rf"(?P<count>{_COUNT}) (?P<thing>{_THING})"
            ),
        ),
        "apiece": (
            (
                rf"(?:{_PRONOUN} (?:buy|bought|kaufe|kaufen) |{_HOW_MUCH} (?:is|are|do|does|"
                rf"kosten) )?"
                rf"(?P<count>{_COUNT}) {_PIECES} (?:(?:costs?|are|at|for|kosten|zu|für|à) )?"
                rf"(?P<total>{NUMBER}) (?:each|apiece|a piece|je|jeweils|pro stück)(?: cost)?"
            ),
            (
                rf"(?P<count>{_COUNT}) {_PIECES} (?:kosten )?(?:je|jeweils|à) (?P<total>{NUMBER})"
                r"(?: kosten)?"
            ),
            (
                rf"{_HOW_MUCH} (?:do|kosten) (?P<count>{_COUNT}) {_PIECES} (?:at|zu|für je|zu je) "
                rf"(?P<total>{NUMBER})(?: (?:each|apiece))?(?: cost)?"
            ),
        ),
        "sharers": (
            rf"(?P<people>{_COUNT}) {_WHO} {_SHARE}(?: {_ITEM})*{_EVENLY}",
            rf"(?P<people>{_COUNT}) {_WHO}(?: {_ITEM})+{_EVENLY} teilen",
            (
                rf"(?:we|they|there|wir|es) (?:are|were|waren|sind)(?: zu)? (?P<people>{_COUNT})"
                rf"(?: (?:of (?:us|them)|{_WHO}))?"
            ),
            (
                rf"(?:{_PRONOUN} (?:is |are |was |wird )?)?(?:split|shared|divided|share|geteilt) "
                rf"(?:{_ITEM} )?(?:equally |evenly )?(?:between|among|amongst|by|into|unter|durch|"
                rf"auf) (?P<people>{_COUNT})(?: {_WHO})?(?: geteilt)?"
            ),
            rf"(?P<people>{_COUNT}) {_WHO} {_TAKE_PART}",
        ),
        "shared": (
            (
                rf"(?P<people>{_COUNT}) {_WHO} {_SHARE}(?: sich)? (?:(?:the |a |die |eine |den "
                rf")?{_BILL} (?:of|von|über) )?(?P<total>{NUMBER}){_EVENLY}"
            ),
            rf"(?P<people>{_COUNT}) {_WHO} (?:sich )?(?P<total>{NUMBER}){_EVENLY} teilen",
            (
                rf"(?P<people>{_COUNT}) {_WHO} {_SHARE} (?:a|the) (?P<total>{NUMBER}) "
                rf"{_BILL}{_EVENLY}"
            ),
            (
                rf"(?:(?:a|the|our|die|eine) )?{_BILL} (?:of|is|von|über|ist) (?P<total>{NUMBER})"
                r"(?: is| was)? (?:split|shared|divided)"
                rf"(?: equally| evenly)? (?:between|among|amongst|by|into) "
                rf"(?P<people>{_COUNT})(?: {_WHO})?"
            ),
            (
                rf"(?:we (?:want to )?)?(?:split|share|divide|teile) "
                rf"(?:(?:a|the|our|eine|die) {_BILL} (?:of|von|über) )?"
                rf"(?P<total>{NUMBER})(?: equally| evenly)? (?:between|among|amongst|by|auf|"
                rf"unter|durch) (?P<people>{_COUNT})(?: {_WHO})?"
            ),
        ),
        "price_for": (
            (
                rf"(?P<thing>{_THING}) {_COSTS} (?P<total>{NUMBER}) (?:for|für) "
                rf"(?P<people>{_COUNT}) {_WHO}"
            ),
            (
                rf"(?P<people>{_COUNT}) {_WHO} {_SHARE} (?:an?|the) {_THING} (?:costing|for|worth|"
                rf"(?:that|which) costs?) (?P<total>{NUMBER})"
            ),
        ),
        "what_each_of": (
            (
                rf"{_HOW_MUCH}(?: {_VERB}| zahlt| bezahlt)? (?:each|every 1|jede[rs]?) (?:of|der|"
                rf"von) (?:(?:the|us|den|uns) )?(?P<people>{_COUNT})(?: {_WHO})?{_TO_PAY}"
            ),
        ),
        "shared_ways": (
            (
                rf"(?:(?:(?:a|the|our) )?{_BILL} (?:of|is) |(?:we (?:want to )?)?(?:split|share) "
                rf"(?:(?:a|the|our) {_BILL} of )?)(?P<total>{NUMBER})(?: (?:is )?(?:split|shared))?"
                rf"(?: in| into)? (?P<people>{_COUNT}) ways"
            ),
        ),
        "to_pay": (
            (
                rf"{_HOW_MUCH} (?:do|does|must|would) (?:i|we|he|she) pay for (?:an?|the|my) "
                rf"(?P<total>{NUMBER}) {_THING}"
            ),
        ),
        "what_tip": (
            (
                rf"{_HOW_MUCH} (?:is|would be|ist|sind|wäre) (?:an? |the |ein )?{_PERCENT} "
                rf"(?:tip|trinkgeld)"
            ),
        ),
        "each_needs": (
            (
                rf"(?:(?:an?|the|eine) {_WORD} (?:of|von) )?(?P<people>{_COUNT}) {_WHO} (?:needs?|"
                rf"gets?|eats?|drinks?) (?P<rate>{NUMBER}) (?P<thing>{_THING}) each"
            ),
            (
                rf"(?P<people>{_COUNT}) {_WHO} (?:brauchen|bekommen|essen|trinken) "
                rf"(?:je|jeweils) (?P<rate>{NUMBER}) (?P<thing>{_THING})"
            ),
        ),
        "how_many": (
            (
                rf"(?:how many|wie ?viele?) (?P<some>{_WORD}(?: {_WORD})?)"
                r"(?: (?:is that|are that|are needed|sind das|do (?:i|we|they) need))?"
                r"(?: (?:in total|altogether|insgesamt|zusammen))?"
            ),
        ),
        "rate": (
            (
                rf"{_DOER} (?P<verb>{_DOES}) (?P<rate>{NUMBER})(?: (?P<thing>{_THING}))? "
                rf"(?:an?|per|each|every|pro|die|in der|am|im) (?P<period>{_PERIOD})"
            ),
            (
                rf"{_DOER} (?P<rate>{NUMBER})(?: (?P<thing>{_THING}))? (?:am|im|pro|in der|die) "
                rf"(?P<period>{_PERIOD}) (?P<verb>{_DOES})"
            ),
        ),
        "what_in_time": (
            (
                rf"(?:how (?:much|many)|wie ?viele?)(?: (?P<some>{_THING}))? (?:do|does|is|"
                rf"verdiene|lese|spare|brauche)(?: (?:i|we|he|she|it|that|ich|wir))?(?: "
                rf"(?P<verb_again>{_DOES}))? in "
                rf"(?P<wanted>{NUMBER}) (?P<periods>{_PERIOD})(?:s|en|n)?"
            ),
        ),
        "how_long_for": (
            (
                rf"(?:how many|wie ?viele) (?P<periods>{_PERIOD})(?:s|en|n|e)?(?: (?:do i need|"
                rf"does it take|are needed|will it take|brauche ich))?(?: me)? "
                rf"(?:for|to (?P<verb_again>{_DOES})|für) "
                rf"(?P<wanted>{NUMBER})(?: (?P<some>{_THING}))?"
            ),
        ),
        "tip": (
            (
                rf"(?:{_PRONOUN} (?:add|give|leave|geben) |plus )?(?:an? |einem? )?{_PERCENT} "
                r"(?:tip|trinkgeld)"
            ),
        ),
        "off": (
            (
                rf"(?:(?:{_SUBJECT} )?(?:is|are|was|get|gets|bekomme|gibt|ist|bekommt) |there is )?"
                rf"(?:now |an? |einem? |einen )?{_PERCENT} (?:off|discount|cheaper|rabatt|billiger|"
                r"günstiger|reduction|nachlass)(?: (?:on it|darauf))?"
            ),
            (
                rf"(?:{_SUBJECT} )?(?:(?:is|was|ist|wird|wurde) )?(?:reduced|discounted|marked "
                rf"down) by {_PERCENT}"
            ),
            (
                rf"(?:{_SUBJECT} )?(?:ist|wird|wurde) um {_PERCENT} (?:reduziert|gesenkt|"
                rf"herabgesetzt|billiger|günstiger)"
            ),
        ),
        "up": (
            (
                rf"(?:{_SUBJECT} )?(?:goes up|rises|increases|went up|rose|is raised|is "
                rf"increased) by {_PERCENT}"
            ),
            rf"(?:{_SUBJECT} )?steigt um {_PERCENT}",
            rf"(?:{_SUBJECT} )?(?:wird|ist)(?: um)? {_PERCENT} (?:teurer|erhöht)",
        ),
        "spent": (
            rf"{_PRONOUN} (?:spend|spent|pay|paid|give) (?P<spent>{NUMBER})",
            rf"(?:ich |wir )?(?:gebe|geben|zahle|gab) (?P<spent>{NUMBER})(?: aus)?",
            rf"(?:spend|spent|pay|paid) (?P<spent>{NUMBER})",
        ),
        "spent_too": (rf"(?P<spent_too>{NUMBER})(?: aus)?",),
        "had": (rf"(?:i|we|ich|wir) (?:have|had|habe|haben|hatte|hatten) (?P<total>{NUMBER})",),
        "what_each": (
            rf"{_HOW_MUCH}(?: {_VERB})? {_EACH_ONE}{_TO_PAY}",
            (
                rf"{_HOW_MUCH} (?:zahlt|bezahlt|schuldet|kostet es|muss) {_EACH_ONE}(?: "
                rf"(?:be)?zahlen)?"
            ),
            (
                rf"{_HOW_MUCH}(?: (?:is|does|ist|kostet|macht|sind)(?: {_PRONOUN})?(?: cost)?)? "
                rf"(?:{_PER_HEAD}|each|jeweils)"
            ),
            rf"what(?: is|'s) the (?:price|cost|share) {_PER_HEAD}",
            r"what(?: is|'s) (?:each (?:share|part)|each person's share|the share of each)",
        ),
        "what_one": (
            (
                rf"{_HOW_MUCH} (?:is|does|do|would|kostet|ist) {_SINGLE}(?: (?P<one>{_THING}?))??"
                r"(?: (?:cost|be))?"
            ),
            rf"{_HOW_MUCH} (?:each|apiece|pro stück|je stück)",
            rf"{_HOW_MUCH}(?: is| is it)? per (?P<one>{_THING})",
            rf"what(?: is|'s) the (?:price|cost) (?:of 1|per) (?P<one>{_THING})",
        ),
        "what_some": (
            (
                rf"{_HOW_MUCH} (?:is|are|does|do|would|will|kosten|sind) (?P<wanted>{_SOME})"
                rf"(?: (?P<some>{_THING}?))??(?: (?:cost|be))?"
            ),
        ),
        "what_now": (
            (
                rf"{_HOW_MUCH} (?:is|does|will|would|do|must|kostet|zahle|ist){_NOW} "
                rf"{_SUBJECT}{_NOW}(?: (?:pay|cost|be|kosten))?{_NOW}"
            ),
            (
                r"(?:what|was)(?: is|'s| ist| will be) (?:the|der) (?:(?:new|sale|final|reduced|"
                r"discounted|neue|reduzierte) )?(?:price|preis)"
            ),
            rf"{_HOW_MUCH} (?:zahle|bezahle) (?:ich|man){_NOW}",
        ),
        "what_saved": (
            rf"{_HOW_MUCH} (?:do|does|can|spare|spart) {_PRONOUN}(?: save)?",
            r"what(?: is|'s) the saving",
        ),
        "what_all": (
            (
                rf"{_HOW_MUCH}(?: (?:is|are|do|does|ist|macht|sind|kosten)(?: {_PRONOUN})?"
                r"(?: (?:cost|pay))?)?(?: (?:in total|altogether|all together|in all|insgesamt|"
                r"zusammen))?"
            ),
            r"what(?: is|'s) the total(?: (?:cost|price))?",
        ),
        "what_left": (
            (
                rf"{_HOW_MUCH} (?:is|do {_PRONOUN} have|have {_PRONOUN}|habe ich|bleibt)(?: noch| "
                rf"mir)*(?: (?:left|over|left over|übrig))?"
            ),
        ),
    }.items()
}


def clauses_of(text: str) -> list[str]:
    """Return the clauses of a text."""
    return [clause for clause in _CLAUSE_END.split(text) if clause]


def clause_readings(clause: str) -> list[Mapping[str, str | None]]:
    """Return what a clause may say: its kind and what it names."""
    return [
        {"kind": kind, **match.groupdict()}
        for kind, patterns in _CLAUSES.items()
        for match in (pattern.fullmatch(clause) for pattern in patterns)
        if match
    ]
