"""Described texts: a text that is called by what it is and whose, "the letter to Leo".

Each word beside the one for its kind must stand in the file's path or at its beginning. Where that
fits several texts, or a table as well, none is meant for sure.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import Final

from okso_jupyter.planning.file_commands.folder_view import FolderView
from okso_jupyter.planning.request.wording import stem

#: Endings of files that are texts.
TEXTS: Final = (".txt", ".md", ".markdown", ".log")
#: Words for the same kind of text.
_KINDS: Final = tuple(
    frozenset(words.split())
    for words in (
        "list liste checklist checkliste",
        "letter brief schreiben",
        "note notes notiz notizen zettel memo",
        "diary journal tagebuch",
        "flyer leaflet flugblatt",
        "programme program programm",
        "minutes protokoll",
        "plan plans",
        "file text document datei dokument",
    )
)
#: A word for a kind of text, as a pattern.
KIND: Final = "|".join(sorted(frozenset().union(*_KINDS), key=len, reverse=True))
_LINK: Final = (
    r"(?:to|for|of|from|about|with|by|in|vom|von|für|fürs|an|aus|zum|zur|über|mit|im|beim) "
    r"(?:the |my |our |d(?:ie|as|en|er|em) |(?:mein|unser)\w* )?"
)
_NO_WORD: Final = (
    r"(?:to|for|of|from|about|with|by|in|on|at|and|or|the|vom|von|für|an|aus|zu|zum|zur|über|mit|"
    r"und|oder|auf|durch|is|are|end|ende|bottom|schluss|der|die|das|den|dem|des|my|our|ein|eine)"
)
_PLAIN_WORD: Final = rf"(?!{_NO_WORD}\b)[^\W\d_][\w'-]*"
#: What may follow the name: the end, or the verb of what is done in the text.
_END: Final = (
    r"(?= *(?:[.,!?]|$)| (?:an|hinzu|ein|auf|dran|drauf|weg|raus|heraus|runter|aus|um)[.!?]*$|"
    r" (?:replace|change|by|with|durch|mit|ersetze?|ändere?|to|into|in)\b| +[\d£$€\"'“„]|  )"
)
_LINES_READ: Final = 10
_WORD: Final = re.compile(r"[^\W_]+")
_ARTICLES: Final = frozenset(
    "the my our die das den der dem to for of from about with by in vom von für fürs an aus zum "
    "zur über mit im beim mein meine meiner unser unsere unserer mr mrs ms herr herrn frau".split()
)


def described_texts(
    request: str, leads: str, folder: FolderView
) -> list[tuple[str, re.Match[str]]]:
    """Return the text that a request describes, with the place where it does; [] where unsure.

    Args:
        request: The request, without its quoted texts.
        leads: The pattern of what leads to the name of a text.
        folder: The folder.
    """
    phrase = re.compile(
        rf"(?i)(?P<lead>{leads})(?P<words>(?:{_PLAIN_WORD} ){{0,2}})"
        rf"(?P<of>[^\W\d_]*?(?:[^\W\d_]-)?)(?P<kind>{KIND})(?![\w./-])"
        rf"(?P<more>(?: {_LINK}{_PLAIN_WORD}(?: (?!(?:an|hinzu|ein|auf|weg|raus)\b)"
        rf"{_PLAIN_WORD})?)?){_END}"
    )
    found = [(path, said) for said in phrase.finditer(request) for path in _meant(said, folder)]
    return found if len(found) == 1 else []


def _meant(said: re.Match[str], folder: FolderView) -> Iterator[str]:
    """Yield the one file that a description fits."""
    wanted = {*_content(f"{said['words']} {said['more']}"), *_parts_of(said["of"])}
    if not wanted:
        return
    files = [path for path in folder.entries() if not path.endswith("/")]
    by_name = [path for path in files if wanted <= _names(path)]
    found = by_name or [path for path in files if wanted <= _names(path) | _heads(path, folder)]
    kinds = next(words for words in _KINDS if said["kind"].lower() in words)
    if len(found) > 1:
        found = _closest(found, wanted, kinds)
    if len(found) == 1:
        yield found[0]


def _closest(files: Sequence[str], wanted: set[str], kinds: frozenset[str]) -> list[str]:
    """Return the files of whose name every word is said, or those that name the kind of text."""
    said = wanted | {stem(word) for word in kinds}
    whole = [path for path in files if _own_names(path) <= said]
    return whole or [path for path in files if not kinds.isdisjoint(_words(path))]


def _content(text: str) -> set[str]:
    """Return the stems of the words that describe a text."""
    return {stem(word) for word in _words(text) if word not in _ARTICLES}


def _parts_of(beginning: str) -> set[str]:
    """Return the first word of a compound: of "einkaufs-", "einkauf"."""
    word = beginning.strip("-").lower()
    return {stem(word.removesuffix("s") if len(word) > 4 else word)} if word else set()  # noqa: PLR2004  "todo", "bus"


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _names(path: str) -> set[str]:
    """Return the stems of the words of a path, without its ending."""
    return {stem(word) for word in _words(posixpath.splitext(path)[0])}


def _own_names(path: str) -> set[str]:
    return _names(posixpath.basename(path))


def _heads(path: str, folder: FolderView) -> set[str]:
    """Return the stems of the words at the beginning of a text; of another file there are none."""
    text = folder.text(path) if path.lower().endswith(TEXTS) else None
    lines = [line for line in (text or "").splitlines() if line.strip()]
    return {stem(word) for line in lines[:_LINES_READ] for word in _words(line)}
