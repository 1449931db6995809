"""Look phrases: how people ask to search, list and rewrite files, as patterns over marks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from okso_jupyter.planning.file_commands.command_phrases import (
    FILES,
    FOLDER,
    INTO,
    NAME,
    OLD_BY_NEW,
    ONE_FILE,
    THE,
)
from okso_jupyter.planning.file_commands.named_parts import PATH, QUOTE

#: Word for a kind of file -> the endings of their names.
SUFFIXES: Final[Mapping[str, tuple[str, ...]]] = {
    "csv": (".csv",),
    "tsv": (".tsv",),
    "json": (".json",),
    "python": (".py",),
    "py": (".py",),
    "notebook": (".ipynb",),
    "markdown": (".md", ".markdown"),
    "md": (".md",),
    "text": (".txt",),
    "txt": (".txt",),
    "log": (".log",),
    "pdf": (".pdf",),
    "excel": (".xlsx", ".xlsm"),
    "yaml": (".yaml", ".yml"),
    "toml": (".toml",),
    "html": (".html", ".htm"),
    "image": (".png", ".jpg", ".jpeg", ".gif", ".svg"),
    "png": (".png",),
    "jpg": (".jpg", ".jpeg"),
    "parquet": (".parquet",),
    "sql": (".sql",),
}
#: Word -> what files are compared by, and whether the largest is meant.
ENDS: Final[Mapping[str, tuple[str, bool]]] = {
    "largest": ("size", True),
    "biggest": ("size", True),
    "smallest": ("size", False),
    "newest": ("mtime", True),
    "latest": ("mtime", True),
    "oldest": ("mtime", False),
}
#: Numbers that people write as words.
NUMBERS: Final[Mapping[str, int]] = {
    word: number
    for number, word in enumerate("one two three four five six seven eight nine ten".split(), 1)
}
#: What is counted of a text, and the option of `wc` that counts it.
UNITS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("words", "word", "wörter"), "-w"),
    **dict.fromkeys(("characters", "character", "chars", "letters", "zeichen"), "-m"),
    "bytes": "-c",
}
#: Word for the level of a log's line, and the level as logs write it.
LEVELS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("error", "errors", "fehler"), "ERROR"),
    **dict.fromkeys(("warning", "warnings", "warnung", "warnungen"), "WARN"),
    "critical errors": "CRITICAL",
    "critical error": "CRITICAL",
    "fatal errors": "FATAL",
    "fatal error": "FATAL",
}
#: Beginning of the word for what is taken out of a text -> what it looks like.
EXTRACTS: Final[Mapping[str, str]] = {
    "e-mail": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    "email": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    "mail": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    "url": r"https?://[^\s<>\"')\]]+",
    "link": r"https?://[^\s<>\"')\]]+",
    "web address": r"https?://[^\s<>\"')\]]+",
    "phone": r"(?<!\w)\+?\(?\d[\d ()/-]{5,}\d",
    "telephone": r"(?<!\w)\+?\(?\d[\d ()/-]{5,}\d",
    "telefonnummer": r"(?<!\w)\+?\(?\d[\d ()/-]{5,}\d",
    "date": r"\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b",
    "ip address": r"\b(?:\d{1,3}\.){3}\d{1,3}\b",
    "hashtag": r"(?<!\w)#\w+",
}
_KIND: Final = rf"\.?(?P<kind>{'|'.join(SUFFIXES)})"
_FILE_WORD: Final = (
    r"(?:files?|notes|documents?|scripts?|reports?|letters?|e-?mails?|memos?|articles?|"
    r"datei(?:en)?)"
)
_ALL: Final = r"(?:all |every |each |any |of |the |my |these |alle |die |allen )*"
_SOME: Final = rf"{_ALL}(?:{_KIND} )?{_FILE_WORD}"
_HERE: Final = r" (?:here|in (?:this|the|my) (?:folder|directory|project))"
_WITHIN: Final = rf"(?:(?: in| inside| within| under| of) (?P<within>{FOLDER})|{_HERE})?"
_SCOPE: Final = rf"(?: (?:in|inside|within|through) (?:{FILES}|{_SOME}{_WITHIN})|{_HERE})"
_WORD: Final = r"[^\s<>,;]+"
_NEEDLE: Final = (
    rf"(?:the (?:word|text|name|phrase) )?(?!(?:more|less|fewer|at least|at most|over|under) )"
    rf"(?P<needle>{QUOTE}|{_WORD}(?: {_WORD}){{0,4}}?)"
)
#: What is looked for although no word says that it is a text: in quotation marks, or in capitals.
_MARKED: Final = rf"(?P<needle>{QUOTE}|(?-i:[A-Z]{{3,}}s?)(?: (?:comments?|notes?|markers?))?)"
_FIND: Final = r"(?:find|search for|search|look for|show(?: me)?|list|where are|suche?(?: nach)?)"
_SEARCH: Final = r"(?:search|look|grep|durchsuche?)(?: in| through)?"
_HOLD: Final = (
    r"(?:mentions?|contains?|talks? about|refers? to|includes?|(?:has|have) the word|"
    r"mentioning|containing|with the word|enthalten|enthält|erwähnen|erwähnt)"
)
_OF_TEXT: Final = (
    rf"(?:lines? (?:with|that {_HOLD}|containing)|mentions? of|occurrences? of|uses of|"
    r"(?:the )?(?:word|text|phrase))"
)
_LIST: Final = r"(?:list|show(?: me)?|tell me|find|display|give me|what are|zeige?(?: mir)?|liste)"
_ENTRIES: Final = (
    r"(?:files(?: and (?:sub)?(?:folders|directories))?|(?:folders|directories) and files|"
    r"contents?|everything|dateien|inhalt)"
)
_END: Final = rf"(?P<end>{'|'.join(ENDS)})"
_COUNT: Final = r"(?:(?P<number>\d{1,2}) )?"
_AND_THEN: Final = r"(?:,? (?:and|und) |, |,? then )"
_SAVED: Final = (
    rf"{_AND_THEN}(?:save|write|store|put|speichere?) "
    r"(?:(?:it|them|this|that|all|the (?:result|lines|list|text)|es|sie) )?"
    r"(?:to|as|in|into|under|als|nach) "
    rf"(?:a new file )?(?P<to>{NAME})"
)
_HOW: Final = (
    r"(?P<how>(?: (?:alphabetically|numerically|ascending|descending|alphabetisch|absteigend|"
    r"reversed|in (?:reverse|alphabetical|ascending|descending)(?: order)?))*)"
)
_REPEATED: Final = r"(?:duplicates?|duplicated|repeated|doppelten?)"
_LINES: Final = r"(?: (?:lines?|zeilen|entries|names))?"
#: What the lines of a file are; words are none.
_ITEMS: Final = r"(?!(?:words?|characters?|letters?|files?)\b)[^\W\d_][\w-]*(?: (?!in )[\w-]+)?"
_MORE_THAN_ONCE: Final = (
    r"(?:twice|more than once|several times|multiple times|repeatedly|doppelt|mehrfach|"
    r"duplicates?|duplicated|repeated)"
)
_DIFFERENT: Final = r"(?:unique|different|distinct|verschiedene[n]?)"
_TASKS: Final = r"(?:to-?dos?(?: (?:list|items?))?|to do list|tasks?|check ?boxes|aufgaben)"
_OPEN: Final = r"(?:open|unfinished|undone|remaining|unchecked|pending|left|offene[n]?)"
_DONE: Final = r"(?P<done>done|finished|completed|checked|ticked(?: off)?|erledigte?n?)"
_UNIT: Final = rf"(?P<unit>{'|'.join(UNITS)})"
_FORMAT: Final = "json|csv|tsv|markdown|md"
_THIS_FOLDER: Final = r"(?:this|the|the current|my|d(?:er|ieser)) (?:folder|directory|ordner)"
_LEVEL: Final = rf"(?P<level>{'|'.join(LEVELS)})"
_LEVEL_WORDS: Final = rf"{_LEVEL}(?: (?:lines?|messages?|entries|entry))?"
_SIDE: Final = rf"(?P<side>first|last|latest) (?:(?P<number>\d{{1,3}}|{'|'.join(NUMBERS)}) )?"
_GET: Final = rf"(?:{_LIST}|print|get|extract|collect|pull out|what (?:is|was|are|were))"
_ARE: Final = r"(?:are|is|sind|stehen|gibt es)"
_MATCH: Final = r"(?:with|containing|(?:that |which )?(?:contain|mention|include|have|hold)|mit)"
_OCCUR: Final = r"(?:occurs?|appears?|stands?|comes? up|mentioned|used|vor)"
_EXTRACT: Final = (
    r"(?P<what>(?:e-?mail|mail|web|ip)[ -]?address(?:es)?|e-?mails?|urls?|links?|"
    r"(?:tele)?phone numbers?|telefonnummern?|dates|hashtags)"
)
_IN_FILE: Final = rf"(?:in|of|from|on|von|aus) {ONE_FILE}"
_KEY: Final = r"(?P<key>[\w.-]+(?: [\w.-]+)??)"
_VALUE: Final = rf"(?P<value>{QUOTE}|[^\s<>]+)"
_SET: Final = rf"(?:change|set|update|switch|ändere?|setze?) {THE}(?:value of )?"
#: Kind of clause and its pattern, in words.
LOOKS: Final = (
    ("search", rf"{_FIND} {_ALL}{_MARKED}{_SCOPE}?"),
    (
        "search",
        rf"(?:search|look|grep|durchsuche?) (?:in |through )?{FILES} (?:for|nach) {_NEEDLE}",
    ),
    (
        "search",
        rf"(?:search|look|grep|durchsuche?) (?:in |through )?{_SOME} (?:for|nach) {_NEEDLE}",
    ),
    ("search", rf"{_FIND} {_ALL}{_OF_TEXT} {_NEEDLE}{_SCOPE}"),
    ("search", rf"(?:which|what|welche) {_SOME}{_WITHIN} {_HOLD} {_NEEDLE}"),
    ("search", rf"{_LIST} {_SOME}{_WITHIN} (?:that |which )?{_HOLD} {_NEEDLE}"),
    (
        "search",
        rf"(?:is|are) there (?:an? )?{_SOME}{_WITHIN} (?:that |which )?{_HOLD} {_NEEDLE}",
    ),
    ("search", rf"(?:does|do) {_SOME}{_WITHIN} {_HOLD} {_NEEDLE}"),
    ("search", rf"where is {_NEEDLE} (?:mentioned|used|defined|called)"),
    ("search", rf"wo wird {_NEEDLE} (?:erwähnt|verwendet|benutzt)"),
    ("search", rf"in which files? is {_NEEDLE} (?:mentioned|used|defined)"),
    ("folder", rf"{_LIST} {_ALL}{_ENTRIES}(?: there are| i have)?{_WITHIN}"),
    (
        "folder",
        (
            rf"(?:which|what|welche) {_ENTRIES} "
            rf"(?:are|are there|do i have|do we have|sind|liegen|gibt es){_WITHIN}"
        ),
    ),
    (
        "folder",
        (
            rf"(?:which|what) {_ENTRIES} does (?:{_THIS_FOLDER}|(?P<within>{FOLDER})) "
            rf"(?:have|contain|hold)"
        ),
    ),
    (
        "folder",
        (
            rf"(?:what is|what's|whats|was ist) (?:(?:in|inside|within) "
            rf"(?:{_THIS_FOLDER}|(?P<within>{FOLDER}))|here)"
        ),
    ),
    ("list", rf"{_LIST} {_ALL}{_KIND} files?{_WITHIN}"),
    ("list", rf"{_LIST} {_ALL}{_KIND} files?{_WITHIN}(?P<size> (?:and|with|by)(?: their)? sizes?)"),
    ("compare", rf"(?:which|what)(?: {_KIND})? file{_WITHIN} is (?:the )?{_END}"),
    (
        "size",
        (
            rf"(?:how (?:big|large) (?:is|are)|(?:(?:what is|what's|{_LIST}|get) the )?(?:total )?"
            rf"(?:file )?size of|wie groß (?:ist|sind)) "
            rf"(?:{_THIS_FOLDER}|{FILES}|(?P<within>{FOLDER}))"
        ),
    ),
    (
        "size",
        (
            rf"how much (?:disk )?space (?:does|do) "
            rf"(?:{_THIS_FOLDER}|{FILES}|(?P<within>{FOLDER})) (?:take(?: up)?|use|need|occupy)"
        ),
    ),
    (
        "count",
        (
            rf"(?:how many|count(?: the)?|(?:what is|what's) the number of|wie viele) {_UNIT}"
            rf"(?: (?:are|is|does|do|has|have|hat|sind|stehen))?(?: there)?(?: (?:in|of))? "
            rf"{ONE_FILE}(?: (?:have|contain|hold))?"
        ),
    ),
    ("count", rf"(?:{_LIST} |what is |what's )?(?:the )?{_UNIT} count of {ONE_FILE}"),
    ("run", rf"(?:run|execute|start) (?:the )?(?:python )?(?:script |program )?{ONE_FILE}"),
    ("run", rf"(?:run|execute|start) {ONE_FILE} (?:with|in|using) python"),
    ("run", rf"python3? {ONE_FILE}"),
    ("run", rf"führe? {ONE_FILE} aus"),
    (
        "repeated",
        (
            rf"(?:which|what|welche) {_ITEMS} "
            rf"(?:(?:is|are|occurs?|appears?|shows? up|come|stehen|kommen|sind) )?"
            rf"(?:listed |there )?{_MORE_THAN_ONCE} {_IN_FILE}(?: vor)?"
        ),
    ),
    (
        "repeated",
        (
            rf"(?:which|what|welche) {_ITEMS} {_IN_FILE} "
            rf"(?:is|are|occurs?|appears?|show up|come|sind|kommen|stehen) (?:listed |there )?"
            rf"{_MORE_THAN_ONCE}(?: vor)?"
        ),
    ),
    (
        "repeated",
        (
            rf"(?:{_LIST}|are there|is there|does it have|check for|gibt es) "
            rf"{_ALL}{_REPEATED}(?: {_ITEMS})? {_IN_FILE}"
        ),
    ),
    ("repeated", rf"(?:does|has|do) {ONE_FILE} (?:have|contain) {_ALL}{_REPEATED}(?: {_ITEMS})?"),
    (
        "distinct",
        (
            rf"(?P<count>how many|count|number of|(?:what is|what's) the number of|wie viele) "
            rf"(?:the )?{_DIFFERENT} {_ITEMS} (?:(?:are|is|gibt es|sind|stehen) )?"
            rf"(?:there )?{_IN_FILE}"
        ),
    ),
    (
        "distinct",
        (
            rf"(?P<count>how many|wie viele) {_DIFFERENT} {_ITEMS} (?:does|hat) {ONE_FILE}"
            rf"(?: (?:have|contain|hold|list))?"
        ),
    ),
    ("distinct", rf"{_LIST} {_ALL}{_DIFFERENT} {_ITEMS} {_IN_FILE}"),
    (
        "tasks",
        (
            rf"(?:what is|what's|what are|which are|{_LIST}|was steht auf) (?:on |in )?{_ALL}"
            rf"(?:my |meiner )?(?:(?:{_OPEN}|{_DONE}) )?{_TASKS} {_IN_FILE}"
        ),
    ),
    (
        "tasks",
        (
            rf"(?:which|what|welche) {_TASKS} {_IN_FILE} (?:are|is|remain|sind) (?:still )?"
            rf"(?:{_OPEN}|{_DONE}|offen)"
        ),
    ),
    (
        "tasks",
        (
            rf"(?:which|what|welche) {_TASKS} (?:are|is|remain|sind) (?:still )?"
            rf"(?:{_OPEN}|{_DONE}|offen) {_IN_FILE}"
        ),
    ),
    (
        "tasks",
        rf"what (?:is|remains) (?:left |still )?(?:to do|to be done|left|open) {_IN_FILE}",
    ),
    (
        "lines",
        (
            rf"(?:{_LIST}|print|read|display|what are|get) (?:the )?(?P<side>first|last|top) "
            rf"(?:(?P<number>\d{{1,3}}|{'|'.join(NUMBERS)}) )?(?:lines?|zeilen?) "
            rf"(?:of|in|from|von|aus) {ONE_FILE}"
        ),
    ),
    ("overview", rf"(?:describe|summari[sz]e) {ONE_FILE}"),
    (
        "overview",
        (
            rf"(?:{_LIST}|get|what is) (?:an? |the |short |quick |brief )*(?:summary|overview|"
            rf"description) of {ONE_FILE}"
        ),
    ),
    ("saved lines", rf"{_FIND} {_ALL}{_OF_TEXT} {_NEEDLE} {_IN_FILE}{_SAVED}"),
    (
        "saved lines",
        rf"{_GET} (?:(?:all|only|just) )*(?:the )?{_LEVEL_WORDS} {_IN_FILE}{_SAVED}",
    ),
    (
        "file count",
        (
            rf"(?:how many|count(?: the| all)?|number of|wie viele) (?:{_KIND} )?(?:files|dateien)"
            rf"(?: {_ARE})?(?: there| do i have| hier)?{_WITHIN}(?: {_ARE})?(?: there)?"
        ),
    ),
    (
        "line by length",
        (
            rf"(?:(?:what|which) (?:is|are) |{_LIST} )?(?:the )?(?P<end>longest|shortest) "
            rf"(?P<unit>line|word) {_IN_FILE}"
        ),
    ),
    ("difference", rf"(?:compare|diff|vergleiche) {FILES}"),
    (
        "difference",
        (
            rf"(?:(?:what|which) (?:is|are) |{_LIST} )(?:the )?differences? "
            rf"(?:between|of|in) {FILES}"
        ),
    ),
    ("difference", rf"(?:how|where) do {FILES} differ"),
    ("difference", rf"are {FILES} (?:the same|equal|identical|different)"),
    (
        "log lines",
        rf"{_GET} (?:(?:all|only|just) )*(?:the )?(?:{_SIDE})?{_LEVEL_WORDS} {_IN_FILE}",
    ),
    (
        "log lines",
        (
            rf"(?P<count>how many|count(?: the)?|wie viele) {_LEVEL_WORDS}(?: {_ARE})?(?: there)? "
            rf"{_IN_FILE}"
        ),
    ),
    (
        "log lines",
        rf"(?P<count>how many) {_LEVEL} (?:does|did) {ONE_FILE} (?:have|contain|list|show)",
    ),
    ("log lines", rf"(?:which|what|welche) {_LEVEL} (?:{_ARE} )?(?:there )?{_IN_FILE}"),
    (
        "matching lines",
        (
            rf"(?:how many|count(?: the)?|the number of|wie viele) (?:lines|zeilen)"
            rf"(?: {_ARE})?(?: there)? {_IN_FILE} {_MATCH} {_NEEDLE}"
        ),
    ),
    (
        "matching lines",
        (
            rf"(?:how many|count(?: the)?|the number of|wie viele) (?:lines|zeilen)"
            rf"(?: {_IN_FILE})? {_MATCH} {_NEEDLE}"
        ),
    ),
    (
        "matching lines",
        rf"(?:how many|count(?: the)?) (?:lines|zeilen) {_MATCH} {_NEEDLE}(?: {_ARE})? {_IN_FILE}",
    ),
    (
        "occurrences",
        (
            rf"(?:(?:count )?how (?:often|many times)|wie oft) (?:(?:does|do|is|kommt|steht) )?"
            rf"{_NEEDLE}(?: {_OCCUR})? {_IN_FILE}(?: {_OCCUR})?"
        ),
    ),
    (
        "occurrences",
        rf"count (?:the |all )?(?:occurrences of |number of times )?{_NEEDLE} {_IN_FILE}",
    ),
    (
        "extract",
        rf"(?:{_GET}|find|which are) (?:out )?{_ALL}{_EXTRACT} (?:out )?{_IN_FILE}",
    ),
    (
        "extract",
        rf"(?:which|what|welche) {_EXTRACT} (?:{_ARE} )?(?:there )?{_IN_FILE}",
    ),
    (
        "value",
        (
            rf"(?:what|which) (?:is|are) (?:the )?(?:value of )?{_KEY}(?: set)? {_IN_FILE}"
            rf"(?: set to)?"
        ),
    ),
    (
        "value",
        rf"(?:what|which) {_KEY} (?:is|are) (?:set|used|given|listed|defined) {_IN_FILE}",
    ),
    ("value", rf"(?:{_LIST}|print|get|read) (?:all )?(?:the )?(?:value of )?{_KEY} {_IN_FILE}"),
    (
        "value",
        (
            rf"(?P<count>how many|count(?: the)?|wie viele) {_KEY}(?: {_ARE})?(?: there)?"
            rf"(?: listed)? {_IN_FILE}"
        ),
    ),
    (
        "value",
        rf"(?P<count>how many) {_KEY} (?:does|did) {ONE_FILE} (?:have|contain|list|hold)",
    ),
    (
        "compare",
        (
            rf"(?:(?:what|which) (?:is|are) |what's |{_LIST} )?(?:the |my )?{_COUNT}{_END} "
            rf"(?:{_KIND} )?file(?P<several>s)?{_WITHIN}"
        ),
    ),
)
_OF_KIND: Final = rf"(?:all |every |the |my |alle )+(?:of )?(?:the )?{_KIND} (?:files?|dateien)"
_AS_DONE: Final = r"(?: (?:as )?(?:done|finished|completed?|off|erledigt|ab))?"
_TASK: Final = rf"(?P<text>{QUOTE}|[^<>]{{1,80}}?)"
REWRITES: Final = (
    ("copy", rf"(?:copy|duplicate|cp|kopiere?) {_OF_KIND}{_WITHIN} {INTO}"),
    ("move", rf"(?:move|mv|put|verschiebe?) {_OF_KIND}{_WITHIN} {INTO}"),
    (
        "replace",
        (
            rf"(?:replace|substitute|ersetze?) {OLD_BY_NEW}(?: everywhere)? in "
            rf"{_OF_KIND}{_WITHIN}"
        ),
    ),
    ("saved", _SAVED.removeprefix(_AND_THEN)),
    (
        "task added",
        (
            rf"add (?:an? |the )?(?:new )?(?:task|to-?do|item|entry)(?: called| named|:)? "
            rf"{_TASK} (?:to|on|in) {ONE_FILE}"
        ),
    ),
    (
        "convert",
        (
            rf"(?:convert|turn|transform|export|konvertiere?|wandle?) {ONE_FILE} "
            rf"(?:to|into|as|in|nach|zu) (?:an? |eine? )?(?P<format>{_FORMAT})"
            rf"(?: file|-?datei)?(?: um)?"
        ),
    ),
    (
        "convert",
        (
            rf"(?:convert|turn|transform|export|konvertiere?) {ONE_FILE} "
            rf"(?:(?:to|into|as|in|nach|zu) (?:an? )?(?:(?:{_FORMAT})(?: file)? )?)"
            rf"(?:(?:called|named|and save it (?:as|to)|as|in) )?(?P<to>{PATH})"
        ),
    ),
    (
        "sort lines",
        (
            rf"(?:sort|order|sortiere?) (?:the )?(?:lines (?:of|in) |zeilen (?:von|in) )?"
            rf"{ONE_FILE}{_HOW}(?:{_SAVED}| in place)"
        ),
    ),
    (
        "unique lines",
        (
            rf"(?:remove|delete|drop|entferne?|lösche?) {_ALL}{_REPEATED}{_LINES} "
            rf"(?:from|in|of|aus|von) {ONE_FILE}(?:{_SAVED})?"
        ),
    ),
    (
        "combined",
        (
            rf"(?:combine|merge|concatenate|join|cat|verbinde|vereinige) "
            rf"(?:{FILES}|{_SOME}{_WITHIN}) (?:to|into|in|as|zu|nach) "
            rf"(?:one |a |a new |a single |one new )?(?:file )?(?:called |named )?(?P<to>{PATH})"
        ),
    ),
    (
        "combined",
        (
            rf"(?:combine|merge|concatenate|join|cat|verbinde|vereinige) "
            rf"(?:{FILES}|{_SOME}{_WITHIN}){_SAVED}"
        ),
    ),
    (
        "replaced copy",
        rf"(?:replace|substitute|ersetze?) {OLD_BY_NEW}(?: everywhere)? in {ONE_FILE}{_SAVED}",
    ),
    ("unique lines", rf"(?:deduplicate|dedupe) (?:the lines (?:of|in) )?{ONE_FILE}(?:{_SAVED})?"),
    ("set value", rf"{_SET}{_KEY} (?:in|of|von) {ONE_FILE} (?:to|auf) {_VALUE}"),
    ("set value", rf"in {ONE_FILE},? {_SET}{_KEY} (?:to|auf) {_VALUE}"),
    ("set value", rf"{_SET}{_KEY} (?:to|auf) {_VALUE} in {ONE_FILE}"),
    (
        "task done",
        (
            rf"(?:mark|tick off|tick|check off|hake) (?:the )?(?:(?:task|item|todo|entry) )?{_TASK}"
            rf"{_AS_DONE} (?:in|on|of|from) {ONE_FILE}{_AS_DONE}"
        ),
    ),
    (
        "task done",
        (
            rf"in {ONE_FILE},? (?:mark|tick off|tick|check off) (?:the )?(?:(?:task|item|todo) )?"
            rf"{_TASK}{_AS_DONE}"
        ),
    ),
    (
        "program",
        (
            rf"(?:create|make|write) (?:an? |the )?(?:new )?(?:python |shell )?{ONE_FILE} "
            rf"(?:that|which|to) prints? (?P<text>{QUOTE}|[^<>]{{1,80}})"
        ),
    ),
)
