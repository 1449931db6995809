"""Decides whether a request is within reach of the tools, by the words of the catalogue.

A request that names something here, such as a file, is within reach unless it begins with a verb
that no tool uses. One that names nothing must share enough words with the tools' examples: a
small model would otherwise plan it like the nearest example, however far off.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache, lru_cache
from typing import Final

from okso_jupyter.planning.examples.index import Match, clauses
from okso_jupyter.planning.replies.here import Here
from okso_jupyter.planning.request.arithmetic import calculation
from okso_jupyter.planning.request.facts import Facts
from okso_jupyter.planning.request.file_modes import replacing
from okso_jupyter.planning.request.operands import numbers_of
from okso_jupyter.planning.request.wording import STOP_WORDS, mask, paths, stem, stems, urls
from okso_jupyter.planning.slot_filling.tool_match import NEED
from okso_jupyter.toolkit.tool import Tool

#: Least similarity at which a request that names something counts as one for a tool.
_CLEAR: Final = 0.6
#: Least share of a request's words that must occur in the catalogue.
_LEAST_KNOWN: Final = 0.4
#: Stop words that do say what is asked for.
_TELLING: Final = frozenset("file folder line word".split())
_SUM: Final = re.compile(r"\d\s*(?:[-+*/^%x×]|\*\*)\s*\(?\d")  # noqa: RUF001  a sign of times
_FILE_NAME: Final = re.compile(r"\.[a-z]\w*$")
_POLITE: Final = re.compile(
    r"(?i)^\W*(?:(?:hi|hello|hey|ok|okay|okso|so|now|then|and|please|pls|plz|kindly|just|"
    r"can|could|would|will|you|u|me|i(?:'d| would)? (?:want|need|like)(?: you)? to|"
    r"let'?s|help(?: me)?(?: to)?|go and|try to|bitte|kannst|könntest|würdest|du|mir|mal)\b\W*)+"
)
_NO_VERB: Final = frozenset(
    "what who whose which when where why how is are was were am do does did will would can could "
    "should shall may might must has have had whats hows any anyone there it this that these those "
    "wer was wie wann wo warum welche welcher welches wieviel ist sind war hat haben gibt".split()
)
#: If one of these follows, the first word is an imperative verb, not a noun.
_OBJECT: Final = re.compile(
    r"(?i)^(?:the|a|an|my|our|his|her|their|this|that|these|those|it|them|all|every|each|both|me|us|"
    r"and|with|[\w./-]+\.[A-Za-z]\w*|['\"“`])"
)


def within_reach(request: str, here: Here) -> bool:
    """Return whether the tools could do some part of a request."""
    if here.facts.urls or calculation(request) or _SUM.search(request):
        return True
    if names_something(here):
        return not unknown_verb(request, here)
    return any(_is_known(part, here) for part in _parts(request, here))


def lacking_tool(request: str, here: Here) -> Tool | None:
    """Return the tool that a request resembles most if it cannot work here, else None."""
    nearest = next(iter(here.index.nearest(here.facts)), None)
    least = _CLEAR if names_something(here) else NEED
    if nearest is None or nearest.tool not in here.lacking or nearest.similarity < least:
        return None
    is_known = names_something(here) or _known_share(request, here) >= _LEAST_KNOWN
    return here.tools[nearest.tool] if is_known else None


def names_something(here: Here) -> bool:
    """Return whether a request names a file, folder or variable here, or a file to be made."""
    facts = here.facts
    words = set(re.findall(r"\w+", facts.request))
    return bool(
        facts.files or facts.folders or new_files(facts) or words & (here.variables | here.values)
    )


def new_files(facts: Facts) -> list[str]:
    """Return the files that a request names and that do not exist."""
    return [path for path in facts.new_paths if _FILE_NAME.search(path)]


def unknown_verb(request: str, here: Here) -> str:
    """Return the verb that a request begins with if no tool uses it; else an empty string."""
    verb, rest = first_word(request)
    is_question = verb in _NO_VERB or (
        request.rstrip().endswith("?") and not _POLITE.match(request)
    )
    is_noun = not verb.isalpha() or re.search(r"[^s]s$|est$", verb) or verb in _columns(here.facts)
    if is_question or is_noun or not _OBJECT.match(rest):
        return ""
    if replacing(here.facts, here.index.tools):
        return ""  # it asks for a file to be replaced, which a tool does, whatever the verb
    return "" if set(stems(verb)) <= verbs_of(here) else verb


def first_word(request: str) -> tuple[str, str]:
    """Return the first word after polite phrases, in lower case, and the rest of the request."""
    text = _POLITE.sub("", request)
    found = re.match(r"\W*([^\W\d_]+(?:[-'][^\W\d_]+)*)\W*(.*)", text, re.DOTALL)
    return (found[1].lower().removesuffix("'s"), found[2]) if found else ("", text)


def asks_of_a_file(request: str, here: Here) -> bool:
    """Return whether a request resembles an example about a file but names no file."""
    if names_something(here):
        return False
    nearest = next(iter(here.index.nearest(here.facts)), None)
    near = nearest is not None and nearest.similarity >= NEED and paths(nearest.example.request)
    return bool(near) and _known_share(request, here) > _LEAST_KNOWN


def _parts(request: str, here: Here) -> list[str]:
    examples = [example for tool in here.index.tools.values() for example in tool.examples]
    return clauses(request, examples)


def fits_a_card(request: str, here: Here) -> bool:
    """Return whether a tool without examples matches a request or a part of it."""
    bare = {name for name, tool in here.index.tools.items() if not tool.examples}
    if not bare:
        return False
    texts = [request, *_parts(request, here)]
    ranks = (here.index.rank(_said(text, here)) for text in texts)
    return any(rank[name] >= NEED for rank in ranks for name in bare)


def _is_known(part: str, here: Here) -> bool:
    """Return whether a part that names nothing resembles an example that needs no name.

    An example that computes with numbers is not resembled by a part whose numbers say when.
    """
    said = numbers_of(part)
    computes = bool(said.operands) or not said.years
    near = (
        match.similarity
        for match in here.index.nearest(_said(part, here))
        if match.tool in here.ready
        and _needs_no_name(match, here.ready[match.tool])
        and (computes or not _is_computed(match, here.ready[match.tool]))
    )
    return max(near, default=0.0) >= NEED and _known_share(part, here) >= _LEAST_KNOWN


def _needs_no_name(match: Match, tool: Tool) -> bool:
    """Return whether an example's request makes sense without naming a file or address."""
    asked = match.example.request
    if any(part.get("x-ground") == "place" for part in tool.properties.values()):
        return True  # if none is named, all files are meant
    return not paths(asked) and not urls(asked)


def _is_computed(match: Match, tool: Tool) -> bool:
    """Return whether an example is answered by code that computes with its numbers."""
    has_code = any(part.get("x-ground") == "code" for part in tool.properties.values())
    return has_code and bool(numbers_of(match.example.request).operands)


def _said(part: str, here: Here) -> Facts:
    """Return the facts with a part of the request that names nothing here."""
    return replace(here.facts, request=part)


@cache  # with the first request, not with the import
def _hollow() -> frozenset[str]:
    """Return the stems of the words that say nothing of what is asked for."""
    return frozenset(stem(word) for word in STOP_WORDS - _TELLING)


def _known_share(part: str, here: Here) -> float:
    """Return the share of a part's meaningful words that occur in the examples, 0 to 1."""
    said = [word for word in stems(mask(part)) if word not in _hollow() and len(word) > 1]
    known = here.index.common_words | _TELLING
    return sum(word in known for word in said) / len(said) if said else 0.0


def _columns(facts: Facts) -> set[str]:
    return {word.lower() for column in facts.columns for word in re.findall(r"\w+", column)}


def verbs_of(here: Here) -> frozenset[str]:
    """Return the stems of the verbs and options that requests to the tools use."""
    return frozenset().union(*map(_words_of, here.index.tools.values()))


@lru_cache(maxsize=256)  # every request is compared with every tool, several times
def _words_of(tool: Tool) -> frozenset[str]:
    parts = tool.properties.values()
    options = (str(v) for part in parts for v in part.get("enum") or part.get("x-choices") or ())
    firsts = (first_word(example.request)[0] for example in tool.examples)
    text = " ".join(
        [tool.name.replace("_", " "), tool.description.split(" ")[0], *options, *firsts]
    )
    return frozenset(stem(word) for word in re.findall(r"[^\W\d_]+", text))
