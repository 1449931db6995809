"""Permission: which existing files a request asks to be replaced, added to or removed.

A plan is offered such a change only if the wording asks for it. Quoted texts ask for nothing, and
a file that is only named is read, not changed.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from okso_jupyter.effects.file_effects import FileEffect
from okso_jupyter.plan.text_requests import QUOTED

#: Placeholders for a quoted text, for the file in question, and for any other file.
_TEXT: Final = "\ue000"
_FILE: Final = "\ue001"
_OTHER: Final = "\ue002"
_NAME: Final = re.compile(r"[\w./~-]*\w\.[A-Za-z]\w{0,7}\b")
#: Words allowed between a verb and the file.
_ARTICLE: Final = (
    r"(?:the|that|this|my|everything|alles|ganze[nrs]?|gesamte[nrs]?|our|same|existing|old|whole|entire|complete|current|new|all|both|file|"
    r"files|of|in|contents?|text|its|called|named|die|der|das|den|datei|inhalt|von|and|und)"
)
_BEFORE: Final = rf"(?:\s*{_ARTICLE}\b|\s*,|\s*{_OTHER})*\s*"
_RESULT: Final = (
    rf"(?:{_TEXT}|it|this|that|them|these|those|es|sie|das|"
    r"(?:\w+\s+)?(?:results?|output|answers?|summary|lists?|totals?|sums?|counts?|numbers?|"
    r"lines|rows|table|text|words?|names?|values?|ergebnisse?|antwort|liste|zeilen))"
)
_REPLACES: Final = re.compile(
    rf"""(?ix)
    \b(?:over-?wr?i?te?|replace|rewrite|empty|clear|truncate|wipe|reset|blank|
        überschreib\w*|ersetze?n?|leere?n?)\b {_BEFORE} {_FILE} |
    \b(?:write|save|store|export|dump|output|copy|put|move|rename|print|redirect|
        schreib\w*|speicher\w*|kopier\w*)\b
        (?:(?![.;!?]\s|\b(?:compared|according|relative|similar|related|add|append)\b).)*?
        \b(?:to|into|as|over|onto|back\ to|nach|als|auf|unter)\b {_BEFORE} {_FILE} |
    \b(?:write|save|store|put|keep|schreib\w*|speicher\w*)\b \s+ {_RESULT} \s+
        (?:\w+\s+)? \b(?:in|under|unter)\b {_BEFORE} {_FILE} |
    {_FILE} \s+ (?:should|shall|must|is\ to)\ (?:only|just)\ (?:hold|contain|say|have)\b |
    \b(?:set|change|make)\b \s+ (?:the\s+)? (?:whole\s+|entire\s+)? (?:contents?|text)
        \s+ of {_BEFORE} {_FILE} \s+ to\b |
    \bover(?:write)?\b \s+ (?:the\s+)?(?:original|old|existing|same)\b .* {_FILE} |
    {_FILE} .* \b(?:overwrit\w+\s+(?:it|the\s+(?:file|original|old))|in\s+place|
        save\s+(?:it|them|this|the\s+\w+)\s+(?:back|over\s+it)|
        write\s+(?:it|them|this|the\s+\w+)\s+back|überschreib\w*\s+(?:sie|es|die\s+datei)|speicher\w*\s+(?:sie|es)\s+(?:zurück|wieder))\b
    """
)
_REMOVES: Final = re.compile(
    rf"""(?ix)
    \b(?:delete|remove|erase|rm|trash|unlink|discard|get\ rid\ of|throw\ (?:away|out)|
        lösch\w*|entfern\w*)\b {_BEFORE} {_FILE} (?!\s*(?:'s|s'|from\b)) |
    {_FILE} \s+ (?:can|should|must|may)\s+ (?:go|be\s+(?:deleted|removed|erased))\b |
    {_FILE} \s+ (?:löschen|entfernen)\b
    """
)
_REMOVES_SOME: Final = re.compile(
    r"(?i)\b(?:delet\w*|remov\w*|erase|trash|rm|unlink|discard|get rid of|throw (?:away|out)|"
    r"drop|clean up|lösch\w*|entfern\w*)\b"
)
#: What may take all of a text; to fix or change something in it leaves the rest.
_TAKES_SOME: Final = re.compile(
    r"(?i)\b(?:replac\w*|substitut\w*|strip|cut|clear|empt(?:y|ies)|wipe|ersetz\w*|streich\w*|"
    r"leere?)\b"
)
_ADDS: Final = re.compile(
    rf"""(?ix)
    (?:\b(?:append|add|attach|insert|prepend|extend|häng\w*|füg\w*|ergänz\w*|notier\w*)\b |
        ^\W*(?:please\s+)?(?:log|note|jot)\b | \b(?:put|write|save)\b (?=.*\bend\b))
        (?:(?![.;!?]\s|\bup\b).)*? {_FILE} |
    {_FILE} .* \b(?:append|add|attach|anhäng\w*|hinzu\w*|ergänz\w*)\b
    """
)
_MAKES: Final = re.compile(
    rf"(?i)\b(?:create|make|start|begin|produce|erstell\w*|erzeug\w*|leg\w*)\b"
    rf"(?:(?![.;!?]\s).)*?{_FILE}"
)
_FORBIDS: Final = re.compile(
    r"""(?ix)
    \b(?:without|don'?t|do\ not|never|not|no|ohne|nicht|kein\w*)\s+(?:\w+\s+){0,2}
        (?:overwrit\w*|replac\w*|delet\w*|remov\w*|chang\w*|touch\w*|modify\w*|alter\w*|
        überschreib\w*|änder\w*|lösch\w*)
    """
)


#: The file effects by which each step would destroy content, by step id.
Losses = Mapping[int, Sequence[FileEffect]]


@dataclass(frozen=True, slots=True)
class Permission:
    """What a request lets a plan do to existing files.

    Attributes:
        request: The request in plain words, with the feedback given to earlier plans.
    """

    request: str

    def replaces(self, path: str) -> bool:
        """Return whether the request asks for a file's content to be replaced."""
        return not self._forbids and bool(_REPLACES.search(_about(self.request, path)))

    def removes(self, path: str) -> bool:
        """Return whether the request asks for a file to be removed, by its name or file type."""
        if self._forbids:
            return False
        said = _about(self.request, path)
        if _FILE in said:
            return bool(_REMOVES.search(said))
        return bool(_REMOVES_SOME.search(said)) and _names_kind(said, path)

    @property
    def removes_something(self) -> bool:
        """Whether the request asks for anything to be removed."""
        return bool(_REMOVES_SOME.search(_without_quotes(self.request)))

    def adds(self, path: str) -> bool:
        """Return whether the request asks for text to be added to a file."""
        return bool(_ADDS.search(_about(self.request, path)))

    def makes(self, path: str) -> bool:
        """Return whether the request asks for an already existing file to be created."""
        return bool(_MAKES.search(_about(self.request, path)))

    def allows(self, effect: FileEffect) -> bool:
        """Return whether the request asks for an effect that removes or replaces a file."""
        if effect.kind in {"add", "change"}:  # a loss only if the file is broken or emptied by it
            return effect.empties and not effect.breaks and self._takes_out(effect.path)
        if effect.kind == "remove":
            return self.removes(effect.path) or self.replaces(effect.path)
        return self.replaces(effect.path)

    def _takes_out(self, path: str) -> bool:
        """Return whether the request asks for what a file holds to be taken out or changed."""
        said = _about(self.request, path)
        is_asked = bool(_REMOVES_SOME.search(said) or _TAKES_SOME.search(said))
        return self.replaces(path) or (_FILE in said and is_asked and not self._forbids)

    @property
    def _forbids(self) -> bool:
        return bool(_FORBIDS.search(_without_quotes(self.request)))


def unasked_losses(losses: Losses, request: str) -> list[FileEffect]:
    """Return the file losses that a request does not ask for."""
    permission = Permission(request)
    return [effect for lost in losses.values() for effect in lost if not permission.allows(effect)]


@lru_cache(maxsize=256)
def _about(request: str, path: str) -> str:
    """Return a request with placeholders for one file, other files and quoted texts."""
    name = posixpath.basename(path)
    stem = posixpath.splitext(name)[0]
    # the longest first; a stem alone names a file only if a word such as "file" follows
    names = "|".join(map(re.escape, dict.fromkeys((path, f"./{path}", name))))
    quotes = "['\"`“”‘’]?"
    marked = re.sub(rf"(?<![\w./-]){quotes}(?:{names}){quotes}(?![\w/]|\.\w)", _FILE, request)
    stems = rf"(?i)(?<![\w./-]){re.escape(stem)}(?=\s+(?:file|table|list|log|datei)\b)"
    return _NAME.sub(_OTHER, _without_quotes(re.sub(stems, _FILE, marked)))


def _without_quotes(request: str) -> str:
    return QUOTED.sub(_TEXT, request)


def _names_kind(request: str, path: str) -> bool:
    """Return whether a request means all files, or all of this file's type or folder."""
    words = set(re.findall(r"\w+", request.lower()))
    suffix = posixpath.splitext(path)[1].lstrip(".").lower()
    folder = posixpath.basename(posixpath.dirname(path)).lower()
    is_all = words & {"everything", "alles"} or (
        words & {"all", "every", "alle"} and words & {"files", "dateien"}
    )
    return bool(is_all or words & {suffix, f"{suffix}s"} or (folder and folder in words))
