"""Markdown from untrusted text: the text stays text and produces neither HTML nor images."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

#: The start of a tag or of an address in angle brackets, and what turns brackets into a link.
_MARKUP: Final = re.compile(r"\\*<(?=[A-Za-z/!?])|(?<=\])[(\[:]")
#: The start of a tag, an address in angle brackets or an image that is not escaped.
_LIVE: Final = re.compile(r"(?<!\\)((?:\\\\)*)(<(?=[A-Za-z/!?])|!(?=\[))")
_LIVE_TOKENS: Final = frozenset({"html_block", "html_inline", "image"})
#: Longer texts are not parsed, which would take seconds.
_MOST_PARSED_CHARS: Final = 300_000


def escape(text: str) -> str:
    """Return text with the start of HTML, links and images escaped; the rest stays readable."""
    return _MARKUP.sub(lambda match: f"{match[0][:-1] * 2}\\{match[0][-1]}", text)


def inert(markdown: str) -> str:
    """Return a complete document without HTML and images.

    Its parts may be harmless, but not the whole: removed characters, elements without text and
    fences of different parts can join pieces. If that happened, everything that looks like HTML or
    an image is escaped, in code too.
    """
    return without_html(markdown) if _LIVE.search(markdown) and _is_live(markdown) else markdown


def without_html(markdown: str) -> str:
    """Return Markdown with everything that looks like HTML or an image escaped, in code too."""
    return _LIVE.sub(r"\1\\\2", markdown)


def _is_live(markdown: str) -> bool:
    if len(markdown) > _MOST_PARSED_CHARS:
        return True
    from markdown_it import MarkdownIt  # noqa: PLC0415  slow, and few texts have live marks

    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    within = (child for token in tokens for child in token.children or ())
    return any(token.type in _LIVE_TOKENS for token in (*tokens, *within))


def fence(text: str, language: str = "") -> str:
    """Return a text in a code fence longer than any fence in the text."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    mark = "`" * max(3, longest + 1)
    return f"{mark}{language}\n{text.rstrip()}\n{mark}"


def heading(text: str, level: int) -> str:
    """Return a heading on one line."""
    return f"{'#' * level} {escape(' '.join(text.split()))}"


def table(rows: Iterable[Sequence[str]], *, max_chars: int) -> str:
    """Return rows of equal width as a table, with the first one as its header."""
    return "\n".join(limited(_table_lines(rows), max_chars))


def limited(parts: Iterable[str], max_chars: int) -> Iterator[str]:
    """Yield parts up to a total length: a few bytes may expand to gigabytes of text."""
    for part in parts:
        yield part
        max_chars -= len(part)
        if max_chars < 0:
            return


def _table_lines(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    for index, row in enumerate(rows):
        yield _row(row)
        if index == 0:
            yield "|" + " --- |" * len(row)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(_cell, cells)) + " |"


def _cell(text: str) -> str:
    return escape(" ".join(text.split())).replace("|", "\\|")
