"""Named parts: a request with its paths and quoted texts replaced by marks of one word each.

Patterns of commands then match words, and a name of a file may hold any of them.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from okso_jupyter.plan.text_requests import QUOTED
from okso_jupyter.planning.request.facts import Facts
from okso_jupyter.planning.request.wording import paths

#: Marks of a path and of a quoted text; the number is the place among the values.
PATH: Final = r"<p\d+>"
QUOTE: Final = r"<q\d+>"
_MARK: Final = re.compile(r"<[pq](\d+)>")


@dataclass(frozen=True, slots=True)
class NamedParts:
    """A request in marks.

    Attributes:
        text: The request with a mark for each path and quoted text.
        values: The paths, as they are called in the folder, and the quoted texts, by number.
        written: The same as the request writes them.
    """

    text: str
    values: tuple[str, ...]
    written: tuple[str, ...]

    @classmethod
    def of(cls, request: str, facts: Facts) -> NamedParts | None:
        """Return a request in marks; None if it holds what could be taken for a mark."""
        if "<" in request:
            return None
        values: list[str] = []
        written: list[str] = []

        def mark(kind: str, text: str, value: str) -> str:
            values.append(value)
            written.append(text)
            return f"<{kind}{len(values) - 1}>"

        known = {name.lower(): name for name in (*facts.files, *facts.folders)}
        marked = QUOTED.sub(partial(_quoted, mark=mark, known=known), request)
        for name in sorted({*paths(marked), *facts.folders}, key=len, reverse=True):
            whole = rf"(?<![\w/.<-]){re.escape(name)}/?(?![\w/>-]|\.\w)"
            found = _called(name, facts)
            marked = re.sub(whole, lambda m, f=found: mark("p", m[0], f), marked)  # type: ignore[misc]  # bound at once
        return cls(marked, tuple(values), tuple(written))

    def value(self, mark: str) -> str:
        """Return the path or text of a mark."""
        match = _MARK.fullmatch(mark)
        return self.values[int(match[1])] if match else mark

    def quoted(self, mark: str) -> str:
        """Return the text of a mark that stands in quotation marks; "" for anything else."""
        match = _MARK.fullmatch(mark)
        quote = QUOTED.fullmatch(self.written[int(match[1])]) if match else None
        return next(filter(None, quote.groups())) if quote else ""

    def original(self, text: str) -> str:
        """Return a text with each mark as the request writes it."""
        return _MARK.sub(lambda match: self.written[int(match[1])], text)

    def all_in(self, text: str) -> list[str]:
        """Return the values of all marks of a text, in order."""
        return [self.values[int(match[1])] for match in _MARK.finditer(text)]


def _quoted(
    match: re.Match[str], mark: Callable[[str, str, str], str], known: dict[str, str]
) -> str:
    """Return the mark of a quoted text: a path if it names a file of the folder, or looks so."""
    text = next(filter(None, match.groups()))
    is_path = text.lower() in known or (" " not in text and paths(text) == [text])
    return mark("p" if is_path else "q", match[0], known.get(text.lower(), text))


def _called(name: str, facts: Facts) -> str:
    """Return what a path is called in the folder; itself if there is nothing of that name."""
    wanted = posixpath.normpath(name).lower()
    known: Sequence[str] = (*facts.files, *facts.folders)
    exact = [entry for entry in known if entry.lower() == wanted]
    by_name = [entry for entry in known if posixpath.basename(entry).lower() == wanted]
    return next(iter([*exact, *by_name]), posixpath.normpath(name))
