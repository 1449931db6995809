"""Command phrases: how people say what changes files, as patterns over a request in marks."""

from __future__ import annotations

import re
from typing import Final

from okso_jupyter.planning.file_commands.named_parts import PATH, QUOTE

THE: Final = r"(?:the |my |this |that |an? |d(?:ie|er|as|en|em) |meine? |eine?[nmr]? )?"
_SORT: Final = r"(?:text |log |data )?(?:file|document|script|datei)"
_FILE: Final = (
    rf"(?:{THE}(?:{_SORT} )?(?:(?:called|named|namens) )?{PATH}(?: file)?|(?:it|this|that|es|sie))"
)
_AND: Final = r"(?:,? (?:and|und) |, )"
FILES: Final = rf"(?P<files>{_FILE}(?:{_AND}{_FILE})*|(?:them|both)(?: files)?)"
ONE_FILE: Final = rf"(?P<files>{_FILE})"
FOLDER_WORD: Final = (
    r"(?:folder|directory|subfolder|sub-?directory|(?:unter-?)?ordner|(?:unter-?)?verzeichnis)"
)
#: Words that say that a name is a folder's, and such a word behind the name.
IS_FOLDER: Final = re.compile(rf"(?i)(?<![\w-]){FOLDER_WORD}(?![\w-])")
BEHIND_FOLDER: Final = re.compile(rf"(?i) {FOLDER_WORD}$")
_NEW: Final = r"(?:(?:new|empty|neue[ns]?|leere[ns]?) )*"
_CALLED: Final = r"(?:(?:called|named|namens|with the name|mit dem namen) )?"
#: A path, a quoted name or a bare word.
NAME: Final = rf"(?:{PATH}|{QUOTE}|[\w-]+)"
FOLDER: Final = rf"(?:{THE}{_NEW}{FOLDER_WORD} {_CALLED}{NAME}|{THE}{NAME}(?: {FOLDER_WORD})?)"
_WITHIN: Final = rf"(?: (?:in|inside|within|under) (?P<within>{FOLDER}))?"
#: Into the folder that was made last, without its name.
THERE: Final = r"(?P<to>there|dorthin|dahin|(?:da |dort )?(?:hinein|rein))"
INTO: Final = (
    rf"(?:(?P<into>into|inside|in) (?:to )?|(?:to|as|under|nach|auf|als) )(?P<to>{FOLDER})"
)
#: A folder may be called "backup".
_BACKUP: Final = rf"(?:(?:backup|{PATH}) )?"
_TEXT: Final = rf"(?P<text>{QUOTE})"
_THE_TEXT: Final = r"(?:the )?(?:(?:line|text|words?|contents?) )?"
_THE_TEXT_DE: Final = r"(?:(?:den|die|das) (?:text|zeile|wort|eintrag|punkt|satz) )?"
_ALL: Final = (
    r"(?:all |every |each |the |alle )?(?:occurrences? of |words? |texts? |das wort |den text )?"
)
_BARE: Final = rf"(?:{QUOTE}|(?:[^<>]|{PATH})+?)"
OLD_BY_NEW: Final = (
    rf"{_ALL}(?P<old>{_BARE}) (?:with|by|durch|mit) (?:the (?:word|text) )?(?P<new>{_BARE})"
)
_OLD_TO_NEW: Final = rf"{_ALL}(?P<old>{QUOTE}) (?:to|into|in) (?P<new>{QUOTE})"
OLD_INTO_NEW: Final = rf"(?P<old>{_BARE}) (?:to|into|in|zu) (?P<new>{_BARE})"
#: The kind of clause and its pattern, in words.
CHANGES: Final = (
    ("copy", rf"(?:copy|duplicate|cp|kopiere?) {FILES} {INTO}"),
    ("copy", rf"(?:copy|duplicate|cp|kopiere?) {FILES} {THERE}"),
    ("copy", rf"(?:make|create) a {_BACKUP}copy of {FILES} {INTO}"),
    ("backup", rf"(?:make|create|take|save) a (?P<to>backup|{PATH})(?: copy)? of {ONE_FILE}"),
    ("backup", rf"(?:make|create|take|save) a copy of {ONE_FILE}"),
    ("backup", rf"(?:back up|backup) {ONE_FILE}"),
    (
        "copy",
        rf"(?:make|create|keep) a {_BACKUP}copy of {FILES} (?:as|called|named) (?P<to>{NAME})",
    ),
    ("rename", rf"(?:rename|benenne?) {ONE_FILE} (?:to|as|into|in|nach) (?P<to>{NAME})(?: um)?"),
    ("move", rf"(?:move|mv|put|verschiebe?) {FILES} {INTO}"),
    ("move", rf"(?:move|mv|put|verschiebe?) {FILES} {THERE}"),
    ("remove", rf"(?:delete|remove|erase|rm|lösche?|entferne?) {FILES}"),
    (
        "remove",
        (
            rf"(?:delete|remove|rmdir|lösche?|entferne?) {THE}{_NEW}{FOLDER_WORD} {_CALLED}"
            rf"(?P<files>{PATH})"
        ),
    ),
    (
        "make folder",
        (
            r"(?:make|create|add|mkdir|erstelle?|lege?|mache?) "
            rf"(?:an? |the |ein(?:en)? |den |das )?{_NEW}"
            rf"(?:{FOLDER_WORD}s?|directories) {_CALLED}(?P<names>{NAME}(?:{_AND}{NAME})*)"
            rf"{_WITHIN}(?: an)?"
        ),
    ),
    ("replace", rf"(?:replace|substitute|ersetze?) {OLD_BY_NEW}(?: everywhere)? in {FILES}"),
    ("replace", rf"in {ONE_FILE},? (?:replace|substitute|ersetze?) {OLD_BY_NEW}"),
    ("replace", rf"(?:replace|substitute|ersetze?) (?:in|auf) {ONE_FILE},? {OLD_BY_NEW}"),
    (
        "replace",
        (
            rf"(?:replace|substitute|ersetze?) {_ALL}(?P<old>{_BARE}) (?:in|auf) {ONE_FILE} "
            rf"(?:with|by|durch|mit) (?:the (?:word|text) )?(?P<new>{_BARE})"
        ),
    ),
    ("replace", rf"(?:in|auf) {ONE_FILE},? {OLD_BY_NEW} (?:ersetzen|austauschen|tauschen)"),
    ("replace", rf"(?:change|replace) {_OLD_TO_NEW}(?: everywhere)? in {FILES}"),
    ("replace", rf"in {ONE_FILE},? (?:change|replace) {_OLD_TO_NEW}"),
    (
        "append",
        (
            rf"(?:append|add|füge?) (?:a )?{_THE_TEXT}{_TEXT} "
            rf"(?:(?:to|at) (?:the )?(?:end|bottom) (?:of|in) |to |onto |an |zu ){ONE_FILE}"
            rf"(?: (?:an|hinzu))?"
        ),
    ),
    (
        "append",
        (
            rf"(?:append|add|write|put|insert|schreibe?|füge?) {_THE_TEXT}{_TEXT}"
            rf"(?:,? as (?:a|the) (?:new |last |final |further )+(?:line|row|entry|item))?"
            rf" (?:to|at|as) (?:the )?(?:(?:end|bottom)|(?:new |last |final )+line) (?:of|in|into) "
            rf"{ONE_FILE}"
        ),
    ),
    (
        "append",
        (
            rf"(?:append|add|write|put|insert|schreibe?|füge?) {_THE_TEXT}{_TEXT},? "
            rf"as (?:a|the) (?:new |last |final |further )+(?:line|row|entry|item) "
            rf"(?:of|in|into|to|onto) {ONE_FILE}"
        ),
    ),
    ("append", rf"(?:put|note|stick|jot) {_THE_TEXT}{_TEXT} (?:on|onto|in|into) {ONE_FILE}"),
    (
        "append",
        (
            rf"(?:hänge?|füge?|schreibe?|setze?|trage?|notiere?|stelle?|pack) {_THE_TEXT_DE}{_TEXT}"
            rf"(?: (?:ganz )?(?:unten|hinten|ans ende|am ende|an das ende|an den schluss|"
            rf"als (?:neue|letzte) zeile))? (?:an|in|auf|zu|von) {ONE_FILE}"
            rf"(?: (?:an|hinzu|ein|auf|dran|drauf))?"
        ),
    ),
    (
        "create",
        (
            rf"(?:write|save|put|store|schreibe?|speichere?) {_THE_TEXT}{_TEXT} "
            rf"(?:to|in|into|as|under|nach) (?:a new )?{ONE_FILE}"
        ),
    ),
    (
        "create",
        (
            rf"(?:create|make|write|start|erstelle?) (?:a new |eine neue )?{ONE_FILE} "
            rf"(?:with|containing|that says|which says|saying|mit) {_THE_TEXT}{_TEXT}(?: in it)?"
        ),
    ),
    (
        "create",
        (
            r"(?:create|make|start|erstelle?|lege?) "
            r"(?:(?:an?|the|eine?|new|neue|text) )*(?:file |datei )?(?:called |named |namens )?"
            rf"{ONE_FILE} (?:with|containing|mit) (?:the |dem )?(?:text|content|words|inhalt) "
            rf"(?P<text>{QUOTE}|(?!(?:of|from|in|that|which|von|aus|des|der|vom)\b)[^<>'\"`]{{1,120}}?)"
        ),
    ),
    (
        "seek",
        (
            rf"(?:is there|do (?:i|we) have|gibt es|check (?:if|whether) there is) "
            rf"{ONE_FILE}(?: (?:here|in (?:this|the) folder)|{_WITHIN})"
        ),
    ),
    ("seek", rf"(?:does|check (?:if|whether)) {ONE_FILE} exists?"),
    ("seek", rf"existiert {ONE_FILE}"),
)

#: What may stand between two clauses.
SEAM: Final = re.compile(
    r"(?i)(?:[,;.]? (?:and|und) (?:then|afterwards|after that|dann|danach) |[,;.] then |, dann |"
    r",? (?:and|und) |[.;] |, )"
)
