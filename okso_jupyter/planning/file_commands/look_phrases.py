"""Look phrases: how people ask to search, list, count and compare files, as patterns over marks."""

from __future__ import annotations

from typing import Final

from okso_jupyter.planning.file_commands.command_phrases import FILES, FOLDER, ONE_FILE
from okso_jupyter.planning.file_commands.named_parts import PATH, QUOTE
from okso_jupyter.planning.file_commands.phrase_parts import (
    ALL,
    ANYWHERE,
    ARE,
    COUNT,
    DEFINED,
    DIFFERENT,
    DONE,
    END,
    ENTRIES,
    EXTRACT,
    FIND,
    GET,
    HOLD,
    IN_FILE,
    IN_WHICH,
    INTO_FILE,
    ITEMS,
    KEY,
    KIND,
    LEVEL,
    LEVEL_WORDS,
    LINES_INTO,
    LINES_SAVED,
    LINES_WITH,
    LIST,
    MARKED,
    MARKER,
    MATCH,
    MORE_THAN_ONCE,
    NEEDLE,
    NUMBERS,
    OCCUR,
    OF_KIND,
    OF_TEXT,
    OPEN,
    REPEATED,
    SAVED,
    SCOPE,
    SIDE,
    SOME,
    TAKE,
    TASKS,
    THIS_FOLDER,
    UNIT,
    WITHIN,
)

#: Kind of clause and its pattern, in words.
LOOKS: Final = (
    ("search", rf"{FIND} {ALL}{MARKED}{SCOPE}?"),
    (
        "search",
        rf"(?:search|look|grep|durchsuche?) (?:in |through )?{FILES} (?:for|nach) {NEEDLE}",
    ),
    (
        "search",
        rf"(?:search|look|grep|durchsuche?) (?:in |through )?{SOME} (?:for|nach) {NEEDLE}",
    ),
    ("search", rf"{FIND} {ALL}{OF_TEXT} {NEEDLE}{SCOPE}"),
    ("search", rf"(?:which|what|welche) {SOME}{WITHIN} {HOLD} {NEEDLE}"),
    (
        "search",
        (
            rf"(?:which|what|welche) (?:of )?(?P<within>{FOLDER}) "
            rf"(?:{HOLD}|needs?|uses?|requires?|calls? for|have|has|brauchen) {NEEDLE}"
        ),
    ),
    ("search", rf"{LIST} {SOME}{WITHIN} (?:that |which )?{HOLD} {NEEDLE}"),
    (
        "search",
        rf"(?:is|are) there (?:an? )?{SOME}{WITHIN} (?:that |which )?{HOLD} {NEEDLE}",
    ),
    ("search", rf"(?:does|do) {SOME}{WITHIN} {HOLD} {NEEDLE}"),
    ("search", rf"where is {NEEDLE} (?:mentioned|used|defined|called)"),
    ("search", rf"wo wird {NEEDLE} (?:erwähnt|verwendet|benutzt)"),
    (
        "word",
        (
            rf"in (?:which|what) files? (?:is|does|(?P<several>are|do)) {NEEDLE} "
            rf"(?:mentioned|used|defined|occur|appear|come up|turn up)"
        ),
    ),
    (
        "word",
        (
            rf"in welche[rn] datei(?:en)? (?:kommt|steht|taucht|wird|(?P<several>kommen|stehen)) "
            rf"(?:etwas (?:über|zu|von) )?{NEEDLE}"
            rf"(?: (?:vor|auf|drin|erwähnt|verwendet|benutzt))?"
        ),
    ),
    (
        "about",
        (
            rf"(?:which|what|welche[rs]?) (?P<called>[^\W\d_]{{3,}}) "
            rf"(?:(?:is|are) about|{HOLD}|handelt von|geht um) {NEEDLE}"
        ),
    ),
    ("word", rf"where does {NEEDLE} (?:occur|appear|come up|turn up)"),
    ("word", rf"wo (?:kommt|taucht) {NEEDLE} (?:vor|auf)"),
    ("search", rf"(?:is|are) there (?:an? |any |some )?{MARKER}{ANYWHERE}{IN_WHICH}?"),
    ("search", rf"(?:is|are) there (?:an? |any |some )?{MARKER}{IN_WHICH}"),
    ("search", rf"gibt es (?:noch |irgendwo |ein(?:en|e)? )*{MARKER}{ANYWHERE}?{IN_WHICH}?"),
    ("folder", rf"{LIST} {ALL}{ENTRIES}(?: there are| i have)?{WITHIN}"),
    (
        "folder",
        (
            rf"(?:which|what|welche) {ENTRIES} "
            rf"(?:are|are there|do i have|do we have|sind|liegen|gibt es){WITHIN}"
        ),
    ),
    (
        "folder",
        (
            rf"(?:which|what) {ENTRIES} does (?:{THIS_FOLDER}|(?P<within>{FOLDER})) "
            rf"(?:have|contain|hold)"
        ),
    ),
    (
        "folder",
        (
            rf"(?:what is|what's|whats|was ist) (?:(?:in|inside|within) "
            rf"(?:{THIS_FOLDER}|(?P<within>{FOLDER}))|here)"
        ),
    ),
    ("list", rf"{LIST} {ALL}{OF_KIND}{WITHIN}"),
    ("list", rf"{LIST} {ALL}{OF_KIND}{WITHIN}(?P<size> (?:and|with|by)(?: their)? sizes?)"),
    ("compare", rf"(?:which|what)(?: {KIND})? file{WITHIN} is (?:the )?{END}"),
    (
        "size",
        (
            rf"(?:how (?:big|large) (?:is|are)|(?:(?:what is|what's|{LIST}|get) the )?(?:total )?"
            rf"(?:file )?size of|wie groß (?:ist|sind)) "
            rf"(?:{THIS_FOLDER}|{FILES}|(?P<within>{FOLDER}))"
        ),
    ),
    (
        "size",
        (
            rf"how much (?:disk )?space (?:does|do) "
            rf"(?:{THIS_FOLDER}|{FILES}|(?P<within>{FOLDER})) (?:take(?: up)?|use|need|occupy)"
        ),
    ),
    (
        "count",
        (
            rf"(?:how many|count(?: the)?|(?:what is|what's) the number of|wie viele) {UNIT}"
            rf"(?: (?:are|is|does|do|has|have|hat|sind|stehen))?(?: there)?(?: (?:in|of))? "
            rf"{ONE_FILE}(?: (?:have|contain|hold))?"
        ),
    ),
    ("count", rf"(?:{LIST} |what is |what's )?(?:the )?{UNIT} count of {ONE_FILE}"),
    (
        "run",
        (
            rf"(?:run|execute|start) (?:the )?(?:python )?(?:script |program )?{ONE_FILE}"
            r"(?:,? and (?:tell|show|give|print)(?: me)? "
            r"(?:what (?:it|this|that) (?:prints|outputs|says|gives)|"
            r"(?:its|the) (?:output|result)))?"
        ),
    ),
    ("run", rf"(?:run|execute|start) {ONE_FILE} (?:with|in|using) python"),
    ("run", rf"python3? {ONE_FILE}"),
    (
        "run",
        (
            rf"(?:run|execute|start) (?:the )?(?:python )?(?:script |program )?{ONE_FILE} with "
            rf"(?:the |an? )?(?:arguments?|parameters?|input) (?P<arguments>{QUOTE}|[^<>]{{1,80}})"
        ),
    ),
    ("run", rf"führe? {ONE_FILE} aus"),
    (
        "repeated",
        (
            rf"(?:which|what|welche) {ITEMS} "
            rf"(?:(?:is|are|occurs?|appears?|shows? up|come|stehen|kommen|sind) )?"
            rf"(?:listed |there )?{MORE_THAN_ONCE} {IN_FILE}(?: vor)?"
        ),
    ),
    (
        "repeated",
        rf"(?:which|what|welche) {ITEMS} (?:is|are|ist|sind) {IN_FILE} {MORE_THAN_ONCE}",
    ),
    (
        "repeated",
        (
            rf"(?:which|what|welche) {ITEMS} {IN_FILE} "
            rf"(?:is|are|occurs?|appears?|show up|come|sind|kommen|stehen) (?:listed |there )?"
            rf"{MORE_THAN_ONCE}(?: vor)?"
        ),
    ),
    (
        "repeated",
        (
            rf"(?:{LIST}|are there|is there|does it have|check for|gibt es) "
            rf"{ALL}{REPEATED}(?: {ITEMS})? {IN_FILE}"
        ),
    ),
    ("repeated", rf"(?:does|has|do) {ONE_FILE} (?:have|contain) {ALL}{REPEATED}(?: {ITEMS})?"),
    (
        "distinct",
        (
            rf"(?P<count>how many|count|number of|(?:what is|what's) the number of|wie viele) "
            rf"(?:the )?{DIFFERENT} {ITEMS} (?:(?:are|is|do (?:i|we) have|gibt es|sind|stehen) )?"
            rf"(?:there )?{IN_FILE}"
        ),
    ),
    (
        "distinct",
        (
            rf"(?P<count>how many|wie viele) {DIFFERENT} {ITEMS} (?:does|hat) {ONE_FILE}"
            rf"(?: (?:have|contain|hold|list))?"
        ),
    ),
    ("distinct", rf"{LIST} {ALL}{DIFFERENT} {ITEMS} {IN_FILE}"),
    (
        "tasks",
        (
            rf"(?:what is|what's|what are|which are|{LIST}|was steht auf) (?:on |in )?{ALL}"
            rf"(?:my |meiner )?(?:(?:{OPEN}|{DONE}) )?{TASKS} {IN_FILE}"
        ),
    ),
    (
        "tasks",
        (
            rf"(?:which|what|welche) {TASKS} {IN_FILE} (?:are|is|remain|sind) (?:still )?"
            rf"(?:{OPEN}|{DONE}|offen)"
        ),
    ),
    (
        "tasks",
        (
            rf"(?:which|what|welche) {TASKS} (?:are|is|remain|sind) (?:still )?"
            rf"(?:{OPEN}|{DONE}|offen) {IN_FILE}"
        ),
    ),
    (
        "tasks",
        rf"what (?:is|remains) (?:left |still )?(?:to do|to be done|left|open) {IN_FILE}",
    ),
    (
        "lines",
        (
            rf"(?:{LIST}|print|read|display|what are|get) (?:the )?(?P<side>first|last|top) "
            rf"(?:(?P<number>\d{{1,3}}|{'|'.join(NUMBERS)}) )?(?:lines?|zeilen?) "
            rf"(?:of|in|from|von|aus) {ONE_FILE}"
        ),
    ),
    ("overview", rf"(?:describe|summari[sz]e) {ONE_FILE}"),
    (
        "overview",
        (
            rf"(?:{LIST}|get|what is) (?:an? |the |short |quick |brief )*(?:summary|overview|"
            rf"description) of {ONE_FILE}"
        ),
    ),
    ("saved lines", rf"{FIND} {ALL}{OF_TEXT} {NEEDLE} {IN_FILE}{SAVED}"),
    (
        "saved lines",
        rf"{GET} (?:(?:all|only|just) )*(?:the )?{LEVEL_WORDS} {IN_FILE}{SAVED}",
    ),
    (
        "saved lines",
        rf"{TAKE} (?:(?:all|only|just) )*(?:the )?{LEVEL_WORDS} {IN_FILE}{INTO_FILE}",
    ),
    ("saved lines", rf"{TAKE} {ALL}{OF_TEXT} {NEEDLE} {IN_FILE}{INTO_FILE}"),
    (
        "saved lines",
        (
            rf"{TAKE} {ALL}(?:lines?|zeilen) {IN_FILE} {MATCH} (?!(?:line )?numbers){NEEDLE}"
            rf"{INTO_FILE}"
        ),
    ),
    ("saved lines", rf"{TAKE} {ALL}{MARKED} (?:lines?|zeilen) {IN_FILE}{INTO_FILE}"),
    ("saved lines", rf"{GET} {ALL}{MARKED} (?:lines?|zeilen) {IN_FILE}{SAVED}"),
    *(
        ("found lines", f"{verbs} {ALL}{lines}{SCOPE}?{saved}")
        for lines in LINES_WITH
        for verbs, saved in ((rf"(?:{FIND}|{GET})", LINES_SAVED), (TAKE, LINES_INTO))
    ),
    (
        "file count",
        (
            rf"(?:how many|count(?: the| all)?|number of|wie viele) (?:files|dateien|{OF_KIND})"
            rf"(?: {ARE})?(?: there| do i have| hier)?{WITHIN}(?: {ARE})?(?: there)?"
        ),
    ),
    (
        "file count",
        rf"(?:how many|wie viele) (?P<within>{PATH})(?: {ARE}(?: there)?| do (?:i|we) have)",
    ),
    (
        "line by length",
        (
            rf"(?:(?:what|which) (?:is|are) |{LIST} )?(?:the )?(?P<end>longest|shortest) "
            rf"(?P<unit>line|word) {IN_FILE}"
        ),
    ),
    ("difference", rf"(?:compare|diff|vergleiche) {FILES}"),
    (
        "difference",
        (
            rf"(?:(?:what|which) (?:is|are) |what's |{LIST} )?(?:the )?differences? "
            rf"(?:between|of|in) {FILES}"
        ),
    ),
    ("difference", rf"what (?:is|are|was|has) (?:different|changed) (?:between|in) {FILES}"),
    (
        "difference",
        (
            rf"(?:(?:was|welche) (?:ist|sind) |welche |{LIST} )?(?:der |die |den )?unterschiede?"
            rf"(?: (?:gibt es|bestehen))? zwischen {FILES}"
        ),
    ),
    ("difference", rf"(?:worin|wie|wo) unterscheiden sich {FILES}"),
    ("difference", rf"(?:how|where) do {FILES} differ"),
    ("difference", rf"are {FILES} (?:the same|equal|identical|different)"),
    (
        "log lines",
        rf"{GET} (?:(?:all|only|just) )*(?:the )?(?:{SIDE})?{LEVEL_WORDS} {IN_FILE}",
    ),
    (
        "log lines",
        (
            rf"(?P<count>how many|count(?: the)?|wie viele) {LEVEL_WORDS}(?: {ARE})?(?: there)? "
            rf"{IN_FILE}"
        ),
    ),
    (
        "log lines",
        rf"(?P<count>how many) {LEVEL} (?:does|did) {ONE_FILE} (?:have|contain|list|show)",
    ),
    ("log lines", rf"(?:which|what|welche) {LEVEL} (?:{ARE} )?(?:there )?{IN_FILE}"),
    (
        "definitions",
        (
            rf"(?:{LIST} |which |what )(?:all )?(?:the )?{DEFINED}(?: {ARE})?"
            rf"(?: (?:that are )?defined)? {IN_FILE}"
        ),
    ),
    (
        "definitions",
        (
            rf"(?:which|what) {DEFINED} (?:does|do|did) {ONE_FILE} "
            r"(?:define|have|contain|provide|offer|export)"
        ),
    ),
    ("definitions", rf"(?:which|what) {DEFINED} (?:{ARE} )?(?:there )?(?:defined )?{IN_FILE}"),
    (
        "matching lines",
        (
            rf"(?:how many|count(?: the)?|the number of|wie viele) (?:lines|zeilen)"
            rf"(?: {ARE})?(?: there)? {IN_FILE} {MATCH} {NEEDLE}"
        ),
    ),
    (
        "matching lines",
        (
            rf"(?:how many|count(?: the)?|the number of|wie viele) (?:lines|zeilen)"
            rf"(?: {IN_FILE})? {MATCH} {NEEDLE}"
        ),
    ),
    (
        "matching lines",
        rf"(?:how many|count(?: the)?) (?:lines|zeilen) {MATCH} {NEEDLE}(?: {ARE})? {IN_FILE}",
    ),
    (
        "occurrences",
        (
            rf"(?:(?:count )?how (?:often|many times)|wie oft) (?:(?:does|do|is|kommt|steht) )?"
            rf"{NEEDLE}(?: {OCCUR})? {IN_FILE}(?: {OCCUR})?"
        ),
    ),
    (
        "occurrences",
        rf"count (?:the |all )?(?:occurrences of |number of times )?{NEEDLE} {IN_FILE}",
    ),
    (
        "extract",
        rf"(?:{GET}|find|which are) (?:out )?{ALL}{EXTRACT} (?:out )?{IN_FILE}",
    ),
    (
        "extract",
        rf"(?P<count>how many|count(?: the)?|wie viele) {EXTRACT}(?: {ARE})?(?: there)? {IN_FILE}",
    ),
    (
        "extract",
        rf"(?:which|what|welche) {EXTRACT} (?:{ARE} )?(?:there )?{IN_FILE}",
    ),
    (
        "value",
        (
            rf"(?:what|which) (?:is|are) (?:the )?(?:value of )?{KEY}(?: set)? {IN_FILE}"
            rf"(?: set to)?"
        ),
    ),
    (
        "value",
        rf"(?:what|which) {KEY} (?:is|are) (?:set|used|given|listed|defined) {IN_FILE}",
    ),
    ("value", rf"(?:{LIST}|print|get|read) (?:all )?(?:the )?(?:value of )?{KEY} {IN_FILE}"),
    (
        "value",
        (
            rf"(?P<count>how many|count(?: the)?|wie viele) {KEY}(?: {ARE})?(?: there)?"
            rf"(?: listed)? {IN_FILE}"
        ),
    ),
    (
        "value",
        rf"(?P<count>how many) {KEY} (?:does|did) {ONE_FILE} (?:have|contain|list|hold)",
    ),
    (
        "compare",
        (
            rf"(?:(?:what|which) (?:is|are) |what's |{LIST} )?(?:the |my )?{COUNT}{END} "
            rf"(?:{KIND} )?file(?P<several>s)?{WITHIN}"
        ),
    ),
    ("search", rf"{ALL}(?:lines?|zeilen) (?:with|that {HOLD}|containing|mit) {MARKED} {IN_FILE}"),
    ("marked lines", rf"(?:{FIND} )?{ALL}{MARKED} (?:lines?|zeilen) {IN_FILE}"),
)
