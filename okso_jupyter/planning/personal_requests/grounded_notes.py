"""Requests about a note whose title exists: to add to it, or to read it, in words of any kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from okso_jupyter.planning.personal_requests.known_titles import meant_title, mentioned
from okso_jupyter.planning.personal_requests.residues import left_of
from okso_jupyter.planning.personal_requests.said_texts import is_one_text, plain

#: Words that look at a note, and say nothing else about it.
_NAMED: Final = frozenset({"note", "notiz"})
_READING: Final = frozenset(
    "note notes notiz open read reread reading display pull bring show see look say says said "
    "write wrote written jot jotted put down contain contains content contents text lies vor öffne "
    "steht drin geschrieben inhalt aloud entry".split()
)
#: What looks for something, or takes it away, adds nothing.
_NO_ADDING: Final = (
    r"(?!(?:was|wer|wann|wo|welche\w*|steht|gibt|hat|find|search|look|show|list|open|read|delete|remove|erase|copy|move|rename|what|which|"
    r"who|where|when|did|do|does|is|are|has|have|how|remind|suche?|finde|zeige?|lies|öffne|lösche?)\b)"
)
_NOTE: Final = r"(?:(?:the|my|our|that|this|der|die|das|meine[rn]?|unsere[rn]?) )?(?:note|notiz)?"
_MY: Final = r"(?:(?:the|my|our|that|this|der|die|das|den|meine[rn]?|unsere[rn]?) )?"
_ONTO: Final = r"(?:to|into|in|onto|on|under|unter|zu|zur|auf|an|for)"
#: The title of the note stands for itself in these.
_T: Final = "\0"
_ADDED: Final = tuple(
    re.compile(rf"(?i){pattern}")
    for pattern in (
        # "tack 'bring a fuse' onto the packing list note"
        (
            rf"{_NO_ADDING}(?P<verb>[^\W\d]+):?(?: down| up)? (?P<body>\S.*?),? (?:as well )?"
            rf"(?:at the (?:end|bottom|top) of|{_ONTO}) {_MY}(?:(?:note|notiz) )?{_T}"
            r"(?P<note> note| notiz)?(?: too| as well| hinzu| ein)?"
        ),
        # as in: in my Lasers note, write that the diode died
        (
            rf"{_ONTO} {_MY}(?:(?P<noted>note|notiz) )?{_T}(?P<note> note| notiz)?,? ?"
            rf"{_NO_ADDING}(?P<verb>[^\W\d]+)(?: down)?:?(?:,? (?:that|dass))? (?P<body>\S.*)"
        ),
        # as in: füge der Notiz Garten hinzu - Tulpen
        (
            rf"(?P<verb>füge?|hänge?|ergänze?) (?:(?:zu|zur|an) )?{_MY}(?:(?P<noted>note|notiz) "
            rf")?{_T}"
            r"(?P<note> note| notiz)?(?: hinzu| an| um)?:? (?P<body>\S.*)"
        ),
        # as in: write into the note Garden - cut the roses
        (
            rf"{_NO_ADDING}(?P<verb>[^\W\d]+)(?: down)? {_ONTO} {_MY}(?:(?P<noted>note|notiz) "
            rf")?{_T}"
            r"(?P<note> note| notiz)?(?::|,? that|,? dass) ?(?P<body>\S.*)"
        ),
    )
)
#: What stands before the title of a new note.
_NEW: Final = re.compile(
    r"(?i)\b(?:an?|new|called|titled|named|entitled|title|namens|titel|neue) $"
)
#: "The optics note needs another line: ...", "update my rota note with '...'".
_TOLD: Final = re.compile(
    rf"(?i){_NO_ADDING}[^:]*?(?:{_NOTE} )?{_T}(?P<note> note| notiz)?(?:[^:'\"]*:|"
    r"[^:'\"]*(?<!\w)(?=['\"\u201e\u201c])) ?"
    r"(?P<body>\S.*)"
)
_WHAT_IS_IN: Final = re.compile(
    rf"(?i)(?:what(?:'s| is| does)|was steht) (?:in )?{_MY}{_T}(?: say)?"
)
#: What says of a text only that it is one.
_INTRODUCED: Final = re.compile(
    r"(?i)^(?:that (?=\S+ \S)|(?:the |a |die )?(?:lines?|words?|text|sentence|item|entry|zeile|"
    r"satz|"
    r"worte):? (?=['\"\u201c\u201e]))"
)
#: Verbs that add, where the word "note" is not said.
_ADDING: Final = frozenset(
    "add append put write stick jot note record enter log tack pin paste scribble schreib "
    "schreibe füge ergänze notier notiere trag trage setz setze".split()
)
#: What a request about a note has, whatever its title is.
_CUE: Final = re.compile(
    r"(?i)\b(?:notes?|notiz)\b|^(?:open|read|show|see|let me|could i|can i|look|pull|bring|"
    rf"what(?:'s| is| does| did)|was steht|lies|zeige?|öffne|{'|'.join(sorted(_ADDING))})\b"
)


def known_note_asked(
    request: str, titles: Callable[[], Sequence[str]]
) -> tuple[str, Mapping[str, str]] | None:
    """Return the call of a request about a note that exists; None for any other request.

    Args:
        request: The request without courtesy.
        titles: Returns the titles of the notes; read only where the request may name one.
    """
    known = titles() if _CUE.search(request) else ()
    found = mentioned(request, known)
    if found is None:
        return _read_by_words(request, known)
    title = next(t for t in known if t.casefold() == plain(found[0]).casefold())
    before, after = request[: found.start()], request[found.end() :]
    if _NEW.search(before):
        return None
    said = f"{before}{_T}{after}"
    for pattern in _ADDED:
        match = pattern.fullmatch(said)
        if match is None:
            continue
        names_note = "note" in before.lower() + after[:6].lower() or "notiz" in said.lower()
        if not (names_note or match["verb"].lower() in _ADDING) or not is_one_text(match["body"]):
            continue
        body = _INTRODUCED.sub("", match["body"])
        return "notes_append", {"title": title, "body": plain(body)}
    if (told := _TOLD.fullmatch(said)) and is_one_text(told["body"]):
        return "notes_append", {"title": title, "body": plain(told["body"])}
    is_read = left_of(f"{before} {after}", _READING, _READING) == []
    return ("notes_read", {"input": title}) if is_read or _WHAT_IS_IN.fullmatch(said) else None


def _read_by_words(request: str, titles: Sequence[str]) -> tuple[str, Mapping[str, str]] | None:
    """Return the call that reads the note whose title has all words that a request leaves."""
    left = left_of(request, _NAMED, _READING)
    meant = meant_title(" ".join(left), titles) if left else None
    if meant is None or not meant.is_whole or meant.extra:
        return None
    return "notes_read", {"input": meant.title}
