"""Look phrases: how people ask to search, list and rewrite files, as patterns over marks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from okso_jupyter.planning.file_commands.command_phrases import (
    FILES,
    FOLDER,
    NAME,
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
_LIST: Final = r"(?:list|show(?: me)?|find|display|give me|what are|zeige?(?: mir)?|liste)"
_ENTRIES: Final = (
    r"(?:files(?: and (?:sub)?(?:folders|directories))?|(?:folders|directories) and files|"
    r"contents?|everything|dateien|inhalt)"
)
_END: Final = rf"(?P<end>{'|'.join(ENDS)})"
_COUNT: Final = r"(?:(?P<number>\d{1,2}) )?"
_SAVED: Final = (
    r",? (?:and|und) (?:save|write|store|put|speichere?) "
    r"(?:it|them|the (?:result|lines|list)|es|sie) (?:to|as|in|into|under|als|nach) "
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
_IN_FILE: Final = rf"(?:in|of|from|on|von|aus) {ONE_FILE}"
_KEY: Final = r"(?P<key>[\w.-]+(?: [\w.-]+)?)"
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
    (
        "compare",
        (
            rf"(?:(?:what|which) (?:is|are) |what's |{_LIST} )?(?:the |my )?{_COUNT}{_END} "
            rf"(?:{_KIND} )?file(?P<several>s)?{_WITHIN}"
        ),
    ),
)
_AS_DONE: Final = r"(?: (?:as )?(?:done|finished|completed?|off|erledigt|ab))?"
_TASK: Final = rf"(?P<text>{QUOTE}|[^<>]{{1,80}}?)"
REWRITES: Final = (
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
