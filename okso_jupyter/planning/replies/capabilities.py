"""Replies that describe the session's capabilities from its catalogue, or answer small talk."""

from __future__ import annotations

import re
from typing import Final

from okso_jupyter.planning.replies.here import Here, ability
from okso_jupyter.planning.request.intent import is_small_talk

_MOST_EXAMPLES: Final = 3
_SLOPPY: Final = {"u": "you", "ur": "your", "r": "are", "wat": "what", "wich": "which"}
#: A request that matches this and otherwise has only words of `_WORDS` asks for capabilities.
_ABILITY: Final = re.compile(
    r"""(?x)\b(?:
    help | tools? | commands? | functions? | functionality | features? | skills? | abilit(?:y|ies) |
    capabilit(?:y|ies) | capable | able\ to\ do |
    (?:can|could|do|will)\ you\ (?:do|offer|support) |
    (?:can|could|should|may|do)\ i\ (?:do|ask|say|use) | (?:good|made|useful)\ (?:for|at) |
    purpose | possible | you\ for | this\ for | it\ for | you\ work | this\ work |
    hilfe | hilf | helfen | befehle? | werkzeuge? | funktion(?:en)? | fähigkeit(?:en)? |
    möglich(?:keiten)? | (?:kannst|machst|könntest)\ du | kann\ ich
    )\b"""
)
_WORDS: Final = frozenset(
    (
        "a able about actually all an and any are ask at available be can capable capabilities "
        "could do does doing even exactly for functionality get give good got have hello here hey "
        "hi how i in is it just kind kinds know list made may me my need notebook now of offer ok "
        "okay okso on or please pls possible purpose really say session should show so some sort "
        "sorts stuff support tell that the then there thing things this to today type types use "
        "used useful want we what which will with work works would you your yourself "
        "alle alles an auch bist bitte da dein deine deinen deiner denn dich dir dort du "
        "eigentlich es fragen für gibt gut habe hallo hast hier ich in kann kannst könntest liste "
        "machen machst mal man mich mir mit nenne nutzen sag so tun und verfügbar von was welche "
        "welchen wie wobei wofür womit wozu zeig zeige zu "
    ).split()
)
_OPENINGS: Final = (
    (re.compile(r"(?i)\b(?:thanks?|thx|cheers|danke\w*|merci)\b"), "You are welcome."),
    (re.compile(r"(?i)\b(?:bye|goodbye|see you|good night|tschüss|gute nacht)\b"), "Goodbye."),
    (
        re.compile(r"(?i)\b(?:who are you|your name|wer bist du|wie hei(?:ß|ss)t du)\b"),
        "I am okso.",
    ),
    (
        re.compile(r"(?i)\b(?:how (?:are|do) you|how(?:'s| is) it|what's up|wie geht)"),
        "All is well.",
    ),
    (re.compile(r"(?i)\b(?:hi|hello|hey|hallo|moin|servus|good|guten|greetings)\b"), "Hello."),
)


def asks_what_can_be_done(request: str) -> bool:
    """Return whether a request only asks what this session can do."""
    words = re.findall(r"[^\W\d_]+", re.sub(r"['’]s\b", " is", request.lower()))
    text = " ".join(_SLOPPY.get(word, word) for word in words)
    rest = _ABILITY.sub(" ", text).split()
    return bool(_ABILITY.search(text)) and all(word in _WORDS for word in rest)


def capabilities(here: Here) -> str:
    """Return a text: what the tools do, which are not set up and why, and example requests."""
    lines = ["With your approval I run these tools here:"]
    lines += [f"- {name}: {tool.description}" for name, tool in here.ready.items()]
    lines += [f"Not set up: {name}, because {why}." for name, why in here.lacking.items()]
    examples = [f"“{request}”" for _, request in here.examples(_MOST_EXAMPLES)]
    if examples:
        lines.append(f"For example: {', '.join(examples)}")
    return "\n".join(lines)


def small_talk(request: str, here: Here) -> str:
    """Return a short reply to small talk; empty if the request is something else."""
    if not is_small_talk(request):
        return ""
    opening = next((said for pattern, said in _OPENINGS if pattern.search(request)), "")
    examples = here.examples(2)
    able = " and ".join(dict.fromkeys(ability(tool) for tool, _ in examples))
    can = f"I can {able}, for example “{examples[0][1]}”." if examples else ""
    return " ".join(filter(None, (opening or "There is nothing to do in that.", can)))
