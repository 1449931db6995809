"""What a request asks about: the words that are left when those that only ask are taken away.

"Dig up whatever I noted on tripods" is about notes, and "tripods" is left: a search for it. "Give
me an overview of my notes" leaves nothing: a list. The words of the grammar, of looking and of
asking are few and general; what a person wants to find is anything else.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from okso_jupyter.planning.personal_requests.framed_words import ASKING

#: Words of the grammar and of looking for something; English and German.
_GENERAL: Final = ASKING | frozenset(
    "about above again ago also although always among anywhere anyone anybody as away back "
    "because before being between both but by call called can come comes concerning could "
    "describe dig display does doing done don't down either entire everywhere far fetch find "
    "first follow found go going gone grab guess had hand hasn't haven't having hear help here "
    "him her his hold hunt i'd i'll interested into isn't just keep keeps kindly know last "
    "latest later lately like list listed locate long look looks looking made make many may "
    "maybe mean mention mentioned mentioning mentions might more most much must need new "
    "newest next no not nothing now of off okay old once one ones only open opened other out "
    "over own perhaps pick please pull quick quickly quite read reading really recall recent "
    "recently refer regarding related relevant remember remind rest retrieve right run said "
    "saved saw say saying says search see seen sent she should showing some somebody someone "
    "somewhere soon stored such sure take taken talk talks tell tells than thanks them then "
    "they think those though through time title titled too topic touch under until use used "
    "using very via view walk want wanted we'd well went whatever when where wherever while "
    "whole why will wish within wonder word words worth would write writes writing written "
    "wrote yes yesterday yourself noted jotted scribbled recorded contain contains containing "
    "discuss discusses deal deals speak speaks arrive arrived arriving came receive received "
    "landed aber alle als also auch auf aus bei beim bin bis bist da dann das dass dazu dem "
    "den denn der des die dies diese dieser doch drin du durch ein eine einem einen einer er "
    "erwähnt erwähnen es etwas für gab geht gerade geschrieben gesucht gib gibt habe haben "
    "hast hat her hier hin hol holen ich ihr im in irgendwo ist ja kann kannst kommt könntest "
    "lass lies mal man mein meine meinem meinen meiner mich mir mit nach nachsehen nein neu "
    "nicht noch notiert nun nur ob oder öffne ohne schau sehen sein sich sie sind so such "
    "suche suchen finde finden thema über um und uns unter vom von vor war was weiß welche "
    "wenn wer wie wieder wir wird wo wollte worin zeig zeige zu zum zur zwischen gesammelt "
    "durchsuche vorkommt vorkommen".split()
)
_WORD: Final = re.compile(r"[^\s,;:?!()\"\u201c\u201d\u201e]+")
#: What makes, changes or takes away something is no question.
_MAKING: Final = re.compile(
    r"(?i)^(?:please )?(?:add|put|make|create|write|send|draft|compose|prepare|delete|remove|erase|"
    r"rename|move|copy|save|append|attach|set|schedule|book|cancel|mark|tick|reply|forward|e?-?mail|"
    r"plot|count|compute|sum|convert|compare|summari[sz]e|translate|sort|group|"
    r"schreibe?|sende|schicke?|lösche?|erstelle|speichere?|leg|lege|trage?|füge?|mache?)\b"
    r"|\b(?:files?|folders?|directory|columns?|rows?|tables?|cells?|variables?|dataframe|csv|"
    r"datei(?:en)?|ordner|spalten?|tabelle)\b"
    r"|\b(?:and|und|or|oder) (?:then |dann )?(?:send|delete|write|save|remove|make|create|add|"
    r"forward|reply|"
    r"plot|compute|sende|lösche|schreibe?)\b|\S\.[A-Za-z]\w{0,4}\b(?<!\d)"
)
#: A wish to find something that has more words than this is another request.
_MOST_LEFT: Final = 6


def left_of(request: str, kind: Collection[str], more: Collection[str] = ()) -> list[str] | None:
    """Return the words that a question is about; None where it asks for nothing of a kind.

    Args:
        request: The request without courtesy.
        kind: Words that name what is asked for, such as "notes".
        more: Words beside those of the grammar that only ask for this kind.
    """
    said = request.replace("\u2019", "'")
    words = [word.strip("'.") for word in _WORD.findall(said)]
    if not words or not (words[0].lower() in _GENERAL or words[0].lower() in kind):
        return None
    if _MAKING.search(said) or {word.lower() for word in words}.isdisjoint(kind):
        return None
    left = [word for word in words if not _only_asks(word.lower(), kind, more)]
    return left if len(left) <= _MOST_LEFT else None


def _only_asks(word: str, kind: Collection[str], more: Collection[str]) -> bool:
    plain = word.removesuffix("'s") if word not in _GENERAL else word
    return not plain or plain in _GENERAL or plain in kind or plain in more


def span_of(request: str, left: Sequence[str]) -> str:
    """Return the part of a request from the first to the last of some of its words."""
    first = re.search(rf"(?<!\w){re.escape(left[0])}(?!\w)", request)
    last = [*re.finditer(rf"(?<!\w){re.escape(left[-1])}(?!\w)", request)]
    if first is None or not last:
        return " ".join(left)
    return request[first.start() : last[-1].end()]
