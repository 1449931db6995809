"""Refusals: why a request is out of reach, in one sentence that offers an alternative."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from okso_jupyter.plan.text_requests import asks_for_translation, plain
from okso_jupyter.planning.examples.index import clauses
from okso_jupyter.planning.replies.domains import DOMAINS, Domain
from okso_jupyter.planning.replies.here import Here, ability
from okso_jupyter.planning.replies.reach import (
    asks_of_a_file,
    first_word,
    fits_a_card,
    lacking_tool,
    names_something,
    new_files,
    unknown_verb,
    verbs_of,
    within_reach,
)
from okso_jupyter.planning.request.facts import gather
from okso_jupyter.planning.request.wording import (
    content_words,
    kind_of,
    paths,
    stem,
    without_names,
)
from okso_jupyter.toolkit.plan_check import nearest

#: Least similarity to a tool's example for an alternative to be offered.
_NEAR: Final = 0.6
_TOPIC_WORDS: Final = 3
_SEARCH: Final = "web_search"
_LARGER: Final = "a larger model, named by PLANNER_MODEL_SPEC, could"

_FORESIGHT: Final = re.compile(
    r"""(?ix)
    ^\W*(?:(?:and|so|but)\s+)?(?:will|wird|werden)\b |
    \b(?:what|who|which|how|when|where|why|was|wer|wie|wann|wo|welche[rs]?)\b .*
        \b(?:will|going\ to|gonna|'ll|wird|werden|werde)\b |
    \b(?:predict|forecast|prognos\w*|foretell|extrapolate|vorhersag\w*|sag\w*\ .*voraus)\b |
    \b(?:tomorrow|next\ (?:week|month|year|season|quarter|decade)|in\ the\ future|morgen|
        nächste[nrs]?\ (?:woche|monat|jahr)) \W*$
    """
)
_TEXTS: Final = (
    r"poems?|haikus?|limericks?|songs?|lyrics|story|stories|tales?|novels?|essays?|articles?|"
    r"posts?|letters?|replies|reply|responses?|speech|speeches|jokes?|riddles?|slogans?|captions?|"
    r"recipes?|headlines?|names? for|titles? for|ideas?|suggestions?|reviews?|paragraphs? about|"
    r"scripts?|programs?|functions?|class|classes|macros?|websites?|unit tests?|"
    r"gedichte?|geschichten?|aufsatz|witze?|rede|antwort|liebesbrief"
)
_COMPOSITION: Final = re.compile(
    rf"""(?ix)
    \b(?:write|compose|draft|create|make|invent|think|come|suggest|generate|give|tell|sing|
        schreib\w*|verfass\w*|erfinde|erzähl\w*|dicht\w*)\b
    (?:\s+(?:me|us|up|with|of|mir|uns))* \s+
    (?:(?:a|an|some|another|two|three|five|ten|\d+|ein(?:e|en)?|einige|my|new|short|long|nice|funny|
        good|python|love|cover|blog|bedtime|little)\s+)+ (?:{_TEXTS})\b |
    ^\W*(?:please\s+)?(?:rewrite|rephrase|paraphrase|proofread|reword|improve|polish|simplify|
        formulier\w*|verbesser\w*|korrigier\w*)\b
    """
)
_OPINION: Final = re.compile(
    r"""(?ix)
    ^\W*(?:should|shall|soll(?:te|en)?)\b | \bwas\ soll(?:te)?\ ich\b |
    \b(?:do|would)\ you\ (?:think|like|prefer|recommend)\b |
    \b(?:should|would)\ (?:i|we|you)\b |
    \b(?:advice|recommend|your\ (?:opinion|favou?rite))\b
    """
)
_QUESTION: Final = re.compile(
    r"""(?ix)
    ^\W*(?:what|whats|what's|who|whose|which|when|where|why|how|is|are|was|were|do|does|did|can|
        explain|define|tell\ me\ about|wer|wie|wann|wo|warum|wieso|welche[rs]?|ist|sind|
        erklär\w*)\b |
    \?\s*$
    """
)


#: Words of requests that may make the file that they name, or ask whether or where it is.
_MAKES_OR_SEEKS: Final = re.compile(
    r"""(?ix)
    ^\W*(?:is|are)\ there\b | ^\W*(?:where|wo|gibt\ es|log|note|jot)\b | \bexists?\b |
    \b(?:writ\w*|wrote|sav(?:e|es|ing)|stor(?:e|es|ing)|put|append\w*|add|adds|adding|creat\w*|
    mak(?:e|es|ing)|generat\w*|produc(?:e|es|ing)|export\w*|dump\w*|output|cop(?:y|ies|ied)|
    mov(?:e|es|ing)|renam\w*|download\w*|start|begin|redirect\w*|called|named|
    schreib\w*|speicher\w*|erstell\w*|erzeug\w*|leg\w*|kopier\w*|verschieb\w*|füg\w*|häng\w*)\b
    """
)
#: Words of requests that mean every file of a name, or look for files.
_ANY_OF_A_NAME: Final = re.compile(
    r"""(?ix)
    ^\W*(?:is|are)\ there\b | ^\W*(?:where|wo|gibt\ es)\b | \bexists?\b |
    \b(?:find|search|locate|called|named|suche?|finde)\b |
    \b(?:all|both|each|every|any|files|alle[nr]?|beide[nr]?|jede[nrs]?|dateien)\b
    """
)
_MOST_NAMED: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a request is out of reach.

    Attributes:
        what: What cannot be done; follows "I cannot".
        why: The reason.
        near: Example request for an alternative; if empty, examples of the tools are offered.
    """

    what: str
    why: str
    near: str = ""

    def sentence(self, here: Here) -> str:
        """Return the refusal as a sentence with an alternative."""
        return f"I cannot {self.what}: {self.why}; I can {_instead(self.near, here)}."


def _instead(near: str, here: Here) -> str:
    """Return an alternative that a tool can do, with an example request."""
    found = next(iter(here.index.nearest(gather(near, None))), None) if near else None
    if found is not None and found.similarity >= _NEAR and found.tool in here.ready:
        return f"{ability(here.ready[found.tool])}, for example “{near}”"
    examples = here.examples(2)
    if not examples:
        known = [ability(tool) for tool in list(here.ready.values())[:2]]
        return " or ".join(known) or "do nothing without tools"
    able = " or ".join(dict.fromkeys(ability(tool) for tool, _ in examples))
    return f"{able}, for example “{examples[0][1]}”"


def out_of_domain(request: str, here: Here) -> Refusal | None:
    """Return the refusal of a request for an account, device or program no tool reaches, if any."""
    examples = [example for tool in here.index.tools.values() for example in tool.examples]
    for part in (request, *clauses(request, examples)):
        found = next((d for d in DOMAINS if _is_of(d, part, here)), None)
        if found is not None:
            return Refusal(what=found.what, why=found.why, near=found.near)
    return None


def _is_of(domain: Domain, part: str, here: Here) -> bool:
    if any(domain.is_named_in(f"{t.name} {t.description}") for t in here.index.tools.values()):
        return False
    verb, _ = first_word(part)
    if stem(verb) in verbs_of(here) and not domain.is_named_in(plain(part)):
        return False
    return domain.wants(verb, plain(part), names_path=bool(paths(part)))


def foresight(request: str, here: Here) -> Refusal | None:
    """Return the refusal of a request that asks about the future; None for any other."""
    if paths(request) or not _FORESIGHT.search(plain(request)):
        return None
    if any(_FORESIGHT.search(tool.description) for tool in here.index.tools.values()):
        return None  # a tool makes forecasts
    return Refusal(what="tell the future", why="nothing that I could observe here says it")


def beyond_small(request: str, here: Here) -> Refusal | None:
    """Return the refusal of a request out of reach of a small model, if it is.

    A small model copies values but has little knowledge of the world.
    """
    if fits_a_card(request, here):
        return None
    return next((found for judge in _JUDGES if (found := judge(request, here))), None)


def _translation(request: str, here: Here) -> Refusal | None:
    if not asks_for_translation(request) or _has_tool(here, r"\btranslat"):
        return None
    why = f"the model in use is too small for it, and {_LARGER}"
    return Refusal(what="translate", why=why)


def _composition(request: str, here: Here) -> Refusal | None:
    del here
    if not _COMPOSITION.search(plain(request)) or re.search(r"['\"“`]\w", request):
        return None
    why = f"the model in use is too small to compose texts or programs, and {_LARGER}"
    return Refusal(what="write that", why=why)


def _not_set_up(request: str, here: Here) -> Refusal | None:
    """Return the refusal of a request whose tool cannot work here; None for any other."""
    tool = lacking_tool(request, here)
    return None if tool is None else Refusal(what=ability(tool), why=here.lacking[tool.name])


def _missing_file(request: str, here: Here) -> Refusal | None:
    """Return the refusal of a request about a file that is not in the folder; None if there is one.

    A plan would otherwise read some other file, and its answer would look right.
    """
    facts = here.facts
    missing = new_files(facts)
    if not missing or facts.files or _MAKES_OR_SEEKS.search(plain(request)):
        return None
    if facts.folders and all(_is_result(path, request) for path in missing):
        return None  # what comes of a folder's files goes there
    example = next(iter(here.index.nearest(facts)), None)
    if example is None or not paths(example.example.request):
        return None  # a tool without files, such as a web search, knows what the name means
    path = missing[0]
    near = nearest(path, [name for name in facts.nearby if kind_of(name) == kind_of(path)])
    said = f"there is no file {path!r} in this folder"
    if not near:
        return Refusal(what="do that", why=said)
    meant = request.replace(path, near)
    return Refusal(what="do that", why=f"{said} (did you mean {near!r}?)", near=meant)


def which_file(request: str, here: Here) -> Refusal | None:
    """Return the refusal of a request about one of several files of a name, which names no folder.

    One of them would be taken by chance, and the answer would not say so.
    """
    several = here.facts.unclear
    if not several or _ANY_OF_A_NAME.search(plain(request)):
        return None
    name = posixpath.basename(several[0])
    more = len(several) - _MOST_NAMED
    named = [*several[:_MOST_NAMED], *([f"one of {more} more"] if more > 0 else [])]
    listed = f"{', '.join(named[:-1])} or {named[-1]}"
    meant = re.sub(re.escape(name), lambda _: several[0], request, flags=re.IGNORECASE)
    why = f"there are several files {name!r} here, and none in the folder itself"
    return Refusal(what="do that", why=f"{why} (which one: {listed}?)", near=meant)


def _is_result(path: str, request: str) -> bool:
    """Return whether a request says that something goes into a file: "... in summary.md"."""
    return bool(re.search(rf"(?i)\b(?:in|into|to|as|nach|als)\s+['\"`]?{re.escape(path)}", request))


def _out_of_reach(request: str, here: Here) -> Refusal | None:
    """Return the refusal of a request that the tools cannot do; None if they can."""
    if within_reach(request, here):
        return None
    if names_something(here):
        verb = unknown_verb(request, here)
        return Refusal(what="do that", why=f"no tool of this session knows how to “{verb}”")
    if asks_of_a_file(request, here):
        return Refusal(what="tell what this is about", why="it names no file of this folder")
    return without_source(request, here)


def without_source(request: str, here: Here) -> Refusal:
    """Return the refusal of a request that names no source here to answer from."""
    if _OPINION.search(request):
        return Refusal(what="give advice", why="I only report what tools observe")
    if _QUESTION.search(request):
        return _not_known(request, here)
    return Refusal(what="do that", why="I find no tool of this session for it")


def _not_known(request: str, here: Here) -> Refusal:
    """Return the refusal of a question of fact, with a search that could answer it."""
    topic = _topic(request, here)
    if _SEARCH in here.ready:
        near = f"Search the web for '{topic}'" if topic else ""
        return Refusal(what="answer that", why="no file here is named for it", near=near)
    why = "it names no file of this folder, and no web search is set up (SEARCH_PROVIDER)"
    near = f"Which files contain '{topic}'?" if topic else ""
    return Refusal(what="answer that", why=why, near=near)


def _topic(request: str, here: Here) -> str:
    """Return the first topic words of a question: names if it has any, else all words."""
    _, rest = first_word(request)
    words = content_words(without_names(rest, (), ()))
    words = [word for word in words if stem(word) not in here.index.common_words]
    names = [word for word in words if word[:1].isupper()]
    return " ".join((names or words)[:_TOPIC_WORDS])


def _has_tool(here: Here, pattern: str) -> bool:
    cards = (f"{tool.name} {tool.description}" for tool in here.index.tools.values())
    return any(re.search(pattern, card, re.IGNORECASE) for card in cards)


_JUDGES: Final[tuple[Callable[[str, Here], Refusal | None], ...]] = (
    out_of_domain,
    _translation,
    _composition,
    foresight,
    _not_set_up,
    _missing_file,
    _out_of_reach,
)
