"""The text of a note as the HTML that Notes keeps: one division a line, without any markup."""

from __future__ import annotations

import re
from html import escape
from typing import Final

_BLANK_LINE: Final = "<div><br></div>"
#: Blanks that HTML would join: those at the beginning of a line, and all after the first.
_BLANKS: Final = re.compile(r"^ +|(?<= ) +|\t")
_NO_BREAK: Final = "&nbsp;"


def html_of(text: str) -> str:
    """Return a text as HTML; what looks like markup is text."""
    return "".join(map(_line, text.split("\n")))


def note_html(title: str, body: str) -> str:
    """Return a note as HTML; Notes takes the first line as its title."""
    head = f"<div><h1>{_kept(title)}</h1></div>"
    return f"{head}{html_of(body)}" if body else head


def extended_html(html: str, paragraph: str) -> str:
    """Return the HTML of a note with a paragraph more."""
    return f"{html}{_BLANK_LINE}{html_of(paragraph)}"


def body_of(title: str, text: str) -> str:
    """Return the text of a note without its first line, which is the title."""
    plain = text.replace("\u00a0", " ").replace("\r\n", "\n")
    first, _, rest = plain.partition("\n")
    return (rest if first.strip() == title.strip() else plain).strip("\n")


def _line(line: str) -> str:
    return f"<div>{_kept(line.rstrip())}</div>" if line.strip() else _BLANK_LINE


def _kept(line: str) -> str:
    """Return a line as HTML that keeps its blanks."""
    marked = _BLANKS.sub(lambda found: "\0" * len(found[0].expandtabs(4)), line)
    return escape(marked).replace("\0", _NO_BREAK)
