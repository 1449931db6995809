"""Phrase parts: what the phrases about files are made of, as patterns over a request in marks."""

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
    **dict.fromkeys(
        ("image", "photo", "picture"), (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".heic")
    ),
    "png": (".png",),
    "jpg": (".jpg", ".jpeg"),
    "parquet": (".parquet",),
    "tmp": (".tmp", ".temp"),
    "temp": (".tmp", ".temp"),
    "bak": (".bak",),
    "xml": (".xml",),
    "zip": (".zip",),
    "word": (".docx",),
    "docx": (".docx",),
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
#: Number of the files of a group, as people write it.
MANY: Final[Mapping[str, int]] = {
    **NUMBERS,
    **{str(number): number for number in range(2, 61)},
    **dict.fromkeys(("both", "beide", "beiden"), 2),
    **{word: number for number, word in enumerate("zwei drei vier fünf sechs sieben".split(), 2)},
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
#: Beginning of the word for what is taken out of a text, without blanks and hyphens -> its pattern.
EXTRACTS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("email", "mail"), r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    **dict.fromkeys(("url", "link", "webaddress"), r"https?://[^\s<>\"')\]]+"),
    **dict.fromkeys(("phone", "telephone", "telefonnummer"), r"(?<!\w)\+?\(?\d[\d ()/-]{5,}\d"),
    "date": r"\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b",
    "ipaddress": r"\b(?:\d{1,3}\.){3}\d{1,3}\b",
    "hashtag": r"(?<!\w)#\w+",
}
#: What a program defines, and the word that begins a definition of it.
DEFINITIONS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("functions", "function", "methods", "funktionen"), "def "),
    **dict.fromkeys(("classes", "class", "klassen"), "class "),
}
DEFINED: Final = rf"(?P<defined>{'|'.join(DEFINITIONS)})"
KIND: Final = rf"\.?(?P<kind>{'|'.join(SUFFIXES)})"
#: Files of a kind: "csv files", "images".
OF_KIND: Final = rf"{KIND}(?:(?P<one> file)(?!\w)| files|[ -]?dateien|s)"
_FILE_WORD: Final = (
    r"(?:files?|notes|documents?|scripts?|reports?|letters?|e-?mails?|memos?|articles?|"
    r"datei(?:en)?)"
)
ALL: Final = r"(?:all |every |each |any |of |the |my |these |alle |die |allen )*"
SOME: Final = rf"{ALL}(?:{KIND} )?{_FILE_WORD}"
_HERE: Final = (
    r" (?:here|in (?:this|the|my) (?:folder|directory|project)|hier|in diesem (?:ordner|projekt))"
)
WITHIN: Final = rf"(?:(?: in| inside| within| under| of| from| aus) (?P<within>{FOLDER})|{_HERE})?"
SCOPE: Final = rf"(?: (?:in|inside|within|through) (?:{FILES}|{SOME}{WITHIN})|{_HERE})"
_WORD: Final = r"[^\s<>,;]+"
NEEDLE: Final = (
    rf"(?:(?:the|das|de[rn]) (?P<as_word>word|text|name|phrase|wort|namen?|begriff) )?"
    r"(?!(?:more|less|fewer|at least|at most|over|under) )"
    rf"(?P<needle>{QUOTE}|{_WORD}(?: {_WORD}){{0,4}}?)"
)
#: What is looked for although no word says that it is a text: in quotation marks, or in capitals.
MARKED: Final = rf"(?P<needle>{QUOTE}|(?-i:[A-Z]{{3,}}s?)(?: (?:comments?|notes?|markers?))?)"
#: What is looked for by its mark in a text, in any case.
MARKER: Final = rf"(?P<needle>{QUOTE}|(?:todo|fixme|xxx|hack)s?(?: (?:comments?|notes?|markers?))?)"
ANYWHERE: Final = (
    r"(?: (?:anywhere|somewhere|left|irgendwo|here|hier|"
    r"in (?:any|one|some|my|the|these)(?: of (?:the|my|these))? files?|"
    r"in (?:this|the|my) (?:folder|directory|project)|in diesem (?:ordner|projekt)))"
)
IN_WHICH: Final = (
    r"(?:[?.,;]? (?:and |und )?(?:in|and) (?:which|what) files?"
    r"(?: and (?:in |on |at )?(?:which |what )?lines?)?|"
    r"[?.,;]? (?:und )?in welche[rn] datei(?:en)?(?: und (?:in )?(?:welche[rn] )?zeilen?)?)"
)
FIND: Final = r"(?:finde?|search for|search|look for|show(?: me)?|list|where are|suche?(?: nach)?)"
HOLD: Final = (
    r"(?:mentions?|contains?|talks? about|refers? to|includes?|(?:has|have) the word|"
    r"mentioning|containing|with the word|enthalten|enthält|erwähnen|erwähnt)"
)
#: Lines by a word of theirs: "TODO lines", "lines that mention heating", "Zeilen mit Heizung".
LINES_WITH: Final = (
    rf"(?P<needle>{QUOTE}|(?-i:[A-Z]{{3,}})|todo|fixme)[ -](?:lines?|zeilen|entries|einträge)",
    (
        rf"(?:lines?|entries) (?:with|(?:that |which )?{HOLD}|(?:that|which) have|about|"
        rf"in which) {NEEDLE}"
    ),
    rf"zeilen mit {NEEDLE}",
    rf"zeilen,? die {NEEDLE} (?:enthalten|erwähnen|nennen)",
    rf"zeilen,? in denen {NEEDLE} (?:vorkommt|steht|auftaucht|erwähnt wird)",
)
OF_TEXT: Final = (
    rf"(?:lines? (?:with|that {HOLD}|containing)|zeilen mit|mentions? of|occurrences? of|uses of|"
    r"(?:the )?(?:word|text|phrase))"
)
LIST: Final = r"(?:list|show(?: me)?|tell me|find|display|give me|what are|zeige?(?: mir)?|liste)"
ENTRIES: Final = (
    r"(?:files(?: and (?:sub)?(?:folders|directories))?|(?:folders|directories) and files|"
    r"contents?|everything|dateien|inhalt)"
)
END: Final = rf"(?P<end>{'|'.join(ENDS)})"
COUNT: Final = r"(?:(?P<number>\d{1,2}) )?"
AND_THEN: Final = r"(?:,? (?:and|und) |, |,? then )"
SAVED: Final = (
    rf"{AND_THEN}(?:save|write|store|put|speichere?) "
    r"(?:(?:it|them|this|that|all|the (?:result|lines|list|text)|es|sie) )?"
    r"(?:to|as|in|into|under|als|nach) "
    rf"(?:a new file )?(?P<to>{NAME})"
)
#: A group of files, in whole: "all ", "the two ", "both ".
_OF: Final = r"(?:all|every|the|my|alle|die|meine)"
_MANY: Final = "|".join(MANY)
WHOLE: Final = rf"(?P<whole>(?=(?:{_OF}|{_MANY}) )(?:{_OF} (?:of )?)*(?:(?P<many>{_MANY}) )?)"
#: A new file of lines and the words before its name.
_NEW_FILE: Final = (
    r"(?:(?:an?|the|new|text|file|called|named|eine[rnm]?|de[rnm]|die|neue[rn]?|(?:text-?)?datei|"
    rf"namens) )*(?P<to>{PATH})"
)
LINES_SAVED: Final = (
    rf"{AND_THEN}(?:save|write|store|put|copy|speichere?|schreibe?|sichere?|kopiere?|lege?) "
    r"(?:(?:it|them|these|all|the (?:result|lines|list)|sie|diese|alles) )?"
    rf"(?:to|as|in|into|under|als|nach|unter) {_NEW_FILE}(?: ab)?"
)
LINES_INTO: Final = rf",? (?:to|in|into|as|als|nach|unter) {_NEW_FILE}(?: ab)?"
#: A file to write to, named at once: "the error lines of app.log into errors.txt".
INTO_FILE: Final = rf" (?:into|to|nach) (?:an? |the )?(?:new )?(?:file )?(?:called )?(?P<to>{NAME})"
HOW: Final = (
    r"(?P<how>(?: (?:alphabetically|numerically|ascending|descending|alphabetisch|absteigend|"
    r"reversed|in (?:reverse|alphabetical|ascending|descending)(?: order)?))*)"
)
REPEATED: Final = r"(?:duplicates?|duplicated|repeated|doppelten?)"
LINES: Final = r"(?: (?:lines?|zeilen|entries|names))?"
#: What the lines of a file are; words are none.
ITEMS: Final = r"(?!(?:words?|characters?|letters?|files?)\b)[^\W\d_][\w-]*(?: (?!in )[\w-]+)?"
MORE_THAN_ONCE: Final = (
    r"(?:twice|more than once|several times|multiple times|repeatedly|doppelt|mehrfach|"
    r"duplicates?|duplicated|repeated)"
)
DIFFERENT: Final = r"(?:unique|different|distinct|verschiedene[n]?)"
TASKS: Final = r"(?:to-?dos?(?: (?:list|items?))?|to do list|tasks?|check ?boxes|aufgaben)"
OPEN: Final = r"(?:open|unfinished|undone|remaining|unchecked|pending|left|offene[n]?)"
DONE: Final = r"(?P<done>done|finished|completed|checked|ticked(?: off)?|erledigte?n?)"
UNIT: Final = rf"(?P<unit>{'|'.join(UNITS)})"
FORMAT: Final = "json|csv|tsv|markdown|md"
THIS_FOLDER: Final = r"(?:this|the|the current|my|d(?:er|ieser)) (?:folder|directory|ordner)"
_LEVEL: Final = "|".join(LEVELS)
LEVEL: Final = rf"(?P<level>{_LEVEL})(?: (?:and|or|und|oder|&) (?P<other_level>{_LEVEL}))?"
LEVEL_WORDS: Final = rf"{LEVEL}(?: (?:lines?|messages?|entries|entry))?"
SIDE: Final = rf"(?P<side>first|last|latest) (?:(?P<number>\d{{1,3}}|{'|'.join(NUMBERS)}) )?"
TAKE: Final = (
    r"(?:extract|collect|copy|write|save|put|pull out|filter|schreibe?|kopiere?|speichere?)"
)
GET: Final = rf"(?:{LIST}|print|get|extract|collect|pull out|what (?:is|was|are|were))"
ARE: Final = r"(?:are|is|sind|stehen|gibt es)"
MATCH: Final = r"(?:with|containing|(?:that |which )?(?:contain|mention|include|have|hold)|mit)"
OCCUR: Final = r"(?:occurs?|appears?|stands?|comes? up|mentioned|used|vor)"
EXTRACT: Final = (
    r"(?P<what>(?:e-?mail|mail|web|ip)[ -]?address(?:es)?|e-?mails?|urls?|links?|"
    r"(?:tele)?phone numbers?|telefonnummern?|dates|hashtags)"
)
IN_FILE: Final = rf"(?:in|of|from|on|von|aus) {ONE_FILE}"
KEY: Final = r"(?P<key>[\w.-]+(?: [\w.-]+)??)"
VALUE: Final = rf"(?P<value>{QUOTE}|[^\s<>]+)"
SET: Final = rf"(?:change|set|update|switch|bump|ändere?|setze?) {THE}(?:value of )?"
