"""Text questions: which of the folder's texts a question is about that names no file.

"What was decided in the meeting?" beside meeting.md is answered by that text, "What does Tomas have
to do?" by the texts that mention Tomas, "When is the concert?" by those that mention a concert, and
"Which platform do we leave from?" by those with a line that has both words.
The text is shown: to word an answer takes a larger model.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final

from okso_jupyter.planning.file_commands.best_lines import (
    BestLines,
    asks_bare,
    best_lines,
    says_some_of,
)
from okso_jupyter.planning.file_commands.folder_view import FolderView
from okso_jupyter.planning.file_commands.open_tasks import TasksFound, tasks_asked
from okso_jupyter.planning.file_commands.steps import Steps
from okso_jupyter.planning.file_commands.value_steps import value_asked
from okso_jupyter.planning.request.facts import Facts
from okso_jupyter.planning.request.wording import STOP_WORDS, paths, stem

_TEXTS: Final = (".md", ".markdown", ".txt", ".rst")
#: Texts of which each line tells one thing.
_SETTINGS: Final = (".toml", ".yaml", ".yml", ".ini", ".cfg", ".json")
_MOST_FILES: Final = 60
#: Longer texts are searched, and not shown whole.
_SHOWN_CHARS: Final = 2_000
_ASKS: Final = re.compile(
    r"(?i)^\W*(?:what|who|whose|whom|when|where|which|why|is|are|was|were|does|do|did|has|have|"
    r"how (?:long|much|many|far|high|big|old) (?:do|does|did|is|are|was|were|will)|until when|"
    r"wer|(?:bis |seit )?wann|wo|welche[rs]?|warum|ist|sind|hat|haben)\b(?!.*\byour?\b)"
)
#: Questions of any form, and the names of what is wanted alone: "the phone number of the vet". What
#: comes before "of" is none that is to be done.
_MAY_ASK: Final = re.compile(
    r"(?i)^\W*(?:(?:(?:ab|bis|seit|um|from|until|till|since|by|at|on|in|mit|bei|zu|an|auf|für|with|to"
    r") )?(?:what|who|whose|whom|when|where|which|why|how|wer|wem|wen|wessen|wann|wo|woher|wohin|"
    r"was|wie|wieviel|welche[mnrs]?|warum)(?:['’]s)?|is|are|was|were|does|did|has|have|ist|sind|hat|"
    r"gibt es|(?:tell|show|give) (?:me|us) (?:the|our)|sag mir|nenne? mir|zeige? mir|"
    r"(?:the |our |die |der |das |unsere? )?(?:[^\W\d_]+[ -]){0,2}[^\W\d_]{4,} "
    r"(?:of|von|vom|des) (?:the |our |der |dem |den )?[^\W\d_]+)\b(?!.*\byour?\b)"
)
#: A name of a thing alone, without a verb in front: "wifi password".
_BARE: Final = re.compile(r"(?i)^\W*(?:(?:the|our|das|die|der|unser) )?(?:[\w-]+ ){0,3}[\w-]+\W*$")
#: A request that goes on to do something, wants a text in fewer words, or asks where words are
#: not.
_ACTS: Final = re.compile(
    r"(?i)\b(?:summar\w+|gist|zusammenfass\w*|fasse? .*zusammen|translate|übersetz\w*)\b|"
    r"\b(?:which|what|welche[nrms]?) (?:files?|texts?|notes?|letters?|datei\w*|text\w*|brief\w*)\b"
    r".*\b(?:not|nicht|kein\w*|without|ohne)\b|"
    r"(?:\b(?:and|then|und|dann)|[,;.]) (?:please |then |bitte |dann )?(?:send|write|save|add|"
    r"delete|remove|e?-?mail|call|book|order|remind|put|copy|move|rename|make|create|change|set|replace|"
    r"schick\w*|schreib\w*|speicher\w*|lösch\w*|ruf\w*|buche?|bestell\w*|erinner\w*|leg\w*|kopier\w*|"
    r"verschieb\w*|erstell\w*|änder\w*|setz\w*|trag\w*) "
)
#: A name in small letters: it has no article, and stands behind the verb.
_BARE_NAME: Final = re.compile(
    r"\b(?:did|does|is|was|has|will|can|should|must|hat|muss|soll|ist|war|kommt|macht|will) "
    r"([^\W\d_A-Z]{3,})\b"
)
#: What may be about the person, and about a text only if that is named.
_OF_A_PERSON: Final = re.compile(r"(?i)\b(?:i|me)\b")
#: A name: a word in capitals, or several, that does not begin the question.
_NAME: Final = re.compile(r"(?<=[\w,] )[A-Z][a-z]+(?: [A-Z][a-z]+)*(?=(?:['’]s)?\b)")
#: Time, place or person of one thing: what is asked so stands in a text, if anywhere.
_OF_ONE_THING: Final = re.compile(
    r"(?i)^\W*(?:when|where|who|whose|what (?:time|day|date)|which (?:day|date)|wann|wo|wer|"
    r"what (?:did|do|does|was|were|is|are) .*?\babout(?= the))\b"
    r".*?\b(?:the|der|die|das|den|dem) (\w{4,})\b"
)
_WORD_ASKED: Final = re.compile(
    r"(?i)^\W*(what|which|how|welche[rs]?|was|when|where|who|wann|wo|wer|is|are|does|do|ist|sind|hat)\b"
)
_TO_DO: Final = re.compile(
    r"(?i)^\W*what (?:(?:do|does) (?:i|we|\w+) (?:still )?(?:have|need)|(?:is|remains) (?:still )?"
    r"(?:left|there)?) ?to (?P<verb>\w{3,})\b\W*$"
)
_HEADING: Final = re.compile(r"(?m)^#+ .*")
_OF_ONE: Final = frozenset("when where who wann wo wer".split())
_WORD: Final = re.compile(r"[^\W\d_]{4,}")
#: Lines or characters of a text that is shown whole.
_FEW_LINES: Final = 4
_FEW_CHARS: Final = 160
#: The share of a question's words that a line has which likely answers it, and of one which any
#: table is measured by.
_LIKELY: Final = 0.6
_SURE: Final = 0.75
#: How much larger it is than that of a table which does not answer it.
_MORE: Final = 0.25
#: Words of questions that say nothing about the text.
_NO_TOPIC: Final = STOP_WORDS | frozenset(
    "does have been will would should must need time date their them they going from about many "
    "some most also haben wird werden muss welche welcher welches wann dies diese eine einen "
    "please there here were same".split()
)
#: What a line says without these words: "Phone: +351 21 555 0199", "The hotel is Casa do Rio".
_IMPLIED: Final = frozenset("number called named name nummer".split())
_ARTICLES: Final = frozenset(
    "der die das den dem des ein eine einen unser unsere ich wir ihr sie er es man".split()
)
_NO_NAMES: Final = frozenset((*calendar.month_name, *calendar.day_name))


def text_question(request: str, facts: Facts, folder: FolderView) -> Steps:
    """Return the step that shows the text a question is about; () where no text is.

    Args:
        request: The request in plain words.
        facts: What it names.
        folder: The folder.
    """
    is_another = paths(request) or facts.urls or facts.quotes or _ACTS.search(request)
    if is_another or len(facts.files) > 1:
        return ()
    found = value_asked(request, folder) or (() if facts.files else _still_to_do(request, folder))
    if found:
        return found
    if not facts.files:
        return _of_topic(request, folder)
    # called by its name without the ending: "in the meeting"
    is_text = facts.files[0].endswith((*_TEXTS, *_SETTINGS))
    if not is_text or not _ASKS.search(request):
        return ()
    told = _of_lines(request, folder)
    return told or _shown(facts.files[0], folder)


def told_by_text(request: str, folder: FolderView, table: Collection[str]) -> bool:
    """Return whether a line of a text has clearly more of a question's words than a table.

    Args:
        request: The question in plain words.
        folder: The folder.
        table: The texts of the table: its name, those of its columns, and its cells.
    """
    if not _MAY_ASK.search(request) or _ACTS.search(request) or paths(request):
        return False
    found = best_lines(request, _texts(folder), table)
    return found is not None and found.share >= _SURE and found.share - found.elsewhere >= _MORE


def _of_topic(request: str, folder: FolderView) -> Steps:
    """Return the step that shows the texts with the name, the thing or the words of a question."""
    texts = _texts(folder)
    found = best_lines(request, texts) if _may_ask(request, texts) else None
    tasks = tasks_asked(request, texts)
    asks = _ASKS.search(request) and not _OF_A_PERSON.search(request)
    ways: tuple[Callable[[], Steps], ...] = (
        lambda: _listed(tasks, folder),
        lambda: _told_likely(found, folder),
        lambda: _of_name_or_thing(request, folder) if asks else (),
        lambda: _of_lines(request, folder) if asks else (),
        lambda: _told(found, folder),
    )
    return next((steps for way in ways if (steps := way())), ())


def _may_ask(request: str, texts: Mapping[str, str]) -> bool:
    """Return whether a request may ask for what a line tells.

    A few words without a verb do where they are what a line tells.
    """
    if _MAY_ASK.search(request):
        return True
    return bool(_BARE.match(request)) and asks_bare(request, texts)


def _of_name_or_thing(request: str, folder: FolderView) -> Steps:
    """Return the step that shows the texts with the name or the thing of a question."""
    texts = folder.files_with(_TEXTS)[:_MOST_FILES]
    for name in _names(request, folder):
        found = [path for path in texts if _mentions(folder.text(path), name)]
        if found:
            return _mentioned(name, found, folder)
    if thing := _OF_ONE_THING.search(request):
        found = [path for path in texts if _mentions(folder.text(path), thing[1], re.IGNORECASE)]
        if found:
            return _mentioned(thing[1], found, folder, is_name=False)
    return ()


def _texts(folder: FolderView) -> dict[str, str]:
    """Return the folder's texts by path."""
    files = folder.files_with((*_TEXTS, ".log"))[:_MOST_FILES]
    return {path: folder.text(path) or "" for path in files}


def _told_likely(found: BestLines | None, folder: FolderView) -> Steps:
    """Return the step that shows the lines which have most of what is asked about."""
    return _told(found, folder) if found and found.share >= _LIKELY else ()


def _told(found: BestLines | None, folder: FolderView) -> Steps:
    """Return the step that shows the lines where a question is answered, or their short text."""
    if found is None:
        return ()
    text = folder.text(found.path) or ""
    if not found.word or _is_brief(text):
        return _shown(found.path, folder)
    if _is_in_title(found.word, text) and (steps := _shown(found.path, folder)):
        return steps
    args = {"query": found.word, "paths": [found.path]}
    return ({"tool": "file_search", "args": args, "title": f"Look for “{found.word}”"},)


def _listed(tasks: Sequence[TasksFound], folder: FolderView) -> Steps:
    """Return the steps that show tasks, or the one short text that has them."""
    places = {path for found in tasks for path in found.paths}
    if len(places) == 1 and _is_brief(folder.text(min(places)) or ""):
        return _shown(min(places), folder)
    return tuple(
        {
            "tool": "file_search",
            "args": {"query": found.query, "paths": [*found.paths]},
            "title": f"Look for “{found.query}”",
        }
        for found in tasks
    )


def _is_in_title(word: str, text: str) -> bool:
    """Return whether the first line of a text has a word, and is no sentence or value."""
    title = text.lstrip().partition("\n")[0].rstrip()
    return word in title and not title.endswith((".", "!", "?")) and ":" not in title


def _is_brief(text: str) -> bool:
    """Return whether a text is shown whole where one of its lines has the answer."""
    return (
        len(text) <= _FEW_CHARS
        or sum(bool(line.strip()) for line in text.splitlines()) <= _FEW_LINES
    )


def _still_to_do(request: str, folder: FolderView) -> Steps:
    """Return the step that shows the open tasks of the one list beneath "To pack"."""
    asked = _TO_DO.match(request)
    if asked is None:
        return ()
    texts = folder.files_with((".md", ".markdown"))[:_MOST_FILES]
    verb = stem(asked["verb"].lower())
    found = [path for path in texts if verb in _words_of_headings(folder.text(path) or "")]
    if len(found) != 1 or "- [ ]" not in (folder.text(found[0]) or ""):
        return ()
    args = {"query": "- [ ]", "paths": found}
    return ({"tool": "file_search", "args": args, "title": f"Show the open tasks of {found[0]}"},)


def _words_of_headings(text: str) -> set[str]:
    """Return the stems of the words of a text's headings."""
    return {stem(word) for line in _HEADING.findall(text) for word in _WORD.findall(line.lower())}


def _of_lines(request: str, folder: FolderView) -> Steps:
    """Return the step that shows the texts with a line that has all that a question is about.

    One word is enough for when, where and who; others ask for two.
    """
    asked = _WORD_ASKED.match(request)
    words = [word for word in _WORD.findall(request.lower()) if word not in _NO_TOPIC]
    stems = dict.fromkeys(stem(word) for word in words if word not in _IMPLIED)
    fewest = 1 if asked and asked[1].lower() in _OF_ONE else 2
    if not asked or not stems or len(set(words)) < fewest:
        return ()
    texts = folder.files_with((*_TEXTS, *_SETTINGS))[:_MOST_FILES]
    found = [path for path in texts if _has_line(folder.text(path) or "", stems)]
    (first, *_) = (word for word in words if word not in _IMPLIED)
    return _mentioned(first, found, folder, is_name=False) if found else ()


def _has_line(text: str, stems: Collection[str]) -> bool:
    """Return whether one line of a text has words of all these stems."""
    return any(
        all(one in {stem(word) for word in _WORD.findall(line.lower())} for one in stems)
        for line in text.splitlines()
    )


def _names(request: str, folder: FolderView) -> Iterator[str]:
    """Yield the names in a question, the longest first; then those that only texts capitalise."""
    found = [name for name in _NAME.findall(request) if name not in _NO_NAMES]
    yield from sorted(dict.fromkeys(found), key=len, reverse=True)
    text = "\n".join(_texts(folder).values())
    for word in _BARE_NAME.findall(request):
        is_name = word not in _NO_TOPIC and word not in _ARTICLES
        if not is_name or not _mentions(text, word.capitalize()) or _mentions(text, word):
            continue
        if says_some_of(text, request, but=word):
            yield word.capitalize()


def _mentions(text: str | None, name: str, flags: int = 0) -> bool:
    return text is not None and re.search(rf"\b{re.escape(name)}\b", text, flags) is not None


def _mentioned(
    name: str, found: Sequence[str], folder: FolderView, *, is_name: bool = True
) -> Steps:
    """Return the step that shows the one text with a name or thing, or the lines of several."""
    if len(found) == 1 and (steps := _shown(found[0], folder)):
        return steps
    args = {"query": name, "paths": [*found], "case_sensitive": is_name}
    return ({"tool": "file_search", "args": args, "title": f"Look for “{name}”"},)


def _shown(path: str, folder: FolderView) -> Steps:
    """Return the step that reads a short text; () for a long one."""
    text = folder.text(path)
    if text is None or not 0 < len(text) <= _SHOWN_CHARS:
        return ()
    return ({"tool": "file_read", "args": {"path": path}, "title": f"Read {path}"},)
