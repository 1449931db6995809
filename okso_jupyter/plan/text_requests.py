"""Classifier of requests about a text: a summary, a translation, or the text itself.

It matches classes of words, in English and German. Quoted parts and file names of a request are
ignored: "Write 'translate this' into notes.md" asks for no translation.
"""

from __future__ import annotations

import re
from typing import Final

QUOTED: Final = re.compile(r"""(?<!\w)(?:'([^'\n]+)'|"([^"\n]+)"|“([^”\n]+)”|`([^`\n]+)`)(?!\w)""")
_FILE: Final = re.compile(r"[\w./~-]*\w\.[A-Za-z]\w{0,7}\b")

_LANGUAGES: Final = (
    "arabic|bengali|bulgarian|catalan|chinese|mandarin|croatian|czech|danish|dutch|english|"
    "estonian|finnish|french|german|greek|hebrew|hindi|hungarian|icelandic|indonesian|irish|"
    "italian|japanese|korean|latin|latvian|lithuanian|norwegian|persian|farsi|polish|portuguese|"
    "romanian|russian|serbian|slovak|slovenian|spanish|swahili|swedish|thai|turkish|ukrainian|"
    "urdu|vietnamese|welsh|"
    "englische?n?|deutsche?n?|franz[öo]sische?n?|spanische?n?|italienische?n?|russische?n?|"
    "japanische?n?|chinesische?n?|portugiesische?n?|polnische?n?|türkische?n?|latein"
)
_TRANSLATION: Final = re.compile(
    rf"""(?ix)
    \btranslat(?:e|es|ed|ing|ion|ions)\b | \bübersetz\w* |
    \b(?:how|wie)\b .* \b(?:say|write|spell|sagt|heißt|schreibt)\b .*
        \b(?:in|auf)\ (?:{_LANGUAGES})\b |
    \b(?:what(?:'s|s)?|was)\b .* \b(?:in|auf)\ (?:{_LANGUAGES})\s*[?.!]*$ |
    \b(?:into|to|ins|auf)\ (?:(?:plain|simple|good|proper)\ )?(?:{_LANGUAGES})\b |
    \b(?:{_LANGUAGES})\ (?:version|translation)\b |
    ^(?!\W*(?:which|how|is|are|does|do|who|where|find|search|list|count|show)\b)
        .* \bin\ (?:{_LANGUAGES})\W*(?:\b(?:please|pls|bitte)\b\W*)?$
    """
)
_SUMMARY: Final = re.compile(
    r"""(?ix)
    \bsummar(?:y|ies|i[sz]e[sd]?|i[sz]ing)\b | \btl\s*;?\s*dr\b | \bgist\b | \boverview\b |
    \b(?:key|main|important)\ (?:things?|parts?|points?|ideas?|facts?|findings?|messages?|
        takeaways?)\b |
    \b(?:takeaways?|highlights|essence|essentials?|synopsis|rundown|run-through|bottom\ line)\b |
    \b(?:recap|outline|condense|digest|describe|boil\ down|sum\ up)\b |
    \bwhat(?:'s|s|\ is|\ are)\b .* \babout\s*[?.!]*$ |
    \bwhat(?:'s|s|\ is|\ was)?\ (?:happen(?:s|ed|ing)|going\ on|new)\ in\s*(?:[,;?.!]|$) |
    ^(?!.*\b(?:about|how|which|who|when|where)\b).* \b(?:briefly|in\ short|in\ brief|
        in\ a\ nutshell|in\ (?:a\ few|one|two|three|five)\ (?:words?|sentences?|points?))\b |
    \bzusammenfass\w* | \bfass\w*\b .* \bzusammen\b | \b(?:kern|haupt)(?:punkte|aussagen?)\b |
    \bstichpunkt\w* | \büberblick\b | \bkurzfassung\b | \bworum\ geht\b | \bbeschreib\w* |
    \b(?:in\ kürze|das\ wesentliche|(?:das|die)\ wichtigsten?)\b
    """
)
_TEXT: Final = re.compile(
    r"""(?ix)
    ^\W*(?:(?:please|pls|can|could|would|you|me|bitte|kannst|du|mir)\s+)*
        (?:read|show|print|display|open|cat|dump|lies|zeig\w*|öffne|gib)\b |
    \b(?:contents?|full\ text|whole\ text|inhalt)\b | \bwhat(?:'s|s|\ is)\ in\b | \bwas\ steht\ in\b
    """
)


def plain(request: str) -> str:
    """Return a request without its quoted parts and file names."""
    return " ".join(_FILE.sub(" ", QUOTED.sub(" ", request)).split())


def asks_for_summary(request: str) -> bool:
    """Return whether a request wants a short form of a text, or its topic."""
    return bool(_SUMMARY.search(plain(request)))


def asks_for_translation(request: str) -> bool:
    """Return whether a request wants a text in another language."""
    return bool(_TRANSLATION.search(plain(request)))


def asks_for_text(request: str) -> bool:
    """Return whether a request wants a text unchanged."""
    return bool(_TEXT.search(plain(request))) and not asks_for_summary(request)
