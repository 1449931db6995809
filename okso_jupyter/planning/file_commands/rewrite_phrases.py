"""Rewrite phrases: how people ask for changes of what files hold, as patterns over marks."""

from __future__ import annotations

from typing import Final

from okso_jupyter.planning.file_commands.command_phrases import (
    FILES,
    INTO,
    OLD_BY_NEW,
    OLD_INTO_NEW,
    ONE_FILE,
    THE,
    THERE,
)
from okso_jupyter.planning.file_commands.named_parts import PATH, QUOTE
from okso_jupyter.planning.file_commands.phrase_parts import (
    ALL,
    AND_THEN,
    FORMAT,
    HOW,
    KEY,
    LINES,
    OF_KIND,
    REPEATED,
    SAVED,
    SET,
    SOME,
    VALUE,
    WHOLE,
    WITHIN,
)

_ENTRIES_SAID: Final = rf"(?P<text>{QUOTE}|[^<>]{{1,120}}?)"
_OF_KIND: Final = rf"{WHOLE}{OF_KIND}"
#: Files by the folder that is called as they are, or by a word of their names.
_CALLED_SO: Final = rf"{WHOLE}(?P<called>{PATH}|[^\W\d_]{{3,}})"
_OLD_FOR_NEW: Final = rf"(?P<old>{QUOTE}|[^<>]+?) gegen (?P<new>{QUOTE}|[^<>]+?)"
_AS_DONE: Final = (
    r"(?: (?:as )?(?:done|finished|completed?|off|bought|paid|sent|packed|ordered|erledigt|ab))?"
)
_ENTRY: Final = r"items?|points?|bullets?|bullet points?|entries|lines?|tasks?|to-?dos?|punkte"
_TAKE_OUT: Final = r"remove|delete|drop|take|cross|strike|scratch|entferne?|lösche?|streiche?|nimm"
#: What a line is found by: "the line with towels".
_ABOUT: Final = (
    r"(?:with|containing|about|saying|(?:that|which) (?:says|mentions|contains|has)|mit|über)"
)
_AWAY: Final = r"(?: (?:raus|heraus|weg|runter|herunter))?"
_TASK: Final = rf"(?P<text>{QUOTE}|[^<>]{{1,80}}?)"
REWRITES: Final = (
    *(
        (kind, rf"(?:{verbs}) {group} {place}")
        for kind, verbs in (
            ("copy", "copy|duplicate|cp|kopiere?"),
            ("move", "move|mv|put|verschiebe?"),
        )
        for group in (rf"{_OF_KIND}{WITHIN}", _CALLED_SO)
        for place in (INTO, THERE)
    ),
    (
        "replace",
        (
            rf"(?:replace|substitute|ersetze?) {OLD_BY_NEW}(?: everywhere)? in "
            rf"{_OF_KIND}{WITHIN}"
        ),
    ),
    ("saved", SAVED.removeprefix(AND_THEN)),
    (
        "task added",
        (
            rf"add (?:an? |the )?(?:new )?(?:task|to-?do|item|entry)(?: called| named|:)? "
            rf"(?!list\b){_TASK} (?:to|on|in) {ONE_FILE}"
        ),
    ),
    (
        "convert",
        (
            rf"(?:convert|turn|transform|export|konvertiere?|wandle?) {ONE_FILE} "
            rf"(?:to|into|as|in|nach|zu) (?:an? |eine? )?(?P<format>{FORMAT})"
            rf"(?: file|-?datei)?(?: um)?"
        ),
    ),
    (
        "convert",
        (
            rf"(?:convert|turn|transform|export|konvertiere?) {ONE_FILE} "
            rf"(?:(?:to|into|as|in|nach|zu) (?:an? )?(?:(?:{FORMAT})(?: file)? )?)"
            rf"(?:(?:called|named|and save it (?:as|to)|as|in) )?(?P<to>{PATH})"
        ),
    ),
    ("remove", rf"(?:delete|remove|erase|lösche?|entferne?) {_OF_KIND}{WITHIN}"),
    (
        "sort lines",
        (
            rf"(?:sort|order|sortiere?) (?:the )?(?:lines (?:of|in) |zeilen (?:von|in) )?"
            rf"{ONE_FILE}{HOW}(?:{SAVED}| in place)?"
        ),
    ),
    (
        "unique lines",
        (
            rf"(?:remove|delete|drop|entferne?|lösche?) {ALL}{REPEATED}{LINES} "
            rf"(?:from|in|of|aus|von) {ONE_FILE}(?:{SAVED})?"
        ),
    ),
    (
        "combined",
        (
            rf"(?:combine|merge|concatenate|join|cat|verbinde|vereinige) "
            rf"(?:{FILES}|{SOME}{WITHIN}) (?:to|into|in|as|zu|nach) "
            rf"(?:one |a |a new |a single |one new )?(?:file )?(?:called |named )?(?P<to>{PATH})"
        ),
    ),
    (
        "combined",
        (
            rf"(?:combine|merge|concatenate|join|cat|verbinde|vereinige) "
            rf"(?:{FILES}|{SOME}{WITHIN}){SAVED}"
        ),
    ),
    (
        "replaced copy",
        rf"(?:replace|substitute|ersetze?) {OLD_BY_NEW}(?: everywhere)? in {ONE_FILE}{SAVED}",
    ),
    ("unique lines", rf"(?:deduplicate|dedupe) (?:the lines (?:of|in) )?{ONE_FILE}(?:{SAVED})?"),
    ("set value", rf"{SET}{KEY} (?:in|of|von) {ONE_FILE} (?:to|auf) {VALUE}"),
    ("set value", rf"in {ONE_FILE},? {SET}{KEY} (?:to|auf) {VALUE}"),
    ("set value", rf"{SET}{KEY} (?:to|auf) {VALUE} in {ONE_FILE}"),
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
        "line added",
        (
            rf"(?:add|append|put|write|füge?|schreibe?|setze?|trage?|notiere?|hänge?) "
            rf"(?:{THE}(?:word|line|item|entry|task|to-?do) )?{_ENTRIES_SAID} "
            r"(?:(?:to|at) (?:the )?(?:very )?(?:end|bottom) of|"
            r"(?:ans|am) (?:ende|schluss) (?:von|der|des)) "
            rf"{ONE_FILE}(?: (?:hinzu|an|ein|auf))?"
        ),
    ),
    (
        "line added",
        (
            rf"(?:add|append|put|füge?|schreibe?|setze?|trage?|notiere?|hänge?) "
            rf"(?:{THE}(?:word|line|item|entry|task|to-?do) )?{_ENTRIES_SAID} "
            rf"(?:to|onto|into|on|in|zu|auf|an) {ONE_FILE}(?: (?:hinzu|an|ein|auf))?"
        ),
    ),
    (
        "line taken out",
        (
            rf"(?:{_TAKE_OUT}) {THE}(?:{_ENTRY}|row|zeile|eintrag|punkt) {_ABOUT} "
            rf"(?:(?:the|das|dem) (?:word|wort|text) )?(?P<about>{QUOTE}|[^<>,]{{1,60}}?) "
            rf"(?:from|off|out of|in|of|aus|von) {ONE_FILE}{_AWAY}"
        ),
    ),
    (
        "line taken out",
        (
            rf"(?:{_TAKE_OUT}) {THE}(?P<about>{QUOTE}|[^<>,]{{1,40}}?)[ -](?:line|zeile) "
            rf"(?:from|off|out of|in|of|aus|von) {ONE_FILE}{_AWAY}"
        ),
    ),
    (
        "line taken out",
        (
            rf"(?:{_TAKE_OUT}) {THE}(?:(?:word|line|item|entry|zeile|eintrag|punkt) )?"
            rf"{_ENTRIES_SAID} (?:from|off|out of|aus|von) {ONE_FILE}{_AWAY}"
        ),
    ),
    (
        "note made",
        (
            rf"(?:create|make|write|start|erstelle?) {THE}(?:new )?(?:list |note )?{ONE_FILE} "
            rf"(?:with|containing|mit) {THE}(?:heading|title|headline|überschrift) "
            rf"(?P<heading>{QUOTE}|[^<>,]{{1,80}}?){AND_THEN}{THE}(?P<entry>{_ENTRY}):? "
            rf"{_ENTRIES_SAID}"
        ),
    ),
    (
        "list made",
        (
            rf"(?:create|make|write|start|erstelle?) {THE}(?:new )?(?:list |text )?{ONE_FILE} "
            rf"(?:with|containing|mit) (?:the )?(?:(?:lines?|items?|entries|words|zeilen):? )?"
            rf"{_ENTRIES_SAID}"
        ),
    ),
    # behind what sets a value: a key is none of the words to change
    ("words changed", rf"(?:change|ändere?) {OLD_INTO_NEW} in {ONE_FILE}"),
    ("words changed", rf"in {ONE_FILE},? (?:change|ändere?) {OLD_INTO_NEW}"),
    ("words changed", rf"(?:change|ändere?) in {ONE_FILE},? {OLD_INTO_NEW}"),
    ("words changed", rf"tausche? in {ONE_FILE},? {_OLD_FOR_NEW}(?: aus)?"),
    ("words changed", rf"tausche? {_OLD_FOR_NEW} in {ONE_FILE}(?: aus)?"),
    (
        "program",
        (
            rf"(?:create|make|write) (?:an? |the )?(?:new )?(?:python |shell )?{ONE_FILE} "
            rf"(?:that|which|to) prints? (?P<text>{QUOTE}|[^<>]{{1,80}})"
        ),
    ),
)
