"""Intent classifier: the kind of a request, the tool groups it needs, and a confidence.

By default it matches whole words: "notebook" does not count as "note", nor "address" as "add". A
model classifies instead if INTENT_MODEL_SPEC names one or INTENT=model; the bundled model does
far worse than the words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from okso_jupyter import assets
from okso_jupyter.errors import ModelError
from okso_jupyter.llm.protocol import Completion, CompletionRequest, Message
from okso_jupyter.log import LOGGER
from okso_jupyter.planning.request import wording
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.tool import Tool

#: Sends one request to the model of the role it names, and records request and completion.
Ask = Callable[[CompletionRequest], Completion]

_SCHEMA: Final = "intent.schema.json"
GENERAL: Final = "general"
CONVERSATION: Final = "conversation"
WEB_RESEARCH: Final = "web_research"
#: The tool groups that a label needs, and its description for a model.
LABELS: Final[Mapping[str, tuple[frozenset[str], str]]] = {
    "reminders": (frozenset({"reminders"}), "set or list reminders"),
    "notes": (frozenset({"notes", "filesystem"}), "write or read notes"),
    "calendar": (frozenset({"calendar"}), "dates, events, appointments"),
    "mail": (frozenset({"mail"}), "read or write mail"),
    WEB_RESEARCH: (frozenset({"web"}), "find or read something on the internet"),
    "math": (frozenset({"math"}), "calculate"),
    "coding": (frozenset({"coding", "filesystem"}), "write or change code"),
    "filesystem": (frozenset({"filesystem"}), "files and folders: read, search, count, change"),
    CONVERSATION: (frozenset(), "greetings, thanks, small talk; nothing is to be done"),
    GENERAL: (frozenset(), "anything else"),
}
#: Every group of some label; a tool of another group, or of none, is never filtered out.
_KNOWN: Final = frozenset({GENERAL}).union(*(groups for groups, _ in LABELS.values()))

#: Patterns of each label; each counts once, however often it matches.
_CUES: Final[Mapping[str, tuple[str, ...]]] = {
    "reminders": (r"reminders?|remind", r"don't let me forget|remember to"),
    "notes": (r"notes?", r"jot|write (?:this|that|it) down"),
    "calendar": (r"calendars?", r"events?|appointments?"),
    "mail": (r"e-?mails?|mails?", r"inbox"),
    "web_research": (
        r"search(?:es)?|look up|lookup|google",
        r"web|internet|online|web ?(?:site|page)s?",
        r"news|latest|research",
    ),
    "math": (
        r"calculate|compute|evaluate|solve",
        r"sums?|average|mean|median|product of|square root|percent(?:age)?|factorial",
        r"plus|minus|times|divided by|multiplied by|to the power of",
    ),
    "coding": (
        r"code|scripts?|program|python",
        r"refactor|implement|debug|unit tests?",
        r"functions?|class(?:es)?|variables?",
    ),
    "filesystem": (
        r"files?|folders?|director(?:y|ies)",
        r"lines?|words?|contents?|bytes|columns?|rows?",
        r"read|open|copy|move|rename|delete|remove|list|count|write|append|replace",
    ),
}  # fmt: skip
_WORDS: Final = {
    label: tuple(re.compile(rf"(?i)(?<![\w-])(?:{cue})(?![\w-])") for cue in cues)
    for label, cues in _CUES.items()
}
_SUM: Final = re.compile(r"\d\s*(?:[-+*/^%]|\*\*)\s*\(?\d")
#: Added for a request that names a file: its content may have to be sorted, counted or computed.
_COMPUTING: Final = frozenset({"math", "coding"})
_SMALL_TALK: Final = re.compile(
    r"(?i)(?:(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|night|day)|"
    r"hallo|moin|servus|grüß dich|guten? (?:morgen|tag|abend|nacht)|danke(?: (?:dir|schön|sehr))?|"
    r"vielen dank|das (?:war|ist)|leute|zusammen|tschüss|"
    r"wie geht'?s?(?: es dir)?|wer bist du|wie hei(?:ß|ss)t du|super|prima|"
    r"thanks?(?: you)?(?: so much| very much| a lot| again)?|thx|cheers|ok(?:ay)?|great|nice|cool|"
    r"that(?:'s| was| is)|it was|very|really|so|good|awesome|wonderful|excellent|amazing|"
    r"well done|good (?:job|work)|perfect|bye|goodbye|see you(?: later| soon)?|"
    r"how (?:are|do) you(?: do(?:ing)?)?(?: today)?|how is it going|how's it going|what's up|"
    r"(?:nice|pleased) to meet you|who are you|what(?:'s| is) your name|what can you do|"
    r"are you there|tell me a joke|there|everyone|everybody|all|okso|friend|mate|buddy|and|"
    r"you|me too|"
    r"i am fine|i'm fine|please|yes|no|lol|haha)(?![\w'])[\s,.!?;:)-]*)+"
)
#: Confidence by one cue, as in okso; by more cues; and by a text that is all small talk.
_BY_ONE_WORD: Final = 0.4
_BY_MORE: Final = 0.6
_BY_THE_WHOLE: Final = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """The kind of a request.

    Attributes:
        label: One of `LABELS`.
        groups: The tool groups that it needs, sorted.
        confidence: 0 to 1.
        source: What classified it; "off" if nothing did.
    """

    label: str
    groups: tuple[str, ...]
    confidence: float
    source: Literal["words", "model", "off"]

    def __str__(self) -> str:
        """Return the intent in words."""
        groups = f" ({', '.join(self.groups)})" if self.groups else ""
        return f"{self.label}{groups}, {self.confidence:.0%} sure by {self.source}"


#: The intent if classification is off: no tool is filtered out, and the web is searched.
OFF: Final = Intent(label=GENERAL, groups=(), confidence=0.0, source="off")


def classify(request: str, settings: Settings, ask: Ask) -> Intent:
    """Return the intent of a request.

    Args:
        request: The request in plain words.
        settings: The settings; INTENT and INTENT_MODEL_SPEC apply.
        ask: Asks the model; if it raises ModelError, the words decide.
    """
    if settings.intent == "off":
        return OFF
    by_words = intent_by_words(request)
    wants_model = settings.intent == "model" or settings.intent_model_spec is not None
    if not wants_model:
        return by_words
    try:
        return _told_by_model(ask(_question(request, settings)))
    except (ModelError, ValueError) as error:
        detail = {"why": str(error), "by words": str(by_words)}
        LOGGER.info("words tell the kind of request, and no model", extra={"detail": detail})
        return by_words


def is_small_talk(request: str) -> bool:
    """Return whether a request consists only of greetings, thanks and the like."""
    return _SMALL_TALK.fullmatch(request.strip()) is not None


def intent_by_words(request: str) -> Intent:
    """Return the intent by the words of a request: the label with the most cues, then the first."""
    if is_small_talk(request):
        return Intent(label=CONVERSATION, groups=(), confidence=_BY_THE_WHOLE, source="words")
    found = {label: count for label, count in _cues(request).items() if count}
    if not found:
        return Intent(label=GENERAL, groups=(), confidence=0.0, source="words")
    label = max(found, key=lambda name: found[name])
    groups = frozenset[str]().union(*(LABELS[name][0] for name in found))
    if wording.paths(request):
        groups |= _COMPUTING
    confidence = _BY_ONE_WORD if found[label] == 1 else _BY_MORE
    return Intent(label=label, groups=tuple(sorted(groups)), confidence=confidence, source="words")


def _cues(request: str) -> dict[str, int]:
    """Return the number of cues of each label in a request, quoted texts excluded."""
    plain = wording.without_names(request, (), ())
    found = {
        label: sum(bool(pattern.search(plain)) for pattern in patterns)
        for label, patterns in _WORDS.items()
    }
    found["filesystem"] += bool(wording.paths(request))
    found["web_research"] += 2 * bool(wording.urls(request))
    found["math"] += bool(_SUM.search(wording.outside_quotes(request)))
    return found


def _question(request: str, settings: Settings) -> CompletionRequest:
    labels = "\n".join(f"- {label}: {meaning}" for label, (_, meaning) in LABELS.items())
    return CompletionRequest(
        role="intent",
        messages=(
            Message("system", assets.prompt("intent", labels=labels)),
            Message("user", request),
        ),
        seeds=(0,),
        temperature=settings.llama_temperature or 0.0,
        max_tokens=settings.intent_max_output_tokens,
        schema=assets.schema(_SCHEMA),
    )


def _told_by_model(completion: Completion) -> Intent:
    """Return the intent that a model wrote.

    The schema offers tenths as confidence, but not every server enforces it: any value from 0 to
    1 is accepted.

    Raises:
        ValueError: The text is not JSON or violates the schema.
    """
    said = json.loads(completion.text)
    if isinstance(said, dict) and isinstance(said.get("confidence"), float):
        rounded = {**said, "confidence": round(said["confidence"], 1)}
    else:
        rounded = said
    wrong = assets.first_violation(_SCHEMA, rounded)
    if wrong is not None:
        raise ValueError(wrong)
    groups = said.get("tool_groups") or LABELS[said["intent"]][0]
    return Intent(
        label=said["intent"],
        groups=tuple(sorted(groups)),
        confidence=float(said["confidence"]),
        source="model",
    )


def wants_search(intent: Intent, request: str) -> bool:
    """Return whether to search the web before planning.

    If classification is off, always search. A request of kind "general" is searched for unless it
    names a local file or folder.
    """
    if intent.source == "off" or intent.label == WEB_RESEARCH:
        return True
    return intent.label == GENERAL and not wording.paths(request)


def choice(intent: Intent, tools: Mapping[str, Tool], least: float) -> frozenset[str] | None:
    """Return the tools that a plan may call, by name; None for all of them.

    A tool is filtered out only by groups that some label has: a tool without groups, or with a
    custom group, is always kept.

    Args:
        intent: The kind of request.
        tools: The catalogue.
        least: INTENT_CONFIDENCE_MIN.
    """
    if intent.label == GENERAL or intent.confidence < least:
        return None
    wanted = {*intent.groups, *({GENERAL} if intent.groups else ())}
    found = frozenset(
        name
        for name, tool in tools.items()
        if not tool.groups or set(tool.groups) - _KNOWN or wanted & set(tool.groups)
    )
    matched = any(intent.groups and set(intent.groups) & set(tools[n].groups) for n in found)
    return found if matched or intent.label == CONVERSATION else None
