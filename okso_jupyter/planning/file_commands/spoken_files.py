"""Spoken files: a text that is called by the words of its name, "the class diary", and no path.

Only what writes into a text or compares two files is read so: "the orders" of a question are rows
of a table, and what is to be deleted or moved is named in full.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.planning.file_commands.described_texts import KIND, TEXTS, described_texts
from okso_jupyter.planning.file_commands.folder_view import FolderView
from okso_jupyter.planning.request.wording import outside_quotes, paths

_WRITES: Final = re.compile(
    r"(?i)(?:append|add|write|put|insert|replace|substitute|change|schreibe?|setze?|trage?|pack|"
    r"notiere?|füge?|hänge?|ersetze?|tausche?|ändere?|"
    r"(?:in|auf|im)(?= .*\b(?:replace|change|ersetze?|ändere?)\b)) "
)
_COMPARES: Final = re.compile(
    r"(?i)\b(?:compare|diff|differs?|different|differences?|vergleich\w*|unterschiede?|"
    r"unterscheide[nt]|anders|changed)\b"
)
#: What takes lines out of a text, and what leads to its name then: nothing else is deleted so.
_TAKES_OUT: Final = re.compile(
    r"(?i)(?:remove|delete|drop|take|cross|strike|scratch|entferne?|lösche?|streiche?|nimm) "
)
_OUT_OF: Final = frozenset({"from", "off", "out", "of", "in", "von", "vom", "aus"})
#: What holds the article as well, and what it is without.
_PLAIN: Final[Mapping[str, str]] = {
    "zur": "zu",
    "zum": "zu",
    "ans": "an",
    "am": "an",
    "ins": "in",
    "im": "in",
    "vom": "von",
}
#: What leads to the name.
_LEADS: Final = (
    r"\b(?:(?:to|in|into|on|onto|of|from|off|auf|an|zu|von|aus) "
    r"(?:the |my |our |d(?:ie|as|en|er|em) |"
    rf"(?:mein|unser)\w* )?|(?:{'|'.join(_PLAIN)}) |(?:ende|schluss) (?:der|des) )"
)


def with_compared_pair(request: str, folder: FolderView) -> str:
    """Return a request to compare two files with their paths, where it calls them by their words.

    "What is different between plan_v1 and plan v2" is of plan_v1.txt and plan_v2.txt.
    """
    if not _COMPARES.search(request) or paths(request):
        return request
    called = {
        path: (words.start("name"), words.end())
        for path in folder.files_with(("",))
        for words in _spoken(path, outside_quotes(request), lead=r"(?<![\w./-])")
    }
    whole = {
        path: span
        for path, span in called.items()
        if not any(_is_within(span, other) for other in called.values())
    }
    if len(whole) != 2 or len({*whole.values()}) != 2:  # noqa: PLR2004  a pair
        return request
    for path, (start, end) in sorted(whole.items(), key=lambda each: -each[1][0]):
        request = f"{request[:start]}{path}{request[end:]}"
    return request


def _is_within(span: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether a place in a text is a part of a longer one."""
    return span != other and other[0] <= span[0] and span[1] <= other[1]


def with_spoken_text(request: str, folder: FolderView) -> str:
    """Return a request to write with the path of the one text that it calls by its words.

    A request that writes out a path, or whose words name several files or a folder, stays as it is.
    """
    takes_out = _TAKES_OUT.match(request) is not None
    if not (takes_out or _WRITES.match(request)) or paths(request):
        return request
    outside = outside_quotes(request)
    called = [(path, words) for path in folder.entries() for words in _spoken(path, outside)]
    called = called or described_texts(outside, _LEADS, folder)
    if len(called) != 1 or not called[0][0].lower().endswith(TEXTS):
        return request
    ((path, words),) = called
    lead = words["lead"].split()[0].lower()
    if takes_out and lead not in _OUT_OF:
        return request
    said = {"ende": "ende von", "schluss": "schluss von"}.get(lead, _PLAIN.get(lead, lead))
    return f"{request[: words.start()]}{said} {path}{request[words.end() :]}"


def _spoken(path: str, request: str, lead: str = _LEADS) -> Iterator[re.Match[str]]:
    """Yield the places where a request calls a file or folder by all words of its name."""
    words = [re.escape(word) for word in re.split(r"[\W_]+", PurePosixPath(path).stem) if word]
    name = r"[ _-]?".join(words)
    if words:
        ending = rf"(?: (?:{KIND}))?(?![\w/-]|\.\w)"
        yield from re.finditer(rf"(?i)(?P<lead>{lead})(?P<name>{name}){ending}", request)
