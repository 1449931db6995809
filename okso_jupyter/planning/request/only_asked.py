"""Questions that somebody asks with a change in mind: they are answered, and nothing is changed.

"What is blank in clients.csv? I want to fill the gaps" asks what is blank, and commands nothing.
"""

from __future__ import annotations

import re
from typing import Final

from okso_jupyter.planning.request.wording import NO_TITLE, paths

_PERSON: Final = r"(?:i|we|ich|wir)\b"
#: What parts the sentences of a request, and a reason that is said in the same sentence.
_SENTENCES: Final = re.compile(
    rf"(?i)(?<=[.?!]){NO_TITLE}\s+|\n+|\s*[;,–—]\s*(?=(?:(?:so|because|since|da|weil|denn|damit)\s+)*"  # noqa: RUF001  as people write
    rf"(?:that\s+)?{_PERSON})|\s+(?=(?:so(?:\s+that)?|because|damit|weil|denn)\s+{_PERSON})"
)
#: What somebody means to do: "I'd like to", "so I can", "ich möchte".
_IN_MIND: Final = re.compile(
    rf"(?i)^\W*(?:(?:and|so|that|because|since|und|da|weil|denn)\s+)*{_PERSON}(?!.*\byou\b)"
    r"(?:['’](?:d|ll|m|ve))?\s+(?:(?:really|still|then|later|now|dann|noch|sie|die|das|es)\s+)*"
    r"(?:want|wanna|would|like|need|have to|may|might|plan|intend|hope|going|am going|will|must|"
    r"should|could|can|möchte\w*|wollen|würde\w*|muss|müssen|sollte\w*|könnte\w*|kann|können|"
    r"plane|brauche|habe vor|love)\b|"
    rf"^\W*damit\s+{_PERSON}"
)
_CHANGES: Final = re.compile(
    r"(?i)\b(?:fill|fix|remove|delete|clean|tidy|rename|replace|change|edit|update|correct|"
    r"complete|add|merge|move|sort|overwrite|erase|drop|write|save|store|archive|get rid|throw|"
    r"clear|reorder|rewrite|convert|"
    r"(?:aus|auf|nach)?füllen|\w*löschen|entfernen|ergänzen|ändern|korrigieren|bereinigen|"
    r"aufräumen|umbenennen|ersetzen|sortieren|nachtragen|vervollständigen|verschieben|"
    r"zusammenführen|speichern|schreiben|säubern|loswerden|beheben|putzen)\b"
)
#: Verbs that change nothing: "Can I see who is in Leeds?" only asks.
_LOOKS: Final = (
    r"(?:see|know|find\s+out|look|read|check|trust|assume|expect|view|(?:an)?sehen|wissen|"
    r"erfahren|(?:nach)?lesen|(?:über)?prüfen|nachsehen)\b"
)
_QUESTION: Final = re.compile(
    r"""(?ix)^\W*(?:(?:and|so|but|und|also|hey|hi|ok|okay)\b[ ,]*)*
    (?!(?:how|what|was|wie)\s+(?:about|wäre)\b |
       (?:what|when|where)(?:ever)?\s+(?:you|i|we|they|it|there)\b |
       why\s+(?:not|don['’]?t) | what\s+if\s+you)
    (?:(?:(?:can|could|would)\s+you\s+)?(?:please\s+)?(?:tell|show)\s+me\s+ |
       (?:kannst\s+du\s+|könntest\s+du\s+)?(?:bitte\s+)?(?:mir\s+(?:sagen|zeigen)|
           (?:sag|zeig)e?\s+mir),?\s+ | do\s+you\s+know\s+ | weißt\s+du,?\s+ )?
    (?:(?:in|on|at|of|for|from|by|to|with|aus|bei|von|mit|für|an)\s+)?
    (?:(?:what|where|who|how)['’]?s? | which|whose|when|why | wer|wem|wessen|welche\w*|wo|wann|
       was|wie|warum | is|are|were|does|did | ist|sind|war|waren |
       (?:can|could|should|shall|may|must|kann|darf|soll\w*|muss|könnte\w*)\s+
           (?:i|we|it|there|ich|wir|man|es)\b |
       (?:do|have|has|had|hat|haben|gibt|fehlt|fehlen|kommt|steht|stehen)\b (?=.*\?\s*$))\b
    """
)
#: A command that is said politely, or of nobody: "Could we rename a.txt?", "Is there a way to".
_ASKS_TO_DO: Final = re.compile(
    rf"""(?ix)^\W*(?:(?:and|so|but|und|also|hey|hi|ok|okay)\b[ ,]*)*(?:
    (?:can|could|may|shall|kann|könnte\w*|können|darf|dürfte\w*|dürfen)\s+
        (?:i|we|ich|wir|man)\s+(?!{_LOOKS}) |
    (?:is|would)\s+(?:it|there)\s+(?:be\s+)?(?:possible|(?:a|any)\s+(?:way|chance))\s+
        (?:for\s+\w+\s+)?(?:to|of|that|you|we|i)\s+(?:(?:you|we|i|could|can)\s+)*(?!{_LOOKS}) |
    (?:ist\s+es|wäre\s+es)\s+möglich\b (?!.*\b{_LOOKS}) |
    gibt\s+es\s+(?:eine|irgendeine)\s+(?:möglichkeit|chance)\b (?!.*\b{_LOOKS})
    )"""
)
_COMMANDS_TOO: Final = re.compile(
    r"(?i)(?:[,;:]|\b(?:and|then|und|dann|danach))\s+"
    r"(?:(?:then|also|please|dann|bitte|auch|it|them|das|sie|es)\s+)*"
    r"(?:write|save|store|put|export|add|append|create|make|delete|remove|rename|move|copy|replace|"
    r"update|change|edit|fix|clean|fill|sort|merge|convert|send|mail|remind|note|log|draw|plot|"
    r"schreib\w*|speicher\w*|lösch\w*|kopier\w*|verschieb\w*|ersetz\w*|ergänz\w*|füg\w*|füll\w*|"
    r"erstell\w*|leg\w*|bereinig\w*|sortier\w*|benenn\w*|zeichne\w*)\b"
)


def without_aims(request: str) -> str:
    """Return a question without what somebody means to do with its answer.

    A sentence stays that names a file: it says where the answer goes.
    """
    sentences = _SENTENCES.split(request)
    asked = [sentence for sentence in sentences if not _is_aim(sentence)]
    if len(asked) == len(sentences) or not any(map(_QUESTION.match, asked)):
        return request
    return " ".join(asked)


def only_asks(request: str) -> bool:
    """Return whether every sentence of a request asks, apart from what somebody has in mind."""
    asked = [sentence for sentence in _SENTENCES.split(request) if not _is_aim(sentence)]
    return any(map(_QUESTION.match, asked)) and all(map(_commands_nothing, asked))


def _commands_nothing(sentence: str) -> bool:
    """Return whether a sentence asks, or says what somebody wants to know: "I want to see all"."""
    if _COMMANDS_TOO.search(sentence) or _ASKS_TO_DO.match(sentence):
        return False
    if paths(sentence) and not _QUESTION.match(sentence):
        return False
    return bool(_QUESTION.match(sentence) or _IN_MIND.match(sentence))


def _is_aim(sentence: str) -> bool:
    return bool(_IN_MIND.match(sentence) and _CHANGES.search(sentence) and not paths(sentence))
